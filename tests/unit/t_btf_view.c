/* SPDX-License-Identifier: GPL-2.0-only */
#include "btf/btf_view.h"

#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btfcases.h"
#include "tests/lib/testlib.h"

/* A member that a test takes apart: header and bodies of any length. */
struct blob {
	uint8_t bytes[512];
	size_t len;
};

/* INT int, STRUCT s { int x; }, FWD f, ARRAY of s */
static const uint32_t records[] = {
	1, 0x01000000, 4, 0x01000020,       /* [1] */
	5, 0x04000001, 4, 7,          1, 0, /* [2] */
	9, 0x07000000, 0,                   /* [3] */
	0, 0x03000000, 0, 2,          1, 3, /* [4] */
};
enum { NR_RECORDS = 4, TYPE_LEN = sizeof(records) };

static const char strs[] = "\0int\0s\0x\0f"; /* 11 bytes with the last NUL */

static struct blob make(uint32_t hdr_len, bool swap)
{
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = 1,
		.hdr_len = swap32(hdr_len, swap),
		.type_len = swap32(TYPE_LEN, swap),
		.str_off = swap32(TYPE_LEN, swap),
		.str_len = swap32(sizeof(strs), swap),
	};
	struct blob b = { .len = hdr_len + TYPE_LEN + sizeof(strs) };

	memcpy(b.bytes, &h, hdr_len < sizeof(h) ? hdr_len : sizeof(h));
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		uint32_t w = swap32(records[i], swap);

		memcpy(b.bytes + hdr_len + 4 * i, &w, 4);
	}
	memcpy(b.bytes + hdr_len + TYPE_LEN, strs, sizeof(strs));
	return b;
}

static void put32(struct blob *b, size_t off, uint32_t v)
{
	memcpy(b->bytes + off, &v, sizeof(v));
}

static struct bytes bytes_of(const struct blob *b)
{
	return (struct bytes){ b->bytes, b->len };
}

static struct err *try_open(const struct blob *b)
{
	struct btf_view v = { 0 };
	struct err *e = btf_view_open(bytes_of(b), NULL, &v);

	if (e)
		CHECK(v.types.words.items == NULL); /* untouched */
	btf_view_release(&v);
	return e;
}

#define CHECK_REFUSED(b, part) CHECK_ERR_TEXT(try_open(b), ERR_FORMAT, part)

enum {
	OFF_VERSION = 2,
	OFF_FLAGS = 3,
	OFF_HDR_LEN = 4,
	OFF_TYPE_OFF = 8,
	OFF_TYPE_LEN = 12,
	OFF_STR_OFF = 16,
	OFF_STR_LEN = 20,
	OFF_LAYOUT_OFF = 24,
	OFF_LAYOUT_LEN = 28
};

static void check_content(const struct blob *b, bool swapped)
{
	CLEANUP(btf_view_release) struct btf_view v = { 0 };

	CHECK_OK(btf_view_open(bytes_of(b), NULL, &v));
	CHECK(has_words(&v.types, records, ARRAY_SIZE(records)));
	CHECK_EQ(btf_types_end(&v.types), NR_RECORDS + 1);
	CHECK_EQ(btf_types_rec(&v.types, 3)[0], 9);
	CHECK_EQ(v.swapped, swapped);
	CHECK_EQ(v.strings.len, sizeof(strs));
	CHECK_STR(btf_view_str(&v, NULL, 0), "");
	CHECK_STR(btf_view_str(&v, NULL, 5), "s");
	CHECK_STR(btf_view_str(&v, NULL, 2), "nt"); /* into the middle is legal */
}

TEST(a_member_is_read_in_both_byte_orders)
{
	struct blob native = make(BTF_HDR_CLASSIC, false), other = make(BTF_HDR_CLASSIC, true);

	check_content(&native, false);
	check_content(&other, true);
}

TEST(headers_of_any_length_are_read)
{
	static const uint32_t lens[] = { 24, 32, 40, 28, 33 };

	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		struct blob b = make(lens[i], false);

		check_content(&b, false);
	}
}

TEST(a_member_may_start_at_any_byte)
{
	struct blob b = make(BTF_HDR_CLASSIC, false);

	for (size_t shift = 1; shift < 8; shift++) {
		uint8_t moved[sizeof(b.bytes) + 8];
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		memcpy(moved + shift, b.bytes, b.len);
		CHECK_OK(btf_view_open((struct bytes){ moved + shift, b.len }, NULL, &v));
		CHECK(has_words(&v.types, records, ARRAY_SIZE(records)));
	}
}

TEST(what_follows_the_member_is_left_to_the_caller)
{
	struct blob b = make(BTF_HDR_LAYOUT, false);
	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	size_t len = b.len;

	b.len += 100;
	CHECK_OK(btf_view_open(bytes_of(&b), NULL, &v));
	CHECK_EQ(v.size, len);
}

TEST(every_cut_is_noticed)
{
	struct blob b = make(BTF_HDR_LAYOUT, false);

	for (size_t len = b.len; len-- > 0;) {
		b.len = len;
		CHECK_ERR(try_open(&b), ERR_FORMAT);
	}
}

TEST(records_may_stay_where_they_are_if_they_need_no_decoding)
{
	struct blob native = make(BTF_HDR_CLASSIC, false), other = make(BTF_HDR_CLASSIC, true);
	_Alignas(8) uint8_t bytes[sizeof(native.bytes) + 8];

	for (size_t shift = 0; shift < 8; shift++) {
		for (int swapped = 0; swapped < 2; swapped++) {
			const struct blob *b = swapped ? &other : &native;
			CLEANUP(btf_view_release) struct btf_view v = { 0 };

			memcpy(bytes + shift, b->bytes, b->len);
			CHECK_OK(btf_view_open_in_place((struct bytes){ bytes + shift, b->len },
							NULL, &v));
			CHECK(has_words(&v.types, records, ARRAY_SIZE(records)));
			CHECK_EQ(v.in_place, !swapped && shift % 4 == 0);
			CHECK_EQ(v.in_place,
				 (uint8_t *)v.types.words.items == bytes + shift + BTF_HDR_CLASSIC);
		}
	}
}

TEST(a_table_of_kinds_is_stepped_over)
{
	struct blob b = make(BTF_HDR_LAYOUT, false);
	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	size_t kinds = BTF_HDR_LAYOUT + TYPE_LEN;

	memmove(b.bytes + kinds + 80, b.bytes + kinds, sizeof(strs));
	memset(b.bytes + kinds, 0xff, 80);
	b.len += 80;
	put32(&b, OFF_LAYOUT_OFF, TYPE_LEN);
	put32(&b, OFF_LAYOUT_LEN, 80);
	put32(&b, OFF_STR_OFF, TYPE_LEN + 80);
	CHECK_OK(btf_view_open(bytes_of(&b), NULL, &v));
	CHECK_EQ(v.size, b.len);
	CHECK_STR(btf_view_str(&v, NULL, 9), "f");
}

#define WORD(i) (BTF_HDR_CLASSIC + 4 * (i)) /* of the records */
#define STRINGS (BTF_HDR_CLASSIC + TYPE_LEN)

/* @value is put into the blob. */
static const struct {
	const char *name;
	uint32_t at, width, value;
	uint32_t hdr_len;    /* 0: that of the classic header */
	const char *problem; /* NULL: it is read */
} changes[] = {
	{ "magic", 0, 1, 0x9e, 0, "magic" },
	{ "version", OFF_VERSION, 1, 2, 0, "version 0x2" },
	{ "flags", OFF_FLAGS, 1, 0x80, 0, "flags 0x80" },
	{ "short header", OFF_HDR_LEN, 4, 20, 0, "header length 20" },
	{ "long header", OFF_HDR_LEN, 4, UINT32_MAX, 0, "header length 4294967295" },

	{ "records end outside", OFF_TYPE_LEN, 4, UINT32_MAX, 0, "records" },
	{ "records begin outside", OFF_TYPE_OFF, 4, UINT32_MAX - 3, 0, "records" }, /* no wrap */
	{ "strings end outside", OFF_STR_LEN, 4, sizeof(strs) + 1, 0, "strings" },
	{ "the layout ends outside", OFF_LAYOUT_LEN, 4, UINT32_MAX, BTF_HDR_LAYOUT, "the layout" },
	{ "strings before the records", OFF_STR_OFF, 4, TYPE_LEN - 4, 0, "after the records" },
	/* at 0, where the records are */
	{ "the layout in the records", OFF_LAYOUT_LEN, 4, 4, BTF_HDR_LAYOUT,
	  "behind the records or the strings" },

	{ "the last string has no end", STRINGS + sizeof(strs) - 1, 1, 'x', 0, "no end" },
	{ "the first string is not empty", STRINGS, 1, 'x', 0, "not empty" },
	{ "no strings", OFF_STR_LEN, 4, 0, 0, "strings are empty" },

	/* one member more than the section has */
	{ "a record exceeds the section", WORD(5), 4, 0x04000002, 0, "" },
	{ "a record exceeds the bytes", WORD(14), 4, 0x04ffffff, 0, "BTF+0x4c: type 4: " },
	{ "the last record is cut", OFF_TYPE_LEN, 4, TYPE_LEN - 4, 0, "type 4" },
	{ "the last record is cut in its head", OFF_TYPE_LEN, 4, TYPE_LEN - 16, 0, "cut short" },
	{ "a word is cut", OFF_TYPE_LEN, 4, TYPE_LEN - 1, 0, "a multiple of 4" },

	{ "kind 0", WORD(11), 4, 0, 0, "BTF+0x40: type 3: unknown kind" },
	{ "the first kind that does not exist", WORD(11), 4, (uint32_t)BTF_NR_KINDS << 24, 0,
	  "BTF+0x40: type 3: unknown kind" },
	{ "kind 127", WORD(11), 4, 0x7f000000, 0, "BTF+0x40: type 3: unknown kind" },
	{ "kind 127 with the kind flag", WORD(11), 4, 0xff000000, 0,
	  "BTF+0x40: type 3: unknown kind" },

	{ "the type of a member", WORD(8), 4, 5, 0,
	  "BTF+0x38: type 2: refers to type 5, there are 4" },
	{ "the last type", WORD(8), 4, 4, 0, NULL },
	{ "the index of an array", WORD(17), 4, UINT32_MAX, 0,
	  "BTF+0x5c: type 4: refers to type 4294967295" },
	{ "the name of a member", WORD(7), 4, sizeof(strs), 0,
	  "BTF+0x34: type 2: string offset 0xb, strings end at 0xb" },
	{ "the name of a type", WORD(0), 4, UINT32_MAX, 0, "BTF+0x18: type 1: string offset" },
	{ "the type word of a declaration is not a reference", WORD(12), 4, 77, 0, NULL },
};

TEST_EACH(damage_is_refused_where_it_is, changes, c)
{
	struct blob b = make(c->hdr_len ? c->hdr_len : BTF_HDR_CLASSIC, false);

	memcpy(b.bytes + c->at, &c->value, c->width);
	if (c->problem)
		CHECK_REFUSED(&b, c->problem);
	else
		CHECK_OK(try_open(&b));
}

TEST(records_are_at_a_multiple_of_4)
{
	struct blob b = make(BTF_HDR_CLASSIC, false);

	put32(&b, OFF_TYPE_OFF, 2);
	put32(&b, OFF_TYPE_LEN, TYPE_LEN - 4);
	CHECK_REFUSED(&b, "a multiple of 4");
}

/* [1] PTR to the base's last type, named and not, over the blob above */
static struct blob make_split(uint32_t name, uint32_t type, uint32_t str_len)
{
	struct btf_wire_header h = { .magic = BTF_WIRE_MAGIC,
				     .version = 1,
				     .hdr_len = BTF_HDR_CLASSIC,
				     .type_len = 12,
				     .str_off = 12,
				     .str_len = str_len };
	uint32_t rec[3] = { name, btf_info(BTF_PTR, 0, false), type };
	struct blob b = { .len = BTF_HDR_CLASSIC + 12 + str_len };

	memcpy(b.bytes, &h, BTF_HDR_CLASSIC);
	memcpy(b.bytes + BTF_HDR_CLASSIC, rec, 12);
	memcpy(b.bytes + BTF_HDR_CLASSIC + 12, "own\0st", str_len);
	return b;
}

TEST(ids_and_strings_of_split_btf_go_on_where_the_base_ends)
{
	struct blob b = make(BTF_HDR_CLASSIC, false);
	struct blob s = make_split(sizeof(strs) + 4, NR_RECORDS, 7);
	CLEANUP(btf_view_release) struct btf_view base = { 0 };
	CLEANUP(btf_view_release) struct btf_view v = { 0 };

	CHECK_OK(btf_view_open(bytes_of(&b), NULL, &base));
	CHECK_OK(btf_view_open(bytes_of(&s), &base, &v));
	CHECK_EQ(v.types.first, NR_RECORDS + 1);
	CHECK_EQ(v.str_base, sizeof(strs));
	CHECK_STR(btf_view_str(&v, &base, sizeof(strs) + 4), "st");
	CHECK_STR(btf_view_str(&v, &base, 1), "int");

	struct blob far = make_split(0, NR_RECORDS + 2, 7);
	CHECK_ERR_TEXT(btf_view_open(bytes_of(&far), &base, &v), ERR_FORMAT, "refers to type 6");
	far = make_split(sizeof(strs) + 7, 1, 7);
	CHECK_ERR_TEXT(btf_view_open(bytes_of(&far), &base, &v), ERR_FORMAT, "string offset");
}

TEST(split_btf_may_have_no_strings_and_stand_on_split_btf)
{
	struct blob b = make(BTF_HDR_CLASSIC, false), s = make_split(sizeof(strs), 1, 4);
	struct blob top = make_split(sizeof(strs) + 1, NR_RECORDS + 1, 0);
	CLEANUP(btf_view_release) struct btf_view base = { 0 };
	CLEANUP(btf_view_release) struct btf_view mid = { 0 };
	CLEANUP(btf_view_release) struct btf_view v = { 0 };

	CHECK_OK(btf_view_open(bytes_of(&b), NULL, &base));
	CHECK_OK(btf_view_open(bytes_of(&s), &base, &mid));
	CHECK_OK(btf_view_open(bytes_of(&top), &mid, &v));
	CHECK_EQ(v.types.first, NR_RECORDS + 2);
	CHECK_EQ(btf_types_rec(&v.types, 4)[5], 3);
	CHECK_STR(btf_view_str(&v, &mid, sizeof(strs) + 1), "wn");
	CHECK_STR(btf_view_str(&v, &mid, 9), "f");
}

/* Whatever opens must be safe to walk. */
static void walk(const struct btf_view *v)
{
	size_t sum = 0;

	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		uint32_t *rec = btf_types_rec(&v->types, id);

		btf_rec_each_name(rec, name) sum += strlen(btf_view_str(v, NULL, *name));
		btf_rec_each_type(rec, type) CHECK(*type < btf_types_end(&v->types));
	}
	CHECK(sum < 100000);
}

TEST(no_single_byte_makes_it_unsafe)
{
	for (int swap = 0; swap < 2; swap++) {
		struct blob good = make(BTF_HDR_LAYOUT, swap);
		size_t opened = 0, refused = 0;

		for (size_t i = 0; i < good.len; i++) {
			for (unsigned int value = 0; value < 256; value++) {
				struct blob b = good;
				CLEANUP(btf_view_release) struct btf_view v = { 0 };

				b.bytes[i] = (uint8_t)value;
				/* on the heap at its exact length, so that a sanitizer sees it */
				uint8_t *copy = mem_dup(b.bytes, b.len);
				struct err *e = btf_view_open((struct bytes){ copy, b.len }, NULL,
							      &v);

				if (!e)
					walk(&v);
				opened += !e;
				refused += !!e;
				err_free(e);
				free(copy);
			}
		}
		CHECK(opened > 1000);
		CHECK(refused > 1000);
	}
}

/* --- kinds that btfenc does not know ----------------------------------------------------- */

/* [9] kind 60 with two elements, [10] PTR 9, [11] kind 60, [12] STRUCT with a member of type 9 */
static const struct btf_case unknown = {
	WORDS(N_S, 60u << 24 | 2, 4, 77, 88, 99, 0, BI(PTR, 0), 9, N_S, 60u << 24, 4, 77, N_X,
	      BI(STRUCT, 1), 4, N_Y, 9, 0),
	.long_header = true,
	.layout = LAYOUT_OF_60,
};

static void check_unknown(const struct btf_view *v)
{
	CHECK_EQ(v->nr_unknown, 2);
	CHECK_EQ(v->first_unknown, 60);
	CHECK_EQ(btf_types_end(&v->types), 13);
	CHECK_EQ(btf_types_rec(&v->types, 9)[BTF_REC_NAME], 0);
	CHECK_EQ(btf_types_rec(&v->types, 9)[BTF_REC_INFO], 0);
	CHECK_EQ(btf_unknown_kind(btf_types_rec(&v->types, 9)), 60);
	CHECK_EQ(btf_unknown_words(btf_types_rec(&v->types, 9)), 6);
	CHECK_EQ(btf_unknown_words(btf_types_rec(&v->types, 11)), 4);
	CHECK_EQ(btf_types_rec(&v->types, 10)[BTF_REC_SIZE_TYPE], 0);
	CHECK_EQ(btf_types_rec(&v->types, 12)[BTF_REC_WORDS + 1], 0);
}

TEST(records_of_unknown_kinds_are_skipped_by_the_layout)
{
	CLEANUP(btf_view_release) struct btf_view v = { 0 }, in_place = { 0 }, loaded = { 0 };
	struct bytes b = btf_case_make(&unknown);
	CLEANUP(diag_release) struct diagnostics diags = { 0 };

	test_keep((void *)(uintptr_t)b.ptr);
	CHECK_OK(btf_view_open(b, NULL, &v));
	check_unknown(&v);
	CHECK_OK(btf_view_open_in_place(b, NULL, &in_place));
	check_unknown(&in_place);
	CHECK(!in_place.in_place); /* the bytes of the file did not change */
	CHECK_OK(btf_view_load(b, &loaded));
	check_unknown(&loaded);
	CHECK_OK(btf_view_check_refs(b, &loaded));
	btf_view_report_unknown(&v, "here", &diags);
	CHECK_STR(
		diags.first->text,
		"'here': skipped 2 types of kinds that btfenc does not know, the first of kind 60; references to them became void");
}

TEST(the_layout_of_the_base_applies_to_split_btf)
{
	static const uint32_t words[] = {
		0, 60u << 24, 4, 77, 0, BI(PTR, 0), 13, 0, BI(PTR, 0), 9
	};
	const struct btf_case split = {
		.words = words, .nr_words = ARRAY_SIZE(words), .alone = true, .strings = { "y", 2 }
	};
	CLEANUP(btf_view_release) struct btf_view base = { 0 }, v = { 0 }, none = { 0 };
	struct bytes b = btf_case_make(&unknown), s = btf_case_make(&split);

	test_keep((void *)(uintptr_t)b.ptr);
	test_keep((void *)(uintptr_t)s.ptr);
	CHECK_OK(btf_view_open(b, NULL, &base));
	CHECK_OK(btf_view_open(s, &base, &v));
	CHECK_EQ(v.nr_unknown, 1);
	CHECK_EQ(btf_types_rec(&v.types, 14)[BTF_REC_SIZE_TYPE], 0); /* to an own one */
	CHECK_EQ(btf_types_rec(&v.types, 15)[BTF_REC_SIZE_TYPE], 0); /* to one of the base */
	base.layout.len = 0;
	CHECK_ERR_TEXT(btf_view_open(s, &base, &none), ERR_FORMAT, "type 13: unknown kind 60");
}

TEST(a_layout_may_be_behind_the_strings)
{
	const struct btf_case behind = { .long_header = true,
					 .layout = LAYOUT_OF_60,
					 .layout_at = BEHIND_STRINGS },
			      odd = { .long_header = true,
				      .layout = LAYOUT_OF_60,
				      .layout_at = UNALIGNED },
			      length = { .long_header = true, .layout = 6 };
	CLEANUP(btf_view_release) struct btf_view v = { 0 }, none = { 0 };
	struct bytes b = btf_case_make(&behind), c = btf_case_make(&odd),
		     d = btf_case_make(&length);

	test_keep((void *)(uintptr_t)b.ptr);
	test_keep((void *)(uintptr_t)c.ptr);
	test_keep((void *)(uintptr_t)d.ptr);
	CHECK_OK(btf_view_open(b, NULL, &v));
	CHECK_EQ(v.size, b.len);
	CHECK_EQ(v.layout.len, LAYOUT_OF_60);
	CHECK_ERR_TEXT(btf_view_open(c, NULL, &none), ERR_FORMAT, "offset of the layout");
	CHECK_ERR_TEXT(btf_view_open(d, NULL, &none), ERR_FORMAT, "length of the layout");
}
