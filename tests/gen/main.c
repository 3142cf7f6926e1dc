/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * main.c - writes a random C program of several units
 *
 *	btfgen [--atomic] [--complex] [--overlap] [--percpu_parts] SEED FOLDER
 *
 * writes FOLDER/u0.c, u1.c, ... One seed gives one text. The options add what pahole 1.31 is
 * known not to encode as it should (tests/diff/known.txt), for comparisons with others.
 */
#include "tests/gen/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool wish(struct wishes *w, const char *arg)
{
	if (!strcmp(arg, "--atomic"))
		w->atomic = true;
	else if (!strcmp(arg, "--complex"))
		w->complex = true;
	else if (!strcmp(arg, "--overlap"))
		w->overlap = true;
	else if (!strcmp(arg, "--percpu_parts"))
		w->percpu_parts = true;
	else
		return false;
	return true;
}

static void make(struct prog *p)
{
	struct rnd units = rnd_part(p->seed, 1), named = rnd_part(p->seed, 2);
	struct rnd funcs = rnd_part(p->seed, 3), vars = rnd_part(p->seed, 4);

	p->nr_units = 1 + rnd_below(&units, 3);
	if (rnd_one_in(&units, 8))
		p->nr_units = MAX_UNITS;
	make_named(p, &named);
	make_funcs(p, &funcs);
	make_vars(p, &vars);
}

static int write_units(struct prog *p, const char *folder)
{
	for (unsigned u = 0; u < p->nr_units; u++) {
		const char *path = text(p, "%s/u%u.c", folder, u);
		FILE *f = fopen(path, "w");
		int bad;

		if (!f) {
			fprintf(stderr, "btfgen: %s: %m\n", path);
			return 1;
		}
		print_unit(p, u, f);
		bad = ferror(f);
		if (fclose(f) || bad) {
			fprintf(stderr, "btfgen: cannot write %s\n", path);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct prog p = { 0 };
	int first = 1, status;
	char *end;

	while (first < argc && wish(&p.wishes, argv[first]))
		first++;
	if (argc - first != 2) {
		fprintf(stderr, "usage: btfgen [--atomic] [--complex] [--overlap] [--percpu_parts] "
				"SEED FOLDER\n");
		return 64;
	}
	errno = 0;
	p.seed = strtoull(argv[first], &end, 10);
	if (errno || *end || end == argv[first]) {
		fprintf(stderr, "btfgen: '%s' is not a seed\n", argv[first]);
		return 64;
	}
	make(&p);
	status = write_units(&p, argv[first + 1]);
	arena_release(&p.mem);
	return status;
}
