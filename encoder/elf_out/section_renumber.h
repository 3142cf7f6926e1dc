/* SPDX-License-Identifier: GPL-2.0-only */
/* section_renumber.h - remove sections from an ELF file's table, and their symbols */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_RENUMBER_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_RENUMBER_H

#include "encoder/elf_out/section_edits.h"

/*
 * Remove the sections that are set in @drop, an array with an entry for each section of @ed, and the
 * symbols that they define. Updates all numbers of sections and symbols in the rest, and removes
 * unused names. ERR_FORMAT, ERR_UNSUPPORTED as section_strip(); @ed can then only be released.
 */
MUST_CHECK struct err *section_renumber(struct section_edits *ed, const bool *drop);

/*
 * Remove the entries of type SHT_NULL from the table, of this and of earlier runs, if @ed changes the
 * file. Their symbols go with them. dwz destroys a file that has such an entry between others. If
 * the numbers cannot change, each becomes an empty section without a name.
 */
void section_drop_unused(struct section_edits *ed);

#endif
