/* SPDX-License-Identifier: GPL-2.0-only */
/* until.h - read units only until some types are defined */
#ifndef BTFENC_ENCODER_UNTIL_H
#define BTFENC_ENCODER_UNTIL_H

#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"

/* A type that is looked for. */
struct until_type {
	const char *name; /* borrowed */
	uint32_t kinds;   /* a set of enum btf_kind, a bit each; of an enum, one with enumerators */
	uint32_t string;  /* the id of @name */
	bool found;
};

/* Zeroed: no type is looked for. */
struct until {
	struct until_type *types; /* borrowed; until_begin() changes the order */
	size_t nr, nr_found;
	uint32_t seen; /* all pool ids below were looked at */
};

/* Prepare @u, whose @types and @nr the caller has set, with an empty @u->seen. */
void until_begin(struct until *u, struct str_pool *strings);
/*
 * A unit was added to @types. Are all types found that are looked for? Never without any. There must be
 * one thread only.
 */
bool until_reached(struct until *u, const struct type_pool *types);

#endif
