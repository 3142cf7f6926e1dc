/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_names.c - see explain_names.h */
#include "cmd/print/explain_names.h"

#include "base/cleanup.h"

#include <string.h>

static const char *const sort_words[] = {
	[WANTED_ANY] = "",      [WANTED_STRUCT] = "struct",   [WANTED_UNION] = "union",
	[WANTED_ENUM] = "enum", [WANTED_TYPEDEF] = "typedef",
};

bool explain_is_asked(const struct wanted *as, const struct omission *o)
{
	if (as->is_func)
		return omission_rules[o->rule].subject == SUBJECT_FUNC ||
		       !strcmp(o->keyword, "func");
	return as->sort == WANTED_ANY || !strcmp(o->keyword, sort_words[as->sort]);
}

/* Add @name, which matches the pattern @w, number @number, unless it is known. */
static void add_name(struct explained_names *n, const struct wanted *w, size_t number,
		     const char *name)
{
	const char *keyword = sort_words[w->sort];
	uint32_t before = (uint32_t)n->known.names.nr;
	struct explained_name e = { *w, number };

	if (name_ids_add(&n->known, name) <= before)
		return;
	e.as.is_pattern = false;
	e.as.asked = arena_printf(&n->texts, "%s%s%s", keyword, *keyword ? " " : "", name);
	e.as.name = name;
	e.as.location = NULL;
	vec_push(&n->items, e);
}

static bool fits(const struct name_list *pattern, const char *name)
{
	return *name && name_list_has(pattern, name);
}

static void add_types(struct explained_names *n, const struct wanted *w, size_t number,
		      const struct name_list *pattern, const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		enum btf_kind kind = btf_rec_kind(rec);
		const char *name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);

		if (btf_ctype(kind) == BTF_C_NONE && kind != BTF_FUNC && kind != BTF_VAR)
			continue;
		if (kind == BTF_TYPE_TAG)
			continue;
		if (kind == BTF_INT || kind == BTF_FLOAT)
			name = wanted_base_name(name);
		if (wanted_takes(w, kind, btf_rec_kflag(rec)) && fits(pattern, name))
			add_name(n, w, number, name);
	}
}

static void add_omissions(struct explained_names *n, const struct wanted *w, size_t number,
			  const struct name_list *pattern, const struct report *found)
{
	for (size_t i = 0; i < found->omissions.nr; i++) {
		const struct omission *o = &found->omissions.items[i];

		if (explain_is_asked(w, o) && fits(pattern, report_text(found, o->name)))
			add_name(n, w, number, report_text(found, o->name));
	}
}

void explained_names_find(const struct wanted_list *names, const struct btf_view *const *views,
			  size_t nr, const struct report *found, struct explained_names *ret)
{
	for (size_t i = 0; i < names->nr; i++) {
		CLEANUP(name_list_release) struct name_list pattern = { 0 };
		const struct wanted *w = &names->items[i];
		size_t before = ret->items.nr;

		name_ids_release(&ret->known);
		name_list_add(&pattern, w->name);
		for (size_t k = 0; k < nr && w->is_pattern; k++)
			add_types(ret, w, i, &pattern, views[k]);
		if (found && w->is_pattern)
			add_omissions(ret, w, i, &pattern, found);
		if (ret->items.nr == before)
			vec_push(&ret->items, ((struct explained_name){ *w, i }));
	}
}

void explained_names_release(struct explained_names *n)
{
	free(n->items.items);
	arena_release(&n->texts);
	name_ids_release(&n->known);
	*n = (struct explained_names){ 0 };
}
