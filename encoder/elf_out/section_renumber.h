/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_renumber.h - take sections out of an ELF file's table, and what is defined in them
 * out of its symbol table
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_RENUMBER_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_RENUMBER_H

#include "encoder/elf_out/section_edits.h"

/*
 * Take the sections that are set in @drop, one for each of @ed, out of its table, and the
 * symbols that are defined there. All numbers of sections and symbols in what stays are
 * brought up to date, and the names that nobody has any more are taken out of the string
 * tables. ERR_FORMAT, ERR_UNSUPPORTED as section_strip(); @ed can then only be released.
 */
MUST_CHECK struct err *section_renumber(struct section_edits *ed, const bool *drop);

#endif
