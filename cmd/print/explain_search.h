/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_search.h - the answer of --explain for one name */
#ifndef BTFENC_CMD_PRINT_EXPLAIN_SEARCH_H
#define BTFENC_CMD_PRINT_EXPLAIN_SEARCH_H

#include "base/edit_distance.h"
#include "btf/var_places.h"
#include "cmd/options/options.h"
#include "cmd/print/mentions.h"
#include "encoder/report/report.h"

/* One BTF of those that are searched, each over the one before. */
struct layer {
	const struct btf_view *btf;
	const char *what;
	const char *word; /* for JSON */
	bool has_ids;     /* it is in a file, or will be */
	bool is_file;     /* the input has it beside what is explained */
	struct var_places places;
};

enum { LAYERS_MAX = 5, MEMBERS_LISTED = 10 };

struct search {
	struct text *out;
	const struct options *opt;
	const struct wanted *as; /* the name with its keyword or parentheses */
	const char *name;
	struct layer layers[LAYERS_MAX];
	size_t nr_layers;
	bool any_sort;      /* ignore the keyword */
	bool is_defined[2]; /* there is a struct, or a union, of the name */
	bool is_symbol;     /* there is a function or a variable of the name */
	size_t nr;          /* types that were found */
	size_t nr_inside;   /* types with a member or an enumerator that was found */
	struct nearest similar;
	const struct mentions *types, *omissions, *sites; /* where the names occur */
	size_t *nr_missing;                               /* names without a result, so far */
	bool in_file;                                     /* the layer .is_file has it */
	/* with --json: @out is an object without its end; these go to lists in it */
	bool json;
	struct text in, of_members, of_omissions;
};

/*
 * Append to @s->out, and with --json to the lists of @s, where the name @s->as is, or by which rule @found (NULL: no report)
 * omits it. Return whether it exists.
 */
bool explain_search(struct search *s, const struct report *found);
/* Is one of the layers the BTF that the file has beside what is explained? */
bool explain_has_file_btf(const struct search *s);

const char *explain_name_at(const struct btf_view *v, uint32_t off);
/* The number of members or enumerators of @rec, and the name of one. */
uint32_t explain_nr_inside(const uint32_t *rec);
const char *explain_inside_name(const struct btf_view *v, const uint32_t *rec, uint32_t i);

#endif
