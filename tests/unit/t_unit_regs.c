/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_regs.c - what a function takes, by the registers in which its parameters arrive */
#include "encoder/unit/unit_from_cu.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <elf.h>

/* Of x86-64, by argument. */
enum { RDI = 5, RSI = 4, RDX = 1, R8 = 8 };

struct setting {
	struct str_pool strings;
	struct type_pool types;
	struct encode_opts opts;
	struct run run;
	struct unit_encoder *encoder;
	struct cu cu;
	struct unit_btf btf;
	unit_tid number, pair, bulky; /* types: long, and structs of two and of four of them */
};

static uint32_t name(struct setting *s, const char *text)
{
	return str_pool_add(&s->strings, text, strlen(text));
}

static unit_tid add_struct(struct setting *s, const char *called, uint32_t members)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	uint32_t first = (uint32_t)s->cu.members.nr;

	for (uint32_t i = 0; i < members; i++)
		vec_push(&s->cu.members,
			 ((struct cu_member){
				 .name = name(s, names[i]), .type = s->number, .offset = i * 64 }));
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_STRUCT,
						  .name = name(s, called),
						  .size = members * 8,
						  .first = first,
						  .nr = members }));
	return (unit_tid)(s->cu.types.nr - 1);
}

/* A unit of clang with one function "f", which is said to be changed. */
static void setting_init(struct setting *s, uint32_t features)
{
	static uint32_t func_by_name[] = { 0, 1 };

	*s = (struct setting){ .opts = { .features = features, .jobs = 1 }, .number = 1 };
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->cu = (struct cu){ .addr_size = 8, .clang = true };
	vec_push(&s->cu.funcs,
		 ((struct cu_func){ .name = name(s, "f"), .flags = CU_FUNC_CHANGED }));
	s->run = (struct run){
		.opts = &s->opts,
		.strings = &s->strings,
		.types = &s->types,
		.func_by_name = func_by_name,
		.func_names_end = ARRAY_SIZE(func_by_name),
		.regs = regs_for_machine(EM_X86_64),
		.record = { features, &s->strings, name(s, "FAKE") },
		.int_name = name(s, "int"),
	};
	s->encoder = unit_encoder_new(&s->run);
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
	vec_push(&s->cu.types,
		 ((struct cu_type){
			 .kind = BTF_INT, .size = 8, .encoding = 5, .name = name(s, "long") }));
	s->pair = add_struct(s, "pair", 2);
	s->bulky = add_struct(s, "bulky", 4);
}

static void setting_release(struct setting *s)
{
	unit_btf_release(&s->btf);
	unit_encoder_free(s->encoder);
	cu_release(&s->cu);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

static struct cu_param *add(struct setting *s, const char *called, unit_tid type, int reg)
{
	uint32_t bytes = s->cu.types.items[type].size;
	int32_t at = (int32_t)s->cu.params.nr;

	vec_push(&s->cu.params, ((struct cu_param){
					.name = name(s, called),
					.type = type,
					.flags = bytes > 16 ? CU_PARAM_IN_MEMORY : 0,
					.reg = (int8_t)reg,
					.bytes = (uint16_t)bytes,
				}));
	s->cu.funcs.items[0].nr_params++;
	return &s->cu.params.items[at];
}

static void arrives(struct setting *s, const char *called, unit_tid type, int reg)
{
	add(s, called, type, reg)->flags |= CU_PARAM_HAS_LOC;
}

static void arrives_so(struct setting *s, const char *called, uint8_t flag)
{
	add(s, called, s->number, CU_NO_REG)->flags |= CU_PARAM_HAS_LOC | flag;
}

static void gone(struct setting *s, const char *called, unit_tid type)
{
	add(s, called, type, CU_NO_REG);
}

/* Of a pair arrive what @first and @later mean; @member is the only one, from 1 on. */
static void part_arrives(struct setting *s, const char *called, uint8_t first, uint64_t later,
			 uint32_t member, int reg)
{
	struct cu_param *p = add(s, called, s->pair, reg);

	p->flags |= CU_PARAM_HAS_LOC;
	p->first_fields = first;
	p->later_fields = later;
	p->member = member;
}

/* "name:type ..." as the function is described; types by their first letter. */
static const char *described(struct setting *s)
{
	static char text[200];
	size_t len = 0;

	unit_btf_release(&s->btf);
	CHECK_OK(unit_from_cu(s->encoder, &s->cu, 0, &s->btf));
	CHECK_EQ(s->btf.funcs.nr, 1);

	const uint32_t *rec = type_pool_at(&s->types, s->btf.funcs.items[0].proto)->rec;
	text[0] = '\0';
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++) {
		const uint32_t *elem = rec + BTF_REC_WORDS + 2 * (size_t)i;
		uint32_t type = pool_ref_is_named(elem[1]) ?
					pool_ref_name(elem[1]) :
					type_pool_at(&s->types, elem[1])->rec[BTF_REC_NAME];

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s:%c", i ? " " : "",
					str_pool_text(&s->strings, elem[0]),
					*str_pool_text(&s->strings, type));
	}
	return text;
}

static uint32_t flags_of(const struct setting *s)
{
	return s->btf.funcs.items[0].flags;
}

TEST(what_is_not_passed_is_not_described)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	gone(&s, "unused", s.number);
	arrives_so(&s, "constant", CU_PARAM_LITERAL);
	arrives(&s, "x", s.number, RDI);
	arrives(&s, "y", s.number, RSI);
	CHECK_STR(described(&s), "x:l y:l");
	CHECK_EQ(flags_of(&s), UNIT_FUNC_CHANGED | UNIT_FUNC_OPTIMIZED);
}

static void tag_param(struct setting *s, const char *value, int32_t component)
{
	vec_push(&s->cu.tags,
		 ((struct cu_tag){
			 .value = name(s, value), .owner = CU_TAG_FUNC, .component = component }));
}

/* A kernel refuses the tag of a parameter that the prototype does not have. */
TEST(tags_follow_the_parameters_that_are_left)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	gone(&s, "unused", s.number);
	arrives(&s, "x", s.number, RDI);
	arrives_so(&s, "constant", CU_PARAM_LITERAL);
	arrives(&s, "y", s.number, RSI);
	tag_param(&s, "of the function", -1);
	for (int32_t i = 0; i < 4; i++)
		tag_param(&s, "of a parameter", i);
	CHECK_STR(described(&s), "x:l y:l");
	CHECK_EQ(s.btf.funcs.items[0].nr_tags, 3);

	const struct unit_tag *tags = s.btf.func_tags.items + s.btf.funcs.items[0].tags;
	for (int32_t i = 0; i < 3; i++)
		CHECK_EQ(tags[i].component, i - 1);
}

TEST(without_the_feature_all_is_as_in_the_source)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	gone(&s, "unused", s.number);
	part_arrives(&s, "s", 1, 0, 1, RSI);
	arrives(&s, "x", s.number, 2);
	CHECK_STR(described(&s), "unused:l s:p x:l");
	CHECK_EQ(flags_of(&s), UNIT_FUNC_CHANGED | UNIT_FUNC_OPTIMIZED);
}

TEST(a_gap_before_the_next_register_is_a_parameter_that_nobody_reads)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	gone(&s, "unread", s.pair);
	arrives(&s, "x", s.number, RDX);
	CHECK_STR(described(&s), "unread:p x:l");
	CHECK(!(flags_of(&s) & UNIT_FUNC_UNEXPECTED));
}

TEST(one_member_takes_the_place_of_its_struct)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	part_arrives(&s, "s", 0, 1, 2, RDI);
	arrives(&s, "x", s.number, RSI);
	CHECK_STR(described(&s), "s__b:l x:l");
	CHECK_EQ(flags_of(&s), UNIT_FUNC_CHANGED);
}

TEST(a_struct_stays_if_both_halves_or_the_next_parameter_say_so)
{
	CLEANUP(setting_release) struct setting both, next, unknown;

	setting_init(&both, FEATURE_TRUE_SIGNATURE);
	part_arrives(&both, "s", 1, 1, 0, RDI);
	arrives(&both, "x", both.number, RDX);
	CHECK_STR(described(&both), "s:p x:l");
	CHECK_EQ(flags_of(&both), UNIT_FUNC_CHANGED);

	setting_init(&next, FEATURE_TRUE_SIGNATURE);
	part_arrives(&next, "s", 1, 0, 1, RDI);
	arrives(&next, "x", next.number, RDX);
	CHECK_STR(described(&next), "s:p x:l");

	setting_init(&unknown, FEATURE_TRUE_SIGNATURE);
	part_arrives(&unknown, "s", 2, 0, 0, RDI);
	arrives(&unknown, "x", unknown.number, RSI);
	CHECK_STR(described(&unknown), "s:p x:l");
}

/* As pahole has it: the name tells of the member, the type does not. */
TEST(a_member_in_the_wrong_register_gives_its_name_only)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	part_arrives(&s, "s", 1, 0, 1, R8);
	CHECK_STR(described(&s), "s__a:p");
	CHECK(!(flags_of(&s) & UNIT_FUNC_UNEXPECTED)); /* a struct is among the parameters */
}

TEST(a_wrong_register_or_none_is_unexpected)
{
	CLEANUP(setting_release) struct setting wrong, none, stack;

	setting_init(&wrong, FEATURE_TRUE_SIGNATURE);
	arrives(&wrong, "x", wrong.number, RSI);
	CHECK_STR(described(&wrong), "x:l");
	CHECK(flags_of(&wrong) & UNIT_FUNC_UNEXPECTED);

	setting_init(&none, FEATURE_TRUE_SIGNATURE);
	arrives_so(&none, "x", 0);
	CHECK_STR(described(&none), "x:l");
	CHECK(flags_of(&none) & UNIT_FUNC_UNEXPECTED);

	setting_init(&stack, FEATURE_TRUE_SIGNATURE);
	arrives_so(&stack, "x", CU_PARAM_STACK);
	CHECK_STR(described(&stack), "x:l");
	CHECK(flags_of(&stack) & UNIT_FUNC_UNEXPECTED);
}

TEST(what_lies_in_memory_takes_no_register)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	add(&s, "s", s.bulky, CU_NO_REG)->flags |= CU_PARAM_HAS_LOC | CU_PARAM_STACK;
	arrives(&s, "x", s.number, RDI);
	CHECK_STR(described(&s), "s:b x:l");
	CHECK_EQ(flags_of(&s), UNIT_FUNC_CHANGED);
}

TEST(behind_the_last_register_nothing_is_known)
{
	static const int regs[] = { 5, 4, 1, 2, 8, 9 };
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		arrives(&s, "r", s.number, regs[i]);
	arrives_so(&s, "onstack", CU_PARAM_STACK);
	arrives_so(&s, "constant", CU_PARAM_LITERAL);
	CHECK_STR(described(&s), "r:l r:l r:l r:l r:l r:l onstack:l");
	CHECK_EQ(flags_of(&s), UNIT_FUNC_CHANGED | UNIT_FUNC_OPTIMIZED);
}
