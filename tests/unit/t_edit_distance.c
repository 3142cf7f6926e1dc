/* SPDX-License-Identifier: GPL-2.0-only */
/* t_edit_distance.c - the distance is that of the whole table, and the nearest name is found */
#include "base/edit_distance.h"

#include "base/arena.h"
#include "tests/lib/rand.h"
#include "tests/lib/testlib.h"

TEST(each_edit_counts_one)
{
	CHECK_EQ(edit_distance("", "", 0), 0);
	CHECK_EQ(edit_distance("abc", "abc", 0), 0);
	CHECK_EQ(edit_distance("abc", "abxc", 2), 1); /* insert */
	CHECK_EQ(edit_distance("abc", "ac", 2), 1);   /* delete */
	CHECK_EQ(edit_distance("abc", "axc", 2), 1);  /* replace */
	CHECK_EQ(edit_distance("abc", "acb", 2), 1);  /* swap */
	CHECK_EQ(edit_distance("ab", "ba", 1), 1);
	CHECK_EQ(edit_distance("kitten", "sitting", 5), 3);
	CHECK_EQ(edit_distance("", "abc", 5), 3);
	CHECK_EQ(edit_distance("ca", "abc", 5), 3); /* nothing between two bytes that are swapped */
}

TEST(above_the_limit_is_one_more)
{
	CHECK_EQ(edit_distance("abc", "abd", 0), 1);
	CHECK_EQ(edit_distance("abc", "xyz", 2), 3);
	CHECK_EQ(edit_distance("abc", "abcdefghi", 5), 6);
	CHECK_EQ(edit_distance("kitten", "sitting", 2), 3);
}

/* The textbook's whole table. */
static size_t slow_distance(const char *a, const char *b)
{
	size_t d[16][16], a_len = strlen(a), b_len = strlen(b);

	for (size_t i = 0; i <= a_len; i++) {
		for (size_t j = 0; j <= b_len; j++) {
			size_t best = i + j;

			if (i && d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (j && d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i && j && d[i - 1][j - 1] + (a[i - 1] != b[j - 1]) < best)
				best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[a_len][b_len];
}

static void random_word(struct rnd *r, char *word)
{
	size_t len = rnd_below(r, 13);

	for (size_t i = 0; i < len; i++)
		word[i] = (char)('a' + rnd_below(r, 3));
	word[len] = '\0';
}

TEST(the_band_gives_what_the_whole_table_gives)
{
	struct rnd r = { 1 };

	for (size_t n = 0; n < 100000; n++) {
		char a[16], b[16];

		random_word(&r, a);
		random_word(&r, b);
		size_t limit = rnd_below(&r, EDIT_DISTANCE_MAX + 1), d = slow_distance(a, b);
		CHECK_EQ(edit_distance(a, b, limit), d > limit ? limit + 1 : d);
	}
}

static const char *nearest_of(const char *word, const char *const *names, size_t nr)
{
	struct nearest n = nearest_to(word);

	for (size_t i = 0; i < nr; i++)
		nearest_offer(&n, names[i]);
	return n.name ? n.name : "";
}

TEST(the_nearest_name_is_kept_and_the_first_of_several)
{
	static const char *const names[] = { "task_struct", "mask_struct", "task_group", "rq",
					     "x" };

	CHECK_STR(nearest_of("taks_struct", names, 5), "task_struct");
	CHECK_STR(nearest_of("ask_struct", names, 5), "task_struct");
	CHECK_STR(nearest_of("mask_struct", names, 5), "mask_struct");
	CHECK_STR(nearest_of("r", names, 5), "");
	CHECK_STR(nearest_of("rqq", names, 5), "rq");
	CHECK_STR(nearest_of("", names, 5), "");
	CHECK_STR(nearest_of("inode", names, 5), "");
}

TEST(a_continuation_is_nearer_than_several_edits_and_farther_than_one)
{
	static const char *const names[] = { "bpf_mem_cache_alloc",
					     "kmem_cache_alloc_lru_noprof",
					     "kmem_cache_alloc_noprof",
					     "kmem_cache_alloc_node_noprof",
					     "kfree",
					     "vfs_read",
					     "decl_tag" };

	CHECK_STR(nearest_of("kmem_cache_alloc", names, 7), "kmem_cache_alloc_noprof");
	CHECK_STR(nearest_of("kmem_cache_alloc_noproof", names, 7), "kmem_cache_alloc_noprof");
	CHECK_STR(nearest_of("vfs_read_iter", names, 7), "vfs_read");
	CHECK_STR(nearest_of("decl", names, 7), "decl_tag");
	/* less than half of the longer name is shared; or no new word starts */
	CHECK_STR(nearest_of("kmem", names, 7), "");
	CHECK_STR(nearest_of("kmem_cache_al", names, 7), "");
	CHECK_STR(nearest_of("kfree_rcu_mightsleep", names, 7), "");
}

TEST(of_names_with_as_many_edits_the_one_that_shares_its_start_is_kept)
{
	static const char *const names[] = { "xlloc_page", "alloc_pags", "alloc_pag" };

	CHECK_STR(nearest_of("alloc_page", names, 3), "alloc_pags");
	CHECK_STR(nearest_of("alloc_pagee", names, 1), "xlloc_page");
}

TEST(the_word_itself_is_no_other_name)
{
	struct nearest n = nearest_to("rq");

	nearest_offer_other(&n, "rq");
	CHECK(!n.name);
	nearest_offer_other(&n, "rqs");
	CHECK_STR(n.name, "rqs");
}

TEST(a_long_word_takes_a_time_in_proportion_to_its_length)
{
	enum { LEN = 1 << 20 };
	char *a = test_keep(mem_zalloc(1, LEN + 1)), *b = test_keep(mem_zalloc(1, LEN + 1));

	memset(a, 'a', LEN);
	memset(b, 'a', LEN);
	b[LEN / 2] = 'b';
	CHECK_EQ(edit_distance(a, b, EDIT_DISTANCE_MAX), 1);
}
