/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map_to_base.h - types that are known to be in the base before deduplication
 *
 * Most types of a module are in its base. If no name of the pool conflicts with the base
 * (base_names.h), and no unit needs exact dedup, then the comparison of names determines with which
 * type of the base libbpf's rules will merge each of these types:
 *
 *   - a struct, union or enum that the base defines equally, and a declaration of a struct or union
 *     that the base defines: the base has one definition of the name, which is the only candidate;
 *   - a number that the base has;
 *   - a pointer, qualifier or prototype of such types, if the base has it: libbpf compares these
 *     by their words (docs/spec/dedup.md 3.10).
 *
 * emit_types.c emits no records for them. That saves 6 % of the CPU time of 284 modules. The rules
 * still merge typedefs, which libbpf does not find in a base (docs/spec/dedup.md 3.9), arrays,
 * structs without a name, and what leads to one of these without a name in between.
 *
 * This holds only for a base without duplicates (base_has_no_duplicates()): of two equal types, the
 * order of the candidates would decide (docs/spec/dedup.md 3.5).
 */
#ifndef BTFENC_DEDUP_AMBIGUOUS_MAP_TO_BASE_H
#define BTFENC_DEDUP_AMBIGUOUS_MAP_TO_BASE_H

#include "dedup/ambiguous/ambiguous.h"

/*
 * @same: by pool id, the type of the base that find_base_conflicts() found, which must have found no
 * conflict. Types that are not known to be merged with it become 0. @s: no unit needs exact dedup.
 */
void map_to_base(const struct type_pool *types, const struct resolved_names *s, uint32_t *same);

#endif
