/* SPDX-License-Identifier: GPL-2.0-only */
/* header_asserts.h - checks that the compiler gives the structs of a C header the layout that they have in BTF */
#ifndef BTFENC_CMD_PRINT_HEADER_ASSERTS_H
#define BTFENC_CMD_PRINT_HEADER_ASSERTS_H

#include "btf/btf_view.h"

/*
 * Print to standard output a check for each named struct and union of @v and its bases that C does not lay out
 * like this by itself: packed ones, and those with aligned members. @addr_size: of a pointer, 0 if unknown. @v is
 * sound, and no struct contains itself.
 */
void header_asserts_print(const struct btf_view *v, uint8_t addr_size);

#endif
