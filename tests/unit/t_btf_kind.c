/* SPDX-License-Identifier: GPL-2.0-only */
#include "btf/btf_kind.h"

#include "tests/lib/testlib.h"

/* A record whose words are their own index, but for the info word. */
struct numbered {
	uint32_t words[32];
};

static struct numbered numbered(enum btf_kind kind, uint32_t vlen)
{
	struct numbered r;

	for (uint32_t i = 0; i < 32; i++)
		r.words[i] = i;
	r.words[BTF_REC_INFO] = btf_info(kind, vlen, false);
	return r;
}

/* The indexes that the walk over types visits, as decimal digits ("_" is 10 and more). */
static const char *types_of(enum btf_kind kind, uint32_t vlen, char *buf)
{
	struct numbered r = numbered(kind, vlen);
	size_t n = 0;

	btf_rec_each_type(r.words, p) buf[n++] = *p < 10 ? (char)('0' + *p) : '_';
	buf[n] = '\0';
	return buf;
}

/* Likewise for names: what the table says is the order of words, so look at positions. */
static const char *names_of(enum btf_kind kind, uint32_t vlen, char *buf)
{
	struct numbered r = numbered(kind, vlen);
	size_t n = 0;

	btf_rec_each_name(r.words, p) buf[n++] = (char)('0' + (p - r.words));
	buf[n] = '\0';
	return buf;
}

TEST(references_are_where_the_format_has_them)
{
	char buf[32];

	CHECK_STR(types_of(BTF_INT, 0, buf), "");
	CHECK_STR(types_of(BTF_PTR, 0, buf), "2");
	CHECK_STR(types_of(BTF_ARRAY, 0, buf), "34");
	CHECK_STR(types_of(BTF_STRUCT, 2, buf), "47");
	CHECK_STR(types_of(BTF_UNION, 2, buf), "47");
	CHECK_STR(types_of(BTF_ENUM, 2, buf), "");
	CHECK_STR(types_of(BTF_TYPEDEF, 0, buf), "2");
	CHECK_STR(types_of(BTF_VOLATILE, 0, buf), "2");
	CHECK_STR(types_of(BTF_CONST, 0, buf), "2");
	CHECK_STR(types_of(BTF_RESTRICT, 0, buf), "2");
	CHECK_STR(types_of(BTF_FUNC_PROTO, 3, buf), "2468");
	CHECK_STR(types_of(BTF_VAR, 0, buf), "2");
	CHECK_STR(types_of(BTF_DATASEC, 2, buf), "36");
	CHECK_STR(types_of(BTF_FLOAT, 0, buf), "");
	CHECK_STR(types_of(BTF_DECL_TAG, 0, buf), "2");
	CHECK_STR(types_of(BTF_TYPE_TAG, 0, buf), "2");
	CHECK_STR(types_of(BTF_ENUM64, 2, buf), "");
	CHECK_STR(types_of(BTF_LOC_PARAM, 2, buf), "");
	CHECK_STR(types_of(BTF_LOC_PROTO, 3, buf), "345");
	CHECK_STR(types_of(BTF_LOCSEC, 3, buf), "34679_");
}

TEST(names_are_where_the_format_has_them)
{
	char buf[32];

	CHECK_STR(names_of(BTF_INT, 0, buf), "0");
	CHECK_STR(names_of(BTF_ARRAY, 0, buf), "0");
	CHECK_STR(names_of(BTF_STRUCT, 2, buf), "036");
	CHECK_STR(names_of(BTF_UNION, 1, buf), "03");
	CHECK_STR(names_of(BTF_ENUM, 3, buf), "0357");
	CHECK_STR(names_of(BTF_FUNC_PROTO, 2, buf), "035");
	CHECK_STR(names_of(BTF_DATASEC, 2, buf), "0");
	CHECK_STR(names_of(BTF_VAR, 0, buf), "0");
	CHECK_STR(names_of(BTF_ENUM64, 2, buf), "036");
}

TEST(a_declaration_refers_to_no_type)
{
	char buf[32];

	CHECK_STR(types_of(BTF_FWD, 0, buf), "");
}

TEST(the_linkage_of_a_function_is_no_number_of_elements)
{
	struct numbered r = numbered(BTF_FUNC, BTF_LINK_EXTERN);
	char buf[32];

	CHECK_EQ(btf_rec_words(r.words), 3);
	CHECK_STR(types_of(BTF_FUNC, BTF_LINK_EXTERN, buf), "2");
	CHECK_STR(names_of(BTF_FUNC, BTF_LINK_EXTERN, buf), "0");
}

TEST(lengths_count_trailer_and_elements)
{
	static const struct {
		enum btf_kind kind;
		uint32_t vlen;
		size_t words;
	} cases[] = {
		{ BTF_INT, 0, 4 },       { BTF_PTR, 0, 3 },       { BTF_ARRAY, 0, 6 },
		{ BTF_STRUCT, 0, 3 },    { BTF_STRUCT, 5, 18 },   { BTF_UNION, 1, 6 },
		{ BTF_ENUM, 4, 11 },     { BTF_FWD, 0, 3 },       { BTF_FUNC_PROTO, 2, 7 },
		{ BTF_VAR, 0, 4 },       { BTF_DATASEC, 2, 9 },   { BTF_FLOAT, 0, 3 },
		{ BTF_DECL_TAG, 0, 4 },  { BTF_TYPE_TAG, 0, 3 },  { BTF_ENUM64, 2, 9 },
		{ BTF_LOC_PARAM, 2, 6 }, { BTF_LOC_PROTO, 2, 5 }, { BTF_LOCSEC, 2, 9 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct numbered r = numbered(cases[i].kind, cases[i].vlen);

		CHECK_EQ(btf_rec_words(r.words), cases[i].words);
	}
}

TEST(vlen_has_24_bits_and_kind_has_7)
{
	uint32_t rec[3] = { 0, btf_info(BTF_STRUCT, 0x10001, true), 0 };

	CHECK_EQ(btf_rec_words(rec), 3 + 3 * (size_t)0x10001);
	CHECK_EQ(btf_info_kind(rec[1]), BTF_STRUCT);
	CHECK(btf_info_kflag(rec[1]));
	CHECK_EQ(btf_info_kind(0x7f000000), 0x7f);
}

TEST(kinds_that_do_not_exist_have_no_layout)
{
	uint32_t rec[3] = { 0, (uint32_t)BTF_NR_KINDS << 24, 0 };

	CHECK_EQ(btf_file_rec_words((const uint32_t[]){ 0, 0, 0 }, (struct bytes){ 0 }), 0);
	CHECK_EQ(btf_kind_layout(BTF_NR_KINDS)->words, 0);
	CHECK_EQ(btf_kind_layout(0x7f)->words, 0);
	CHECK_EQ(btf_rec_words(rec), 0);
	CHECK_STR(btf_kind_layout(BTF_ENUM64)->name, "ENUM64");
}

TEST(each_kind_has_a_whole_row)
{
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		const struct btf_kind_layout *l = btf_kind_layout(kind);

		CHECK(l->name && l->keyword);
		CHECK_EQ(l->words, BTF_REC_WORDS + l->fixed);
		CHECK(!l->elem || l->element);
		CHECK(!l->elem_fields || l->elem_unit);
		CHECK_EQ(l->first_type != 0, l->targets != 0);
		CHECK_EQ(l->ctype == BTF_C_VOID, kind == BTF_UNKN);
		/* nothing but a row tells deduplication what to compare */
		CHECK(l->dedup != BTF_DEDUP_WORDS || !l->first_type);
		CHECK(l->dedup != BTF_DEDUP_REFS || l->first_type);
		CHECK(l->dedup != BTF_DEDUP_NEVER || l->ctype <= BTF_C_VOID);
	}
}
