/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_strip.c - remove DWARF from an ELF file
 *
 * DWARF is nine tenths of a kernel's object, and not needed once the object has BTF. The result is
 * that of "strip -g", except that strip also rewrites other parts and drops the names of source
 * files.
 *
 * Dropped are:
 *  - the sections called .debug_*, .zdebug_*, .gnu.debuglto_*, .gnu.linkonce.wi.* and
 *    .gdb_index, unless they are loaded (Rust has a .debug_gdb_scripts that is);
 *    .gnu.debuglto_* only without gcc's intermediate code, which refers to it by name.
 *    .debug.btf stays: combining an archive needs it;
 *  - the relocations of these;
 *  - groups without any remaining member: gcc puts macros and types into groups of their own;
 *  - symbols that are defined in dropped sections: section symbols and the names of such groups;
 *  - unused entries of the section table from earlier runs;
 *  - the table of extended section numbers if it is no longer needed, and unused names.
 *
 * Everything else keeps its order, and its bytes except for numbers. Sections and symbols are
 * renumbered without gaps (section_renumber.h). Unused entries would not do: linkers treat a symbol
 * of an unused section as absolute, eu-elflint complains, and the module loader of the kernel tries
 * to resolve undefined symbols. The file is refused if a number would have to change in a loaded
 * section or in an unknown form, or if a remaining relocation needs a dropped symbol.
 *
 * section_edits.h lays the file out and closes the gaps.
 */
#include "encoder/elf_out/section_strip.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "encoder/elf_out/section_renumber.h"
#include "loader/elf/elf_fields.h"

#include <inttypes.h>
#include <stdlib.h>

static bool has_intermediate_code(const struct section_table *t)
{
	for (size_t i = 1; i < t->nr; i++) {
		if (starts_with(section_table_name(t, &t->items[i]), ".gnu.lto_"))
			return true;
	}
	return false;
}

/* Is @s a section to be dropped? */
static bool is_dwarf(const struct section_table *t, const GElf_Shdr *s, bool intermediate)
{
	static const char *const prefixes[] = { ".debug_", ".zdebug_", ".gnu.linkonce.wi." };
	const char *name = section_table_name(t, s);

	/* the rest of the file needs them, whatever their name is */
	if (s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB)
		return false;
	if (s->sh_type == SHT_NULL || (s->sh_flags & SHF_ALLOC))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (starts_with(name, prefixes[i]))
			return true;
	}
	return !strcmp(name, ".gdb_index") ||
	       (!intermediate && starts_with(name, ".gnu.debuglto_"));
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

/* Does a member of the group @index stay? A group without members stays as well. */
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
			return err_new(ERR_FORMAT, "section %zu, a group, has section %u of %zu",
				       index, member, t->nr);
		*ret |= !drop[member];
	}
	return NULL;
}

/* Mark what is dropped. *ret_nr and *ret_size: the sections of DWARF and their bytes. */
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

/* With few sections left, the table of extended section numbers is not needed. */
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
