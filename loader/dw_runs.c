/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_runs.c - members, enumerators and parameters of function types
 *
 * They are more than half of the DIEs of a kernel, stand in rows, and nearly all are simple:
 * no children, a name of a fixed form, a reference of four bytes, a number. dw_abbrev.c marks their
 * lines (enum dw_run), so one comparison tells that none of the questions of dw_die.c
 * need be asked. The rows are read here in loops of a dozen instructions a DIE; what is
 * not marked, or leaves the unit, ends the loop, and dw_die.c takes that DIE.
 */
#include "loader/dw_slots.h"

/* A DIE of a row, as far as the rows have it in common. */
struct item {
	const struct dw_abbrev *a;
	const uint8_t *start;
	const uint8_t *values; /* behind a name that stands in front */
	const uint8_t *next;
};

/* Is there at @p a DIE whose line is marked as @run, and all of it before @end? */
ALWAYS_INLINE bool next_item(const struct dw_reader *r, const uint8_t *p, const uint8_t *end,
			     enum dw_run run, struct item *it)
{
	uint64_t code;

	if (unlikely(p >= end))
		return false;
	p = read_code(p, end, &code);
	if (unlikely(!p || code >= r->abbrevs.lines.nr))
		return false;
	it->a = &r->abbrevs.lines.items[code];
	if (it->a->run != run)
		return false;
	it->start = it->values = p;
	if (it->a->lead) {
		it->values = skip_lead(p, end, it->a->prefix);
		if (unlikely(!it->values))
			return false;
	} else if (unlikely(it->a->prefix > end - p)) {
		return false;
	}
	it->next = it->values + it->a->prefix;
	return true;
}

ALWAYS_INLINE uint32_t item_name(struct dw_reader *r, const struct item *it)
{
	if (it->a->lead)
		return dw_inline_string(r, it->start, (size_t)(it->values - it->start) - 1);
	if (!it->a->form[SLOT_NAME])
		return 0;
	return dw_file_str(r->file, load32(it->values + it->a->off[SLOT_NAME]), &r->names);
}

/* False for what is no place in this unit. */
ALWAYS_INLINE bool item_type(const struct dw_reader *r, const struct item *it, die_off *ret)
{
	uint64_t off = (uint64_t)load32(it->values + it->a->off[SLOT_TYPE]) + r->bias;

	*ret = (die_off)off;
	return off && off < DIE_FOREIGN;
}

static const uint8_t *members(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	struct frame *f = top_frame(r);
	struct cu *cu = r->cu;
	bool is_union = f->type.kind == BTF_UNION;
	size_t before = cu->members.nr;
	struct item it;

	for (; next_item(r, p, end, RUN_MEMBER, &it); p = it.next) {
		uint64_t place = fixed_slot(it.a, it.values, SLOT_VALUE, false);
		die_off type;

		if (unlikely(!item_type(r, &it, &type) || place >> 29))
			break;
		/* one of a union is at 0, and gcc does not say so */
		if (unlikely(is_union ? place : !(it.a->flags & DA_HAS_VALUE)))
			break;
		*vec_add(&cu->members) = (struct cu_member){
			.name = item_name(r, &it),
			.type = type,
			.offset = (uint32_t)place * 8,
		};
	}
	f->type.nr += (uint32_t)(cu->members.nr - before);
	return p;
}

static const uint8_t *enumerators(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	struct cu *cu = r->cu;
	struct item it;

	for (; next_item(r, p, end, RUN_ENUMERATOR, &it); p = it.next)
		vec_push(&cu->enumerators,
			 ((struct cu_enumerator){
				 item_name(r, &it),
				 (int64_t)fixed_slot(it.a, it.values, SLOT_VALUE, false) }));
	return p;
}

static const uint8_t *parameters(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	struct frame *f = top_frame(r);
	struct cu *cu = r->cu;
	size_t before = cu->members.nr;
	struct item it;
	die_off type;

	for (; next_item(r, p, end, RUN_PARAMETER, &it) && item_type(r, &it, &type); p = it.next)
		vec_push(&cu->members, ((struct cu_member){ .type = type }));
	f->type.nr += (uint32_t)(cu->members.nr - before);
	return p;
}

const uint8_t *dw_run(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p, const uint8_t *end)
{
	switch (ctx) {
	case CTX_STRUCT:
		return members(r, p, end);
	case CTX_ENUM:
		return enumerators(r, p, end);
	default:
		return parameters(r, p, end);
	}
}
