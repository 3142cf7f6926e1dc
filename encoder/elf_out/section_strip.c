/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_strip.c - an ELF file without its DWARF
 *
 * Whoever has BTF from an object does not need its DWARF any more, and it is nine tenths of
 * a kernel's object. What comes out is what "strip -g" would leave, but for its liberties:
 * it rewrites what it does not have to, and it drops the names of source files.
 *
 * What goes:
 *  - the sections called .debug_*, .zdebug_*, .gnu.debuglto_*, .gnu.linkonce.wi.* and
 *    .gdb_index, unless they are loaded (Rust has a .debug_gdb_scripts that is);
 *    .gnu.debuglto_* only if gcc's intermediate code, which refers to it by name, is gone;
 *  - the relocations of these;
 *  - groups that have no member left: gcc puts macros and types of their own into some;
 *  - symbols that are defined in what goes, which are those for whole sections and the
 *    names of such groups;
 *  - entries of the section table that earlier runs have left unused;
 *  - the table of extended section numbers if the rest can do without, and the names of all
 *    that.
 *
 * What stays keeps its order, and its bytes but for numbers. Sections and symbols get new
 * ones without gaps (section_renumber.h), because the alternatives do not hold: linkers take
 * a symbol of an unused section for an absolute one, eu-elflint complains, and the module
 * loader of the kernel wants to resolve whatever is undefined. Where a number would have to
 * change that we cannot change, because it is in a loaded section or in a form that we do
 * not know, or where a relocation that stays needs a symbol that goes, the file is refused
 * as a whole.
 *
 * The layout is section_edits's: what was between the sections is closed up.
 */
#include "encoder/elf_out/section_strip.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "encoder/elf_out/section_renumber.h"
#include "loader/elf/elf_fields.h"

#include <inttypes.h>
#include <stdlib.h>

static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool has_intermediate_code(const struct section_table *t)
{
	for (size_t i = 1; i < t->nr; i++) {
		if (has_prefix(section_table_name(t, &t->items[i]), ".gnu.lto_"))
			return true;
	}
	return false;
}

/* Is @s one of the sections that go? Their relocations go with them. */
static bool is_dwarf(const struct section_table *t, const GElf_Shdr *s, bool intermediate)
{
	static const char *const prefixes[] = { ".debug_", ".zdebug_", ".gnu.linkonce.wi." };
	const char *name = section_table_name(t, s);

	/* whatever they are called: the rest of the file needs them */
	if (s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB)
		return false;
	if (s->sh_type == SHT_NULL || (s->sh_flags & SHF_ALLOC))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (has_prefix(name, prefixes[i]))
			return true;
	}
	return !strcmp(name, ".gdb_index") || (!intermediate && has_prefix(name, ".gnu.debuglto_"));
}

bool section_has_dwarf(const struct section_table *t)
{
	bool intermediate = has_intermediate_code(t);

	for (size_t i = 1; i < t->nr; i++) {
		if (is_dwarf(t, &t->items[i], intermediate))
			return true;
	}
	return false;
}

static bool has_target(const GElf_Shdr *s)
{
	return section_is_relocation(s) && !(s->sh_flags & SHF_ALLOC) && s->sh_info;
}

/* Is there a member of the group @index that stays? One that never had any stays as well. */
static struct err *group_stays(const struct section_edits *ed, size_t index, const bool *drop,
			       bool *ret)
{
	const struct section_table *t = &ed->table;
	const GElf_Shdr *s = &t->items[index];
	const size_t word = sizeof(uint32_t);

	*ret = s->sh_size <= word;
	if (s->sh_size % word)
		return err_new(ERR_FORMAT, "section %zu, a group, has %" PRIu64 " bytes", index,
			       s->sh_size);
	struct bytes group = section_edits_content(ed, index);
	for (size_t pos = word; pos < group.len; pos += word) {
		uint32_t member = swap32(load32(group.ptr + pos), t->swap);

		if (member >= t->nr)
			return err_new(ERR_FORMAT,
				       "section %zu, a group, has section %" PRIu32 " of %zu",
				       index, member, t->nr);
		*ret |= !drop[member];
	}
	return NULL;
}

/* Mark what goes. *ret_nr is how many sections of DWARF that are, *ret_size their bytes. */
static struct err *mark(const struct section_edits *ed, bool *drop, size_t *ret_nr,
			uint64_t *ret_size)
{
	const struct section_table *t = &ed->table;
	bool intermediate = has_intermediate_code(t);

	for (size_t i = 1; i < t->nr; i++)
		drop[i] = is_dwarf(t, &t->items[i], intermediate);
	for (size_t i = 1; i < t->nr; i++) {
		const GElf_Shdr *s = &t->items[i];

		if (has_target(s) && s->sh_info < t->nr && drop[s->sh_info])
			drop[i] = true;
		*ret_nr += drop[i];
		*ret_size += drop[i] && section_in_file(s) ? s->sh_size : 0;
	}
	for (size_t i = 1; i < t->nr; i++)
		drop[i] |= t->items[i].sh_type == SHT_NULL;
	for (size_t i = 1; i < t->nr; i++) {
		const GElf_Shdr *s = &t->items[i];
		bool stays = false;

		if (s->sh_type != SHT_GROUP || !*ret_nr)
			continue;
		TRY(group_stays(ed, i, drop, &stays));
		drop[i] |= !stays;
	}
	return NULL;
}

/* The table of extended section numbers is not for files with so few sections. */
static void mark_extended_numbers(const struct section_edits *ed, bool *drop)
{
	size_t nr = ed->table.nr;

	for (size_t i = 1; i < ed->table.nr; i++)
		nr -= drop[i];
	for (size_t i = 1; i < ed->table.nr && nr <= SHN_LORESERVE; i++)
		drop[i] |= ed->table.items[i].sh_type == SHT_SYMTAB_SHNDX;
}

struct err *section_strip(struct section_edits *ed, struct diagnostics *diags)
{
	CLEANUP(mem_free) bool *drop = mem_zalloc(ed->table.nr, sizeof(*drop));
	size_t nr = 0;
	uint64_t size = 0;

	TRY(mark(ed, drop, &nr, &size));
	if (!nr)
		return NULL;
	mark_extended_numbers(ed, drop);
	TRY(section_renumber(ed, drop));
	diag_add(diags, DIAG_VERBOSE, "%zu sections of DWARF dropped, %" PRIu64 " bytes", nr, size);
	ed->stripped = true;
	ed->changed = true;
	return NULL;
}
