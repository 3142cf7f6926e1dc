/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_place.h - where the variables of an archive's members lie in the linked file
 *
 * A member says where a variable is in a section of its own object. Where the linker put
 * that is seen in the symbol table of the result (docs/spec/dedup.md 7.4).
 */
#ifndef BTFENC_ENCODER_PLACE_VAR_PLACE_H
#define BTFENC_ENCODER_PLACE_VAR_PLACE_H

#include "dedup/pool/str_pool.h"
#include "encoder/unit/unit_btf.h"
#include "loader/elf/symbols.h"

/* The variables of one input section of one object: a DATASEC of its member. They moved together. */
struct place_home {
	uint32_t unit;      /* index of the member, in link order */
	uint32_t name;      /* string id of the section's name, e.g. ".data..percpu..read_mostly" */
	uint32_t first, nr; /* in the unit's unit_btf.vars, whose offsets count in that section */
};

/* Borrows both. */
struct place_unit {
	struct unit_btf *btf;
	/* what STT_FILE calls its source, a name without a folder; NULL: not known */
	const char *file;
};

/*
 * Set unit_var.section and .offset (value of the symbol, in a linked file minus the address of
 * the section) or .dropped, of each variable of @homes. The others are left alone.
 *
 * @wanted, by section index: do variables in it count? NULL: in all. One that lies elsewhere
 * is dropped without a word, as one whose section the linker left out; one that cannot be
 * placed is dropped with a warning. What is dropped here has no place and must not come into
 * var_select.c.
 */
void var_place(const struct place_unit *units, size_t nr_units, const struct place_home *homes,
	       size_t nr_homes, const struct object *obj, const struct symbols *syms,
	       struct str_pool *strings, const bool *wanted, const struct omission_log *log);

#endif
