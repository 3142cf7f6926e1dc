/* SPDX-License-Identifier: GPL-2.0-only */
#include "btf/btf_serialize.h"

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

static const struct bytes strings = { (const uint8_t *)"\0int", 5 };

struct image {
	uint8_t *ptr;
	size_t len;
};

static void image_release(struct image *im)
{
	free(im->ptr);
}

static struct image make_as(const struct btf_types *t, struct bytes strs,
			    const struct btf_serialize_opts *opts)
{
	struct image im = { 0 };

	CHECK_OK(btf_serialize(t, strs, opts, &im.ptr, &im.len));
	return im;
}

static struct image make(const struct btf_types *t, struct bytes strs, bool swap, bool layout)
{
	return make_as(t, strs, &(struct btf_serialize_opts){ .swap = swap, .layout = layout });
}

/* Bytes as another machine wrote them down; this one may be of either order. */
static bool little_endian(void)
{
	return load16("\1\0") == 1;
}

TEST(one_integer_byte_by_byte)
{
	static const uint8_t want[] = {
		0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 16, 0,  0, 0, 16, 0, 0,   0,   5,   0, 0,
		0,    1,    0, 0, 0,  0, 0, 0, 1, 4, 0, 0, 0,  32, 0, 0, 1,  0, 'i', 'n', 't', 0,
	};
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&t, NULL);
	add_int(&t, 1);
	CLEANUP(image_release) struct image im = make(&t, strings, !little_endian(), false);
	CHECK_EQ(im.len, sizeof(want));
	CHECK_MEM(im.ptr, want, sizeof(want));
}

TEST(the_same_for_a_big_endian_target)
{
	static const uint8_t want[] = {
		0xeb, 0x9f, 1, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 16, 0,  0, 0,   16,  0,   0, 0,
		5,    0,    0, 0, 1, 1, 0, 0,  0, 0, 0, 0, 4, 1, 0, 0,  32, 0, 'i', 'n', 't', 0,
	};
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&t, NULL);
	add_int(&t, 1);
	CLEANUP(image_release) struct image im = make(&t, strings, little_endian(), false);
	CHECK_EQ(im.len, sizeof(want));
	CHECK_MEM(im.ptr, want, sizeof(want));
}

TEST(nothing_at_all_is_a_header)
{
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&t, NULL);
	CLEANUP(image_release) struct image im = make(&t, (struct bytes){ 0 }, false, false);
	CHECK_EQ(im.len, BTF_HDR_CLASSIC);
}

TEST(a_long_header_ends_with_zeros)
{
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&t, NULL);
	add_int(&t, 1);
	CLEANUP(image_release) struct image brief = make(&t, strings, false, false);
	CLEANUP(image_release)
	struct image im = make_as(&t, strings, &(struct btf_serialize_opts){ .long_header = true });

	CHECK_EQ(im.len, brief.len + 8);
	CHECK_EQ(load32(im.ptr + 4), 32);
	CHECK_MEM(im.ptr + 24, "\0\0\0\0\0\0\0", 8);
	CHECK_MEM(im.ptr + 32, brief.ptr + 24, brief.len - 24);
}

/* Trailer and element size of each kind, in its order; the other bytes are flags. */
TEST(the_table_of_kinds_stands_between_records_and_strings)
{
	static const uint8_t want[][2] = {
		{ 0, 0 }, { 4, 0 }, { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },  { 0, 0 },
		{ 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 },  { 0, 0 },  { 0, 8 },  { 4, 0 },  { 0, 12 },
		{ 0, 0 }, { 4, 0 }, { 0, 0 }, { 0, 12 }, { 4, 4 },  { 0, 4 },  { 0, 12 },
	};
	enum { WITHOUT_PLACES = 20 };
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&t, NULL);
	add_int(&t, 1);
	CLEANUP(image_release) struct image im = make(&t, strings, false, true);
	struct btf_wire_header h;

	memcpy(&h, im.ptr, sizeof(h));
	CHECK_EQ(h.layout_off, 16);
	CHECK_EQ(h.layout_len, 80);
	CHECK_EQ(h.str_off, 96);
	CHECK_EQ(im.len, 32 + 16 + 80 + 5);
	for (size_t k = 0; k < WITHOUT_PLACES; k++) {
		const uint8_t *entry = im.ptr + 32 + 16 + 4 * k;

		CHECK_MEM(entry, want[k], 2);
		CHECK_MEM(entry + 2, "\0\0", 2);
	}

	add_words(&t, (const uint32_t[]){ 0, btf_info(BTF_LOC_PROTO, 0, false), 0 }, 3);
	CLEANUP(image_release) struct image all = make(&t, strings, false, true);
	memcpy(&h, all.ptr, sizeof(h));
	CHECK_EQ(h.layout_len, sizeof(want) / 2 * 4);
	for (size_t k = 0; k < ARRAY_SIZE(want); k++) {
		const uint8_t *entry = all.ptr + 32 + 28 + 4 * k;

		CHECK_MEM(entry, want[k], 2);
		CHECK_MEM(entry + 2, "\0\0", 2);
	}
}

TEST(split_btf_has_no_table_of_kinds)
{
	CLEANUP(btf_types_release) struct btf_types base = { 0 };
	CLEANUP(btf_types_release) struct btf_types t = { 0 };

	btf_types_init(&base, NULL);
	add_int(&base, 1);
	btf_types_init(&t, &base);
	add_ptr(&t, 1);
	CLEANUP(image_release) struct image im = make(&t, (struct bytes){ 0 }, false, true);
	CHECK_EQ(im.len, 24 + 12);
}

TEST(what_is_written_can_be_opened_in_both_byte_orders)
{
	for (int i = 0; i < 4; i++) {
		CLEANUP(btf_types_release) struct btf_types t = { 0 };

		btf_types_init(&t, NULL);
		add_struct2(&t, 1, 1, add_int(&t, 1), 0, 1);
		/* a constant of 64 bits is two words, the low one first in both orders */
		ADD(&t, 0, btf_info(BTF_LOC_PARAM, 2, false), 8, BTF_LOC_CONST, 0x89abcdef,
		    0x01234567);
		ADD(&t, 0, btf_info(BTF_LOC_PROTO, 1, false), 0, 3);
		ADD(&t, 1, btf_info(BTF_LOCSEC, 0, false), 0);
		CLEANUP(image_release) struct image im = make(&t, strings, i & 1, i & 2);
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		CHECK_OK(btf_view_open((struct bytes){ im.ptr, im.len }, NULL, &v));
		CHECK_EQ(v.size, im.len);
		CHECK_EQ(v.swapped, i & 1);
		CHECK(has_words(&v.types, t.words.items, t.words.nr));
		CHECK_EQ(v.strings.len, strings.len);
	}
}

TEST(more_elements_than_16_bits_can_count_are_refused_by_id_and_name)
{
	CLEANUP(btf_types_release) struct btf_types t = { 0 };
	struct btf_serialize_opts opts = { 0 };
	uint8_t *ptr = NULL;
	size_t len = 0;

	btf_types_init(&t, NULL);
	add_int(&t, 1);
	uint32_t *rec = btf_types_add(&t, 3 + 2 * 0x10000);
	memset(rec, 0, (3 + 2 * 0x10000) * sizeof(*rec));
	rec[1] = btf_info(BTF_ENUM, 0x10000, false);
	CHECK_ERR_TEXT(btf_serialize(&t, strings, &opts, &ptr, &len), ERR_LIMIT,
		       "type 2 '(anon)': 65536 elements");
	CHECK(!ptr);
	rec[1] = btf_info(BTF_ENUM, 0xffff, false);
	CHECK_OK(btf_serialize(&t, strings, &opts, &ptr, &len));
	free(ptr);
}

TEST(strings_that_do_not_fit_a_32_bit_length_are_refused)
{
	CLEANUP(btf_types_release) struct btf_types t = { 0 };
	struct btf_serialize_opts opts = { 0 };
	uint8_t *ptr = NULL;
	size_t len = 0;

	if (sizeof(size_t) < 8)
		SKIP("no such length on a 32-bit machine");
	btf_types_init(&t, NULL);
	CHECK_ERR(btf_serialize(&t, (struct bytes){ strings.ptr, (size_t)1 << 32 }, &opts, &ptr,
				&len),
		  ERR_LIMIT);
	CHECK(!ptr);
}

TEST(a_stretched_image_reads_as_before)
{
	for (int swap = 0; swap < 2; swap++) {
		CLEANUP(btf_types_release) struct btf_types t = { 0 };
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		btf_types_init(&t, NULL);
		add_int(&t, 1);
		CLEANUP(image_release) struct image im = make(&t, strings, swap, false);
		btf_serialize_pad(&im.ptr, &im.len, 100);
		CHECK_EQ(im.len, 100);
		CHECK_OK(btf_view_open((struct bytes){ im.ptr, im.len }, NULL, &v));
		CHECK_EQ(v.size, 100);
		CHECK_EQ(v.strings.len, 100 - 24 - 16);
		CHECK_EQ(btf_types_end(&v.types), 2);
		CHECK(!memcmp(v.strings.ptr, strings.ptr, strings.len));
		CHECK_EQ(v.strings.ptr[v.strings.len - 1], 0);
	}
}
