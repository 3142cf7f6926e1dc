/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map_to_base.h - which types of a pool are sure to be merged with one of the base
 *
 * Most of what a module says its base says, too, and the rule of dedup.h finds that out type by
 * type. Where the base matches with every name of the pool (base_names.h), and no unit is needs_exact,
 * the comparison of names knows already what becomes of
 *
 *   - a struct, union or enum that the base defines the same, and a declaration of a struct or
 *     union that it defines: the base has one definition of the name, so that is the only
 *     candidate, and equal down to every name below it;
 *   - a number, if the base has it;
 *   - a pointer, qualifier or prototype of such types only, if the base has one of what they are
 *     there: these compare by words.
 *
 * These are mapped_to_base, and need not be compared again. The others are still merged by the rule:
 * typedefs, of which libbpf does not find those of a base, what leads to them without a name in
 * between, arrays, which have an index type besides, and structs without a name.
 *
 * This holds only for a base without duplicates (base_has_no_duplicates()): of two equal types, the one that is
 * found first would depend on what else is compared.
 */
#ifndef BTFENC_DEDUP_AMBIGUOUS_BASE_TWINS_H
#define BTFENC_DEDUP_AMBIGUOUS_BASE_TWINS_H

#include "dedup/ambiguous/ambiguous.h"

/*
 * @same: by pool id, what find_base_conflicts() found in the base; it must have found no other name.
 * @s: no unit is needs_exact. What is no twin for sure becomes 0.
 */
void map_to_base(const struct type_pool *types, const struct resolved_names *s, uint32_t *same);

#endif
