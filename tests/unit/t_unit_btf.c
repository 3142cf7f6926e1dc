/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_btf.c - a unit goes into the pools and becomes a unit contribution */
#include "encoder/unit/unit_from_cu.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <elf.h>

struct setting {
	struct str_pool strings;
	struct type_pool types;
	struct encode_opts opts;
	struct object obj;
	struct symbols syms;
	uint32_t func_by_name[2];
	struct run run;
	struct unit_encoder *encoder;
	struct cu cu;
	struct unit_btf btf;
};

/* One function "f", one section .data at 0x1000. */
static void setting_init(struct setting *s)
{
	static struct func_entry funcs[] = { { .name = "f", .name_len = 1 } };
	static struct object_section sections[] = { { .name = "" },
						    { .name = ".data",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .debug_addr = 0x1000,
						      .size = 0x100 } };
	static const bool var_sections[] = { false, true };
	static uint32_t starts[4];

	*s = (struct setting){ .opts = { .features = FEATURE_FLOAT | FEATURE_ENUM64 | FEATURE_VAR,
					 .jobs = 1 } };
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->obj = (struct object){ .addr_size = 8, .sections = sections, .nr_sections = 2 };
	s->syms = (struct symbols){
		.funcs = funcs, .nr_funcs = 1, .object_start = starts, .nr_sections = 2
	};
	s->func_by_name[str_pool_add(&s->strings, "f", 1)] = 1;
	s->run = (struct run){
		.opts = &s->opts,
		.strings = &s->strings,
		.types = &s->types,
		.obj = &s->obj,
		.syms = &s->syms,
		.func_by_name = s->func_by_name,
		.func_names_end = ARRAY_SIZE(s->func_by_name),
		.regs = regs_for_machine(EM_X86_64),
		.record = { s->opts.features, &s->strings, str_pool_add(&s->strings, "FAKE", 4) },
		.var_sections = var_sections,
	};
	s->run.int_name = str_pool_add(&s->strings, "int", 3);
	s->encoder = unit_encoder_new(&s->run);
	s->cu = (struct cu){ .addr_size = 8 };
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
}

static void setting_release(struct setting *s)
{
	unit_btf_release(&s->btf);
	unit_encoder_free(s->encoder);
	cu_release(&s->cu);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

static uint32_t name(struct setting *s, const char *text)
{
	return str_pool_add(&s->strings, text, strlen(text));
}

static unit_tid add(struct setting *s, struct cu_type t)
{
	vec_push(&s->cu.types, t);
	return (unit_tid)(s->cu.types.nr - 1);
}

static unit_tid add_int(struct setting *s)
{
	return add(s, (struct cu_type){
			      .kind = BTF_INT, .size = 4, .encoding = 5, .name = name(s, "int") });
}

static void make(struct setting *s, uint32_t unit)
{
	unit_btf_release(&s->btf);
	CHECK_OK(unit_from_cu(s->encoder, &s->cu, unit, &s->btf));
}

static const uint32_t *record(const struct setting *s, unit_tid t)
{
	return type_pool_at(&s->types, s->btf.types.items[t])->rec;
}

TEST_WITH_INIT(a_type_may_refer_to_what_comes_later, setting, s)
{
	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 2 });
	add(s, (struct cu_type){ .kind = BTF_CONST, .ref = 3 });
	unit_tid number = add_int(s);
	make(s, 0);
	CHECK_EQ(record(s, 1)[BTF_REC_SIZE_TYPE], s->btf.types.items[2]);
	CHECK_EQ(record(s, 2)[BTF_REC_SIZE_TYPE], s->btf.types.items[number]);
	CHECK_EQ(s->btf.first_int, number);
	CHECK(!s->btf.irregular);
}

TEST_WITH_INIT(a_struct_is_referred_to_by_name, setting, s)
{
	unit_tid ptr = add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 2 });
	vec_push(&s->cu.members, ((struct cu_member){ .name = name(s, "next"), .type = ptr }));
	add(s, (struct cu_type){ .kind = BTF_STRUCT, .name = name(s, "list"), .size = 8, .nr = 1 });
	make(s, 0);
	CHECK_EQ(record(s, ptr)[BTF_REC_SIZE_TYPE], pool_ref_named(POOL_STRUCT, name(s, "list")));
	CHECK_EQ(record(s, 2)[BTF_REC_WORDS + 1], s->btf.types.items[ptr]);
}

TEST_WITH_INIT(two_units_that_say_the_same_share_it_and_the_first_has_its_place, setting, s)
{
	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 2 });
	add_int(s);
	make(s, 7);
	uint32_t ptr = s->btf.types.items[1];
	make(s, 3);
	CHECK_EQ(s->btf.types.items[1], ptr);
	CHECK_EQ(pool_place_unit(pool_type_place(type_pool_at(&s->types, ptr))), 3);
	CHECK_EQ(pool_place_index(pool_type_place(type_pool_at(&s->types, ptr))), 1);
}

/* volatile leads to the pointer behind it before it is the other one's turn */
TEST_WITH_INIT(of_two_that_are_equal_the_one_that_the_walk_finishes_first_stays, setting, s)
{
	add(s, (struct cu_type){ .kind = BTF_VOLATILE, .ref = 3 });
	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 4 });
	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 4 });
	add_int(s);
	make(s, 0);
	CHECK_EQ(s->btf.types.items[2], s->btf.types.items[3]);
	CHECK_EQ(pool_place_index(pool_type_place(type_pool_at(&s->types, s->btf.types.items[3]))),
		 3);
}

TEST_WITH_INIT(a_circle_without_a_name_is_odd, setting, s)
{
	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 2 });
	add(s, (struct cu_type){ .kind = BTF_CONST, .ref = 1 });
	make(s, 0);
	CHECK(s->btf.irregular);
	CHECK(s->btf.types.items[1] && s->btf.types.items[2]);
}

TEST_WITH_INIT(a_name_with_two_owners_is_crowded, setting, s)
{
	for (uint32_t size = 0; size < 2; size++)
		add(s, (struct cu_type){ .kind = BTF_STRUCT, .name = name(s, "s"), .size = size });
	add(s, (struct cu_type){ .kind = BTF_ENUM, .name = name(s, "s"), .size = 4 });
	make(s, 0);
	CHECK_EQ(s->btf.multiply_defined.nr, 1);
	CHECK_EQ(s->btf.multiply_defined.items[0], pool_ref_named(POOL_STRUCT, name(s, "s")));
}

TEST_WITH_INIT(a_chain_of_any_length_needs_no_stack, setting, s)
{
	enum { LONG = 200000 };

	for (uint32_t i = 1; i < LONG; i++)
		add(s, (struct cu_type){ .kind = BTF_PTR, .ref = i + 1 });
	add_int(s);
	make(s, 0);
	CHECK_EQ(record(s, 1)[BTF_REC_SIZE_TYPE], s->btf.types.items[2]);
	CHECK(!s->btf.irregular);
}

TEST_WITH_INIT(functions_that_no_symbol_names_are_not_remembered, setting, s)
{
	unit_tid number = add_int(s);
	vec_push(&s->cu.funcs, ((struct cu_func){ .name = 0 }));
	vec_push(&s->cu.funcs, ((struct cu_func){ .name = 1, .ret = number, .addr = 0x40 }));
	make(s, 0);
	CHECK_EQ(s->btf.funcs.nr, 1);
	CHECK_EQ(s->btf.funcs.items[0].addr, 0x40);
	CHECK_EQ(s->btf.funcs.items[0].ordinal, 1);
	CHECK_EQ(type_pool_at(&s->types, s->btf.funcs.items[0].proto)->rec[BTF_REC_SIZE_TYPE],
		 s->btf.types.items[number]);
}

TEST(variables_are_those_inside_of_a_section)
{
	CLEANUP(setting_release) struct setting s;
	static const uint64_t addrs[] = { 0xfff, 0x1010, 0x1100 }; /* it ends before 0x1100 */

	setting_init(&s);
	unit_tid number = add_int(&s);
	for (size_t i = 0; i < ARRAY_SIZE(addrs); i++)
		vec_push(&s.cu.vars,
			 ((struct cu_var){
				 .name = name(&s, "v"), .type = number, .addr = addrs[i] }));
	make(&s, 0);
	CHECK_EQ(s.btf.vars.nr, 1);
	CHECK_EQ(s.btf.vars.items[0].offset, 0x10);
	CHECK_EQ(s.btf.vars.items[0].section, 1);
	CHECK_EQ(s.btf.vars.items[0].size, 4);
}

TEST(a_variable_with_a_name_that_btf_refuses_is_an_error_unless_forced)
{
	for (int force = 0; force < 2; force++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		if (force)
			s.opts.features |= FEATURE_ENCODE_FORCE;
		unit_tid number = add_int(&s);
		vec_push(&s.cu.vars,
			 ((struct cu_var){
				 .name = name(&s, "a-b"), .type = number, .addr = 0x1010 }));
		if (force)
			CHECK_OK(unit_from_cu(s.encoder, &s.cu, 0, &s.btf));
		else
			CHECK_ERR(unit_from_cu(s.encoder, &s.cu, 0, &s.btf), ERR_UNSUPPORTED);
		CHECK_EQ(s.btf.vars.nr, 0);
	}
}

TEST_WITH_INIT(a_variable_without_a_type_is_left_out_and_no_other, setting, s)
{
	unit_tid number = add_int(s);
	vec_push(&s->cu.vars, ((struct cu_var){ .name = name(s, "void"), .addr = 0x1010 }));
	vec_push(&s->cu.vars,
		 ((struct cu_var){ .name = name(s, "v"), .type = number, .addr = 0x1020 }));
	make(s, 0);
	CHECK_EQ(s->btf.vars.nr, 1);
	CHECK_EQ(s->btf.vars.items[0].offset, 0x20);
	CHECK_EQ(s->btf.diags.first->level, DIAG_WARNING);
}

TEST_WITH_INIT(the_exact_unit_has_the_same_records_with_its_own_numbers, setting, s)
{
	struct raw_unit x = { 0 };

	add(s, (struct cu_type){ .kind = BTF_PTR, .ref = 2 });
	add(s, (struct cu_type){ .kind = BTF_STRUCT, .name = name(s, "s"), .size = 0 });
	make(s, 0);
	CHECK_OK(raw_unit_from_cu(s->encoder, &s->cu, &x));
	CHECK_EQ(x.start.nr, s->btf.types.nr);
	CHECK_EQ(x.words.items[x.start.items[1] + BTF_REC_SIZE_TYPE], 2);
	CHECK_EQ(x.start.items[s->btf.index_place], 0);
	raw_unit_release(&x);
}
