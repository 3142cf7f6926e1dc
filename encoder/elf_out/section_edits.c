/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_edits.c - lay out an ELF file in which sections are set, removed or dropped
 *
 * Bytes that a program header maps cannot move, and to move anything else means to copy the file. So
 * everything stays in place, and new contents follow it:
 *
 *	| ELF header, segments, sections ... | new sections, names | section headers |
 *	0                                    tail
 *
 * The tail begins behind the last section that stays. The section names, the old section headers
 * and the sections of an earlier run usually lie at the end of the file. They get new offsets,
 * so no dead bytes accumulate, and encoding twice gives the same file as encoding once.
 *
 * For the same reason the new tail overlaps the old one, and section_out.c writes it in steps.
 */
#include "encoder/elf_out/section_edits.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "encoder/elf_out/section_refs.h"
#include "loader/elf/elf_fields.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	TABLE_ALIGN = 8,
	/* More than sh_addralign of BTF, so that it is aligned in a mapped file. */
	DATA_ALIGN = 8,
	/* Only loaded sections need their alignment in the file; respect a usual one for all. */
	MAX_ALIGN = 4096,
};

struct err *section_edits_open(int fd, uint64_t file_size, struct section_edits *ret)
{
	CLEANUP(section_edits_release) struct section_edits ed = { 0 };

	TRY(section_table_read(fd, file_size, &ed.table));
	ed.nr_old = ed.table.nr;
	ed.old = mem_dup(ed.table.items, ed.nr_old * sizeof(*ed.old));
	ed.edits.items = mem_zalloc(ed.nr_old, sizeof(*ed.edits.items));
	ed.edits.nr = ed.edits.cap = ed.nr_old;
	for (size_t i = 1; i < ed.nr_old; i++)
		ed.edits.items[i].was = i;
	/* section_edits_plan() keeps it in place if possible */
	ed.edits.items[ed.table.names_index].location = SECTION_IN_TAIL;
	*ret = TAKE(ed);
	return NULL;
}

void section_edits_release(struct section_edits *ed)
{
	for (size_t i = 0; i < ed->owned.nr; i++)
		free(ed->owned.items[i]);
	free(ed->owned.items);
	section_table_release(&ed->table);
	free(ed->old);
	free(ed->edits.items);
	*ed = (struct section_edits){ 0 };
}

/* The first section called @name from @start on, 0 if there is none. */
static size_t find_section(const struct section_edits *ed, const char *name, size_t start)
{
	for (size_t i = start; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];

		if (s->sh_type != SHT_NULL && !strcmp(section_table_name(&ed->table, s), name))
			return i;
	}
	return 0;
}

struct dropping {
	const bool *drop;
	size_t nr;
};

/* A section symbol for a dropped section does no harm unless a relocation uses it. */
static struct err *refuse_dropped(void *ctx, const struct section_ref *ref)
{
	const struct dropping *d = ctx;

	if (ref->kind == REF_SECTION_SYMBOL || ref->section >= d->nr || !d->drop[ref->section])
		return NULL;
	return err_new(ERR_UNSUPPORTED,
		       "section %u would be removed, but other parts of the file refer to it",
		       ref->section);
}

/* Drop the sections that are set in @drop. Their entries stay until section_drop_unused(). */
static struct err *drop_marked(struct section_edits *ed, const bool *drop)
{
	TRY(section_refs_visit(ed, drop, true, refuse_dropped,
			       &(struct dropping){ drop, ed->table.nr }));
	for (size_t i = 1; i < ed->table.nr; i++) {
		if (!drop[i])
			continue;
		ed->table.items[i] = (GElf_Shdr){ 0 };
		ed->edits.items[i] = (struct section_edit){ .was = i };
		ed->changed = true;
	}
	return NULL;
}

/* Does section @i relocate one of the sections that are set in @drop? */
static bool relocates_dropped(const struct section_edits *ed, size_t i, const bool *drop)
{
	const GElf_Shdr *s = &ed->table.items[i];

	return section_is_relocation(s) && s->sh_info < ed->table.nr && drop[s->sh_info];
}

/* Drop the sections called @name, except @but, and their relocations. */
static struct err *drop_sections(struct section_edits *ed, const char *name, size_t but)
{
	CLEANUP(mem_free) bool *drop = mem_zalloc(ed->table.nr, sizeof(*drop));
	bool any = false;

	for (size_t i = 1; (i = find_section(ed, name, i)) != 0; i++) {
		drop[i] = i != but;
		any |= drop[i];
	}
	if (!any)
		return NULL;
	for (size_t i = 1; i < ed->table.nr; i++)
		drop[i] |= i != but && relocates_dropped(ed, i, drop);
	return drop_marked(ed, drop);
}

/* A linker would apply the relocations of the old contents to the new ones. */
static struct err *drop_relocations(struct section_edits *ed, size_t index, size_t but,
				    struct diagnostics *diags)
{
	CLEANUP(mem_free) bool *drop = mem_zalloc(ed->table.nr, sizeof(*drop));
	bool any = false;

	for (size_t i = 1; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];

		if (!section_is_relocation(s) || s->sh_info != index || i == but)
			continue;
		diag_add(diags, DIAG_VERBOSE, "'%s' removed: it belongs to the replaced section",
			 section_table_name(&ed->table, s));
		drop[i] = any = true;
	}
	return any ? drop_marked(ed, drop) : NULL;
}

static struct err *add_name(struct section_edits *ed, const char *name, uint32_t *ret)
{
	size_t len = strlen(name) + 1;
	const GElf_Shdr *s = &ed->table.items[ed->table.names_index];
	const char *at = memmem(ed->table.names.items, ed->table.names.nr, name, len);

	if (at) {
		*ret = (uint32_t)(at - ed->table.names.items);
		return NULL;
	}
	if (s->sh_flags & (SHF_ALLOC | SHF_COMPRESSED))
		return err_new(ERR_UNSUPPORTED,
			       "'%s' cannot be added: the section names are "
			       "loaded or compressed",
			       name);
	if (ed->table.names.nr > UINT32_MAX - len)
		return err_new(ERR_LIMIT, "'%s' cannot be added: the section names are full", name);
	*ret = (uint32_t)ed->table.names.nr;
	vec_reserve(&ed->table.names, len);
	memcpy(ed->table.names.items + ed->table.names.nr, name, len);
	ed->table.names.nr += len;
	ed->edits.items[ed->table.names_index].changed = true;
	ed->changed = true;
	return NULL;
}

static struct err *add_section(struct section_edits *ed, const char *name, const GElf_Shdr *header,
			       size_t *ret)
{
	GElf_Shdr s = *header;

	TRY(add_name(ed, name, &s.sh_name));
	if (ed->table.nr >= UINT32_MAX)
		return err_new(ERR_LIMIT, "'%s' cannot be added: the section table is full", name);
	*ret = ed->table.nr;
	vec_push(&ed->table, s);
	vec_push(&ed->edits,
		 ((struct section_edit){ .location = SECTION_IN_TAIL, .changed = true }));
	ed->changed = true;
	return NULL;
}

static bool is_same(const struct section_edits *ed, size_t index, struct bytes data)
{
	const GElf_Shdr *s = &ed->table.items[index];
	struct bytes old = section_edits_content(ed, index);

	return s->sh_type != SHT_NOBITS && !(s->sh_flags & SHF_COMPRESSED) && old.len == data.len &&
	       (data.len == 0 || memcmp(old.ptr, data.ptr, data.len) == 0);
}

static bool is_in_image(const struct section_edits *ed, const GElf_Shdr *s)
{
	if (!(s->sh_flags & SHF_ALLOC) || s->sh_type == SHT_NOBITS)
		return false;
	for (size_t i = 0; i < ed->table.nr_segments; i++) {
		const GElf_Phdr *seg = &ed->table.segments[i];

		if (seg->p_type == PT_LOAD && s->sh_offset >= seg->p_offset &&
		    s->sh_offset - seg->p_offset <= seg->p_filesz &&
		    s->sh_size <= seg->p_filesz - (s->sh_offset - seg->p_offset))
			return true;
	}
	return false;
}

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

/* Does section @s share bytes with something else? Only in a malformed file. */
static bool shares_bytes(const struct section_edits *ed, const GElf_Shdr *s)
{
	const struct section_table *t = &ed->table;

	if (overlap(s->sh_offset, s->sh_size, 0, section_table_ehdr_size(t)))
		return true;
	for (size_t i = 0; i < t->nr_segments; i++) {
		if (t->segments[i].p_type == PT_PHDR &&
		    overlap(s->sh_offset, s->sh_size, t->segments[i].p_offset,
			    t->segments[i].p_filesz))
			return true;
	}
	for (size_t i = 1; i < ed->nr_old; i++) {
		const GElf_Shdr *o = &ed->old[i];

		if (&t->items[i] != s && section_in_file(o) &&
		    overlap(s->sh_offset, s->sh_size, o->sh_offset, o->sh_size))
			return true;
	}
	return false;
}

/* Can @len bytes replace those of section @s, which the program headers load? */
static bool fits_in_image(const struct section_edits *ed, const GElf_Shdr *s, size_t len)
{
	return len <= s->sh_size && !shares_bytes(ed, s);
}

/* Choose where new contents of @s go, a section that the program loads. */
static enum section_location locate_loaded(const struct section_edits *ed, GElf_Shdr *s,
					   const char *name, size_t len, struct diagnostics *diags)
{
	if (is_in_image(ed, s)) {
		if (len < s->sh_size)
			diag_add(diags, DIAG_WARNING,
				 "'%s' is %" PRIu64 " bytes shorter than its "
				 "place in the loaded image, which is filled with zeros",
				 name, s->sh_size - len);
		return SECTION_IN_IMAGE;
	}
	s->sh_flags &= ~(uint64_t)SHF_ALLOC;
	s->sh_addr = 0;
	return SECTION_IN_TAIL;
}

static void set_data(struct section_edits *ed, size_t index, const char *name, struct bytes data,
		     uint32_t type, struct diagnostics *diags)
{
	GElf_Shdr *s = &ed->table.items[index];
	struct section_edit *e = &ed->edits.items[index];
	bool linked = ed->table.nr_segments != 0;
	bool same = !e->changed && is_same(ed, index, data);

	if (same && linked && (s->sh_flags & SHF_ALLOC) && is_in_image(ed, s))
		return;

	uint64_t old_flags = s->sh_flags;
	e->location = SECTION_IN_TAIL;
	if (linked && (s->sh_flags & SHF_ALLOC))
		e->location = locate_loaded(ed, s, name, data.len, diags);
	e->changed = !same;
	e->data = data.ptr;
	s->sh_size = data.len;
	s->sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	s->sh_type = type;
	ed->changed |= !same || s->sh_flags != old_flags;
}

/*
 * The header of the old section may declare relocations or a group, or tell a linker to merge the contents
 * or to leave them out.
 */
static void set_header(struct section_edits *ed, size_t index, const GElf_Shdr *header)
{
	const uint64_t meaning = SHF_MERGE | SHF_STRINGS | SHF_INFO_LINK | SHF_LINK_ORDER |
				 SHF_EXCLUDE;
	GElf_Shdr *s = &ed->table.items[index], was = *s;

	/* set_data() must see that the section has no bytes in the file */
	if (s->sh_type != SHT_NOBITS)
		s->sh_type = header->sh_type;
	s->sh_link = header->sh_link;
	s->sh_info = header->sh_info;
	s->sh_entsize = header->sh_entsize;
	s->sh_flags = (s->sh_flags & ~meaning) | header->sh_flags;
	ed->changed |= memcmp(&was, s, sizeof(was)) != 0;
}

/* .BTF.ext of a BPF object of clang refers to types and strings of its .BTF by number. */
static void tell_of_bpf(const struct section_edits *ed, size_t index, struct diagnostics *diags)
{
	size_t ext = find_section(ed, ".BTF.ext", 1);

	if (ext && ed->table.items[ext].sh_size && ed->edits.items[index].changed)
		diag_add(
			diags, DIAG_WARNING,
			"'.BTF.ext' refers to the .BTF that was there: libbpf will not load the program");
}

/*
 * If @data is too large for section *index of the loaded image, rename that section and set
 * *index to 0. strip and objcopy would fill that part of the image with zeros if it had no section.
 */
static struct err *keep_image(struct section_edits *ed, const char *name, struct bytes data,
			      struct diagnostics *diags, size_t *index)
{
	GElf_Shdr *s = &ed->table.items[*index];
	CLEANUP(mem_free_text) char *other = NULL;

	if (!*index || !data.ptr || !is_in_image(ed, s) || is_same(ed, *index, data) ||
	    fits_in_image(ed, s, data.len))
		return NULL;
	diag_add(
		diags, DIAG_WARNING,
		"'%s' is written outside of the loaded image, because it does not fit in its place there "
		"(%zu bytes, room for %" PRIu64 "): the kernel will use the old one; "
		"encode the file before BTF is linked into it, or use "
		"'--btf_encode_detached'",
		name, data.len, s->sh_size);
	other = mem_printf("%s.loaded", name);
	*index = 0;
	return add_name(ed, other, &s->sh_name);
}

/* Set the one section called @name, or remove it if data.ptr is NULL. *ret is its number. */
static struct err *set_section(struct section_edits *ed, const char *name, struct bytes data,
			       const GElf_Shdr *header, struct diagnostics *diags, size_t *ret)
{
	size_t index = find_section(ed, name, 1);

	if (!strcmp(section_table_name(&ed->table, &ed->table.items[ed->table.names_index]), name))
		return err_new(ERR_UNSUPPORTED, "'%s' holds the section names", name);
	TRY(keep_image(ed, name, data, diags, &index));
	if (index && data.ptr)
		set_header(ed, index, header);
	/* of several sections some readers take the first, others the last */
	TRY(drop_sections(ed, name, data.ptr ? index : 0));
	if (!data.ptr)
		return NULL;
	if (!index)
		TRY(add_section(ed, name, header, &index));
	set_data(ed, index, name, data, header->sh_type, diags);
	*ret = index;
	return NULL;
}

static struct err *encode_relocations(struct section_edits *ed, const struct section_relocs *r,
				      const GElf_Shdr *header, struct bytes *ret)
{
	const struct section_table *t = &ed->table;
	const struct symbol_field field = section_table_symbol_field(t);
	uint64_t nr_syms = t->items[header->sh_link].sh_size / SIZE(t, Sym);
	size_t entry = (size_t)header->sh_entsize;
	uint8_t *p = mem_zalloc(r->nr, entry);

	vec_push(&ed->owned, p);
	*ret = (struct bytes){ p, r->nr * entry };
	for (size_t i = 0; i < r->nr; i++, p += entry) {
		const struct reloc_entry *e = &r->items[i];
		/* 64-bit MIPS: the first type is in the last byte, in both byte orders */
		uint64_t type = field.shift ? e->type : (uint64_t)swap32(e->type, true) << 32;

		if (e->symbol >= nr_syms)
			return err_new(ERR_FORMAT, "relocation against symbol %u of %" PRIu64,
				       e->symbol, nr_syms);
		PUT(t, Rel, p, r_offset, e->offset);
		PUT(t, Rel, p, r_info, (uint64_t)e->symbol << field.shift | type);
		if (r->rela)
			PUT(t, Rela, p, r_addend, e->addend);
	}
	return NULL;
}

/* *ret is the number of the section of relocations, 0 if there are none. */
static struct err *set_relocations(struct section_edits *ed, size_t index,
				   const struct section_content *c, struct diagnostics *diags,
				   size_t *ret)
{
	const struct section_table *t = &ed->table;
	const struct section_relocs *r = c->relocs;
	CLEANUP(mem_free_text) char *name = mem_printf(".rel%s%s", r->rela ? "a" : "", c->name);
	size_t old = find_section(ed, name, 1);
	struct bytes data = { 0 };
	GElf_Shdr header = {
		.sh_type = r->rela ? SHT_RELA : SHT_REL,
		.sh_flags = SHF_INFO_LINK,
		.sh_info = (uint32_t)index,
		.sh_addralign = t->addr_size,
		.sh_entsize = r->rela ? SIZE(t, Rela) : SIZE(t, Rel),
	};

	for (size_t i = 1; i < t->nr && !header.sh_link; i++) {
		/* in a malformed file it has the name of the relocations */
		if (t->items[i].sh_type == SHT_SYMTAB && i != old)
			header.sh_link = (uint32_t)i;
	}
	if (r->nr && !header.sh_link)
		return err_new(ERR_FORMAT, "there is no symbol table for its relocations");
	if (r->nr)
		TRY(encode_relocations(ed, r, &header, &data));
	return set_section(ed, name, data, &header, diags, ret);
}

struct err *section_edits_set(struct section_edits *ed, const struct section_content *c,
			      struct diagnostics *diags)
{
	const GElf_Shdr header = { .sh_type = c->type ? c->type : SHT_PROGBITS, .sh_addralign = 1 };
	size_t index = 0, relocs = 0;

	TRY(set_section(ed, c->name, c->data, &header, diags, &index));
	if (!index)
		return NULL;
	if (c->relocs)
		TRY(set_relocations(ed, index, c, diags, &relocs));
	TRY(drop_relocations(ed, index, relocs, diags));
	if (!strcmp(c->name, ".BTF"))
		tell_of_bpf(ed, index, diags);
	return NULL;
}

static uint64_t end_of(const GElf_Shdr *s)
{
	return section_in_file(s) ? s->sh_offset + s->sh_size : 0;
}

static void raise_to(uint64_t *pos, uint64_t at_least)
{
	if (*pos < at_least)
		*pos = at_least;
}

/* The end of the file according to its tables. */
static uint64_t find_known_end(const struct section_edits *ed)
{
	uint64_t end = ed->table.offset + ed->table.raw_len;

	raise_to(&end, ed->rigid);
	for (size_t i = 1; i < ed->nr_old; i++)
		raise_to(&end, end_of(&ed->old[i]));
	return end;
}

static void find_rigid(struct section_edits *ed)
{
	const struct section_table *t = &ed->table;

	ed->rigid = section_table_ehdr_size(t);
	raise_to(&ed->rigid, t->segments_at);
	for (size_t i = 0; i < t->nr_segments; i++) {
		const GElf_Phdr *s = &t->segments[i];

		/* a file of debug information alone keeps the segments of the whole program */
		if (s->p_filesz && s->p_offset < t->file.len)
			raise_to(&ed->rigid, s->p_filesz < t->file.len - s->p_offset ?
						     s->p_offset + s->p_filesz :
						     t->file.len);
	}
	for (size_t i = 1; t->nr_segments && i < t->nr; i++) {
		if ((t->items[i].sh_flags & SHF_ALLOC) &&
		    ed->edits.items[i].location == SECTION_IN_FILE)
			raise_to(&ed->rigid, end_of(&t->items[i]));
	}
}

/* The tail begins behind everything that stays. */
static void find_tail(struct section_edits *ed)
{
	ed->tail = ed->rigid;
	for (size_t i = 1; i < ed->table.nr; i++) {
		if (ed->edits.items[i].location == SECTION_IN_FILE)
			raise_to(&ed->tail, end_of(&ed->table.items[i]));
	}
}

/* Sections without bytes must not lie behind the end of a file that has become shorter. */
static void pull_in_empty(struct section_edits *ed)
{
	for (size_t i = 1; i < ed->table.nr; i++) {
		GElf_Shdr *s = &ed->table.items[i];

		if (ed->edits.items[i].location == SECTION_IN_FILE && !section_in_file(s) &&
		    s->sh_offset > ed->tail)
			s->sh_offset = ed->tail;
	}
}

void section_edits_plan(struct section_edits *ed, struct diagnostics *diags)
{
	struct section_table *t = &ed->table;
	struct section_edit *names = &ed->edits.items[t->names_index];

	names->data = (const uint8_t *)t->names.items;
	t->items[t->names_index].sh_size = t->names.nr;

	find_rigid(ed);
	ed->known_end = find_known_end(ed);
	if (ed->changed && ed->known_end < t->file.len)
		diag_add(diags, DIAG_WARNING,
			 "%" PRIu64 " bytes after the last section are "
			 "dropped (a signature?)",
			 t->file.len - ed->known_end);
	find_tail(ed);

	uint64_t others_end = ed->tail;
	for (size_t i = 1; i < t->nr; i++) {
		struct section_edit *e = &ed->edits.items[i];
		bool loaded = t->nr_segments && (t->items[i].sh_flags & SHF_ALLOC);

		if (e->location != SECTION_IN_TAIL || e->changed)
			continue;
		if (loaded || t->items[i].sh_offset < others_end) {
			*e = (struct section_edit){ .was = e->was, .location = SECTION_IN_FILE };
			raise_to(&ed->tail, end_of(&t->items[i]));
		}
	}
	if (ed->stripped)
		pull_in_empty(ed);
}

/* ---- the tail ---- */

static uint64_t align_up(uint64_t pos, uint64_t align)
{
	if (align > MAX_ALIGN)
		align = MAX_ALIGN;
	if (align == 0 || (align & (align - 1)))
		align = 1;
	return (pos + align - 1) & ~(align - 1);
}

static bool is_in_tail(const struct section_edit *e, bool images)
{
	return e->location == SECTION_IN_TAIL || (images && e->location == SECTION_IN_IMAGE);
}

/* Give the sections of the tail their offsets; the section headers follow at the result. */
static uint64_t lay_out(struct section_edits *ed, uint64_t pos, bool images)
{
	for (size_t i = 1; i < ed->table.nr; i++) {
		const struct section_edit *e = &ed->edits.items[i];
		GElf_Shdr *s = &ed->table.items[i];

		if (e->location == SECTION_IN_IMAGE)
			s->sh_offset = ed->old[e->was].sh_offset;
		if (!is_in_tail(e, images))
			continue;
		/* the next run does not move an empty section, so this one gives it no room */
		if (i != ed->table.names_index && s->sh_size)
			pos = align_up(pos, DATA_ALIGN);
		pos = align_up(pos, s->sh_addralign);
		s->sh_offset = pos;
		pos += s->sh_size;
	}
	return align_up(pos, TABLE_ALIGN);
}

struct err *section_edits_tail(struct section_edits *ed, uint64_t at, bool images,
			       struct section_tail *ret)
{
	uint64_t table_at = lay_out(ed, at, images);
	uint64_t end = table_at + section_table_size(&ed->table);

	if (ed->table.addr_size == 4 && end > UINT32_MAX)
		return err_new(ERR_LIMIT,
			       "the file would grow to %#" PRIx64
			       " bytes, more than a 32-bit ELF file can have",
			       end);
	section_tail_release(ret);
	ret->at = at;
	ret->len = (size_t)(end - at);
	ret->bytes = mem_alloc(ret->len);

	/* in the order in which they were laid out, with zeros in between */
	size_t pos = 0;
	for (size_t i = 1; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];

		if (!is_in_tail(&ed->edits.items[i], images) || !s->sh_size)
			continue;
		memset(ret->bytes + pos, 0, (size_t)(s->sh_offset - at) - pos);
		pos = (size_t)(s->sh_offset - at);
		memcpy(ret->bytes + pos, ed->edits.items[i].data, (size_t)s->sh_size);
		pos += (size_t)s->sh_size;
	}
	memset(ret->bytes + pos, 0, ret->len - pos);
	section_table_encode(&ed->table, table_at, ret->bytes + (table_at - at), ret->ehdr);
	return NULL;
}

void section_tail_release(struct section_tail *t)
{
	free(t->bytes);
	*t = (struct section_tail){ 0 };
}

bool section_edits_is_done(const struct section_edits *ed, const struct section_tail *t)
{
	return !ed->changed && t->at + t->len >= ed->known_end;
}

/* ---- gaps ---- */

static int by_offset(const void *a, const void *b)
{
	const GElf_Shdr *x = *(GElf_Shdr *const *)a;
	const GElf_Shdr *y = *(GElf_Shdr *const *)b;

	if (x->sh_offset != y->sh_offset)
		return x->sh_offset < y->sh_offset ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * A vector of the sections between @rigid and the tail, in file order. Sections without bytes are
 * included: their offset must not be behind the end of the file.
 */
struct movable {
	GElf_Shdr **items;
	size_t nr, cap;
};

static struct movable list_movable(const struct section_edits *ed)
{
	struct movable m = { 0 };

	for (size_t i = 1; i < ed->table.nr; i++) {
		GElf_Shdr *s = &ed->table.items[i];

		bool loaded = ed->table.nr_segments && (s->sh_flags & SHF_ALLOC);

		if (ed->edits.items[i].location == SECTION_IN_FILE && s->sh_type != SHT_NULL &&
		    s->sh_offset >= ed->rigid && (section_in_file(s) || !loaded))
			vec_push(&m, s);
	}
	vec_sort(&m, by_offset);
	return m;
}

uint64_t section_edits_gaps(const struct section_edits *ed)
{
	CLEANUP(vec_release) struct movable m = list_movable(ed);
	uint64_t used = ed->rigid, gaps = 0;

	/* do not move sections that share bytes with others or with a segment */
	for (size_t i = 1; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];

		if (ed->edits.items[i].location == SECTION_IN_FILE && s->sh_offset < used &&
		    end_of(s) > used)
			return 0;
	}
	for (size_t i = 0; i < m.nr; i++) {
		if (!section_in_file(m.items[i]))
			continue;
		if (m.items[i]->sh_offset < used)
			return 0;
		gaps += m.items[i]->sh_offset - used;
		used = end_of(m.items[i]);
	}
	return gaps;
}

void section_edits_close_gaps(struct section_edits *ed)
{
	CLEANUP(vec_release) struct movable m = list_movable(ed);
	uint64_t pos = ed->rigid;

	for (size_t i = 0; i < m.nr; i++) {
		uint64_t at = align_up(pos, m.items[i]->sh_addralign);

		m.items[i]->sh_offset = at;
		if (section_in_file(m.items[i]))
			pos = at + m.items[i]->sh_size;
	}
	ed->tail = pos;
}

void section_edits_keep_gaps(struct section_edits *ed)
{
	for (size_t i = 1; i < ed->table.nr; i++) {
		if (ed->edits.items[i].location == SECTION_IN_FILE)
			ed->table.items[i].sh_offset = ed->old[ed->edits.items[i].was].sh_offset;
	}
	find_tail(ed);
	if (ed->stripped)
		pull_in_empty(ed);
}
