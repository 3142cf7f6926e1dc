/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_section.h - the .BTF section of an object, with its relocations applied */
#ifndef BTFENC_LOADER_BTF_BTF_SECTION_H
#define BTFENC_LOADER_BTF_BTF_SECTION_H

#include "base/diagnostics.h"
#include "loader/elf/object.h"

/*
 * The .BTF section of @o that is not empty, or NULL. ERR_UNSUPPORTED, naming the file, if there are
 * several: linkers merge sections of one type and with the same flags only, and it is unknown which of
 * several is complete.
 */
MUST_CHECK struct err *btf_section_find(const struct object *o, const struct object_section **ret);

/*
 * The bytes of the .BTF section of @o. In an ET_REL file the relocations are applied, so that the offset
 * of a variable is its offset in the section. If *ret_own is not NULL, it is the memory of *ret, which
 * the caller frees; else *ret borrows from @o. *ret is empty if there is no section or an empty one.
 *
 * Relocations that do not fit the content of .BTF were left by a program that rewrote .BTF. If one does
 * not fit, none of its member is applied; one warning for each relocation section gives offset and
 * reason. BTF that cannot be read stays unchanged: opening it reports the error.
 *
 * ERR_FORMAT, naming the file, if a table of relocations or symbols is broken; errors of
 * btf_section_find().
 */
MUST_CHECK struct err *btf_section_read(const struct object *o, struct diagnostics *diags,
					struct bytes *ret, uint8_t **ret_own);

/* The error for @o, which has no .BTF or an empty one. It tells how to generate BTF from its DWARF. */
MUST_CHECK struct err *btf_section_missing(const struct object *o);

#endif
