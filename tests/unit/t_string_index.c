/* SPDX-License-Identifier: GPL-2.0-only */
/* t_string_index.c - the table says of each string what a look at all of them says */
#include "dedup/pool/string_index.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "tests/lib/rand.h"
#include "tests/lib/testlib.h"

struct section {
	char *items;
	size_t nr, cap;
};

/* @nr strings of one to three letters, hence many of them twice; some are empty. */
static void fill(struct section *s, uint64_t seed, size_t nr)
{
	struct rnd r = { seed };

	for (size_t i = 0; i < nr; i++) {
		for (unsigned n = rnd_below(&r, 4); n > 0; n--)
			vec_push(s, (char)('a' + rnd_below(&r, 9)));
		vec_push(s, '\0');
	}
}

static void fill_pool(struct str_pool *p, uint64_t seed)
{
	struct section mine = { 0 };
	struct rnd r = { seed };

	str_pool_init(p);
	fill(&mine, seed, 400);
	for (size_t pos = 0; pos < mine.nr;) {
		size_t len = strlen(mine.items + pos);
		uint32_t id = str_pool_add_copy(p, mine.items + pos, len);

		/* some are only known */
		if (!rnd_one_in(&r, 4))
			str_pool_use(p, id, str_place_at(0, (uint32_t)pos));
		pos += len + 1;
	}
	free(mine.items);
}

static void check_sections(uint64_t seed, size_t nr_low, size_t nr_high)
{
	CLEANUP(str_pool_release) struct str_pool by_look;
	CLEANUP(str_pool_release) struct str_pool by_table;
	CLEANUP(string_index_release) struct string_index x = { 0 };
	struct section low = { 0 }, high = { 0 };
	size_t found = 0;

	fill(&low, seed, nr_low);
	fill(&high, seed + 1, nr_high);
	fill_pool(&by_look, seed + 2);
	fill_pool(&by_table, seed + 2);
	str_pool_find_in_base(&by_look, low.items, low.nr, 0);
	str_pool_find_in_base(&by_look, high.items, high.nr, (uint32_t)low.nr);
	string_index_add(&x, low.items, (uint32_t)low.nr, 0);
	string_index_add(&x, high.items, (uint32_t)high.nr, (uint32_t)low.nr);
	string_index_find(&x, &by_table);

	for (uint32_t id = 1; id < atomic_load(&by_look.end); id++) {
		const struct str_entry *a = str_pool_at(&by_look, id);
		const struct str_entry *b = str_pool_at(&by_table, id);

		CHECK_STR(a->text, b->text);
		if (!str_entry_is_used(a))
			continue;
		CHECK_EQ(b->in_base, a->in_base);
		CHECK_EQ(b->offset, a->offset);
		found += a->in_base;
		if (!a->in_base)
			continue;
		const char *at = a->offset < low.nr ? low.items + a->offset :
						      high.items + (a->offset - low.nr);
		CHECK_STR(at, a->text);
	}
	CHECK((found > 0) == (nr_low + nr_high > 0));
	free(low.items);
	free(high.items);
}

TEST(the_first_place_of_a_string_counts)
{
	static const char text[] = "\0ab\0c\0ab\0c";
	CLEANUP(str_pool_release) struct str_pool p;
	CLEANUP(string_index_release) struct string_index x = { 0 };

	str_pool_init(&p);
	uint32_t ab = str_pool_add(&p, "ab", 2), b = str_pool_add(&p, "b", 1);
	str_pool_use(&p, ab, 0);
	str_pool_use(&p, b, 0);
	string_index_add(&x, text, sizeof(text), 0);
	string_index_find(&x, &p);
	CHECK(str_pool_at(&p, ab)->in_base);
	CHECK_EQ(str_pool_at(&p, ab)->offset, 1);
	CHECK(!str_pool_at(&p, b)->in_base); /* the end of a string is none */
}

TEST(a_look_and_a_table_find_the_same)
{
	for (uint64_t seed = 1; seed < 50; seed++) {
		check_sections(seed, 300, 200);
		check_sections(seed, 1, 500);
		check_sections(seed, 500, 0);
	}
	check_sections(1, 0, 0);
}
