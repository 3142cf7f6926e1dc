/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_core.c - see btf_core.h
 *
 * The rules are those of libbpf (bpf_core_fields_are_compat() and __bpf_core_types_are_compat()). Typedefs and
 * qualifiers do not count. libbpf relocates offsets, values of enumerators and lengths of arrays. It adjusts a load to
 * another size only if both types are unsigned integers. It accepts any other pointer as well. But a program that
 * follows the pointer then reads another type, so the types behind it are compared by name.
 */
#include "btf/compare/btf_core.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/*
 * How many qualifiers and typedefs are followed, and how many types inside of one another; a struct counts as
 * several. Larger structs without a name are taken for different ones.
 */
enum { LINKS_MAX = 64, DEPTH_MAX = 8, DEPTH_OF_STRUCT = 4, MEMBERS_MAX = 64 };

/* --- what is defined --------------------------------------------------------------------- */

/* The name space of what a program finds by its name; BTF_SPACE_NONE for other records. */
static enum btf_space defined_space(const uint32_t *rec)
{
	enum btf_space space = btf_rec_space(rec);

	if (!rec[BTF_REC_NAME] || btf_rec_is_declaration(rec))
		return BTF_SPACE_NONE;
	return space == BTF_SPACE_ENUM || space == BTF_SPACE_STRUCT || space == BTF_SPACE_UNION ||
			       space == BTF_SPACE_TYPEDEF || space == BTF_SPACE_FUNC ||
			       space == BTF_SPACE_VAR ?
		       space :
		       BTF_SPACE_NONE;
}

void btf_defined_find(const struct btf_view *v, struct btf_defined *ret)
{
	ret->view = v;
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (defined_space(rec) != BTF_SPACE_NONE)
			hash_table_add(&ret->by_name,
				       hash_string(btf_view_str(v, v->base, rec[BTF_REC_NAME])),
				       id);
	}
}

void btf_defined_release(struct btf_defined *d)
{
	hash_table_release(&d->by_name);
}

static bool is_same(const struct btf_defined *d, uint32_t id, enum btf_space space,
		    const char *name)
{
	const uint32_t *rec = btf_types_rec(&d->view->types, id);

	return defined_space(rec) == space &&
	       !strcmp(btf_view_str(d->view, d->view->base, rec[BTF_REC_NAME]), name);
}

bool btf_defined_has(const struct btf_defined *d, const struct type_graph *g, uint32_t n)
{
	const char *name = type_graph_name(g, n);
	enum btf_space space = defined_space(type_graph_words(g, n));

	return d->by_name.nr && space != BTF_SPACE_NONE &&
	       HASH_FIND(&d->by_name, hash_string(name), id, is_same(d, id, space, name));
}

/* Is node @n a definition like that of node @as? */
static bool is_defined_as(const struct type_graph *g, uint32_t n, uint32_t as)
{
	const uint32_t *a = type_graph_words(g, n), *b = type_graph_words(g, as);

	return a[BTF_REC_NAME] == b[BTF_REC_NAME] && defined_space(a) == defined_space(b);
}

static uint64_t hash_node(const struct type_graph *g, uint32_t n)
{
	const uint32_t *words = type_graph_words(g, n);

	return hash_pair(words[BTF_REC_NAME], defined_space(words));
}

static uint32_t skip_links(const struct type_graph *g, uint32_t n, bool typedefs)
{
	for (uint32_t i = 0; i < LINKS_MAX; i++) {
		enum btf_ctype c = type_graph_ctype(g, n);

		if (c != BTF_C_QUALIFIER && !(typedefs && c == BTF_C_TYPEDEF))
			break;
		n = type_graph_edge(g, n, 0);
	}
	return n;
}

void btf_core_open(const struct btf_comparison *c, const struct btf_defined *base,
		   struct btf_core *ret)
{
	const struct type_graph *g = &c->graph;

	ret->c = c;
	ret->base = base;
	ret->has_typedef = mem_zalloc(g->nr, sizeof(*ret->has_typedef));
	for (uint32_t n = 1; n < g->nr; n++) {
		if (type_graph_ctype(g, n) == BTF_C_TYPEDEF)
			ret->has_typedef[skip_links(g, type_graph_edge(g, n, 0), false)] = 1;
		if ((n < g->shared || n >= g->end_a) &&
		    defined_space(type_graph_words(g, n)) != BTF_SPACE_NONE &&
		    !HASH_FIND(&ret->defined, hash_node(g, n), i, is_defined_as(g, i, n)))
			hash_table_add(&ret->defined, hash_node(g, n), n);
	}
}

void btf_core_release(struct btf_core *core)
{
	hash_table_release(&core->defined);
	free(core->has_typedef);
	*core = (struct btf_core){ 0 };
}

bool btf_core_number_breaks(const struct btf_core *core, const struct btf_difference *d)
{
	const struct type_graph *g = &core->c->graph;

	return d->a && !d->b && defined_space(type_graph_words(g, d->a)) != BTF_SPACE_NONE &&
	       !HASH_FIND(&core->defined, hash_node(g, d->a), i, is_defined_as(g, i, d->a)) &&
	       !(core->base && btf_defined_has(core->base, g, d->a));
}

/* --- types ------------------------------------------------------------------------------- */

/* How a program uses a value of a type. */
enum use {
	USE_MEMBER,   /* libbpf may change the size of a load */
	USE_ARGUMENT, /* in a register of 64 bits: a narrower value leaves the rest undefined */
	USE_EXACT,    /* an element of an array, or a variable: the program has its size */
};

static uint32_t size_of(const struct type_graph *g, uint32_t n)
{
	return type_graph_words(g, n)[BTF_REC_SIZE_TYPE];
}

static bool is_unsigned(const struct type_graph *g, uint32_t n)
{
	return type_graph_ctype(g, n) == BTF_C_INT &&
	       !(type_graph_words(g, n)[BTF_REC_WORDS] >> 24 & BTF_ENC_SIGNED);
}

static bool sizes_fit(const struct type_graph *g, uint32_t a, uint32_t b, enum use use)
{
	if (size_of(g, a) == size_of(g, b))
		return true;
	return use == USE_MEMBER   ? is_unsigned(g, a) && is_unsigned(g, b) :
	       use == USE_ARGUMENT ? size_of(g, a) < size_of(g, b) :
				     false;
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEPTH_MAX */

static bool fits(const struct type_graph *g, uint32_t a, uint32_t b, enum use use, uint32_t depth);

/* Does struct or union @b begin with the members of @a? Then programs find them. */
static bool has_members(const struct type_graph *g, uint32_t a, uint32_t b, uint32_t depth)
{
	uint32_t nr = type_graph_vlen(g, a);

	if (nr > MEMBERS_MAX || type_graph_vlen(g, b) < nr)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		if (type_graph_element(g, a, i)[0] != type_graph_element(g, b, i)[0] ||
		    !fits(g, type_graph_edge(g, a, i), type_graph_edge(g, b, i), USE_MEMBER,
			  depth + DEPTH_OF_STRUCT))
			return false;
	}
	return true;
}

static bool same_name(const struct type_graph *g, uint32_t a, uint32_t b)
{
	return type_graph_words(g, a)[BTF_REC_NAME] &&
	       type_graph_words(g, a)[BTF_REC_NAME] == type_graph_words(g, b)[BTF_REC_NAME];
}

static bool is_struct(enum btf_ctype c)
{
	return c == BTF_C_STRUCT || c == BTF_C_FORWARD;
}

/* @a and @b, without links, are what pointers lead to. */
static bool target_fits(const struct type_graph *g, uint32_t a, uint32_t b, enum use use,
			uint32_t depth)
{
	enum btf_ctype c = type_graph_ctype(g, a), other = type_graph_ctype(g, b);

	if (c == BTF_C_VOID && use != USE_ARGUMENT)
		return true;
	if (is_struct(c) && is_struct(other))
		return same_name(g, a, b) || (!type_graph_words(g, a)[BTF_REC_NAME] &&
					      !type_graph_words(g, b)[BTF_REC_NAME]);
	/* the verifier follows only pointers to structs */
	if (other == BTF_C_VOID && c != BTF_C_VOID)
		return !is_struct(c) && use != USE_ARGUMENT;
	return fits(g, a, b, USE_EXACT, depth);
}

static bool enums_fit(const struct type_graph *g, uint32_t a, uint32_t b, enum use use)
{
	bool named = type_graph_words(g, a)[BTF_REC_NAME] && type_graph_words(g, b)[BTF_REC_NAME];

	return (!named || same_name(g, a, b)) && sizes_fit(g, a, b, use);
}

/* Can a program that was built for type @a of the first BTF use type @b of the second? */
static bool fits(const struct type_graph *g, uint32_t a, uint32_t b, enum use use, uint32_t depth)
{
	a = skip_links(g, a, true);
	b = skip_links(g, b, true);
	enum btf_ctype c = type_graph_ctype(g, a);

	if (a == b)
		return true;
	if (depth >= DEPTH_MAX)
		return false;
	if (c != type_graph_ctype(g, b))
		return false;
	switch (c) {
	case BTF_C_INT:
	case BTF_C_FLOAT:
		return sizes_fit(g, a, b, use);
	case BTF_C_ENUM:
		return enums_fit(g, a, b, use);
	case BTF_C_POINTER:
		return target_fits(g, skip_links(g, type_graph_edge(g, a, 0), true),
				   skip_links(g, type_graph_edge(g, b, 0), true), use, depth + 1);
	case BTF_C_ARRAY:
		return fits(g, type_graph_edge(g, a, 0), type_graph_edge(g, b, 0), USE_EXACT,
			    depth + 1);
	case BTF_C_STRUCT:
		return same_name(g, a, b) || has_members(g, a, b, depth);
	case BTF_C_FORWARD:
		return same_name(g, a, b);
	case BTF_C_NONE:
	case BTF_C_VOID:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_FUNCTION:
		break;
	}
	return true;
}

/* NOLINTEND(misc-no-recursion) */

/* --- changes ----------------------------------------------------------------------------- */

/* Is @x a change of the prototype of a function, or of a function that it takes? */
static bool is_signature(const struct btf_core *core, const struct btf_difference *d,
			 const struct btf_change *x)
{
	const struct type_graph *g = &core->c->graph;

	return type_graph_kind(g, d->b) == BTF_FUNC &&
	       type_graph_ctype(g, x->at_b) == BTF_C_FUNCTION;
}

static uint32_t width_of(const struct type_graph *g, const struct btf_place *p)
{
	return btf_member_location(g, p->node, p->index).width;
}

/* libbpf turns no load of a whole member into one of a bit field, and none of a bit field into one of a whole member. */
static bool changes_load(const struct type_graph *g, const struct btf_change *x)
{
	return type_graph_ctype(g, x->b.node) == BTF_C_STRUCT && x->b.index != NO_ELEMENT &&
	       !width_of(g, &x->a) != !width_of(g, &x->b);
}

static bool type_breaks(const struct btf_core *core, const struct btf_difference *d,
			const struct btf_change *x)
{
	const struct type_graph *g = &core->c->graph;
	enum use use = USE_MEMBER;

	if (type_graph_ctype(g, x->at_b) == BTF_C_FUNCTION) {
		if (!is_signature(core, d, x))
			return false;
		use = USE_ARGUMENT;
	} else if (type_graph_kind(g, x->at_b) == BTF_VAR) {
		use = USE_EXACT;
	}
	return changes_load(g, x) || !fits(g, x->type_a, x->type_b, use, 0);
}

/* Programs refer to enumerators by the name of the enum, or of a typedef. */
static bool is_named_enum(const struct btf_core *core, uint32_t n)
{
	return type_graph_words(&core->c->graph, n)[BTF_REC_NAME] || core->has_typedef[n];
}

static bool gone_breaks(const struct btf_core *core, const struct btf_difference *d,
			const struct btf_change *x)
{
	const struct type_graph *g = &core->c->graph;
	enum btf_ctype c = type_graph_ctype(g, x->a.node);

	if (c == BTF_C_STRUCT)
		return type_graph_element(g, x->a.node, x->a.index)[0] != 0;
	if (c == BTF_C_ENUM)
		return is_named_enum(core, x->at_a);
	return is_signature(core, d, x);
}

static bool kind_breaks(const struct type_graph *g, const struct btf_change *x)
{
	const uint32_t *a = type_graph_words(g, x->at_a), *b = type_graph_words(g, x->at_b);

	return !btf_rec_is_declaration(a) &&
	       (btf_rec_is_declaration(b) ||
		type_graph_ctype(g, x->at_a) != type_graph_ctype(g, x->at_b));
}

static bool size_breaks(const struct btf_core *core, const struct btf_change *x)
{
	const struct type_graph *g = &core->c->graph;

	enum btf_ctype c = type_graph_ctype(g, x->at_b);

	if (c == BTF_C_INT)
		return !is_unsigned(g, x->at_a) || !is_unsigned(g, x->at_b);
	return c == BTF_C_FLOAT || (c == BTF_C_ENUM && is_named_enum(core, x->at_a));
}

static bool has_kfunc_tag(const struct type_graph *g, uint32_t n)
{
	const uint32_t *tag = type_graph_words(g, n), *end = g->words + g->word_start[n + 1];

	for (tag += btf_rec_words(tag); tag < end; tag += TAG_WORDS) {
		if (!strcmp(g->names[tag[TAG_NAME]], "bpf_kfunc"))
			return true;
	}
	return false;
}

bool btf_core_change_breaks(const struct btf_core *core, const struct btf_difference *d,
			    const struct btf_change *x)
{
	const struct type_graph *g = &core->c->graph;

	switch (x->sort) {
	case CHANGE_KIND:
		return kind_breaks(g, x);
	case CHANGE_GONE:
		return gone_breaks(core, d, x);
	case CHANGE_TYPE:
		return type_breaks(core, d, x);
	case CHANGE_MOVED:
		return changes_load(g, x);
	case CHANGE_NEW:
		return is_signature(core, d, x);
	case CHANGE_TAGS:
		return has_kfunc_tag(g, x->at_a) && !has_kfunc_tag(g, x->at_b);
	case CHANGE_SIZE:
		return size_breaks(core, x);
	case CHANGE_INDEX:
	case CHANGE_ANOTHER:
	case CHANGE_NAME:
	case CHANGE_DATA:
	case CHANGE_FLAG:
	case CHANGE_SITES:
	case CHANGE_ORDER:
	case CHANGE_OTHER:
	case NR_CHANGE_SORTS:
		break;
	}
	return false;
}
