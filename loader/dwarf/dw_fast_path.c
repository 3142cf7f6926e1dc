/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_fast_path.c - runs of members, enumerators and parameters of function types
 *
 * These are more than half of a kernel's DIEs and follow one another. Nearly all are simple: no
 * children, a name of a fixed form, a reference of four bytes, a number. dw_abbrev.c marks their
 * lines (enum dw_fast_path), so one comparison replaces the checks of dw_walk.c, and a loop takes a
 * dozen instructions per DIE. A DIE that is not marked, or leaves the unit, ends the loop;
 * dw_walk.c reads it. Without this file vmlinux takes 5 % more time.
 */
#include "loader/dwarf/dw_walk.h"

/*
 * Fields of the reader that a loop needs. A copy stays in registers, since the compiler cannot know that
 * the loop's stores do not change the reader.
 */
struct row {
	struct dw_reader *r;
	const struct dw_abbrev *lines;
	size_t nr_lines;
	const uint8_t *end; /* of the unit */
	die_off base_offset;
};

/* A DIE on the fast path. */
struct item {
	const struct dw_abbrev *a;
	const uint8_t *start;
	const uint8_t *values; /* after a name that precedes the columns */
	const uint8_t *next;
};

static struct row row_of(struct dw_reader *r, const uint8_t *end)
{
	return (struct row){ r, r->abbrevs.lines.items, r->abbrevs.lines.nr, end,
			     r->unit.base_offset };
}

/* Read the code of the DIE at @p. Returns false if it is unknown or leaves the unit. */
ALWAYS_INLINE bool next_item(struct row row, const uint8_t *p, struct item *it)
{
	uint64_t code;

	if (unlikely(p >= row.end))
		return false;
	p = read_code(p, row.end, &code);
	if (unlikely(!p || code >= row.nr_lines))
		return false;
	it->a = &row.lines[code];
	it->start = it->values = p;
	if (unlikely(it->a->lead)) {
		it->values = skip_lead(p, row.end, it->a->prefix);
		if (unlikely(!it->values))
			return false;
	} else if (unlikely(it->a->prefix > row.end - p)) {
		return false;
	}
	it->next = it->values + it->a->prefix;
	return true;
}

ALWAYS_INLINE uint32_t item_name(struct row row, const struct item *it)
{
	if (unlikely(it->a->lead))
		return dw_inline_string(row.r, it->start, (size_t)(it->values - it->start) - 1);
	if (unlikely(!it->a->form[COL_NAME]))
		return 0;
	return dw_file_str(row.r->unit.file, load32(it->values + it->a->off[COL_NAME]),
			   &row.r->names);
}

/* False for a reference that is not to this unit. */
ALWAYS_INLINE bool item_type(struct row row, const struct item *it, die_off *ret)
{
	uint64_t off = (uint64_t)load32(it->values + it->a->off[COL_TYPE]) + row.base_offset;

	*ret = (die_off)off;
	return likely(off - 1 < DIE_FOREIGN - 1);
}

ALWAYS_INLINE uint32_t item_place(const struct item *it)
{
	return (load16(it->values + it->a->off[COL_VALUE]) & it->a->place_mask) +
	       (uint32_t)it->a->constant[COL_VALUE - COL_SIZE];
}

ALWAYS_INLINE const uint8_t *members(struct dw_reader *r, const uint8_t *p, const uint8_t *end,
				     bool of_union)
{
	const struct row row = row_of(r, end);
	struct cu *cu = r->cu;
	size_t nr = cu->members.nr, before = nr, cap = cu->members.cap;
	struct cu_member *members = cu->members.items;
	struct item it;
	die_off type;

	for (; next_item(row, p, &it); p = it.next) {
		uint32_t place = 0;

		if (likely(it.a->fast_path == FAST_MEMBER))
			place = item_place(&it);
		else if (!of_union || it.a->fast_path != FAST_MEMBER_AT_0)
			break;
		if (!item_type(row, &it, &type) || unlikely(of_union && place))
			break;
		if (unlikely(nr == cap)) {
			cu->members.nr = nr;
			vec_reserve(&cu->members, 1);
			members = cu->members.items;
			cap = cu->members.cap;
		}
		members[nr++] = (struct cu_member){
			.name = item_name(row, &it),
			.type = type,
			.offset = place * 8,
		};
	}
	cu->members.nr = nr;
	top_frame(r)->type.nr += (uint32_t)(nr - before);
	return p;
}

static const uint8_t *enumerators(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	const struct row row = row_of(r, end);
	struct item it;

	for (; next_item(row, p, &it) && it.a->fast_path == FAST_ENUMERATOR; p = it.next)
		vec_push(&r->cu->enumerators,
			 ((struct cu_enumerator){
				 item_name(row, &it),
				 (int64_t)fixed_column(it.a, it.values, COL_VALUE, false) }));
	return p;
}

static const uint8_t *parameters(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	const struct row row = row_of(r, end);
	size_t before = r->cu->members.nr;
	struct item it;
	die_off type;

	for (; next_item(row, p, &it) && it.a->fast_path == FAST_PARAMETER; p = it.next) {
		if (!item_type(row, &it, &type))
			break;
		vec_push(&r->cu->members, ((struct cu_member){ .type = type }));
	}
	top_frame(r)->type.nr += (uint32_t)(r->cu->members.nr - before);
	return p;
}

const uint8_t *dw_fast_path(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p,
			    const uint8_t *end)
{
	switch (ctx) {
	case CTX_STRUCT:
		return top_frame(r)->type.kind == BTF_UNION ? members(r, p, end, true) :
							      members(r, p, end, false);
	case CTX_ENUM:
		return enumerators(r, p, end);
	default:
		return parameters(r, p, end);
	}
}
