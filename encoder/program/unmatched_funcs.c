/* SPDX-License-Identifier: GPL-2.0-only */
/* unmatched_funcs.c - see report_unmatched_funcs() in passes.h */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"

#include <stdlib.h>
#include <string.h>

static void find_matched(const struct btf_view *v, const struct name_list *list, bool *matched)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		const char *name;

		if (btf_rec_kind(rec) != BTF_FUNC)
			continue;
		name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);
		for (uint32_t i = name_list_first(list, name); i; i = name_list_next(list, name, i))
			matched[i - 1] = true;
	}
}

/* The function of the inputs whose name is most similar to @name; NULL if none is, or if the inputs have the name. */
static const char *similar_func(struct program *p, const char *name)
{
	struct nearest n = nearest_to(name);

	if (str_pool_find(&p->strings, name, strlen(name)))
		return NULL;
	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct symbols *syms = &p->inputs[i].syms;

		for (size_t f = 0; f < syms->nr_funcs; f++) {
			/* not the copy "foo.isra.0" */
			if (!syms->funcs[f].name[syms->funcs[f].name_len])
				nearest_offer(&n, syms->funcs[f].name);
		}
	}
	return n.name;
}

static void report_name(struct program *p, const char *name, bool suggest)
{
	const char *similar = suggest ? similar_func(p, name) : NULL;

	if (similar)
		diag_add(p->diags, DIAG_WARNING,
			 "--btf_functions: the BTF has no function '%s'; did you mean '%s'?", name,
			 similar);
	else
		diag_add(
			p->diags, DIAG_WARNING,
			"--btf_functions: the BTF has no function '%s' (to see why, add '--explain=%s' to the options)",
			name, name);
}

void report_unmatched_funcs(struct program *p)
{
	const struct name_list *list = p->opts->functions;
	const struct btf_view result = result_view(p);
	size_t nr = 0;

	if (!list || p->request->base)
		return;
	CLEANUP(mem_free) bool *matched = mem_zalloc(list->entries.nr, sizeof(*matched));
	find_matched(&result, list, matched);
	for (size_t i = 0; i < list->entries.nr; i++) {
		const struct name_list_entry *e = &list->entries.items[i];

		if (matched[i] || (p->opts->kfuncs_too && !strcmp(e->text, "kfuncs")))
			continue;
		if (e->is_pattern)
			diag_add(p->diags, DIAG_WARNING,
				 "--btf_functions: no function of the BTF matches '%s'", e->text);
		else
			report_name(p, e->text, nr++ < NEAREST_WORDS_MAX);
	}
}
