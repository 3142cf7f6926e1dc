/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_tests.c - the program that runs the unit tests
 *
 *	unit_tests [--constant-hash] [--file=FILE] [WORD...]
 *
 * Runs the tests in the order of their files and prints TAP. With words: the tests whose name, or
 * whose file's name, contains one of them. With --file: the tests of unit/FILE.c only. With
 * --constant-hash: all hashes are equal, so that only the comparisons of tables find their entries.
 * Exit status: 77 if every test was skipped, 1 if one failed or there is none.
 */
#include "base/hash.h"
#include "tests/lib/testlib.h"

#include <signal.h>

/* Is the file of @t FILE.c in any folder? */
static bool is_file(const struct test_case *t, const char *file)
{
	const char *slash = strrchr(t->file, '/'), *name = slash ? slash + 1 : t->file;
	size_t len = strlen(file);

	return !strncmp(name, file, len) && !strcmp(name + len, ".c");
}

static bool is_wanted(const struct test_case *t, const char *file, char **words)
{
	const char *slash = strrchr(t->file, '/');

	if (file && !is_file(t, file))
		return false;
	for (char **w = words; *w; w++) {
		if (strstr(t->name, *w) || strstr(slash ? slash : t->file, *w))
			return true;
	}
	return !*words;
}

static enum test_end run(const struct test_case *t)
{
	int end = setjmp(test_state.leave);

	if (end == TEST_PASSED) {
		test_state.row = NULL;
		t->run();
	}
	return (enum test_end)end;
}

int main(int argc, char **argv)
{
	static const char option[] = "--file=";
	const char *file = NULL;
	int nr = 0, failed = 0, skipped = 0;
	char **words = argv + 1;

	if (argc > 1 && !strcmp(*words, "--constant-hash")) {
		hash_key = (struct hash_key){ 0 };
		words++;
	}
	if (*words && !strncmp(*words, option, strlen(option)))
		file = *words++ + strlen(option);

	/* a shell lets its background jobs ignore them */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);

	/* TAP and a sanitizer's report must not be torn apart */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (const struct test_case *t = test_state.first; t; t = t->next) {
		if (!is_wanted(t, file, words))
			continue;
		enum test_end end = run(t);

		printf("%s %d - %s%s%s\n", end == TEST_FAILED ? "not ok" : "ok", ++nr, t->name,
		       end == TEST_SKIPPED ? " # SKIP " : "",
		       end == TEST_SKIPPED ? test_state.skip_reason : "");
		failed += end == TEST_FAILED;
		skipped += end == TEST_SKIPPED;
	}
	printf("1..%d\n# %zu checks\n", nr, test_state.nr_checks);
	if (!nr)
		return EXIT_FAILURE; /* no test has that name: a typing error must not pass */
	if (skipped == nr)
		return 77;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
