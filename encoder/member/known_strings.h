/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * known_strings.h - the strings that one reader of members has seen, in the order of seeing
 *
 * Members include the same headers, so their string sections have long stretches in common.
 * A reader keeps the text that it has seen, one string behind the other as in a section; where
 * a member says the same for a while, that is one comparison of bytes. What the texts are called
 * in the pool is told for all of them at once, and where they go on otherwise, a look at its own
 * table tells where it has seen that: the pool, which all readers share, and of which hardly
 * anything is in reach of one processor, is asked once for each string.
 *
 * This is a memory and no more: without it, everything is the same but slower.
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
