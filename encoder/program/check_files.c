/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_files.c - find the source files of a linked file that have neither BTF in its archive nor DWARF
 *
 * An object that was compiled without -g has no unit to miss. But compilers write the name of the source file into the
 * symbol table (STT_FILE), without its folder, and the linker keeps it, with the local symbols of the object behind it:
 *
 *	FILE a.c, its local symbols, FILE b.c, its local symbols, FILE entry.o, ..., all global symbols
 *
 * A name that is that of no unit belongs to an object that was left out, unless there is nothing to describe in it. So
 * it counts only if it has a local function or variable, or if it has no such symbol and no unit has some global
 * function. Assembler has functions that no unit has, so the second condition counts only in a program without such:
 * for an object without the name of a source, GNU ld writes that of the object (entry.o), if it has local symbols.
 *
 * It does not find files of the same name as another one, also with a prefix that ends in an underscore, those of
 * stripped symbol tables (strip, ld -x, ld -s), and units of the linker's LTO, which have other names.
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* A file of the symbol table that no unit has the name of. */
struct unknown_file {
	const char *name;
	bool has_locals;
};

struct unknown_files {
	struct unknown_file *items;
	size_t nr, cap;
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

/* Is the symbol's file @name that of @unit? "objcopy --prefix-symbols=pre_" also changes it. */
static bool is_of_unit(const char *name, const char *unit)
{
	size_t len = strlen(name), n = strlen(unit);

	return !strcmp(name, unit) ||
	       (len > n && n && name[len - n - 1] == '_' && !strcmp(name + len - n, unit));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names, without folders, of @units. */
struct file_names {
	const char **items;
	size_t nr, cap;
};

static void collect(const struct str_pool *units, struct file_names *ret)
{
	for (uint32_t id = 1; id < atomic_load(&units->end); id++)
		vec_push(ret, base_name(str_pool_text(units, id)));
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_text);
}

static bool has_unit(const struct file_names *units, const char *name)
{
	if (units->nr && bsearch(&name, units->items, units->nr, sizeof(units->items[0]), by_text))
		return true;
	for (size_t i = 0; strchr(name, '_') && i < units->nr; i++) {
		if (is_of_unit(name, units->items[i]))
			return true;
	}
	return false;
}

static bool is_definition(const struct object *obj, const struct symbol *s)
{
	return (s->type == STT_FUNC || s->type == STT_OBJECT) && s->section &&
	       s->section < obj->nr_sections && (obj->sections[s->section].flags & SHF_ALLOC);
}

static void find_unknown(const struct input *in, const struct file_names *units,
			 struct unknown_files *ret)
{
	bool inside = false; /* the symbols are those of the last unknown file */

	for (size_t i = 0; i < in->syms.nr_all; i++) {
		const struct symbol *s = &in->syms.all[i];

		if (s->type == STT_FILE) {
			inside = is_source(s->name) && !has_unit(units, s->name);
			ret->has_assembler |= ends_with(s->name, ".o") &&
					      strcmp(s->name, "Scrt1.o") != 0 &&
					      strcmp(s->name, "crt1.o") != 0;
			if (inside)
				vec_push(ret, ((struct unknown_file){ .name = s->name }));
		} else if (inside && s->bind == STB_LOCAL && is_definition(&in->obj, s)) {
			ret->items[ret->nr - 1].has_locals = true;
		}
	}
}

/* Is there a global function that no unit has? Names with an underscore are those of the C library. */
static bool has_unknown_func(const struct input *in, const struct func_select *funcs)
{
	CLEANUP(mem_free) bool *known = mem_zalloc(in->syms.nr_funcs + 1, sizeof(*known));

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

void find_source_files(struct input *in, const struct str_pool *units, const struct program *p)
{
	CLEANUP(vec_release) struct file_names names = { 0 };
	CLEANUP(vec_release) struct unknown_files files = { 0 };

	if (!in->syms.nr_all)
		return;
	collect(units, &names);
	find_unknown(in, &names, &files);

	bool others = files.nr && !files.has_assembler && has_unknown_func(in, &p->funcs);
	for (size_t i = 0; i < files.nr; i++) {
		const char *name = files.items[i].name;

		if (files.items[i].has_locals || others)
			vec_push(&in->without_btf, arena_strndup(&in->names, name, strlen(name)));
	}
}
