/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * edit_distance.c - see edit_distance.h
 *
 * The distance is the one called "optimal string alignment": the Damerau-Levenshtein distance without
 * edits between two bytes that were swapped.
 *
 * The textbook table has a row for each prefix of @a and a column for each prefix of @b. A cell that is
 * further than @limit from the diagonal stands for more than @limit insertions or deletions, so only a band
 * of 2 * limit + 1 cells around the diagonal is computed. Swaps need the two rows above, so three rows of
 * that width are all the memory.
 */
#include "base/edit_distance.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { BAND_MAX = 2 * EDIT_DISTANCE_MAX + 1 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Row @i of the table. Cell @k of a row is column i + k - limit, so the cell above is k + 1 of @above, the
 * one above to the left is k of @above, and the one for a swap is k of @above2. Returns the smallest cell.
 */
static size_t compute_row(const char *a, size_t i, const char *b, size_t b_len, size_t limit,
			  const size_t *above, const size_t *above2, size_t *row)
{
	const size_t width = 2 * limit + 1, out = limit + 1;
	size_t smallest = out;

	for (size_t k = 0; k < width; k++) {
		size_t j = i + k - limit; /* wraps left of column 0 */

		row[k] = out;
		if (i + k < limit || j > b_len)
			continue;
		if (!i || !j) {
			row[k] = smaller(i + j, out);
		} else {
			size_t cell = above[k] + (a[i - 1] != b[j - 1]);

			if (k)
				cell = smaller(cell, row[k - 1] + 1);
			if (k + 1 < width)
				cell = smaller(cell, above[k + 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cell = smaller(cell, above2[k] + 1);
			row[k] = smaller(cell, out);
		}
		smallest = smaller(smallest, row[k]);
	}
	return smallest;
}

size_t edit_distance(const char *a, const char *b, size_t limit)
{
	size_t rows[3][BAND_MAX] = { { 0 } }, before = 0;

	assert(limit <= EDIT_DISTANCE_MAX);
	size_t a_len = strlen(a), b_len = strlen(b);
	if ((a_len > b_len ? a_len - b_len : b_len - a_len) > limit)
		return limit + 1;
	for (size_t i = 0; i <= a_len; i++) {
		size_t smallest = compute_row(a, i, b, b_len, limit, rows[(i + 2) % 3],
					      rows[(i + 1) % 3], rows[i % 3]);

		/* a swap can skip one row, but not two */
		if (smallest > limit && before > limit)
			return limit + 1;
		before = smallest;
	}
	return rows[a_len % 3][b_len + limit - a_len];
}

/*
 * About one edit in three bytes: with more, most short words are similar. None for a single byte, which
 * would be similar to every other.
 */
struct nearest nearest_to(const char *word)
{
	size_t limit = (strlen(word) + 1) / 3;

	return (struct nearest){ .word = word, .distance = smaller(limit, EDIT_DISTANCE_MAX) + 1 };
}

/* A single edit is more likely a misspelling than the word is the start of another name. */
enum { CONTINUED = 2 };

/* A candidate that the word continues is farther than any that continues the word. */
enum { SHORTENED = 1 << 20 };

/*
 * The length of the continuation, if the longer of the two names continues the shorter one with a new word: "_noprof"
 * after kmem_cache_alloc. 0 if it does not. The shared part is at least half of the longer name: task_struct is no
 * guess for "task" that is better than any other.
 */
static size_t continuation(const char *word, const char *candidate, size_t shared)
{
	bool shortened = word[shared] != '\0';
	const char *rest = shortened ? word + shared : candidate + shared;
	size_t more = 0;

	if ((shortened && candidate[shared]) || (*rest != '_' && *rest != '.'))
		return 0;
	while (more <= shared && rest[more])
		more++;
	if (more > shared)
		return 0;
	return shortened ? more + SHORTENED : more;
}

static bool continues(const struct nearest *n, size_t rest)
{
	if (!rest || n->distance < CONTINUED)
		return false;
	return !n->rest || rest < n->rest;
}

static void keep(struct nearest *n, const char *candidate, struct nearest how)
{
	n->name = candidate;
	n->distance = how.distance;
	n->prefix = how.prefix;
	n->rest = how.rest;
}

void nearest_offer(struct nearest *n, const char *candidate)
{
	size_t shared = 0, rest, limit, distance;

	if (!n->distance)
		return;
	while (n->word[shared] && n->word[shared] == candidate[shared])
		shared++;
	rest = continuation(n->word, candidate, shared);
	if (continues(n, rest)) {
		keep(n, candidate,
		     (struct nearest){ .distance = CONTINUED, .prefix = shared, .rest = rest });
		return;
	}
	/* as many edits are enough if it shares more */
	limit = n->name && !n->rest && shared > n->prefix ? n->distance : n->distance - 1;
	distance = edit_distance(n->word, candidate, limit);
	if (distance <= limit)
		keep(n, candidate, (struct nearest){ .distance = distance, .prefix = shared });
}

void nearest_offer_other(struct nearest *n, const char *candidate)
{
	if (strcmp(n->word, candidate) != 0)
		nearest_offer(n, candidate);
}
