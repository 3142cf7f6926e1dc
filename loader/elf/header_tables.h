/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * header_tables.h - the header and the section header table of an ELF file
 *
 * libelf decodes them, for both classes and both byte orders. It accepts files whose tables or
 * sections reach beyond the end of the file, so header_tables_read() checks everything again:
 * callers use offsets, sizes and names without further checks.
 */
#ifndef BTFENC_LOADER_ELF_HEADER_TABLES_H
#define BTFENC_LOADER_ELF_HEADER_TABLES_H

#include "base/bytes.h"
#include "base/err.h"

#include <gelf.h>

struct header_tables {
	Elf *elf;
	struct bytes file; /* borrowed */
	GElf_Ehdr ehdr;
	uint8_t addr_size;   /* 4 or 8, from the ELF class */
	bool swap;           /* the file is in the other byte order than this machine */
	GElf_Shdr *sections; /* [0] is the null section */
	size_t nr_sections;
	size_t names; /* index of the section with the section names, 0 if there is none */
};

/*
 * Read the tables of @file. ERR_FORMAT if it is not an ELF file, if a table, the contents of a
 * section or a section name is not inside the file, or if sections overlap. A file without
 * sections is valid. *ret is untouched on error.
 */
MUST_CHECK struct err *header_tables_read(struct bytes file, struct header_tables *ret);
void header_tables_release(struct header_tables *t);

/* Does the section have bytes in the file? */
static inline bool section_in_file(const GElf_Shdr *s)
{
	return s->sh_type != SHT_NULL && s->sh_type != SHT_NOBITS && s->sh_size != 0;
}

/* The contents of section @i, empty if it has none in the file. */
struct bytes section_bytes(const struct header_tables *t, size_t i);
/* The name of section @i, empty if the file has no section names. */
const char *section_name(const struct header_tables *t, size_t i);

/* Strings that start at @offset <= *last_ret end inside @table; false: none does. */
static inline bool last_string_in(struct bytes table, size_t *last_ret)
{
	const uint8_t *nul = table.len ? memrchr(table.ptr, 0, table.len) : NULL;

	if (!nul)
		return false;
	*last_ret = (size_t)(nul - table.ptr);
	return true;
}

#endif
