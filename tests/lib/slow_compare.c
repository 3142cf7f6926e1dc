/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/slow_compare.h"

#include "base/arena.h"
#include "tests/lib/btfbuild.h"

#include <string.h>

static const struct btf_view *slow_view(const struct slow_compare *c, uint32_t n)
{
	return c->views[n >= c->first_b];
}

static uint32_t *slow_rec(const struct slow_compare *c, uint32_t n)
{
	return btf_types_rec(&slow_view(c, n)->types, n < c->first_b ? n : n - c->first_b + 1);
}

static uint32_t slow_number(const struct slow_compare *c, uint32_t n, uint32_t id)
{
	return !id || n < c->first_b ? id : id + c->first_b - 1;
}

static const char *slow_name(const struct slow_compare *c, uint32_t n, uint32_t off)
{
	return (const char *)slow_view(c, n)->strings.ptr + off;
}

/* Do the records say the same, but for what they refer to? */
static bool slow_same_record(const struct slow_compare *c, uint32_t a, uint32_t b)
{
	uint32_t *x = slow_rec(c, a), *y = slow_rec(c, b);
	size_t nr = btf_rec_words(x);
	bool same = x[BTF_REC_INFO] == y[BTF_REC_INFO];

	if (!same)
		return false;

	uint32_t *p = mem_dup(x, nr * sizeof(*x)), *q = mem_dup(y, nr * sizeof(*y));
	for (size_t i = 0; btf_rec_name(x, i); i++) {
		same &= !strcmp(slow_name(c, a, *btf_rec_name(x, i)),
				slow_name(c, b, *btf_rec_name(y, i)));
		*btf_rec_name(p, i) = *btf_rec_name(q, i) = 0;
	}
	for (size_t i = 0; btf_rec_type(x, i); i++)
		*btf_rec_type(p, i) = *btf_rec_type(q, i) = 0;
	if (btf_info_kind(x[BTF_REC_INFO]) == BTF_FWD) /* what gcc leaves there */
		p[BTF_REC_SIZE_TYPE] = q[BTF_REC_SIZE_TYPE] = 0;
	same &= !memcmp(p, q, nr * sizeof(*p));
	free(p);
	free(q);
	return same;
}

/* How many tags on @n say what @tag says? */
static uint32_t slow_count_tags(const struct slow_compare *c, uint32_t n, uint32_t tag)
{
	uint32_t nr = 0, from = n < c->first_b ? 1 : c->first_b;
	uint32_t end = n < c->first_b ? c->first_b : c->nr;

	for (uint32_t i = from; i < end; i++) {
		const uint32_t *rec = slow_rec(c, i);

		nr += btf_info_kind(rec[BTF_REC_INFO]) == BTF_DECL_TAG &&
		      slow_number(c, i, rec[BTF_REC_SIZE_TYPE]) == n && slow_same_record(c, i, tag);
	}
	return nr;
}

/* Has @a no tag more often than @b? */
static bool slow_tags_within(const struct slow_compare *c, uint32_t a, uint32_t b)
{
	for (uint32_t i = 1; i < c->nr; i++) {
		if (btf_info_kind(slow_rec(c, i)[BTF_REC_INFO]) == BTF_DECL_TAG &&
		    slow_count_tags(c, a, i) > slow_count_tags(c, b, i))
			return false;
	}
	return true;
}

static bool slow_same_references(const struct slow_compare *c, uint32_t a, uint32_t b)
{
	uint32_t *x = slow_rec(c, a), *y = slow_rec(c, b);

	for (size_t i = 0; btf_rec_type(x, i); i++) {
		uint32_t to_a = slow_number(c, a, *btf_rec_type(x, i));
		uint32_t to_b = slow_number(c, b, *btf_rec_type(y, i));

		if ((to_a == 0) != (to_b == 0) || (to_a && !*slow_same(c, to_a, to_b)))
			return false;
	}
	return true;
}

void slow_compare_init(struct slow_compare *c, const struct btf_view *a, const struct btf_view *b)
{
	bool changed = true;

	*c = (struct slow_compare){ .views = { a, b } };
	c->first_b = btf_types_end(&a->types);
	c->nr = c->first_b + btf_types_end(&b->types) - 1;
	c->same = mem_zalloc((size_t)c->nr * c->nr, sizeof(*c->same));
	for (uint32_t x = 1; x < c->nr; x++) {
		for (uint32_t y = 1; y < c->nr; y++)
			*slow_same(c, x, y) = slow_same_record(c, x, y) &&
					      slow_tags_within(c, x, y) &&
					      slow_tags_within(c, y, x);
	}
	while (changed) {
		changed = false;
		for (uint32_t x = 1; x < c->nr; x++) {
			for (uint32_t y = 1; y < c->nr; y++) {
				if (!*slow_same(c, x, y) || slow_same_references(c, x, y))
					continue;
				*slow_same(c, x, y) = false;
				changed = true;
			}
		}
	}
}

uint32_t slow_compare_more(const struct slow_compare *c, bool second)
{
	uint32_t more = 0;

	for (uint32_t x = 1; x < c->nr; x++) {
		uint32_t before = 0, other = 0;

		if ((x >= c->first_b) != second)
			continue;
		for (uint32_t y = 1; y < c->nr; y++) {
			bool same_side = (y >= c->first_b) == second;

			before += *slow_same(c, x, y) && same_side && y < x;
			other += *slow_same(c, x, y) && !same_side;
		}
		more += before >= other;
	}
	return more;
}
