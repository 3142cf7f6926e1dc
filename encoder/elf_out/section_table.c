/* SPDX-License-Identifier: GPL-2.0-only */
/* section_table.c - see section_table.h */
#include "encoder/elf_out/section_table.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "encoder/elf_out/elf_fields.h"

#include <inttypes.h>
#include <stdlib.h>

static bool inside(const struct section_table *t, uint64_t offset, uint64_t size)
{
	return offset <= t->file_size && size <= t->file_size - offset;
}

static struct err *read_ehdr(int fd, struct section_table *t)
{
	static const uint8_t host_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB :
										      ELFDATA2MSB;

	if (t->file_size < EI_NIDENT)
		return err_new(ERR_FORMAT, "not an ELF file: %" PRIu64 " bytes", t->file_size);
	TRY(file_read_at(fd, 0, t->ehdr, EI_NIDENT));
	if (memcmp(t->ehdr, ELFMAG, SELFMAG) != 0)
		return err_new(ERR_FORMAT, "not an ELF file");

	uint8_t class = t->ehdr[EI_CLASS], order = t->ehdr[EI_DATA];
	if (class != ELFCLASS32 && class != ELFCLASS64)
		return err_new(ERR_FORMAT, "ELF class %u is unknown", class);
	if (order != ELFDATA2LSB && order != ELFDATA2MSB)
		return err_new(ERR_FORMAT, "ELF byte order %u is unknown", order);
	t->is64 = class == ELFCLASS64;
	t->swap = order != host_order;
	if (t->file_size < SIZE(t, Ehdr))
		return err_new(ERR_FORMAT, "the ELF header is cut off at %" PRIu64, t->file_size);
	return file_read_at(fd, 0, t->ehdr, SIZE(t, Ehdr));
}

static void decode(const struct section_table *t, const uint8_t *p, struct section_header *ret)
{
	*ret = (struct section_header){
		.name = (uint32_t)GET(t, Shdr, p, sh_name),
		.type = (uint32_t)GET(t, Shdr, p, sh_type),
		.link = (uint32_t)GET(t, Shdr, p, sh_link),
		.info = (uint32_t)GET(t, Shdr, p, sh_info),
		.flags = GET(t, Shdr, p, sh_flags),
		.addr = GET(t, Shdr, p, sh_addr),
		.offset = GET(t, Shdr, p, sh_offset),
		.size = GET(t, Shdr, p, sh_size),
		.align = GET(t, Shdr, p, sh_addralign),
		.entry_size = GET(t, Shdr, p, sh_entsize),
	};
}

static void encode(const struct section_table *t, const struct section_header *s, uint8_t *p)
{
	PUT(t, Shdr, p, sh_name, s->name);
	PUT(t, Shdr, p, sh_type, s->type);
	PUT(t, Shdr, p, sh_link, s->link);
	PUT(t, Shdr, p, sh_info, s->info);
	PUT(t, Shdr, p, sh_flags, s->flags);
	PUT(t, Shdr, p, sh_addr, s->addr);
	PUT(t, Shdr, p, sh_offset, s->offset);
	PUT(t, Shdr, p, sh_size, s->size);
	PUT(t, Shdr, p, sh_addralign, s->align);
	PUT(t, Shdr, p, sh_entsize, s->entry_size);
}

/* The number of sections is in the ELF header, or, from 0xff00 on, in section 0. */
static struct err *count_sections(int fd, struct section_table *t, uint64_t *ret)
{
	uint8_t raw[sizeof(Elf64_Shdr)];
	uint64_t entry = GET(t, Ehdr, t->ehdr, e_shentsize);

	t->offset = GET(t, Ehdr, t->ehdr, e_shoff);
	if (t->offset == 0)
		return err_new(ERR_FORMAT, "there is no section header table");
	if (entry != SIZE(t, Shdr))
		return err_new(ERR_FORMAT, "a section header has %" PRIu64 " bytes, not %zu", entry,
			       SIZE(t, Shdr));
	if (!inside(t, t->offset, entry))
		return err_new(ERR_FORMAT,
			       "the section header table at %#" PRIx64
			       " is outside the file of %#" PRIx64,
			       t->offset, t->file_size);

	*ret = GET(t, Ehdr, t->ehdr, e_shnum);
	if (*ret == 0) {
		TRY(file_read_at(fd, t->offset, raw, SIZE(t, Shdr)));
		*ret = GET(t, Shdr, raw, sh_size);
	}
	if (*ret == 0 || *ret > (t->file_size - t->offset) / entry)
		return err_new(ERR_FORMAT,
			       "the section header table at %#" PRIx64 " has %" PRIu64
			       " entries, the file has room for %" PRIu64,
			       t->offset, *ret, (t->file_size - t->offset) / entry);
	return NULL;
}

static struct err *read_sections(int fd, struct section_table *t)
{
	uint64_t nr = 0;

	TRY(count_sections(fd, t, &nr));
	t->raw_len = (size_t)nr * SIZE(t, Shdr);
	t->raw = mem_alloc(t->raw_len);
	TRY(file_read_at(fd, t->offset, t->raw, t->raw_len));

	t->items = mem_zalloc((size_t)nr, sizeof(*t->items));
	t->nr = t->cap = (size_t)nr;
	for (size_t i = 0; i < t->nr; i++) {
		struct section_header *s = &t->items[i];

		decode(t, t->raw + i * SIZE(t, Shdr), s);
		if (i != 0 && section_in_file(s) && !inside(t, s->offset, s->size))
			return err_new(ERR_FORMAT,
				       "section %zu (%#" PRIx64 "+%#" PRIx64
				       ") is outside the file of %#" PRIx64,
				       i, s->offset, s->size, t->file_size);
	}
	return NULL;
}

static struct err *read_names(int fd, struct section_table *t)
{
	uint32_t index = (uint32_t)GET(t, Ehdr, t->ehdr, e_shstrndx);

	if (index == SHN_XINDEX)
		index = t->items[0].link;
	if (index == SHN_UNDEF || index >= t->nr)
		return err_new(ERR_FORMAT, "section names are in section %" PRIu32 " of %zu", index,
			       t->nr);

	const struct section_header *s = &t->items[index];
	if (s->type != SHT_STRTAB || s->size == 0)
		return err_new(ERR_FORMAT,
			       "section %" PRIu32 ", the section names, is no string table", index);
	t->names_index = index;
	t->names.items = mem_alloc((size_t)s->size);
	t->names.nr = t->names.cap = (size_t)s->size;
	TRY(file_read_at(fd, s->offset, t->names.items, t->names.nr));
	if (t->names.items[t->names.nr - 1] != '\0')
		return err_new(ERR_FORMAT,
			       "section %" PRIu32 ", the section names, does not end "
			       "with a zero byte",
			       index);
	for (size_t i = 1; i < t->nr; i++) {
		if (t->items[i].type != SHT_NULL && t->items[i].name >= t->names.nr)
			return err_new(ERR_FORMAT,
				       "the name of section %zu is at %#" PRIx32
				       ", outside the section names of %#zx",
				       i, t->items[i].name, t->names.nr);
	}
	return NULL;
}

static void free_bytes(uint8_t **p)
{
	free(*p);
}

static struct err *read_segments(int fd, struct section_table *t)
{
	uint64_t offset = GET(t, Ehdr, t->ehdr, e_phoff);
	uint64_t entry = GET(t, Ehdr, t->ehdr, e_phentsize);
	uint64_t nr = GET(t, Ehdr, t->ehdr, e_phnum);

	if (nr == PN_XNUM)
		nr = t->items[0].info;
	if (offset == 0 || nr == 0)
		return NULL;
	if (entry != SIZE(t, Phdr))
		return err_new(ERR_FORMAT, "a program header has %" PRIu64 " bytes, not %zu", entry,
			       SIZE(t, Phdr));
	if (!inside(t, offset, nr * entry))
		return err_new(ERR_FORMAT,
			       "the program header table at %#" PRIx64
			       " is outside the file of %#" PRIx64,
			       offset, t->file_size);

	CLEANUP(free_bytes) uint8_t *raw = mem_alloc((size_t)(nr * entry));
	TRY(file_read_at(fd, offset, raw, (size_t)(nr * entry)));
	/* one more for the table itself, which must stay where it is, too */
	t->segments = mem_zalloc((size_t)nr + 1, sizeof(*t->segments));
	t->segments[t->nr_segments++] = (struct segment){ PT_PHDR, offset, nr * entry };
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *p = raw + i * entry;

		t->segments[t->nr_segments++] = (struct segment){
			.type = (uint32_t)GET(t, Phdr, p, p_type),
			.offset = GET(t, Phdr, p, p_offset),
			.size = GET(t, Phdr, p, p_filesz),
		};
	}
	return NULL;
}

struct err *section_table_read(int fd, uint64_t file_size, struct section_table *ret)
{
	CLEANUP(section_table_release) struct section_table t = { .file_size = file_size };

	TRY(read_ehdr(fd, &t));
	TRY(read_sections(fd, &t));
	TRY(read_names(fd, &t));
	TRY(read_segments(fd, &t));
	*ret = TAKE(t);
	return NULL;
}

void section_table_release(struct section_table *t)
{
	free(t->segments);
	free(t->items);
	free(t->names.items);
	free(t->raw);
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

void section_table_encode(const struct section_table *t, uint64_t offset, uint8_t *table,
			  uint8_t *ehdr)
{
	bool many = t->nr >= SHN_LORESERVE;
	bool far_names = t->names_index >= SHN_LORESERVE;

	for (size_t i = 0; i < t->nr; i++) {
		struct section_header s = t->items[i];

		if (i == 0) {
			s.size = many ? t->nr : 0;
			s.link = far_names ? t->names_index : 0;
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
	bool low = t->is64 && t->ehdr[EI_DATA] == ELFDATA2LSB &&
		   GET(t, Ehdr, t->ehdr, e_machine) == EM_MIPS;

	return (struct symbol_field){
		.shift = low     ? 0 :
			 t->is64 ? 32 :
				   8,
		.mask = t->is64 ? UINT32_MAX : UINT32_MAX >> 8,
	};
}

const char *section_table_name(const struct section_table *t, const struct section_header *s)
{
	/* for a null section the name means nothing, and was not checked */
	return s->name < t->names.nr ? t->names.items + s->name : "";
}
