/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_alike.h - are two types of one BTF the same, as far as that is seen without a graph of all?
 *
 * A module has the typedefs of its base once more, and nearly all are the same. Whoever asks about
 * each can leave those out here, and make the graph (btf_copies.h) for the few that are left, if any.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_ALIKE_H
#define BTFENC_BTF_COMPARE_BTF_ALIKE_H

#include "btf/btf_view.h"

/*
 * What @rec defines by a name: BTF_STRUCT, BTF_UNION, BTF_TYPEDEF, or BTF_ENUM for ENUM64, too;
 * BTF_UNKN if it defines none.
 */
uint32_t btf_defined_kind(const uint32_t *rec);

/*
 * Are types @a and @b of @v the same up to what is defined by a name, which is the same if
 * kind and name are? False if they lead to more than a few others, too. DECL_TAGs are not
 * looked for.
 */
bool btf_alike_at_sight(const struct btf_view *v, uint32_t a, uint32_t b);

#endif
