/* SPDX-License-Identifier: GPL-2.0-only */
/* object_symbols.h - the symbols of variables, by section, name and address */
#ifndef BTFENC_LOADER_ELF_OBJECT_SYMBOLS_H
#define BTFENC_LOADER_ELF_OBJECT_SYMBOLS_H

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

struct object_size;

/* Zeroed is empty. Threads may share it. */
struct object_symbols {
	struct symbol *items; /* by section, in the order of the symbol table */
	uint32_t *start;      /* per section, and one more: first in @items */
	size_t nr_sections;
	struct hash_table by_name; /* @items by section and name */
	/* for object_symbols_size(): by section, address and name without suffix */
	VEC(struct object_size) sizes;
	struct hash_table by_address;
	/* the symbols at the start of their section, for object_symbols_have_prefixed() */
	VEC(const struct symbol *) starts;
};

/*
 * Index the STT_OBJECT symbols among the @nr symbols @all of the sections of @o that are @wanted (NULL: of all). Their
 * names are in @names_len bytes. ERR_LIMIT if very long names share their ends.
 */
MUST_CHECK struct err *object_symbols_make(const struct object *o, const struct symbol *all,
					   size_t nr, size_t names_len, const bool *wanted,
					   struct object_symbols *ret);
void object_symbols_release(struct object_symbols *s);

/* Is there a symbol of exactly this name in section @section? */
bool object_symbols_have(const struct object_symbols *s, const char *name, size_t len,
			 uint32_t section);
/*
 * The size of the symbol at @value (an address, or in a relocatable file an offset) of section @section that is
 * called @name, or @name with a suffix (".lto_priv.0"); 0 if there is none or if several have different sizes.
 */
uint64_t object_symbols_size(const struct object_symbols *s, const char *name, size_t len,
			     uint32_t section, uint64_t value);
/*
 * Is there a symbol at the start of section @section, of @size bytes, whose name is @name with a prefix, as
 * "objcopy --prefix-symbols" leaves it? The DWARF keeps the old names.
 */
bool object_symbols_have_prefixed(const struct object_symbols *s, const char *name, size_t len,
				  uint32_t section, uint64_t size);

#endif
