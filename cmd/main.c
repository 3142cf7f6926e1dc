/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * main.c - parse the command line, run a job, report errors
 *
 * Exit status: 0; 1 for a failure, which leaves outputs as they were, and if --btf_check has found an error;
 * 64 for an error of usage, as in pahole. --btf_diff exits as diff(1) does: 1 for differences, 2 for a
 * failure. --launch exits with the status of the command if that is not 0.
 */
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/os/mapped_file.h"
#include "base/os/ordered.h"
#include "cmd/jobs/jobs.h"
#include "cmd/print/print_line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 2, EXIT_USAGE = 64 };

/*
 * If a standard file is closed, the next file that is opened gets its number, and a message would be written
 * into an input. Occupy the number with a descriptor that cannot be written, or read.
 */
static void occupy_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 ||
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == fd)
			continue;
		fputs("btfenc: error: '/dev/null' cannot replace a closed standard stream\n",
		      stderr);
		_exit(EXIT_FAILURE);
	}
}

/* Turn signals of the system into errors. */
static void expect_trouble(void)
{
	bus_error_catch();
	/* for a file larger than "ulimit -f" the error of write() says more */
	signal(SIGXFSZ, SIG_IGN);
}

/* Exit statuses for a failure that is no error of usage, and for success. */
struct statuses {
	int failed, done;
};

static struct err *run(const struct options *opt, struct diagnostics *diags, struct statuses *ret)
{
	struct err *e = NULL;
	bool found = false; /* differences, or errors in BTF */

	switch (opt->action) {
	case ACTION_ENCODE:
		return job_encode(opt, diags);
	case ACTION_CHECK:
		e = job_check(opt, diags, &found);
		break;
	case ACTION_DIFF:
		ret->failed = EXIT_TROUBLE;
		critical_set_status(EXIT_TROUBLE);
		e = job_diff(opt, diags, &found);
		break;
	case ACTION_LAUNCH:
		e = job_launch(opt, diags, &ret->done);
		ret->failed = ret->done;
		return e;
	case ACTION_STATS:
		return job_stats(opt, diags);
	case ACTION_SITES:
		return job_sites(opt, diags);
	case ACTION_SHOW:
		return job_show(opt, diags);
	default:
		help_print(opt);
		break;
	}
	ret->done = found ? EXIT_FAILURE : EXIT_SUCCESS;
	return e;
}

/* A damaged file can cause thousands of warnings. */
enum { MAX_WARNINGS = 100 };

/* @out: where DIAG_OUTPUT goes, standard error if BTF or a report has standard output for itself. */
static void print_diagnostics(const struct diagnostics *diags, FILE *out)
{
	size_t nr_warnings = 0;
	const char *file = NULL; /* whose name standard error does not have yet */

	for (const struct diagnostic *n = diags->first; n; n = n->next) {
		if (n->level == DIAG_FILE)
			file = out == stderr ? NULL : n->text;
		if (n->level == DIAG_VERBOSE && file) {
			print_line(stderr, "", file);
			file = NULL;
		}
		if (n->level == DIAG_ERROR)
			print_line(stderr, "btfenc: error: ", n->text);
		else if (n->level == DIAG_WARNING && ++nr_warnings <= MAX_WARNINGS)
			print_line(stderr, "btfenc: warning: ", n->text);
		else if (n->level == DIAG_VERBOSE)
			print_line(stderr, "", n->text);
		else if (n->level == DIAG_TEXT)
			fputs(n->text, out);
		else if (n->level > DIAG_VERBOSE)
			print_line(out, "", n->text);
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
	struct err *e = stack_check();
	if (!e)
		e = options_parse(argc, argv, &diags, &opt);
	if (!e)
		e = run(&opt, &diags, &statuses);
	print_diagnostics(&diags, options_use_stdout(&opt) ? stderr : stdout);
	if (!e)
		e = print_flush();
	return report(e, &statuses);
}
