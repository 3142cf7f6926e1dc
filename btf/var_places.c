/* SPDX-License-Identifier: GPL-2.0-only */
/* var_places.c - see var_places.h */
#include "btf/var_places.h"

#include "base/sort.h"
#include "btf/btf_kind.h"

static int by_var(const void *a, const void *b)
{
	const struct var_place *x = a, *y = b;

	if (x->var != y->var)
		return x->var < y->var ? -1 : 1;
	return (x->section > y->section) - (x->section < y->section);
}

void var_places_find(const struct btf_view *v, struct var_places *ret)
{
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id), *e = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) != BTF_DATASEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, e += 3)
			vec_push(ret, ((struct var_place){ e[0], id, e[1], e[2] }));
	}
	vec_sort(ret, by_var);
}

const struct var_place *var_places_of(const struct var_places *p, uint32_t var)
{
	size_t i = LOWER_BOUND(0, p->nr, k, p->items[k].var < var);

	return i < p->nr && p->items[i].var == var ? &p->items[i] : NULL;
}

void var_places_release(struct var_places *p)
{
	free(p->items);
	*p = (struct var_places){ 0 };
}
