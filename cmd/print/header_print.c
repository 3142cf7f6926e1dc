/* SPDX-License-Identifier: GPL-2.0-only */
/* header_print.c - see outputs.h */

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "btf/btf_serialize.h"
#include "btf/compare/type_graph.h"
#include "check/btf_check.h"
#include "cmd/print/bpflib.h"
#include "cmd/print/header_asserts.h"
#include "cmd/print/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char before[] =
	"#ifndef __VMLINUX_H__\n"
	"#define __VMLINUX_H__\n"
	"\n"
	"#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n"
	"#pragma clang attribute push (__attribute__((preserve_access_index)), "
	"apply_to = record)\n"
	"#endif\n"
	"\n";
static const char behind[] = "#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n"
			     "#pragma clang attribute pop\n"
			     "#endif\n"
			     "\n"
			     "#endif /* __VMLINUX_H__ */\n";

/* Can the types be printed in spite of @f? It is about a definition, or about an enum that is only declared. */
static bool is_printable(const struct btf_finding *f, const struct btf_view *v)
{
	switch (f->rule) {
	case RULE_FUNC_LINKAGE:
	case RULE_FUNC_PARAM_NAME:
	case RULE_VAR_LINKAGE:
	case RULE_SECTION_EMPTY:
	case RULE_SECTION_VAR_OVERLAP:
	case RULE_SECTION_VAR_SIZE:
	case RULE_SECTION_VAR_END:
	case RULE_SECTION_VAR_SMALL:
	case RULE_SECTION_NO_VAR:
	case RULE_PLACE_SIZE:
	case RULE_PLACE_FLAGS:
	case RULE_PLACE_WORDS:
	case RULE_PLACE_CONSTANT:
	case RULE_PLACES_TYPE_WORD:
	case RULE_PLACES_NO_PLACE:
	case RULE_SITE_VOID:
	case RULE_SITE_FUNC:
	case RULE_SITE_PLACES:
	case RULE_SITE_NUMBER:
		return true;
	case RULE_ENUM_SIZE:
		return !btf_rec_vlen(btf_types_rec(&v->types, f->id));
	case RULE_KIND:
		return v->nr_unknown; /* it was skipped */
	default:
		return !btf_rule(f->rule)->kernel || btf_rule(f->rule)->warning;
	}
}

/* Can the text of a type tag stand in a string of C, or if it is an attribute, in parentheses? */
static bool is_tag(const uint32_t *rec, const char *text)
{
	unsigned int depth = 0;

	for (; *text; text++) {
		bool in_word = c_name_fits((const char[]){ '_', *text, '\0' }, C_IDENTIFIER);

		depth += *text == '(';
		if ((*text == ')' && !depth--) || *text == '"' || *text == '\\' ||
		    (btf_rec_kflag(rec) && !in_word && !strchr("(), ", *text)))
			return false;
	}
	return !depth && escape_keeps(text);
}

/* Does C accept the names of @rec that libbpf prints? An empty name is none. */
static bool has_c_names(const struct btf_view *v, uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);
	bool base = btf_rec_space(rec) == BTF_SPACE_BASE;

	if (btf_ctype(kind) == BTF_C_NONE)
		return true;
	if (kind == BTF_TYPE_TAG)
		return is_tag(rec, btf_view_str(v, v->base, rec[BTF_REC_NAME]));
	btf_rec_each_name(rec, name)
	{
		const char *s = *name ? btf_view_str(v, v->base, *name) : "";

		if (*s && !c_name_fits(s, base ? C_BASE_TYPE : C_IDENTIFIER))
			return false;
	}
	return true;
}

/* The kernel does not check the names of base types and parameters, and accepts dots and keywords. */
static struct err *check_names(const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		if (!has_c_names(v, (uint32_t *)btf_types_rec(&v->types, id)))
			return err_new(ERR_FORMAT,
				       "type %u: C does not accept its name, or a name in it", id);
	}
	return NULL;
}

/* The rules of the newest kernel: types that an older one refuses can be printed. */
static struct err *check_one(struct bytes b, const struct btf_check_opts *options,
			     struct btf_check *ret)
{
	struct btf_check_opts opts = *options;

	opts.version = LINUX_NEWEST;
	btf_check_run(b, &opts, ret);
	for (size_t i = 0; i < ret->findings.nr; i++) {
		const struct btf_finding *f = &ret->findings.items[i];

		if (!is_printable(f, &ret->view)) {
			CLEANUP(mem_free_text) char *text = btf_finding_text(f);

			return err_new(ERR_FORMAT, "type %u: %s", f->id, text);
		}
	}
	return check_names(&ret->view);
}

/* A frame of libbpf takes less than 1 KiB of the stack; BTF of C stays below 50. */
enum { MAX_NESTING = 512 };

enum { HEIGHT_UNKNOWN = 0, HEIGHT_OPEN = UINT16_MAX };

/* libbpf visits each type once for each path that leads to it. For Linux these are 2 visits for each type. */
enum { VISITS_LEAST = 1 << 20, VISITS_TIMES = 64 };

/* A type on the current path. */
struct nested {
	uint32_t id, next_edge;
	uint16_t height; /* of what was visited so far */
	uint64_t visits; /* the same */
};

struct nesting {
	struct type_graph graph;
	/* by node: the number of types on the longest path from it, and the number of visits for all paths */
	uint16_t *heights;
	uint64_t *visits;
	struct nested path[MAX_NESTING];
	size_t depth;
};

static void nesting_release(struct nesting *n)
{
	type_graph_release(&n->graph);
	FREE_ALL(n->heights, n->visits);
}

/* libbpf declares a named struct or union in advance where a pointer leads to it. */
static bool ends_path(const struct type_graph *g, uint32_t id)
{
	uint32_t kind = type_graph_kind(g, id);

	return !id || (btf_kind_is_struct(kind) && *type_graph_name(g, id));
}

/* Does libbpf print @id by itself? */
static bool is_printed(const struct type_graph *g, uint32_t id)
{
	return ends_path(g, id) || type_graph_kind(g, id) == BTF_TYPEDEF;
}

static struct err *nesting_push(struct nesting *n, uint32_t id)
{
	if (n->depth == MAX_NESTING)
		return err_new(ERR_FORMAT, "type %u: types nest more than %d deep", n->path[0].id,
			       MAX_NESTING);
	n->path[n->depth++] = (struct nested){ .id = id, .height = 1, .visits = 1 };
	n->heights[id] = HEIGHT_OPEN;
	return NULL;
}

static void add_visits(struct nested *top, uint64_t nr)
{
	if (__builtin_add_overflow(top->visits, nr, &top->visits))
		top->visits = UINT64_MAX;
}

/* The last edge of the last type leads to @to, which was visited. */
static struct err *nesting_raise(struct nesting *n, uint32_t to)
{
	struct nested *top = &n->path[n->depth - 1];
	uint16_t height = n->heights[to];

	if (height == MAX_NESTING)
		return err_new(ERR_FORMAT, "type %u: types nest more than %d deep", top->id,
			       MAX_NESTING);
	if (top->height <= height)
		top->height = height + 1;
	/* a typedef is printed once, and used by its name */
	add_visits(top, type_graph_kind(&n->graph, to) == BTF_TYPEDEF ? 1 : n->visits[to]);
	return NULL;
}

static struct err *nesting_walk(struct nesting *n, uint32_t root)
{
	TRY(nesting_push(n, root));
	while (n->depth) {
		struct nested *top = &n->path[n->depth - 1];
		uint32_t to;

		if (top->next_edge == type_graph_nr_edges(&n->graph, top->id)) {
			n->heights[top->id] = top->height;
			n->visits[top->id] = top->visits;
			n->depth--;
			if (n->depth)
				TRY(nesting_raise(n, top->id));
			continue;
		}
		to = type_graph_edge(&n->graph, top->id, top->next_edge++);
		if (ends_path(&n->graph, to)) {
			add_visits(top, 1);
			continue;
		}
		if (n->heights[to] == HEIGHT_OPEN)
			return err_new(ERR_FORMAT,
				       "type %u: it refers to itself, and no struct or "
				       "union with a name lies between",
				       to);
		if (n->heights[to] == HEIGHT_UNKNOWN)
			TRY(nesting_push(n, to));
		else
			TRY(nesting_raise(n, to));
	}
	return NULL;
}

static struct err *take_visits(const struct nesting *n, uint32_t id, uint64_t *left)
{
	if (n->visits[id] > *left)
		return err_new(ERR_LIMIT,
			       "type %u: the types that it leads to nest in too many ways", id);
	*left -= n->visits[id];
	return NULL;
}

/*
 * libbpf recurses into types without a name and into typedefs, and has no limit. C has no cycles there,
 * but the kernel accepts a function that takes a pointer to itself, or takes pointers to another one twice.
 */
static struct err *check_nesting(const struct btf_view *v, const struct header_kfuncs *kfuncs)
{
	CLEANUP(nesting_release) struct nesting n = { 0 };
	uint64_t left;

	TRY(type_graph_make(v, v, &n.graph));
	n.heights = mem_zalloc(n.graph.nr, sizeof(*n.heights));
	n.visits = mem_zalloc(n.graph.nr, sizeof(*n.visits));
	left = VISITS_LEAST + (uint64_t)n.graph.nr * VISITS_TIMES;
	for (uint32_t id = 1; id < n.graph.nr; id++) {
		if (n.heights[id] == HEIGHT_UNKNOWN)
			TRY(nesting_walk(&n, id));
		if (is_printed(&n.graph, id))
			TRY(take_visits(&n, id, &left));
	}
	for (size_t i = 0; i < kfuncs->nr; i++)
		TRY(take_visits(&n, kfuncs->items[i].proto, &left));
	return NULL;
}

static bool is_printed_kind(const uint32_t *rec)
{
	return btf_rec_kind(rec) != BTF_UNKN && btf_rec_kind(rec) <= BTF_ENUM64;
}

/*
 * The libbpf of this machine may not know the kinds of inlined functions, of which it prints nothing. If @v has
 * such, let *btf be the same BTF with pointers to void in their places. *own: free() it.
 */
static struct err *hide_sites(const struct btf_view *v, struct bytes *btf, uint8_t **own)
{
	CLEANUP(btf_types_release) struct btf_types types = { 0 };
	bool any = false;

	btf_types_init(&types, v->types.base);
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		const uint32_t pointer[] = { 0, btf_info(BTF_PTR, 0, false), 0 };
		size_t nr = btf_rec_words(rec);

		any |= btf_rec_kind(rec) > BTF_ENUM64;
		if (!is_printed_kind(rec)) {
			rec = pointer;
			nr = ARRAY_SIZE(pointer);
		}
		memcpy(btf_types_add(&types, nr), rec, nr * sizeof(*rec));
	}
	if (!any)
		return NULL;

	const struct btf_serialize_opts opts = { .swap = v->swapped, .wide = true };
	TRY(btf_serialize(&types, v->strings, &opts, own, &btf->len));
	btf->ptr = *own;
	return NULL;
}

/* A header without kfuncs may lack them, or the kernel may have none: only BTF that has functions could tell. */
static const char no_kfuncs[] = "/*\n"
				" * The BTF has no kfuncs: no function has the tag bpf_kfunc.\n"
				" */\n"
				"\n";

static bool has_funcs(const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		if (btf_rec_kind(btf_types_rec(&v->types, id)) == BTF_FUNC)
			return true;
	}
	return false;
}

struct err *header_print(struct bytes btf, struct bytes base, uint8_t addr_size,
			 bool *ret_has_kfuncs)
{
	CLEANUP(btf_check_release) struct btf_check below = { 0 };
	CLEANUP(btf_check_release) struct btf_check above = { 0 };
	CLEANUP(header_kfuncs_release) struct header_kfuncs kfuncs = { 0 };
	CLEANUP(mem_free) uint8_t *own = NULL;
	CLEANUP(mem_free) uint8_t *own_base = NULL;
	struct btf_check_opts opts = { .addr_size = addr_size };

	if (base.len) {
		TRY(err_at(check_one(base, &opts, &below), "base"));
		TRY(hide_sites(&below.view, &base, &own_base));
		opts.base = &below.view;
	}
	TRY(check_one(btf, &opts, &above));
	TRY(header_kfuncs_find(&above.view, &kfuncs));
	TRY(check_nesting(&above.view, &kfuncs));
	TRY(hide_sites(&above.view, &btf, &own));
	TRY(bpflib_print_c(before, btf, base, &kfuncs, addr_size));
	if (!kfuncs.nr && has_funcs(&above.view))
		fputs(no_kfuncs, stdout);
	*ret_has_kfuncs = kfuncs.nr != 0;
	if (above.sound)
		header_asserts_print(&above.view, addr_size);
	fputs(behind, stdout);
	return NULL;
}
