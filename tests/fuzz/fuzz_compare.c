/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_compare.c - any two BTFs, one behind the other, or one and what some changed bytes make of
 * it
 *
 * The first byte says how many bytes are changed, 0 for two BTFs; then come an offset and a value for
 * each. Equal types are equal in both directions, and by slow_compare.h if that is not too slow;
 * and every difference can be printed.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/compare/btf_brief.h"
#include "btf/compare/btf_core.h"
#include "cmd/print/outputs.h"
#include "tests/lib/slow_compare.h"

#include <stdlib.h>

enum { PATCH_LEN = 3, SLOW_MAX = 60 };

static void check_printed(const struct btf_comparison *c)
{
	CLEANUP(text_release) struct text text = { 0 };

	diff_print(&text, c);
	json_diff(&text, c, NULL);
	/* a line for each */
	if (text.nr < c->differences.nr)
		abort();
}

/* Every difference can be judged; the result does not matter here. */
static void check_judged(const struct btf_comparison *c, const struct btf_view *b)
{
	CLEANUP(btf_defined_release) struct btf_defined base = { 0 };
	CLEANUP(btf_core_release) struct btf_core core = { 0 };
	size_t nr = 0;

	btf_defined_find(b, &base);
	btf_core_open(c, &base, &core);
	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];

		if (!d->nr_changes)
			nr += btf_core_number_breaks(&core, d);
		for (size_t k = 0; k < d->nr_changes; k++)
			nr += btf_core_change_breaks(&core, d, &c->changes.items[d->change + k]);
	}
	if (nr > c->differences.nr + c->changes.nr)
		abort();
}

/* The first half of each is the base of the other half. */
static void check_brief(const struct btf_view *a, const struct btf_view *b)
{
	CLEANUP(btf_brief_release) struct btf_brief first = { 0 };
	CLEANUP(btf_brief_release) struct btf_brief second = { 0 };
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };

	btf_brief_make(&(struct btf_side){ a, (1 + btf_types_end(&a->types)) / 2 }, &first);
	btf_brief_make(&(struct btf_side){ b, (1 + btf_types_end(&b->types)) / 2 }, &second);
	if (btf_compare(&(struct btf_side){ &first.view, first.first },
			&(struct btf_side){ &second.view, second.first }, true, &c))
		abort();
	if (!c.equal)
		check_printed(&c);
}

static void check_pair(const struct btf_view *a, const struct btf_view *b)
{
	CLEANUP(btf_comparison_release) struct btf_comparison there = { 0 };
	CLEANUP(btf_comparison_release) struct btf_comparison back = { 0 };
	const struct btf_side sides[2] = { { a, 1 }, { b, 1 } };

	if (btf_compare(&sides[0], &sides[1], true, &there) ||
	    btf_compare(&sides[1], &sides[0], false, &back))
		abort();
	if (there.equal != back.equal)
		abort();
	if (a->types.start.nr + b->types.start.nr <= SLOW_MAX) {
		CLEANUP(slow_compare_release) struct slow_compare slow;

		slow_compare_init(&slow, a, b);
		if (there.equal !=
		    (!slow_compare_more(&slow, false) && !slow_compare_more(&slow, true)))
			abort();
	}
	check_brief(a, b);
	if (there.equal)
		return;
	check_printed(&there);
	check_judged(&there, b);
}

static void compare(struct bytes first, struct bytes second)
{
	CLEANUP(btf_view_release) struct btf_view a = { 0 }, b = { 0 };
	struct err *e = btf_view_open(first, NULL, &a);

	if (!e)
		e = btf_view_open(second.ptr ? second : bytes_from(first, a.size), NULL, &b);
	if (!e)
		check_pair(&a, &b);
	err_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes all = { data, size };
	size_t nr = size ? data[0] % 8 : 0;
	uint8_t *copy;

	if (size < 1 + PATCH_LEN * nr)
		return 0;
	all = bytes_from(all, 1 + PATCH_LEN * nr);
	if (!nr || !all.len) {
		compare(all, (struct bytes){ 0 });
		return 0;
	}
	copy = malloc(all.len);
	if (!copy)
		abort();
	memcpy(copy, all.ptr, all.len);
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *patch = data + 1 + PATCH_LEN * i;

		copy[load16(patch) % all.len] = patch[2];
	}
	compare(all, (struct bytes){ copy, all.len });
	free(copy);
	return 0;
}
