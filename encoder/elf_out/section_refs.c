/* SPDX-License-Identifier: GPL-2.0-only */
/* section_refs.c - see section_refs.h */
#include "encoder/elf_out/section_refs.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "encoder/elf_out/elf_fields.h"

#include <stdlib.h>
#include <string.h>

struct marking {
	const struct section_table *t;
	int fd;
	const bool *drop;
	bool *named;
};

static void free_bytes(uint8_t **p)
{
	free(*p);
}

static void free_numbers(uint32_t **p)
{
	free(*p);
}

static bool is_dropped(const struct marking *m, uint64_t section)
{
	return m->drop && section < m->t->nr && m->drop[section];
}

static void mark(const struct marking *m, uint64_t section)
{
	if (section < m->t->nr)
		m->named[section] = true;
}

static bool has_relocations(const struct section_header *s)
{
	return (s->type == SHT_REL || s->type == SHT_RELA) && section_in_file(s);
}

static void mark_header(const struct marking *m, const struct section_header *s)
{
	mark(m, s->link);
	if (section_is_relocation(s) || (s->flags & SHF_INFO_LINK))
		mark(m, s->info);
}

static struct err *read_content(const struct marking *m, const struct section_header *s,
				uint8_t **ret)
{
	*ret = mem_alloc((size_t)s->size);
	return file_read_at(m->fd, s->offset, *ret, (size_t)s->size);
}

static struct err *mark_group(const struct marking *m, const struct section_header *s)
{
	CLEANUP(free_bytes) uint8_t *raw = NULL;
	const size_t word = sizeof(uint32_t);

	TRY(read_content(m, s, &raw));
	for (uint64_t pos = word; pos < s->size && s->size - pos >= word; pos += word)
		mark(m, swap32(load32(raw + pos), m->t->swap));
	return NULL;
}

/* @section_of: by symbol of table @symtab, the section that it stands for if that is dropped, else 0. */
static struct err *mark_relocated(const struct marking *m, size_t symtab,
				  const uint32_t *section_of, size_t nr)
{
	const struct section_table *t = m->t;
	const struct symbol_field field = section_table_symbol_field(t);

	for (size_t i = 1; i < t->nr; i++) {
		const struct section_header *s = &t->items[i];
		size_t entry = s->type == SHT_REL ? SIZE(t, Rel) : SIZE(t, Rela);
		CLEANUP(free_bytes) uint8_t *raw = NULL;

		if (!has_relocations(s) || s->link != symtab || is_dropped(m, i))
			continue;
		TRY(read_content(m, s, &raw));
		for (uint64_t pos = 0; s->size - pos >= entry; pos += entry) {
			uint64_t info = GET(t, Rel, raw + pos, r_info);
			uint64_t symbol = info >> field.shift & field.mask;

			if (symbol < nr && section_of[symbol])
				mark(m, section_of[symbol]);
		}
	}
	return NULL;
}

static struct err *mark_symbols(const struct marking *m, size_t symtab)
{
	const struct section_table *t = m->t;
	const struct section_header *s = &t->items[symtab];
	size_t nr = (size_t)(s->size / SIZE(t, Sym));
	CLEANUP(free_bytes) uint8_t *raw = NULL;
	CLEANUP(free_numbers) uint32_t *section_of = NULL;

	TRY(read_content(m, s, &raw));
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *sym = raw + i * SIZE(t, Sym);
		uint64_t section = GET(t, Sym, sym, st_shndx);

		if (section == SHN_XINDEX) {
			memset(m->named, true, t->nr);
			return NULL;
		}
		if (section >= SHN_LORESERVE)
			continue;
		if (!is_dropped(m, section) ||
		    ELF64_ST_TYPE(GET(t, Sym, sym, st_info)) != STT_SECTION) {
			mark(m, section);
			continue;
		}
		if (!section_of)
			section_of = mem_zalloc(nr, sizeof(*section_of));
		section_of[i] = (uint32_t)section;
	}
	return section_of ? mark_relocated(m, symtab, section_of, nr) : NULL;
}

struct err *section_refs_mark(const struct section_table *t, int fd, const bool *drop, bool *named)
{
	const struct marking m = { t, fd, drop, named };

	for (size_t i = 1; i < t->nr; i++) {
		const struct section_header *s = &t->items[i];

		if (s->type == SHT_NULL || is_dropped(&m, i))
			continue;
		mark_header(&m, s);
		if (!section_in_file(s))
			continue;
		if (s->type == SHT_GROUP)
			TRY(mark_group(&m, s));
		else if (s->type == SHT_SYMTAB || s->type == SHT_DYNSYM)
			TRY(mark_symbols(&m, i));
	}
	return NULL;
}
