/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * private_names.h - names that mean something of their own in a few units
 *
 * Shared by private_names.c, which says what is done here, common_definition.c and declared_names.c, and by
 * no others.
 */
#ifndef BTFENC_DEDUP_AMBIGUOUS_SETTLE_PRIVATE_H
#define BTFENC_DEDUP_AMBIGUOUS_SETTLE_PRIVATE_H

#include "dedup/ambiguous/ambiguous_internal.h"

/* Names are bits of a word; more of them than it has spread. */
enum { MAX_NAMES = 64 };

typedef uint64_t name_set;

struct private_names {
	struct resolver *s;
	/* by unit: names of which it has an uncommon definition, or a declaration of the common one */
	name_set *uncommon, *declared;
	/* by pool id: names whose uncommon definitions it leads to in some unit */
	name_set *leads;
	uint32_t *fwd_of; /* by pool id: ambiguous name plus 1 that it declares */
	/* what units have of types that define or declare a ambiguous name, one unit behind the other */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} met;
	size_t *met_from;   /* by unit, and one more: where its begin */
	name_set uncertain; /* names of which no definition can be the common one */
	/* walking one unit: by pool id, the last that has it, and in which it was reached */
	uint32_t *in_unit, *reached;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} todo; /* reached, and its referrers not yet */
};

static inline name_set bit(size_t name)
{
	return (name_set)1 << name;
}

static inline const struct definition *definition_of(const struct resolver *s, uint32_t id)
{
	return &s->defs.items[s->def_of[id] - 1];
}

/* Is type @id a declaration of a name? Damaged BTF has some without. */
static inline bool is_declaration(const struct resolver *s, uint32_t id)
{
	return resolver_kind(s, id) == BTF_FWD && resolver_rec(s, id)[BTF_REC_NAME];
}

/* Is declaration @id of name @d of the kind of its common definition? "union foo;" does not declare a struct. */
static inline bool declares_common(const struct resolver *s, const struct ambiguous_name *d,
				   uint32_t id)
{
	return !d->common || pool_ref_to(resolver_rec(s, d->common), d->common) ==
				     pool_ref_to(resolver_rec(s, id), id);
}

/* common_definition.c: who has what? Fills all but what follows from the choice of common definitions. */
void private_list_met(struct private_names *p);
/* common_definition.c: choose them. Of some names none can be: they spread, or all their units are needs_exact. */
void private_choose_common(struct private_names *p);
/*
 * common_definition.c: the uncommon definitions of @name are met outside: make another one the common, for
 * the @tries-th time. False if none is left.
 */
bool private_try_another(const struct private_names *p, size_t name, unsigned int tries);
/* common_definition.c: fills uncommon[] and declared[] by the present choice. */
void private_find_units(struct private_names *p);

/*
 * declared_names.c: what names mean, and what their declarations are bound to, once it is known which of
 * them are met outside. More of them may spread.
 */
void private_bind(struct private_names *p);

#endif
