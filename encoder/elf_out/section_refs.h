/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_refs.h - what refers in an ELF file to sections by number
 *
 *  - headers of other sections: always sh_link; sh_info of relocations and with SHF_INFO_LINK;
 *  - groups, which list their members;
 *  - symbols: st_shndx, or the table SHT_SYMTAB_SHNDX where the number has more than 16 bits;
 *  - relocations, through the section that defines their symbol.
 *
 * Debug information is not in the list: it refers to sections through relocations only.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_REFS_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_REFS_H

#include "encoder/elf_out/section_edits.h"

enum section_ref_kind {
	REF_LINK,
	REF_INFO,
	REF_MEMBER,         /* of a group */
	REF_SYMBOL,         /* defined in the section */
	REF_SECTION_SYMBOL, /* the same, of type STT_SECTION */
	REF_RELOCATION,     /* by a symbol of the section */
};

struct section_ref {
	enum section_ref_kind kind;
	size_t user;      /* the section that holds the reference */
	size_t at;        /* REF_MEMBER: offset in the group; REF_*SYMBOL: number of the symbol */
	uint32_t section; /* never 0; in a malformed file larger than any section's number */
};

typedef struct err *section_ref_fn(void *ctx, const struct section_ref *ref);

/*
 * Call @fn for each reference that a section holds, in the order of the sections, and stop at the
 * first error. Sections of @drop (may be NULL) are passed over. REF_RELOCATION only if @relocations. @fn may change the header of ref->user.
 */
MUST_CHECK struct err *section_refs_visit(const struct section_edits *ed, const bool *drop,
					  bool relocations, section_ref_fn *fn, void *ctx);

#endif
