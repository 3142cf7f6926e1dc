/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_names.c - see base_names.h
 *
 * One walk over the base finds who has each name, or, if that is for one pool, each name that the
 * pool knows, which are few. Then each definition of the pool is held against that of the base,
 * word for word: where one says a type by its name, the other must lead to one of that name, and
 * where it has none, both are compared further down.
 */
#include "dedup/base_names.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "dedup/prefix_filter.h"

#include <stdlib.h>

struct agreeing {
	const struct type_pool *types;
	struct str_pool *strings;
	const struct btf_view *base;
	const struct base_names *index; /* or NULL, then: */
	struct prefix_filter asked;     /* the names that the pool has */
	struct base_name *names[2];     /* by string id, of structs and unions, of enums */
	uint32_t *same; /* by pool id: a type of the base that says the same; 0: not known */
	/* what is assumed to be so while a definition is compared; @done of them have been */
	struct {
		struct assumed {
			uint32_t id, base;
		} * items;
		size_t nr, cap, done;
	} assumed;
};

static void agreeing_release(struct agreeing *a)
{
	free(a->asked.words);
	free(a->names[0]);
	free(a->names[1]);
	free(a->assumed.items);
}

static const uint32_t *base_rec(const struct agreeing *a, uint32_t id)
{
	return btf_types_rec(&a->base->types, id);
}

static const char *text_at(const struct btf_view *base, uint32_t off)
{
	return btf_view_str(base, base->base, off);
}

static bool is_declaration(const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	return kind == BTF_FWD ||
	       ((kind == BTF_ENUM || kind == BTF_ENUM64) && !btf_info_vlen(rec[BTF_REC_INFO]));
}

/* --- who has which name --------------------------------------------------------------- */

/* Type @id of the base, @rec, has the name @n. */
static void add_owner(struct base_name *n, const uint32_t *rec, uint32_t id)
{
	if (is_declaration(rec))
		n->declared = true;
	else if (n->def)
		n->crowded = true;
	else
		n->def = id;
}

/* The slot of the name at @offset, or a free one, in which there is nothing. */
static struct base_names_slot *slot_of(const struct base_names *n, uint32_t offset)
{
	size_t i = hash_mix(offset, 0) & n->mask;

	while (n->slots[i].offset && n->slots[i].offset != offset)
		i = (i + 1) & n->mask;
	return &n->slots[i];
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

	struct base_names_slot *s = slot_of(n, name);
	s->offset = name;
	add_owner(pool_ref_space(pool_ref_to(rec, 0)) == POOL_ENUM ? &s->enums : &s->structs, rec,
		  id);
}

void base_names_index(const struct btf_view *base, const struct string_index *strings,
		      struct base_names *ret)
{
	size_t nr = 0, slots = 64;

	for (const struct btf_types *t = &base->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++)
			nr += pool_ref_is_named(pool_ref_to(t->words.items + t->start.items[i], 0));
	}
	while (slots < nr * 2)
		slots *= 2;
	ret->strings = strings;
	ret->slots = mem_zalloc(slots, sizeof(ret->slots[0]));
	ret->mask = slots - 1;
	for (const struct btf_types *t = &base->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++)
			index_type(ret, t->words.items + t->start.items[i], t->first + (uint32_t)i);
	}
}

void base_names_release(struct base_names *n)
{
	free(n->slots);
	*n = (struct base_names){ 0 };
}

static void list_asked(struct agreeing *a, uint32_t end)
{
	prefix_filter_init(&a->asked, end / 4);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = type_pool_at(a->types, id)->rec;

		if (pool_ref_is_named(pool_ref_to(rec, id))) {
			const struct str_entry *e = str_pool_at(a->strings, rec[BTF_REC_NAME]);

			prefix_filter_add(&a->asked, e->text, e->len);
		}
	}
}

/* What the pool calls the string at @off of the base, if it asks for it; else 0. */
static uint32_t asked_name(const struct agreeing *a, uint32_t off)
{
	const struct btf_view *v = a->base;
	uint64_t start;
	size_t at;

	while (off < v->str_base)
		v = v->base;
	at = off - v->str_base;
	start = load_start((const char *)v->strings.ptr + at, v->strings.len - at);
	if (likely(!prefix_filter_has(&a->asked, up_to_zero(start, zero_bytes(start)))))
		return 0;
	return str_pool_find(a->strings, (const char *)v->strings.ptr + at,
			     strlen((const char *)v->strings.ptr + at));
}

static void find_owners(struct agreeing *a, const struct btf_types *t)
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

static void find_asked(struct agreeing *a, uint32_t end)
{
	size_t nr_names = atomic_load(&a->strings->end);

	for (size_t i = 0; i < ARRAY_SIZE(a->names); i++)
		a->names[i] = mem_zalloc(nr_names, sizeof(a->names[i][0]));
	list_asked(a, end);
	for (const struct btf_types *t = &a->base->types; t; t = t->base)
		find_owners(a, t);
}

/* What the base has under the name of @r. */
static struct base_name name_in_base(const struct agreeing *a, pool_ref r)
{
	bool is_enum = pool_ref_space(r) == POOL_ENUM;

	if (!a->index)
		return a->names[is_enum][pool_ref_name(r)];

	const struct str_entry *e = str_pool_at(a->strings, pool_ref_name(r));
	if (!e->in_base)
		return (struct base_name){ 0 };

	const struct base_names_slot *s = slot_of(a->index, e->offset);
	return is_enum ? s->enums : s->structs;
}

/* --- do they say the same? -------------------------------------------------------------- */

static bool same_text(const struct agreeing *a, uint32_t name, uint32_t off)
{
	return !strcmp(str_pool_text(a->strings, name), text_at(a->base, off));
}

static bool same_name(const struct agreeing *a, uint32_t name, uint32_t off)
{
	if (!name && !off)
		return true;
	if (!name || !a->index)
		return same_text(a, name, off);

	const struct str_entry *e = str_pool_at(a->strings, name);
	if (!e->in_base)
		return false;
	return e->offset == off || (a->index->strings->repeats && same_text(a, name, off));
}

/* A base may have one type twice and lead to both in turn; then it does not agree. */
enum { MAX_ASSUMED = 65536 };

/* What has no name is compared later, and the same until then. */
static bool same_ref(struct agreeing *a, pool_ref r, uint32_t base)
{
	if (!r || !base)
		return !r && !base;
	if (!pool_ref_is_named(r)) {
		if (a->same[r] != base) {
			a->same[r] = base;
			vec_push(&a->assumed, ((struct assumed){ r, base }));
		}
		return a->assumed.nr < MAX_ASSUMED;
	}

	const uint32_t *rec = base_rec(a, base);
	pool_ref there = pool_ref_to(rec, 0);
	return pool_ref_is_named(there) && pool_ref_space(there) == pool_ref_space(r) &&
	       same_name(a, pool_ref_name(r), rec[BTF_REC_NAME]);
}

/* The index type of arrays: "int", as everybody has it. */
static bool is_index(const struct agreeing *a, uint32_t base)
{
	const uint32_t *rec = base ? base_rec(a, base) : NULL;

	return rec && btf_info_kind(rec[BTF_REC_INFO]) == BTF_INT && rec[BTF_REC_SIZE_TYPE] == 4 &&
	       !strcmp(text_at(a->base, rec[BTF_REC_NAME]), "int");
}

static bool same_elements(struct agreeing *a, const struct btf_kind_layout *l, const uint32_t *rec,
			  const uint32_t *theirs, uint32_t vlen)
{
	for (uint32_t i = 0; i < vlen; i++, rec += l->elem, theirs += l->elem) {
		for (int w = 0; w < l->elem; w++) {
			bool same = w == l->elem_name ? same_name(a, rec[w], theirs[w]) :
				    w == l->elem_type ? same_ref(a, rec[w], theirs[w]) :
							rec[w] == theirs[w];

			if (!same)
				return false;
		}
	}
	return true;
}

static bool same_record(struct agreeing *a, const uint32_t *rec, const uint32_t *theirs)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]), vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	const struct btf_kind_layout *l = btf_kind_layout(kind);

	if (!l || rec[BTF_REC_INFO] != theirs[BTF_REC_INFO] ||
	    !same_name(a, rec[BTF_REC_NAME], theirs[BTF_REC_NAME]))
		return false;
	if (l->main_is_type ? !same_ref(a, rec[BTF_REC_SIZE_TYPE], theirs[BTF_REC_SIZE_TYPE]) :
			      rec[BTF_REC_SIZE_TYPE] != theirs[BTF_REC_SIZE_TYPE])
		return false;
	rec += BTF_REC_WORDS;
	theirs += BTF_REC_WORDS;
	if (kind == BTF_ARRAY)
		return rec[2] == theirs[2] && is_index(a, theirs[1]) &&
		       same_ref(a, rec[0], theirs[0]);
	for (uint32_t i = 0; i < l->fixed; i++) {
		if (rec[i] != theirs[i])
			return false;
	}
	return same_elements(a, l, rec + l->fixed, theirs + l->fixed, vlen);
}

/* Hold type @id of the pool against type @base, and whatever both lead to without a name. */
static bool same_type(struct agreeing *a, uint32_t id, uint32_t base)
{
	bool same = same_ref(a, id, base);

	for (; same && a->assumed.done < a->assumed.nr; a->assumed.done++) {
		struct assumed next = a->assumed.items[a->assumed.done];

		same = same_record(a, type_pool_at(a->types, next.id)->rec, base_rec(a, next.base));
	}
	for (size_t i = 0; !same && i < a->assumed.nr; i++)
		a->same[a->assumed.items[i].id] = 0;
	a->assumed.nr = a->assumed.done = 0;
	return same;
}

/* ------------------------------------------------------------------------------------- */

/* Is what type @id means by its name what the base means by it? */
static bool agrees(struct agreeing *a, uint32_t id)
{
	const struct pool_type *t = type_pool_at(a->types, id);
	pool_ref r = pool_ref_to(t->rec, id);
	struct base_name n;

	if (!pool_ref_is_named(r) || !atomic_load_explicit(&t->unplaced, memory_order_relaxed))
		return true;
	n = name_in_base(a, r);
	if (n.crowded || (n.def && n.declared))
		return false;
	if (is_declaration(t->rec)) {
		if (n.def &&
		    pool_ref_space(pool_ref_to(base_rec(a, n.def), 0)) == pool_ref_space(r))
			a->same[id] = n.def;
		return true;
	}
	return n.def ? same_type(a, id, n.def) : !n.declared;
}

void base_other_names(const struct type_pool *types, struct str_pool *strings,
		      const struct btf_view *base, const struct base_names *names,
		      struct pool_names *ret, uint32_t **ret_same)
{
	uint32_t end = atomic_load(&types->end);
	CLEANUP(agreeing_release)
	struct agreeing a = {
		.types = types,
		.strings = strings,
		.base = base,
		.index = names,
		.same = mem_zalloc(end, sizeof(a.same[0])),
	};

	if (names)
		string_index_find(names->strings, strings);
	else
		find_asked(&a, end);
	for (uint32_t id = 1; id < end; id++) {
		if (!agrees(&a, id))
			vec_push(ret, pool_ref_to(type_pool_at(types, id)->rec, id));
	}
	*ret_same = a.same;
}
