/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_fwd.c - bind the declarations that no comparison of graphs has bound
 *
 * A FWD is bound if exactly one canonical struct or union of the base or the split has its name,
 * and that is of the FWD's kind. If a struct and a union share the name, the FWD stays.
 *
 * At this point few FWDs are left, but many structs, so the names of the FWDs are collected first.
 */
#include "base/cleanup.h"
#include "base/hash_table.h"
#include "dedup/dedup_internal.h"

/* Values for a name that has no struct or union yet, and for one that has several. */
enum { OWNER_NONE = UINT32_MAX, OWNER_SEVERAL = UINT32_MAX - 1 };

static bool is_open(const struct dedup *d, uint32_t id)
{
	return d->kind[id] == BTF_FWD && d->map[id] == id;
}

static uint64_t *owner_of(const struct hash_table *owners, uint32_t name)
{
	return HASH_SLOT(owners, hash_key32(name), id, true);
}

static void collect_names(const struct dedup *d, struct hash_table *owners)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		if (is_open(d, id)) {
			uint32_t name = dedup_rec(d, id)[BTF_REC_NAME];

			hash_table_reserve(owners, 1);
			hash_table_set(owners, owner_of(owners, name), hash_key32(name),
				       OWNER_NONE);
		}
	}
}

static void find_owner(struct hash_table *owners, uint32_t name, uint32_t id)
{
	uint64_t *slot = owner_of(owners, name);

	if (*slot)
		hash_table_set(owners, slot, hash_key32(name),
			       (uint32_t)*slot == OWNER_NONE ? id : OWNER_SEVERAL);
}

static void find_owners(const struct dedup *d, struct hash_table *owners)
{
	for (size_t i = 0; d->base && i < d->base->owners.nr; i++)
		find_owner(owners, d->base->owners.items[i].name, d->base->owners.items[i].id);
	for (uint32_t id = d->first; id < d->end; id++) {
		if (btf_kind_is_struct(d->kind[id]) && d->map[id] == id)
			find_owner(owners, dedup_rec(d, id)[BTF_REC_NAME], id);
	}
}

void dedup_fwd(struct dedup *d)
{
	CLEANUP(hash_table_release) struct hash_table owners = { 0 };

	collect_names(d, &owners);
	if (!owners.nr)
		return;
	find_owners(d, &owners);
	for (uint32_t id = d->first; id < d->end; id++) {
		if (!is_open(d, id))
			continue;

		const uint32_t *rec = dedup_rec(d, id);
		uint32_t owner = (uint32_t)*owner_of(&owners, rec[BTF_REC_NAME]);

		if (owner < OWNER_SEVERAL && d->kind[owner] == dedup_fwd_kind(rec))
			d->map[id] = owner;
	}
}
