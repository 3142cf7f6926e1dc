/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_graph.c - see type_graph.h
 *
 * Both BTFs are a row of views, each of which has those before it as its base. The views become parts:
 * those of the first, then those of the second that the first does not have at the same height.
 */
#include "btf/compare/type_graph.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/vec.h"

#include <stdlib.h>

struct part {
	const struct btf_view *view;
	size_t below;      /* index of the part that is its base, plus one; 0: none */
	bool second;       /* one of the second BTF's */
	uint32_t *numbers; /* by offset in its own strings: a name's number, plus one */
};

/* A DECL_TAG, which is also a part of what its target says. */
struct tag {
	uint32_t target;
	uint32_t words[TAG_WORDS];
};

struct builder {
	struct type_graph *g;
	VEC(struct part) parts;
	struct name_ids names; /* numbers, plus one */
	VEC(struct tag) tags;
};

static void builder_release(struct builder *b)
{
	for (size_t i = 0; i < b->parts.nr; i++)
		free(b->parts.items[i].numbers);
	free(b->parts.items);
	name_ids_release(&b->names);
	free(b->tags.items);
}

/* --- names ------------------------------------------------------------------------------ */

/* The number of the name at @off, as part @p sees offsets. */
static uint32_t name_number(struct builder *b, const struct part *p, uint32_t off)
{
	while (off < p->view->str_base)
		p = &b->parts.items[p->below - 1];

	uint32_t *known = &p->numbers[off - p->view->str_base];
	if (unlikely(!*known))
		*known = name_ids_add(&b->names, (const char *)p->view->strings.ptr +
							 (off - p->view->str_base));
	return *known - 1;
}

/* --- parts ------------------------------------------------------------------------------ */

static bool same_view(const struct btf_view *a, const struct btf_view *b)
{
	const struct btf_types *s = &a->types, *t = &b->types;

	if (a == b)
		return true;
	return s->words.nr == t->words.nr && a->strings.len == b->strings.len &&
	       (!s->words.nr ||
		!memcmp(s->words.items, t->words.items, s->words.nr * sizeof(uint32_t))) &&
	       (!a->strings.len || !memcmp(a->strings.ptr, b->strings.ptr, a->strings.len));
}

/* The view of @v's row that has @height others below it. */
static const struct btf_view *view_at(const struct btf_view *v, size_t height)
{
	size_t nr = 0;

	for (const struct btf_view *w = v->base; w; w = w->base)
		nr++;
	for (; nr > height; nr--)
		v = v->base;
	return v;
}

static size_t count_views(const struct btf_view *v)
{
	size_t nr = 0;

	for (; v; v = v->base)
		nr++;
	return nr;
}

static void add_part(struct builder *b, const struct btf_view *v, size_t below, bool second)
{
	vec_push(&b->parts, ((struct part){
				    .view = v,
				    .below = below,
				    .second = second,
				    .numbers = mem_zalloc(v->strings.len, sizeof(uint32_t)),
			    }));
}

static void find_parts(struct builder *b, const struct btf_view *first,
		       const struct btf_view *second)
{
	size_t nr_a = count_views(first), nr_b = count_views(second), same = 0;
	struct type_graph *g = b->g;

	for (size_t i = 0; i < nr_a; i++)
		add_part(b, view_at(first, i), i, false);
	while (same < nr_a && same < nr_b && same_view(view_at(first, same), view_at(second, same)))
		same++;
	for (size_t i = same; i < nr_b; i++)
		add_part(b, view_at(second, i), i > same ? b->parts.nr : same, true);
	g->end_a = btf_types_end(&first->types);
	g->shared = same ? btf_types_end(&view_at(first, same - 1)->types) : 1;
	g->shift = g->end_a - g->shared;
}

/* --- nodes ------------------------------------------------------------------------------ */

static uint32_t node_of(const struct type_graph *g, const struct part *p, uint32_t id)
{
	return p->second ? type_graph_node_b(g, id) : id;
}

static void find_tags(struct builder *b, const struct part *p)
{
	const struct btf_types *t = &p->view->types;
	uint32_t n = node_of(b->g, p, t->first);

	for (uint32_t id = t->first; id < btf_types_end(t); id++, n++) {
		const uint32_t *rec = btf_types_rec(t, id);
		struct tag tag;

		if (btf_rec_kind(rec) != BTF_DECL_TAG)
			continue;
		tag = (struct tag){
			.target = node_of(b->g, p, rec[BTF_REC_SIZE_TYPE]),
			.words = { [TAG_COMPONENT] = rec[BTF_REC_WORDS],
				   [TAG_NAME] = name_number(b, p, rec[BTF_REC_NAME]),
				   [TAG_INFO] = rec[BTF_REC_INFO] },
		};
		if (type_graph_tag_is_attached(b->g, n, tag.target))
			vec_push(&b->tags, tag);
	}
}

int type_graph_compare_tags(const uint32_t *a, const uint32_t *b)
{
	for (size_t i = 0; i < TAG_WORDS; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static int compare_tags(const void *a, const void *b)
{
	const struct tag *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return type_graph_compare_tags(x->words, y->words);
}

/* How long is everything? Leaves the length of node n in [n + 1] of the arrays of starts. */
static struct err *measure(struct builder *b)
{
	struct type_graph *g = b->g;
	uint64_t words = 0;

	for (size_t i = 0; i < b->parts.nr; i++)
		words += b->parts.items[i].view->types.words.nr;
	if (words + TAG_WORDS * (uint64_t)b->tags.nr > UINT32_MAX)
		return err_new(ERR_LIMIT, "more than 16 GiB of types");
	for (size_t i = 0; i < b->parts.nr; i++) {
		const struct part *p = &b->parts.items[i];
		const struct btf_types *t = &p->view->types;
		uint32_t n = node_of(g, p, t->first);

		for (uint32_t id = t->first; id < btf_types_end(t); id++, n++) {
			const uint32_t *rec = btf_types_rec(t, id);

			g->word_start[n + 1] = (uint32_t)btf_rec_words(rec);
			g->edge_start[n + 1] = btf_rec_refs(rec).left;
		}
	}
	for (size_t i = 0; i < b->tags.nr; i++)
		g->word_start[b->tags.items[i].target + 1] += TAG_WORDS;
	return NULL;
}

static void sum_up(uint32_t *starts, uint32_t nr)
{
	for (uint32_t n = 0; n < nr; n++)
		starts[n + 1] += starts[n];
}

/* The record @rec of part @p, to @words and @edges. */
static void put_record(struct builder *b, const struct part *p, const uint32_t *rec,
		       uint32_t *words, uint32_t *edges)
{
	memcpy(words, rec, btf_rec_words(rec) * sizeof(*words));
	if (btf_ctype(btf_rec_kind(rec)) == BTF_C_FORWARD)
		words[BTF_REC_SIZE_TYPE] = 0;
	btf_rec_each_name(words, name) *name = name_number(b, p, *name);
	btf_rec_each_type(words, type)
	{
		*edges++ = node_of(b->g, p, *type);
		*type = 0;
	}
}

static void put_part(struct builder *b, const struct part *p)
{
	const struct btf_types *t = &p->view->types;
	struct type_graph *g = b->g;
	uint32_t n = node_of(g, p, t->first);

	for (uint32_t id = t->first; id < btf_types_end(t); id++, n++)
		put_record(b, p, btf_types_rec(t, id), g->words + g->word_start[n],
			   g->edges + g->edge_start[n]);
}

/* Behind the words of their target's record; they are in order. */
static void put_tags(struct builder *b)
{
	struct type_graph *g = b->g;
	size_t behind = 0;

	for (size_t i = 0; i < b->tags.nr; i++) {
		const struct tag *tag = &b->tags.items[i];
		uint32_t *words = g->words + g->word_start[tag->target];

		behind = i && tag[-1].target == tag->target ? behind + TAG_WORDS :
							      btf_rec_words(words);
		memcpy(words + behind, tag->words, sizeof(tag->words));
	}
}

static bool same_words(const struct type_graph *g, uint32_t n, const uint32_t *words, uint32_t nr)
{
	return g->word_start[n + 1] - g->word_start[n] == nr &&
	       (!nr || !memcmp(type_graph_words(g, n), words, nr * sizeof(*words)));
}

static void make_labels(struct type_graph *g)
{
	CLEANUP(hash_table_release) struct hash_table t = { 0 };

	g->labels = mem_alloc(g->nr * sizeof(*g->labels));
	for (uint32_t n = 0; n < g->nr; n++) {
		const uint32_t *words = type_graph_words(g, n);
		uint32_t nr = g->word_start[n + 1] - g->word_start[n];
		uint64_t hash = hash_words(words, nr);
		/* the first node, plus one, with these words */
		uint32_t first = HASH_FIND(&t, hash, f, same_words(g, f - 1, words, nr));

		g->labels[n] = first ? g->labels[first - 1] : g->nr_labels++;
		if (!first)
			hash_table_add(&t, hash, n + 1);
	}
}

static void keep_names(struct builder *b)
{
	struct type_graph *g = b->g;

	g->nr_names = (uint32_t)b->names.names.nr;
	g->names = TAKE(b->names.names.items);
}

struct err *type_graph_make(const struct btf_view *first, const struct btf_view *second,
			    struct type_graph *ret)
{
	static const char none[8]; /* cppcheck takes the length of "" for any */
	CLEANUP(builder_release) struct builder b = { .g = ret };

	find_parts(&b, first, second);
	if ((uint64_t)ret->end_a + btf_types_end(&second->types) > UINT32_MAX)
		return err_new(ERR_LIMIT, "more types than ids");
	ret->nr = btf_types_end(&second->types) + ret->shift;
	name_ids_add(&b.names, none);
	for (size_t i = 0; i < b.parts.nr; i++)
		find_tags(&b, &b.parts.items[i]);
	vec_sort(&b.tags, compare_tags);

	ret->word_start = mem_zalloc(ret->nr + 1, sizeof(*ret->word_start));
	ret->edge_start = mem_zalloc(ret->nr + 1, sizeof(*ret->edge_start));
	TRY(measure(&b));
	sum_up(ret->word_start, ret->nr);
	sum_up(ret->edge_start, ret->nr);
	ret->words = mem_alloc(ret->word_start[ret->nr] * sizeof(*ret->words));
	ret->edges = mem_alloc(ret->edge_start[ret->nr] * sizeof(*ret->edges));
	for (size_t i = 0; i < b.parts.nr; i++)
		put_part(&b, &b.parts.items[i]);
	put_tags(&b);
	keep_names(&b);
	make_labels(ret);
	return NULL;
}

void type_graph_release(struct type_graph *g)
{
	FREE_ALL(g->words, g->word_start, g->edges, g->edge_start, g->labels, g->names);
	*g = (struct type_graph){ 0 };
}
