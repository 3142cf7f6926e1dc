/* SPDX-License-Identifier: GPL-2.0-only */
/* section_map.h - which section holds the variable at an address */
#ifndef BTFENC_LOADER_ELF_SECTION_MAP_H
#define BTFENC_LOADER_ELF_SECTION_MAP_H

#include "base/vec.h"
#include "loader/elf/object.h"

/* Zeroed is without sections. Threads may share it. */
struct section_map {
	/* the addresses at which another section begins to hold variables, sorted, and these sections; 0: none */
	VEC(uint64_t) starts;
	uint32_t *sections;
	VEC(uint64_t) ends; /* behind the last byte of each loaded section, sorted */
};

/*
 * Sections that are not loaded hold no variable, but have address 0, as .data..percpu does. pahole 1.31 assigns
 * variables to .debug_info, or loses all of them to a .BTF in front.
 */
void section_map_make(const struct object *o, struct section_map *ret);
void section_map_release(struct section_map *m);

/* The first section of the table that has a byte at @addr, an address of debug information; 0 if there is none. */
uint32_t section_map_at(const struct section_map *m, uint64_t addr);
/* Is @addr behind the last byte of a section? A variable without a size may be there. */
bool section_map_ends(const struct section_map *m, uint64_t addr);

#endif
