/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_locals.h - find the members whose functions the linker kept
 *
 * If several members define a weak function, the linker uses the first definition in the order of the
 * members, which is that of the link. If there is a definition that is not weak, it uses that. The
 * symbol of the linked file does not show which: it may have become local, because it is hidden or
 * because of a version script.
 *
 * A static function has the address of the local symbol of its name. If several members have a static
 * function of that name, the linker may have kept only one (--gc-sections), and all members find its
 * symbol. In DWARF that one has an address and the others have 0, which decides the prototype that is
 * encoded. Here the STT_FILE symbol before it decides: it has the name of a unit, without folders.
 */
#ifndef BTFENC_ENCODER_MEMBER_MEMBER_LOCALS_H
#define BTFENC_ENCODER_MEMBER_MEMBER_LOCALS_H

#include "encoder/select/func_select.h"

/*
 * Remove the addresses of the functions with UNIT_FUNC_WEAK that the linker did not use, and clear that flag of
 * all. @syms: the symbols of the first file, to which the members belong.
 */
void member_weak_resolve(struct func_select *l, const struct symbols *syms);
/*
 * Remove the addresses of the functions with UNIT_FUNC_LOCAL that the linker dropped. @units: all of the
 * program, by number. @syms: the symbols of its first file, to which the members belong.
 */
void member_locals_resolve(struct func_select *l, const struct unit_btf *const *units,
			   const struct symbols *syms, const struct str_pool *strings);

#endif
