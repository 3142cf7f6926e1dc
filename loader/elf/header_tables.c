/* SPDX-License-Identifier: GPL-2.0-only */
/* header_tables.c - see header_tables.h */
#include "loader/elf/header_tables.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/ar_file.h"

#include <inttypes.h>
#include <stdlib.h>

static struct err *outside(void)
{
	return err_new(ERR_FORMAT, "the section table is empty or not inside the file");
}

static struct err *read_header(struct bytes file, struct header_tables *t)
{
	TRY(ar_file_refuse(file));
	if (file.len < EI_NIDENT || memcmp(file.ptr, ELFMAG, SELFMAG) != 0)
		return err_new(ERR_FORMAT, "not an ELF file");

	uint8_t class = file.ptr[EI_CLASS], order = file.ptr[EI_DATA];
	if (class != ELFCLASS32 && class != ELFCLASS64)
		return err_new(ERR_FORMAT, "ELF class %u instead of 1 or 2", class);
	if (order != ELFDATA2LSB && order != ELFDATA2MSB)
		return err_new(ERR_FORMAT, "ELF byte order %u instead of 1 or 2", order);
	t->addr_size = class == ELFCLASS64 ? 8 : 4;
	t->swap = (order == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	size_t want = class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	if (file.len < want)
		return err_new(ERR_FORMAT, "file ends in the ELF header, after %zu of %zu bytes",
			       file.len, want);

	/* libelf does not write to the bytes: ELF_C_READ is the mode of elf_memory() */
	elf_version(EV_CURRENT);
	t->elf = elf_memory((char *)(uintptr_t)file.ptr, file.len);
	if (!t->elf)
		return outside();
	if (!gelf_getehdr(t->elf, &t->ehdr))
		return err_new(ERR_FORMAT, "ELF version %u instead of 1", file.ptr[EI_VERSION]);
	return NULL;
}

/*
 * libelf takes the number of sections from section 0 if the ELF header has 0 (System V gABI,
 * "Sections"). It reports no section at all for some tables that leave the file.
 */
static struct err *check_table(const struct header_tables *t)
{
	uint64_t offset = t->ehdr.e_shoff, nr = t->nr_sections;
	size_t want = t->addr_size == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (t->ehdr.e_shentsize != want)
		return err_new(ERR_FORMAT, "section headers of %u bytes instead of %zu",
			       t->ehdr.e_shentsize, want);
	if (nr == 0 || (t->ehdr.e_shnum && t->ehdr.e_shnum != nr) ||
	    !bytes_have(t->file, offset, want) || nr > (t->file.len - offset) / want)
		return outside();
	return NULL;
}

static struct err *read_sections(struct header_tables *t)
{
	uint64_t sum = 0;

	if (!t->ehdr.e_shoff)
		return NULL;
	if (elf_getshdrnum(t->elf, &t->nr_sections) != 0)
		return outside();
	TRY(check_table(t));
	t->sections = mem_zalloc(t->nr_sections, sizeof(t->sections[0]));
	/* section 0 is none; its fields hold what does not fit into the ELF header */
	for (size_t i = 0; i < t->nr_sections; i++) {
		GElf_Shdr *s = &t->sections[i];

		if (!gelf_getshdr(elf_getscn(t->elf, i), s))
			return err_new(ERR_FORMAT, "section %zu: %s", i, elf_errmsg(-1));
		if (i == 0 || !section_in_file(s))
			continue;
		if (!bytes_have(t->file, s->sh_offset, s->sh_size))
			return err_new(ERR_FORMAT,
				       "section %zu: %#" PRIx64 " bytes at %#" PRIx64
				       " lie outside of the file of %#zx bytes",
				       i, s->sh_size, s->sh_offset, t->file.len);
		/*
		 * Two sections may share bytes, as a linker puts one table inside another. If many
		 * did, reading all sections would take time in the square of the file's size.
		 */
		sum += s->sh_size;
		if (sum / 2 > t->file.len)
			return err_new(ERR_FORMAT,
				       "the sections up to %zu have %#" PRIx64
				       " bytes in a file of %#zx: they overlap",
				       i, sum, t->file.len);
	}
	return NULL;
}

static struct err *check_names(struct header_tables *t)
{
	size_t last = 0;

	if (!t->nr_sections)
		return NULL;
	if (elf_getshdrstrndx(t->elf, &t->names) != 0 || t->names >= t->nr_sections)
		return err_new(ERR_FORMAT, "section names are in section %zu of %zu", t->names,
			       t->nr_sections);
	if (!t->names)
		return NULL;

	struct bytes table = section_bytes(t, t->names);
	bool any = last_string_in(table, &last);
	for (size_t i = 0; i < t->nr_sections; i++) {
		if (!any || t->sections[i].sh_name > last)
			return err_new(ERR_FORMAT,
				       "section %zu: name at %#x of %#zx bytes of names", i,
				       t->sections[i].sh_name, table.len);
	}
	return NULL;
}

struct err *header_tables_read(struct bytes file, struct header_tables *ret)
{
	CLEANUP(header_tables_release) struct header_tables t = { .file = file };

	TRY(read_header(file, &t));
	TRY(read_sections(&t));
	TRY(check_names(&t));
	*ret = TAKE(t);
	return NULL;
}

void header_tables_release(struct header_tables *t)
{
	elf_end(t->elf);
	free(t->sections);
	*t = (struct header_tables){ 0 };
}

struct bytes section_bytes(const struct header_tables *t, size_t i)
{
	const GElf_Shdr *s = &t->sections[i];

	if (i == 0 || !section_in_file(s))
		return (struct bytes){ 0 };
	return (struct bytes){ t->file.ptr + s->sh_offset, (size_t)s->sh_size };
}

const char *section_name(const struct header_tables *t, size_t i)
{
	return t->names ? (const char *)section_bytes(t, t->names).ptr + t->sections[i].sh_name :
			  "";
}
