/* SPDX-License-Identifier: GPL-2.0-only */
/* section_strip.h - an ELF file without its DWARF */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_STRIP_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_STRIP_H

#include "encoder/elf_out/section_edits.h"

/*
 * Take all DWARF out of @ed: after the last section_edits_set(), before
 * section_edits_plan(). Without DWARF nothing is done. Errors, in which case @ed can only be
 * released: ERR_FORMAT for broken tables; ERR_UNSUPPORTED, with the name of the section, if
 * what stays refers to what would go, or counts sections or symbols in a way we do not know.
 */
MUST_CHECK struct err *section_strip(struct section_edits *ed, struct diagnostics *diags);

/* Is there anything to take out? */
bool section_has_dwarf(const struct section_table *t);

#endif
