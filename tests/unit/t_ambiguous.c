/* SPDX-License-Identifier: GPL-2.0-only */
/* t_ambiguous.c - names with several meanings */
#include "base/cleanup.h"
#include "tests/lib/ambiguous_units.h"

TEST(a_name_with_one_definition_means_it_everywhere)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t id = 0;

	setting_init(&s);
	for (int i = 0; i < 3; i++) {
		add_unit(&s);
		id = say_struct(&s, "s", 4);
		say_pointer_to(&s, "s");
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 0);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), id);
}

TEST(a_declaration_elsewhere_means_the_definition)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	add_unit(&s);
	say_fwd(&s, "s");
	say_pointer_to(&s, "s");
	add_unit(&s);
	uint32_t def = say_struct(&s, "s", 4);
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 0);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), def);
}

TEST(a_name_that_is_only_declared_means_the_declaration)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	add_unit(&s);
	uint32_t fwd = say_fwd(&s, "s");
	say_pointer_to(&s, "s");
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 0);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), fwd);
}

TEST(units_with_an_uncommon_definition_need_exact_dedup)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (int i = 0; i < 6; i++) {
		add_unit(&s);
		say_struct(&s, "s", i == 3 ? 8 : 4);
		say_pointer_to(&s, "s");
	}
	run(&s);
	CHECK(s.resolved.units[3].needs_exact);
	CHECK(s.resolved.nr_need_exact >= 1);
}

TEST(a_unit_with_an_uncommon_definition_emits_all_its_records)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t def[2], pointer = 0, other = 0;

	setting_init(&s);
	for (int i = 0; i < 2; i++) {
		add_unit(&s);
		def[i] = say_struct(&s, "s", i ? 8 : 4);
		pointer = say_pointer_to(&s, "s");
		other = say_struct(&s, "other", 4);
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 2);
	for (uint32_t u = 0; u < 2; u++) {
		CHECK(needs_exact(&s, u, def[u]));
		CHECK(needs_exact(&s, u, pointer));
		CHECK(needs_exact(&s, u, other));
	}
	/* so nobody says it for others */
	CHECK_EQ(unit_of(&s, other), UINT32_MAX);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "other"), other);
}

/* Two units define "struct s" differently, the first has a pointer to it, and a third one begins. */
static void begin_with_two_definitions(struct setting *s)
{
	setting_init(s);
	add_unit(s);
	say_struct(s, "s", 4);
	say_pointer_to(s, "s");
	add_unit(s);
	say_struct(s, "s", 8);
	add_unit(s);
}

TEST(a_unit_that_only_declares_a_name_shares_pointers_to_the_declaration)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t pointer, qualified, fwd;

	begin_with_two_definitions(&s);
	fwd = say_fwd(&s, "s");
	pointer = say_pointer_to(&s, "s");
	qualified = SAY(&s, 0, btf_info(BTF_CONST, 0, false), pointer);
	run(&s);
	CHECK(needs_exact(&s, 0, pointer));
	CHECK(!s.resolved.units[2].needs_exact);
	/* the shared one is no longer that of the first unit */
	CHECK_EQ(unit_of(&s, pointer), 2);
	CHECK_EQ(unit_of(&s, qualified), 2);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), fwd);
}

/* struct @text { struct @to *p; } */
static uint32_t say_struct_with_pointer(struct setting *s, const char *text, const char *to)
{
	uint32_t pointer = say_pointer_to(s, to);

	return SAY(s, name(s, text), btf_info(BTF_STRUCT, 1, false), 8, name(s, "p"), pointer, 0);
}

TEST(what_leads_there_elsewhere_needs_exact_dedup_in_all_units_that_have_an_own_definition)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t t = 0;

	setting_init(&s);
	for (uint32_t i = 0; i < 2; i++) {
		add_unit(&s);
		say_struct(&s, "s", i ? 8 : 4);
		/* the second unit cannot tell what "struct v" leads to */
		if (i)
			say_fwd(&s, "v");
		else
			say_struct_with_pointer(&s, "v", "s");
		t = say_struct_with_pointer(&s, "t", "v");
	}
	run(&s);
	CHECK(needs_exact(&s, 0, t));
	CHECK(needs_exact(&s, 1, t));
}

/* Unit 0 has all that leads to its "struct s", and the other definition is of unit 1 alone. */
static void begin_with_one_that_is_led_to(struct setting *s, uint32_t def[2])
{
	setting_init(s);
	add_unit(s);
	def[0] = say_struct(s, "s", 4);
	say_struct_with_pointer(s, "v", "s");
	say_struct_with_pointer(s, "t", "v");
	add_unit(s);
	def[1] = say_struct(s, "s", 8);
}

TEST(a_name_means_the_definition_that_others_lead_to)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t def[2];

	begin_with_one_that_is_led_to(&s, def);
	for (int i = 0; i < 3; i++) {
		add_unit(&s);
		say_fwd(&s, "v");
		say_struct_with_pointer(&s, "t", "v");
	}
	run(&s);
	CHECK(s.resolved.units[1].needs_exact);
	CHECK_EQ(s.resolved.nr_need_exact, 1);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), def[0]);
}

TEST(a_name_with_a_common_definition_that_others_declare_propagates)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t def[2], fwd = 0;

	begin_with_one_that_is_led_to(&s, def);
	for (int i = 0; i < 3; i++) {
		add_unit(&s);
		fwd = say_fwd(&s, "s");
		say_struct_with_pointer(&s, "v", "s");
	}
	run(&s);
	CHECK(s.resolved.units[1].needs_exact);
	for (uint32_t u = 2; u < 5; u++)
		CHECK(needs_exact(&s, u, fwd));
}

TEST(a_declaration_of_another_kind_stays_one)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t def[2], fwd;

	begin_with_one_that_is_led_to(&s, def);
	SAY(&s, name(&s, "s"), btf_info(BTF_UNION, 1, false), 8, name(&s, "x"), say_int(&s), 0);
	for (int i = 0; i < 3; i++) {
		add_unit(&s);
		say_fwd(&s, "v");
		say_struct_with_pointer(&s, "t", "v");
	}
	fwd = SAY(&s, name(&s, "s"), btf_info(BTF_FWD, 0, true), 0);
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 1);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), def[0]);
	CHECK_EQ(meaning(&s, POOL_UNION, "s"), fwd);
}

/* enum h with one value, or none, which is how such are declared */
static uint32_t say_enum(struct setting *s, uint32_t vlen, uint32_t value)
{
	const uint32_t rec[] = { name(s, "h"), btf_info(BTF_ENUM, vlen, false), 4, name(s, "v"),
				 value };

	return say(s, rec, 3 + 2 * vlen);
}

/* it becomes one of the others, and which one the rule has to see */
TEST(an_enum_without_values_is_not_what_others_mean)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (uint32_t i = 0; i < 6; i++) {
		add_unit(&s);
		if (i < 5)
			say_enum(&s, i < 2, i);
		if (i == 5)
			say_fwd(&s, "v");
		else if (i >= 2)
			SAY(&s, name(&s, "v"), btf_info(BTF_STRUCT, 1, false), 4, name(&s, "x"),
			    pool_ref_named(POOL_ENUM, name(&s, "h")), 0);
		if (i >= 2)
			say_struct_with_pointer(&s, "w", "v");
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 6);
}

/* and nothing tells which of the two a declaration means that nothing leads to */
TEST(if_others_lead_to_both_definitions_the_name_propagates)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t def[2];

	begin_with_one_that_is_led_to(&s, def);
	say_struct_with_pointer(&s, "w", "s");
	for (int i = 0; i < 3; i++) {
		add_unit(&s);
		say_fwd(&s, "s");
		say_struct_with_pointer(&s, "v", "s");
		say_struct_with_pointer(&s, "w", "s");
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 5);
}

TEST(copies_of_such_a_pointer_are_shared_too)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t pointer, fwd;

	begin_with_two_definitions(&s);
	fwd = say_fwd(&s, "s");
	pointer = say_pointer_to(&s, "s");
	say_pointer_to(&s, "s");
	run(&s);
	CHECK(!needs_exact(&s, 2, pointer));
	CHECK(!needs_exact(&s, 2, fwd));
	CHECK_EQ(unit_of(&s, pointer), 2);
	CHECK_EQ(unit_of(&s, fwd), 2);
}

/* A unit with several owners of "struct @text"; *@crowded holds that name as long as the unit. */
static void add_unit_with_two_owners(struct setting *s, const char *text, pool_ref *crowded)
{
	struct resolve_unit *u = add_unit(s);

	*crowded = pool_ref_named(POOL_STRUCT, name(s, text));
	u->multiply_defined = crowded;
	u->nr_multiply_defined = 1;
}

/* "struct e" leads to a ambiguous name, though not in the unit that has the pointer first */
TEST(a_pointer_to_what_is_declared_is_not_the_one_of_a_unit_that_needs_exact_dedup)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t pointer, fwd;
	pool_ref crowded;

	setting_init(&s);
	add_unit_with_two_owners(&s, "c", &crowded);
	say_fwd(&s, "c");
	say_struct_with_pointer(&s, "e", "c");
	pointer = say_pointer_to(&s, "e");
	add_unit(&s);
	say_struct(&s, "c", 4);
	say_struct_with_pointer(&s, "e", "c");
	add_unit(&s);
	say_struct(&s, "c", 8);
	add_unit(&s);
	fwd = say_fwd(&s, "e");
	say_pointer_to(&s, "e");
	run(&s);
	CHECK(!needs_exact(&s, 3, pointer));
	CHECK_EQ(unit_of(&s, pointer), 3);
	CHECK_EQ(meaning(&s, POOL_STRUCT, "e"), fwd);
}

TEST(of_a_name_that_one_unit_has_twice_everything_that_leads_to_it_needs_exact_dedup)
{
	CLEANUP(setting_release) struct setting s;
	pool_ref crowded;
	uint32_t fwd, def, pointer;

	setting_init(&s);
	add_unit_with_two_owners(&s, "s", &crowded);
	fwd = say_fwd(&s, "s");
	def = say_struct(&s, "s", 4);
	pointer = say_pointer_to(&s, "s");
	run(&s);
	CHECK(s.resolved.units[0].needs_exact);
	CHECK(needs_exact(&s, 0, def) && needs_exact(&s, 0, pointer));
	/* the unit's own records say which of the two they mean; the pool's, the declaration */
	CHECK_EQ(meaning(&s, POOL_STRUCT, "s"), fwd);
}

TEST(units_that_do_not_meet_an_ambiguous_name_are_not_concerned)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (int i = 0; i < 2; i++) {
		add_unit(&s);
		say_struct(&s, "s", i ? 8 : 4);
	}
	add_unit(&s);
	say_struct(&s, "other", 4);
	run(&s);
	CHECK(s.resolved.units[0].needs_exact || s.resolved.units[1].needs_exact);
	CHECK(!s.resolved.units[2].needs_exact);
}

TEST(a_unit_with_two_owners_of_a_name_needs_exact_dedup)
{
	CLEANUP(setting_release) struct setting s;
	pool_ref crowded;

	setting_init(&s);
	add_unit_with_two_owners(&s, "s", &crowded);
	say_struct(&s, "s", 4);
	say_struct(&s, "s", 8);
	run(&s);
	CHECK(s.resolved.units[0].needs_exact);
}

TEST(an_irregular_unit_needs_exact_dedup_as_a_whole)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	add_unit(&s)->irregular = true;
	say_int(&s);
	add_unit(&s);
	say_int(&s);
	run(&s);
	CHECK(s.resolved.units[0].needs_exact && s.resolved.units[0].all_exact);
	CHECK(!s.resolved.units[1].needs_exact);
	CHECK_EQ(s.resolved.nr_need_exact, 1);
}

TEST(the_place_of_an_index_type_may_be_empty)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (int i = 0; i < 4; i++) {
		struct resolve_unit *u = add_unit(&s);

		say_struct(&s, "s", i == 1 ? 8 : 4);
		s.ids[s.nr - 1][u->nr++] = 0;
		say_pointer_to(&s, "s");
	}
	run(&s);
	CHECK(s.resolved.units[1].needs_exact);
}

/* struct { array x, y; } without a name */
static uint32_t say_two_arrays(struct setting *s, uint32_t x, uint32_t y)
{
	return SAY(s, 0, btf_info(BTF_STRUCT, 2, false), 32, name(s, "x"), x, 0, name(s, "y"), y,
		   128);
}

static uint32_t say_array(struct setting *s, uint32_t of)
{
	return SAY(s, 0, btf_info(BTF_ARRAY, 0, false), 0, of, POOL_REF_INDEX, 4);
}

TEST(of_lookalikes_that_differ_in_their_arrays_each_unit_has_its_own_arrays)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t of_ints, other, two[2], user;

	setting_init(&s);
	add_unit(&s);
	of_ints = say_array(&s, say_int(&s));
	two[0] = say_two_arrays(&s, of_ints, of_ints);
	add_unit(&s);
	other = say_array(&s, SAY(&s, 0, btf_info(BTF_PTR, 0, false), say_int(&s)));
	say_array(&s, say_int(&s));
	two[1] = say_two_arrays(&s, of_ints, other);
	add_unit(&s);
	say_array(&s, say_int(&s));
	user = SAY(&s, name(&s, "u"), btf_info(BTF_STRUCT, 1, false), 16, name(&s, "x"), of_ints,
		   0);
	run(&s);
	for (uint32_t u = 0; u < 2; u++) {
		CHECK(needs_exact(&s, u, two[u]));
		CHECK(needs_exact(&s, u, of_ints));
	}
	CHECK(needs_exact(&s, 1, other));
	CHECK(!needs_exact(&s, 2, of_ints) && !needs_exact(&s, 2, user));
	CHECK_EQ(unit_of(&s, of_ints), 0);
}

TEST(what_leads_to_such_an_array_by_a_name_is_a_units_own_too)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t holder = 0, leads = 0, fwd;

	setting_init(&s);
	for (uint32_t u = 0; u < 2; u++) {
		uint32_t of_ints, other;

		add_unit(&s);
		of_ints = say_array(&s, say_int(&s));
		other = say_array(&s, SAY(&s, 0, btf_info(BTF_PTR, 0, false), say_int(&s)));
		say_two_arrays(&s, of_ints, u ? other : of_ints);
		holder = SAY(&s, name(&s, "h"), btf_info(BTF_STRUCT, 1, false), 16, name(&s, "x"),
			     of_ints, 0);
		leads = say_pointer_to(&s, "h");
	}
	fwd = say_fwd(&s, "h");
	run(&s);
	CHECK(needs_exact(&s, 0, holder) && needs_exact(&s, 1, holder));
	CHECK(needs_exact(&s, 0, leads) && needs_exact(&s, 1, leads));
	CHECK(needs_exact(&s, 1, fwd));
}

TEST(a_declaration_without_a_name_declares_nothing)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (int i = 0; i < 2; i++) {
		uint32_t pointer;

		add_unit(&s);
		say_struct(&s, "s", i ? 8 : 4);
		pointer = say_pointer_to(&s, "s");
		for (int k = 0; k < 10; k++)
			pointer = SAY(&s, 0, btf_info(BTF_PTR, 0, false), pointer);
		/* its pool id is no string's */
		SAY(&s, 0, btf_info(BTF_FWD, 0, false), 0);
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 2);
}

/* No compiler writes this, but a member of an archive may have any records. */
TEST(others_than_arrays_may_refer_to_the_index_type)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	for (int i = 0; i < 2; i++) {
		uint32_t pointer;

		add_unit(&s);
		say_struct(&s, "s", i ? 8 : 4);
		pointer = SAY(&s, 0, btf_info(BTF_PTR, 0, false), POOL_REF_INDEX);
		for (uint32_t k = 0; k < 2; k++)
			SAY(&s, name(&s, "t"), btf_info(BTF_TYPEDEF, 0, false),
			    k ? pointer : POOL_REF_INDEX);
	}
	run(&s);
	CHECK_EQ(s.resolved.nr_need_exact, 2);
}

/* --- over a base -------------------------------------------------------------------------- */

static void run_over_base(struct setting *s, const char *other)
{
	pool_ref names[] = { pool_ref_named(POOL_STRUCT, name(s, other)) };
	const struct pool_ref_list list = { names, ARRAY_SIZE(names), ARRAY_SIZE(names) };

	ambiguous_resolve(&s->types, &s->strings, s->units, s->nr, &list, &s->resolved);
}

TEST(units_that_lead_to_a_name_that_the_base_means_otherwise_need_exact_dedup)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	add_unit(&s);
	say_struct(&s, "s", 4);
	add_unit(&s);
	say_pointer_to(&s, "s");
	say_fwd(&s, "s");
	add_unit(&s);
	uint32_t other = say_struct(&s, "t", 4);
	run_over_base(&s, "s");
	CHECK(s.resolved.units[0].needs_exact);
	CHECK(s.resolved.units[1].needs_exact);
	CHECK(!s.resolved.units[2].needs_exact);
	CHECK(!needs_exact(&s, 2, other));
}

TEST(units_that_say_all_themselves_share_nothing)
{
	for (int over_base = 0; over_base < 2; over_base++) {
		CLEANUP(setting_release) struct setting s;
		uint32_t both, fwd, alone;

		setting_init(&s);
		add_unit(&s);
		say_struct(&s, "s", 4);
		both = say_struct(&s, "both", 8);
		say_struct(&s, "here", 8);
		add_unit(&s);
		say_struct(&s, "s", 8);
		alone = say_struct(&s, "alone", 8);
		add_unit(&s);
		fwd = say_fwd(&s, "here");
		say_struct(&s, "both", 8);
		if (over_base)
			run_over_base(&s, "nobody");
		else
			run(&s);
		CHECK(s.resolved.units[0].all_exact && s.resolved.units[1].all_exact);
		CHECK(!s.resolved.units[2].needs_exact);
		CHECK_EQ(unit_of(&s, both), 2);
		CHECK_EQ(meaning(&s, POOL_STRUCT, "here"), fwd);
		CHECK(!~pool_type_place(type_pool_at(&s.types, alone)));
	}
}
