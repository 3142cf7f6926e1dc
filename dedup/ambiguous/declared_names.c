/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * declared_names.c - what does a declaration of a name with several definitions mean?
 *
 * With two definitions around, a declaration is bound only by comparing graphs, no longer
 * because the name is unique. So if a unit that is not needs_exact declares a name that has a common
 * definition, the name propagates.
 */
#include "dedup/ambiguous/private_names.h"

#include <stdlib.h>

/* Names with a common definition mean that one. */
static void set_meanings(struct resolver *s)
{
	for (size_t n = 0; n < s->ambiguous.nr; n++) {
		uint32_t id = s->ambiguous.items[n].common;

		if (id) {
			pool_ref r = pool_ref_to(resolver_rec(s, id), id);

			*name_meaning(s, r) = id;
		}
	}
}

/*
 * A unit that only declares a name may refer to its common definition, which the rule decides by
 * comparing graphs. So the rule sees what each unit says.
 */
static void propagate_declared(const struct private_names *p)
{
	struct resolver *s = p->s;
	name_set declared = 0;

	for (size_t u = 0; u < s->nr_units; u++)
		declared |= p->declared[u] & ~p->uncommon[u];
	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
		struct ambiguous_name *d = &s->ambiguous.items[n];

		d->propagates |= d->common && (declared & bit(n));
	}
}

/*
 * What leads to an uncommon definition may itself be several things by the rule, even if
 * all say the same. The units that are not needs_exact do not have it, and where they declare it
 * the rule has to see the declaration.
 */
static void keep_declarations(struct private_names *p)
{
	struct resolver *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_declaration(s, id))
			continue;
		pool_ref r = pool_ref_to(resolver_rec(s, id), id);
		uint32_t *meaning = name_meaning(s, r);

		if (p->fwd_of[id]) {
			const struct ambiguous_name *d = &s->ambiguous.items[p->fwd_of[id] - 1];

			if (!d->propagates && (!d->common || !declares_common(s, d, id)))
				*meaning = id;
		} else if (p->leads[*meaning]) {
			*meaning = id;
		}
	}
}

void private_bind(struct private_names *p)
{
	set_meanings(p->s);
	propagate_declared(p);
	keep_declarations(p);
}
