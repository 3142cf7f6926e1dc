/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_stats.h - what a run has read, and what it took */
#ifndef BTFENC_ENCODER_ENCODE_STATS_H
#define BTFENC_ENCODER_ENCODE_STATS_H

#include "base/arena.h"

#include <stdint.h>

struct assembly;

/* From the end of the phase before. */
struct encode_phase {
	const char *name; /* a literal */
	double wall, cpu; /* seconds; of all threads */
	uint64_t peak;    /* bytes: the most that the process has had until its end */
};

/* Types as a unit says them, each once, without strings. */
struct encode_said {
	uint32_t nr;
	uint64_t bytes;
};

/* A unit, or a member of an archive. */
struct encode_unit {
	const char *name;
	struct encode_said all, first_seen; /* @fresh: what no unit before it says */
};

/* Zeroed is empty. Owns everything. */
struct encode_stats {
	struct {
		struct encode_phase *items;
		size_t nr, cap;
	} phases;
	struct {
		struct encode_unit *items;
		size_t nr, cap;
	} units; /* in the order of the input */
	struct encode_said all, first_seen;
	struct arena names;
	double wall, cpu; /* when the last phase ended */
};

/*
 * A run begins, maybe again: what was counted before is forgotten. @s may be NULL here and below.
 */
void encode_stats_begin(struct encode_stats *s);
/* The phase @name has ended. */
void encode_stats_phase(struct encode_stats *s, const char *name);
/* All contributions are in @a, and nothing of it is settled yet. */
void encode_stats_units(struct encode_stats *s, const struct assembly *a);
void encode_stats_release(struct encode_stats *s);

#endif
