/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * known_strings.h - the strings that one worker has seen in members, in their order
 *
 * Members include the same headers, so long parts of their string sections are equal. A worker keeps
 * the text that it has seen. Where a member continues as an earlier one did, one comparison of bytes
 * finds the ids of all these strings. Elsewhere a table of the worker finds a string by its text. So
 * the string pool, which all workers share and which does not fit into a processor's cache, is asked
 * once for each string and worker. This is a cache: without it an archive takes 15 % longer.
 */
#ifndef BTFENC_ENCODER_MEMBER_KNOWN_STRINGS_H
#define BTFENC_ENCODER_MEMBER_KNOWN_STRINGS_H

#include "base/hash_table.h"
#include "dedup/pool/str_pool.h"

struct known_string {
	uint32_t start; /* in the text; that of the last, which is none, is where it ends */
	uint32_t id;    /* in the pool */
	/* what came behind it last where the text goes on otherwise, and before that; 0: not known */
	uint32_t next, next_before;
};

/* Zeroed is empty. Owns its arrays. */
struct known_strings {
	struct {
		char *items;
		size_t nr, cap;
	} text;
	/* from 1 on; [0] stands for what begins a section */
	struct {
		struct known_string *items;
		size_t nr, cap;
	} strings;
	struct hash_table by_text; /* numbers in @strings */
};

void known_strings_release(struct known_strings *k);

/*
 * Look up the strings of @section, the last of which has its zero, in @pool, which gets copies of
 * what it lacks. ret_ids[@offset] becomes the id of the string at each @offset where one starts
 * that is not empty, with the bits of @mark; the rest of @ret_ids is left as it is.
 */
void known_strings_look_up(struct known_strings *k, struct str_pool *pool, struct bytes section,
			   uint32_t mark, uint32_t *ret_ids);

#endif
