/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_alike.h - compare two types of one BTF without a graph of all types
 *
 * A module repeats typedefs of its base, and nearly all are the same. This comparison is cheap and
 * finds those. Only for the others the graph of btf_copies.h is needed.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_ALIKE_H
#define BTFENC_BTF_COMPARE_BTF_ALIKE_H

#include "btf/btf_view.h"

/*
 * The kind of the named type that @rec defines: BTF_STRUCT, BTF_UNION, BTF_TYPEDEF, or BTF_ENUM (also for
 * ENUM64). BTF_UNKN if it defines none.
 */
enum btf_kind btf_defined_kind(const uint32_t *rec);

/*
 * Are types @a and @b of @v the same, where named types below them count as the same if kind and name
 * are? Also false if more than a few types have to be compared. DECL_TAGs are ignored.
 */
bool btf_alike_at_sight(const struct btf_view *v, uint32_t a, uint32_t b);

#endif
