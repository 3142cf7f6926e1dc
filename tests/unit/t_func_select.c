/* SPDX-License-Identifier: GPL-2.0-only */
/* t_func_select.c - which functions may be described, and by whose word */
#include "encoder/select/func_select.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

/* One file with the functions "a" (at 0x10), "b" (at 0x20) and "many" (at 0x30 and 0x40). */
struct setting {
	struct func_select select;
	struct type_pool types;
	struct str_pool strings;
	struct diagnostics diags;
	struct func_choice choice;
	struct symbols syms;
	uint32_t proto, other; /* two prototypes that differ */
};

static void setting_init(struct setting *s)
{
	static struct func_symbol at[] = { { .value = 0x10, .name = "a" },
					   { .value = 0x20, .name = "b.isra.0", .optimized = true },
					   { .value = 0x30, .name = "many" },
					   { .value = 0x40, .name = "many" } };
	static struct func_entry funcs[] = {
		{ .name = "a", .name_len = 1, .first = 0, .nr = 1 },
		{ .name = "b", .name_len = 1, .first = 1, .nr = 1 },
		{ .name = "many", .name_len = 4, .first = 2, .nr = 2, .ambiguous = true },
	};
	struct pool_type *t;

	*s = (struct setting){ .diags.verbose = true };
	s->syms = (struct symbols){
		.funcs = funcs, .nr_funcs = 3, .func_symbols = at, .nr_func_symbols = 4
	};
	type_pool_init(&s->types);
	str_pool_init(&s->strings);
	uint32_t name = str_pool_add(&s->strings, "p", 1);
	struct type_arena *arena = type_pool_arena(&s->types);
	s->proto = type_pool_add(&s->types, arena,
				 (const uint32_t[]){ 0, btf_info(BTF_FUNC_PROTO, 0, false), 0 }, 3,
				 &t);
	s->other = type_pool_add(&s->types, arena,
				 (const uint32_t[]){ 0, btf_info(BTF_FUNC_PROTO, 1, false), 0, name,
						     0 },
				 5, &t);
}

static void setting_release(struct setting *s)
{
	func_select_release(&s->select);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
	diag_release(&s->diags);
	free(s->choice.items);
}

enum { A, B, MANY };

static void add(struct setting *s, uint32_t unit, uint32_t func, uint64_t addr, uint32_t proto,
		uint32_t flags)
{
	struct unit_func ff = {
		.unit = unit, .func = func, .addr = addr, .proto = proto, .flags = flags
	};
	struct unit_btf f = { .funcs = { &ff, 1, 1 } };

	func_select_add(&s->select, &f);
}

static void choose(struct setting *s, uint32_t features)
{
	const struct encode_opts opts = { .features = features };
	const uint32_t names[] = {
		[A] = str_pool_add(&s->strings, "a", 1),
		[B] = str_pool_add(&s->strings, "b", 1),
		[MANY] = str_pool_add(&s->strings, "many", 4),
	};
	const struct func_file file = { .syms = &s->syms, .func_names = names };

	const struct enum_kinds none = { 0 };
	const struct func_program program = { &file, &s->types, &none, &s->strings, NULL };
	const struct omission_log log = { .diags = &s->diags, .strings = &s->strings };

	func_select_choose(&s->select, &opts, &program, &log, &s->choice);
}

TEST_WITH_INIT(functions_are_listed_by_name_each_once, setting, s)
{
	add(s, 0, B, 0x20, s->proto, 0);
	add(s, 1, A, 0x10, s->proto, 0);
	add(s, 2, B, 0, s->proto, 0);
	choose(s, FEATURE_CONSISTENT_FUNC);
	CHECK_EQ(s->choice.nr, 2);
	CHECK_EQ(s->choice.items[0].func->func, A);
	CHECK_EQ(s->choice.items[1].func->func, B);
	CHECK_EQ(s->choice.items[1].func->unit, 0);
}

TEST_WITH_INIT(the_unit_at_the_address_of_a_symbol_is_believed, setting, s)
{
	add(s, 0, A, 0, s->proto, 0);
	add(s, 1, A, 0x10, s->proto, 0);
	choose(s, FEATURE_CONSISTENT_FUNC);
	CHECK_EQ(s->choice.nr, 1);
	CHECK_EQ(s->choice.items[0].func->unit, 1);
}

TEST(two_prototypes_are_one_too_many_if_that_counts)
{
	for (int strict = 0; strict < 2; strict++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		add(&s, 0, A, 0x10, s.proto, 0);
		add(&s, 1, A, 0, s.other, 0);
		choose(&s, strict ? FEATURE_CONSISTENT_FUNC : 0);
		CHECK_EQ(s.choice.nr, !strict);
		CHECK_EQ(s.diags.first != NULL, strict);
		if (!strict)
			continue;
		CHECK_STR(
			s.diags.first->text,
			"a : skipping BTF encoding of function due to param count mismatch; 0 params != 1 params");
		CHECK_STR(s.diags.first->next->text,
			  "a : skipping BTF encoding of function due to inconsistet prototype");
	}
}

TEST_WITH_INIT(a_function_with_two_addresses_is_not_described, setting, s)
{
	add(s, 0, MANY, 0x30, s->proto, 0);
	choose(s, FEATURE_CONSISTENT_FUNC);
	CHECK_EQ(s->choice.nr, 0);
	CHECK_STR(s->diags.first->text,
		  "many : skipping BTF encoding of function due to ambiguous address");
}

TEST(what_one_unit_says_of_its_parameters_counts_for_all)
{
	static const uint32_t flags[] = { UNIT_FUNC_UNEXPECTED, UNIT_FUNC_UNCERTAIN,
					  UNIT_FUNC_REORDERED };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		add(&s, 0, A, 0x10, s.proto, 0);
		add(&s, 1, A, 0, s.proto, flags[i]);
		choose(&s, FEATURE_CONSISTENT_FUNC);
		CHECK_EQ(s.choice.nr, 0);
	}
}

TEST_WITH_INIT(dropped_parameters_count_only_where_the_symbol_says_so, setting, s)
{
	add(s, 0, A, 0x10, s->proto, UNIT_FUNC_OPTIMIZED);
	add(s, 0, B, 0x20, s->proto, UNIT_FUNC_OPTIMIZED);
	choose(s, FEATURE_CONSISTENT_FUNC);
	CHECK_EQ(s->choice.nr, 1);
	CHECK_EQ(s->choice.items[0].func->func, A);
	CHECK_STR(s->diags.first->text,
		  "b : skipping BTF encoding of function due to optimized parameters");
}

TEST_WITH_INIT(nothing_gives_nothing, setting, s)
{
	choose(s, FEATURE_CONSISTENT_FUNC);
	CHECK_EQ(s->choice.nr, 0);
}

static const struct chosen_func *only(const struct setting *s)
{
	return s->choice.nr == 1 ? &s->choice.items[0] : NULL;
}

TEST_WITH_INIT(by_its_true_signature_a_copy_has_the_name_of_its_symbol, setting, s)
{
	add(s, 0, B, 0, s->other, 0);
	add(s, 1, B, 0x20, s->proto, UNIT_FUNC_OPTIMIZED | UNIT_FUNC_REORDERED);
	choose(s, FEATURE_CONSISTENT_FUNC | FEATURE_TRUE_SIGNATURE);
	CHECK(only(s));
	CHECK_EQ(only(s)->func->unit, 1);
	CHECK_STR(only(s)->symbol, "b.isra.0");
}

TEST_WITH_INIT(a_symbol_without_suffix_has_no_true_signature, setting, s)
{
	add(s, 0, A, 0x10, s->proto, UNIT_FUNC_OPTIMIZED | UNIT_FUNC_CHANGED);
	add(s, 0, B, 0, s->proto, 0);
	add(s, 0, MANY, 0x30, s->proto, 0);
	choose(s, FEATURE_CONSISTENT_FUNC | FEATURE_TRUE_SIGNATURE);
	CHECK_EQ(s->choice.nr, 2);
	CHECK_EQ(s->choice.items[0].func->func, A);
	CHECK(!s->choice.items[0].symbol);
	CHECK_EQ(s->choice.items[1].func->func, B);
	CHECK(!s->choice.items[1].symbol);
	CHECK_STR(s->diags.first->text,
		  "many : skipping BTF encoding of function due to ambiguous address");
}

/* What is said of one counts for the first and for all that come later. */
TEST(a_true_signature_must_not_be_in_doubt)
{
	static const uint32_t flags[] = { UNIT_FUNC_UNEXPECTED, UNIT_FUNC_UNCERTAIN };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		CLEANUP(setting_release) struct setting before, after, first;

		setting_init(&before);
		add(&before, 0, B, 0, before.proto, 0);
		add(&before, 1, B, 0, before.proto, flags[i]);
		add(&before, 2, B, 0x20, before.proto, 0);
		choose(&before, FEATURE_TRUE_SIGNATURE);
		CHECK_EQ(before.choice.nr, 0);

		setting_init(&after);
		add(&after, 0, B, 0, after.proto, 0);
		add(&after, 1, B, 0x20, after.proto, 0);
		add(&after, 2, B, 0, after.proto, flags[i]);
		choose(&after, FEATURE_TRUE_SIGNATURE);
		CHECK(only(&after));
		CHECK_STR(only(&after)->symbol, "b.isra.0");

		setting_init(&first);
		add(&first, 0, B, 0x20, first.proto, 0);
		add(&first, 1, B, 0, first.proto, flags[i]);
		choose(&first, FEATURE_TRUE_SIGNATURE);
		CHECK_EQ(first.choice.nr, 0);
	}
}
