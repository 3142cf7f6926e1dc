/* SPDX-License-Identifier: GPL-2.0-only */
/* own_types.c - see own_types.h: open addressing, at most half full */
#include "encoder/unit/own_types.h"

#include "base/hash.h"

#include <stdlib.h>

void own_types_init(struct own_types *o, size_t nr)
{
	size_t slots = 2;

	while (slots < nr * 2)
		slots *= 2;
	o->slots = mem_zalloc(slots, sizeof(o->slots[0]));
	o->mask = slots - 1;
}

void own_types_release(struct own_types *o)
{
	free(o->slots);
	*o = (struct own_types){ 0 };
}

static struct own_type *slot_of(const struct own_types *o, pool_ref ref)
{
	size_t i = hash_mix(ref, 0) & o->mask;

	while (o->slots[i].ref && o->slots[i].ref != ref)
		i = (i + 1) & o->mask;
	return &o->slots[i];
}

void own_types_add(struct own_types *o, pool_ref ref, uint32_t id)
{
	struct own_type *slot = slot_of(o, ref);

	if (!slot->ref)
		*slot = (struct own_type){ ref, id };
}

uint32_t own_types_find(const struct own_types *o, pool_ref ref)
{
	return o->slots ? slot_of(o, ref)->id : 0;
}
