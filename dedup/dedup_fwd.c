/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_fwd.c - declarations that no comparison of graphs has bound
 *
 * Such a FWD is bound now if exactly one canonical struct or union has its name, in
 * base or own types, and it is of the FWD's kind. A struct and a union of one name
 * stand in each other's way.
 *
 * Few FWDs are left at this point, many structs: so their names are collected, and
 * one pass over the structs' names settles all of them.
 */
#include "base/arena.h"
#include "base/cleanup.h"
#include "dedup/dedup_internal.h"

#include <stdlib.h>

struct owner {
	uint32_t name;
	bool used;
	bool ambiguous;
	uint32_t id; /* of the struct or union; 0 until one is found */
};

struct owners {
	struct owner *slots;
	size_t mask;
};

static void owners_release(struct owners *o)
{
	free(o->slots);
}

/* The slot of @name, or the free one where it belongs. */
static struct owner *owners_at(const struct owners *o, uint32_t name)
{
	size_t i = hash_mix(name, 0) & o->mask;

	while (o->slots[i].used && o->slots[i].name != name)
		i = (i + 1) & o->mask;
	return &o->slots[i];
}

static bool is_open(const struct dedup *d, uint32_t id)
{
	return d->kind[id] == BTF_FWD && d->map[id] == id;
}

static size_t count_open(const struct dedup *d)
{
	size_t nr = 0;

	for (uint32_t id = d->first; id < d->end; id++)
		nr += is_open(d, id);
	return nr;
}

static void collect_names(const struct dedup *d, size_t nr, struct owners *o)
{
	size_t slots = 16;

	while (slots < 2 * nr)
		slots *= 2;
	o->slots = mem_zalloc(slots, sizeof(*o->slots));
	o->mask = slots - 1;
	for (uint32_t id = d->first; id < d->end; id++) {
		if (is_open(d, id)) {
			uint32_t name = dedup_rec(d, id)[BTF_REC_NAME];
			struct owner *slot = owners_at(o, name);

			slot->used = true;
			slot->name = name;
		}
	}
}

static void find_owner(const struct owners *o, uint32_t name, uint32_t id)
{
	struct owner *slot = owners_at(o, name);

	if (!slot->used)
		return; /* no FWD asks for it */
	slot->ambiguous = slot->id != 0;
	slot->id = id;
}

static void find_owners(const struct dedup *d, const struct owners *o)
{
	/* those of the base are what they are */
	for (size_t i = 0; d->base && i < d->base->owners.nr; i++)
		find_owner(o, d->base->owners.items[i].name, d->base->owners.items[i].id);
	for (uint32_t id = d->first; id < d->end; id++) {
		if (dedup_is_struct(d->kind[id]) && d->map[id] == id)
			find_owner(o, dedup_rec(d, id)[BTF_REC_NAME], id);
	}
}

void dedup_fwd(struct dedup *d)
{
	CLEANUP(owners_release) struct owners o = { 0 };
	size_t nr = count_open(d);

	if (!nr)
		return;
	collect_names(d, nr, &o);
	find_owners(d, &o);
	for (uint32_t id = d->first; id < d->end; id++) {
		if (!is_open(d, id))
			continue;

		const uint32_t *rec = dedup_rec(d, id);
		const struct owner *owner = owners_at(&o, rec[BTF_REC_NAME]);

		if (owner->id && !owner->ambiguous && d->kind[owner->id] == dedup_fwd_kind(rec))
			d->map[id] = owner->id;
	}
}
