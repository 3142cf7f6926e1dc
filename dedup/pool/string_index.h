/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * string_index.h - where each string of a base is, for many modules over it
 *
 * One module finds its names by a look at every string of the base
 * (str_pool_find_in_base()). For a thousand modules they are entered into a table once.
 */
#ifndef BTFENC_DEDUP_POOL_STRING_INDEX_H
#define BTFENC_DEDUP_POOL_STRING_INDEX_H

#include "base/hash_table.h"
#include "dedup/pool/str_pool.h"

/* A base may itself have a base. */
enum { STRING_INDEX_SECTIONS = 2 };

/* Borrows the strings. Zeroed is empty; read-only once filled, for any number of threads. */
struct string_index {
	struct {
		const char *text;
		uint32_t start, len; /* the offset of @text among all strings */
	} sections[STRING_INDEX_SECTIONS];
	size_t nr_sections;
	struct hash_table by_text; /* offsets, plus one */
	bool repeats;              /* some string is there twice; the first one is entered */
};

/*
 * Enter the strings in the @len bytes at @text, the last of which is a zero. They start at
 * offset @start of all, where those entered before end.
 */
void string_index_add(struct string_index *x, const char *text, uint32_t len, uint32_t start);
void string_index_release(struct string_index *x);

/* Where the string at @offset of all is for the first time; 0 if it is empty. */
uint32_t string_index_first(const struct string_index *x, uint32_t offset);

/*
 * As str_pool_find_in_base() for all strings entered, and for those of the pool, too, that are
 * not used, or not yet. Called again, it looks for what came in since. One thread per pool.
 */
void string_index_find(const struct string_index *x, struct str_pool *p);

#endif
