/* SPDX-License-Identifier: GPL-2.0-only */
/* enum_kinds.c - see enum_kinds.h */
#include "encoder/select/enum_kinds.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_long_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Each unit has listed what it was the first to say: see unit_btf.enums. */
static void find_names(const struct unit_btf *const *units, size_t nr_units, struct enum_kinds *k)
{
	struct {
		uint32_t *items;
		size_t nr, cap;
	} all = { 0 };

	for (size_t u = 0; u < nr_units; u++) {
		for (size_t i = 0; i < units[u]->enums.nr; i++)
			vec_push(&all, units[u]->enums.items[i]);
	}
	if (all.nr)
		qsort(all.items, all.nr, sizeof(all.items[0]), by_number);
	/* of one name, those of 32 bits come first */
	for (size_t i = 1; i < all.nr; i++) {
		if (all.items[i] == (all.items[i - 1] | 1) && !(all.items[i - 1] & 1))
			vec_push(&k->names, all.items[i] >> 1);
	}
	free(all.items);
}

static bool is_name(const struct enum_kinds *k, uint32_t name)
{
	return bsearch(&name, k->names.items, k->names.nr, sizeof(name), by_number);
}

static void find_wide(const struct type_pool *types, const struct unit_btf *f, struct enum_kinds *k)
{
	for (size_t t = 1; t < f->types.nr; t++) {
		uint32_t id = f->types.items[t];
		const uint32_t *rec = id ? type_pool_at(types, id)->rec : NULL;

		if (rec && btf_info_kind(rec[BTF_REC_INFO]) == BTF_ENUM64 &&
		    is_name(k, rec[BTF_REC_NAME]))
			vec_push(&k->wide, (uint64_t)rec[BTF_REC_NAME] << 32 | f->unit);
	}
}

void enum_kinds_find(const struct type_pool *types, const struct unit_btf *const *units,
		     size_t nr_units, struct enum_kinds *ret)
{
	find_names(units, nr_units, ret);
	if (!ret->names.nr)
		return;
	for (size_t u = 0; u < nr_units; u++)
		find_wide(types, units[u], ret);
	if (ret->wide.nr)
		qsort(ret->wide.items, ret->wide.nr, sizeof(ret->wide.items[0]), by_long_number);
}

void enum_kinds_release(struct enum_kinds *k)
{
	free(k->names.items);
	free(k->wide.items);
	*k = (struct enum_kinds){ 0 };
}

bool enum_kinds_is_wide(const struct enum_kinds *k, uint32_t unit, uint32_t name)
{
	uint64_t key = (uint64_t)name << 32 | unit;

	return k->wide.nr && bsearch(&key, k->wide.items, k->wide.nr, sizeof(key), by_long_number);
}
