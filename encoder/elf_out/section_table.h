/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_table.h - the tables of an ELF file, to be changed and written back
 *
 * They are read by header_tables.h and written by section_table_encode(). elf_update() of libelf
 * cannot do that: it rewrites the whole file, which takes 14 to 28 times as long.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_TABLE_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_TABLE_H

#include "base/vec.h"
#include "loader/elf/header_tables.h"
#include "loader/elf/object.h"

struct section_table {
	struct bytes file; /* mapped */
	uint8_t addr_size;
	bool swap;
	uint16_t machine;
	uint8_t ehdr[sizeof(Elf64_Ehdr)]; /* as in the file */
	/* The first entry stands for the program header table itself, which must not move either. */
	GElf_Phdr *segments;
	size_t nr_segments;
	/* e_phoff: libelf refuses a file that ends before it, even without program headers */
	uint64_t segments_at;
	/* [0] is the null section; section_table_encode() computes its extended counts */
	GElf_Shdr *items;
	size_t nr, cap;
	/* contents of the section @names_index, ends with NUL */
	VEC(char) names;
	uint32_t names_index;
	/* where the table is in the file */
	uint64_t offset;
	size_t raw_len;
};

/*
 * Map @fd and read its tables. Errors of header_tables_read(), and ERR_FORMAT if there are no
 * sections or no section names.
 */
MUST_CHECK struct err *section_table_read(int fd, uint64_t file_size, struct section_table *ret);
void section_table_release(struct section_table *t);

/* Size of the table in the file. */
size_t section_table_size(const struct section_table *t);
size_t section_table_ehdr_size(const struct section_table *t);
/* Write the table as it has to be at @offset, and the ELF header that refers to it. */
void section_table_encode(const struct section_table *t, uint64_t offset, uint8_t *table,
			  uint8_t *ehdr);

static inline bool section_is_relocation(const GElf_Shdr *s)
{
	return s->sh_type == SHT_REL || s->sh_type == SHT_RELA || s->sh_type == SECTION_CREL;
}

/*
 * The bits of r_info that hold the number of a symbol. 64-bit MIPS has a symbol and three types in
 * r_info, which form one number only in big-endian.
 */
struct symbol_field {
	unsigned int shift;
	uint64_t mask; /* when shifted */
};

struct symbol_field section_table_symbol_field(const struct section_table *t);

const char *section_table_name(const struct section_table *t, const GElf_Shdr *s);

#endif
