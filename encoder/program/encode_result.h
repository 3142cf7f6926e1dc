/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_result.h - the result of an encoding: the bytes of up to five sections */
#ifndef BTFENC_ENCODER_PROGRAM_ENCODE_RESULT_H
#define BTFENC_ENCODER_PROGRAM_ENCODE_RESULT_H

#include "encoder/member/facts_block.h"
#include "loader/elf/reloc.h"

#include <stdlib.h>

/* Owns its bytes. Zeroed is empty. */
struct encode_result {
	uint8_t *btf; /* .BTF; NULL: there was no type */
	size_t btf_len;
	uint8_t *base; /* .BTF.base, the base of @btf; NULL: none was distilled */
	size_t base_len;
	/* .BTF.extra: variables in a split BTF over @btf; NULL: not wanted, or no type */
	uint8_t *vars;
	size_t vars_len;
	/* .BTF.inline: copies of inlined functions in a split BTF over @btf; NULL: not wanted, or no type */
	uint8_t *sites;
	size_t sites_len;
	/* .debug.btf (facts_block.h) and its relocations; empty: not wanted */
	struct byte_vec facts;
	uint32_t
		facts_type; /* SHT_*: that of debug sections in the file, which MIPS has an own one for */
	struct reloc_entries relocs;
	bool relocs_rela;
};

static inline void encode_result_release(struct encode_result *e)
{
	free(e->btf);
	free(e->base);
	free(e->vars);
	free(e->sites);
	free(e->facts.items);
	reloc_entries_release(&e->relocs);
	*e = (struct encode_result){ 0 };
}

#endif
