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
#include "loader/elf/object.h"

/* Borrows @name from the object. */
struct symbol {
	const char *name;
	uint64_t value, size;
	/*
	 * Index, extended ones resolved. SYMBOL_RESERVED + SHN_ABS and so on, for there
	 * may be a real section with the number that SHN_ABS has.
	 */
	uint32_t section;
	uint8_t type, bind, visibility; /* STT_*, STB_*, STV_* */
};

enum { SYMBOL_RESERVED = 0x10000000 };

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
	struct symbol *objects; /* copies of the STT_OBJECT symbols, by section */
	uint32_t *object_start; /* per section, and one more: first in objects */
	size_t nr_sections;
};

/*
 * Read the table called ".symtab" of the debug file of @o, or of @o itself if there is no such file
 * or table. strip removes symbols from a program, but its debug file keeps all of them. Sections
 * are those of @o; a symbol of a section that @o does not have is undefined. If both lack
 * the table, have_symtab is false. ERR_FORMAT, with the name of the file, if it is damaged.
 */
MUST_CHECK struct err *symbols_read(const struct object *o, struct symbols *ret);
void symbols_release(struct symbols *s);
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

/* Is there a STT_OBJECT symbol of exactly this name in section @section? */
bool symbols_have_object(const struct symbols *s, const char *name, size_t len, uint32_t section);
/*
 * The size of the STT_OBJECT symbol at @value (an address, or in a relocatable file an offset) of section @section
 * that is called @name, or @name with a suffix (".lto_priv.0"); 0 if there is none or if several have different sizes.
 */
uint64_t symbols_object_size(const struct symbols *s, const char *name, size_t len,
			     uint32_t section, uint64_t value);
/*
 * Is there a STT_OBJECT symbol at @value of section @section, of @size bytes, whose name is @name with a prefix, as
 * "objcopy --prefix-symbols" leaves it? The DWARF keeps the old names.
 */
bool symbols_have_prefixed(const struct symbols *s, const char *name, size_t len, uint32_t section,
			   uint64_t value, uint64_t size);
/* Index in funcs of the key @name, or -1. */
ptrdiff_t symbols_find_func(const struct symbols *s, const char *name, size_t len);

#endif
