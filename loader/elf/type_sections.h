/* SPDX-License-Identifier: GPL-2.0-only */
/* type_sections.h - the type units of a relocatable file, one section each */
#ifndef BTFENC_LOADER_ELF_TYPE_SECTIONS_H
#define BTFENC_LOADER_ELF_TYPE_SECTIONS_H

#include "loader/elf/object.h"

/*
 * Concatenate the sections @indexes of @o, inflated and relocated. *ret belongs to the caller
 * (free()); OBJECT_PADDING zeros follow the *len bytes. Errors as of object_open().
 */
MUST_CHECK struct err *type_sections_join(const struct object *o, const size_t *indexes, size_t nr,
					  uint8_t **ret, size_t *len_ret);

#endif
