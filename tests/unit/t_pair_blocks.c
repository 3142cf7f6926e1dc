/* SPDX-License-Identifier: GPL-2.0-only */
/* t_pair_blocks.c - members of an archive get their blocks of .debug.btf */
#include "encoder/input/pair_blocks.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

#include <stdlib.h>

/*
 * A scene is two lists of words. Those of the members are their bytes. Those of the blocks are the
 * bytes of the object that the block belongs to, and may end with
 *
 *	aa+	the length in the key is greater by one
 *	aa/3	three blocks of one object, each with BTF of its own: "aa1", "aa2", "aa3"
 *	aa/3-	the same without that BTF
 *	aa/3:2	only the first two of them
 *	aa*	it stands alone, with the BTF "aa"
 *	aa*2	two of one object, with the BTF "aa1" and "aa2"; aa*2- and aa*2:1 as above
 *	!	no block, but garbage
 *
 * A member "aa*" has its block, which stands alone, from its object.
 */
struct scene {
	struct input in;
	struct byte_vec section, objects;
	bool only_listed;
	struct diagnostics diags;
};

static void scene_release(struct scene *s)
{
	input_release(&s->in);
	free(s->section.items);
	free(s->objects.items);
	diag_release(&s->diags);
}

static struct bytes text_bytes(const char *text)
{
	return (struct bytes){ (const uint8_t *)text, strlen(text) };
}

static char *next_word(const char **list)
{
	size_t blanks = strspn(*list, " "), len = strcspn(*list + blanks, " ");
	const char *start = *list + blanks;

	*list = start + len;
	return len ? make_text("%.*s", (int)len, start) : NULL;
}

static void add_block(const char *word, struct byte_vec *to)
{
	char *name = make_text("%.*s", (int)strcspn(word, "+/*!"), word);
	const char *slash = strpbrk(word, "/*"), *colon = strchr(word, ':');
	bool alone = slash && *slash == '*';
	uint32_t nr = slash && slash[1] ? (uint32_t)strtoul(slash + 1, NULL, 10) : 1;
	uint32_t here = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : nr;
	struct facts_parts p = { .addr_size = 8, .body = text_bytes("body") };

	if (alone)
		p.key.nr_blocks = nr;
	else
		p.key = (struct facts_key){ (uint32_t)strlen(name), nr,
					    facts_sum(text_bytes(name)) };
	p.key.len += strchr(word, '+') != NULL;
	for (uint32_t i = 0; i < here; i++) {
		if (slash && !strchr(word, '-'))
			p.btf = text_bytes(slash[1] ? make_text("%s%u", name, i + 1) : name);
		CHECK_OK(facts_block_append(&p, to));
	}
}

static void add_members(struct scene *s, const char *members)
{
	enum { ROOM = 4096 };

	/* the members borrow from it */
	vec_reserve(&s->objects, ROOM);
	for (const char *word; (word = next_word(&members)) != NULL;) {
		struct member m = { .bytes = text_bytes(word),
				    .mapped = true,
				    .maybe_gcc = true,
				    .where = "member" };

		if (strchr(word, '*')) {
			size_t at = s->objects.nr;

			add_block(word, &s->objects);
			CHECK(s->objects.nr <= ROOM);
			CHECK_OK(facts_block_open((struct bytes){ s->objects.items, s->objects.nr },
						  &at, false, &m.block));
			m.bytes = m.block.btf;
		}
		vec_push(&s->in.members, m);
	}
}

static void add_blocks(struct scene *s, const char *blocks)
{
	for (const char *word; (word = next_word(&blocks)) != NULL;) {
		if (*word == '!')
			vec_push(&s->section, '!');
		else
			add_block(word, &s->section);
	}
}

/* The number of the block at @at of the section. */
static size_t block_number(const struct scene *s, size_t at)
{
	struct facts_block b;

	for (size_t pos = 0, i = 0;; i++) {
		size_t start = pos;

		CHECK_OK(facts_block_open((struct bytes){ s->section.items, s->section.nr }, &pos,
					  false, &b));
		CHECK(b.all.ptr);
		if (start == at)
			return i;
	}
}

/* The members with the numbers of their blocks, or "-"; "?" if the checksum is not compared yet. */
static void write_pairs(const struct scene *s, struct text *ret)
{
	for (size_t i = 0; i < s->in.members.nr; i++) {
		const struct member *m = &s->in.members.items[i];

		text_printf(ret, "%s%.*s=", i ? " " : "", (int)m->bytes.len,
			    (const char *)m->bytes.ptr);
		if (facts_block_is_alone(&m->block) && !m->linked)
			text_printf(ret, "object");
		else if (m->block.all.ptr)
			text_printf(ret, "%zu", block_number(s, m->block_at));
		else
			text_printf(ret, "-");
		text_printf(ret, "%s", m->sum_unchecked ? "?" : "");
	}
}

static struct err *try_pair(struct scene *s, size_t first, size_t *ret_left)
{
	const struct block_section section = { .bytes = { s->section.items, s->section.nr },
					       .linked = true,
					       .only_listed = s->only_listed,
					       .path = "prog" };

	return pair_blocks(&s->in, first, &section, &s->diags, ret_left);
}

static void pair(struct scene *s, size_t first)
{
	size_t left;

	CHECK_OK(try_pair(s, first, &left));
}

static void check_pairs(const char *members, const char *blocks, const char *pairs,
			const char *warning)
{
	CLEANUP(scene_release) struct scene s = { 0 };
	CLEANUP(text_release) struct text got = { 0 };

	add_members(&s, members);
	add_blocks(&s, blocks);
	pair(&s, 0);
	write_pairs(&s, &got);
	CHECK_STR(got.items, pairs);
	CHECK_EQ(s.diags.first != NULL, warning != NULL);
	if (warning) {
		CHECK(!s.diags.first->next);
		CHECK_EQ(s.diags.first->level, DIAG_WARNING);
		CHECK_STR(s.diags.first->text, warning);
	}
}

static const struct {
	const char *members, *blocks, *pairs;
} scenes[] = {
	/* one block for each member, in order: the threads that read members compare checksums */
	{ "aa bb cc", "aa bb cc", "aa=0? bb=1? cc=2?" },
	{ "aa aa", "aa aa", "aa=0? aa=1?" },
	{ "aa bb", "bb aa", "aa=0? bb=1?" },
	{ "aa", "", "aa=-" },

	/* numbers or lengths differ: checksums decide */
	{ "aa bb cc", "aa cc", "aa=0 bb=- cc=1" },
	{ "bb", "aa bb", "bb=1" },
	{ "a bb ccc", "ccc a bb", "a=1 bb=2 ccc=0" },
	{ "aa bb", "cc cc cc", "aa=- bb=-" },
	{ "aa bb", "aa+ bb", "aa=- bb=1" },

	/* of equal members each has a block of its own */
	{ "aa bb aa cc aa", "aa aa", "aa=0 bb=- aa=1 cc=- aa=-" },
	{ "aa bb", "aa bb bb aa", "aa=0 bb=1" },

	/* an object of several units becomes one member for each */
	{ "aa bb", "aa/3 bb", "aa1=0 aa2=1 aa3=2 bb=3?" },
	{ "bb aa", "aa/3", "bb=- aa1=0 aa2=1 aa3=2" },
	{ "aa aa cc", "aa/2 aa/2", "aa1=0 aa2=1 aa1=2 aa2=3 cc=-" },
	/* its bytes are replaced, so its checksum is compared at once */
	{ "aa bb", "bb/2 aa/1", "aa1=2 bb1=0 bb2=1" },
	{ "cc aa", "cc bb/2", "cc=0 aa=-" },
};

TEST(blocks_pair_in_order_or_by_checksum)
{
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++)
		check_pairs(scenes[i].members, scenes[i].blocks, scenes[i].pairs, NULL);
}

TEST(blocks_before_damage_are_used)
{
	/* the blocks are of 44 bytes, those with BTF of 47 */
	check_pairs("aa bb", "aa bb !", "aa=0? bb=1?",
		    "'prog': .debug.btf+0x58: no block starts here: ignored from here on");
	check_pairs("aa bb", "aa ! bb", "aa=0 bb=-",
		    "'prog': .debug.btf+0x2c: no block starts here: ignored from here on");
	check_pairs("aa bb cc", "aa bb/3:2", "aa=0 bb=- cc=-",
		    "'prog': .debug.btf+0x2c: 3 blocks of one object, 2 are here: "
		    "ignored from here on");
	check_pairs("aa bb cc", "aa bb/3:2 cc", "aa=0 bb=- cc=-",
		    "'prog': .debug.btf+0x2c: 3 blocks of one object, 2 are here: "
		    "ignored from here on");
	check_pairs("aa bb cc", "aa bb/2:1 cc/2:1", "aa=0 bb=- cc=-",
		    "'prog': .debug.btf+0x2c: 2 blocks of one object, 1 are here: "
		    "ignored from here on");
	check_pairs("aa bb", "aa bb/2-", "aa=0 bb=-",
		    "'prog': .debug.btf+0x2c: 2 blocks of one object, 0 are here: "
		    "ignored from here on");
	check_pairs("aa", "!", "aa=-",
		    "'prog': .debug.btf+0: no block starts here: ignored from here on");
}

TEST(blocks_that_stand_alone_are_members_in_the_order_of_the_section)
{
	check_pairs("", "aa* bb*", "aa=0 bb=1", NULL);
	check_pairs("", "aa*2 bb*", "aa1=0 aa2=1 bb=2", NULL);
	/* between those that belong to .BTF, in order and by checksums */
	check_pairs("aa cc", "aa bb* cc dd*", "aa=0? bb=1 cc=2? dd=3", NULL);
	check_pairs("aa cc", "bb*2 aa cc/2", "bb1=0 bb2=1 aa=2? cc1=3 cc2=4", NULL);
	check_pairs("aa xx cc", "bb* aa dd* cc ee*", "bb=0 aa=1 xx=- dd=2 cc=3 ee=4", NULL);
	check_pairs("cc aa", "aa bb* cc/2 dd*", "bb=1 cc1=2 cc2=3 aa=0 dd=4", NULL);
	check_pairs("xx", "aa* bb*", "xx=- aa=0 bb=1", NULL);
}

TEST(blocks_that_stand_alone_pair_with_those_of_objects)
{
	static const struct {
		const char *members, *blocks, *pairs;
		size_t left;
	} listed[] = {
		{ "aa* bb*", "aa* bb*", "aa=0 bb=1", 0 },
		{ "bb* aa*", "aa* bb*", "bb=1 aa=0", 0 },
		{ "bb*", "aa* bb* cc*", "bb=1", 2 },
		{ "bb* dd*", "aa* bb*", "bb=1 dd=object", 1 },
		{ "aa bb*", "cc* aa bb*", "aa=1 bb=2", 1 },
		{ "aa* aa*", "aa* aa*", "aa=0 aa=1", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(listed); i++) {
		CLEANUP(scene_release) struct scene s = { .only_listed = true };
		CLEANUP(text_release) struct text got = { 0 };
		size_t left;

		add_members(&s, listed[i].members);
		add_blocks(&s, listed[i].blocks);
		CHECK_OK(try_pair(&s, 0, &left));
		write_pairs(&s, &got);
		CHECK_STR(got.items, listed[i].pairs);
		CHECK_EQ(left, listed[i].left);
	}
}

TEST(damage_is_an_error_where_types_would_be_missing)
{
	static const struct {
		const char *members, *blocks, *error;
	} damaged[] = {
		{ "", "!", "'prog': .debug.btf+0: no block starts here" },
		{ "", "aa* !", "'prog': .debug.btf+0x2e: no block starts here" },
		{ "aa", "aa bb* !", "'prog': .debug.btf+0x5a: no block starts here" },
		{ "", "aa*3:2", "'prog': .debug.btf+0: 3 blocks of one object, 2 are here" },
		{ "", "aa*3:2 bb*", "'prog': .debug.btf+0: 3 blocks of one object, 2 are here" },
		{ "aa", "aa bb*3:2",
		  "'prog': .debug.btf+0x2c: 3 blocks of one object, 2 are here" },
		/* without BTF */
		{ "", "aa*1-", "'prog': .debug.btf+0: 1 blocks of one object, 0 are here" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(damaged); i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		size_t left;

		add_members(&s, damaged[i].members);
		add_blocks(&s, damaged[i].blocks);
		CHECK_ERR_TEXT(try_pair(&s, 0, &left), ERR_FORMAT, damaged[i].error);
	}
}

TEST(objects_are_counted_by_their_blocks)
{
	CLEANUP(scene_release) struct scene s = { 0 };
	struct block_count count;

	add_blocks(&s, "aa bb*2 cc/3 dd* !");
	const struct block_section section = { .bytes = { s.section.items, s.section.nr },
					       .path = "prog" };
	CHECK_ERR_TEXT(count_blocks(&section, false, &count), ERR_FORMAT, "no block starts here");
	CHECK_EQ(count.objects, 4);
	CHECK_EQ(count.alone, 2);
}

TEST(blocks_pair_in_order_with_the_members_of_their_section)
{
	CLEANUP(scene_release) struct scene s = { 0 };
	CLEANUP(text_release) struct text got = { 0 };

	add_members(&s, "zz aa bb");
	add_blocks(&s, "aa bb");
	pair(&s, 1);
	write_pairs(&s, &got);
	CHECK_STR(got.items, "zz=- aa=0? bb=1?");
}

TEST(members_keep_what_their_blocks_do_not_replace)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	add_members(&s, "zz aa bb cc");
	add_blocks(&s, "aa bb/2");
	s.in.members.items[1].before = 7;
	pair(&s, 1);

	const struct member *m = s.in.members.items;
	CHECK_EQ(s.in.members.nr, 5);
	/* a member before the first one of the section, and one without a block */
	for (size_t i = 0; i < 5; i += 4) {
		CHECK(m[i].mapped && m[i].maybe_gcc && !m[i].linked && !m[i].block.all.ptr);
		CHECK_STR(m[i].where, "member");
	}
	CHECK(m[1].mapped && m[1].linked && !m[1].maybe_gcc && m[1].before == 7);
	CHECK_STR(m[1].where, "member");
	/* the section is not mapped, so bytes of a block are not */
	CHECK(!m[2].mapped && m[2].linked && !m[2].maybe_gcc);
	CHECK_EQ(m[2].before, (size_t)(m[2].block.btf.ptr - s.section.items));
	CHECK_STR(m[2].where, "member, unit 1");
	CHECK_STR(m[3].where, "member, unit 2");
	CHECK_EQ(m[3].block.key.nr_blocks, 2);
	CHECK_EQ(m[3].block.body.len, 4);
}
