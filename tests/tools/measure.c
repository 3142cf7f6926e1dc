/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure.c - measure what a command costs; for the benchmarks
 *
 *	measure RESULTS [-l LIST] COMMAND [ARGUMENT...]
 *
 * With -l, COMMAND runs once for each line of LIST, which replaces "{}" in its arguments. Appends a line to RESULTS:
 * user seconds, elapsed seconds, KB at the peak, blocks of 512 bytes read from the disk, page faults that waited for it,
 * system seconds. Times are sums, the peak is that of the largest run. Ends with status 1 if a run fails.
 *
 * btfenc encodes an object in 3 ms. time(1) rounds to 10 ms, and a shell that starts a series of commands adds its
 * own time to theirs.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cost {
	double user, elapsed, system;
	long peak, blocks, faults;
};

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "measure: %s\n", what);
	exit(EXIT_FAILURE);
}

/* Run @argv and add its cost to @c. False if it fails. */
static bool run(char **argv, struct cost *c)
{
	struct rusage r;
	int status;
	double began = now();
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &r) != pid)
		die("the command cannot be started");
	c->elapsed += now() - began;
	c->user += seconds_of(r.ru_utime);
	c->system += seconds_of(r.ru_stime);
	c->peak = r.ru_maxrss > c->peak ? r.ru_maxrss : c->peak;
	c->blocks += r.ru_inblock;
	c->faults += r.ru_majflt;
	return status == 0;
}

/* @arg with @line instead of each "{}". The caller frees it. */
static char *replaced(const char *arg, const char *line)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		die("no memory");
	for (const char *at; (at = strstr(arg, "{}")); arg = at + 2)
		fprintf(f, "%.*s%s", (int)(at - arg), arg, line);
	fputs(arg, f);
	if (fclose(f))
		die("no memory");
	return text;
}

static bool run_each(const char *list, char **argv, int argc, struct cost *c)
{
	FILE *f = fopen(list, "r");
	char **with = calloc((size_t)argc + 1, sizeof(*with));
	char *line = NULL;
	size_t size = 0;
	bool ok = true;

	if (!f || !with)
		die("the list cannot be read");
	while (ok && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < argc; i++)
			with[i] = replaced(argv[i], line);
		ok = run(with, c);
		if (!ok)
			fprintf(stderr, "measure: '%s' failed\n", line);
		for (int i = 0; i < argc; i++)
			free(with[i]);
	}
	free(line);
	free(with);
	fclose(f);
	return ok;
}

int main(int argc, char **argv)
{
	const char *list = NULL;
	struct cost c = { 0 };
	int first = 2;

	if (argc > 3 && !strcmp(argv[2], "-l")) {
		list = argv[3];
		first = 4;
	}
	if (argc <= first)
		die("give RESULTS and COMMAND");
	if (!(list ? run_each(list, argv + first, argc - first, &c) : run(argv + first, &c)))
		return EXIT_FAILURE;

	FILE *f = fopen(argv[1], "a");
	if (!f)
		die("RESULTS cannot be opened");
	fprintf(f, "%.6f %.6f %ld %ld %ld %.6f\n", c.user, c.elapsed, c.peak, c.blocks, c.faults,
		c.system);
	if (fclose(f))
		die("RESULTS cannot be written");
	return EXIT_SUCCESS;
}
