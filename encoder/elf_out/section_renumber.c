/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_renumber.c - take sections out of an ELF file's table
 *
 * section_refs.h lists what refers to sections by number. Symbols of dropped sections are
 * dropped as well. These refer to symbols by number:
 *  - relocations;
 *  - groups: the symbol that a group is called by is in its sh_info;
 *  - the symbol table, whose sh_info is the number of its local ones;
 *  - .llvm_addrsig, in which clang lists symbols whose address is taken.
 *
 * Any other section whose sh_link is the symbol table may refer to symbols by number in an unknown
 * form, so the file is refused if a symbol's number changes. It is also refused if a loaded
 * section would have to change, such as the symbols of the dynamic linker.
 *
 * Names that are no longer used are removed from the string tables. clang keeps the names of
 * sections and symbols in one table.
 */
#include "encoder/elf_out/section_renumber.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/vec.h"
#include "encoder/elf_out/section_refs.h"
#include "encoder/elf_out/string_gc.h"
#include "loader/elf/elf_fields.h"

#include <inttypes.h>
#include <stdlib.h>

/* Section types of LLVM whose sh_link is the symbol table. elf.h lacks them. */
enum {
	SECTION_LLVM_ADDRSIG = 0x6fff4c03,
	SECTION_LLVM_CALL_GRAPH_PROFILE = 0x6fff4c09, /* has relocations, no numbers */
};

/* A dropped symbol; 0 is the null symbol, which stays. */
#define NO_SYMBOL UINT32_MAX

struct renumber {
	struct section_edits *ed;
	const bool *drop;
	uint32_t *sections;    /* new numbers by old ones; 0 if dropped */
	size_t symtab, xindex; /* the section of symbols and that of extended numbers, 0: none */
	uint8_t *syms;         /* contents of these, owned by @ed */
	uint8_t *xwords;
	size_t nr_syms;
	uint32_t *section_of; /* by symbol, the section that defines it; 0 for none */
	uint32_t *symbols;    /* as @sections; NO_SYMBOL if dropped */
	uint8_t *group;       /* new contents of the group that is being rewritten */
	size_t group_index;   /* its section; 0: none yet */
	bool syms_renumbered;
};

static void renumber_release(struct renumber *r)
{
	FREE_ALL(r->sections, r->section_of, r->symbols);
}

static const char *name_of(const struct renumber *r, size_t index)
{
	return section_table_name(&r->ed->table, &r->ed->table.items[index]);
}

/* A copy of section @index to be changed, owned by r->ed. */
static uint8_t *copy_content(struct renumber *r, size_t index)
{
	struct bytes b = section_edits_content(r->ed, index);
	uint8_t *ret = mem_dup(b.ptr, b.len);

	vec_push(&r->ed->owned, ret);
	return ret;
}

static struct err *is_loaded(const struct renumber *r, size_t index)
{
	return err_new(ERR_UNSUPPORTED, "'%s' is loaded, and numbers in it would have to change",
		       name_of(r, index));
}

static struct err *replace(struct renumber *r, size_t index, const uint8_t *data, size_t size)
{
	GElf_Shdr *s = &r->ed->table.items[index];
	struct bytes old = section_edits_content(r->ed, index);

	if (size == old.len && (!size || !memcmp(data, old.ptr, size)))
		return NULL;
	if (r->ed->table.nr_segments && (s->sh_flags & SHF_ALLOC))
		return is_loaded(r, index);
	s->sh_size = size;
	if (!size)
		return NULL;
	r->ed->edits.items[index].location = SECTION_IN_TAIL;
	r->ed->edits.items[index].changed = true;
	r->ed->edits.items[index].data = data;
	return NULL;
}

static struct err *check_entries(const struct renumber *r, size_t index, size_t entry)
{
	const GElf_Shdr *s = &r->ed->table.items[index];

	if (s->sh_type != SHT_NOBITS && s->sh_size % entry == 0)
		return NULL;
	return err_new(ERR_FORMAT, "'%s' has %" PRIu64 " bytes, not a multiple of %zu",
		       name_of(r, index), s->sh_size, entry);
}

/* ---- symbols ---- */

static struct err *find_symtab(struct renumber *r)
{
	const struct section_table *t = &r->ed->table;

	for (size_t i = 1; i < t->nr; i++) {
		if (t->items[i].sh_type != SHT_SYMTAB)
			continue;
		if (r->symtab)
			return err_new(ERR_UNSUPPORTED, "'%s' is a second symbol table",
				       name_of(r, i));
		r->symtab = i;
	}
	for (size_t i = 1; i < t->nr && r->symtab; i++) {
		if (t->items[i].sh_type == SHT_SYMTAB_SHNDX && t->items[i].sh_link == r->symtab)
			r->xindex = i;
	}
	return NULL;
}

static struct err *read_symbols(struct renumber *r)
{
	const struct section_table *t = &r->ed->table;
	size_t nr;

	TRY(find_symtab(r));
	if (!r->symtab)
		return NULL;
	TRY(check_entries(r, r->symtab, SIZE(t, Sym)));
	nr = (size_t)t->items[r->symtab].sh_size / SIZE(t, Sym);
	if (nr >= NO_SYMBOL)
		return err_new(ERR_FORMAT, "'%s' has %zu symbols", name_of(r, r->symtab), nr);
	if (r->xindex && t->items[r->xindex].sh_size / sizeof(uint32_t) < nr)
		return err_new(ERR_FORMAT, "'%s' has %" PRIu64 " bytes for %zu symbols",
			       name_of(r, r->xindex), t->items[r->xindex].sh_size, nr);
	r->syms = copy_content(r, r->symtab);
	if (r->xindex)
		r->xwords = copy_content(r, r->xindex);
	r->section_of = mem_zalloc(nr, sizeof(r->section_of[0]));
	r->nr_syms = nr;
	return NULL;
}

static void number_symbols(struct renumber *r)
{
	uint32_t nr = 0;

	r->symbols = mem_zalloc(r->nr_syms, sizeof(r->symbols[0]));
	for (size_t i = 0; i < r->nr_syms; i++) {
		r->symbols[i] = i && r->drop[r->section_of[i]] ? NO_SYMBOL : nr++;
		r->syms_renumbered |= r->symbols[i] != i;
	}
}

static void put_section(struct renumber *r, size_t i, uint32_t section)
{
	const struct section_table *t = &r->ed->table;
	uint8_t *sym = r->syms + i * SIZE(t, Sym);
	/* numbers only decrease, so a symbol that needs the other table had an entry there before */
	bool far = section >= SHN_LORESERVE;

	PUT(t, Sym, sym, st_shndx, far ? SHN_XINDEX : section);
	if (r->xwords)
		field_put(r->xwords + i * sizeof(uint32_t), sizeof(uint32_t), t->swap,
			  far ? section : 0);
}

/* Rewrite the symbol table in its copy; shrink_names() may still change the names of symbols there. */
static void rewrite_symbols(struct renumber *r)
{
	const struct section_table *t = &r->ed->table;
	GElf_Shdr *s = &r->ed->table.items[r->symtab];
	size_t entry = SIZE(t, Sym), nr = 0;
	uint32_t locals = 0;

	for (size_t i = 0; i < r->nr_syms; i++) {
		if (r->symbols[i] == NO_SYMBOL)
			continue;
		if (r->section_of[i])
			put_section(r, i, r->sections[r->section_of[i]]);
		memmove(r->syms + nr * entry, r->syms + i * entry, entry);
		if (r->xwords)
			memmove(r->xwords + nr * sizeof(uint32_t), r->xwords + i * sizeof(uint32_t),
				sizeof(uint32_t));
		locals += i < s->sh_info;
		nr++;
	}
	s->sh_info = locals;
	r->nr_syms = nr;
}

static struct err *put_symbols(struct renumber *r)
{
	if (r->xindex && !r->drop[r->xindex])
		TRY(replace(r, r->xindex, r->xwords, r->nr_syms * sizeof(uint32_t)));
	return replace(r, r->symtab, r->syms, r->nr_syms * SIZE(&r->ed->table, Sym));
}

/* ---- references to symbols ---- */

static struct err *refers_to_dropped(const struct renumber *r, size_t user, size_t section)
{
	return err_new(ERR_UNSUPPORTED, "'%s' refers to '%s', which would be removed",
		       name_of(r, user), name_of(r, section));
}

/* The new number of @symbol, which section @user refers to. */
static struct err *new_symbol(const struct renumber *r, size_t user, uint64_t symbol, uint32_t *ret)
{
	if (symbol >= r->nr_syms)
		return err_new(ERR_FORMAT, "'%s' refers to symbol %" PRIu64 " of %zu",
			       name_of(r, user), symbol, r->nr_syms);
	*ret = r->symbols[symbol];
	return *ret != NO_SYMBOL ? NULL : refers_to_dropped(r, user, r->section_of[symbol]);
}

static struct err *rewrite_relocations(struct renumber *r, size_t index)
{
	const struct section_table *t = &r->ed->table;
	const GElf_Shdr *s = &t->items[index];
	size_t entry = s->sh_type == SHT_REL ? SIZE(t, Rel) : SIZE(t, Rela);
	const struct symbol_field field = section_table_symbol_field(t);

	TRY(check_entries(r, index, entry));

	uint8_t *raw = copy_content(r, index);
	for (uint8_t *p = raw; p < raw + s->sh_size; p += entry) {
		uint64_t info = GET(t, Rel, p, r_info);
		uint32_t symbol = 0;

		TRY(new_symbol(r, index, info >> field.shift & field.mask, &symbol));
		PUT(t, Rel, p, r_info,
		    (info & ~(field.mask << field.shift)) | (uint64_t)symbol << field.shift);
	}
	return replace(r, index, raw, (size_t)s->sh_size);
}

static struct err *bad_leb(const struct renumber *r, size_t index)
{
	return err_new(ERR_FORMAT, "'%s' ends within a number, or has one of more than 32 bits",
		       name_of(r, index));
}

/* Numbers of symbols as ULEB128; a new number is never longer than the old one. */
static struct err *rewrite_addrsig(struct renumber *r, size_t index)
{
	uint64_t size = r->ed->table.items[index].sh_size;
	uint8_t *raw = copy_content(r, index), *out = raw;

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
	GElf_Shdr *s = &r->ed->table.items[index];

	switch (s->sh_type) {
	case SHT_REL:
	case SHT_RELA:
		return rewrite_relocations(r, index);
	case SECTION_LLVM_ADDRSIG:
		return rewrite_addrsig(r, index);
	case SHT_GROUP:
		return new_symbol(r, index, s->sh_info, &s->sh_info);
	case SHT_SYMTAB_SHNDX:
	case SECTION_LLVM_CALL_GRAPH_PROFILE:
		return NULL;
	default:
		return err_new(ERR_UNSUPPORTED,
			       "'%s' (type %#x) refers to symbols, which would get other numbers",
			       name_of(r, index), s->sh_type);
	}
}

/* ---- references to sections ---- */

/* Refuse what cannot be changed; collect the sections of symbols. */
static struct err *check_ref(void *ctx, const struct section_ref *ref)
{
	struct renumber *r = ctx;
	bool broken = ref->section >= r->ed->table.nr;

	switch (ref->kind) {
	case REF_LINK:
	case REF_INFO:
		/* a broken number may stay */
		return broken || !r->drop[ref->section] ?
			       NULL :
			       refers_to_dropped(r, ref->user, ref->section);
	case REF_SYMBOL:
	case REF_SECTION_SYMBOL:
		if (ref->user == r->symtab) {
			if (broken)
				return err_new(ERR_FORMAT, "symbol %zu is in section %u of %zu",
					       ref->at, ref->section, r->ed->table.nr);
			r->section_of[ref->at] = ref->section;
		} else if (!broken && r->sections[ref->section] != ref->section) {
			return is_loaded(r, ref->user);
		}
		return NULL;
	case REF_MEMBER: /* section_strip() has checked it */
	case REF_RELOCATION:
		break;
	}
	return NULL;
}

/*
 * Remaining members move up in the group. section_refs_visit() skips words that name no section, so the first call for a
 * group may be for a later word.
 */
static struct err *put_member(struct renumber *r, const struct section_ref *ref)
{
	GElf_Shdr *s = &r->ed->table.items[ref->user];
	const size_t flags = sizeof(uint32_t);

	if (r->group_index != ref->user) {
		r->group_index = ref->user;
		r->group = copy_content(r, ref->user);
		TRY(replace(r, ref->user, r->group, flags));
	}
	if (!r->sections[ref->section])
		return NULL;
	field_put(r->group + s->sh_size, sizeof(uint32_t), r->ed->table.swap,
		  r->sections[ref->section]);
	s->sh_size += sizeof(uint32_t);
	return NULL;
}

static struct err *put_ref(void *ctx, const struct section_ref *ref)
{
	struct renumber *r = ctx;
	GElf_Shdr *s = &r->ed->table.items[ref->user];

	if (ref->section >= r->ed->table.nr)
		return NULL;
	if (ref->kind == REF_MEMBER)
		return put_member(r, ref);
	if (ref->kind == REF_LINK)
		s->sh_link = r->sections[ref->section];
	else if (ref->kind == REF_INFO)
		s->sh_info = r->sections[ref->section];
	return NULL;
}

/* ---- names ---- */

/* Does a section other than the symbol table refer to the string table @index? */
static bool is_shared(const struct renumber *r, size_t index)
{
	const struct section_table *t = &r->ed->table;

	for (size_t i = 1; i < t->nr; i++) {
		if (!r->drop[i] && i != r->symtab && t->items[i].sh_link == index)
			return true;
	}
	return false;
}

static uint8_t *symbol_at(const struct renumber *r, size_t i)
{
	return r->syms + i * SIZE(&r->ed->table, Sym);
}

static struct err *use_names(const struct renumber *r, size_t index, struct string_gc *s)
{
	const struct section_table *t = &r->ed->table;
	bool has_symbols = r->symtab && t->items[r->symtab].sh_link == index;

	TRY(string_gc_use(s, 0));
	for (size_t i = 1; i < t->nr && index == t->names_index; i++) {
		if (!r->drop[i])
			TRY(string_gc_use(s, t->items[i].sh_name));
	}
	for (size_t i = 0; i < r->nr_syms && has_symbols; i++)
		TRY(string_gc_use(s, GET(t, Sym, symbol_at(r, i), st_name)));
	return NULL;
}

static void move_names(struct renumber *r, size_t index, const struct string_gc *s)
{
	struct section_table *t = &r->ed->table;
	bool has_symbols = r->symtab && t->items[r->symtab].sh_link == index;

	/* the null section has no name; a damaged one may refer to a removed string */
	if (index == t->names_index)
		t->items[0].sh_name = 0;
	for (size_t i = 1; i < t->nr && index == t->names_index; i++) {
		if (!r->drop[i])
			t->items[i].sh_name = s->to[t->items[i].sh_name];
	}
	for (size_t i = 0; i < r->nr_syms && has_symbols; i++) {
		uint8_t *sym = symbol_at(r, i);

		PUT(t, Sym, sym, st_name, s->to[GET(t, Sym, sym, st_name)]);
	}
}

/* Called between the rewriting of symbols and that of headers. */
static struct err *shrink_names(struct renumber *r, size_t index)
{
	struct section_table *t = &r->ed->table;
	const GElf_Shdr *h = &t->items[index];
	bool section_names = index == t->names_index;
	size_t len = section_names ? t->names.nr : (size_t)h->sh_size;
	CLEANUP(string_gc_release) struct string_gc s = { 0 };
	uint8_t *raw = (uint8_t *)t->names.items;

	if (h->sh_type != SHT_STRTAB || (h->sh_flags & (SHF_ALLOC | SHF_COMPRESSED)) ||
	    is_shared(r, index) || !len || len > UINT32_MAX)
		return NULL;
	if (!section_names)
		raw = copy_content(r, index);
	string_gc_init(&s, (char *)raw, len);
	TRY(err_at(use_names(r, index, &s), "'%s'", name_of(r, index)));
	string_gc_close(&s);
	move_names(r, index, &s);
	if (!section_names)
		return replace(r, index, raw, s.len);
	t->names.nr = s.len;
	r->ed->edits.items[index].changed |= s.len != len;
	return NULL;
}

/* ---- all together ---- */

static void number_sections(struct renumber *r)
{
	const struct section_table *t = &r->ed->table;
	uint32_t nr = 0;

	r->sections = mem_zalloc(t->nr, sizeof(r->sections[0]));
	for (size_t i = 0; i < t->nr; i++) {
		if (!r->drop[i])
			r->sections[i] = nr++;
	}
}

static struct err *rewrite_symbol_users(struct renumber *r)
{
	const struct section_table *t = &r->ed->table;

	for (size_t i = 1; i < t->nr && r->syms_renumbered; i++) {
		if (!r->drop[i] && t->items[i].sh_link == r->symtab)
			TRY(rewrite_user_of_symbols(r, i));
	}
	return NULL;
}

static void close_table(struct renumber *r)
{
	struct section_edits *ed = r->ed;
	size_t nr = 0;

	for (size_t i = 0; i < ed->table.nr; i++) {
		if (r->drop[i])
			continue;
		ed->table.items[nr] = ed->table.items[i];
		ed->edits.items[nr++] = ed->edits.items[i];
	}
	ed->table.names_index = r->sections[ed->table.names_index];
	ed->table.nr = ed->edits.nr = nr;
}

struct err *section_renumber(struct section_edits *ed, const bool *drop)
{
	CLEANUP(renumber_release) struct renumber r = { .ed = ed, .drop = drop };
	size_t names = ed->table.names_index;

	number_sections(&r);
	TRY(read_symbols(&r));
	TRY(section_refs_visit(ed, drop, false, check_ref, &r));
	number_symbols(&r);
	if (r.symtab) {
		TRY(rewrite_symbol_users(&r));
		rewrite_symbols(&r);
	}

	uint32_t symbol_names = r.syms_renumbered ? ed->table.items[r.symtab].sh_link : 0;
	if (symbol_names && symbol_names < ed->table.nr && symbol_names != names)
		TRY(shrink_names(&r, symbol_names));
	TRY(shrink_names(&r, names));
	if (r.symtab)
		TRY(put_symbols(&r));

	TRY(section_refs_visit(ed, drop, false, put_ref, &r));
	close_table(&r);
	return NULL;
}

/* The parts of @ed that section_renumber() changes. */
struct saved {
	GElf_Shdr *items;
	struct section_edit *edits;
	char *names;
	size_t nr, names_len;
	uint32_t names_index;
};

static void saved_release(struct saved *s)
{
	FREE_ALL(s->items, s->edits, s->names);
}

static struct saved save(const struct section_edits *ed)
{
	const struct section_table *t = &ed->table;

	return (struct saved){
		.items = mem_dup(t->items, t->nr * sizeof(t->items[0])),
		.edits = mem_dup(ed->edits.items, t->nr * sizeof(ed->edits.items[0])),
		.names = mem_dup(t->names.items, t->names.nr),
		.nr = t->nr,
		.names_len = t->names.nr,
		.names_index = t->names_index,
	};
}

static void restore(struct section_edits *ed, const struct saved *s)
{
	struct section_table *t = &ed->table;

	memcpy(t->items, s->items, s->nr * sizeof(s->items[0]));
	memcpy(ed->edits.items, s->edits, s->nr * sizeof(s->edits[0]));
	memcpy(t->names.items, s->names, s->names_len);
	t->nr = ed->edits.nr = s->nr;
	t->names.nr = s->names_len;
	t->names_index = s->names_index;
}

void section_drop_unused(struct section_edits *ed)
{
	CLEANUP(mem_free) bool *drop = mem_zalloc(ed->table.nr, sizeof(*drop));
	size_t nr = 0;

	for (size_t i = 1; i < ed->table.nr; i++) {
		drop[i] = ed->table.items[i].sh_type == SHT_NULL;
		nr += drop[i];
	}
	if (!ed->changed || !nr)
		return;

	CLEANUP(saved_release) struct saved s = save(ed);
	struct err *e = section_renumber(ed, drop);

	if (!e)
		return;
	err_free(e);
	restore(ed, &s);
	for (size_t i = 1; i < ed->table.nr; i++) {
		if (!drop[i])
			continue;
		ed->table.items[i] = (GElf_Shdr){ .sh_type = SHT_PROGBITS, .sh_addralign = 1 };
		ed->edits.items[i] = (struct section_edit){ .was = i,
							    .location = SECTION_IN_TAIL,
							    .changed = true };
	}
}
