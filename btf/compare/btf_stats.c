/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_stats.c - see btf_stats.h */
#include "btf/compare/btf_stats.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/vec.h"
#include "btf/compare/btf_compare.h"
#include "btf/compare/partition.h"

#include <stdlib.h>

struct counter {
	const struct btf_view *v;
	struct btf_stats *ret;
	uint32_t first, end;
	uint8_t *used;        /* by byte of the own strings */
	uint32_t *owners;     /* by id: to whom it belongs; 0: not known yet */
	struct btf_bytes *of; /* by id: of the type and what belongs to it */
	VEC(uint32_t) stack;
};

static void counter_release(struct counter *c)
{
	FREE_ALL(c->used, c->owners, c->of, c->stack.items);
}

/* --- what belongs to whom ------------------------------------------------------------------ */

static bool has_name(const struct type_graph *g, uint32_t n)
{
	uint32_t name;

	return btf_owner(g, n, &name) != BTF_SPACE_NONE;
}

/* @id owns what it leads to that has no name and no owner yet. */
static void claim(struct counter *c, uint32_t id)
{
	const struct type_graph *g = &c->ret->graph;

	c->owners[id] = id;
	vec_push(&c->stack, id);
	while (c->stack.nr) {
		uint32_t n = c->stack.items[--c->stack.nr];

		for (uint32_t e = g->edge_start[n]; e < g->edge_start[n + 1]; e++) {
			uint32_t to = g->edges[e];

			if (to < c->first || c->owners[to] || has_name(g, to))
				continue;
			c->owners[to] = id;
			vec_push(&c->stack, to);
		}
	}
}

/* A tag belongs to what it is on. */
static void claim_tags(struct counter *c)
{
	const struct type_graph *g = &c->ret->graph;

	for (uint32_t id = c->first; id < c->end; id++) {
		uint32_t on;

		if (type_graph_kind(g, id) != BTF_DECL_TAG)
			continue;
		on = type_graph_edge(g, id, 0);
		if (on >= c->first && c->owners[on])
			c->owners[id] = c->owners[on];
	}
}

static void find_owners(struct counter *c)
{
	for (uint32_t id = c->first; id < c->end; id++) {
		if (has_name(&c->ret->graph, id))
			claim(c, id);
	}
	claim_tags(c);
	for (uint32_t id = c->first; id < c->end; id++) {
		if (!c->owners[id])
			claim(c, id);
	}
}

/* --- bytes --------------------------------------------------------------------------------- */

/* The bytes of the string at @off that no earlier call has counted. */
static uint64_t use_string(struct counter *c, uint32_t off)
{
	const char *text;
	uint64_t fresh = 0;

	if (off < c->v->str_base)
		return 0;
	off -= c->v->str_base;
	text = (const char *)c->v->strings.ptr;
	for (;; off++) {
		fresh += !c->used[off];
		if (c->used[off] || !text[off])
			break; /* who used the rest of a string used its end */
		c->used[off] = 1;
	}
	c->used[off] = 1;
	return fresh;
}

static void add_bytes(struct btf_bytes *to, uint32_t nr, uint64_t records, uint64_t strings)
{
	to->nr += nr;
	to->records += records;
	to->strings += strings;
}

/* In the file. */
static uint64_t record_bytes(const uint32_t *rec)
{
	bool unknown = btf_rec_kind(rec) == BTF_UNKN;

	return (unknown ? btf_unknown_words(rec) : btf_rec_words(rec)) * sizeof(*rec);
}

static void count_records(struct counter *c)
{
	c->of = mem_zalloc(c->end, sizeof(*c->of));
	for (uint32_t id = c->first; id < c->end; id++) {
		uint32_t *rec = btf_types_rec(&c->v->types, id);
		uint64_t strings = 0;
		uint64_t records = record_bytes(rec);

		btf_rec_each_name(rec, name) strings += use_string(c, *name);
		add_bytes(&c->ret->kinds[btf_rec_kind(rec)], 1, records, strings);
		add_bytes(&c->ret->sum, 1, records, strings);
		add_bytes(&c->of[c->owners[id]], 1, records, strings);
	}
}

/* @nr sites have the places @rec. */
static void add_sites(struct btf_site_count *s, const uint32_t *rec, uint64_t nr)
{
	uint32_t params = btf_rec_kind(rec) == BTF_LOC_PROTO ? btf_rec_vlen(rec) : 0, known = 0;

	for (uint32_t i = 0; i < params; i++)
		known += rec[BTF_REC_WORDS + i] != 0;
	s->nr += nr;
	if (!params)
		s->without_params += nr;
	else if (known == params)
		s->all += nr;
	else if (known)
		s->some += nr;
	else
		s->none += nr;
}

static void count_sites(struct counter *c)
{
	const struct btf_types *t = &c->v->types;
	/* by id of the places: a file has far more sites than different ones of these */
	CLEANUP(mem_free) uint32_t *nr = mem_zalloc(c->end, sizeof(*nr));

	for (uint32_t id = c->first; id < c->end; id++) {
		const uint32_t *rec = btf_types_rec(t, id), *site = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) != BTF_LOCSEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS)
			nr[site[BTF_SITE_PROTO]]++;
	}
	for (uint32_t id = 1; id < c->end; id++) {
		if (nr[id])
			add_sites(&c->ret->sites, btf_types_rec(t, id), nr[id]);
	}
}

/* Strings without a reference, and strings that repeat an earlier one. */
static void count_strings(struct counter *c)
{
	CLEANUP(hash_table_release) struct hash_table seen = { 0 }; /* offsets, plus one */
	const char *text = (const char *)c->v->strings.ptr;
	size_t len = c->v->strings.len;

	for (size_t i = 0; i < len; i++)
		c->ret->unused += !c->used[i];
	for (size_t at = 0, size; at < len; at += size) {
		size = strlen(text + at) + 1;

		uint64_t hash = hash_bytes(text + at, size);
		if (!HASH_FIND(&seen, hash, i, !strcmp(text + i - 1, text + at)))
			hash_table_add(&seen, hash, (uint32_t)at + 1);
		else if (c->used[at])
			c->ret->repeated += size;
	}
}

/* --- copies -------------------------------------------------------------------------------- */

static void count_copies(struct counter *c)
{
	const struct type_graph *g = &c->ret->graph;
	const struct partition_graph graph = type_graph_partition(g);
	CLEANUP(mem_free) uint32_t *classes = mem_alloc(g->nr * sizeof(*classes));
	/* by the first of them */
	CLEANUP(mem_free) struct btf_bytes *copies = mem_zalloc(g->nr, sizeof(*copies));
	uint32_t nr = partition_refine(&graph, classes);
	CLEANUP(mem_free) uint32_t *before = mem_zalloc(nr, sizeof(*before));

	for (uint32_t id = 1; id < g->nr; id++) {
		uint32_t *one = &before[classes[id]];

		if (!*one) {
			*one = id;
		} else if (id >= c->first) {
			uint64_t bytes = record_bytes(btf_types_rec(&c->v->types, id));

			add_bytes(*one < c->first ? &c->ret->copies_of_base : &c->ret->copies, 1,
				  bytes, 0);
			add_bytes(&copies[*one], 1, bytes, 0);
		}
	}
	for (uint32_t id = 1; id < g->nr; id++) {
		if (copies[id].nr && has_name(g, id))
			vec_push(&c->ret->copied, ((struct btf_consumer){ id, copies[id] }));
	}
}

/* --- who takes most ------------------------------------------------------------------------ */

static int compare_consumers(const void *a, const void *b)
{
	const struct btf_consumer *x = a, *y = b;
	uint64_t m = btf_bytes_sum(&x->bytes), n = btf_bytes_sum(&y->bytes);

	if (m != n)
		return m > n ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static int by_name(const void *a, const void *b)
{
	const struct btf_prefix *x = a, *y = b;
	int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int by_bytes(const void *a, const void *b)
{
	const struct btf_prefix *x = a, *y = b;
	uint64_t m = btf_bytes_sum(&x->bytes), n = btf_bytes_sum(&y->bytes);

	if (m != n)
		return m > n ? -1 : 1;
	return by_name(a, b);
}

/* "__" and the like in front of a name do not count as an end. */
static size_t prefix_len(const char *name)
{
	size_t begin = strspn(name, "_"), len = begin + strcspn(name + begin, "_");

	return name[len] ? len + 1 : 0;
}

static void count_prefixes(struct counter *c)
{
	struct btf_stats *s = c->ret;
	size_t nr = 0;

	for (size_t i = 0; i < s->consumers.nr; i++) {
		const struct btf_consumer *one = &s->consumers.items[i];
		uint32_t name = 0;

		btf_owner(&s->graph, one->id, &name);
		const char *text = s->graph.names[name];
		vec_push(&s->prefixes, ((struct btf_prefix){ text, prefix_len(text), one->bytes }));
	}
	if (!s->prefixes.nr)
		return;
	qsort(s->prefixes.items, s->prefixes.nr, sizeof(s->prefixes.items[0]), by_name);
	for (size_t i = 1; i < s->prefixes.nr; i++) {
		struct btf_prefix *last = &s->prefixes.items[nr], *one = &s->prefixes.items[i];

		if (by_name(last, one) == 0)
			add_bytes(&last->bytes, one->bytes.nr, one->bytes.records,
				  one->bytes.strings);
		else
			s->prefixes.items[++nr] = *one;
	}
	s->prefixes.nr = nr + 1;
	qsort(s->prefixes.items, s->prefixes.nr, sizeof(s->prefixes.items[0]), by_bytes);
}

static void find_consumers(struct counter *c)
{
	struct btf_stats *s = c->ret;

	for (uint32_t id = c->first; id < c->end; id++) {
		if (c->of[id].nr)
			vec_push(&s->consumers, ((struct btf_consumer){ id, c->of[id] }));
	}
	vec_sort(&s->consumers, compare_consumers);
	vec_sort(&s->copied, compare_consumers);
}

struct err *btf_stats_count(const struct btf_view *v, struct btf_stats *ret)
{
	CLEANUP(counter_release) struct counter c = {
		.v = v,
		.ret = ret,
		.first = v->types.first,
		.end = btf_types_end(&v->types),
		.used = mem_zalloc(v->strings.len, 1),
		.owners = mem_zalloc(btf_types_end(&v->types), sizeof(uint32_t)),
	};

	ret->bytes = v->size;
	ret->strings = v->strings.len;
	TRY(type_graph_make(v, v, &ret->graph));
	find_owners(&c);
	if (v->strings.len && !v->str_base)
		c.used[0] = 1; /* the empty name is everybody's */
	count_records(&c);
	count_sites(&c);
	count_strings(&c);
	count_copies(&c);
	find_consumers(&c);
	count_prefixes(&c);
	return NULL;
}

static void add_all(struct btf_bytes *to, const struct btf_bytes *b)
{
	add_bytes(to, b->nr, b->records, b->strings);
}

void btf_stats_add(struct btf_stats *to, const struct btf_stats *one)
{
	to->bytes += one->bytes;
	to->strings += one->strings;
	for (size_t kind = 0; kind < BTF_NR_KINDS; kind++)
		add_all(&to->kinds[kind], &one->kinds[kind]);
	add_all(&to->sum, &one->sum);
	add_all(&to->copies, &one->copies);
	add_all(&to->copies_of_base, &one->copies_of_base);
	to->unused += one->unused;
	to->repeated += one->repeated;
	to->sites.nr += one->sites.nr;
	to->sites.all += one->sites.all;
	to->sites.some += one->sites.some;
	to->sites.none += one->sites.none;
	to->sites.without_params += one->sites.without_params;
}

void btf_stats_release(struct btf_stats *s)
{
	type_graph_release(&s->graph);
	FREE_ALL(s->consumers.items, s->copied.items, s->prefixes.items);
	*s = (struct btf_stats){ 0 };
}
