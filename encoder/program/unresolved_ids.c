/* SPDX-License-Identifier: GPL-2.0-only */
/* unresolved_ids.c - see report_unresolved_ids() in passes.h */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A type or function that .BTF_ids refers to. */
struct btf_id {
	struct btf_id_symbol symbol; /* one of its symbols */
	bool found;
};

/* Sorted by name and kind, each once. */
struct btf_ids {
	struct btf_id *items;
	size_t nr, cap;
	size_t nr_found;
	struct hash_table index;
};

static void release_ids(struct btf_ids *l)
{
	free(l->items);
	hash_table_release(&l->index);
}

static int compare(const struct btf_id_symbol *x, const struct btf_id_symbol *y)
{
	int diff = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	if (diff)
		return diff;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_name_and_kind(const void *a, const void *b)
{
	return compare(&((const struct btf_id *)a)->symbol, &((const struct btf_id *)b)->symbol);
}

static uint64_t hash_of(const struct btf_id_symbol *s)
{
	return hash_bytes(s->name, s->len) + s->kind;
}

static void list_ids(const struct kfuncs *k, bool kfuncs_only, struct btf_ids *ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < k->ids.nr; i++) {
		if (k->ids.items[i].kfunc || !kfuncs_only)
			vec_push(ret, ((struct btf_id){ .symbol = k->ids.items[i] }));
	}
	vec_sort(ret, by_name_and_kind);
	hash_table_reserve(&ret->index, ret->nr);
	for (size_t i = 0; i < ret->nr; i++) {
		const struct btf_id_symbol *s = &ret->items[i].symbol;

		if (nr && !compare(&ret->items[nr - 1].symbol, s)) {
			ret->items[nr - 1].symbol.kfunc |= s->kfunc;
			continue;
		}
		ret->items[nr++].symbol = *s;
		hash_table_add(&ret->index, hash_of(s), (uint32_t)nr);
	}
	ret->nr = nr;
}

static void find_in(const struct btf_view *v, struct btf_ids *l)
{
	uint32_t end = btf_types_end(&v->types);

	for (uint32_t id = v->types.first; id < end && l->nr_found < l->nr; id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		struct btf_id_symbol s = { .kind = btf_rec_kind(rec) };

		if (s.kind != BTF_FUNC && s.kind != BTF_STRUCT && s.kind != BTF_UNION &&
		    s.kind != BTF_TYPEDEF)
			continue;
		s.name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);
		s.len = strlen(s.name);
		uint32_t n = HASH_FIND(&l->index, hash_of(&s), i,
				       !compare(&l->items[i - 1].symbol, &s));
		if (n && !l->items[n - 1].found) {
			l->items[n - 1].found = true;
			l->nr_found++;
		}
	}
}

/* An object refers to functions and types that other objects may define. */
static bool may_be_elsewhere(const struct program *p, const struct input *in,
			     const struct btf_id_symbol *s)
{
	return in->obj.is_rel && !p->request->base &&
	       (s->kind != BTF_FUNC || symbols_find_func(&in->syms, s->name, s->len) < 0);
}

/* May the BTF describe the kfunc @s by --btf_functions? */
static bool is_selected(const struct program *p, const struct btf_id_symbol *s)
{
	CLEANUP(mem_free_text) char *name = mem_printf("%.*s", (int)s->len, s->name);

	return p->opts->kfuncs_too || encode_wants_func(p->opts, name);
}

/* A warning lists so many kfuncs by name. */
enum { NAMED_MAX = 8 };

static void report_file(struct program *p, const struct input *in, const struct btf_ids *l)
{
	const struct omission_log log = program_log(p, p->diags);
	CLEANUP(text_release) struct text names = { 0 };
	const struct btf_id_symbol *first = NULL;
	size_t nr_kfuncs = 0;
	bool unselected = false;

	for (size_t i = 0; i < l->nr; i++) {
		const struct btf_id_symbol *s = &l->items[i].symbol;

		if (l->items[i].found || may_be_elsewhere(p, in, s))
			continue;
		omission_report(&log,
				(struct omission){
					s->kfunc ? OMIT_KFUNC_LOST : OMIT_ID_LOST,
					.name = str_pool_add_copy(&p->strings, s->name, s->len),
					.keyword = s->kind == BTF_FUNC   ? "func" :
						   s->kind == BTF_STRUCT ? "struct" :
						   s->kind == BTF_UNION  ? "union" :
									   "typedef" });
		if (s->kfunc && !first)
			first = s;
		unselected |= s->kfunc && !is_selected(p, s);
		if (s->kfunc && ++nr_kfuncs <= NAMED_MAX)
			text_printf(&names, "%s%.*s", nr_kfuncs > 1 ? ", " : "", (int)s->len,
				    s->name);
	}
	if (nr_kfuncs > NAMED_MAX)
		text_printf(&names, " and %zu more", nr_kfuncs - NAMED_MAX);
	if (unselected)
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': kfuncs without a function in the BTF: %.*s ('--btf_functions' does not select them: give '--btf_functions=kfuncs', too)",
			in->obj.path, (int)names.nr, names.items);
	else if (first)
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': kfuncs without a function in the BTF: %.*s (to see why, add '--explain=%.*s' to the options)",
			in->obj.path, (int)names.nr, names.items, (int)first->len, first->name);
}

void report_unresolved_ids(struct program *p)
{
	const struct btf_input *base = p->request->base;
	const struct btf_view result = result_view(p);

	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct input *in = &p->inputs[i];
		CLEANUP(release_ids) struct btf_ids ids = { 0 };

		list_ids(&in->kfuncs, !p->omissions, &ids);
		if (!ids.nr)
			continue;
		find_in(&result, &ids);
		if (base)
			find_in(&base->view, &ids);
		if (base && base->has_base)
			find_in(&base->base_view, &ids);
		report_file(p, in, &ids);
	}
}
