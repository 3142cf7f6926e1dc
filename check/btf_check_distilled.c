/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_distilled.c - the rules about .BTF.base
 *
 * A distilled base has only types that can be found again by their names. When the module is
 * loaded, the kernel looks for each of them among those of vmlinux: kind and name must agree, the
 * size wherever it matters, and no second type of vmlinux may do as well. An enum of the distilled
 * base stands for one of either kind, a declaration also for a struct or union. The size of a
 * struct or union matters if a struct of the module contains it, or if vmlinux has several of
 * this name. (btf_relocate.c of Linux 6.12)
 */
#include "check/btf_check_internal.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "btf/btf_kind.h"

#include <stdlib.h>

/* May the kind be in a distilled base? Not ENUM64: an ENUM stands for it. */
static bool is_distilled_kind(enum btf_kind kind)
{
	enum btf_ctype c = btf_ctype(kind);

	return c == BTF_C_INT || c == BTF_C_FLOAT || c == BTF_C_STRUCT || c == BTF_C_FORWARD ||
	       kind == BTF_ENUM;
}

void check_distilled(const struct btf_view *v, struct btf_findings *ret)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (!is_distilled_kind(btf_rec_kind(rec)))
			btf_findings_add(ret, id, UINT32_MAX, RULE_DISTILLED_KIND, NULL, 0);
		else if (!rec[BTF_REC_NAME])
			btf_findings_add(ret, id, UINT32_MAX, RULE_DISTILLED_NAME, NULL, 0);
	}
}

bool check_is_distilled(const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (!is_distilled_kind(btf_rec_kind(rec)) || !rec[BTF_REC_NAME] ||
		    btf_rec_vlen(rec))
			return false;
	}
	return !v->base && v->types.start.nr;
}

/* A type of the distilled base, and what has been found for it. */
struct target {
	const char *name;
	uint32_t id;
	uint32_t match; /* 0: nothing yet */
	bool embedded;  /* a struct of the module contains it */
};

struct relocation {
	const struct btf_view *split, *distilled, *base;
	struct target *targets; /* by name */
	size_t nr;
	uint8_t *
		namesakes; /* by offset: structs and unions of the base with this name, at most 2 */
};

static void relocation_release(struct relocation *r)
{
	free(r->targets);
	free(r->namesakes);
}

static int by_name(const void *a, const void *b)
{
	const struct target *x = a, *y = b;
	int diff = strcmp(x->name, y->name);

	return diff ? diff : x->id < y->id ? -1 : x->id > y->id;
}

/* The first target called @name, or where it would be. */
static size_t find_targets(const struct relocation *r, const char *name)
{
	return LOWER_BOUND(0, r->nr, i, strcmp(r->targets[i].name, name) < 0);
}

/* Behind @id, without pointers, lies a struct of the distilled base: its id, else 0. */
static uint32_t embedded_struct(const struct relocation *r, uint32_t id)
{
	uint32_t first = r->split->types.first;

	/* a chain longer than there are types would be a cycle, which is not sound */
	for (uint32_t links = btf_types_end(&r->split->types); id && links; links--) {
		const uint32_t *rec = btf_types_rec(&r->split->types, id);

		if (btf_kind_is_modifier(btf_rec_kind(rec)))
			id = rec[BTF_REC_SIZE_TYPE];
		else if (btf_rec_kind(rec) == BTF_ARRAY)
			id = rec[BTF_REC_WORDS];
		else
			return btf_kind_is_struct(btf_rec_kind(rec)) && id < first ? id : 0;
	}
	return 0;
}

static bool *find_embedded(const struct relocation *r)
{
	const struct btf_types *t = &r->split->types;
	bool *embedded = mem_zalloc(t->first, sizeof(*embedded));

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		uint32_t *rec = btf_types_rec(t, id);

		if (!btf_kind_is_struct(btf_rec_kind(rec)))
			continue;
		btf_rec_each_type(rec, member) embedded[embedded_struct(r, *member)] = true;
	}
	return embedded;
}

static void list_targets(struct relocation *r)
{
	const struct btf_types *t = &r->distilled->types;
	bool *embedded = find_embedded(r);

	r->targets = mem_zalloc(t->start.nr, sizeof(*r->targets));
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		uint32_t name = btf_types_rec(t, id)[BTF_REC_NAME];

		if (name)
			r->targets[r->nr++] = (struct target){
				.name = btf_check_str(r->distilled, name),
				.id = id,
				.embedded = embedded[id],
			};
	}
	if (r->nr)
		qsort(r->targets, r->nr, sizeof(*r->targets), by_name);
	free(embedded);
}

static void count_namesakes(struct relocation *r)
{
	const struct btf_types *t = &r->base->types;

	r->namesakes = mem_zalloc(r->base->str_base + r->base->strings.len, sizeof(*r->namesakes));
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id);
		uint8_t *nr = &r->namesakes[rec[BTF_REC_NAME]];

		if (btf_kind_is_struct(btf_rec_kind(rec)) && *nr < 2)
			(*nr)++;
	}
}

/* Must the sizes agree, whatever the target is? */
static bool needs_size(const struct relocation *r, const uint32_t *rec)
{
	enum btf_ctype c = btf_ctype(btf_rec_kind(rec));

	return c == BTF_C_STRUCT ? r->namesakes[rec[BTF_REC_NAME]] > 1 : c != BTF_C_FORWARD;
}

/* May the type @b of the base replace @target? Their names agree. */
static bool is_match(const struct relocation *r, const struct target *target, const uint32_t *b)
{
	const uint32_t *d = btf_types_rec(&r->distilled->types, target->id);
	bool same_size = b[BTF_REC_SIZE_TYPE] == d[BTF_REC_SIZE_TYPE];
	enum btf_kind kind = btf_rec_kind(b);
	enum btf_ctype c = btf_ctype(kind);

	if (needs_size(r, b) && !same_size)
		return false;
	switch (btf_ctype(btf_rec_kind(d))) {
	case BTF_C_FORWARD:
		/* the kernel compares flags, not kinds: a union that has one, a struct that has none */
		if (c == BTF_C_FORWARD)
			return btf_rec_kflag(d) == btf_rec_kflag(b);
		return c == BTF_C_STRUCT && (kind == BTF_UNION) == btf_rec_kflag(b);
	case BTF_C_INT:
		return c == BTF_C_INT && b[BTF_REC_WORDS] >> 24 == d[BTF_REC_WORDS] >> 24;
	case BTF_C_FLOAT:
		return c == BTF_C_FLOAT;
	case BTF_C_ENUM:
		return c == BTF_C_ENUM;
	case BTF_C_STRUCT:
		return !target->embedded || same_size;
	case BTF_C_NONE:
	case BTF_C_VOID:
	case BTF_C_POINTER:
	case BTF_C_ARRAY:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_FUNCTION:
		break;
	}
	return false;
}

static void map_targets(struct relocation *r, struct btf_findings *ret)
{
	const struct btf_types *t = &r->base->types;

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id);

		if (!rec[BTF_REC_NAME] ||
		    (!is_distilled_kind(btf_rec_kind(rec)) && !btf_kind_is_enum(btf_rec_kind(rec))))
			continue;

		const char *name = btf_check_str(r->base, rec[BTF_REC_NAME]);
		for (size_t i = find_targets(r, name);
		     i < r->nr && !strcmp(r->targets[i].name, name); i++) {
			struct target *target = &r->targets[i];

			if (!is_match(r, target, rec))
				continue;
			if (target->match)
				btf_findings_add(ret, target->id, UINT32_MAX, RULE_DISTILLED_TWO,
						 NULL, id);
			else
				target->match = id;
		}
	}
	for (size_t i = 0; i < r->nr; i++) {
		if (!r->targets[i].match)
			btf_findings_add(ret, r->targets[i].id, UINT32_MAX, RULE_DISTILLED_MISSING,
					 NULL, 0);
	}
}

/* Of the strings of the distilled base, only names of its types have an offset in the base. */
static void check_distilled_strings(const struct relocation *r, struct btf_findings *ret)
{
	const struct btf_types *t = &r->split->types;
	size_t len = r->distilled->strings.len;
	CLEANUP(mem_free) bool *is_name = mem_zalloc(len, sizeof(*is_name));

	for (size_t i = 0; i < r->nr; i++)
		is_name[btf_types_rec(&r->distilled->types, r->targets[i].id)[BTF_REC_NAME]] = true;
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		uint32_t i = 0;

		btf_rec_each_name(btf_types_rec(t, id), name)
		{
			if (*name && *name < len && !is_name[*name])
				btf_findings_add(ret, id, i ? i - 1 : UINT32_MAX,
						 RULE_DISTILLED_STRING, NULL, *name);
			i++;
		}
	}
}

void btf_check_relocation(const struct btf_view *split, const struct btf_view *base,
			  struct btf_findings *of_split, struct btf_findings *of_distilled)
{
	CLEANUP(relocation_release)
	struct relocation r = { .split = split, .distilled = split->base, .base = base };

	list_targets(&r);
	count_namesakes(&r);
	map_targets(&r, of_distilled);
	check_distilled_strings(&r, of_split);
	btf_findings_sort(of_split);
	btf_findings_sort(of_distilled);
}
