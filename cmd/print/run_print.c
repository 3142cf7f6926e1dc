/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_print.c - see outputs.h
 *
 *	phase          wall s    cpu s  peak MB
 *	read            0.801    1.502     80.1
 *	...
 *	                   types      bytes
 *	in all units    5718721  120000000  (2929 units)
 *	unique    112000    3000000
 *	written           107284    2735292
 */
#include "cmd/print/outputs.h"

#include "base/cleanup.h"
#include "cmd/print/print_line.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_phase(struct text *out, const char *name, double wall, double cpu, uint64_t peak)
{
	text_printf(out, "%-12s %8.3f %8.3f %8.1f\n", name, wall, cpu, (double)peak / 1e6);
}

static void print_phases(struct text *out, const struct encode_stats *s)
{
	double wall = 0, cpu = 0;
	uint64_t peak = 0;

	text_printf(out, "%-12s %8s %8s %8s\n", "phase", "wall s", "cpu s", "peak MB");
	for (size_t i = 0; i < s->phases.nr; i++) {
		const struct encode_phase *p = &s->phases.items[i];

		print_phase(out, p->name, p->wall, p->cpu, p->peak);
		wall += p->wall;
		cpu += p->cpu;
		peak = p->peak;
	}
	print_phase(out, "total", wall, cpu, peak);
}

static void print_said(struct text *out, const struct encode_stats *s, const struct btf_view *made)
{
	text_printf(out, "\n%-16s %10s %12s\n", "", "types", "bytes");
	text_printf(out, "%-16s %10u %12" PRIu64 "  (%zu units)\n", "in all units", s->all.nr,
		    s->all.bytes, s->units.nr);
	text_printf(out, "%-16s %10u %12" PRIu64 "\n", "unique", s->first_seen.nr,
		    s->first_seen.bytes);
	text_printf(out, "%-16s %10zu %12zu\n", "written", made->types.start.nr,
		    made->types.words.nr * sizeof(uint32_t));
}

static int by_fresh_bytes(const void *a, const void *b)
{
	const struct encode_unit *const *x = a, *const *y = b;

	if ((*x)->first_seen.bytes != (*y)->first_seen.bytes)
		return (*x)->first_seen.bytes > (*y)->first_seen.bytes ? -1 : 1;
	return (*x > *y) - (*x < *y); /* in the order of the input */
}

static void print_units(struct text *out, const struct encode_stats *s, bool all)
{
	CLEANUP(mem_free)
	const struct encode_unit **units = mem_alloc(s->units.nr * sizeof(const void *));
	size_t nr = all || s->units.nr < STATS_LISTED ? s->units.nr : STATS_LISTED;

	for (size_t i = 0; i < s->units.nr; i++)
		units[i] = &s->units.items[i];
	if (s->units.nr)
		qsort(units, s->units.nr, sizeof(const void *), by_fresh_bytes);
	text_printf(out, "\nunits with the most new types:\n%10s %8s %8s\n", "bytes", "types",
		    "of all");
	for (size_t i = 0; i < nr; i++) {
		text_printf(out, "%10" PRIu64 " %8u %8u  ", units[i]->first_seen.bytes,
			    units[i]->first_seen.nr, units[i]->all.nr);
		text_escape_name(out, units[i]->name);
		text_char(out, '\n');
	}
	text_char(out, '\n');
}

static struct err *print_section(struct text *out, const char *path, const char *section,
				 const struct btf_view *v, bool all)
{
	CLEANUP(btf_stats_release) struct btf_stats stats = { 0 };

	TRY(btf_stats_count(v, &stats));
	stats_print(out, path, section, &stats, all);
	return NULL;
}

struct err *run_print(const struct encode_stats *s, const char *path,
		      const struct encode_result *made, const struct btf_input *base, bool all)
{
	CLEANUP(text_release) struct text out = { .out = stdout };
	CLEANUP(btf_view_release) struct btf_view below = { 0 };
	CLEANUP(btf_view_release) struct btf_view btf = { 0 };
	CLEANUP(btf_view_release) struct btf_view vars = { 0 };
	const struct btf_view *over = base ? &base->view : NULL;

	if (made->base) {
		TRY(btf_view_open((struct bytes){ made->base, made->base_len }, NULL, &below));
		over = &below;
	}
	TRY(btf_view_open((struct bytes){ made->btf, made->btf_len }, over, &btf));
	print_phases(&out, s);
	print_said(&out, s, &btf);
	print_units(&out, s, all);
	if (made->base)
		TRY(print_section(&out, path, ".BTF.base", &below, all));
	TRY(print_section(&out, path, ".BTF", &btf, all));
	if (!made->vars)
		return text_flush(&out, true);
	TRY(btf_view_open((struct bytes){ made->vars, made->vars_len }, &btf, &vars));
	TRY(print_section(&out, path, ".BTF.extra", &vars, all));
	return text_flush(&out, true);
}
