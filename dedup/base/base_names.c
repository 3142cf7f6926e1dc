/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_names.c - see base_names.h
 *
 * One walk over the base finds the owners of each name, or, if that is for one pool, of the names that the
 * pool has, which are few. Then each definition of the pool is compared with that of the base
 * (base_match.h).
 */
#include "dedup/base/base_names.h"

#include "base/cleanup.h"
#include "dedup/base/base_strings.h"

#include <stdlib.h>

/* --- who has which name --------------------------------------------------------------- */

/* Type @id of the base, @rec, has the name @n. */
static void add_owner(struct base_name *n, const uint32_t *rec, uint32_t id)
{
	if (btf_rec_is_declaration(rec))
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

static void index_type(struct base_names *n, uint32_t name, const uint32_t *rec, uint32_t id)
{
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
		      const struct name_filter *wanted, struct base_names *ret)
{
	ret->strings = strings;
	for (const struct btf_types *t = &base->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++) {
			const uint32_t *rec = t->words.items + t->start.items[i];
			uint32_t name = name_of(strings, rec);

			if (name && (!wanted || name_filter_has(wanted, name)))
				index_type(ret, name, rec, t->first + (uint32_t)i);
		}
	}
}

void base_names_release(struct base_names *n)
{
	free(n->names.items);
	hash_table_release(&n->by_offset);
	*n = (struct base_names){ 0 };
}

/* The definitions of one pool, and the base. */
struct asking {
	struct base_match match;
	const struct base_names *names;
};

/* Index the strings and the names of @base that the pool has. */
static void index_wanted(const struct type_pool *types, struct str_pool *strings,
			 const struct btf_view *base, struct string_index *ret_strings,
			 struct base_names *ret)
{
	CLEANUP(name_filter_release) struct name_filter wanted = { 0 };
	uint32_t end = atomic_load(&types->end);

	base_strings_index(base, strings, ret_strings);
	string_index_find(ret_strings, strings);
	name_filter_init(&wanted, end / 4);
	for (uint32_t id = 1; id < end; id++) {
		pool_ref r = pool_ref_to(type_pool_at(types, id)->rec, id);

		if (pool_ref_is_named(r) && str_pool_at(strings, pool_ref_name(r))->in_base)
			name_filter_add(&wanted, str_pool_at(strings, pool_ref_name(r))->offset);
	}
	base_names_index(base, ret_strings, &wanted, ret);
}

/* The definitions in the base with the name of @r. */
static struct base_name name_in_base(const struct asking *a, pool_ref r)
{
	const struct str_entry *e = str_pool_at(a->match.strings, pool_ref_name(r));
	uint32_t nr = e->in_base ? HASH_FIND(&a->names->by_offset, hash_key32(e->offset), i, true) :
				   0;

	if (!nr)
		return (struct base_name){ 0 };
	return pool_ref_space(r) == POOL_ENUM ? a->names->names.items[nr - 1].enums :
						a->names->names.items[nr - 1].structs;
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
	if (btf_rec_is_declaration(t->rec)) {
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
	CLEANUP(string_index_release) struct string_index own_strings = { 0 };
	CLEANUP(base_names_release) struct base_names own = { 0 };
	uint32_t end = atomic_load(&types->end);

	assert(base);
	if (names)
		string_index_find(names->strings, strings);
	else
		index_wanted(types, strings, base, &own_strings, &own);

	struct asking a = {
		.match = {
			.types = types,
			.strings = strings,
			.base = base,
			.base_strings = names ? names->strings : &own_strings,
			.same = mem_zalloc(end, sizeof(a.match.same[0])),
		},
		.names = names ? names : &own,
	};
	for (uint32_t id = 1; id < end; id++) {
		if (!matches(&a, id))
			vec_push(ret, pool_ref_to(type_pool_at(types, id)->rec, id));
	}
	*ret_same = a.match.same;
	a.match.same = NULL;
	base_match_release(&a.match);
}
