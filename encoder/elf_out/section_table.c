/* SPDX-License-Identifier: GPL-2.0-only */
/* section_table.c - see section_table.h */
#include "encoder/elf_out/section_table.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/elf_fields.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct err *read_names(const struct header_tables *in, struct section_table *t)
{
	struct bytes names = in->names ? section_bytes(in, in->names) : (struct bytes){ 0 };

	if (!names.len || in->sections[in->names].sh_type != SHT_STRTAB ||
	    names.ptr[names.len - 1] != '\0')
		return err_new(ERR_FORMAT, "section %zu holds no section names", in->names);
	t->names_index = (uint32_t)in->names;
	t->names.items = mem_dup(names.ptr, names.len);
	t->names.nr = t->names.cap = names.len;
	return NULL;
}

static struct err *read_segments(const struct header_tables *in, struct section_table *t)
{
	size_t nr = 0, entry = SIZE(t, Phdr);

	if (elf_getphdrnum(in->elf, &nr) != 0)
		return err_new(ERR_FORMAT, "the program header table lies outside of the file");
	t->segments_at = in->ehdr.e_phoff;
	if (in->ehdr.e_phoff == 0 || nr == 0)
		return NULL;
	if (in->ehdr.e_phentsize != entry)
		return err_new(ERR_FORMAT, "program headers of %u bytes instead of %zu",
			       in->ehdr.e_phentsize, entry);
	if (!bytes_have(in->file, in->ehdr.e_phoff, (uint64_t)nr * entry))
		return err_new(ERR_FORMAT, "the program header table lies outside of the file");
	t->nr_segments = nr + 1;
	t->segments = mem_zalloc(t->nr_segments, sizeof(*t->segments));
	t->segments[0] = (GElf_Phdr){
		.p_type = PT_PHDR,
		.p_offset = in->ehdr.e_phoff,
		.p_filesz = nr * entry,
	};
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(in->elf, (int)i, &t->segments[i + 1]))
			return err_new(ERR_FORMAT, "program header %zu: %s", i, elf_errmsg(-1));
	}
	return NULL;
}

static struct err *read_tables(struct section_table *t)
{
	CLEANUP(header_tables_release) struct header_tables in = { 0 };

	TRY(header_tables_read(t->file, &in));
	if (!in.nr_sections)
		return err_new(ERR_FORMAT, "there is no section header table");
	t->addr_size = in.addr_size;
	t->swap = in.swap;
	t->machine = in.ehdr.e_machine;
	t->offset = in.ehdr.e_shoff;
	t->raw_len = in.nr_sections * SIZE(t, Shdr);
	memcpy(t->ehdr, t->file.ptr, SIZE(t, Ehdr));
	TRY(read_names(&in, t));
	TRY(read_segments(&in, t));
	t->nr = t->cap = in.nr_sections;
	t->items = in.sections;
	in.sections = NULL;
	return NULL;
}

struct err *section_table_read(int fd, uint64_t file_size, struct section_table *ret)
{
	CLEANUP(section_table_release) struct section_table t = { 0 };

	if (file_size == 0)
		return err_new(ERR_FORMAT, "not an ELF file: empty");
	if (file_size > PTRDIFF_MAX)
		return err_new(ERR_IO, "cannot map: %" PRIu64 " bytes are too many", file_size);

	void *map = mmap(NULL, (size_t)file_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return err_sys(errno, "cannot map");
	t.file = (struct bytes){ map, (size_t)file_size };
	TRY(read_tables(&t));
	*ret = TAKE(t);
	return NULL;
}

void section_table_release(struct section_table *t)
{
	if (t->file.ptr)
		munmap((void *)(uintptr_t)t->file.ptr, t->file.len);
	FREE_ALL(t->segments, t->items, t->names.items);
	*t = (struct section_table){ 0 };
}

size_t section_table_size(const struct section_table *t)
{
	return t->nr * SIZE(t, Shdr);
}

size_t section_table_ehdr_size(const struct section_table *t)
{
	return SIZE(t, Ehdr);
}

static void encode(const struct section_table *t, const GElf_Shdr *s, uint8_t *p)
{
	PUT(t, Shdr, p, sh_name, s->sh_name);
	PUT(t, Shdr, p, sh_type, s->sh_type);
	PUT(t, Shdr, p, sh_link, s->sh_link);
	PUT(t, Shdr, p, sh_info, s->sh_info);
	PUT(t, Shdr, p, sh_flags, s->sh_flags);
	PUT(t, Shdr, p, sh_addr, s->sh_addr);
	PUT(t, Shdr, p, sh_offset, s->sh_offset);
	PUT(t, Shdr, p, sh_size, s->sh_size);
	PUT(t, Shdr, p, sh_addralign, s->sh_addralign);
	PUT(t, Shdr, p, sh_entsize, s->sh_entsize);
}

void section_table_encode(const struct section_table *t, uint64_t offset, uint8_t *table,
			  uint8_t *ehdr)
{
	bool many = t->nr >= SHN_LORESERVE;
	bool far_names = t->names_index >= SHN_LORESERVE;

	for (size_t i = 0; i < t->nr; i++) {
		GElf_Shdr s = t->items[i];

		if (i == 0) {
			s.sh_size = many ? t->nr : 0;
			s.sh_link = far_names ? t->names_index : 0;
		}
		encode(t, &s, table + i * SIZE(t, Shdr));
	}
	memcpy(ehdr, t->ehdr, SIZE(t, Ehdr));
	PUT(t, Ehdr, ehdr, e_shoff, offset);
	PUT(t, Ehdr, ehdr, e_shnum, many ? 0 : t->nr);
	PUT(t, Ehdr, ehdr, e_shstrndx, far_names ? SHN_XINDEX : t->names_index);
}

struct symbol_field section_table_symbol_field(const struct section_table *t)
{
	bool is64 = t->addr_size == 8;
	bool low = is64 && t->ehdr[EI_DATA] == ELFDATA2LSB && t->machine == EM_MIPS;

	return (struct symbol_field){
		.shift = low  ? 0 :
			 is64 ? 32 :
				8,
		.mask = is64 ? UINT32_MAX : UINT32_MAX >> 8,
	};
}

const char *section_table_name(const struct section_table *t, const GElf_Shdr *s)
{
	/* 0 is no name, whatever a damaged table begins with */
	return s->sh_name ? t->names.items + s->sh_name : "";
}
