/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_renumber.c - take sections out of an ELF file's table
 *
 * Sections are known by their numbers to
 *  - headers of other sections: sh_link always; sh_info of relocations and with
 *    SHF_INFO_LINK;
 *  - groups, which list their members;
 *  - symbols: st_shndx, or where that has too few bits, the table beside (SHT_SYMTAB_SHNDX).
 *    Those of the dynamic linker are loaded and must not change; debug information
 *    comes behind all they name.
 *
 * and symbols to
 *  - relocations;
 *  - groups: the symbol that a group is called by is in its sh_info;
 *  - the symbol table, whose sh_info is the number of its local ones;
 *  - .llvm_addrsig, by which clang lists symbols whose address is taken.
 *
 * Other sections with sh_link to the symbol table are taken to know symbols by number, too,
 * and are refused if any number changes.
 *
 * The names that nobody has any more are cut out of the string tables: clang keeps those of
 * sections and symbols in one.
 */
#include "encoder/elf_out/section_renumber.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "encoder/elf_out/elf_fields.h"
#include "encoder/elf_out/string_cut.h"

#include <inttypes.h>
#include <stdlib.h>

/* SHT_LLVM_*: section types of LLVM whose sh_link is the symbol table. elf.h has none of them. */
enum {
	SECTION_LLVM_ADDRSIG = 0x6fff4c03,
	SECTION_LLVM_CALL_GRAPH_PROFILE = 0x6fff4c09, /* has relocations, no numbers */
};

/* A symbol that is gone. 0 is a symbol, though one that means none. */
#define NO_SYMBOL UINT32_MAX

struct renumber {
	struct section_patch *p;
	const bool *drop;
	uint32_t *sections;    /* new numbers by old ones; 0 for what goes */
	size_t symtab, xindex; /* the section of symbols and that of extended numbers, 0: none */
	uint8_t *syms;         /* contents of these; the patch owns them */
	uint8_t *xwords;
	size_t nr_syms;
	uint32_t *symbols; /* as @sections; NO_SYMBOL for what goes */
	bool syms_renumbered;
};

static void renumber_release(struct renumber *r)
{
	free(r->sections);
	free(r->symbols);
}

static const char *name_of(const struct renumber *r, size_t index)
{
	return section_table_name(&r->p->table, &r->p->table.items[index]);
}

/* The bytes of section @index, which the patch will release. */
static struct err *content(struct renumber *r, size_t index, uint8_t **ret)
{
	const struct section_header *s = &r->p->table.items[index];
	const struct section_edit *e = &r->p->edits.items[index];

	*ret = mem_alloc((size_t)s->size);
	vec_push(&r->p->owned, *ret);
	if (e->data) {
		memcpy(*ret, e->data, (size_t)s->size);
		return NULL;
	}
	return section_in_file(s) ? file_read_at(r->p->fd, s->offset, *ret, (size_t)s->size) : NULL;
}

static struct err *replace(struct renumber *r, size_t index, const uint8_t *data, size_t size)
{
	struct section_header *s = &r->p->table.items[index];

	if (r->p->table.nr_segments && (s->flags & SHF_ALLOC))
		return err_new(ERR_UNSUPPORTED,
			       "'%s' is loaded, and numbers in it would have to change",
			       name_of(r, index));
	s->size = size;
	if (!size)
		return NULL;
	r->p->edits.items[index].place = SECTION_IN_TAIL;
	r->p->edits.items[index].changed = true;
	r->p->edits.items[index].data = data;
	return NULL;
}

static struct err *check_entries(const struct renumber *r, size_t index, size_t entry)
{
	const struct section_header *s = &r->p->table.items[index];

	if (s->type != SHT_NOBITS && s->size % entry == 0)
		return NULL;
	return err_new(ERR_FORMAT, "'%s' has %" PRIu64 " bytes, not a multiple of %zu",
		       name_of(r, index), s->size, entry);
}

/* ---- symbols ---- */

static struct err *find_symtab(struct renumber *r)
{
	const struct section_table *t = &r->p->table;

	for (size_t i = 1; i < t->nr; i++) {
		if (t->items[i].type != SHT_SYMTAB)
			continue;
		if (r->symtab)
			return err_new(ERR_UNSUPPORTED, "'%s' is a second symbol table",
				       name_of(r, i));
		r->symtab = i;
	}
	for (size_t i = 1; i < t->nr && r->symtab; i++) {
		if (t->items[i].type == SHT_SYMTAB_SHNDX && t->items[i].link == r->symtab)
			r->xindex = i;
	}
	return NULL;
}

static struct err *read_symbols(struct renumber *r)
{
	const struct section_table *t = &r->p->table;
	size_t nr;

	TRY(find_symtab(r));
	if (!r->symtab)
		return NULL;
	TRY(check_entries(r, r->symtab, SIZE(t, Sym)));
	nr = (size_t)t->items[r->symtab].size / SIZE(t, Sym);
	if (nr >= NO_SYMBOL)
		return err_new(ERR_FORMAT, "'%s' has %zu symbols", name_of(r, r->symtab), nr);
	if (r->xindex && t->items[r->xindex].size / sizeof(uint32_t) < nr)
		return err_new(ERR_FORMAT, "'%s' has %" PRIu64 " bytes for %zu symbols",
			       name_of(r, r->xindex), t->items[r->xindex].size, nr);
	TRY(content(r, r->symtab, &r->syms));
	if (r->xindex)
		TRY(content(r, r->xindex, &r->xwords));
	r->nr_syms = nr;
	return NULL;
}

/* The section that symbol @i is defined in; 0 for none, and for the special ones. */
static struct err *section_of(const struct renumber *r, size_t i, size_t *ret)
{
	const struct section_table *t = &r->p->table;
	uint64_t index = GET(t, Sym, r->syms + i * SIZE(t, Sym), st_shndx);

	if (index == SHN_XINDEX && r->xwords)
		index = field_get(r->xwords + i * sizeof(uint32_t), sizeof(uint32_t), t->swap);
	else if (index >= SHN_LORESERVE)
		index = SHN_UNDEF;
	if (index >= t->nr)
		return err_new(ERR_FORMAT, "symbol %zu is in section %" PRIu64 " of %zu", i, index,
			       t->nr);
	*ret = (size_t)index;
	return NULL;
}

static struct err *number_symbols(struct renumber *r)
{
	uint32_t nr = 0;

	r->symbols = mem_zalloc(r->nr_syms + 1, sizeof(r->symbols[0]));
	for (size_t i = 0; i < r->nr_syms; i++) {
		size_t section = 0;

		TRY(section_of(r, i, &section));
		r->symbols[i] = i && r->drop[section] ? NO_SYMBOL : nr++;
		r->syms_renumbered |= r->symbols[i] != i;
	}
	return NULL;
}

static void put_section(struct renumber *r, size_t i, uint32_t section)
{
	const struct section_table *t = &r->p->table;
	uint8_t *sym = r->syms + i * SIZE(t, Sym);
	/* numbers only get smaller, so whoever needs the other table has had it before */
	bool far = section >= SHN_LORESERVE;

	PUT(t, Sym, sym, st_shndx, far ? SHN_XINDEX : section);
	if (r->xwords)
		field_put(r->xwords + i * sizeof(uint32_t), sizeof(uint32_t), t->swap,
			  far ? section : 0);
}

/* The symbol table as it will be, in the place of the one that was read. */
static struct err *rewrite_symbols(struct renumber *r)
{
	const struct section_table *t = &r->p->table;
	struct section_header *s = &r->p->table.items[r->symtab];
	size_t entry = SIZE(t, Sym), nr = 0;
	uint32_t locals = 0;

	for (size_t i = 0; i < r->nr_syms; i++) {
		size_t section = 0;

		if (r->symbols[i] == NO_SYMBOL)
			continue;
		TRY(section_of(r, i, &section));
		if (section)
			put_section(r, i, r->sections[section]);
		memmove(r->syms + nr * entry, r->syms + i * entry, entry);
		if (r->xwords)
			memmove(r->xwords + nr * sizeof(uint32_t), r->xwords + i * sizeof(uint32_t),
				sizeof(uint32_t));
		locals += i < s->info;
		nr++;
	}
	s->info = locals;
	r->nr_syms = nr;
	if (r->xindex && !r->drop[r->xindex])
		TRY(replace(r, r->xindex, r->xwords, nr * sizeof(uint32_t)));
	return replace(r, r->symtab, r->syms, nr * entry);
}

/* The symbols of the dynamic linker: they stay, so their sections must keep their numbers. */
static struct err *check_dynamic(struct renumber *r, size_t index)
{
	const struct section_table *t = &r->p->table;
	uint8_t *raw = NULL;

	TRY(check_entries(r, index, SIZE(t, Sym)));
	TRY(content(r, index, &raw));
	for (size_t pos = 0; pos < t->items[index].size; pos += SIZE(t, Sym)) {
		uint64_t section = GET(t, Sym, raw + pos, st_shndx);

		if (section < SHN_LORESERVE && section < t->nr && r->sections[section] != section)
			return err_new(ERR_UNSUPPORTED,
				       "'%s' is loaded, and numbers in it would have to change",
				       name_of(r, index));
	}
	return NULL;
}

/* ---- who knows symbols by their numbers ---- */

/* The new number of @symbol, which section @user refers to. */
static struct err *new_symbol(const struct renumber *r, size_t user, uint64_t symbol, uint32_t *ret)
{
	size_t section = 0;

	if (symbol >= r->nr_syms)
		return err_new(ERR_FORMAT, "'%s' refers to symbol %" PRIu64 " of %zu",
			       name_of(r, user), symbol, r->nr_syms);
	*ret = r->symbols[symbol];
	if (*ret != NO_SYMBOL)
		return NULL;
	TRY(section_of(r, (size_t)symbol, &section));
	return err_new(ERR_UNSUPPORTED, "'%s' refers to '%s', which is to be dropped",
		       name_of(r, user), name_of(r, section));
}

static struct err *rewrite_relocations(struct renumber *r, size_t index)
{
	const struct section_table *t = &r->p->table;
	const struct section_header *s = &t->items[index];
	size_t entry = s->type == SHT_REL ? SIZE(t, Rel) : SIZE(t, Rela);
	const struct symbol_field field = section_table_symbol_field(t);
	uint8_t *raw = NULL;

	TRY(check_entries(r, index, entry));
	TRY(content(r, index, &raw));
	for (uint8_t *p = raw; p < raw + s->size; p += entry) {
		uint64_t info = GET(t, Rel, p, r_info);
		uint32_t symbol = 0;

		TRY(new_symbol(r, index, info >> field.shift & field.mask, &symbol));
		PUT(t, Rel, p, r_info,
		    (info & ~(field.mask << field.shift)) | (uint64_t)symbol << field.shift);
	}
	return replace(r, index, raw, (size_t)s->size);
}

static struct err *bad_leb(const struct renumber *r, size_t index)
{
	return err_new(ERR_FORMAT, "'%s' ends within a number, or has one of more than 32 bits",
		       name_of(r, index));
}

/* Numbers of symbols as ULEB128; a new number is never longer than the old one. */
static struct err *rewrite_addrsig(struct renumber *r, size_t index)
{
	uint64_t size = r->p->table.items[index].size;
	uint8_t *raw = NULL, *out;

	TRY(content(r, index, &raw));
	out = raw;
	for (uint64_t pos = 0; pos < size;) {
		uint64_t symbol = 0;
		unsigned int shift = 0;
		uint8_t byte;

		do {
			if (pos == size || shift > 28)
				return bad_leb(r, index);
			byte = raw[pos++];
			symbol |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		} while (byte & 0x80);
		if (symbol >= r->nr_syms)
			return err_new(ERR_FORMAT, "'%s' refers to symbol %" PRIu64 " of %zu",
				       name_of(r, index), symbol, r->nr_syms);

		uint32_t v = r->symbols[symbol];
		if (v == NO_SYMBOL)
			continue;
		for (; v > 0x7f; v >>= 7)
			*out++ = (uint8_t)(v | 0x80);
		*out++ = (uint8_t)v;
	}
	return replace(r, index, raw, (size_t)(out - raw));
}

static struct err *rewrite_user_of_symbols(struct renumber *r, size_t index)
{
	struct section_header *s = &r->p->table.items[index];

	switch (s->type) {
	case SHT_REL:
	case SHT_RELA:
		return rewrite_relocations(r, index);
	case SECTION_LLVM_ADDRSIG:
		return rewrite_addrsig(r, index);
	case SHT_GROUP:
		return new_symbol(r, index, s->info, &s->info);
	case SHT_SYMTAB_SHNDX:
	case SECTION_LLVM_CALL_GRAPH_PROFILE:
		return NULL;
	default:
		return err_new(ERR_UNSUPPORTED,
			       "'%s' (type %#" PRIx32
			       ") refers to symbols, which would get other numbers",
			       name_of(r, index), s->type);
	}
}

/* ---- who knows sections by their numbers ---- */

static struct err *rewrite_group(struct renumber *r, size_t index)
{
	const struct section_table *t = &r->p->table;
	uint64_t size = t->items[index].size;
	uint8_t *raw = NULL;

	/* section_strip() has looked at its size, and at all members */
	TRY(content(r, index, &raw));
	uint8_t *out = raw + sizeof(uint32_t); /* flags */
	for (uint64_t pos = sizeof(uint32_t); pos < size; pos += sizeof(uint32_t)) {
		uint64_t member = field_get(raw + pos, sizeof(uint32_t), t->swap);

		if (!r->sections[member])
			continue;
		field_put(out, sizeof(uint32_t), t->swap, r->sections[member]);
		out += sizeof(uint32_t);
	}
	return size ? replace(r, index, raw, (size_t)(out - raw)) : NULL;
}

/* A number that means nothing may stay. */
static bool is_section(const struct renumber *r, uint32_t number)
{
	return number && number < r->p->table.nr;
}

static bool info_is_section(const struct section_header *s)
{
	return section_is_relocation(s) || (s->flags & SHF_INFO_LINK);
}

static struct err *check_section(const struct renumber *r, size_t user, uint32_t section)
{
	if (!is_section(r, section) || !r->drop[section])
		return NULL;
	return err_new(ERR_UNSUPPORTED, "'%s' refers to '%s', which is to be dropped",
		       name_of(r, user), name_of(r, section));
}

static struct err *check_header(const struct renumber *r, size_t index)
{
	const struct section_header *s = &r->p->table.items[index];

	TRY(check_section(r, index, s->link));
	return info_is_section(s) ? check_section(r, index, s->info) : NULL;
}

static void rewrite_header(const struct renumber *r, struct section_header *s)
{
	if (is_section(r, s->link))
		s->link = r->sections[s->link];
	if (info_is_section(s) && is_section(r, s->info))
		s->info = r->sections[s->info];
}

/* ---- names ---- */

/* Does somebody else have names in the string table @index? */
static bool is_shared(const struct renumber *r, size_t index)
{
	const struct section_table *t = &r->p->table;

	for (size_t i = 1; i < t->nr; i++) {
		if (!r->drop[i] && i != r->symtab && t->items[i].link == index)
			return true;
	}
	return false;
}

static uint8_t *symbol_at(const struct renumber *r, size_t i)
{
	return r->syms + i * SIZE(&r->p->table, Sym);
}

static struct err *use_names(const struct renumber *r, size_t index, struct string_cut *s)
{
	const struct section_table *t = &r->p->table;
	bool has_symbols = r->symtab && t->items[r->symtab].link == index;

	TRY(string_cut_use(s, 0));
	for (size_t i = 1; i < t->nr && index == t->names_index; i++) {
		if (!r->drop[i])
			TRY(string_cut_use(s, t->items[i].name));
	}
	for (size_t i = 0; i < r->nr_syms && has_symbols; i++)
		TRY(string_cut_use(s, GET(t, Sym, symbol_at(r, i), st_name)));
	return NULL;
}

static void move_names(struct renumber *r, size_t index, const struct string_cut *s)
{
	struct section_table *t = &r->p->table;
	bool has_symbols = r->symtab && t->items[r->symtab].link == index;

	/* the first entry has no name; what a damaged one points to may be cut */
	if (index == t->names_index)
		t->items[0].name = 0;
	for (size_t i = 1; i < t->nr && index == t->names_index; i++) {
		if (!r->drop[i])
			t->items[i].name = s->to[t->items[i].name];
	}
	for (size_t i = 0; i < r->nr_syms && has_symbols; i++) {
		uint8_t *sym = symbol_at(r, i);

		PUT(t, Sym, sym, st_name, s->to[GET(t, Sym, sym, st_name)]);
	}
}

/* Symbols have been rewritten by now, headers not yet. */
static struct err *shrink_names(struct renumber *r, size_t index)
{
	struct section_table *t = &r->p->table;
	const struct section_header *h = &t->items[index];
	bool section_names = index == t->names_index;
	size_t len = section_names ? t->names.nr : (size_t)h->size;
	CLEANUP(string_cut_release) struct string_cut s = { 0 };
	uint8_t *raw = (uint8_t *)t->names.items;

	if (h->type != SHT_STRTAB || (h->flags & (SHF_ALLOC | SHF_COMPRESSED)) ||
	    is_shared(r, index) || !len || len > UINT32_MAX)
		return NULL;
	if (!section_names)
		TRY(content(r, index, &raw));
	string_cut_init(&s, (char *)raw, len);
	TRY(err_at(use_names(r, index, &s), "'%s'", name_of(r, index)));
	string_cut_close(&s);
	move_names(r, index, &s);
	if (!section_names)
		return replace(r, index, raw, s.len);
	t->names.nr = s.len;
	r->p->edits.items[index].changed = true;
	return NULL;
}

/* ---- all together ---- */

static void number_sections(struct renumber *r)
{
	const struct section_table *t = &r->p->table;
	uint32_t nr = 0;

	r->sections = mem_zalloc(t->nr, sizeof(r->sections[0]));
	for (size_t i = 0; i < t->nr; i++) {
		if (!r->drop[i])
			r->sections[i] = nr++;
	}
}

static struct err *rewrite_contents(struct renumber *r)
{
	const struct section_table *t = &r->p->table;

	for (size_t i = 1; i < t->nr; i++) {
		const struct section_header *s = &t->items[i];

		if (r->drop[i])
			continue;
		TRY(check_header(r, i));
		/* whatever type it has: somebody has just set its bytes */
		if (r->p->edits.items[i].data)
			continue;
		if (s->type == SHT_DYNSYM)
			TRY(check_dynamic(r, i));
		if (s->type == SHT_GROUP)
			TRY(rewrite_group(r, i));
		if (r->symtab && r->syms_renumbered && s->link == r->symtab)
			TRY(rewrite_user_of_symbols(r, i));
	}
	return r->symtab ? rewrite_symbols(r) : NULL;
}

static void close_table(struct renumber *r)
{
	struct section_patch *p = r->p;
	size_t nr = 0;

	for (size_t i = 0; i < p->table.nr; i++) {
		if (r->drop[i])
			continue;
		p->table.items[nr] = p->table.items[i];
		p->edits.items[nr++] = p->edits.items[i];
	}
	p->table.names_index = r->sections[p->table.names_index];
	p->table.nr = p->edits.nr = nr;
}

struct err *section_renumber(struct section_patch *p, const bool *drop)
{
	CLEANUP(renumber_release) struct renumber r = { .p = p, .drop = drop };
	size_t names = p->table.names_index;

	number_sections(&r);
	TRY(read_symbols(&r));
	TRY(number_symbols(&r));
	TRY(rewrite_contents(&r));

	uint32_t symbol_names = r.symtab ? p->table.items[r.symtab].link : 0;
	if (symbol_names && symbol_names < p->table.nr && symbol_names != names)
		TRY(shrink_names(&r, symbol_names));
	TRY(shrink_names(&r, names));

	for (size_t i = 1; i < p->table.nr; i++) {
		if (!drop[i])
			rewrite_header(&r, &p->table.items[i]);
	}
	close_table(&r);
	return NULL;
}
