/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_locals.h - whose function is it that was linked?
 *
 * Of several weak definitions the first is the one that is used, in the order of the members, which
 * is that of the link; and none, if there is one that is not weak. The symbol does not tell: it may
 * be local by now, because it is hidden or a version script says so.
 *
 * A static function of a member is where the local symbol of its name is. Of several members that
 * have one of that name the linker may have kept one only (--gc-sections), and all of them find
 * its symbol. The debug information has an address for that one and 0 for the others, which
 * decides whose prototype is described. Here the STT_FILE symbol before it tells: it has the
 * name of a unit, without folders.
 */
#ifndef BTFENC_ENCODER_MEMBER_MEMBER_LOCALS_H
#define BTFENC_ENCODER_MEMBER_MEMBER_LOCALS_H

#include "encoder/select/func_select.h"

/*
 * Take the addresses of functions with UNIT_FUNC_WEAK from those that are not used, and that flag
 * from all. @syms are those of the program's first file, which the members belong to.
 */
void member_weak_resolve(struct func_select *l, const struct symbols *syms);
/*
 * Take the addresses of functions with UNIT_FUNC_LOCAL from those that are not meant. @units are
 * all of the program, by number; @syms those of its first file, which the members belong to.
 */
void member_locals_resolve(struct func_select *l, const struct unit_btf *const *units,
			   const struct symbols *syms, const struct str_pool *strings);

#endif
