/* SPDX-License-Identifier: GPL-2.0-only */
/* addr_symbols.h - the symbol that an address belongs to */
#ifndef BTFENC_LOADER_ELF_ADDR_SYMBOLS_H
#define BTFENC_LOADER_ELF_ADDR_SYMBOLS_H

#include "loader/elf/symbols.h"

/* A function, a variable or a label. Borrows @name. */
struct addr_symbol {
	const char *name;
	uint64_t offset, size; /* in its section */
	uint32_t section;
	uint32_t rank;     /* of several at one address, the best has the highest */
	uint32_t nr_named; /* symbols of this name in the file, this one included */
};

/* Sorted by section, offset and rank. Zeroed is empty. Borrows the names. */
struct addr_symbols {
	struct addr_symbol *items;
	size_t nr, cap;
};

/* The symbols @syms of @o, whose table symbols.all is there. */
void addr_symbols_make(const struct object *o, const struct symbols *syms,
		       struct addr_symbols *ret);
void addr_symbols_release(struct addr_symbols *s);

/*
 * The symbol around @offset of @section: the last one that begins there or before and does not end before; else the
 * last one that begins there or before, as in /proc/kallsyms. NULL if there is none.
 */
const struct addr_symbol *addr_symbols_at(const struct addr_symbols *s, uint32_t section,
					  uint64_t offset);

/* The only section of @o that has code and is called @name; 0 if there is none or if there are several. */
uint32_t code_section(const struct object *o, const char *name);

#endif
