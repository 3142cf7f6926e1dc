/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_section.h - the .BTF section of an object, and the relocations that may belong to it */
#ifndef BTFENC_LOADER_BTF_BTF_SECTION_H
#define BTFENC_LOADER_BTF_BTF_SECTION_H

#include "base/diagnostics.h"
#include "loader/elf/object.h"

/*
 * The .BTF section of @o that is not empty, NULL if there is none. ERR_UNSUPPORTED, naming the file, if
 * there are several: linkers put together what is of one type and has the same flags, and whose part
 * would be left out nobody could tell.
 */
MUST_CHECK struct err *btf_section_find(const struct object *o, const struct object_section **ret);

/*
 * The bytes of the .BTF section of @o, with relocations applied that nobody has applied yet:
 * those of an ET_REL file, where a variable's offset then is the one in its section. If
 * *ret_own is not NULL, it is the memory of *ret, for the caller to free; else *ret borrows
 * from @o. No section, or an empty one: *ret is empty.
 *
 * Relocations that do not fit what .BTF says are those of another .BTF, left behind by a
 * program that rewrote it. If one does not fit, none of its member's is applied; one warning
 * in @diags for each section of them says where and why. BTF that cannot be read stays as it
 * is: whoever reads it will say so.
 *
 * ERR_FORMAT, naming the file, if a table of relocations or symbols is broken; errors of
 * btf_section_find().
 */
MUST_CHECK struct err *btf_section_read(const struct object *o, struct diagnostics *diags,
					struct bytes *ret, uint8_t **ret_own);

#endif
