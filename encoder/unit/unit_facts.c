/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_facts.c - see unit_facts.h */
#include "encoder/unit/unit_facts.h"

#include "base/cleanup.h"

#include <stdlib.h>

void unit_facts_clear(struct unit_facts *f)
{
	f->head = (struct facts_head){ 0 };
	f->funcs.nr = f->vars.nr = f->tags.nr = f->words.nr = 0;
	f->inlined.nr = f->sites.nr = f->places.nr = f->place_slots.nr = 0;
	vec_push(&f->words, 0);
}

void unit_facts_release(struct unit_facts *f)
{
	FREE_ALL(f->funcs.items, f->vars.items, f->tags.items, f->words.items, f->inlined.items,
		 f->sites.items, f->places.items, f->place_slots.items);
	*f = (struct unit_facts){ 0 };
}
