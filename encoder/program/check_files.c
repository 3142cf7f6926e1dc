/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_files.c - find the source files of a linked file that have neither BTF in its archive nor DWARF
 *
 * An object that was compiled without -g has no unit to miss. But compilers write the name of the source file into the
 * symbol table (STT_FILE), without its folder, and the linker keeps it, with the local symbols of the object behind it:
 *
 *	FILE a.c, its local symbols, FILE b.c, its local symbols, FILE entry.o, ..., all global symbols
 *
 * Assembler objects have no such name. GNU ld writes that of the object instead (entry.o), if it has local symbols, and
 * an empty one before its own local symbols. Other linkers write neither, so that the local symbols of an assembler object
 * seem to be those of the file before it. Nothing is reported of a symbol table without such names.
 *
 * A name that is that of no unit belongs to an object that was left out, unless there is nothing to describe in it. So
 * it counts only if it has a local function or variable, or if it has no such symbol and no unit has some global
 * function. Assembler has functions that no unit has, so the second condition counts only in a program without such.
 *
 * Several files may have one name: a fifth of those of a kernel. If more files of a name have local functions or variables
 * than units have the name, the others were left out.
 *
 * It does not find files with the name of one without such symbols, or the name of one with a prefix that
 * ends in an underscore; those of stripped symbol tables (strip, ld -x, ld -s), those of modules without assembler, and
 * units of the linker's LTO, which have other names.
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/sort.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* A source file of the symbol table. */
struct file_symbol {
	const char *name;
	bool is_unknown; /* no unit has the name */
	bool has_locals;
};

struct file_symbols {
	struct file_symbol *items;
	size_t nr, cap;
	size_t nr_unknown;
	bool has_object_names; /* the linker is GNU ld */
	bool has_assembler;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && !strcmp(s + len - n, end);
}

/* Is it a source file of C or C++? The compiler's own part of a program is none. */
static bool is_source(const char *name)
{
	static const char *const ends[] = { ".c", ".cc", ".cpp", ".cxx" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (ends_with(name, ends[i]))
			return strcmp(name, "crtstuff.c") != 0;
	}
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names without folders, sorted, each as often as it occurs. */
struct file_names {
	const char **items;
	size_t nr, cap;
};

static void sort_names(struct file_names *names)
{
	if (names->nr)
		qsort(names->items, names->nr, sizeof(names->items[0]), by_text);
}

static size_t count_of(const struct file_names *names, const char *name)
{
	size_t first = LOWER_BOUND(0, names->nr, n, strcmp(names->items[n], name) < 0);
	size_t end = first;

	while (end < names->nr && !strcmp(names->items[end], name))
		end++;
	return end - first;
}

static void collect(const struct str_pool *units, struct file_names *ret)
{
	for (uint32_t id = 1; id < atomic_load(&units->end); id++)
		vec_push(ret, base_name(str_pool_text(units, id)));
	sort_names(ret);
}

static bool is_definition(const struct object *obj, const struct symbol *s)
{
	return (s->type == STT_FUNC || s->type == STT_OBJECT) && s->section &&
	       s->section < obj->nr_sections && (obj->sections[s->section].flags & SHF_ALLOC);
}

static void find_files(const struct input *in, const struct file_names *units,
		       struct file_symbols *ret)
{
	bool inside = false; /* the symbols are those of the last file */

	for (size_t i = 0; i < in->syms.nr_all; i++) {
		const struct symbol *s = &in->syms.all[i];

		if (s->type == STT_FILE) {
			inside = is_source(s->name);
			bool is_start = !strcmp(s->name, "Scrt1.o") || !strcmp(s->name, "crt1.o");
			bool is_object = ends_with(s->name, ".o");
			ret->has_object_names |= is_object || !s->name[0];
			ret->has_assembler |= is_object && !is_start;
			if (!inside)
				continue;
			bool is_unknown = !count_of(units, s->name);
			ret->nr_unknown += is_unknown;
			vec_push(ret, ((struct file_symbol){ s->name, is_unknown, false }));
		} else if (inside && s->bind == STB_LOCAL && is_definition(&in->obj, s)) {
			ret->items[ret->nr - 1].has_locals = true;
		}
	}
}

/* Is there a global function that no unit has? Names with an underscore are those of the C library. */
static bool has_unknown_func(const struct input *in, const struct func_select *funcs)
{
	CLEANUP(mem_free) bool *known = mem_zalloc(in->syms.nr_funcs, sizeof(*known));

	for (size_t i = 0; i < funcs->funcs.nr; i++)
		known[funcs->funcs.items[i].func] = true;
	for (size_t i = 0; i < in->syms.nr_funcs; i++) {
		const struct func_entry *f = &in->syms.funcs[i];
		const struct symbol *s = &in->syms.all[in->syms.func_symbols[f->first].symbol];

		if (!known[i] && s->name[0] != '_' && s->bind != STB_LOCAL && s->size &&
		    is_definition(&in->obj, s))
			return true;
	}
	return false;
}

/*
 * "objcopy --prefix-symbols=pre_" also changes the name of the file: then a unit has the rest of @name, and no file with local
 * symbols.
 */
static bool is_prefixed(const char *name, const struct file_names *units,
			const struct file_names *files)
{
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
		if (count_of(units, at + 1) > count_of(files, at + 1))
			return true;
	}
	return false;
}

/* The names of all members, and of units of DWARF that were left out. */
static void count_units(const struct input *in, const struct program *p, struct file_names *ret)
{
	for (size_t i = 0; i < input_nr_units(in); i++) {
		uint32_t name = p->units.items[in->first_unit + i].btf.name;

		vec_push(ret, base_name(str_pool_text(&p->strings, name)));
	}
	for (size_t i = 0; i < in->without_btf.nr; i++)
		vec_push(ret, base_name(in->without_btf.items[i]));
	sort_names(ret);
}

/* The files that have local symbols, and the name of a unit. */
static void count_files(const struct file_symbols *files, struct file_names *ret)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (!files->items[i].is_unknown && files->items[i].has_locals)
			vec_push(ret, files->items[i].name);
	}
	sort_names(ret);
}

/* More files with local symbols have a name than units: which of them was left out is not known. */
static void leave_out_same(struct input *in, const struct file_names *units,
			   const struct file_names *files)
{
	for (size_t i = 0, nr; i < files->nr; i += nr) {
		nr = count_of(files, files->items[i]);
		size_t known = count_of(units, files->items[i]);

		/* a unit that describes nothing has no member */
		for (size_t k = known ? known : nr; k < nr; k++)
			input_leave_out(in, files->items[i]);
	}
}

void find_source_files(struct input *in, const struct str_pool *units, const struct program *p)
{
	CLEANUP(vec_release) struct file_names known = { 0 };
	CLEANUP(vec_release) struct file_names counted = { 0 };
	CLEANUP(vec_release) struct file_names with_locals = { 0 };
	CLEANUP(vec_release) struct file_symbols files = { 0 };

	if (!in->syms.nr_all)
		return;
	collect(units, &known);
	find_files(in, &known, &files);
	if (!files.has_object_names)
		return;
	count_units(in, p, &counted);
	count_files(&files, &with_locals);

	bool others = files.nr_unknown && !files.has_assembler && has_unknown_func(in, &p->funcs);
	for (size_t i = 0; i < files.nr; i++) {
		const struct file_symbol *f = &files.items[i];

		if (f->is_unknown && (f->has_locals || others) &&
		    !is_prefixed(f->name, &counted, &with_locals))
			input_leave_out(in, f->name);
	}
	leave_out_same(in, &counted, &with_locals);
}
