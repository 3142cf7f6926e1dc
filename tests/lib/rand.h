/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rand.h - numbers that follow from a seed, the same on every machine
 *
 * Never two draws in one argument list or expression: compilers evaluate these in orders of
 * their own, and another order is another program.
 */
#ifndef BTFENC_TESTS_RAND_H
#define BTFENC_TESTS_RAND_H

#include <stdbool.h>
#include <stdint.h>

struct rnd {
	uint64_t state;
};

/* splitmix64, by Sebastiano Vigna: any state is a good one. */
static inline uint64_t rnd_next(struct rnd *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* A stream of its own for part @part of what @seed makes. */
static inline struct rnd rnd_part(uint64_t seed, uint64_t part)
{
	struct rnd r = { seed * 0x100000001b3 + part };

	r.state = rnd_next(&r);
	return r;
}

/* 0 to @n - 1; @n is not 0. */
static inline unsigned rnd_below(struct rnd *r, unsigned n)
{
	return (unsigned)((rnd_next(r) >> 32) % n);
}

static inline bool rnd_one_in(struct rnd *r, unsigned n)
{
	return rnd_below(r, n) == 0;
}

#define RND_PICK(r, array) ((array)[rnd_below((r), sizeof(array) / sizeof((array)[0]))])

#endif
