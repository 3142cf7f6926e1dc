/* SPDX-License-Identifier: GPL-2.0-only */
/* until.h - read units only until some types are defined */
#ifndef BTFENC_ENCODER_UNTIL_H
#define BTFENC_ENCODER_UNTIL_H

#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"

/* A type that is looked for. */
struct until_type {
	const char *name; /* borrowed */
	uint32_t kinds;   /* enum btf_kind, a bit each; enums without enumerators do not count */
	uint32_t string;  /* the id of @name */
	bool found;
};

/* Zeroed: no type is looked for. */
struct until {
	struct until_type *types; /* borrowed; until_begin() changes the order */
	size_t nr, nr_found;
	uint32_t seen; /* all lower pool ids were searched */
};

/* Start the search for @u->types. */
void until_begin(struct until *u, struct str_pool *strings);
/*
 * Search what was added to @types since the last call. Returns whether all types are found; false if
 * there are none to find. No other thread may add types.
 */
bool until_reached(struct until *u, const struct type_pool *types);

#endif
