/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_types.c - the records of a unit of DWARF: those of its types, and the declaration tags of these
 *
 * Most records are equal to the one that the pool guesses (unit_intern.h). Comparing the arrays of struct cu with that
 * guess is cheaper than building the record first: is_type().
 */
#include "encoder/unit/unit_intern.h"

#include <stdlib.h>

ALWAYS_INLINE bool reference(struct unit_encoder *m, unit_tid t, uint32_t ret[BTF_REC_WORDS])
{
	const struct cu_type *type = &m->cu->types.items[t];

	if (unlikely(t >= m->index_tid) ||
	    (type->kind != BTF_PTR && !btf_kind_is_modifier(type->kind)))
		return false;
	/* a typedef without a name: see record_append() */
	bool nameless = type->kind == BTF_TYPEDEF && unlikely(!type->name);

	ret[BTF_REC_NAME] = type->name;
	ret[BTF_REC_INFO] = btf_info(nameless ? BTF_CONST : (enum btf_kind)type->kind, 0, false);
	ret[BTF_REC_SIZE_TYPE] = type->ref;
	return true;
}

ALWAYS_INLINE bool same_members(struct unit_encoder *m, const struct cu_type *t,
				const uint32_t *elem)
{
	const struct cu_member *member = m->cu->members.items + t->first, *end = member + t->nr;
	uint32_t differs = 0;

	for (; member < end; elem += 3, member++)
		differs |= (elem[0] ^ member->name) |
			   (elem[1] ^ unit_ref_like(m, member->type, elem[1])) |
			   (elem[2] ^ (member->offset | (uint32_t)member->bits << 24));
	return !differs;
}

ALWAYS_INLINE bool same_params(struct unit_encoder *m, const struct cu_type *t,
			       const uint32_t *elem)
{
	const struct cu_member *param = m->cu->members.items + t->first, *end = param + t->nr;
	uint32_t differs = 0;

	for (; param < end; elem += 2, param++)
		differs |= (elem[0] ^ param->name) |
			   (elem[1] ^ unit_ref_like(m, param->type, elem[1]));
	/* the element of "..." has neither name nor type */
	return !(differs || (t->flags & CU_TYPE_VARARG && (elem[0] | elem[1])));
}

ALWAYS_INLINE bool is_type(struct unit_encoder *m, unit_tid tid, const uint32_t *rec)
{
	if (unlikely(tid >= m->index_tid))
		return false; /* a tag */

	const struct cu_type *t = &m->cu->types.items[tid];
	const uint32_t *elem = rec + BTF_REC_WORDS;
	uint32_t info = btf_info((enum btf_kind)t->kind, t->nr, false);

	switch (t->kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		if (rec[BTF_REC_NAME] != t->name)
			return false;
		if (t->flags & CU_TYPE_FWD)
			return t->name &&
			       rec[BTF_REC_INFO] == btf_info(BTF_FWD, 0, t->kind == BTF_UNION);
		if (t->flags & CU_TYPE_BITS)
			info |= btf_info(BTF_UNKN, 0, true);
		return (t->flags & CU_TYPE_PLAIN) && rec[BTF_REC_INFO] == info &&
		       rec[BTF_REC_SIZE_TYPE] == t->size && same_members(m, t, elem);
	case BTF_FUNC_PROTO:
		return rec[BTF_REC_INFO] == info + !!(t->flags & CU_TYPE_VARARG) &&
		       rec[BTF_REC_SIZE_TYPE] == unit_ref_like(m, t->ref, rec[BTF_REC_SIZE_TYPE]) &&
		       same_params(m, t, elem);
	case BTF_ARRAY:
		return rec[BTF_REC_INFO] == btf_info(BTF_ARRAY, 0, false) &&
		       elem[0] == unit_ref_like(m, t->ref, elem[0]) && elem[2] == t->size;
	default:
		return false;
	}
}

static void targets(struct unit_encoder *m, unit_tid t)
{
	if (unlikely(t >= m->index_tid))
		return;

	const struct cu_type *type = &m->cu->types.items[t];
	const struct cu_member *member = m->cu->members.items + type->first;

	if (type->kind == BTF_FUNC_PROTO || type->kind == BTF_ARRAY)
		unit_want(m, type->ref);
	for (uint32_t i = 0; type->kind != BTF_ENUM && i < type->nr; i++)
		unit_want(m, member[i].type);
}

static void tag_record(struct unit_encoder *m, const struct cu_tag *tag)
{
	const uint32_t rec[] = { tag->value, btf_info(BTF_DECL_TAG, 0, false), tag->of,
				 (uint32_t)tag->component };

	for (size_t i = 0; i < ARRAY_SIZE(rec); i++)
		vec_push(&m->words, rec[i]);
}

static void record(struct unit_encoder *m, unit_tid t, const struct omission_log *log)
{
	m->words.nr = 0;
	if (t < m->index_tid)
		record_append(m->run, m->cu, t, &m->words, log);
	else
		tag_record(m, m->tags.items[t - m->index_tid - 1]);
}

static const struct record_source of_cu = { reference, is_type, targets, record };

static struct err *too_many(const struct unit_encoder *m, const struct cu_type *type)
{
	return unit_add_context(
		m,
		err_new(ERR_LIMIT, "'%s' has %u members, values or parameters; BTF has room for %u",
			type->name ? str_pool_text(m->run->strings, type->name) : "(anon)",
			type->nr, encode_max_vlen(m->run->opts)));
}

/* pahole puts tags on structures, unions and typedefs of DWARF, not on classes and enums. */
static bool type_is_tagged(const struct cu_type *t)
{
	return t->kind == BTF_UNION || t->kind == BTF_TYPEDEF ||
	       (t->kind == BTF_STRUCT && !(t->flags & CU_TYPE_CLASS));
}

static int by_owner(const void *a, const void *b)
{
	const struct cu_tag *x = *(const struct cu_tag *const *)a;
	const struct cu_tag *y = *(const struct cu_tag *const *)b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x > y) - (x < y); /* both are in cu.tags, in the order of DWARF */
}

void unit_sort_tags(const struct cu *cu, enum cu_tag_owner owner, struct unit_sorted_tags *ret)
{
	ret->nr = 0;
	vec_reserve(ret, cu->tags.nr);
	for (size_t i = 0; i < cu->tags.nr; i++) {
		const struct cu_tag *tag = &cu->tags.items[i];

		if (tag->owner == owner &&
		    (owner != CU_TAG_TYPE || type_is_tagged(&cu->types.items[tag->of])))
			ret->items[ret->nr++] = tag;
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_owner);
}

/* Refer to types with a name by name. Other types have no reference until they are entered. */
static struct err *name_refs(struct unit_encoder *m)
{
	uint32_t max_vlen = encode_max_vlen(m->run->opts);

	for (unit_tid t = 1; t < m->index_tid; t++) {
		const struct cu_type *type = &m->cu->types.items[t];

		if (unlikely(type->nr > max_vlen))
			return too_many(m, type);
		if (!type->name)
			continue;
		if (type->kind == BTF_STRUCT)
			m->refs[t] = pool_ref_named(POOL_STRUCT, type->name);
		else if (type->kind == BTF_UNION)
			m->refs[t] = pool_ref_named(POOL_UNION, type->name);
		else if (type->kind == BTF_ENUM)
			m->refs[t] = pool_ref_named(POOL_ENUM, type->name);
	}
	return NULL;
}

/* The index type follows the types, and the tags follow that. */
static void count_records(struct unit_encoder *m)
{
	unit_sort_tags(m->cu, CU_TAG_TYPE, &m->tags);
	m->source = &of_cu;
	m->index_tid = (unit_tid)m->cu->types.nr;
	m->nr_records = m->index_tid + 1 + (uint32_t)m->tags.nr;
}

struct err *unit_add_types(struct unit_encoder *m)
{
	count_records(m);
	unit_begin_types(m);
	TRY(name_refs(m));
	unit_intern(m, &of_cu);
	unit_end_types(m);
	return NULL;
}

void unit_raw_types(struct unit_encoder *m, struct raw_unit *ret)
{
	count_records(m);
	unit_records(m, ret);
}
