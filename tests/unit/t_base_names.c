/* SPDX-License-Identifier: GPL-2.0-only */
/* t_base_names.c - which names mean something else in a base */
#include "base/cleanup.h"
#include "tests/lib/overbase.h"

/*
 * How many names of the pool the base does not match with; the last one is @s. Whoever has asked
 * for all names of the base before is told the same.
 */
static size_t others(struct both *b, const char *s)
{
	CLEANUP(string_index_release) struct string_index strings = { 0 };
	CLEANUP(base_names_release) struct base_names all = { 0 };
	struct pool_ref_list again = { 0 };
	uint32_t *same, *same_again;

	b->other.nr = 0;
	find_base_conflicts(&b->types, &b->strings, &b->base, NULL, &b->other, &same);
	string_index_add(&strings, b->text, (uint32_t)b->base.strings.len, 0);
	base_names_index(&b->base, &strings, &all);
	find_base_conflicts(&b->types, &b->strings, &b->base, &all, &again, &same_again);
	CHECK_EQ(again.nr, b->other.nr);
	for (size_t i = 0; i < again.nr; i++)
		CHECK_EQ(again.items[i], b->other.items[i]);
	for (uint32_t id = 1; id < atomic_load(&b->types.end); id++)
		CHECK_EQ(same_again[id], same[id]);
	free(same);
	free(same_again);
	free(again.items);
	/* what only looks alike is t_base_lookalikes.c's */
	while (b->other.nr && !pool_ref_is_named(b->other.items[b->other.nr - 1]))
		b->other.nr--;
	if (b->other.nr)
		CHECK_STR(str_pool_text(&b->strings,
					pool_ref_name(b->other.items[b->other.nr - 1])),
			  s);
	return b->other.nr;
}

TEST_WITH_INIT(a_name_that_is_not_there_means_what_it_means_here, both, b)
{
	add_struct1(BASE(b), there(b, "other"), there(b, "m"), add_int(BASE(b), there(b, "int")));
	say_struct(b, "s", say_int(b));
	say_fwd(b, "only_declared");
	CHECK_EQ(others(b, ""), 0);
}

TEST_WITH_INIT(the_same_definition_agrees_down_to_what_has_no_name, both, b)
{
	uint32_t i, array;

	i = add_int(BASE(b), there(b, "int"));
	array = add_array(BASE(b), add_ptr(BASE(b), i), i, 3);
	add_struct1(BASE(b), there(b, "s"), there(b, "m"), array);
	say_struct(b, "s",
		   SAY(b, 0, btf_info(BTF_ARRAY, 0, false), 0, say_ptr(b, say_int(b)),
		       POOL_REF_INDEX, 3));
	CHECK_EQ(others(b, ""), 0);
}

TEST(another_definition_does_not)
{
	for (int different = 0; different < 6; different++) {
		CLEANUP(both_release) struct both b;
		uint32_t i, array, c;

		both_init(&b);
		i = add_int(BASE(&b), there(&b, different == 1 ? "long" : "int"));
		c = different == 2 ? add_ref(BASE(&b), BTF_CONST, 0, i) : i;
		/* of the index, too: only "int" is what every array has */
		array = add_array(BASE(&b), c, different == 3 ? add_ptr(BASE(&b), i) : i,
				  different == 4 ? 4 : 3);
		add_struct1(BASE(&b), there(&b, "s"), there(&b, different == 5 ? "n" : "m"), array);
		say_struct(&b, "s",
			   SAY(&b, 0, btf_info(BTF_ARRAY, 0, false), 0, say_int(&b), POOL_REF_INDEX,
			       3));
		CHECK_EQ(others(&b, "s"), different ? 1 : 0);
	}
}

TEST(what_is_said_by_name_must_have_that_name_and_be_of_that_sort)
{
	static const struct {
		const char *name;
		bool is_union, matches;
	} cases[] = { { "t", false, true }, { "u", false, false }, { "t", true, false } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(both_release) struct both b;
		uint32_t fwd;

		both_init(&b);
		fwd = add_fwd(BASE(&b), there(&b, cases[i].name), cases[i].is_union);
		add_struct1(BASE(&b), there(&b, "s"), there(&b, "m"), add_ptr(BASE(&b), fwd));
		say_struct(&b, "s", say_ptr(&b, pool_ref_named(POOL_STRUCT, here(&b, "t"))));
		CHECK_EQ(others(&b, "s"), cases[i].matches ? 0 : 1);
	}
}

TEST_WITH_INIT(a_declaration_agrees_with_one_definition_only, both, b)
{
	add_struct0(BASE(b), there(b, "s"));
	say_fwd(b, "s");
	CHECK_EQ(others(b, "s"), 0);
	/* another of the same name */
	add_struct0(BASE(b), there(b, "s"));
	CHECK_EQ(others(b, "s"), 1);
}

TEST_WITH_INIT(a_definition_does_not_agree_with_a_declaration, both, b)
{
	add_fwd(BASE(b), there(b, "s"), false);
	say_fwd(b, "s");
	CHECK_EQ(others(b, "s"), 0);
	say_struct(b, "s", say_int(b));
	/* both the definition and the declaration beside it mean it */
	CHECK_EQ(others(b, "s"), 1);
}

TEST_WITH_INIT(a_base_that_has_both_agrees_with_nothing, both, b)
{
	add_struct1(BASE(b), there(b, "s"), there(b, "m"), add_int(BASE(b), there(b, "int")));
	add_fwd(BASE(b), there(b, "s"), false);
	say_struct(b, "s", say_int(b));
	CHECK_EQ(others(b, "s"), 1);
}

TEST_WITH_INIT(structs_and_unions_share_names_and_enums_do_not, both, b)
{
	add_fwd(BASE(b), there(b, "s"), true);
	ADD(BASE(b), there(b, "e"), btf_info(BTF_ENUM, 1, false), 4, there(b, "one"), 1);
	say_struct(b, "e", say_int(b));
	CHECK_EQ(others(b, ""), 0);
	say_struct(b, "s", say_int(b));
	CHECK_EQ(others(b, "s"), 1);
}

TEST_WITH_INIT(enums_agree_by_their_values, both, b)
{
	ADD(BASE(b), there(b, "e"), btf_info(BTF_ENUM, 1, false), 4, there(b, "one"), 1);
	SAY(b, here(b, "e"), btf_info(BTF_ENUM, 1, false), 4, here(b, "one"), 1);
	CHECK_EQ(others(b, ""), 0);
	SAY(b, here(b, "e"), btf_info(BTF_ENUM, 1, false), 4, here(b, "one"), 2);
	CHECK_EQ(others(b, "e"), 1);
}

TEST_WITH_INIT(what_no_unit_has_is_not_asked_about, both, b)
{
	uint32_t id;

	add_fwd(BASE(b), there(b, "s"), false);
	id = say_struct(b, "s", say_int(b));
	CHECK_EQ(others(b, "s"), 1);
	pool_type_forget_first_use(type_pool_at(&b->types, id), 0);
	CHECK_EQ(others(b, "s"), 0);
}
