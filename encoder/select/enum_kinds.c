/* SPDX-License-Identifier: GPL-2.0-only */
/* enum_kinds.c - see enum_kinds.h */
#include "encoder/select/enum_kinds.h"

#include "base/sort.h"

#include <stdlib.h>

static void sort(struct enum_list *l)
{
	vec_sort(l, by_uint64);
}

static bool has(const struct enum_list *l, uint64_t item)
{
	return l->nr && bsearch(&item, l->items, l->nr, sizeof(item), by_uint64);
}

static uint64_t in_unit(uint32_t name, uint32_t unit)
{
	return (uint64_t)name << 32 | unit;
}

/* Each unit lists the enums that it may be the first to have (unit_btf.enums). */
static void find_names(const struct unit_btf *const *units, size_t nr_units, struct enum_kinds *k)
{
	struct enum_list all = { 0 };

	for (size_t u = 0; u < nr_units; u++) {
		for (size_t i = 0; i < units[u]->enums.nr; i++)
			vec_push(&all, units[u]->enums.items[i]);
	}
	sort(&all);
	/* of one name, those of 32 bits come first */
	for (size_t i = 1; i < all.nr; i++) {
		if (all.items[i] == (all.items[i - 1] | 1) && !(all.items[i - 1] & 1))
			vec_push(&k->names, all.items[i] >> 1);
	}
	free(all.items);
}

static void find_wide(const struct type_pool *types, const struct unit_btf *f, struct enum_kinds *k)
{
	id_list_each(f->packed, t)
	{
		const uint32_t *rec = t.id ? type_pool_at(types, t.id)->rec : NULL;

		if (rec && btf_rec_kind(rec) == BTF_ENUM64 && has(&k->names, rec[BTF_REC_NAME]))
			vec_push(&k->wide, in_unit(rec[BTF_REC_NAME], f->unit));
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
	sort(&ret->wide);
}

void enum_kinds_release(struct enum_kinds *k)
{
	free(k->names.items);
	free(k->wide.items);
	*k = (struct enum_kinds){ 0 };
}

bool enum_kinds_is_wide(const struct enum_kinds *k, uint32_t unit, uint32_t name)
{
	return has(&k->wide, in_unit(name, unit));
}
