/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * string_index.h - where each string of a base is
 *
 * A vmlinux has 100,000 strings, and a module uses a few thousand. For a single module, only the strings that
 * begin as one of its own are entered (bloom_filter.h). For a thousand modules, all are entered once.
 */
#ifndef BTFENC_DEDUP_POOL_STRING_INDEX_H
#define BTFENC_DEDUP_POOL_STRING_INDEX_H

#include "base/hash_table.h"
#include "dedup/pool/bloom_filter.h"
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

/* The starts of the strings of @p that string_index_find() has not looked up yet. @ret must be zeroed; release it. */
void string_index_wanted(const struct str_pool *p, struct bloom_filter *ret);
/*
 * Enter the strings in the @len bytes at @text, the last of which is a zero. They start at offset @start of
 * all, where those entered before end. @wanted: only those that begin so; NULL: all.
 */
void string_index_add(struct string_index *x, const char *text, uint32_t len, uint32_t start,
		      const struct bloom_filter *wanted);
void string_index_release(struct string_index *x);

/* Where the string at @offset of all is for the first time; 0 if it is empty or not entered. */
uint32_t string_index_first(const struct string_index *x, uint32_t offset);

/*
 * Look up the strings of @p, used or not, that were not looked up before. Those that are entered are then in the base
 * (str_entry.in_base). One thread per pool.
 */
void string_index_find(const struct string_index *x, struct str_pool *p);

#endif
