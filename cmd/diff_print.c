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
 *	because of these differ, too: 3 types of A, 3 types of B
 */
#include "cmd/diff_print.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "cmd/diff_text.h"
#include "cmd/name_print.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- what one record says, and the other said -------------------------------------------- */

/* Parts of a line have a comma or a semicolon between them. */
static void say_number(FILE *out, const char **between, const char *what, int64_t is, int64_t was,
		       const char *unit)
{
	if (is == was)
		return;
	fprintf(out, "%s%s%" PRId64 "%s, was %" PRId64, *between, what, is, unit, was);
	*between = "; ";
}

static void say_size(FILE *out, const struct type_graph *g, const struct btf_difference *d,
		     const char **between)
{
	const uint32_t *a = type_graph_words(g, d->at_a), *b = type_graph_words(g, d->at_b);

	say_number(out, between, "size ", b[BTF_REC_SIZE_TYPE], a[BTF_REC_SIZE_TYPE], " bytes");
}

/* Offset in bits and width, 0 if it is no bit field. */
struct place {
	uint32_t offset, width;
};

static struct place place_of(const struct type_graph *g, uint32_t n, uint32_t i)
{
	uint32_t word = type_graph_element(g, n, i)[2];

	if (!btf_info_kflag(type_graph_words(g, n)[BTF_REC_INFO]))
		return (struct place){ word, 0 };
	return (struct place){ word & 0xffffff, word >> 24 };
}

static uint64_t value_of(const struct type_graph *g, uint32_t n, uint32_t i)
{
	const uint32_t *e = type_graph_element(g, n, i);
	bool is_signed = btf_info_kflag(type_graph_words(g, n)[BTF_REC_INFO]);

	if (type_graph_kind(g, n) == BTF_ENUM64)
		return e[1] | (uint64_t)e[2] << 32;
	return is_signed ? (uint64_t)(int32_t)e[1] : e[1];
}

static void print_value(FILE *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	if (btf_info_kflag(type_graph_words(g, n)[BTF_REC_INFO]))
		fprintf(out, "%" PRId64, (int64_t)value_of(g, n, i));
	else
		fprintf(out, "%" PRIu64, value_of(g, n, i));
}

static void say_element_data(FILE *out, const struct type_graph *g, const struct btf_difference *d,
			     const char **between)
{
	const uint32_t *a = type_graph_element(g, d->at_a, d->index);
	const uint32_t *b = type_graph_element(g, d->at_b, d->index);

	if (type_graph_kind(g, d->at_a) == BTF_DATASEC) {
		say_number(out, between, "offset ", b[1], a[1], " bytes");
		say_number(out, between, "size ", b[2], a[2], " bytes");
	} else if (btf_kind_layout(type_graph_kind(g, d->at_a))->elem_type < 0) {
		print_value(out, g, d->at_b, d->index);
		fprintf(out, ", was ");
		print_value(out, g, d->at_a, d->index);
	} else {
		struct place is = place_of(g, d->at_b, d->index);
		struct place was = place_of(g, d->at_a, d->index);

		say_number(out, between, "offset ", is.offset, was.offset, " bits");
		say_number(out, between, "width ", is.width, was.width, " bits");
	}
}

/* What a word beside the record means: of an INT, a FUNC, a VAR. */
static void print_data(FILE *out, const struct type_graph *g, uint32_t n)
{
	static const char *const linkages[] = { "static", "global", "extern" };
	const uint32_t *words = type_graph_words(g, n);
	uint32_t data = words[BTF_REC_WORDS];

	switch (type_graph_kind(g, n)) {
	case BTF_INT:
		fprintf(out, "%s%s%s%s%" PRIu32 " bits", data >> 24 & BTF_ENC_BOOL ? "bool, " : "",
			data >> 24 & BTF_ENC_CHAR ? "char, " : "",
			data >> 24 & BTF_ENC_SIGNED ? "signed, " : "",
			data >> 27 ? "unknown bits, " : "", data & 0xff);
		if (data >> 16 & 0xff)
			fprintf(out, " from bit %" PRIu32, data >> 16 & 0xff);
		return;
	case BTF_FUNC:
		data = btf_info_vlen(words[BTF_REC_INFO]);
		break;
	default:
		break;
	}
	if (data < ARRAY_SIZE(linkages))
		fputs(linkages[data], out);
	else
		fprintf(out, "linkage %" PRIu32, data);
}

static const char *kind_text(const struct type_graph *g, uint32_t n)
{
	switch (type_graph_kind(g, n)) {
	case BTF_STRUCT:
	case BTF_UNION:
		return "a definition";
	case BTF_FWD:
		return "a declaration";
	default:
		return btf_kind_layout(type_graph_kind(g, n))->name;
	}
}

static void say_flag(FILE *out, const struct type_graph *g, const struct btf_difference *d)
{
	bool is = btf_info_kflag(type_graph_words(g, d->at_b)[BTF_REC_INFO]);
	uint32_t kind = type_graph_kind(g, d->at_a);

	if (kind == BTF_ENUM || kind == BTF_ENUM64)
		fprintf(out, "%s, was %s", is ? "signed" : "unsigned", is ? "unsigned" : "signed");
	else
		fprintf(out, "kind flag %d, was %d", is, !is);
}

/* The tags of @n that @other does not have; both are in order. Returns how many. */
static void say_tags(FILE *out, const struct type_graph *g, uint32_t n, uint32_t other,
		     const char *what, const char **between)
{
	const uint32_t *x = type_graph_words(g, n), *y = type_graph_words(g, other);
	const uint32_t *end = g->words + g->word_start[n + 1];
	const uint32_t *y_end = g->words + g->word_start[other + 1];

	for (x += btf_rec_words(x), y += btf_rec_words(y); x < end; x += TAG_WORDS) {
		const uint32_t *same = y;

		/* behind the one that was found last, so that twice is not once */
		while (same < y_end && memcmp(same, x, TAG_WORDS * sizeof(*x)) != 0)
			same += TAG_WORDS;
		if (same < y_end) {
			y = same + TAG_WORDS;
			continue;
		}
		fprintf(out, "%stag '", *between);
		name_print(out, g->names[x[TAG_NAME]]);
		fprintf(out, "'");
		if (x[TAG_COMPONENT] != UINT32_MAX)
			fprintf(out, " of %s %" PRIu32,
				type_graph_kind(g, n) == BTF_FUNC ? "parameter" : "member",
				x[TAG_COMPONENT] + 1);
		fprintf(out, " %s", what);
		*between = "; ";
	}
}

/* The text of a type, on the heap. */
static char *type_text(const struct type_graph *g, uint32_t n)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		mem_die();
	diff_text_type(f, g, n, false);
	if (fclose(f))
		mem_die();
	return text;
}

static void say_types(FILE *out, const struct type_graph *g, const struct btf_difference *d)
{
	CLEANUP(mem_free_text) char *is = type_text(g, d->type_b);
	CLEANUP(mem_free_text) char *was = type_text(g, d->type_a);

	if (d->sort == DIFFERENCE_ANOTHER || !strcmp(is, was))
		fprintf(out, "another %s", is);
	else
		fprintf(out, "%s, was %s", is, was);
}

static void say_names(FILE *out, const struct type_graph *g, const struct btf_difference *d)
{
	diff_text_element(out, g, d->at_b, d->index);
	fprintf(out, ", was ");
	diff_text_element(out, g, d->at_a, d->index);
}

/* What is behind the place. */
static void say_what(FILE *out, const struct type_graph *g, const struct btf_difference *d)
{
	const uint32_t *a = type_graph_words(g, d->at_a), *b = type_graph_words(g, d->at_b);
	const char *between = "";

	switch (d->what) {
	case WHAT_KIND:
		fprintf(out, "%s, was %s", kind_text(g, d->at_b), kind_text(g, d->at_a));
		return;
	case WHAT_ELEMENT_NEW:
		diff_text_element(out, g, d->at_b, d->index);
		fprintf(out, " is new");
		break;
	case WHAT_ELEMENT_OLD:
		diff_text_element(out, g, d->at_a, d->index);
		fprintf(out, " is gone");
		break;
	case WHAT_ELEMENT_NAME:
		say_names(out, g, d);
		break;
	case WHAT_ELEMENT_DATA:
		say_element_data(out, g, d, &between);
		break;
	case WHAT_INDEX:
		fprintf(out, "array index ");
		say_types(out, g, d);
		break;
	case WHAT_TYPE:
		say_types(out, g, d);
		break;
	case WHAT_SIZE:
		break;
	case WHAT_DATA:
		print_data(out, g, d->at_b);
		fprintf(out, ", was ");
		print_data(out, g, d->at_a);
		break;
	case WHAT_FLAG:
		say_flag(out, g, d);
		break;
	case WHAT_TAGS:
		say_tags(out, g, d->at_b, d->at_a, "is new", &between);
		say_tags(out, g, d->at_a, d->at_b, "is gone", &between);
		break;
	case WHAT_OTHER:
		fprintf(out, "info %#" PRIx32 ", was %#" PRIx32, b[BTF_REC_INFO], a[BTF_REC_INFO]);
		break;
	}
	if (d->what != WHAT_SIZE)
		between = "; ";
	say_size(out, g, d, &between);
}

/* --- lines ------------------------------------------------------------------------------- */

static void print_times(FILE *out, uint32_t nr)
{
	if (nr > 1)
		fprintf(out, " (%" PRIu32 " times)", nr);
}

static void print_number(FILE *out, const struct btf_comparison *c, const struct btf_difference *d)
{
	bool both = d->a && d->b;

	if (!both)
		fprintf(out, "only in %s: ", d->a ? "A" : "B");
	diff_text_type(out, &c->graph, d->a ? d->a : d->b, true);
	if (both)
		fprintf(out, ": copies %" PRIu32 ", was %" PRIu32, d->nr_b, d->nr_a);
	else
		print_times(out, d->nr_a + d->nr_b);
	putc('\n', out);
}

static void print_pair(FILE *out, const struct btf_comparison *c, const struct btf_difference *d)
{
	if (!d->nr_a && !d->nr_b)
		fprintf(out, "in the base: ");
	diff_text_path(out, c, d);
	fprintf(out, ": ");
	say_what(out, &c->graph, d);
	if (d->nr_a != d->nr_b)
		fprintf(out, "; copies %" PRIu32 ", was %" PRIu32, d->nr_b, d->nr_a);
	else
		print_times(out, d->nr_a);
	putc('\n', out);
}

static void print_row(FILE *out, const char *name, const struct btf_kind_count *k)
{
	fprintf(out, "%-12s %8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 "\n",
		name, k->nr_a, k->nr_b, k->only_a, k->only_b, k->changed);
}

static void print_table(FILE *out, const struct btf_comparison *c)
{
	struct btf_kind_count sum = { 0 };

	fprintf(out, "%-12s %8s %8s %8s %8s %8s\n", "", "A", "B", "only A", "only B", "changed");
	for (uint32_t kind = 1; kind < BTF_NR_KINDS; kind++) {
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

void diff_print(FILE *out, const struct btf_comparison *c, const char *const names[2])
{
	for (size_t i = 0; i < 2; i++) {
		fprintf(out, "%c: ", "AB"[i]);
		name_print(out, names[i]);
		putc('\n', out);
	}
	print_table(out, c);
	putc('\n', out);
	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];

		if (d->sort == DIFFERENCE_NUMBER)
			print_number(out, c, d);
		else
			print_pair(out, c, d);
	}
	if (!c->differences.nr)
		fprintf(out, "types differ in how they refer to one another\n");
	if (c->through_a || c->through_b)
		fprintf(out,
			"because of these differ, too: %" PRIu32 " types of A, %" PRIu32
			" types of B\n",
			c->through_a, c->through_b);
}
