/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * distill.c - split BTF that fits more than the one base it was made over
 *
 * Split BTF refers to its base by id, and ids of a kernel change with each build. So a
 * module that is built outside of the kernel's tree has a small base of its own with the names
 * of the types that it needs. The kernel that loads the module looks these names up in its own
 * BTF:
 *
 *	base, split over it               distilled base, split over that
 *
 *	1 int                             1 int
 *	2 struct page { ... } 64          2 struct page {} 64
 *	3 * of 2                          3 struct mine { x: 5; y: 1 }
 *	4 struct other { ... }            4 const of 5
 *	5 struct mine { x: 3; y: 1 }      5 * of 2
 *	6 const of 3
 *
 * Types with a name that can be looked up go into the new base: integers, floats,
 * declarations; and of structs, unions and enums the name and the size. Their members
 * are those of the real base. Everything else that the split reaches, typedefs included,
 * is copied behind the split's own records. So are the functions of the base that the split
 * has sites of, and the places of parameters there.
 *
 * Ids and offsets of strings follow libbpf's btf__distill_base(), so that the bytes do; but where
 * that leaves a base without types, this one keeps one (need_one()).
 * Both sections of strings are written again, in the order in which records use them.
 */
#include "dedup/base/distill.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "dedup/pool/string_index.h"

#include <inttypes.h>
#include <stdlib.h>

struct distill {
	const struct btf_view *from;
	struct distilled *to;
	/* by id of the old base: 0 for what is not needed, in the end the new id */
	uint32_t *map;
	/* needed, and what it refers to has not been looked at */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} todo;
};

static void distill_release(struct distill *d)
{
	free(d->map);
	free(d->todo.items);
}

/* --- what is needed ----------------------------------------------------------------- */

/* Can it be found by its name in another base? */
static bool is_found_by_name(const struct btf_view *from, const uint32_t *rec)
{
	switch (btf_ctype(btf_rec_kind(rec))) {
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_FORWARD:
		return true;
	case BTF_C_STRUCT:
	case BTF_C_ENUM:
		return *btf_view_str(from, from->base, rec[BTF_REC_NAME]) != '\0';
	case BTF_C_NONE:
	case BTF_C_VOID:
	case BTF_C_POINTER:
	case BTF_C_ARRAY:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_FUNCTION:
		break;
	}
	return false;
}

/*
 * May a record of kind @from refer to one of kind @to of the base? Only sites do so, of what is no type. What is
 * copied for them becomes a part of the split, so it must not refer to anything else either.
 */
static bool may_refer(enum btf_kind from, enum btf_kind to)
{
	if (from == BTF_LOCSEC || from == BTF_LOC_PROTO || from == BTF_FUNC)
		return btf_kind_in(to, btf_kind_layouts[from].targets);
	return btf_ctype(to) != BTF_C_NONE;
}

/* All that @id refers to is needed. */
static struct err *need_types_of(struct distill *d, uint32_t id)
{
	const struct btf_types *types = &d->from->types;
	enum btf_kind kind = btf_rec_kind(btf_types_rec(types, id));

	btf_rec_each_type(btf_types_rec(types, id), p)
	{
		if (!*p || *p >= types->first)
			continue;

		const uint32_t *rec = btf_types_rec(types, *p);
		if (!may_refer(kind, btf_rec_kind(rec)))
			return err_new(ERR_FORMAT,
				       "type %" PRIu32 " refers to type %" PRIu32
				       " of the base, which is a %s",
				       id, *p, btf_rec_layout(rec)->name);
		if (d->map[*p])
			continue;
		d->map[*p] = *p;
		/* what is found by its name leaves behind what it is made of */
		if (!is_found_by_name(d->from, rec))
			vec_push(&d->todo, *p);
	}
	return NULL;
}

static struct err *find_needed(struct distill *d)
{
	const struct btf_types *types = &d->from->types;

	for (uint32_t id = types->first; id < btf_types_end(types); id++)
		TRY(need_types_of(d, id));
	while (d->todo.nr)
		TRY(need_types_of(d, d->todo.items[--d->todo.nr]));
	return NULL;
}

/* --- the new lists, with the names of the old ones ------------------------------------ */

/* Of what has parts, only that it is there and how large it is. */
static void add_to_base(struct btf_types *base, const uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);
	bool whole = !btf_rec_layout(rec)->elem;
	size_t nr = whole ? btf_rec_words(rec) : BTF_REC_WORDS;
	uint32_t *out = btf_types_add(base, nr);

	memcpy(out, rec, nr * sizeof(*rec));
	/* an ENUM is taken for an ENUM64 as well when it is looked up */
	if (!whole)
		out[BTF_REC_INFO] = btf_info(kind == BTF_ENUM64 ? BTF_ENUM : kind, 0, false);
}

static void copy(struct btf_types *to, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);

	memcpy(btf_types_add(to, nr), rec, nr * sizeof(*rec));
}

/*
 * Where all that is needed is nameless, the base would be empty, and a kernel refuses BTF without
 * types. Its first type that a name finds does no harm: "int", in any kernel.
 */
static struct err *need_one(struct distill *d)
{
	uint32_t first = 0;

	for (uint32_t id = 1; id < d->from->types.first; id++) {
		if (!is_found_by_name(d->from, btf_types_rec(&d->from->types, id)))
			continue;
		if (d->map[id])
			return NULL;
		if (!first)
			first = id;
	}
	if (!first)
		return err_new(ERR_LIMIT, "nothing in the base has a name, and a .BTF.base without "
					  "types is refused");
	d->map[first] = first;
	return NULL;
}

static void make_base(struct distill *d)
{
	struct btf_types *base = &d->to->base;

	btf_types_init(base, NULL);
	for (uint32_t id = 1; id < d->from->types.first; id++) {
		const uint32_t *rec = btf_types_rec(&d->from->types, id);

		if (!d->map[id] || !is_found_by_name(d->from, rec))
			continue;
		d->map[id] = btf_types_end(base);
		add_to_base(base, rec);
	}
}

static void make_split(struct distill *d)
{
	const struct btf_types *from = &d->from->types;
	struct btf_types *split = &d->to->split;

	btf_types_init(split, &d->to->base);
	for (uint32_t id = from->first; id < btf_types_end(from); id++)
		copy(split, btf_types_rec(from, id));
	for (uint32_t id = 1; id < from->first; id++) {
		const uint32_t *rec = btf_types_rec(from, id);

		if (!d->map[id] || is_found_by_name(d->from, rec))
			continue;
		d->map[id] = btf_types_end(split);
		copy(split, rec);
	}
	for (uint32_t id = split->first; id < btf_types_end(split); id++) {
		btf_rec_each_type(btf_types_rec(split, id),
				  p) *p = *p < from->first ? d->map[*p] :
							     *p - from->first + split->first;
	}
}

/* --- strings ------------------------------------------------------------------------ */

/* Lay out the strings that the own records of @t use, over @base_len bytes at @base. */
static struct err *make_strings(const struct btf_view *from, struct btf_types *t, const char *base,
				size_t base_len, char **ret_text, size_t *ret_len)
{
	CLEANUP(str_pool_release) struct str_pool pool;
	CLEANUP(string_index_release) struct string_index in_base = { 0 };
	str_place place = 0;

	str_pool_init(&pool);
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_name(btf_types_rec(t, id), p)
		{
			const char *text = btf_view_str(from, from->base, *p);

			*p = str_pool_add(&pool, text, strlen(text));
			str_pool_use(&pool, *p, place++);
		}
	}
	string_index_add(&in_base, base, (uint32_t)base_len, 0, NULL);
	string_index_find(&in_base, &pool);
	size_t apart;
	TRY(str_pool_layout(&pool, (uint32_t)base_len, ret_text, ret_len, &apart));
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_name(btf_types_rec(t, id),
				  p) *p = *p ? str_pool_at(&pool, *p)->offset : 0;
	}
	return NULL;
}

struct err *distill(const struct btf_view *split, struct distilled *ret)
{
	CLEANUP(distill_release) struct distill d = {
		.from = split,
		.to = ret,
		.map = mem_zalloc(split->types.first, sizeof(d.map[0])),
	};

	assert(split->base);
	TRY(find_needed(&d));
	TRY(need_one(&d));
	make_base(&d);
	make_split(&d);
	TRY(make_strings(split, &ret->base, "", 0, &ret->base_text, &ret->base_len));
	return make_strings(split, &ret->split, ret->base_text, ret->base_len, &ret->split_text,
			    &ret->split_len);
}

void distilled_release(struct distilled *d)
{
	btf_types_release(&d->base);
	btf_types_release(&d->split);
	free(d->base_text);
	free(d->split_text);
	*d = (struct distilled){ 0 };
}
