/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_room.h - can a file without local symbols contain static variables?
 *
 * Without symbols, a static variable that the linker discarded looks like one that it kept. But a
 * variable that is in the file occupies bytes that no other symbol covers.
 */
#ifndef BTFENC_ENCODER_PLACE_VAR_ROOM_H
#define BTFENC_ENCODER_PLACE_VAR_ROOM_H

#include "dedup/pool/str_pool.h"
#include "loader/elf/symbols.h"

/* Variables are in sections that are loaded (unit_vars.c). */
bool section_holds_vars(const struct object_section *s);

/* Zeroed is empty. Owns its array. */
struct var_room {
	/*
	 * By string id of a section's name: the longest run of bytes there that no symbol covers,
	 * plus 1; 0: no section has this name.
	 */
	uint64_t *by_name;
	uint32_t end;                       /* of these ids */
	uint64_t longest, longest_writable; /* of all sections and of the writable ones */
};

/*
 * Measure the sections of @obj that hold variables. @wanted, by section index, chooses sections;
 * NULL: all. The others have no room.
 */
void var_room_measure(const struct object *obj, const struct symbols *syms,
		      struct str_pool *strings, const bool *wanted, struct var_room *ret);
/*
 * Can a variable of @size bytes that an object has in section @home be in the file? Linkers put
 * .data.NAME into .data. If no section has a name that fits, a linker script may have put the
 * variable into any writable section, and a constant into any section.
 */
bool var_room_for(const struct var_room *r, struct str_pool *strings, const char *home,
		  uint32_t size);
void var_room_release(struct var_room *r);

#endif
