/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats_print.c - the tables of --btf_stats
 *
 *	vmlinux: .BTF: 4687582 bytes: header 24, types 2862732, strings 1824826
 *	                types    bytes  strings      all
 *	STRUCT           7410  1052340   383741  1436081
 *	...
 *	total          107284  2862732  1824825  4687557
 */
#include "cmd/print/outputs.h"

#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "cmd/print/print_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_row(struct text *out, const char *name, const struct btf_bytes *b)
{
	text_printf(out, "%-12s %8u %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n", name, b->nr,
		    b->records, b->strings, btf_bytes_sum(b));
}

static void print_kinds(struct text *out, const struct btf_stats *s)
{
	text_printf(out, "%-12s %8s %8s %8s %8s\n", "", "types", "bytes", "strings", "all");
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		if (s->kinds[kind].nr)
			print_row(out, btf_kind_layout(kind)->name, &s->kinds[kind]);
	}
	print_row(out, "total", &s->sum);
}

static void print_sites(struct text *out, const struct btf_site_count *s)
{
	if (s->nr)
		text_printf(out,
			    "inline sites: %" PRIu64 ": places of all parameters %" PRIu64
			    ", of some %" PRIu64 ", of none %" PRIu64 "; no parameters %" PRIu64
			    "\n",
			    s->nr, s->all, s->some, s->none, s->without_params);
}

static void print_waste(struct text *out, const struct btf_stats *s)
{
	if (s->unused)
		text_printf(out, "unused strings: %" PRIu64 " bytes\n", s->unused);
	if (s->repeated)
		text_printf(out, "duplicate strings: %" PRIu64 " bytes\n", s->repeated);
	if (s->copies.nr)
		text_printf(out, "duplicate types: %u, %" PRIu64 " bytes\n", s->copies.nr,
			    s->copies.records);
	if (s->copies_of_base.nr)
		text_printf(out,
			    "types that the base has: %u, %" PRIu64
			    " bytes; the feature base_typedefs avoids most\n",
			    s->copies_of_base.nr, s->copies_of_base.records);
}

/* Returns how many of @nr are listed. */
static size_t begin_list(struct text *out, const char *title, const char *column, size_t nr,
			 bool all)
{
	if (nr)
		text_printf(out, "\n%s\n%10s %8s\n", title, "bytes", column);
	return all || nr < STATS_LISTED ? nr : STATS_LISTED;
}

static void print_consumers(struct text *out, const struct btf_stats *s,
			    const struct btf_consumer *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(mem_free_text) char *text = diff_type_text(&s->graph, list[i].id, true);

		text_printf(out, "%10" PRIu64 " %8u", btf_bytes_sum(&list[i].bytes),
			    list[i].bytes.nr);
		put_line(out, "  ", text);
	}
}

static void print_prefixes(struct text *out, const struct btf_stats *s, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct btf_prefix *p = &s->prefixes.items[i];
		char *text = mem_printf("%.*s", (int)p->len, p->name);

		text_printf(out, "%10" PRIu64 " %8u  ", btf_bytes_sum(&p->bytes), p->bytes.nr);
		text_escape_name(out, p->len ? text : "(no underscore)");
		text_char(out, '\n');
		mem_free_text(&text);
	}
}

/* The rest of the first line, and all numbers. */
static void print_numbers(struct text *out, const struct btf_stats *s)
{
	text_printf(out,
		    ": %" PRIu64 " bytes: header %" PRIu64 ", types %" PRIu64 ", strings %" PRIu64
		    "\n",
		    s->bytes, btf_stats_header(s), s->sum.records, s->strings);
	print_kinds(out, s);
	print_sites(out, &s->sites);
	print_waste(out, s);
}

void stats_print(struct text *out, const char *path, const char *section, const struct btf_stats *s,
		 bool all)
{
	size_t nr;

	text_escape(out, path);
	text_printf(out, ": %s", section);
	print_numbers(out, s);
	nr = begin_list(out, "largest types, with their unnamed types:", "types", s->consumers.nr,
			all);
	print_consumers(out, s, s->consumers.items, nr);
	nr = begin_list(out, "by prefix of the name:", "types", s->prefixes.nr, all);
	print_prefixes(out, s, nr);
	nr = begin_list(out, "several types of one name:", "copies", s->copied.nr, all);
	print_consumers(out, s, s->copied.items, nr);
}

/* --- several files ------------------------------------------------------------------- */

void stats_sum_add(struct stats_sum *to, const char *path, const struct btf_stats *s)
{
	btf_stats_add(&to->all, s);
	vec_push(&to->files, ((struct stats_file){ path, s->bytes, s->sum.nr }));
}

static int by_bytes(const void *a, const void *b)
{
	const struct stats_file *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->path, y->path);
}

void stats_sum_end(struct stats_sum *s)
{
	vec_sort(&s->files, by_bytes);
}

void stats_sum_release(struct stats_sum *s)
{
	free(s->files.items);
	*s = (struct stats_sum){ 0 };
}

void stats_print_sum(struct text *out, const struct stats_sum *s, bool all)
{
	size_t nr;

	text_printf(out, "total of %zu file%s", s->files.nr, s->files.nr == 1 ? "" : "s");
	print_numbers(out, &s->all);
	nr = begin_list(out, "largest files:", "types", s->files.nr, all);
	for (size_t i = 0; i < nr; i++) {
		const struct stats_file *f = &s->files.items[i];

		text_printf(out, "%10" PRIu64 " %8u", f->bytes, f->types);
		put_line(out, "  ", f->path);
	}
}
