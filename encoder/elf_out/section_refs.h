/* SPDX-License-Identifier: GPL-2.0-only */
/* section_refs.h - which sections of an ELF file others refer to by their numbers */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_REFS_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_REFS_H

#include "encoder/elf_out/section_table.h"

/*
 * Mark in @named, which has an entry for each section of @t, those that headers, groups or symbols name.
 * What is read from @fd is as it was when @t was read. If a symbol has its number in another table
 * (SHT_SYMTAB_SHNDX), all of them are.
 *
 * @drop: NULL, or the sections whose entries in the table are to become empty. These name nothing, and a
 * section symbol for one of them counts only if a relocation that stays has it.
 */
MUST_CHECK struct err *section_refs_mark(const struct section_table *t, int fd, const bool *drop,
					 bool *named);

#endif
