/* SPDX-License-Identifier: GPL-2.0-only */
/* t_string_index.c - where the strings of a base are */
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

/* The first offset of @text in @low and @high, one behind the other; 0: none. */
static uint32_t first_offset(const struct section *low, const struct section *high,
			     const char *text)
{
	for (size_t pos = 0; pos < low->nr + high->nr;) {
		const char *at = pos < low->nr ? low->items + pos : high->items + (pos - low->nr);

		if (!strcmp(at, text))
			return (uint32_t)pos;
		pos += strlen(at) + 1;
	}
	return 0;
}

/* With all strings, or only those @wanted for the pool, as if it had some names more later. */
static void check_sections(uint64_t seed, size_t nr_low, size_t nr_high, bool wanted)
{
	CLEANUP(str_pool_release) struct str_pool p;
	CLEANUP(string_index_release) struct string_index x = { 0 };
	CLEANUP(bloom_filter_release) struct bloom_filter starts = { 0 };
	struct section low = { 0 }, high = { 0 };
	size_t found = 0;

	vec_push(&low, '\0');
	fill(&low, seed, nr_low);
	fill(&high, seed + 1, nr_high);
	fill_pool(&p, seed + 2);
	string_index_wanted(&p, &starts);
	string_index_add(&x, low.items, (uint32_t)low.nr, 0, wanted ? &starts : NULL);
	string_index_add(&x, high.items, (uint32_t)high.nr, (uint32_t)low.nr,
			 wanted ? &starts : NULL);
	string_index_find(&x, &p);
	for (uint32_t id = 1; id < atomic_load(&p.end); id++) {
		const struct str_entry *e = str_pool_at(&p, id);
		uint32_t first = first_offset(&low, &high, e->text);

		CHECK_EQ(e->in_base, first != 0);
		CHECK_EQ(e->in_base ? e->offset : 0, first);
		CHECK_EQ(first ? string_index_first(&x, first) : 0, first);
		found += e->in_base;
	}
	CHECK((found > 0) == (nr_low + nr_high > 0));
	free(low.items);
	free(high.items);
}

TEST(the_first_offset_of_a_string_counts)
{
	static const char text[] = "\0ab\0c\0ab\0c";
	CLEANUP(str_pool_release) struct str_pool p;
	CLEANUP(string_index_release) struct string_index x = { 0 };

	str_pool_init(&p);
	uint32_t ab = str_pool_add(&p, "ab", 2), b = str_pool_add(&p, "b", 1);
	str_pool_use(&p, ab, 0);
	str_pool_use(&p, b, 0);
	string_index_add(&x, text, sizeof(text), 0, NULL);
	string_index_find(&x, &p);
	CHECK(str_pool_at(&p, ab)->in_base);
	CHECK_EQ(str_pool_at(&p, ab)->offset, 1);
	CHECK(!str_pool_at(&p, b)->in_base); /* the end of a string is none */
	CHECK_EQ(string_index_first(&x, 2), 0);
}

TEST(each_string_of_a_pool_is_found_at_its_first_offset)
{
	for (uint64_t seed = 1; seed < 100; seed++) {
		check_sections(seed, 300, 200, seed & 1);
		check_sections(seed, 1, 500, seed & 1);
		check_sections(seed, 500, 0, seed & 1);
	}
	check_sections(1, 0, 0, false);
}

TEST_WITH_INIT(strings_are_new_until_they_are_looked_up, str_pool, p)
{
	static const char text[] = "\0ab";
	CLEANUP(string_index_release) struct string_index x = { 0 };

	string_index_add(&x, text, sizeof(text), 0, NULL);
	uint32_t ab = str_pool_add(p, "ab", 2);
	CHECK(!str_pool_uses_new(p));
	str_pool_use(p, ab, 0);
	CHECK(str_pool_uses_new(p));
	string_index_find(&x, p);
	CHECK(!str_pool_uses_new(p));
}
