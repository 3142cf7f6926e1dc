/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - the symbol table, and its functions by name
 *
 * The key of a function is the name of its symbol up to the first '.', because gcc gives optimized
 * copies names like foo.isra.0. Symbols of one key are kept together, in symbol table order (docs/spec/encoding.md 8.5).
 */
#ifndef BTFENC_LOADER_ELF_SYMBOLS_H
#define BTFENC_LOADER_ELF_SYMBOLS_H

#include "base/hash_table.h"
#include "loader/elf/object_symbols.h"

/* One address at which a function was found. */
struct func_symbol {
	uint64_t value;
	uint64_t
		debug_addr; /* @value, as the debug information has it (object_section.debug_addr) */
	const char *name;   /* whole, with the suffix; borrowed */
	uint32_t symbol;    /* index in symbols.all */
	/* .isra or .constprop stands in the name from its first '.' on */
	bool optimized;
	/* the symbol of the function itself, not of a copy; it may have a suffix (docs/spec/encoding.md 8.10) */
	bool own;
	bool defined; /* in a section of the file, or absolute */
};

/* All symbols of one key. */
struct func_entry {
	const char *name; /* the first symbol's; the key is its first @name_len bytes */
	uint32_t name_len;
	uint32_t first, nr; /* in symbols.func_symbols */
	bool ambiguous;     /* more than one address, by pahole's rule (8.5) */
};

struct symbols {
	/* every symbol of .symtab but the null one, in table order, until symbols_drop_all() */
	struct symbol *all;
	size_t nr_all;
	/* sorted by key, as strcmp sorts */
	struct func_entry *funcs;
	size_t nr_funcs;
	struct func_symbol *func_symbols;
	size_t nr_func_symbols;
	bool have_symtab;
	size_t names_len;              /* bytes of the names of symbols */
	struct object_symbols objects; /* after symbols_index_objects() */
};

/*
 * Read the table called ".symtab" of the debug file of @o, or of @o itself if there is no such file
 * or table. strip removes symbols from a program, but its debug file keeps all of them. Sections
 * are those of @o; a symbol of a section that @o does not have is undefined. If both lack
 * the table, have_symtab is false. ERR_FORMAT, with the name of the file, if it is damaged.
 */
MUST_CHECK struct err *symbols_read(const struct object *o, struct symbols *ret);
void symbols_release(struct symbols *s);
/*
 * Fill @objects with the variables of the sections of @o that are @wanted (NULL: of all); before symbols_drop_all(). Errors
 * as of object_symbols_make().
 */
MUST_CHECK struct err *symbols_index_objects(const struct object *o, const bool *wanted,
					     struct symbols *s);
/* Free @all, of which the other tables have what is mostly needed. */
void symbols_drop_all(struct symbols *s);
/* Keep the functions only, with their names in @names: the object may be closed. */
void symbols_keep_funcs(struct symbols *s, struct arena *names);

/*
 * For members without a linked file: functions with these names exist, without any further information. Borrows the
 * names.
 */
void symbols_from_names(const struct name_ids *names, struct symbols *ret);

/* Add @funcs, which have no symbols and may repeat one another, to the functions. Borrows the names. */
void symbols_add_funcs(struct symbols *s, const struct func_entry *funcs, size_t nr);

/* Index in funcs of the key @name, or -1. */
ptrdiff_t symbols_find_func(const struct symbols *s, const char *name, size_t len);

#endif
