/* SPDX-License-Identifier: GPL-2.0-only */
/* t_str_pool.c - names get numbers, and places in the order of their first use */
#include "dedup/pool/str_pool.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "tests/lib/testlib.h"

static uint32_t add(struct str_pool *p, const char *s)
{
	return str_pool_add(p, s, strlen(s));
}

TEST_WITH_INIT(equal_text_has_one_id_wherever_it_lies, str_pool, p)
{
	char copy[] = "name";

	uint32_t id = add(p, "name");
	CHECK(id);
	CHECK_EQ(add(p, copy), id);
	CHECK(add(p, "nam") != id);
	CHECK(add(p, "named") != id);
	CHECK_EQ(str_pool_find(p, "name", 4), id);
	CHECK_EQ(str_pool_find(p, "name", 3), add(p, "nam"));
	CHECK_EQ(str_pool_find(p, "other", 5), 0);
	CHECK_STR(str_pool_text(p, id), "name");
}

TEST_WITH_INIT(nothing_is_the_string_0, str_pool, p)
{
	CHECK_EQ(add(p, ""), 0);
	CHECK_EQ(str_pool_find(p, "", 0), 0);
	CHECK_STR(str_pool_text(p, 0), "");
}

TEST_WITH_INIT(a_text_that_does_not_stay_is_copied_once, str_pool, p)
{
	char text[] = "name";

	uint32_t id = str_pool_add_copy(p, text, 4);
	text[0] = 'g';
	CHECK_STR(str_pool_text(p, id), "name");
	CHECK_EQ(str_pool_find(p, "name", 4), id);
	size_t copies = p->copies.total;
	CHECK(copies);
	CHECK_EQ(str_pool_add_copy(p, "name", 4), id);
	CHECK_EQ(p->copies.total, copies);
	CHECK_EQ(str_pool_add_copy(p, "", 0), 0);
	CHECK_EQ(atomic_load(&p->end), id + 1);
}

TEST_WITH_INIT(layout_goes_by_the_lowest_place_of_use, str_pool, p)
{
	char *text;
	size_t len, apart;

	uint32_t late = add(p, "late"), unused = add(p, "unused"), early = add(p, "early");
	str_pool_use(p, late, str_place_at(1, 0));
	str_pool_use(p, early, str_place_at(2, 5));
	str_pool_use(p, early, str_place_at(0, 9));
	str_pool_use(p, early, str_place_at(3, 0));
	str_pool_use(p, 0, str_place_at(0, 0));
	CHECK_OK(str_pool_layout(p, 0, &text, &len, &apart));
	CHECK_EQ(len, 12);
	CHECK_EQ(apart, 12);
	CHECK_MEM(text, "\0early\0late", 12);
	CHECK_EQ(str_pool_at(p, early)->offset, 1);
	CHECK_EQ(str_pool_at(p, late)->offset, 7);
	CHECK_EQ(str_pool_at(p, unused)->offset, 0);
	free(text);
}

TEST_WITH_INIT(over_a_base_offsets_go_on_from_its_end, str_pool, p)
{
	char *text;
	size_t len, apart;

	uint32_t a = add(p, "a"), b = add(p, "b");
	str_pool_use(p, b, 0);
	str_pool_use(p, a, 1);
	CHECK_OK(str_pool_layout(p, 100, &text, &len, &apart));
	CHECK_EQ(len, 4);
	CHECK_MEM(text, "b\0a", 4);
	CHECK_EQ(str_pool_at(p, b)->offset, 100);
	CHECK_EQ(str_pool_at(p, a)->offset, 102);
	free(text);
}

TEST_WITH_INIT(what_stands_apart_comes_behind_all_and_is_told_from_it, str_pool, p)
{
	char *text;
	size_t len, apart;

	uint32_t a = add(p, "a"), b = add(p, "b"), both = add(p, "both"), c = add(p, "c");
	str_pool_use(p, a, str_place_at(0, 0) | STR_PLACE_APART);
	str_pool_use(p, both, str_place_at(0, 1) | STR_PLACE_APART);
	str_pool_use(p, b, str_place_at(7, 0));
	str_pool_use(p, both, str_place_at(9, 0));
	str_pool_use(p, c, str_place_at(2, 0) | STR_PLACE_APART);
	CHECK_OK(str_pool_layout(p, 100, &text, &len, &apart));
	CHECK_EQ(len, 11);
	CHECK_MEM(text, "b\0both\0a\0c", 11);
	CHECK_EQ(apart, 7);
	CHECK_EQ(str_pool_at(p, both)->offset, 102);
	CHECK_EQ(str_pool_at(p, a)->offset, 107);
	free(text);
}

enum { NAMES = 500 };

struct shared {
	struct str_pool pool;
	char names[NAMES][16];
};

static struct err *use_all(void *ctx, unsigned int worker, size_t unit, void **ret)
{
	struct shared *s = ctx;

	(void)worker, (void)ret;
	for (uint32_t i = 0; i < NAMES; i++) {
		const char *name = s->names[(i + unit * 37) % NAMES];
		uint32_t id = add(&s->pool, name);

		str_pool_use(&s->pool, id, str_place_at((uint32_t)unit, i));
	}
	return NULL;
}

/* The section after @jobs threads have used all names. */
static char *layout_with(unsigned int jobs, size_t *ret_len)
{
	static const struct ordered_ops ops = { .make = use_all };
	struct shared *s = calloc(1, sizeof(*s));
	char *text;
	size_t apart;

	CHECK(s);
	str_pool_init(&s->pool);
	for (int i = 0; i < NAMES; i++)
		snprintf(s->names[i], sizeof(s->names[i]), "n%d", i);
	CHECK_OK(ordered_run(60, jobs, &ops, s));
	CHECK_OK(str_pool_layout(&s->pool, 0, &text, ret_len, &apart));
	str_pool_release(&s->pool);
	free(s);
	return text;
}

TEST(any_number_of_threads_gives_the_same_section)
{
	size_t one_len, len;
	char *one = layout_with(1, &one_len);

	for (unsigned int jobs = 2; jobs <= 8; jobs += 3) {
		char *text = layout_with(jobs, &len);

		CHECK_EQ(len, one_len);
		CHECK_MEM(text, one, len);
		free(text);
	}
	free(one);
}
