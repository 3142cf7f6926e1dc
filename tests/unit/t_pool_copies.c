/* SPDX-License-Identifier: GPL-2.0-only */
/* t_pool_copies.c - can the records of a unit that needs exact dedup be taken from the pool? */
#include "base/cleanup.h"
#include "tests/lib/ambiguous_units.h"

static uint32_t say_ref(struct setting *s, enum btf_kind kind, pool_ref to)
{
	return SAY(s, 0, btf_info(kind, 0, false), to);
}

/* struct @text { @type x; } of 16 bytes; without a name if that is empty */
static uint32_t say_holder(struct setting *s, const char *text, pool_ref type)
{
	return SAY(s, name(s, text), btf_info(BTF_STRUCT, 1, false), 16, name(s, "x"), type, 0);
}

static uint32_t say_array(struct setting *s, uint32_t of, uint32_t nr)
{
	return SAY(s, 0, btf_info(BTF_ARRAY, 0, false), 0, of, POOL_REF_INDEX, nr);
}

/* Another unit defines "struct s", so the newest, which does so too, needs exact dedup. */
static void begin(struct setting *s)
{
	setting_init(s);
	add_unit(s);
	say_struct(s, "s", 4);
	add_unit(s);
	say_struct(s, "s", 8);
}

/* The newest unit needs exact dedup; does the pool know enough of its copies? */
static bool known(struct setting *s)
{
	CLEANUP(pool_copies_release) struct pool_copies c;
	bool ret = true;

	run(s);
	CHECK(s->resolved.units[s->nr - 1].needs_exact);
	pool_copies_init(&c, &s->types, &s->resolved);
	for (size_t u = 0; u < s->nr; u++)
		ret = pool_copies_suffice(&c, u, &s->units[u]);
	return ret;
}

TEST(without_copies_all_is_known)
{
	CLEANUP(setting_release) struct setting s;

	begin(&s);
	say_ref(&s, BTF_PTR, say_ref(&s, BTF_CONST, say_int(&s)));
	CHECK(known(&s));
}

TEST(copies_merge_into_the_first_that_is_asked_for)
{
	static const struct {
		enum { NOBODY, A_POINTER, A_STRUCT } asks; /* structs wait for their turn */
		bool known;
	} cases[] = { { NOBODY, true }, { A_POINTER, false }, { A_STRUCT, true } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(setting_release) struct setting s;
		uint32_t qualified;

		begin(&s);
		/* the pool has it from another unit, so that it can be referred to before */
		add_unit(&s);
		qualified = say_ref(&s, BTF_VOLATILE, say_int(&s));
		add_unit(&s);
		say_struct(&s, "s", 8);
		if (cases[i].asks == A_POINTER)
			say_ref(&s, BTF_PTR, qualified);
		else if (cases[i].asks == A_STRUCT)
			say_holder(&s, "t", qualified);
		say_ref(&s, BTF_VOLATILE, say_int(&s));
		say_ref(&s, BTF_PTR, qualified); /* too late to matter */
		say_ref(&s, BTF_VOLATILE, say_int(&s));
		CHECK_EQ(known(&s), cases[i].known);
	}
}

TEST(what_is_asked_for_asks_for_what_it_refers_to)
{
	for (int through_array = 0; through_array < 2; through_array++) {
		CLEANUP(setting_release) struct setting s;
		uint32_t qualified, holder;

		begin(&s);
		add_unit(&s);
		qualified = say_ref(&s, BTF_VOLATILE, say_int(&s));
		holder = through_array ? say_array(&s, qualified, 4) :
					 say_holder(&s, "t", qualified);
		add_unit(&s);
		say_struct(&s, "s", 8);
		say_ref(&s, BTF_PTR, holder);
		/* the one that the holder means is the second, done with the pointer */
		say_ref(&s, BTF_VOLATILE, say_int(&s));
		if (through_array)
			say_array(&s, qualified, 4);
		else
			say_holder(&s, "t", qualified);
		say_ref(&s, BTF_VOLATILE, say_int(&s));
		CHECK_EQ(known(&s), !through_array);
	}
}

TEST(copies_of_what_leads_to_a_multiply_defined_name_matter)
{
	for (int leads = 0; leads < 2; leads++) {
		CLEANUP(setting_release) struct setting s;
		pool_ref crowded;
		uint32_t pointer;

		setting_init(&s);
		add_unit(&s);
		crowded = pool_ref_named(POOL_STRUCT, name(&s, "crowd"));
		s.units[0].multiply_defined = &crowded;
		s.units[0].nr_multiply_defined = 1;
		say_struct(&s, "crowd", 4);
		say_struct(&s, "s", 4);
		add_unit(&s);
		say_struct(&s, "s", 8);
		pointer = say_pointer_to(&s, leads ? "crowd" : "t");
		say_ref(&s, BTF_CONST, pointer);
		say_ref(&s, BTF_CONST, pointer);
		say_struct(&s, leads ? "crowd" : "t", 4);
		CHECK_EQ(known(&s), !leads);
	}
}

TEST(nameless_structs_are_done_in_their_order)
{
	CLEANUP(setting_release) struct setting s;
	uint32_t inner;

	begin(&s);
	add_unit(&s);
	inner = say_holder(&s, "", say_int(&s));
	add_unit(&s);
	say_struct(&s, "s", 8);
	say_ref(&s, BTF_PTR, inner);
	say_holder(&s, "", say_int(&s));
	say_holder(&s, "", say_int(&s));
	CHECK(known(&s));
}

/* Two definitions of one name, which differ at most in what an array holds. */
TEST(arrays_in_the_place_of_others_matter)
{
	for (int different = 0; different < 3; different++) {
		CLEANUP(setting_release) struct setting s;
		uint32_t of;

		begin(&s);
		add_unit(&s);
		of = different ? say_ref(&s, BTF_CONST, say_int(&s)) : say_int(&s);
		say_holder(&s, "t", say_array(&s, of, different == 2 ? 5 : 4));
		add_unit(&s);
		say_struct(&s, "s", 8);
		say_holder(&s, "t", say_array(&s, say_int(&s), 4));
		say_array(&s, say_int(&s), 4);
		/* of another number they are not taken for equal */
		CHECK_EQ(known(&s), different != 1);
	}
}

TEST(what_is_multiply_defined_is_not_known)
{
	CLEANUP(setting_release) struct setting s;
	pool_ref crowded;

	begin(&s);
	crowded = pool_ref_named(POOL_STRUCT, name(&s, "s"));
	s.units[1].multiply_defined = &crowded;
	s.units[1].nr_multiply_defined = 1;
	CHECK(!known(&s));
}

TEST(copies_of_what_nothing_looks_like_do_not_matter)
{
	CLEANUP(setting_release) struct setting s;

	begin(&s);
	uint32_t of_ints = say_array(&s, say_int(&s), 4);
	say_holder(&s, "", of_ints);
	say_holder(&s, "", say_array(&s, say_ref(&s, BTF_PTR, say_int(&s)), 4));
	/* twice, and with an array that others are taken for */
	for (int i = 0; i < 2; i++)
		SAY(&s, 0, btf_info(BTF_STRUCT, 2, false), 24, name(&s, "p"), of_ints, 0,
		    name(&s, "q"), say_int(&s), 128);
	CHECK(known(&s));
}

/* Over a base that has something like it: each is compared with that, and not alike. */
TEST(copies_of_what_looks_like_the_base_s_matter)
{
	for (int copies = 1; copies <= 2; copies++) {
		CLEANUP(setting_release) struct setting s;
		CLEANUP(pool_copies_release) struct pool_copies c;
		uint32_t alike = 0;

		setting_init(&s);
		add_unit(&s);
		for (int i = 0; i < copies; i++)
			alike = say_holder(&s, "", say_array(&s, say_int(&s), 4));

		const struct pool_ref_list other = { &alike, 1, 1 };
		ambiguous_resolve(&s.types, &s.strings, s.units, s.nr, &other, &s.resolved);
		CHECK(s.resolved.units[0].all_exact);
		pool_copies_init(&c, &s.types, &s.resolved);
		CHECK_EQ(pool_copies_suffice(&c, 0, &s.units[0]), copies == 1);
	}
}
