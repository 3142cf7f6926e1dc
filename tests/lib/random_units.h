/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * random_units.h - random types of a program, and units that contain some of them
 *
 * A program has some dozen types. Each has a kind, a name and references; a type can have two
 * versions, two types can share a name, and references are arbitrary. Each unit contains some of
 * the types and all that these refer to, in its own order, sometimes a struct as a declaration
 * only, sometimes a type twice. The program chooses the rates, so that some programs look like
 * those of compilers and some do not.
 *
 * A unit is a list of records. A name is an argument of random_name(), 0 for none. References form
 * no cycle without a struct.
 */
#ifndef BTFENC_TESTS_RANDOM_UNITS_H
#define BTFENC_TESTS_RANDOM_UNITS_H

#include "btf/btf_kind.h"
#include "btf/btf_types.h"
#include "tests/lib/rand.h"

enum { RANDOM_TYPES = 24, RANDOM_REFS = 4, RANDOM_NAMES = 9 };

struct random_type {
	enum btf_kind kind;
	uint32_t name;
	uint32_t extra; /* size, number of elements, value, as suits the kind */
	bool kflag, two_versions;
	uint32_t nr_refs;
	uint32_t refs[RANDOM_REFS]; /* 0: void */
	uint32_t other; /* the last of them in the second version; 0: that has another size */
};

/* One in so many; 0 for never. */
struct random_rates {
	uint32_t declared, twice, version, two_versions, name_taken;
};

struct random_program {
	struct rnd r;
	struct random_rates rates;
	bool inner_first;                       /* what a record refers to comes before it */
	struct random_type types[RANDOM_TYPES]; /* [0] is void */
};

/* Type 1 is "int": it is what arrays count by. */
const char *random_name(uint32_t name);

void random_program(struct random_program *p, uint64_t seed);

/* Append one more unit to the empty @t. */
void random_unit(struct random_program *p, struct btf_types *t);

/* Append functions of prototypes of @t, places of parameters, and sites. */
void random_sites(struct rnd *r, struct btf_types *t);

#endif
