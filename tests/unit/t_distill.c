/* SPDX-License-Identifier: GPL-2.0-only */
#include "dedup/base/distill.h"

#include "base/cleanup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

/* Views that a test fills: a base and the split over it, or one more base in between. */
struct layer {
	struct btf_view view;
	char text[128];
};

static void layer_init(struct layer *l, const struct layer *below)
{
	memset(l, 0, sizeof(*l));
	btf_types_init(&l->view.types, below ? &below->view.types : NULL);
	l->view.base = below ? &below->view : NULL;
	l->view.strings = (struct bytes){ (const uint8_t *)l->text, below ? 0 : 1 };
	if (below)
		l->view.str_base = below->view.str_base + (uint32_t)below->view.strings.len;
}

static void layer_release(struct layer *l)
{
	btf_types_release(&l->view.types);
}

/* A string of its own for each call, as nothing asks for equal ones to be one. */
static uint32_t name(struct layer *l, const char *text)
{
	size_t at = l->view.strings.len, len = strlen(text) + 1;

	CHECK(at + len <= sizeof(l->text));
	memcpy(l->text + at, text, len);
	l->view.strings.len += len;
	return l->view.str_base + (uint32_t)at;
}

#define TYPES(l) (&(l).view.types)

#define CHECK_TEXT(text, len, want)                      \
	do {                                             \
		CHECK_EQ(len, sizeof(want) - 1);         \
		CHECK_MEM(text, want, sizeof(want) - 1); \
	} while (0)

enum { INFO_INT = BTF_INT << 24, INFO_PTR = BTF_PTR << 24, INFO_ENUM = BTF_ENUM << 24 };

TEST(what_is_found_by_its_name_goes_into_the_base_with_its_size)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	ADD(TYPES(base), name(&base, "s"), btf_info(BTF_STRUCT, 1, true), 16, name(&base, "m"), 2,
	    4 << 24);
	add_int(TYPES(base), name(&base, "int"));
	ADD(TYPES(base), name(&base, "u"), btf_info(BTF_UNION, 1, false), 8, name(&base, "m"), 2,
	    0);
	ADD(TYPES(base), name(&base, "e"), btf_info(BTF_ENUM, 1, true), 4, name(&base, "E"), 1);
	ADD(TYPES(base), name(&base, "l"), btf_info(BTF_ENUM64, 1, true), 8, name(&base, "L"), 1,
	    1);
	ADD(TYPES(base), name(&base, "f"), btf_info(BTF_FLOAT, 0, false), 10);
	add_fwd(TYPES(base), name(&base, "w"), true);
	layer_init(&split, &base);
	for (uint32_t id = 7; id >= 1; id--)
		add_ptr(TYPES(split), id);

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, btf_info(BTF_STRUCT, 0, false), 16, 3, INFO_INT, 4, 0x01000020,
			7, btf_info(BTF_UNION, 0, false), 8, 9, INFO_ENUM, 4, 11, INFO_ENUM, 8, 13,
			btf_info(BTF_FLOAT, 0, false), 10, 15, btf_info(BTF_FWD, 0, true), 0));
	CHECK_TEXT(d.base_text, d.base_len, "\0s\0int\0u\0e\0l\0f\0w\0");
	CHECK(HAS_WORDS(&d.split, 0, INFO_PTR, 7, 0, INFO_PTR, 6, 0, INFO_PTR, 5, 0, INFO_PTR, 4, 0,
			INFO_PTR, 3, 0, INFO_PTR, 2, 0, INFO_PTR, 1));
	CHECK_EQ(d.split.first, 8);
	CHECK_EQ(d.split_len, 0);
}

TEST(what_a_named_struct_is_made_of_stays_behind)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	uint32_t i = add_int(TYPES(base), name(&base, "int"));
	uint32_t s = add_struct1(TYPES(base), name(&base, "s"), name(&base, "m"), i);
	layer_init(&split, &base);
	add_ptr(TYPES(split), s);

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, btf_info(BTF_STRUCT, 0, false), 8));
	CHECK(HAS_WORDS(&d.split, 0, INFO_PTR, 1));
	CHECK_TEXT(d.base_text, d.base_len, "\0s\0");
}

TEST(what_has_no_name_of_its_own_comes_behind_the_split)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	ADD(TYPES(base), 0, btf_info(BTF_ENUM, 1, false), 4, name(&base, "A"), 7);         /* 1 */
	add_int(TYPES(base), name(&base, "unused"));                                       /* 2 */
	add_int(TYPES(base), name(&base, "int"));                                          /* 3 */
	ADD(TYPES(base), 0, btf_info(BTF_UNION, 1, false), 4, name(&base, "a"), 1, 0);     /* 4 */
	add_array(TYPES(base), 4, 3, 9);                                                   /* 5 */
	add_ref(TYPES(base), BTF_TYPEDEF, name(&base, "t"), 5);                            /* 6 */
	add_ref(TYPES(base), BTF_TYPE_TAG, name(&base, "tag"), 6);                         /* 7 */
	ADD(TYPES(base), 0, btf_info(BTF_FUNC_PROTO, 1, false), 7, name(&base, "arg"), 3); /* 8 */
	layer_init(&split, &base);
	add_ref(TYPES(split), BTF_FUNC, name(&split, "g"), 10); /* 9 */
	ADD(TYPES(split), 0, btf_info(BTF_FUNC_PROTO, 1, false), 0, name(&split, "p"), 11);
	add_ptr(TYPES(split), 8); /* 11 */

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, INFO_INT, 4, 0x01000020));
	CHECK_TEXT(d.base_text, d.base_len, "\0int\0");
	CHECK(HAS_WORDS(&d.split, 5, btf_info(BTF_FUNC, 0, false), 3,      /* 2, was 9 */
			0, btf_info(BTF_FUNC_PROTO, 1, false), 0, 7, 4,    /* 3, was 10 */
			0, INFO_PTR, 10,                                   /* 4, was 11 */
			0, btf_info(BTF_ENUM, 1, false), 4, 9, 7,          /* 5, was 1 */
			0, btf_info(BTF_UNION, 1, false), 4, 11, 5, 0,     /* 6, was 4 */
			0, btf_info(BTF_ARRAY, 0, false), 0, 6, 1, 9,      /* 7, was 5 */
			13, btf_info(BTF_TYPEDEF, 0, false), 7,            /* 8, was 6 */
			15, btf_info(BTF_TYPE_TAG, 0, false), 8,           /* 9, was 7 */
			0, btf_info(BTF_FUNC_PROTO, 1, false), 9, 19, 1)); /* 10, was 8 */
	CHECK_TEXT(d.split_text, d.split_len, "g\0p\0A\0a\0t\0tag\0arg\0");
}

TEST(a_string_is_there_once_and_in_the_base_if_that_has_it)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_int(TYPES(base), name(&base, "int"));
	add_ref(TYPES(base), BTF_TYPEDEF, name(&base, "both"), 1);
	layer_init(&split, &base);
	add_ref(TYPES(split), BTF_TYPEDEF, name(&split, "mine"), 2);
	add_struct2(TYPES(split), name(&split, "both"), name(&split, "int"), 1,
		    name(&split, "mine"), 1);

	CHECK_OK(distill(&split.view, &d));
	CHECK_TEXT(d.base_text, d.base_len, "\0int\0");
	CHECK_TEXT(d.split_text, d.split_len, "mine\0both\0");
	CHECK(HAS_WORDS(&d.split, 5, btf_info(BTF_TYPEDEF, 0, false), 4, 10,
			btf_info(BTF_STRUCT, 2, false), 16, 1, 1, 0, 5, 1, 64, 10,
			btf_info(BTF_TYPEDEF, 0, false), 1));
}

TEST(a_tag_on_a_member_of_the_base_keeps_its_component)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_int(TYPES(base), name(&base, "int"));
	add_struct1(TYPES(base), name(&base, "s"), 1, 1);
	layer_init(&split, &base);
	ADD(TYPES(split), name(&split, "tag"), btf_info(BTF_DECL_TAG, 0, false), 2, 0);
	add_var(TYPES(split), name(&split, "v"), 2);
	ADD(TYPES(split), name(&split, ".data"), btf_info(BTF_DATASEC, 1, false), 8, 4, 0, 8);

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, btf_info(BTF_STRUCT, 0, false), 8));
	CHECK(HAS_WORDS(&d.split, 3, btf_info(BTF_DECL_TAG, 0, false), 1, 0, 7,
			btf_info(BTF_VAR, 0, false), 1, BTF_LINK_GLOBAL, 9,
			btf_info(BTF_DATASEC, 1, false), 8, 3, 0, 8));
}

TEST(a_circle_without_names_is_walked_once)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_ptr(TYPES(base), 2);
	add_struct2(TYPES(base), 0, name(&base, "next"), 1, name(&base, "prev"), 1);
	add_int(TYPES(base), name(&base, "int"));
	layer_init(&split, &base);
	add_ref(TYPES(split), BTF_CONST, 0, 2);

	CHECK_OK(distill(&split.view, &d));
	CHECK_EQ(btf_types_end(&d.base), 2);
	CHECK(HAS_WORDS(&d.split, 0, btf_info(BTF_CONST, 0, false), 4, 0, INFO_PTR, 4, 0,
			btf_info(BTF_STRUCT, 2, false), 16, 5, 3, 0, 10, 3, 64));
	CHECK_TEXT(d.base_text, d.base_len, "\0int\0");
	CHECK_TEXT(d.split_text, d.split_len, "next\0prev\0");
}

TEST(a_long_way_into_the_base_takes_no_stack)
{
	enum { LONG = 1000000 };
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_int(TYPES(base), name(&base, "int"));
	for (uint32_t i = 1; i <= LONG; i++)
		add_ptr(TYPES(base), i);
	layer_init(&split, &base);
	add_ptr(TYPES(split), LONG + 1);

	CHECK_OK(distill(&split.view, &d));
	CHECK_EQ(btf_types_end(&d.base), 2);
	CHECK_EQ(d.split.start.nr, LONG + 1);
	CHECK_EQ(btf_types_rec(&d.split, 2)[BTF_REC_SIZE_TYPE], LONG + 2);
	CHECK_EQ(btf_types_rec(&d.split, 3)[BTF_REC_SIZE_TYPE], 1);
}

TEST(where_nothing_is_needed_the_first_that_has_a_name_stays)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_ptr(TYPES(base), 0);
	add_int(TYPES(base), name(&base, "int"));
	add_int(TYPES(base), name(&base, "long"));
	layer_init(&split, &base);
	add_ptr(TYPES(split), 0);
	add_ptr(TYPES(split), 4);

	CHECK_OK(distill(&split.view, &d));
	CHECK_EQ(btf_types_end(&d.base), 2);
	CHECK_TEXT(d.base_text, d.base_len, "\0int\0");
	CHECK(HAS_WORDS(&d.split, 0, INFO_PTR, 0, 0, INFO_PTR, 2));
	CHECK_EQ(d.split_len, 0);
}

TEST(a_base_in_which_nothing_has_a_name_cannot_be_distilled)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_ptr(TYPES(base), 0);
	layer_init(&split, &base);
	add_ptr(TYPES(split), 1);

	CHECK_ERR_TEXT(distill(&split.view, &d), ERR_LIMIT, "nothing in the base has a name");
}

TEST(a_base_may_stand_on_another)
{
	CLEANUP(layer_release) struct layer low, base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&low, NULL);
	add_int(TYPES(low), name(&low, "long"));
	add_int(TYPES(low), name(&low, "int"));
	layer_init(&base, &low);
	add_ref(TYPES(base), BTF_TYPEDEF, name(&base, "t"), 2);
	add_fwd(TYPES(base), name(&base, "fwd"), false);
	layer_init(&split, &base);
	add_ptr(TYPES(split), 3);
	add_ref(TYPES(split), BTF_TYPEDEF, name(&split, "mine"), 4);

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, INFO_INT, 4, 0x01000020, 5, btf_info(BTF_FWD, 0, false), 0));
	CHECK_TEXT(d.base_text, d.base_len, "\0int\0fwd\0");
	CHECK(HAS_WORDS(&d.split, 0, INFO_PTR, 5, 9, btf_info(BTF_TYPEDEF, 0, false), 2, 14,
			btf_info(BTF_TYPEDEF, 0, false), 1));
	CHECK_TEXT(d.split_text, d.split_len, "mine\0t\0");
}

TEST(what_is_no_type_cannot_be_found_again)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	ADD(TYPES(base), 0, btf_info(BTF_FUNC_PROTO, 0, false), 0);
	add_ref(TYPES(base), BTF_FUNC, name(&base, "f"), 1);
	layer_init(&split, &base);
	add_ptr(TYPES(split), 1);
	ADD(TYPES(split), name(&split, "tag"), btf_info(BTF_DECL_TAG, 0, false), 2, (uint32_t)-1);

	CHECK_ERR_TEXT(distill(&split.view, &d), ERR_FORMAT,
		       "type 4 refers to type 2 of the base, which is a FUNC");
}

TEST(an_empty_name_is_none)
{
	CLEANUP(layer_release) struct layer base, split;
	CLEANUP(distilled_release) struct distilled d = { 0 };

	layer_init(&base, NULL);
	add_int(TYPES(base), name(&base, "int"));
	add_struct1(TYPES(base), name(&base, ""), name(&base, "m"), 1);
	layer_init(&split, &base);
	add_ptr(TYPES(split), 2);

	CHECK_OK(distill(&split.view, &d));
	CHECK(HAS_WORDS(&d.base, 1, INFO_INT, 4, 0x01000020));
	CHECK(HAS_WORDS(&d.split, 0, INFO_PTR, 3, 0, btf_info(BTF_STRUCT, 1, false), 8, 5, 1, 0));
	CHECK_TEXT(d.split_text, d.split_len, "m\0");
}
