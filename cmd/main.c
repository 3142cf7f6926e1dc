/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * main.c - parse, choose the job, run it, report
 *
 * Exit status: 0; 1 for a failure, after which the output is what it was, and if --btf_check has
 * found something; 64 for an error of usage, as pahole. With --btf_diff as of diff(1): 1 if there are
 * differences, 2 for a failure. With --launch that of the command, if it is not 0.
 */
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/os/mapped_file.h"
#include "cmd/jobs/jobs.h"
#include "cmd/options/help.h"
#include "cmd/print/print_line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 2, EXIT_USAGE = 64 };

/*
 * With one of the three standard files closed, the input would get its number, and
 * a message would be written into it. Take the number with a file that refuses.
 */
static void occupy_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 ||
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == fd)
			continue;
		fputs("btfenc: error: '/dev/null' does not open in the place of a closed standard file\n",
		      stderr);
		_exit(EXIT_FAILURE);
	}
}

/* What the system does to us becomes an error that says so. */
static void expect_trouble(void)
{
	bus_error_catch();
	/* a file larger than "ulimit -f": the write that fails says more */
	signal(SIGXFSZ, SIG_IGN);
}

/* What to leave with if there is an error of no usage, and if there is none. */
struct statuses {
	int failed, done;
};

static struct err *run(const struct options *opt, struct diagnostics *diags, struct statuses *ret)
{
	struct err *e;
	bool found = false; /* what was asked for is done, and does not look good */

	if (opt->action == ACTION_ENCODE)
		return job_encode(opt, diags);
	if (opt->action == ACTION_CHECK) {
		e = job_check(opt, diags, &found);
		ret->done = found ? EXIT_FAILURE : EXIT_SUCCESS;
		return e;
	}
	if (opt->action == ACTION_DIFF) {
		ret->failed = EXIT_TROUBLE; /* 1 would say that they differ */
		critical_set_status(EXIT_TROUBLE);
		e = job_diff(opt, diags, &found);
		ret->done = found ? EXIT_FAILURE : EXIT_SUCCESS;
		return e;
	}
	if (opt->action == ACTION_LAUNCH) {
		e = job_launch(opt, diags, &ret->done);
		ret->failed = ret->done;
		return e;
	}
	if (opt->action == ACTION_STATS)
		return job_stats(opt, diags);
	if (opt->action == ACTION_SHOW)
		return job_show(opt, diags);
	help_print(opt);
	return NULL;
}

/* A damaged file can say thousands of things that cannot be. */
enum { MAX_WARNINGS = 100 };

static void print_notes(const struct diagnostics *diags)
{
	size_t nr_warnings = 0;

	for (const struct diagnostic *n = diags->first; n; n = n->next) {
		if (n->level == DIAG_ERROR)
			print_line(stderr, "btfenc: error: ", n->text);
		else if (n->level == DIAG_WARNING && ++nr_warnings <= MAX_WARNINGS)
			print_line(stderr, "btfenc: warning: ", n->text);
		else if (n->level == DIAG_VERBOSE)
			print_line(stdout, "", n->text);
	}
	if (nr_warnings > MAX_WARNINGS)
		fprintf(stderr, "btfenc: warning: and %zu more\n", nr_warnings - MAX_WARNINGS);
}

static int report(struct err *e, const struct statuses *s)
{
	if (!e)
		return s->done;

	bool usage = err_kind(e) == ERR_USAGE;
	print_line(stderr, "btfenc: error: ", err_text(e));
	if (usage)
		fputs("try 'btfenc --help'\n", stderr);
	err_free(e);
	return usage ? EXIT_USAGE : s->failed;
}

int main(int argc, char **argv)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	CLEANUP(options_release) struct options opt = { 0 };
	struct statuses statuses = { .failed = EXIT_FAILURE, .done = EXIT_SUCCESS };

	occupy_standard_files();
	expect_trouble();
	struct err *e = options_parse(argc, argv, &diags, &opt);
	if (!e)
		e = run(&opt, &diags, &statuses);
	print_notes(&diags);
	if (!e)
		e = print_flush();
	return report(e, &statuses);
}
