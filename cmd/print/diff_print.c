/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_print.c - the table and the lines of --btf_diff
 *
 *	A: old.btf
 *	B: new.btf
 *	                 A        B   only A   only B  changed
 *	STRUCT           7        7        1        1        1
 *	total           31       31        1        1        1
 *
 *	only in A: struct gone
 *	only in B: struct fresh
 *	struct task.se.rq: offset 704 bits, was 640
 *	differ only because they refer to these: 3 types of A, 3 types of B
 */
#include "cmd/print/outputs.h"

#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "cmd/print/print_line.h"

static void print_times(struct text *out, uint32_t nr)
{
	if (nr > 1)
		text_printf(out, " (%u times)", nr);
}

static void print_number(struct text *out, const struct btf_comparison *c,
			 const struct btf_difference *d)
{
	bool both = d->a && d->b;

	if (!both)
		text_printf(out, "only in %s: ", d->a ? "A" : "B");
	diff_text_type(out, &c->graph, d->a ? d->a : d->b, true);
	if (both)
		text_printf(out, ": copies %u, was %u", d->nr_b, d->nr_a);
	else
		print_times(out, d->nr_a + d->nr_b);
}

static void print_pair(struct text *out, const struct btf_comparison *c,
		       const struct btf_difference *d)
{
	if (!d->nr_a && !d->nr_b)
		text_str(out, "in the base: ");
	diff_text_path(out, c, d);
	text_str(out, ": ");
	diff_text_what(out, &c->graph, d, &diff_words_changed);
	if (d->nr_a != d->nr_b)
		text_printf(out, "; copies %u, was %u", d->nr_b, d->nr_a);
	else
		print_times(out, d->nr_a);
}

static void print_difference(struct text *out, const struct btf_comparison *c,
			     const struct btf_difference *d)
{
	CLEANUP(text_release) struct text line = { 0 };

	if (d->sort == DIFFERENCE_NUMBER)
		print_number(&line, c, d);
	else
		print_pair(&line, c, d);
	put_line(out, "", text_string(&line));
}

static void print_row(struct text *out, const char *name, const struct btf_kind_count *k)
{
	text_printf(out, "%-12s %8u %8u %8u %8u %8u\n", name, k->nr_a, k->nr_b, k->only_a,
		    k->only_b, k->changed);
}

static void print_table(struct text *out, const struct btf_comparison *c)
{
	struct btf_kind_count sum = { 0 };

	text_printf(out, "%-12s %8s %8s %8s %8s %8s\n", "", "A", "B", "only A", "only B",
		    "changed");
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		const struct btf_kind_count *k = &c->kinds[kind];

		sum.nr_a += k->nr_a;
		sum.nr_b += k->nr_b;
		sum.only_a += k->only_a;
		sum.only_b += k->only_b;
		sum.changed += k->changed;
		if (k->nr_a != k->nr_b || k->only_a || k->only_b || k->changed)
			print_row(out, btf_kind_layout(kind)->name, k);
	}
	print_row(out, "total", &sum);
}

void diff_print(struct text *out, const struct btf_comparison *c, const char *const names[2])
{
	put_line(out, "A: ", names[0]);
	put_line(out, "B: ", names[1]);
	print_table(out, c);
	text_char(out, '\n');
	for (size_t i = 0; i < c->differences.nr; i++)
		print_difference(out, c, &c->differences.items[i]);
	if (!c->differences.nr)
		text_str(out, "types differ in how they refer to one another\n");
	if (c->through_a || c->through_b)
		text_printf(
			out,
			"differ only because they refer to these: %u types of A, %u types of B\n",
			c->through_a, c->through_b);
}
