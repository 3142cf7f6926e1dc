/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_stats.h - counts, time and memory of an encoding */
#ifndef BTFENC_ENCODER_ENCODE_STATS_H
#define BTFENC_ENCODER_ENCODE_STATS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdint.h>

struct program;

/* Since the end of the phase before. */
struct encode_phase {
	const char *name; /* a literal */
	double wall, cpu; /* seconds; of all threads */
	uint64_t peak;    /* bytes: the peak memory of the process until the end of the phase */
};

/* The types of a unit, each once, without strings. */
struct encode_count {
	uint32_t nr;
	uint64_t bytes;
};

/* A unit, or a member of an archive. */
struct encode_unit {
	const char *name;
	struct encode_count all, first_seen; /* @first_seen: that no unit before has */
};

/* Zeroed is empty. Owns everything. */
struct encode_stats {
	VEC(struct encode_phase) phases;
	VEC(struct encode_unit) units; /* in the order of the input */
	struct encode_count all, first_seen;
	struct arena names;
	double wall, cpu; /* when the last phase ended */
};

/* Start to count, from zero. @s may be NULL here and below. */
void encode_stats_begin(struct encode_stats *s);
/* The phase @name has ended. */
void encode_stats_phase(struct encode_stats *s, const char *name);
/* Count the units of @p, before names are resolved. */
void encode_stats_units(struct encode_stats *s, const struct program *p);
void encode_stats_release(struct encode_stats *s);

#endif
