/* SPDX-License-Identifier: GPL-2.0-only */
/* mentions.h - where each of many names occurs, found in one pass over all names of the input */
#ifndef BTFENC_CMD_PRINT_MENTIONS_H
#define BTFENC_CMD_PRINT_MENTIONS_H

#include "base/hash_table.h"

struct mention {
	uint32_t name;    /* set by mentions_add() */
	uint32_t id;      /* of a type, or an index */
	uint32_t element; /* of the type; MENTION_WHOLE: the type itself has the name */
	uint32_t layer;
};

#define MENTION_WHOLE UINT32_MAX

/* Zeroed is empty. Borrows the names. First add all names, then all mentions, then sort; then ask. */
struct mentions {
	struct name_ids names;
	VEC(struct mention) found;
	size_t *starts; /* by name - 1 */
};

void mentions_want(struct mentions *m, const char *name);
/* Keep @at if @name is wanted. */
void mentions_add(struct mentions *m, const char *name, struct mention at);
void mentions_sort(struct mentions *m);
/* The mentions of @name, in the order in which they were added. */
const struct mention *mentions_of(const struct mentions *m, const char *name, size_t *ret_nr);
void mentions_release(struct mentions *m);

#endif
