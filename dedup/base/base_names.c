/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_names.c - see base_names.h
 *
 * One walk over the base finds who has each name, or, if that is for one pool, each name that the
 * pool knows, which are few. Then each definition of the pool is compared with that of the base
 * (base_match.h).
 */
#include "dedup/base/base_names.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "dedup/pool/bloom_filter.h"

#include <stdlib.h>

struct asking {
	struct base_match match;
	struct str_pool *strings;
	const struct base_names *index;  /* or NULL, then: */
	struct bloom_filter names_asked; /* the names that the pool has */
	struct base_name *names[2];      /* by string id, of structs and unions, of enums */
};

static void asking_release(struct asking *a)
{
	base_match_release(&a->match);
	FREE_ALL(a->names_asked.words, a->names[0], a->names[1]);
}

static bool is_declaration(const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	return kind == BTF_FWD || (btf_kind_is_enum(kind) && !btf_info_vlen(rec[BTF_REC_INFO]));
}

/* --- who has which name --------------------------------------------------------------- */

/* Type @id of the base, @rec, has the name @n. */
static void add_owner(struct base_name *n, const uint32_t *rec, uint32_t id)
{
	if (is_declaration(rec))
		n->declared = true;
	else if (n->def)
		n->multiply_defined = true;
	else
		n->def = id;
}

/* Where the name of @rec is first; 0 if it has none that the pools go by. */
static uint32_t name_of(const struct string_index *strings, const uint32_t *rec)
{
	if (!pool_ref_is_named(pool_ref_to(rec, 0)))
		return 0;
	return strings->repeats ? string_index_first(strings, rec[BTF_REC_NAME]) :
				  rec[BTF_REC_NAME];
}

static void index_type(struct base_names *n, const uint32_t *rec, uint32_t id)
{
	uint32_t name = name_of(n->strings, rec);

	if (!name)
		return;

	uint32_t nr = HASH_FIND(&n->by_offset, hash_key32(name), i, true);
	if (!nr) {
		vec_push(&n->names, (struct base_named){ 0 });
		nr = (uint32_t)n->names.nr;
		hash_table_add(&n->by_offset, hash_key32(name), nr);
	}
	struct base_named *b = &n->names.items[nr - 1];
	add_owner(pool_ref_space(pool_ref_to(rec, 0)) == POOL_ENUM ? &b->enums : &b->structs, rec,
		  id);
}

void base_names_index(const struct btf_view *base, const struct string_index *strings,
		      struct base_names *ret)
{
	ret->strings = strings;
	for (const struct btf_types *t = &base->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++) {
			const uint32_t *rec = t->words.items + t->start.items[i];

			index_type(ret, rec, t->first + (uint32_t)i);
		}
	}
}

void base_names_release(struct base_names *n)
{
	free(n->names.items);
	hash_table_release(&n->by_offset);
	*n = (struct base_names){ 0 };
}

static void list_asked(struct asking *a, uint32_t end)
{
	bloom_filter_init(&a->names_asked, end / 4);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = type_pool_at(a->match.types, id)->rec;

		if (pool_ref_is_named(pool_ref_to(rec, id))) {
			const struct str_entry *e = str_pool_at(a->strings, rec[BTF_REC_NAME]);

			bloom_filter_add(&a->names_asked, e->text, e->len);
		}
	}
}

/* The id in the pool of the string at @off of the base, if the pool asks for it; else 0. */
static uint32_t asked_name(const struct asking *a, uint32_t off)
{
	const struct btf_view *v = a->match.base;
	uint64_t start;
	size_t at;

	while (off < v->str_base)
		v = v->base;
	at = off - v->str_base;
	start = load_start((const char *)v->strings.ptr + at, v->strings.len - at);
	if (likely(!bloom_filter_has(&a->names_asked, up_to_zero(start, zero_bytes(start)))))
		return 0;
	return str_pool_find(a->strings, (const char *)v->strings.ptr + at,
			     strlen((const char *)v->strings.ptr + at));
}

static void find_owners(struct asking *a, const struct btf_types *t)
{
	for (size_t i = 0; i < t->start.nr; i++) {
		const uint32_t *rec = t->words.items + t->start.items[i];
		pool_ref r = pool_ref_to(rec, 0);

		uint32_t name = pool_ref_is_named(r) ? asked_name(a, rec[BTF_REC_NAME]) : 0;

		if (unlikely(name))
			add_owner(&a->names[pool_ref_space(r) == POOL_ENUM][name], rec,
				  t->first + (uint32_t)i);
	}
}

static void find_asked(struct asking *a, uint32_t end)
{
	size_t nr_names = atomic_load(&a->strings->end);

	for (size_t i = 0; i < ARRAY_SIZE(a->names); i++)
		a->names[i] = mem_zalloc(nr_names, sizeof(a->names[i][0]));
	list_asked(a, end);
	for (const struct btf_types *t = &a->match.base->types; t; t = t->base)
		find_owners(a, t);
}

/* The definitions in the base with the name of @r. */
static struct base_name name_in_base(const struct asking *a, pool_ref r)
{
	bool is_enum = pool_ref_space(r) == POOL_ENUM;

	if (!a->index)
		return a->names[is_enum][pool_ref_name(r)];

	const struct str_entry *e = str_pool_at(a->strings, pool_ref_name(r));
	if (!e->in_base)
		return (struct base_name){ 0 };

	uint32_t nr = HASH_FIND(&a->index->by_offset, hash_key32(e->offset), i, true);
	if (!nr)
		return (struct base_name){ 0 };
	return is_enum ? a->index->names.items[nr - 1].enums :
			 a->index->names.items[nr - 1].structs;
}

/* ------------------------------------------------------------------------------------- */

/* Is what type @id means by its name what the base means by it? */
static bool matches(struct asking *a, uint32_t id)
{
	const struct pool_type *t = type_pool_at(a->match.types, id);
	pool_ref r = pool_ref_to(t->rec, id);
	struct base_name n;

	if (!pool_ref_is_named(r) || !atomic_load_explicit(&t->inv_first_use, memory_order_relaxed))
		return true;
	n = name_in_base(a, r);
	if (n.multiply_defined || (n.def && n.declared))
		return false;
	if (is_declaration(t->rec)) {
		const uint32_t *def = n.def ? base_match_rec(&a->match, n.def) : NULL;

		if (def && pool_ref_space(pool_ref_to(def, 0)) == pool_ref_space(r))
			a->match.same[id] = n.def;
		return true;
	}
	return n.def ? base_match_types(&a->match, id, n.def) : !n.declared;
}

void find_base_conflicts(const struct type_pool *types, struct str_pool *strings,
			 const struct btf_view *base, const struct base_names *names,
			 struct pool_ref_list *ret, uint32_t **ret_same)
{
	uint32_t end = atomic_load(&types->end);
	CLEANUP(asking_release)
	struct asking a = {
		.match = {
			.types = types,
			.strings = strings,
			.base = base,
			.base_strings = names ? names->strings : NULL,
			.same = mem_zalloc(end, sizeof(a.match.same[0])),
		},
		.strings = strings,
		.index = names,
	};

	if (names)
		string_index_find(names->strings, strings);
	else
		find_asked(&a, end);
	for (uint32_t id = 1; id < end; id++) {
		if (!matches(&a, id))
			vec_push(ret, pool_ref_to(type_pool_at(types, id)->rec, id));
	}
	*ret_same = a.match.same;
	a.match.same = NULL;
}
