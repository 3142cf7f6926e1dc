/* SPDX-License-Identifier: GPL-2.0-only */
/* sectionput.h - put sections into an ELF file by its path, and drop its DWARF if @strip */
#ifndef BTFENC_TESTS_SECTIONPUT_H
#define BTFENC_TESTS_SECTIONPUT_H

#include "base/cleanup.h"
#include "encoder/elf_out/section_out.h"

static inline struct err *section_put(const char *path, const struct section_content *sections,
				      size_t nr, bool strip, struct diagnostics *diags)
{
	CLEANUP(section_target_close) struct section_target t = { 0 };

	TRY(section_target_open(path, NULL, &t));
	return section_target_put(&t, sections, nr, strip, diags);
}

#endif
