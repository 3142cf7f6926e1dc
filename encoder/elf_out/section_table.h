/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_table.h - the tables of an ELF file, to be changed and written back
 *
 * Both classes and both byte orders become one form here. libelf can do that too, but
 * when it writes it decides where everything lies, and moves what the program headers
 * point to.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_TABLE_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_TABLE_H

#include "base/bytes.h"
#include "base/err.h"
#include "loader/elf/object.h"

#include <elf.h>

/* One entry of the program header table. */
struct segment {
	uint32_t type;         /* PT_* */
	uint64_t offset, size; /* in the file */
};

/* What an ELF file says of one section, in the byte order of this machine. */
struct section_header {
	uint32_t name; /* offset in section_table.names */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, align, entry_size;
};

struct section_table {
	bool is64, swap;
	uint64_t file_size;
	uint8_t ehdr[sizeof(Elf64_Ehdr)]; /* as in the file */
	struct segment *segments;
	size_t nr_segments;
	/* index 0 is the null section; its extended counts are kept up by encode */
	struct section_header *items;
	size_t nr, cap;
	/* content of the section @names_index, ends with NUL */
	struct {
		char *items;
		size_t nr, cap;
	} names;
	uint32_t names_index;
	/* the table as it is in the file */
	uint64_t offset;
	uint8_t *raw;
	size_t raw_len;
};

/*
 * Read the tables of @fd. ERR_FORMAT if it is not ELF, has no sections or no section
 * names, or if a table or the content of a section is not inside @file_size.
 */
MUST_CHECK struct err *section_table_read(int fd, uint64_t file_size, struct section_table *ret);
void section_table_release(struct section_table *t);

/* Size of the table in the file. */
size_t section_table_size(const struct section_table *t);
size_t section_table_ehdr_size(const struct section_table *t);
/* Write the table as it has to stand at @offset, and the ELF header that leads to it. */
void section_table_encode(const struct section_table *t, uint64_t offset, uint8_t *table,
			  uint8_t *ehdr);

static inline bool section_is_relocation(const struct section_header *s)
{
	return s->type == SHT_REL || s->type == SHT_RELA || s->type == SECTION_CREL;
}

/* Does the section have bytes in the file? */
static inline bool section_in_file(const struct section_header *s)
{
	return s->type != SHT_NULL && s->type != SHT_NOBITS && s->size != 0;
}

/*
 * Where r_info has the number of a symbol. MIPS in 64 bits has a symbol and three types, which is one
 * number only in big-endian.
 */
struct symbol_field {
	unsigned int shift;
	uint64_t mask; /* when shifted */
};

struct symbol_field section_table_symbol_field(const struct section_table *t);

const char *section_table_name(const struct section_table *t, const struct section_header *s);

#endif
