/* SPDX-License-Identifier: GPL-2.0-only */
/* unresolved_ids.c - see unresolved_ids.h */
#include "encoder/emit/unresolved_ids.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that is asked for, maybe several times. */
struct asked {
	struct btf_id_symbol id;
	uint32_t name; /* string id; 0: nobody has it */
	bool found;
};

struct asked_list {
	struct asked *items;
	size_t nr, cap;
};

static void release_list(struct asked_list *l)
{
	free(l->items);
}

/* By name, then by kind. */
static int compare(const struct btf_id_symbol *x, const struct btf_id_symbol *y)
{
	int diff = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	if (diff)
		return diff;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_name(const void *a, const void *b)
{
	const struct btf_id_symbol *x = &((const struct asked *)a)->id;
	const struct btf_id_symbol *y = &((const struct asked *)b)->id;
	int diff = compare(x, y);

	/* a kfunc is that, wherever else it is asked for */
	return diff ? diff : y->kfunc - x->kfunc;
}

static void list_asked(const struct finish *f, const struct kfuncs *k, bool kfuncs_only,
		       struct asked_list *ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < k->ids.nr; i++) {
		const struct btf_id_symbol *id = &k->ids.items[i];

		if (id->kfunc || !kfuncs_only)
			vec_push(ret, ((struct asked){ .id = *id }));
	}
	if (!ret->nr)
		return;
	qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_name);
	for (size_t i = 0; i < ret->nr; i++) {
		const struct btf_id_symbol *id = &ret->items[i].id;

		if (nr && !compare(&ret->items[nr - 1].id, id))
			continue;
		ret->items[nr] = ret->items[i];
		ret->items[nr++].name = str_pool_find(&f->a->strings, id->name, id->len);
	}
	ret->nr = nr;
}

/* --- looking for them ---------------------------------------------------------------- */

static bool may_be_asked(uint32_t kind)
{
	return kind == BTF_FUNC || kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_TYPEDEF;
}

/* The offset of a name, which is a string of the result or of the base, and the first of that name. */
struct place {
	uint32_t offset, first;
};

static int by_offset(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The places of all names, by offset; free() it. */
static struct place *find_places(const struct finish *f, const struct asked_list *l, size_t *ret_nr)
{
	struct place *places = mem_alloc(l->nr * sizeof(*places));
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++) {
		uint32_t offset = finish_offset(f, l->items[i].name);

		/* one name may be asked for as several kinds */
		if (offset && (!nr || places[nr - 1].offset != offset))
			places[nr++] = (struct place){ offset, (uint32_t)i };
	}
	if (nr)
		qsort(places, nr, sizeof(*places), by_offset);
	*ret_nr = nr;
	return places;
}

static void find_own(const struct finish *f, struct asked_list *l)
{
	size_t nr;
	struct place *places = find_places(f, l, &nr);

	for (uint32_t id = f->out.first; id < btf_types_end(&f->out); id++) {
		const uint32_t *rec = btf_types_rec(&f->out, id);
		const struct place wanted = { .offset = rec[BTF_REC_NAME] }, *p;
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

		if (!may_be_asked(kind))
			continue;
		p = bsearch(&wanted, places, nr, sizeof(*places), by_offset);
		for (size_t i = p ? p->first : l->nr; i < l->nr; i++) {
			struct asked *a = &l->items[i];

			if (finish_offset(f, a->name) != p->offset)
				break;
			a->found |= a->id.kind == kind;
		}
	}
	free(places);
}

static int by_id(const void *id, const void *asked)
{
	return compare(id, &((const struct asked *)asked)->id);
}

static void find_in(const struct btf_view *v, struct asked_list *l)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		struct btf_id_symbol wanted = { .kind = btf_info_kind(rec[BTF_REC_INFO]) };
		struct asked *a;

		if (!may_be_asked(wanted.kind))
			continue;
		wanted.name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);
		wanted.len = strlen(wanted.name);
		a = bsearch(&wanted, l->items, l->nr, sizeof(l->items[0]), by_id);
		if (a)
			a->found = true;
	}
}

static bool all_found(const struct asked_list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (!l->items[i].found)
			return false;
	}
	return true;
}

static void find_in_base(const struct btf_input *base, struct asked_list *l)
{
	if (!all_found(l))
		find_in(&base->view, l);
	if (!all_found(l) && base->has_base)
		find_in(&base->base_view, l);
}

/* --- telling ------------------------------------------------------------------------- */

/* What an object does not define, others may. */
static bool is_elsewhere(const struct finish *f, const struct func_file *file,
			 const struct asked *a)
{
	return file->obj->is_rel && !f->a->base &&
	       (a->id.kind != BTF_FUNC || symbols_find_func(file->syms, a->id.name, a->id.len) < 0);
}

/* So many kfuncs are named. */
enum { NAMED_MAX = 8 };

static void report_file(const struct finish *f, const struct func_file *file,
			const struct asked_list *l, const struct omission_log *log)
{
	CLEANUP(mem_free_text) char *names = NULL;
	struct str_pool *strings = &f->a->strings;
	size_t nr_kfuncs = 0, len;
	FILE *out = open_memstream(&names, &len);

	if (!out)
		mem_die();
	for (size_t i = 0; i < l->nr; i++) {
		const struct asked *a = &l->items[i];
		struct omission o = { .rule = a->id.kfunc ? RULE_KFUNC_LOST : RULE_ID_LOST };

		if (a->found || is_elsewhere(f, file, a))
			continue;
		o.name = str_pool_add_copy(strings, a->id.name, a->id.len);
		o.keyword = a->id.kind == BTF_FUNC   ? "func" :
			    a->id.kind == BTF_STRUCT ? "struct" :
			    a->id.kind == BTF_UNION  ? "union" :
						       "typedef";
		omission_report(log, o);
		if (a->id.kfunc && ++nr_kfuncs <= NAMED_MAX)
			fprintf(out, "%s%.*s", nr_kfuncs > 1 ? ", " : "", (int)a->id.len,
				a->id.name);
	}
	if (nr_kfuncs > NAMED_MAX)
		fprintf(out, " and %zu more", nr_kfuncs - NAMED_MAX);
	if (fclose(out))
		mem_die();
	if (nr_kfuncs)
		diag_add(log->diags, DIAG_WARNING,
			 "'%s': kfuncs without a function in the BTF: %s ('--explain=NAME' says "
			 "why)",
			 file->obj->path, names);
}

void unresolved_ids_report(const struct finish *f, const struct omission_log *log)
{
	for (size_t i = 0; i < f->a->files.nr; i++) {
		const struct func_file *file = &f->a->files.items[i];
		CLEANUP(release_list) struct asked_list asked = { 0 };

		if (!file->kfuncs)
			continue;
		list_asked(f, file->kfuncs, !log->list, &asked);
		if (!asked.nr)
			continue;
		find_own(f, &asked);
		if (f->a->base)
			find_in_base(f->a->base, &asked);
		report_file(f, file, &asked, log);
	}
}
