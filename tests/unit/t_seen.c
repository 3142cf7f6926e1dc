/* SPDX-License-Identifier: GPL-2.0-only */
/* t_seen.c - which structs are the same as one that was printed */
#include "show/seen.h"

#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

static const struct {
	const char *name, *types; /* the last two are compared */
	bool same;
} cases[] = {
	{ "equal", "int; struct s 8 {a 1, b 1 32}; struct s 8 {a 1, b 1 32}", true },
	{ "another type", "int; ptr 1; struct s 8 {a 1}; struct s 8 {a 2}", true },
	{ "a union", "int; struct s 8 {a 1}; union s 8 {a 1}", true },
	{ "a member without a name", "int; struct s 8 {a 1}; struct s 8 {1}", true },
	{ "another name", "int; struct s 8 {a 1}; struct t 8 {a 1}", false },
	{ "another size", "int; struct s 8 {a 1}; struct s 16 {a 1}", false },
	{ "another number", "int; struct s 8 {a 1}; struct s 8 {a 1, b 1 32}", false },
	{ "another name of a member", "int; struct s 8 {a 1}; struct s 8 {b 1}", false },
	{ "another offset", "int; struct s 8 {a 1}; struct s 8 {a 1 32}", false },
	{ "another width", "int; struct! s 8 {a 1 0:5}; struct! s 8 {a 1 0:6}", false },
};

TEST_EACH(a_struct_is_seen_if_its_members_have_the_same_places, cases, c)
{
	VIEW(v);
	uint32_t last = test_view_add(&v, c->types);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(seen_release) struct seen s = { 0 };

	types_init(&t, &v.view, 8);
	CHECK(seen_first(&s, &t, last - 1));
	CHECK_EQ(seen_first(&s, &t, last), !c->same);
	CHECK(seen_first_or_again(&s, &t, last - 1));
}
