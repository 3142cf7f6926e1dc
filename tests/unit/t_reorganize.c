/* SPDX-License-Identifier: GPL-2.0-only */
/* t_reorganize.c - members move into holes, and no struct becomes larger or gets impossible offsets */
#include "show/reorganize.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* Types 1 to 5: int, char, short, long, and a char array of 6. */
#define TYPES "int; int char 1 8; int short 2 16; int long 8 64; array 2 1 6; "

static void reorganize_last(struct test_view *v, const char *types, struct layout *ret,
			    struct show_types *t)
{
	uint32_t id = test_view_add(v, types);

	types_init(t, &v->view, 8);
	layout_find(t, id, 64, ret);
	reorganize(t, ret, NULL, NULL);
	CHECK_OK(types_failed(t));
	CHECK_EQ(reorganized_size(t, id, 64), ret->size);
}

/* "SIZE: NAME OFFSET ...", with bit offsets for bit fields. */
static void put_layout(struct show_types *t, const struct layout *l, struct text *ret)
{
	text_printf(ret, "%u:", l->size);
	for (size_t i = 0; i < l->nr; i++) {
		const struct layout_member *m = &l->items[i];

		text_printf(ret, " %s %u", types_str(t, m->name), m->byte_offset);
		if (m->bitfield_size)
			text_printf(ret, ":%u", m->bitfield_offset);
	}
}

static const struct {
	const char *name, *types; /* the last one is reorganized */
	const char *layout;
} cases[] = {
	{ "two holes become one", TYPES "struct s 24 {a 2, b 4 64, c 2 128, d 3 144}",
	  "16: a 0 c 1 d 2 b 8" },
	{ "the last member fills a hole, and no padding is left",
	  TYPES "struct s 24 {a 1, b 4 64, c 1 128}", "16: a 0 c 4 b 8" },
	{ "of several members that fit, the last without a hole moves",
	  TYPES "struct s 24 {a 1, b 4 64, c 3 128, d 3 144, e 1 160}",
	  "24: a 0 e 4 b 8 c 16 d 18" },
	{ "the first member that follows a hole stays", TYPES "struct s 16 {a 2, b 4 64}",
	  "16: a 0 b 8" },
	{ "without a hole nothing moves", TYPES "struct s 16 {a 4, b 1 64}", "16: a 0 b 8" },
	/* pahole: 14 bytes */
	{ "an array of bytes needs no padding", TYPES "struct s 8 {a 3, b 5 16}", "8: a 0 b 2" },
	/* pahole: 28 bytes */
	{ "the size is a multiple of the alignment",
	  TYPES "struct s 32 {p 4, a 2 64, b 1 96, c 1 128, d 1 160, e 1 192}",
	  "32: p 0 a 8 b 12 c 16 d 20 e 24" },
	/* pahole: e at 24 */
	{ "a hole that a move leaves is closed",
	  TYPES "struct s 40 {a 2, b 4 64, c 2 128, d 3 144, e 4 192, f 1 256}",
	  "24: a 0 c 1 d 2 f 4 b 8 e 16" },
	{ "bit fields stay where they are",
	  TYPES "struct! s 24 {a 2, b 4 64, x 1 128:3, y 1 131:2, c 2 136}",
	  "24: a 0 c 1 b 8 x 16:0 y 16:3" },
	{ "and others move nevertheless",
	  TYPES
	  "struct! s 56 {a 2, b 3 16, c 1 32, d 4 64, e 1 128, f 4 192, g 1 256, h 4 320, x 2 384:3}",
	  "48: a 0 b 2 c 4 d 8 e 16 g 20 f 24 h 32 x 40:0" },
	{ "a member with a larger alignment keeps that",
	  TYPES "struct s 128 {a 2, b 4 512, c 2 576}", "128: a 0 c 1 b 64" },
	{ "a packed struct stays as it is", TYPES "struct s 15 {a 2, b 4 8, c 2 72, d 1 88}",
	  "15: a 0 b 1 c 9 d 11" },
	{ "so does a struct whose members overlap",
	  TYPES "struct s 24 {a 2, b 4 64, c 1 96, d 2 128}", "24: a 0 b 8 c 12 d 16" },
	{ "and one whose members are out of order", TYPES "struct s 24 {a 2 128, b 4 64, c 2}",
	  "24: a 16 b 8 c 0" },
	{ "a struct without members", "struct s 4", "4:" },
};

TEST_EACH(members_move_into_holes, cases, c)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout l = { 0 };
	CLEANUP(text_release) struct text text = { 0 };

	reorganize_last(&v, c->types, &l, &t);
	put_layout(&t, &l, &text);
	CHECK_STR(text_string(&text), c->layout);
}

static void count_move(void *arg, const struct layout *l, const struct reorganize_move *m)
{
	(void)l;
	(void)m;
	++*(uint32_t *)arg;
}

/* Pairs of a byte and a long: with all moves that there are, the time would be quadratic. */
TEST(large_structs_end_at_a_limit)
{
	enum { PAIRS = 32000, MOVES_MOST = 10000 };
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout l = { 0 };
	CLEANUP(text_release) struct text text = { 0 };
	uint32_t moves = 0, id;

	text_printf(&text, TYPES "struct s %d {", 16 * PAIRS);
	for (int i = 0; i < PAIRS; i++)
		text_printf(&text, "%sa 2 %d, b 4 %d", i ? ", " : "", 128 * i, 128 * i + 64);
	text_str(&text, "}");
	id = test_view_add(&v, text_string(&text));
	types_init(&t, &v.view, 8);
	layout_find(&t, id, 64, &l);
	reorganize(&t, &l, count_move, &moves);
	CHECK(moves > 0 && moves < MOVES_MOST);
	CHECK(l.size < 16 * PAIRS);
	CHECK_EQ(l.nr, 2 * PAIRS);
}
