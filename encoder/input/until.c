/* SPDX-License-Identifier: GPL-2.0-only */
/* until.c - see until.h */
#include "encoder/input/until.h"

#include "base/sort.h"

#include <stdlib.h>

static int compare_strings(const void *a, const void *b)
{
	const struct until_type *x = a, *y = b;

	return x->string < y->string ? -1 : x->string > y->string;
}

void until_begin(struct until *u, struct str_pool *strings)
{
	for (size_t i = 0; i < u->nr; i++)
		u->types[i].string = str_pool_add(strings, u->types[i].name,
						  strlen(u->types[i].name));
	if (u->nr)
		qsort(u->types, u->nr, sizeof(u->types[0]), compare_strings);
	u->seen = 1;
}

/* An enum without enumerators may be a declaration. */
static bool is_definition(uint32_t info)
{
	enum btf_kind kind = btf_info_kind(info);

	return !btf_kind_is_enum(kind) || btf_info_vlen(info);
}

static void look_at(struct until *u, const uint32_t *rec)
{
	uint32_t name = rec[BTF_REC_NAME], info = rec[BTF_REC_INFO];

	if (!name || !is_definition(info))
		return;
	for (size_t i = LOWER_BOUND(0, u->nr, k, u->types[k].string < name);
	     i < u->nr && u->types[i].string == name; i++) {
		if (u->types[i].found || !(u->types[i].kinds >> btf_info_kind(info) & 1))
			continue;
		u->types[i].found = true;
		u->nr_found++;
	}
}

bool until_reached(struct until *u, const struct type_pool *types)
{
	uint32_t end = atomic_load(&types->end);

	if (!u->nr)
		return false;
	for (; u->seen < end; u->seen++)
		look_at(u, type_pool_at(types, u->seen)->rec);
	return u->nr_found == u->nr;
}
