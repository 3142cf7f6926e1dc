/* SPDX-License-Identifier: GPL-2.0-only */
/* t_color.c - colours are in a text only if it has them, and take no column */
#include "base/color.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

static void put(struct text *t)
{
	text_color(t, COLOR_HEAD);
	text_str(t, "head");
	text_color(t, COLOR_NONE);
	text_pad(t, 0, 6);
	text_color(t, COLOR_COMMENT);
	text_str(t, "rest");
	text_color(t, COLOR_NONE);
}

TEST(a_text_has_no_colours_by_default)
{
	CLEANUP(text_release) struct text t = { 0 };

	put(&t);
	CHECK_STR(text_string(&t), "head  rest");
}

TEST(colours_take_no_column)
{
	CLEANUP(text_release) struct text t = { .colored = true };

	put(&t);
	CHECK_STR(text_string(&t), "\x1b[1mhead\x1b[m  \x1b[2mrest\x1b[m");
	CHECK(text_pos(&t) == strlen("head  rest"));
}

TEST(positions_stay_when_a_text_is_written_out)
{
	CLEANUP(text_release) struct text t = { .colored = true };

	t.out = tmpfile();
	put(&t);
	CHECK_OK(text_flush(&t, true));
	CHECK(text_pos(&t) == strlen("head  rest"));
	fclose(t.out);
}
