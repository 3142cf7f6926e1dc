/* SPDX-License-Identifier: GPL-2.0-only */
/* base_match.c - see base_match.h */
#include "dedup/base/base_match.h"

#include "base/vec.h"

#include <stdlib.h>

/* A base that has a type twice may need more assumptions than this; then the types do not match. */
enum { MAX_ASSUMED = 65536 };

void base_match_release(struct base_match *a)
{
	free(a->same);
	free(a->assumed.items);
}

static bool same_text(const struct base_match *a, uint32_t name, uint32_t off)
{
	return !strcmp(str_pool_text(a->strings, name), btf_view_str(a->base, a->base->base, off));
}

static bool same_name(const struct base_match *a, uint32_t name, uint32_t off)
{
	if (!name)
		return !off || same_text(a, name, off);

	const struct str_entry *e = str_pool_at(a->strings, name);
	if (!e->in_base)
		return false;
	return e->offset == off || (a->base_strings->repeats && same_text(a, name, off));
}

/* Types without a name are compared later, and count as the same until then. */
static bool same_ref(struct base_match *a, pool_ref r, uint32_t base)
{
	if (!r || !base)
		return !r && !base;
	if (!pool_ref_is_named(r)) {
		if (a->same[r] != base) {
			a->same[r] = base;
			vec_push(&a->assumed, ((struct assumed){ r, base }));
		}
		return a->assumed.nr < MAX_ASSUMED;
	}

	const uint32_t *rec = base_match_rec(a, base);
	pool_ref there = pool_ref_to(rec, 0);
	return pool_ref_is_named(there) && pool_ref_space(there) == pool_ref_space(r) &&
	       same_name(a, pool_ref_name(r), rec[BTF_REC_NAME]);
}

/* The index type of arrays: "int", as everybody has it. */
static bool is_index(const struct base_match *a, uint32_t base)
{
	const uint32_t *rec = base ? base_match_rec(a, base) : NULL;

	return rec && btf_info_kind(rec[BTF_REC_INFO]) == BTF_INT && rec[BTF_REC_SIZE_TYPE] == 4 &&
	       !strcmp(btf_view_str(a->base, a->base->base, rec[BTF_REC_NAME]), "int");
}

static bool same_elements(struct base_match *a, const struct btf_kind_layout *l,
			  const uint32_t *rec, const uint32_t *theirs, uint32_t vlen)
{
	for (uint32_t i = 0; i < vlen; i++, rec += l->elem, theirs += l->elem) {
		for (uint32_t w = 0; w < l->elem; w++) {
			bool same = (int)w == l->elem_name ? same_name(a, rec[w], theirs[w]) :
				    btf_elem_is_type(l, w) ? same_ref(a, rec[w], theirs[w]) :
							     rec[w] == theirs[w];

			if (!same)
				return false;
		}
	}
	return true;
}

static bool same_record(struct base_match *a, const uint32_t *rec, const uint32_t *theirs)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]), vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	const struct btf_kind_layout *l = btf_kind_layout(kind);

	if (!l->words || rec[BTF_REC_INFO] != theirs[BTF_REC_INFO] ||
	    !same_name(a, rec[BTF_REC_NAME], theirs[BTF_REC_NAME]))
		return false;
	if (l->main_is_type ? !same_ref(a, rec[BTF_REC_SIZE_TYPE], theirs[BTF_REC_SIZE_TYPE]) :
			      rec[BTF_REC_SIZE_TYPE] != theirs[BTF_REC_SIZE_TYPE])
		return false;
	rec += BTF_REC_WORDS;
	theirs += BTF_REC_WORDS;
	if (kind == BTF_ARRAY)
		return rec[2] == theirs[2] && is_index(a, theirs[1]) &&
		       same_ref(a, rec[0], theirs[0]);
	for (uint32_t i = 0; i < l->fixed; i++) {
		if (rec[i] != theirs[i])
			return false;
	}
	return same_elements(a, l, rec + l->fixed, theirs + l->fixed, vlen);
}

bool base_match_types(struct base_match *a, uint32_t id, uint32_t base)
{
	bool same = same_ref(a, id, base);

	for (; same && a->assumed.done < a->assumed.nr; a->assumed.done++) {
		struct assumed next = a->assumed.items[a->assumed.done];

		same = same_record(a, type_pool_at(a->types, next.id)->rec,
				   base_match_rec(a, next.base));
	}
	for (size_t i = 0; !same && i < a->assumed.nr; i++)
		a->same[a->assumed.items[i].id] = 0;
	a->assumed.nr = a->assumed.done = 0;
	return same;
}
