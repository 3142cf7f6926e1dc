/* SPDX-License-Identifier: GPL-2.0-only */
/* section_strip.h - remove DWARF from an ELF file */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_STRIP_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_STRIP_H

#include "encoder/elf_out/section_edits.h"

/*
 * Drop all DWARF of @ed, after the last section_edits_set() and before section_edits_plan(). Errors,
 * after which @ed can only be released: ERR_FORMAT for broken tables; ERR_UNSUPPORTED, with the
 * name of a section, if it stays and refers to a dropped one, or refers to sections or symbols in
 * an unknown form.
 */
MUST_CHECK struct err *section_strip(struct section_edits *ed, struct diagnostics *diags);

/* Would section_strip() drop anything? */
bool section_has_dwarf(const struct section_table *t);

#endif
