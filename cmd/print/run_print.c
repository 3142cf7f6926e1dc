/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_print.c - see run_print.h
 *
 *	phase          wall s    cpu s  peak MB
 *	read            0.801    1.502     80.1
 *	...
 *	                   types      bytes
 *	said by units    5718721  120000000  (2929 units)
 *	without copies    112000    3000000
 *	written           107284    2735292
 */
#include "cmd/print/run_print.h"

#include "base/cleanup.h"
#include "cmd/print/name_print.h"
#include "cmd/print/stats_print.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_phase(const char *name, double wall, double cpu, uint64_t peak)
{
	printf("%-12s %8.3f %8.3f %8.1f\n", name, wall, cpu, (double)peak / 1e6);
}

static void print_phases(const struct encode_stats *s)
{
	double wall = 0, cpu = 0;
	uint64_t peak = 0;

	printf("%-12s %8s %8s %8s\n", "phase", "wall s", "cpu s", "peak MB");
	for (size_t i = 0; i < s->phases.nr; i++) {
		const struct encode_phase *p = &s->phases.items[i];

		print_phase(p->name, p->wall, p->cpu, p->peak);
		wall += p->wall;
		cpu += p->cpu;
		peak = p->peak;
	}
	print_phase("total", wall, cpu, peak);
}

static void print_said(const struct encode_stats *s, const struct btf_view *made)
{
	printf("\n%-16s %10s %12s\n", "", "types", "bytes");
	printf("%-16s %10" PRIu32 " %12" PRIu64 "  (%zu units)\n", "said by units", s->all.nr,
	       s->all.bytes, s->units.nr);
	printf("%-16s %10" PRIu32 " %12" PRIu64 "\n", "without copies", s->fresh.nr,
	       s->fresh.bytes);
	printf("%-16s %10zu %12zu\n", "written", made->types.start.nr,
	       made->types.words.nr * sizeof(uint32_t));
}

static int by_fresh_bytes(const void *a, const void *b)
{
	const struct encode_unit *const *x = a, *const *y = b;

	if ((*x)->fresh.bytes != (*y)->fresh.bytes)
		return (*x)->fresh.bytes > (*y)->fresh.bytes ? -1 : 1;
	return (*x > *y) - (*x < *y); /* in the order of the input */
}

static void print_units(const struct encode_stats *s, bool all)
{
	const struct encode_unit **units = mem_alloc(s->units.nr * sizeof(const void *));
	size_t nr = all || s->units.nr < STATS_LISTED ? s->units.nr : STATS_LISTED;

	for (size_t i = 0; i < s->units.nr; i++)
		units[i] = &s->units.items[i];
	if (s->units.nr)
		qsort(units, s->units.nr, sizeof(const void *), by_fresh_bytes);
	printf("\nunits that say most that none before them does:\n%10s %8s %8s\n", "bytes",
	       "types", "of all");
	for (size_t i = 0; i < nr; i++) {
		printf("%10" PRIu64 " %8" PRIu32 " %8" PRIu32 "  ", units[i]->fresh.bytes,
		       units[i]->fresh.nr, units[i]->all.nr);
		name_print(stdout, units[i]->name);
		putchar('\n');
	}
	putchar('\n');
	free(units);
}

static struct err *print_section(const char *path, const char *section, const struct btf_view *v,
				 bool all)
{
	CLEANUP(btf_stats_release) struct btf_stats stats = { 0 };

	TRY(btf_stats_count(v, &stats));
	stats_print(path, section, v, &stats, all);
	return NULL;
}

struct err *run_print(const struct encode_stats *s, const char *path, const struct encoded *made,
		      const struct btf_input *base, bool all)
{
	CLEANUP(btf_view_release) struct btf_view below = { 0 };
	CLEANUP(btf_view_release) struct btf_view btf = { 0 };
	CLEANUP(btf_view_release) struct btf_view vars = { 0 };
	const struct btf_view *over = base ? &base->view : NULL;

	if (made->base) {
		TRY(btf_view_open((struct bytes){ made->base, made->base_len }, NULL, &below));
		over = &below;
	}
	TRY(btf_view_open((struct bytes){ made->btf, made->btf_len }, over, &btf));
	print_phases(s);
	print_said(s, &btf);
	print_units(s, all);
	if (made->base)
		TRY(print_section(path, ".BTF.base", &below, all));
	TRY(print_section(path, ".BTF", &btf, all));
	if (!made->vars)
		return NULL;
	TRY(btf_view_open((struct bytes){ made->vars, made->vars_len }, &btf, &vars));
	return print_section(path, ".BTF.extra", &vars, all);
}
