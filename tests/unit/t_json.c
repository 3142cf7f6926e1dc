/* SPDX-License-Identifier: GPL-2.0-only */
/* t_json.c - any bytes become a string of JSON, and can be had back */
#include "cmd/print/json.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#define CHECK_JSON(in, out)                                   \
	do {                                                  \
		struct text text_ = { 0 };                    \
		json_string(&text_, in);                      \
		CHECK_STR(test_keep(text_take(&text_)), out); \
	} while (0)

TEST(ascii_stays_as_it_is)
{
	CHECK_JSON("", "\"\"");
	CHECK_JSON("foo_bar.isra.0 ~'/", "\"foo_bar.isra.0 ~'/\"");
}

TEST(what_would_end_the_string_or_the_line_is_escaped)
{
	CHECK_JSON("a\"b\\c", "\"a\\\"b\\\\c\"");
	CHECK_JSON("\n\x1b\x7f\x01", "\"\\u000a\\u001b\\u007f\\u0001\"");
}

TEST(control_characters_beyond_ascii_are_escaped)
{
	CHECK_JSON("\xc2\x80\xc2\x9b\xe2\x80\xae", "\"\\u0080\\u009b\\u202e\"");
}

TEST(characters_of_utf8_stay)
{
	CHECK_JSON("\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x9d",
		   "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x9d\"");
	/* the first and the last of each length, but for surrogates */
	CHECK_JSON("\xc2\xa0\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
		   "\"\xc2\xa0\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"");
	CHECK_JSON("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"");
}

TEST(bytes_that_are_no_characters_are_told_each_by_itself)
{
	CHECK_JSON("a\xff"
		   "b",
		   "\"a\\udcffb\"");
	CHECK_JSON("\xc0\x80", "\"\\udcc0\\udc80\"");                       /* overlong */
	CHECK_JSON("\xe0\x9f\xbf", "\"\\udce0\\udc9f\\udcbf\"");            /* the same */
	CHECK_JSON("\xed\xa0\x80", "\"\\udced\\udca0\\udc80\"");            /* a surrogate */
	CHECK_JSON("\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\""); /* above U+10FFFF */
	CHECK_JSON("\xf5\x80", "\"\\udcf5\\udc80\"");
	CHECK_JSON("\x80", "\"\\udc80\"");
}

TEST(a_character_that_is_cut_off_ends_where_the_string_does)
{
	CHECK_JSON("\xc3", "\"\\udcc3\"");
	CHECK_JSON("\xe2\x82", "\"\\udce2\\udc82\"");
	CHECK_JSON("\xf0\x9f\x90", "\"\\udcf0\\udc9f\\udc90\"");
}
