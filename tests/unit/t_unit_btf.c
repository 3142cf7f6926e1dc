/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_btf.c - a unit of DWARF goes into the pools and becomes a unit contribution */
#include "encoder/unit/unit_from_cu.h"

#include "tests/lib/unitscene.h"

/* The target of record @t. */
static uint32_t ref_of(const struct unit_scene *s, unit_tid t)
{
	return unit_scene_pooled(s, s->btf.types.items[t])[BTF_REC_SIZE_TYPE];
}

static uint64_t place_of(const struct unit_scene *s, unit_tid t)
{
	return pool_type_place(type_pool_at(&s->types, s->btf.types.items[t]));
}

TEST_WITH_INIT(a_type_may_refer_to_what_comes_later, unit_scene, s)
{
	unit_scene_types(s, "ptr 2; const 3; int");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_EQ(ref_of(s, 1), s->btf.types.items[2]);
	CHECK_EQ(ref_of(s, 2), s->btf.types.items[3]);
	CHECK_EQ(s->btf.first_int, 3);
	CHECK(!s->btf.irregular);
}

TEST_WITH_INIT(a_struct_is_referred_to_by_name, unit_scene, s)
{
	unit_scene_types(s, "ptr 2; struct list 8 {next 1}");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_EQ(ref_of(s, 1), pool_ref_named(POOL_STRUCT, unit_scene_name(s, "list")));
	CHECK_EQ(unit_scene_pooled(s, s->btf.types.items[2])[BTF_REC_WORDS + 1],
		 s->btf.types.items[1]);
}

TEST_WITH_INIT(equal_types_of_two_units_are_one_whose_place_is_in_the_first, unit_scene, s)
{
	unit_scene_types(s, "ptr 2; int");
	CHECK_OK(unit_scene_encode(s, 7));
	uint32_t ptr = s->btf.types.items[1];
	CHECK_OK(unit_scene_encode(s, 3));
	CHECK_EQ(s->btf.types.items[1], ptr);
	CHECK_EQ(pool_place_unit(place_of(s, 1)), 3);
	CHECK_EQ(pool_place_index(place_of(s, 1)), 1);
}

/* The volatile leads to the second pointer before it is the turn of the first one. */
TEST_WITH_INIT(of_two_equal_types_the_one_that_the_walk_finishes_first_stays, unit_scene, s)
{
	unit_scene_types(s, "volatile 3; ptr 4; ptr 4; int");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_EQ(s->btf.types.items[2], s->btf.types.items[3]);
	CHECK_EQ(pool_place_index(place_of(s, 3)), 3);
}

TEST_WITH_INIT(a_cycle_without_a_name_is_irregular, unit_scene, s)
{
	unit_scene_types(s, "ptr 2; const 1");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK(s->btf.irregular);
	CHECK(s->btf.types.items[1] && s->btf.types.items[2]);
}

static str_place place_of_name(struct unit_scene *s, const char *name)
{
	const struct str_entry *e = str_pool_at(&s->strings, unit_scene_name(s, name));

	CHECK(str_entry_is_used(e));
	return ~atomic_load(&e->inv_first_use);
}

/* The pool has a placeholder for one of them, but the result has its names. */
TEST_WITH_INIT(names_in_a_cycle_without_a_name_are_used, unit_scene, s)
{
	unit_scene_types(s, "ptr 2; struct 16 {first 1, second 5}; ptr 4; typedef t 3; int");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK(s->btf.irregular);
	CHECK(place_of_name(s, "first") < place_of_name(s, "second"));
	CHECK(place_of_name(s, "second") < place_of_name(s, "t"));
	CHECK(place_of_name(s, "t") < place_of_name(s, "int"));
}

TEST_WITH_INIT(a_name_with_two_structs_is_multiply_defined, unit_scene, s)
{
	unit_scene_types(s, "struct s 0; struct s 1; enum s 4");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_EQ(s->btf.multiply_defined.nr, 1);
	CHECK_EQ(s->btf.multiply_defined.items[0],
		 pool_ref_named(POOL_STRUCT, unit_scene_name(s, "s")));
}

TEST_WITH_INIT(a_chain_of_any_length_needs_no_stack, unit_scene, s)
{
	enum { LONG = 200000 };

	for (uint32_t i = 1; i < LONG; i++)
		vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_PTR, .ref = i + 1 }));
	unit_scene_types(s, "int");
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_EQ(ref_of(s, 1), s->btf.types.items[2]);
	CHECK(!s->btf.irregular);
}

TEST_WITH_INIT(functions_without_a_symbol_are_left_out, unit_scene, s)
{
	unit_scene_types(s, "int");
	vec_push(&s->cu.funcs, ((struct cu_func){ .name = 0 }));
	vec_push(&s->cu.funcs,
		 ((struct cu_func){ .name = unit_scene_name(s, "f"), .ret = 1, .addr = 0x40 }));
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_STR(unit_funcs_text(s), "int f() @0x40");
	CHECK_EQ(unit_scene_pooled(s, s->btf.funcs.items[0].proto)[BTF_REC_SIZE_TYPE],
		 s->btf.types.items[1]);
}

static void add_var(struct unit_scene *s, const char *name, unit_tid type, uint64_t addr)
{
	vec_push(&s->cu.vars,
		 ((struct cu_var){ .name = unit_scene_name(s, name), .type = type, .addr = addr }));
}

TEST_WITH_INIT(variables_outside_of_a_section_are_left_out, unit_scene, s)
{
	unit_scene_types(s, "int");
	add_var(s, "before", 1, DATA_ADDR - 1);
	add_var(s, "inside", 1, DATA_ADDR + 0x10);
	add_var(s, "behind", 1, DATA_ADDR + DATA_SIZE);
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_STR(unit_vars_text(s), "inside: type 1, 4 bytes at 1+0x10 static");
}

TEST(a_variable_with_a_name_that_btf_refuses_is_an_error_unless_forced)
{
	for (int force = 0; force < 2; force++) {
		CLEANUP(unit_scene_release) struct unit_scene s;

		unit_scene_init(&s);
		s.opts.features |= force ? FEATURE_ENCODE_FORCE : 0;
		unit_scene_types(&s, "int");
		add_var(&s, "a-b", 1, DATA_ADDR + 0x10);
		if (force)
			CHECK_OK(unit_scene_encode(&s, 0));
		else
			CHECK_ERR(unit_scene_encode(&s, 0), ERR_UNSUPPORTED);
		CHECK_EQ(s.btf.vars.nr, 0);
	}
}

TEST_WITH_INIT(a_variable_without_a_type_is_left_out_and_no_other, unit_scene, s)
{
	unit_scene_types(s, "int");
	add_var(s, "void", 0, DATA_ADDR + 0x10);
	add_var(s, "v", 1, DATA_ADDR + 0x20);
	CHECK_OK(unit_scene_encode(s, 0));
	CHECK_STR(unit_vars_text(s), "v: type 1, 4 bytes at 1+0x20 static");
	CHECK_EQ(s->btf.diags.first->level, DIAG_WARNING);
}

TEST_WITH_INIT(the_raw_unit_has_the_same_records_with_its_own_numbers, unit_scene, s)
{
	struct raw_unit x = { 0 };

	unit_scene_types(s, "ptr 2; struct s 0");
	CHECK_OK(unit_scene_encode(s, 0));
	raw_unit_from_cu(s->encoder, &s->cu, &x);
	CHECK_EQ(x.start.nr, s->btf.types.nr);
	CHECK_EQ(x.words.items[x.start.items[1] + BTF_REC_SIZE_TYPE], 2);
	CHECK_EQ(x.start.items[s->btf.index_tid], 0);
	raw_unit_release(&x);
}
