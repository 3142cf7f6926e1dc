/* SPDX-License-Identifier: GPL-2.0-only */
/* section_refs.c - see section_refs.h */
#include "encoder/elf_out/section_refs.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/elf_fields.h"

#include <stdlib.h>

struct visitor {
	const struct section_edits *ed;
	const struct section_table *t;
	uint32_t *extended; /* by symbol table: its SHT_SYMTAB_SHNDX, 0 if it has none */
	section_ref_fn *fn;
	void *ctx;
};

static void visitor_release(struct visitor *v)
{
	free(v->extended);
}

static struct err *visit(const struct visitor *v, enum section_ref_kind kind, size_t user,
			 size_t at, uint64_t section)
{
	const struct section_ref ref = { kind, user, at, (uint32_t)section };

	return section ? v->fn(v->ctx, &ref) : NULL;
}

static struct err *visit_header(const struct visitor *v, size_t user)
{
	const GElf_Shdr s = v->t->items[user];

	TRY(visit(v, REF_LINK, user, 0, s.sh_link));
	if (section_is_relocation(&s) || (s.sh_flags & SHF_INFO_LINK))
		return visit(v, REF_INFO, user, 0, s.sh_info);
	return NULL;
}

static struct err *visit_group(const struct visitor *v, size_t user)
{
	struct bytes group = section_edits_content(v->ed, user);
	const size_t word = sizeof(uint32_t);

	for (size_t at = word; bytes_have(group, at, word); at += word)
		TRY(visit(v, REF_MEMBER, user, at, swap32(load32(group.ptr + at), v->t->swap)));
	return NULL;
}

/* The section that defines symbol @i of @syms, which section @table contains; 0: none or a special one. */
static uint64_t symbol_section(const struct visitor *v, size_t table, struct bytes syms, size_t i)
{
	uint64_t section = GET(v->t, Sym, syms.ptr + i * SIZE(v->t, Sym), st_shndx);

	if (section == SHN_XINDEX && v->extended[table]) {
		struct bytes words = section_edits_content(v->ed, v->extended[table]);

		if (bytes_have(words, i * sizeof(uint32_t), sizeof(uint32_t)))
			return swap32(load32(words.ptr + i * sizeof(uint32_t)), v->t->swap);
	}
	return section < SHN_LORESERVE ? section : 0;
}

static struct err *visit_symbols(const struct visitor *v, size_t user)
{
	struct bytes syms = section_edits_content(v->ed, user);

	for (size_t i = 0; i < syms.len / SIZE(v->t, Sym); i++) {
		uint64_t info = GET(v->t, Sym, syms.ptr + i * SIZE(v->t, Sym), st_info);

		TRY(visit(v, ELF64_ST_TYPE(info) == STT_SECTION ? REF_SECTION_SYMBOL : REF_SYMBOL,
			  user, i, symbol_section(v, user, syms, i)));
	}
	return NULL;
}

static struct err *visit_relocations(const struct visitor *v, size_t user)
{
	const struct section_table *t = v->t;
	const GElf_Shdr *s = &t->items[user];
	const struct symbol_field field = section_table_symbol_field(t);
	struct bytes relocs = section_edits_content(v->ed, user);
	size_t entry = s->sh_type == SHT_REL ? SIZE(t, Rel) : SIZE(t, Rela);

	if (s->sh_link >= t->nr || (t->items[s->sh_link].sh_type != SHT_SYMTAB &&
				    t->items[s->sh_link].sh_type != SHT_DYNSYM))
		return NULL;

	struct bytes syms = section_edits_content(v->ed, s->sh_link);
	for (size_t pos = 0; bytes_have(relocs, pos, entry); pos += entry) {
		uint64_t info = GET(t, Rel, relocs.ptr + pos, r_info);
		uint64_t symbol = info >> field.shift & field.mask;

		if (symbol < syms.len / SIZE(t, Sym))
			TRY(visit(v, REF_RELOCATION, user, 0,
				  symbol_section(v, s->sh_link, syms, (size_t)symbol)));
	}
	return NULL;
}

static struct err *visit_content(const struct visitor *v, size_t user, bool relocations)
{
	switch (v->t->items[user].sh_type) {
	case SHT_GROUP:
		return visit_group(v, user);
	case SHT_SYMTAB:
	case SHT_DYNSYM:
		return visit_symbols(v, user);
	case SHT_REL:
	case SHT_RELA:
		return relocations ? visit_relocations(v, user) : NULL;
	default:
		return NULL;
	}
}

struct err *section_refs_visit(const struct section_edits *ed, const bool *drop, bool relocations,
			       section_ref_fn *fn, void *ctx)
{
	const struct section_table *t = &ed->table;
	CLEANUP(visitor_release) struct visitor v = {
		.ed = ed,
		.t = t,
		.extended = mem_zalloc(t->nr, sizeof(v.extended[0])),
		.fn = fn,
		.ctx = ctx,
	};

	for (size_t i = 1; i < t->nr; i++) {
		if (t->items[i].sh_type == SHT_SYMTAB_SHNDX && t->items[i].sh_link < t->nr)
			v.extended[t->items[i].sh_link] = (uint32_t)i;
	}
	for (size_t i = 1; i < t->nr; i++) {
		if (t->items[i].sh_type == SHT_NULL || (drop && drop[i]))
			continue;
		TRY(visit_header(&v, i));
		TRY(visit_content(&v, i, relocations));
	}
	return NULL;
}
