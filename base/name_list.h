/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_list.h - a list of names and of shell patterns, as the command line has them
 *
 *	name_list_add(&l, "page");		entry 1
 *	name_list_add(&l, "task_*");		entry 2
 *	if (name_list_has(&l, name)) ...
 *	for (uint32_t i = name_list_first(&l, name); i; i = name_list_next(&l, name, i))
 *		... entry i matches
 *
 * Time: of a hash lookup for all names together, and of fnmatch() for each pattern.
 */
#ifndef BTFENC_BASE_NAME_LIST_H
#define BTFENC_BASE_NAME_LIST_H

#include "base/hash_table.h"

#include <stdbool.h>

struct name_list_entry {
	const char *text;
	uint32_t next; /* the next entry of the same text, or the next pattern; 0: none */
	bool is_pattern;
};

/* Entries have numbers from 1 on, in the order in which they were added. Borrows the texts. Zeroed is empty. */
struct name_list {
	VEC(struct name_list_entry) entries;
	struct hash_table by_text;            /* the first entry of each name that is no pattern */
	uint32_t first_pattern, last_pattern; /* 0: none */
};

/* Has @text one of the characters that make it a pattern: '*', '?', '['? */
bool name_is_pattern(const char *text);

void name_list_add(struct name_list *l, const char *text);
/* The first entry that matches @name, and the next one after entry @i: first names, then patterns. 0: there is none. */
uint32_t name_list_first(const struct name_list *l, const char *name);
uint32_t name_list_next(const struct name_list *l, const char *name, uint32_t i);
void name_list_release(struct name_list *l);

static inline bool name_list_has(const struct name_list *l, const char *name)
{
	return name_list_first(l, name) != 0;
}

#endif
