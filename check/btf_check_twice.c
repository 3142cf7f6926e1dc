/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_twice.c - find duplicate definitions
 *
 * The kernel accepts duplicates, but a lookup by name finds one of them, and two copies of a struct are
 * different types. Two types are duplicates if dedup/ would merge them. Only named definitions, and places
 * of parameters, are reported: copies of other nameless types follow from them.
 *
 * Types of a module that its base also has are warnings, because pahole leaves some of them: typedefs,
 * which are skipped, and sometimes a struct. Types that share only their name are warnings as well: C
 * allows that for static functions, and ELF for sections. The functions of inline sites are not reported:
 * a function with a body that is inlined as well has another FUNC there, if it is global or if its
 * prototype differs.
 */
#include "check/btf_check_internal.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "btf/btf_kind.h"
#include "dedup/dedup.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

/* Only own strings, which are few where there is a base. */
struct names {
	const struct btf_view *v;
	uint32_t *
		stands_for; /* by own offset: the same for equal strings, that of the base if it has one */
};

static void names_release(struct names *n)
{
	free(n->stands_for);
}

static void names_init(struct names *n, const struct btf_view *v)
{
	CLEANUP(name_ids_release) struct name_ids ids = { 0 };
	CLEANUP(vec_release) VEC(uint32_t) offsets = { 0 }; /* by id - 1 */
	const char *own = (const char *)v->strings.ptr;

	n->v = v;
	n->stands_for = mem_alloc(v->strings.len * sizeof(*n->stands_for));
	for (uint32_t i = 0; i < v->strings.len; i++)
		n->stands_for[i] = v->str_base + i;
	for (size_t i = 0; i < v->strings.len; i += strlen(own + i) + 1) {
		n->stands_for[i] = name_ids_add(&ids, own + i);
		if (n->stands_for[i] > offsets.nr)
			vec_push(&offsets, v->str_base + (uint32_t)i);
	}
	for (const struct btf_view *base = offsets.nr ? v->base : NULL; base; base = base->base) {
		const char *s = (const char *)base->strings.ptr;

		for (size_t i = 0; i < base->strings.len; i += strlen(s + i) + 1) {
			uint32_t id = name_ids_find(&ids, s + i);

			if (id)
				offsets.items[id - 1] = base->str_base + (uint32_t)i;
		}
	}
	for (size_t i = 0; i < v->strings.len; i += strlen(own + i) + 1)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it has one of each string */
		n->stands_for[i] = offsets.items[n->stands_for[i] - 1];
}

static uint32_t names_find(const struct names *n, uint32_t off)
{
	return off < n->v->str_base ? off : n->stands_for[off - n->v->str_base];
}

/* Copy the own records, with equal numbers for equal strings, as dedup_run() needs them. */
static void copy_types(const struct btf_types *t, const struct names *names, struct btf_types *ret)
{
	btf_types_init(ret, t->base);
	vec_reserve(&ret->words, t->words.nr);
	vec_reserve(&ret->start, t->start.nr);
	if (!t->start.nr)
		return;
	memcpy(ret->words.items, t->words.items, t->words.nr * sizeof(uint32_t));
	memcpy(ret->start.items, t->start.items, t->start.nr * sizeof(uint32_t));
	ret->words.nr = t->words.nr;
	ret->start.nr = t->start.nr;
	for (uint32_t id = ret->first; id < btf_types_end(ret); id++) {
		btf_rec_each_name(btf_types_rec(ret, id), name) *name = names_find(names, *name);
	}
}

/* A declaration beside its definition is harmless. */
static bool is_definition(const uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);

	if (kind == BTF_LOC_PARAM || kind == BTF_LOC_PROTO)
		return true;
	if (!rec[BTF_REC_NAME] || btf_rec_is_declaration(rec))
		return false;
	return btf_kind_layouts[kind].space != BTF_SPACE_NONE || kind == BTF_DECL_TAG;
}

static bool has_breach(const struct btf_findings *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		if (!btf_rule(f->items[i].rule)->warning)
			return true;
	}
	return false;
}

/*
 * Types that deduplication would merge into another one. It fails for types that break a rule, which has
 * its finding; for cycles without a struct, which the kernel accepts; and if it gives up.
 */
static void check_merged(const struct btf_types *t, struct btf_types *copy, bool over_distilled,
			 struct btf_findings *ret)
{
	uint32_t end = btf_types_end(t);
	uint32_t *ids = mem_zalloc(end, sizeof(*ids)), *owner = mem_zalloc(end, sizeof(*owner));
	struct err *e = dedup_run(copy, &(struct dedup_opts){ .ids = ids });

	for (uint32_t id = t->first; !e && id < end; id++) {
		const uint32_t *rec = btf_types_rec(t, id);
		uint32_t other = ids[id] < t->first ? ids[id] : owner[ids[id]];

		if (!other)
			owner[ids[id]] = id;
		else if (over_distilled && btf_rec_kind(rec) == BTF_TYPEDEF)
			continue; /* it was in the base, and is a copy now */
		else if (is_definition(rec) &&
			 btf_rec_kind(rec) == btf_rec_kind(btf_types_rec(t, other)))
			btf_findings_add(ret, id, NONE,
					 other < t->first ? RULE_TWICE_BASE : RULE_TWICE, NULL,
					 other);
	}
	if (e && !has_breach(ret))
		btf_findings_add(ret, 0, NONE, RULE_TWICE_UNKNOWN, NULL, 0);
	err_free(e);
	free(ids);
	free(owner);
}

/* By id: is it the function of an inline site? */
static bool *find_inlined(const struct btf_types *t)
{
	bool *inlined = mem_zalloc(btf_types_end(t), sizeof(*inlined));

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id), *site = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) != BTF_LOCSEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS)
			inlined[site[BTF_SITE_FUNC]] = true;
	}
	return inlined;
}

/* Find functions or sections with the same name. All names are below @end. */
static void check_namesakes(const struct btf_types *t, const struct names *names, uint32_t end,
			    enum btf_kind kind, enum btf_rule_id rule, struct btf_findings *ret)
{
	CLEANUP(mem_free) bool *skipped = find_inlined(t);
	uint32_t *last = mem_zalloc(end, sizeof(*last));

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id);

		if (btf_rec_kind(rec) != (uint32_t)kind || skipped[id])
			continue;

		uint32_t *seen = &last[names_find(names, rec[BTF_REC_NAME])];
		if (*seen && (kind != BTF_FUNC ||
			      memcmp(btf_types_rec(t, *seen), rec, BTF_REC_WORDS * sizeof(*rec))))
			btf_findings_add(ret, id, NONE, rule, NULL, *seen);
		*seen = id;
	}
	free(last);
}

/* A variable must not be in several sections. */
static void check_var_sections(const struct btf_types *t, struct btf_findings *ret)
{
	CLEANUP(mem_free) uint32_t *section = mem_zalloc(btf_types_end(t), sizeof(*section));

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id), *var = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) != BTF_DATASEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3) {
			if (section[var[0]])
				btf_findings_add(ret, id, i, RULE_TWICE_VAR, NULL, section[var[0]]);
			section[var[0]] = var[0] ? id : 0;
		}
	}
}

void check_twice(const struct btf_view *v, bool over_distilled, struct btf_findings *ret)
{
	CLEANUP(btf_types_release) struct btf_types copy = { 0 };
	CLEANUP(names_release) struct names names = { 0 };
	uint32_t end = v->str_base + (uint32_t)v->strings.len + 1;

	names_init(&names, v);
	check_namesakes(&v->types, &names, end, BTF_FUNC, RULE_TWICE_FUNC, ret);
	check_namesakes(&v->types, &names, end, BTF_DATASEC, RULE_TWICE_SECTION, ret);
	check_namesakes(&v->types, &names, end, BTF_LOCSEC, RULE_TWICE_SECTION, ret);
	check_var_sections(&v->types, ret);

	/* dedup_run() changes the copy */
	copy_types(&v->types, &names, &copy);
	check_merged(&v->types, &copy, over_distilled, ret);
}
