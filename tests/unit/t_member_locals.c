/* SPDX-License-Identifier: GPL-2.0-only */
/* t_member_locals.c - whose static function a local symbol is */
#include "encoder/member/member_locals.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <elf.h>

/* "f" of b.c at 0x10, "g" of nobody known at 0x20, and "two" in both at 0x30 and 0x40. */
static struct symbol all[] = {
	{ .name = "a.c", .type = STT_FILE },
	{ .name = "two", .type = STT_FUNC, .value = 0x30 },
	{ .name = "b.c", .type = STT_FILE },
	{ .name = "f", .type = STT_FUNC, .value = 0x10 },
	{ .name = "two", .type = STT_FUNC, .value = 0x40 },
	{ .name = "", .type = STT_FILE },
	{ .name = "g", .type = STT_FUNC, .value = 0x20 },
};
static struct func_symbol at[] = { { .value = 0x10, .name = "f", .symbol = 3 },
				   { .value = 0x20, .name = "g", .symbol = 6 },
				   { .value = 0x30, .name = "two", .symbol = 1 },
				   { .value = 0x40, .name = "two", .symbol = 4 } };
static struct func_entry funcs[] = {
	{ .name = "f", .name_len = 1, .first = 0, .nr = 1 },
	{ .name = "g", .name_len = 1, .first = 1, .nr = 1 },
	{ .name = "two", .name_len = 3, .first = 2, .nr = 2, .ambiguous = true },
};
static const struct symbols syms = {
	.all = all,
	.nr_all = ARRAY_SIZE(all),
	.funcs = funcs,
	.nr_funcs = ARRAY_SIZE(funcs),
	.func_symbols = at,
	.nr_func_symbols = ARRAY_SIZE(at),
};
enum { F, G, TWO };

/* What becomes of @func, claimed by two units of these names. */
static void settle(const char *const *names, uint32_t func, uint32_t flags, uint64_t *ret)
{
	CLEANUP(str_pool_release) struct str_pool strings;
	CLEANUP(func_select_release) struct func_select l = { 0 };
	struct unit_btf btfs[2] = { 0 };
	const struct unit_btf *const units[] = { &btfs[0], &btfs[1] };

	str_pool_init(&strings);
	for (uint32_t i = 0; i < 2; i++) {
		btfs[i].name = str_pool_add(&strings, names[i], strlen(names[i]));
		vec_push(&l.funcs, ((struct unit_func){ .func = func,
							.unit = i,
							.addr = at[funcs[func].first].value,
							.flags = flags }));
	}
	member_locals_resolve(&l, units, &syms, &strings);
	for (uint32_t i = 0; i < 2; i++)
		ret[i] = l.funcs.items[i].addr;
}

TEST(a_symbol_belongs_to_the_unit_that_its_file_names)
{
	uint64_t addr[2];

	settle((const char *const[]){ "dir/a.c", "dir/b.c" }, F, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0);
	CHECK_EQ(addr[1], 0x10);
	settle((const char *const[]){ "b.c", "c.c" }, F, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0x10);
	CHECK_EQ(addr[1], 0);
}

TEST(without_a_file_that_is_one_of_the_units_all_stays)
{
	uint64_t addr[2];

	settle((const char *const[]){ "x.c", "y.c" }, F, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0x10);
	CHECK_EQ(addr[1], 0x10);
	settle((const char *const[]){ "a.c", "b.c" }, G, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0x20);
	CHECK_EQ(addr[1], 0x20);
}

TEST(two_units_of_one_name_may_both_be_meant)
{
	uint64_t addr[2];

	settle((const char *const[]){ "x/b.c", "y/b.c" }, F, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0x10);
	CHECK_EQ(addr[1], 0x10);
}

TEST(what_is_not_contested_is_not_looked_at)
{
	uint64_t addr[2];

	settle((const char *const[]){ "a.c", "b.c" }, F, 0, addr);
	CHECK_EQ(addr[0], 0x10);
	settle((const char *const[]){ "a.c", "b.c" }, TWO, UNIT_FUNC_LOCAL, addr);
	CHECK_EQ(addr[0], 0x30);
	CHECK_EQ(addr[1], 0x30);
}
