/* SPDX-License-Identifier: GPL-2.0-only */
/* t_known_strings.c - what is remembered of strings never shows but in the time that it takes */
#include "encoder/member/known_strings.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 4096 };

/* Set in the notes of a string, so that earlier notes need not be cleared. */
static const uint32_t MARK = 0xa0000000;

struct setting {
	struct str_pool pool;
	struct known_strings known;
	uint32_t ids[ROOM];
};

static void setting_release(struct setting *s)
{
	known_strings_release(&s->known);
	str_pool_release(&s->pool);
}

#define SETTING(s)                                 \
	CLEANUP(setting_release) struct setting s; \
	memset(&s, 0, sizeof(s));                  \
	str_pool_init(&s.pool)

/* Look up @section of @len bytes and compare with the pool, string by string. */
static void check_section(struct setting *s, const char *section, size_t len)
{
	memset(s->ids, 0, sizeof(s->ids));
	known_strings_look_up(&s->known, &s->pool, (struct bytes){ (const uint8_t *)section, len },
			      MARK, s->ids);
	for (size_t off = 0, next = 0; off < len; off++) {
		if (off != next) {
			CHECK_EQ(s->ids[off], 0); /* no string starts here */
			continue;
		}
		size_t n = strlen(section + off);
		CHECK_EQ(s->ids[off], n ? str_pool_find(&s->pool, section + off, n) | MARK : 0);
		next = off + n + 1;
	}
}

#define SECTION(s, text) check_section(s, text, sizeof(text))

TEST(a_section_is_looked_up)
{
	SETTING(s);

	SECTION(&s, "\0one\0two\0three");
	SECTION(&s, "\0one\0two\0three");
	SECTION(&s, "");
}

TEST(a_string_that_begins_like_a_known_one_is_another)
{
	SETTING(s);

	SECTION(&s, "\0abc\0abcdefgh\0abcdefghi");
	SECTION(&s, "\0abcd\0abcdefgh\0abcdefgh_");
	SECTION(&s, "\0ab\0abcdefg\0abcdefghij");
	SECTION(&s, "\0abc");
}

TEST(strings_may_be_left_out_come_between_or_stand_elsewhere)
{
	SETTING(s);

	SECTION(&s, "\0a\0b\0c\0d\0e\0f");
	SECTION(&s, "\0a\0c\0d\0f");
	SECTION(&s, "\0a\0b\0x\0c\0y\0d");
	SECTION(&s, "\0f\0e\0d\0c\0b\0a");
	SECTION(&s, "\0a\0a\0\0b\0\0\0a");
}

/* Stretches of the same few names, in any order, over and over. */
TEST(random_sections)
{
	SETTING(s);

	srand(7);
	for (int round = 0; round < 2000; round++) {
		char text[ROOM] = "";
		size_t len = 1, nr = (size_t)rand() % 60;
		unsigned int name = 0;

		while (nr--) {
			name = rand() % 4 ? name + 1 : (unsigned int)rand() % 200;
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%.*x",
						(int)(name % 14) + 1, name * 2654435761u) +
			       1;
		}
		check_section(&s, text, len);
	}
}
