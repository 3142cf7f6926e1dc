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
 *	struct task.se.rq: offset 88 bytes, was 80
 *	struct list: size 16 bytes, was 8
 *	  old: gone (int)
 *	  next: struct list *, was void *
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

static enum color color_of_change(const struct btf_change *x)
{
	return x->sort == CHANGE_GONE ? COLOR_GONE :
	       x->sort == CHANGE_NEW  ? COLOR_NEW :
					COLOR_CHANGED;
}

static enum color color_of_difference(const struct btf_comparison *c,
				      const struct btf_difference *d)
{
	if (d->sort != DIFFERENCE_NUMBER)
		return color_of_change(&c->changes.items[d->change]);
	return !d->b ? COLOR_GONE : !d->a ? COLOR_NEW : COLOR_CHANGED;
}

/* The end of the first line about a type that changed. */
static void put_copies(struct text *out, const struct btf_difference *d)
{
	if (d->nr_a != d->nr_b)
		text_printf(out, "; copies %u, was %u", d->nr_b, d->nr_a);
	else
		print_times(out, d->nr_a);
}

static void put_first(struct text *out, const struct btf_difference *d)
{
	if (!d->nr_a && !d->nr_b)
		text_str(out, "in the base: ");
}

/* A line of its own, if @d has one change, maybe with the size of its record. */
static bool print_single(struct text *out, const struct btf_comparison *c,
			 const struct btf_difference *d)
{
	const struct btf_change *x = &c->changes.items[d->change];

	if (d->nr_changes > 2 ||
	    (d->nr_changes == 2 && (x[1].sort != CHANGE_SIZE || x[1].at_b != x->at_b)))
		return false;
	put_first(out, d);
	diff_text_line(out, c, d, x, &diff_words_changed);
	put_copies(out, d);
	return true;
}

/* The size of the type itself, or of the struct without a name that a typedef names; NULL: it has not changed. */
static const struct btf_change *size_of_type(const struct btf_comparison *c,
					     const struct btf_difference *d)
{
	for (size_t i = d->nr_changes; i > 0; i--) {
		CLEANUP(text_release) struct text path = { 0 };
		const struct btf_change *x = &c->changes.items[d->change + i - 1];

		if (x->sort != CHANGE_SIZE)
			break;
		diff_text_path(&path, c, d, x);
		if (!path.nr)
			return x;
	}
	return NULL;
}

/* The type, and @size, unless that is NULL. */
static void print_head(struct text *out, const struct btf_comparison *c,
		       const struct btf_difference *d, const struct btf_change *size)
{
	put_first(out, d);
	diff_text_type(out, &c->graph, d->b, true);
	text_char(out, ':');
	if (size) {
		text_char(out, ' ');
		diff_text_what(out, &c->graph, d, size, &diff_words_changed);
	}
	put_copies(out, d);
}

/* Print changes from @x on, at most @nr; returns how many they are. */
static size_t print_changes(struct text *out, const struct btf_comparison *c,
			    const struct btf_difference *d, const struct btf_change *x, size_t nr)
{
	CLEANUP(text_release) struct text line = { 0 };
	size_t together = diff_moved_together(&c->graph, x, nr), start;

	if (together > 1) {
		diff_text_moved(&line, c, d, x, together);
	} else {
		diff_text_path(&line, c, d, x);
		start = line.nr;
		text_str(&line, start ? ": " : "");
		diff_text_what(&line, &c->graph, d, x, &diff_words_changed);
	}
	put_colored_line(out, color_of_change(x), "  ", text_string(&line));
	return together;
}

/* A line for the type, and the changes below it. */
static void print_changed(struct text *out, const struct btf_comparison *c,
			  const struct btf_difference *d)
{
	CLEANUP(text_release) struct text head = { 0 };
	const struct btf_change *changes = &c->changes.items[d->change];
	const struct btf_change *size = size_of_type(c, d);

	print_head(&head, c, d, size);
	put_colored_line(out, COLOR_HEAD, "", text_string(&head));
	for (size_t i = 0; i < d->nr_changes;) {
		if (&changes[i] == size)
			i++;
		else
			i += print_changes(out, c, d, &changes[i], d->nr_changes - i);
	}
}

static void print_difference(struct text *out, const struct btf_comparison *c,
			     const struct btf_difference *d)
{
	CLEANUP(text_release) struct text line = { 0 };

	if (d->sort == DIFFERENCE_NUMBER) {
		print_number(&line, c, d);
	} else if (!print_single(&line, c, d)) {
		print_changed(out, c, d);
		return;
	}
	put_colored_line(out, color_of_difference(c, d), "", text_string(&line));
}

void diff_totals_add(struct diff_totals *t, const struct btf_comparison *c)
{
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		struct btf_kind_count *sum = &t->kinds[kind];
		const struct btf_kind_count *k = &c->kinds[kind];

		sum->nr_a += k->nr_a;
		sum->nr_b += k->nr_b;
		sum->only_a += k->only_a;
		sum->only_b += k->only_b;
		sum->changed += k->changed;
	}
	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];

		t->differences += d->nr_changes ? d->nr_changes : 1;
	}
	t->through_a += c->through_a;
	t->through_b += c->through_b;
}

void diff_print_names(struct text *out, const char *const names[2])
{
	put_line(out, "A: ", names[0]);
	put_line(out, "B: ", names[1]);
}

static void print_row(struct text *out, const char *name, const struct btf_kind_count *k)
{
	text_printf(out, "%-12s %8u %8u %8u %8u %8u\n", name, k->nr_a, k->nr_b, k->only_a,
		    k->only_b, k->changed);
}

void diff_print_kinds(struct text *out, const struct btf_kind_count *kinds)
{
	struct btf_kind_count sum = { 0 };

	text_printf(out, "%-12s %8s %8s %8s %8s %8s\n", "", "A", "B", "only A", "only B",
		    "changed");
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		const struct btf_kind_count *k = &kinds[kind];

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

void diff_print(struct text *out, const struct btf_comparison *c)
{
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

void diff_print_totals(struct text *out, const struct diff_totals *t)
{
	text_printf(out, "files: %zu differ, %zu are equal, %zu only in A, %zu only in B",
		    t->differ, t->equal, t->only_a, t->only_b);
	if (t->failed)
		text_printf(out, ", %zu not compared", t->failed);
	text_char(out, '\n');
}
