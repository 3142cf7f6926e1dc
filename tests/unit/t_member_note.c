/* SPDX-License-Identifier: GPL-2.0-only */
/* t_member_note.c - the note at the end of an object's strings is written, found and read */
#include "encoder/member/member_note.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "tests/lib/testlib.h"

#include <stdlib.h>

/* 0: "", 1: "int", 5: "f", 7: "g.isra.0", then the note's own: 16: "arg" */
static const char STRINGS[] = "\0int\0f\0g.isra.0";
static const char OWN[] = "arg";

enum { STR_INT = 1, STR_F = 5, STR_G_ISRA = 7, STR_ARG = 16, END_TYPE = 10 };

static void release_bytes(struct member_note_bytes *b)
{
	free(b->items);
}

/* A unit with one function of one parameter. */
static struct member_note one_function(void)
{
	const uint32_t words[] = { 0, 0, btf_info(BTF_FUNC_PROTO, 1, false), 3, STR_ARG, 9 };
	struct member_note n = { .unit = STR_F,
				 .lang = 30,
				 .kabi = STR_ARG,
				 .features = 300,
				 .recompiled = true,
				 .func_start = 8,
				 .index = 2 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		vec_push(&n.words, words[i]);
	vec_push(&n.tags, ((struct unit_tag){ STR_INT, -1 }));
	vec_push(&n.tags, ((struct unit_tag){ STR_ARG, 0 }));
	vec_push(&n.funcs, ((struct member_func){
				   .name = STR_F,
				   .flags = UNIT_FUNC_OPTIMIZED | UNIT_FUNC_UNCERTAIN,
				   .at = MEMBER_FUNC_WEAK,
				   .symbol = STR_G_ISRA,
				   .proto = 1,
				   .nr_tags = 2,
			   }));
	return n;
}

/* The string section of an object with note @n. */
static struct member_note_bytes section(const struct member_note *n)
{
	struct member_note_bytes b = { 0 };

	vec_reserve(&b, sizeof(STRINGS));
	memcpy(b.items, STRINGS, sizeof(STRINGS));
	b.nr = sizeof(STRINGS);
	member_note_pack(n, (struct bytes){ (const uint8_t *)OWN, sizeof(OWN) }, &b);
	return b;
}

static struct err *find_and_read(const struct member_note_bytes *b, size_t len, size_t *ret_len,
				 struct member_note *ret)
{
	struct bytes strings = { b->items, len }, body;

	TRY(member_note_find(strings, ret_len, &body));
	if (!body.ptr)
		return NULL;
	return member_note_read(body, strings, END_TYPE, ret);
}

TEST(what_is_written_is_read)
{
	CLEANUP(member_note_release) struct member_note n = one_function(), back = { 0 };
	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);
	size_t len = 0;

	CHECK_OK(find_and_read(&b, b.nr, &len, &back));
	CHECK(len == sizeof(STRINGS));
	CHECK(back.unit == STR_F && back.func_start == 8 && back.index == 2);
	CHECK_EQ(back.features, 300);
	CHECK(back.lang == 30 && back.kabi == STR_ARG);
	CHECK(!back.incomplete && back.recompiled);
	CHECK(back.funcs.nr == 1 && back.tags.nr == 2 && !back.own.nr);

	const struct member_func *f = &back.funcs.items[0];
	CHECK(f->name == STR_F && f->at == MEMBER_FUNC_WEAK && f->symbol == STR_G_ISRA);
	CHECK(f->flags == (UNIT_FUNC_OPTIMIZED | UNIT_FUNC_UNCERTAIN));
	CHECK(!memcmp(back.words.items + f->proto, n.words.items + 1, 5 * sizeof(uint32_t)));
	CHECK(f->nr_tags == 2 && back.tags.items[f->tags].component == -1);
	CHECK(back.tags.items[f->tags + 1].value == STR_ARG);
	CHECK(back.tags.items[f->tags + 1].component == 0);
}

TEST(the_section_ends_as_strings_do)
{
	CLEANUP(member_note_release) struct member_note n = one_function();
	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);

	CHECK(!b.items[b.nr - 1]);
	CHECK(!memcmp(b.items, STRINGS, sizeof(STRINGS)));
	CHECK(!strcmp((char *)b.items + STR_ARG, OWN));
}

TEST(records_of_its_own_come_back)
{
	CLEANUP(member_note_release) struct member_note n = one_function(), back = { 0 };
	const uint32_t own[] = {
		STR_F, btf_info(BTF_STRUCT, 1, false), 8, STR_ARG, 2,
		0, /* 1 */
		0,     btf_info(BTF_ARRAY, 0, false),  0, 1,       POOL_REF_INDEX,
		4, /* 2 */
	};
	size_t len;

	n.words.items[3] = 2; /* what the function returns: one of them */
	n.words.items[5] = 3;
	vec_push(&n.own, 0);
	vec_push(&n.own, (uint32_t)n.words.nr);
	vec_push(&n.own, (uint32_t)n.words.nr + 6);
	vec_push(&n.own, 0); /* the index place */
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		vec_push(&n.words, own[i]);
	vec_push(&n.var_types, 2);

	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);
	CHECK_OK(find_and_read(&b, b.nr, &len, &back));
	CHECK(back.own.nr == 4 && !back.own.items[3]);
	CHECK(!memcmp(back.words.items + back.own.items[1], own, 6 * sizeof(uint32_t)));
	CHECK(!memcmp(back.words.items + back.own.items[2], own + 6, 6 * sizeof(uint32_t)));
	CHECK(back.var_types.nr == 1 && back.var_types.items[0] == 2);
}

static void check_sizes_come_back(const struct member_size *sizes, size_t nr)
{
	CLEANUP(member_note_release) struct member_note n = one_function(), back = { 0 };
	size_t len;

	for (size_t i = 0; i < nr; i++)
		vec_push(&n.sizes, sizes[i]);

	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);
	CHECK_OK(find_and_read(&b, b.nr, &len, &back));
	CHECK_EQ(back.sizes.nr, nr);
	CHECK(!memcmp(back.sizes.items, sizes, nr * sizeof(*sizes)));
}

TEST(that_a_unit_is_not_c_comes_back)
{
	CLEANUP(member_note_release) struct member_note n = one_function(), back = { 0 };
	size_t len;

	n.incomplete = true;

	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);
	CHECK_OK(find_and_read(&b, b.nr, &len, &back));
	CHECK_EQ(back.features, 300);
	CHECK(back.lang == 30 && back.kabi == STR_ARG);
	CHECK(back.incomplete);
}

TEST(sizes_of_symbols_come_back)
{
	const struct member_size sizes[] = {
		{ .var = 0, .size = 1 },
		{ .var = 1, .size = 200 },
		{ .var = 5, .size = UINT32_MAX },
	};

	check_sizes_come_back(sizes, ARRAY_SIZE(sizes));
}

TEST(variables_in_parts_come_back)
{
	/* two that are no VARs, the first VAR, which is one, too, and one behind the last */
	const struct member_size sizes[] = {
		{ 0, 8, STR_G_ISRA, STR_F, 3, STR_ARG, BTF_LINK_STATIC },
		{ 0, 4, STR_G_ISRA, STR_INT, 9, STR_INT, BTF_LINK_GLOBAL },
		{ .var = 0, .size = 300, .symbol = STR_G_ISRA },
		{ .var = 1, .size = 1 },
		{ 7, UINT32_MAX, STR_F, STR_F, 1, STR_F, BTF_LINK_GLOBAL },
	};

	check_sizes_come_back(sizes, ARRAY_SIZE(sizes));
}

TEST(strings_without_a_note_have_none)
{
	struct bytes strings = { (const uint8_t *)STRINGS, sizeof(STRINGS) }, body;
	size_t len = 0;

	CHECK_OK(member_note_find(strings, &len, &body));
	CHECK(len == sizeof(STRINGS) && !body.ptr);
	CHECK_OK(member_note_find((struct bytes){ strings.ptr, 1 }, &len, &body));
	CHECK(len == 1 && !body.ptr);
}

TEST(another_version_is_not_read)
{
	CLEANUP(member_note_release) struct member_note n = one_function(), back = { 0 };
	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);
	size_t len = 0;

	b.items[b.nr - 2]++;
	CHECK_ERR_TEXT(find_and_read(&b, b.nr, &len, &back), ERR_UNSUPPORTED, "version 5");
	CHECK(len == sizeof(STRINGS));
}

/* Any byte that changes is seen, but where it makes the note no note, which is none. */
TEST(damage_is_seen)
{
	CLEANUP(member_note_release) struct member_note n = one_function();
	CLEANUP(release_bytes) struct member_note_bytes b = section(&n);

	for (size_t i = sizeof(STRINGS); i < b.nr; i++) {
		for (unsigned int bit = 0; bit < 8; bit++) {
			CLEANUP(member_note_release) struct member_note back = { 0 };
			size_t len = 0;

			b.items[i] ^= (uint8_t)(1u << bit);
			struct err *e = find_and_read(&b, b.nr, &len, &back);
			CHECK(e || len == b.nr);
			if (e)
				err_free(e);
			b.items[i] ^= (uint8_t)(1u << bit);
		}
	}
}

/* With a checksum that fits: what a note says is checked, too. */
static struct err *read_body(const uint8_t *body, size_t len)
{
	CLEANUP(member_note_release) struct member_note back = { 0 };

	return member_note_read((struct bytes){ body, len },
				(struct bytes){ (const uint8_t *)STRINGS, sizeof(STRINGS) },
				END_TYPE, &back);
}

#define BODY(...) \
	read_body((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

TEST(a_body_must_hold_together)
{
	/* unit, language, prefix, features, function start, index; no functions, no own records */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 0, 0));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0), ERR_FORMAT); /* cut */
	/* sizes of symbols: which is next, and its size */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 1, 3, 1));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0), ERR_FORMAT);    /* cut */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0), ERR_FORMAT); /* of nothing */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1),
		  ERR_FORMAT); /* too far */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 7, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1), ERR_FORMAT);
	/* in parts: which is next, 0, the first part, no name, its size */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 0, 4));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 0, 0, 4), ERR_FORMAT);  /* of no name */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 99, 0, 4), ERR_FORMAT); /* no such string */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 0, 0), ERR_FORMAT);  /* of nothing */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 0), ERR_FORMAT);     /* cut */
	/* no VAR: the same with its name, and its type, section and linkage before its size */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 3, 1, 1, 4));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 99, 3, 1, 1, 4),
		  ERR_FORMAT); /* no such string */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 10, 1, 1, 4),
		  ERR_FORMAT); /* no such type */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 0, 1, 1, 4), ERR_FORMAT); /* void */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 3, 99, 1, 4), ERR_FORMAT);
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 3, 0, 1, 4), ERR_FORMAT); /* nowhere */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 3, 1, 2, 4),
		  ERR_FORMAT); /* no such linkage */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 0, 0, 0, 7, 5, 3, 1, 1), ERR_FORMAT); /* cut */
	CHECK_ERR(BODY(99, 30, 7, 0, 8, 2, 0, 0), ERR_FORMAT); /* no such string */
	CHECK_ERR(BODY(5, 30, 99, 0, 8, 2, 0, 0), ERR_FORMAT);
	CHECK_OK(BODY(5, 0x80, 0x80, 4, 7, 0, 8, 2, 0, 0));
	CHECK_ERR(BODY(5, 0x81, 0x80, 4, 7, 0, 8, 2, 0, 0), ERR_FORMAT); /* no such language */
	CHECK_ERR(BODY(5, 30, 7, 0, 11, 2, 0, 0), ERR_FORMAT);           /* no such record */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 10, 0, 0), ERR_FORMAT);
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0xff, 0xff, 0xff, 0xff, 0xff),
		  ERR_FORMAT);                                  /* no number */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 100, 0), ERR_FORMAT); /* more functions than bytes */
	/* one function: name, flags, what it returns, its parameters, its tags */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 1, 5, 0, 3, 0, 0, 0));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 1, 0, 0, 3, 0, 0, 0), ERR_FORMAT); /* without a name */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 1, 5, 14, 3, 0, 0, 0),
		  ERR_FORMAT); /* in no known place */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 1, 5, 0, 10, 0, 0, 0), ERR_FORMAT); /* returns no type */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 1, 5, 0, 3, 1, 5, 10, 0, 0), ERR_FORMAT); /* takes none */
	/* own records: a CONST that refers to itself; to the next, which is not there */
	CHECK_OK(BODY(5, 30, 7, 0, 8, 2, 0, 2, 3, 0, 0x80, 0x80, 0x80, 0x50, 1, 0));
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 2, 3, 0, 0x80, 0x80, 0x80, 0x50, 2, 0), ERR_FORMAT);
	/* shorter than its kind says, and of a kind that is no type */
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 2, 2, 0, 0x80, 0x80, 0x80, 0x50, 0), ERR_FORMAT);
	CHECK_ERR(BODY(5, 30, 7, 0, 8, 2, 0, 2, 3, 0, 0x80, 0x80, 0x80, 0x60, 1, 0), ERR_FORMAT);
}
