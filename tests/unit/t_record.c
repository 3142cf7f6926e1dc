/* SPDX-License-Identifier: GPL-2.0-only */
/* t_record.c - types of a unit as BTF records, kind by kind */
#include "encoder/unit/record.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "dedup/pool/type_pool.h"
#include "loader/dwarf/dw_const.h"
#include "tests/lib/testlib.h"

struct setting {
	struct str_pool strings;
	struct cu cu;
	struct record_words w;
	struct diagnostics diags;
	struct omissions omissions;
	struct record_ctx ctx;
};

static void setting_init(struct setting *s, uint32_t features)
{
	memset(s, 0, sizeof(*s));
	str_pool_init(&s->strings);
	s->ctx = (struct record_ctx){ features, &s->strings, str_pool_add(&s->strings, "FAKE", 4) };
	for (const char *name = "abcdefgh"; *name; name++)
		str_pool_add_copy(&s->strings, name, 1); /* 2 to 9 */
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
}

static void setting_release(struct setting *s)
{
	str_pool_release(&s->strings);
	cu_release(&s->cu);
	diag_release(&s->diags);
	omissions_release(&s->omissions);
	free(s->w.items);
}

/* The record of the type @t. */
static const uint32_t *record_of(struct setting *s, struct cu_type t)
{
	vec_push(&s->cu.types, t);
	s->w.nr = 0;
	s->omissions.all = true;
	const struct omission_log log = { .diags = &s->diags,
					  .strings = &s->strings,
					  .list = &s->omissions };

	record_append(&s->ctx, &s->cu, (unit_tid)(s->cu.types.nr - 1), &s->w, &log);
	CHECK_EQ(s->w.nr, btf_rec_words(s->w.items));
	return s->w.items;
}

static const uint32_t *base(struct setting *s, uint16_t encoding, uint32_t size)
{
	return record_of(s,
			 (struct cu_type){
				 .kind = BTF_INT, .encoding = encoding, .size = size, .name = 3 });
}

#define CHECK_RECORD(rec, ...)                              \
	CHECK_MEM(rec, ((const uint32_t[]){ __VA_ARGS__ }), \
		  sizeof((const uint32_t[]){ __VA_ARGS__ }))

TEST(base_types_have_their_size_and_sign)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	uint32_t info = btf_info(BTF_INT, 0, false);
	CHECK_RECORD(base(&s, DW_ATE_signed, 4), 3, info, 4, 0x01000020);
	CHECK_RECORD(base(&s, DW_ATE_unsigned, 8), 3, info, 8, 64);
	CHECK_RECORD(base(&s, DW_ATE_signed_char, 1), 3, info, 1, 0x01000008);
	CHECK_RECORD(base(&s, DW_ATE_boolean, 1), 3, info, 1, 0x04000008);
	CHECK_RECORD(base(&s, DW_ATE_unsigned, 16), 3, info, 16, 128);
}

TEST(an_integer_that_btf_lacks_gets_another_name_and_size)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	uint32_t info = btf_info(BTF_INT, 0, false);
	CHECK_RECORD(base(&s, DW_ATE_unsigned, 3), s.ctx.fake_int, info, 4, 32);
	CHECK_RECORD(base(&s, DW_ATE_unsigned, 32), s.ctx.fake_int, info, 4, 32);
	CHECK_RECORD(base(&s, DW_ATE_unsigned, 0), s.ctx.fake_int, info, 4, 32);
}

TEST(floats_are_floats_only_if_asked_for)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	CHECK_RECORD(base(&s, DW_ATE_float, 8), 3, btf_info(BTF_INT, 0, false), 8, 64);
	s.ctx.features = FEATURE_FLOAT;
	CHECK_RECORD(base(&s, DW_ATE_float, 8), 3, btf_info(BTF_FLOAT, 0, false), 8);
	CHECK_RECORD(base(&s, DW_ATE_float, 16), 3, btf_info(BTF_FLOAT, 0, false), 16);
	CHECK(!s.diags.first);
	base(&s, DW_ATE_float, 1);
	CHECK_EQ(btf_info_kind(s.w.items[BTF_REC_INFO]), BTF_INT);
	CHECK(s.diags.first && s.diags.first->level == DIAG_WARNING);
}

static void add_member(struct setting *s, uint32_t name, uint32_t offset, uint8_t bits,
		       uint8_t flags)
{
	vec_push(&s->cu.members, ((struct cu_member){ .name = name,
						      .type = 1,
						      .offset = offset,
						      .bits = bits,
						      .flags = flags }));
}

TEST(members_have_bit_offsets_and_bit_fields_change_the_record)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	add_member(&s, 4, 0, 0, 0);
	add_member(&s, 5, 32, 0, 0);
	add_member(&s, 6, 64, 3, 0);
	CHECK_RECORD(record_of(&s, (struct cu_type){ .kind = BTF_STRUCT, .size = 8, .nr = 2 }), 0,
		     btf_info(BTF_STRUCT, 2, false), 8, 4, 1, 0, 5, 1, 32);
	CHECK_RECORD(record_of(&s,
			       (struct cu_type){
				       .kind = BTF_STRUCT, .size = 12, .first = 1, .nr = 2 }),
		     0, btf_info(BTF_STRUCT, 2, true), 12, 5, 1, 32, 6, 1, 3u << 24 | 64);
	CHECK(!s.diags.first);
}

TEST(what_a_class_inherits_is_no_member)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	add_member(&s, 0, 0, 0, CU_MEMBER_INHERITANCE);
	add_member(&s, 5, 32, 0, 0);
	CHECK_RECORD(record_of(&s, (struct cu_type){ .kind = BTF_STRUCT, .size = 8, .nr = 2 }), 0,
		     btf_info(BTF_STRUCT, 1, false), 8, 5, 1, 32);
}

TEST(members_that_btf_cannot_place_are_left_out_with_a_note)
{
	static const struct {
		uint8_t kind;
		uint32_t offset;
		uint8_t flags;
		enum omission_rule rule;
	} cases[] = { { BTF_UNION, 32, 0, OMIT_MEMBER_OF_UNION },
		      { BTF_STRUCT, 3, 0, OMIT_MEMBER_INSIDE_BYTE },
		      { BTF_STRUCT, UINT32_MAX, CU_MEMBER_FAR, OMIT_MEMBER_BEYOND_512M } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s, 0);
		add_member(&s, 4, cases[i].offset, 0, cases[i].flags);
		record_of(&s, (struct cu_type){ .kind = cases[i].kind, .size = 8, .nr = 1 });
		CHECK_EQ(btf_info_vlen(s.w.items[BTF_REC_INFO]), 0);
		CHECK(s.diags.first && s.diags.first->level == DIAG_WARNING);
		CHECK_EQ(s.omissions.nr, 1);
		CHECK_EQ(s.omissions.items[0].rule, cases[i].rule);
		CHECK_EQ(s.omissions.items[0].part, 4);
	}
}

TEST(behind_2_MiB_only_bit_fields_take_the_place_of_offsets)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	add_member(&s, 4, 0, 3, 0);
	add_member(&s, 5, 1 << 24, 0, 0);
	record_of(&s, (struct cu_type){ .kind = BTF_STRUCT, .size = 1 << 22, .nr = 2 });
	CHECK_EQ(btf_info_vlen(s.w.items[BTF_REC_INFO]), 1);
	CHECK_EQ(s.omissions.nr, 1);
	CHECK_EQ(s.omissions.items[0].rule, OMIT_MEMBER_BEYOND_2M);
	CHECK_EQ(s.omissions.items[0].number, 1 << 24);
}

TEST(what_becomes_of_an_odd_base_type_or_value_is_told)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_FLOAT | FEATURE_ENUM64);
	base(&s, DW_ATE_float, 10);
	base(&s, DW_ATE_signed, 32);
	vec_push(&s.cu.enumerators, ((struct cu_enumerator){ 5, INT64_C(0x100000002) }));
	record_of(&s, (struct cu_type){ .kind = BTF_ENUM, .name = 4, .size = 4, .nr = 1 });
	/* a float of 10 bytes is an integer, which there is none of either */
	CHECK_EQ(s.omissions.nr, 4);
	CHECK_EQ(s.omissions.items[0].rule, OMIT_TYPE_FLOAT_SIZE);
	CHECK_EQ(s.omissions.items[1].rule, OMIT_TYPE_INT_SIZE);
	CHECK_EQ(s.omissions.items[2].rule, OMIT_TYPE_INT_SIZE);
	CHECK_EQ(s.omissions.items[2].number, 32);
	CHECK_EQ(s.omissions.items[3].rule, OMIT_TYPE_ENUM_VALUE);
	CHECK_EQ(s.omissions.items[3].part, 5);
}

TEST(a_declaration_is_a_fwd_that_tells_structs_from_unions)
{
	CLEANUP(setting_release) struct setting s;
	struct cu_type t = { .kind = BTF_STRUCT, .flags = CU_TYPE_FWD, .name = 4 };

	setting_init(&s, 0);
	CHECK_RECORD(record_of(&s, t), 4, btf_info(BTF_FWD, 0, false), 0);
	t.kind = BTF_UNION;
	CHECK_RECORD(record_of(&s, t), 4, btf_info(BTF_FWD, 0, true), 0);
}

TEST(enums_have_32_or_64_bits_and_a_sign)
{
	CLEANUP(setting_release) struct setting s;
	struct cu_type t = { .kind = BTF_ENUM, .name = 4, .size = 4, .nr = 2 };

	setting_init(&s, FEATURE_ENUM64);
	vec_push(&s.cu.enumerators, ((struct cu_enumerator){ 5, -1 }));
	vec_push(&s.cu.enumerators, ((struct cu_enumerator){ 6, 7 }));
	vec_push(&s.cu.enumerators, ((struct cu_enumerator){ 7, INT64_C(0x100000002) }));
	CHECK_RECORD(record_of(&s, t), 4, btf_info(BTF_ENUM, 2, true), 4, 5, 0xffffffff, 6, 7);
	t.first = 1;
	t.size = 8;
	CHECK_RECORD(record_of(&s, t), 4, btf_info(BTF_ENUM64, 2, false), 8, 6, 7, 0, 7, 2, 1);
	s.ctx.features = 0;
	CHECK_RECORD(record_of(&s, t), 4, btf_info(BTF_ENUM, 2, false), 8, 6, 7, 7, 2);
}

TEST(arrays_are_counted_by_the_index_type_of_the_program)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	CHECK_RECORD(record_of(&s, (struct cu_type){ .kind = BTF_ARRAY, .ref = 1, .size = 9 }), 0,
		     btf_info(BTF_ARRAY, 0, false), 0, 1, POOL_REF_INDEX, 9);
}

TEST(three_dots_are_a_parameter_without_name_and_type)
{
	CLEANUP(setting_release) struct setting s;
	struct cu_type t = { .kind = BTF_FUNC_PROTO, .ref = 1, .nr = 1, .flags = CU_TYPE_VARARG };

	setting_init(&s, 0);
	add_member(&s, 4, 0, 0, 0);
	CHECK_RECORD(record_of(&s, t), 0, btf_info(BTF_FUNC_PROTO, 2, false), 1, 4, 1, 0, 0);
}

TEST(a_typedef_without_a_name_is_a_const)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	CHECK_RECORD(record_of(&s, (struct cu_type){ .kind = BTF_TYPEDEF, .name = 4, .ref = 1 }), 4,
		     btf_info(BTF_TYPEDEF, 0, false), 1);
	CHECK_RECORD(record_of(&s, (struct cu_type){ .kind = BTF_TYPEDEF, .ref = 1 }), 0,
		     btf_info(BTF_CONST, 0, false), 1);
}
