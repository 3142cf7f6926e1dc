/* SPDX-License-Identifier: GPL-2.0-only */
/* t_pool_copies.c - can the records of a unit that needs exact dedup be taken from the pool? */
#include "base/cleanup.h"
#include "tests/lib/poolmake.h"

/* Does the pool know enough of the copies in the last unit? The units are asked in their order. */
static bool last_is_known(const struct pool_scene *s)
{
	CLEANUP(pool_copies_release) struct pool_copies c;
	bool ret = true;

	CHECK(s->resolved.units[s->nr - 1].needs_exact);
	pool_copies_init(&c, &s->types, &s->resolved);
	for (size_t u = 0; u < s->nr; u++)
		ret = pool_copies_suffice(&c, u, &s->units[u]);
	return ret;
}

/* Another unit defines "struct s", so the last one, which does so, too, needs exact dedup. */
#define S_4 "int; struct s 4 {x 1}"
#define S_8 "int; struct s 8 {x 1}"

/* The pool has a volatile int from another unit, so that it can be referred to before it is there. */
#define QUALIFIED "int; volatile 1"

static const struct {
	const char *name;
	struct pool_unit units[3];
	bool known;
} cases[] = {
	{ "no copies", { UNIT(S_4), UNIT(S_8 "; const 1; ptr 3") }, true },
	/* copies merge into the first that is referred to; structs wait for their turn */
	{ "nothing refers to the first copy",
	  { UNIT(S_4), UNIT(QUALIFIED), UNIT(S_8 "; volatile 1; ptr 3; volatile 1") },
	  true },
	{ "a pointer does before it is there",
	  { UNIT(S_4), UNIT(QUALIFIED), UNIT(S_8 "; ptr 4; volatile 1; ptr 4; volatile 1") },
	  false },
	{ "a struct does before it is there",
	  { UNIT(S_4), UNIT(QUALIFIED),
	    UNIT(S_8 "; struct t 16 {x 4}; volatile 1; ptr 4; volatile 1") },
	  true },
	/* the one that the holder means is the second, done with the pointer */
	{ "an array that a pointer refers to",
	  { UNIT(S_4), UNIT("int; volatile 1; array 2 0 4"),
	    UNIT(S_8 "; ptr 5; volatile 1; array 4 0 4; volatile 1") },
	  false },
	{ "a struct that a pointer refers to",
	  { UNIT(S_4), UNIT("int; volatile 1; struct t 16 {x 2}"),
	    UNIT(S_8 "; ptr 5; volatile 1; struct t 16 {x 4}; volatile 1") },
	  true },
	{ "copies that lead to a name that a unit defines twice",
	  { UNIT("int; struct crowd 4 {x 1}; struct s 4 {x 1}", .twice = "crowd"),
	    UNIT(S_8 "; ptr 6; const 3; const 3; struct crowd 4 {x 1}") },
	  false },
	{ "copies that lead to another name",
	  { UNIT("int; struct crowd 4 {x 1}; struct s 4 {x 1}", .twice = "crowd"),
	    UNIT(S_8 "; ptr 6; const 3; const 3; struct t 4 {x 1}") },
	  true },
	{ "nameless structs are done in their order",
	  { UNIT(S_4), UNIT("int; struct 16 {x 1}"),
	    UNIT(S_8 "; ptr 4; struct 16 {x 1}; struct 16 {x 1}") },
	  true },
	/* two definitions of struct t, which differ in the elements of an array */
	{ "an array of other elements",
	  { UNIT(S_4), UNIT("int; const 1; array 2 0 4; struct t 16 {x 3}"),
	    UNIT(S_8 "; array 1 0 4; struct t 16 {x 3}; array 1 0 4") },
	  true },
	{ "what is defined twice is not known", { UNIT(S_4), UNIT(S_8, .twice = "s") }, false },
};

TEST_EACH(copies_matter_if_the_result_depends_on_them, cases, c)
{
	CLEANUP(pool_scene_release) struct pool_scene s;

	pool_scene_init(&s);
	pool_scene_units(&s, c->units, ARRAY_SIZE(c->units));
	pool_scene_resolve(&s, NULL);
	CHECK_EQ(last_is_known(&s), c->known);
}
