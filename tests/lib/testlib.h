/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * testlib.h - a test program in one header
 *
 *	#include "tests/lib/testlib.h"
 *
 *	TEST(padding_between_members_is_skipped)
 *	{
 *		CHECK_OK(archive_split(section, &ar));
 *		CHECK_EQ(ar.nr, 2);
 *	}
 *
 * No main, no list: each TEST registers itself and the main below runs them all, in
 * the order of the file, and prints TAP. A failed check says where and what, and ends
 * its test; the others still run. "t_archive NAME..." runs only the tests whose name
 * contains one of the words.
 */
#ifndef BTFENC_TESTS_TESTLIB_H
#define BTFENC_TESTS_TESTLIB_H

#include "base/compiler.h"
#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_case {
	const char *name;
	void (*run)(void);
	struct test_case *next;
};

/* How a test ended; what longjmp() brings. */
enum test_end { TEST_PASSED, TEST_FAILED, TEST_SKIPPED };

struct test_state {
	struct test_case *first, **end;
	jmp_buf leave;
	const char *skip_reason;
};

/* Test programs are the one place where a variable of the whole program is allowed. */
static struct test_state test_state UNUSED;

static inline void test_register(struct test_case *t)
{
	if (!test_state.end)
		test_state.end = &test_state.first;
	*test_state.end = t;
	test_state.end = &t->next;
}

/* Functions of tests begin with TEST_, so that no name clashes with those of this file. */
#define TEST(name_)                                                                 \
	static void TEST_##name_(void);                                             \
	static struct test_case test_case_##name_ = { #name_, TEST_##name_, NULL }; \
	__attribute__((constructor)) static void test_register_##name_(void)        \
	{                                                                           \
		test_register(&test_case_##name_);                                  \
	}                                                                           \
	static void TEST_##name_(void)

NORETURN PRINTF_LIKE(3, 4) static inline void test_fail(const char *file, int line, const char *fmt,
							...)
{
	va_list ap;

	printf("# %s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	longjmp(test_state.leave, TEST_FAILED);
}

/*
 * Inputs that a test makes and that live as long as the program: pass them through
 * here, so that what the leak checker still finds is a leak of the code under test.
 */
static inline void *test_keep(void *p)
{
	static struct {
		void **items;
		size_t nr, cap;
	} kept;

	if (kept.nr == kept.cap) {
		kept.cap = kept.cap * 2 + 16;
		kept.items = reallocarray(kept.items, kept.cap, sizeof(*kept.items));
		if (!kept.items)
			abort();
	}
	kept.items[kept.nr++] = p;
	return p;
}

/* What the environment says @name is, so that a test can be run for longer; or @otherwise. */
static inline uint64_t test_setting(const char *name, uint64_t otherwise)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets any */
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* Leave this test: it cannot run here. */
#define SKIP(reason)                                     \
	do {                                             \
		test_state.skip_reason = (reason);       \
		longjmp(test_state.leave, TEST_SKIPPED); \
	} while (0)

#define CHECK(cond)                                                        \
	do {                                                               \
		if (!(cond))                                               \
			test_fail(__FILE__, __LINE__, "CHECK(%s)", #cond); \
	} while (0)

/* Two integers, what was got and what is right. */
#define CHECK_EQ(got, want) \
	test_check_eq(__FILE__, __LINE__, #got, #want, (long long)(got), (long long)(want))

static inline void test_check_eq(const char *file, int line, const char *got_text,
				 const char *want_text, long long got, long long want)
{
	if (got != want)
		test_fail(file, line, "CHECK_EQ(%s, %s): %lld (%#llx), not %lld (%#llx)", got_text,
			  want_text, got, (unsigned long long)got, want, (unsigned long long)want);
}

/* Two strings; NULL equals only NULL. */
#define CHECK_STR(got, want) test_check_str(__FILE__, __LINE__, #got, (got), (want))

static inline void test_check_str(const char *file, int line, const char *got_text, const char *got,
				  const char *want)
{
	if (got == want || (got && want && !strcmp(got, want)))
		return;
	test_fail(file, line, "CHECK_STR(%s): \"%s\", not \"%s\"", got_text, got ? got : "(null)",
		  want ? want : "(null)");
}

/* Two runs of bytes of the same length. */
#define CHECK_MEM(got, want, len) test_check_mem(__FILE__, __LINE__, #got, (got), (want), (len))

static inline void test_check_mem(const char *file, int line, const char *got_text, const void *got,
				  const void *want, size_t len)
{
	const uint8_t *g = got, *w = want;

	for (size_t i = 0; i < len; i++) {
		if (g[i] != w[i])
			test_fail(file, line, "CHECK_MEM(%s): byte %zu of %zu is %#x, not %#x",
				  got_text, i, len, g[i], w[i]);
	}
}

/* A call that must succeed. */
#define CHECK_OK(expr) test_check_ok(__FILE__, __LINE__, #expr, (expr))

static inline void test_check_ok(const char *file, int line, const char *text, struct err *e)
{
	if (e)
		test_fail(file, line, "CHECK_OK(%s): %s", text, err_text(e));
}

/* A call that must fail with this kind of error. */
#define CHECK_ERR(expr, kind) CHECK_ERR_TEXT(expr, kind, "")

/* The same, and its message must contain @part. */
#define CHECK_ERR_TEXT(expr, kind, part) \
	test_check_err(__FILE__, __LINE__, #expr, (expr), (kind), #kind, (part))

static inline void test_check_err(const char *file, int line, const char *text, struct err *e,
				  enum err_kind kind, const char *kind_text, const char *part)
{
	if (!e)
		test_fail(file, line, "CHECK_ERR(%s): no error", text);
	if (err_kind(e) != kind)
		test_fail(file, line, "CHECK_ERR(%s): kind %d, not %s: %s", text, err_kind(e),
			  kind_text, err_text(e));
	if (!strstr(err_text(e), part))
		test_fail(file, line, "CHECK_ERR(%s): \"%s\" does not contain \"%s\"", text,
			  err_text(e), part);
	err_free(e);
}

static inline bool test_wanted(const struct test_case *t, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strstr(t->name, argv[i]))
			return true;
	}
	return argc < 2;
}

static inline enum test_end test_run(const struct test_case *t)
{
	int end = setjmp(test_state.leave);

	if (end == TEST_PASSED)
		t->run();
	return (enum test_end)end;
}

int main(int argc, char **argv)
{
	int nr = 0, failed = 0, skipped = 0;

	/* TAP and a sanitizer's report must not be torn apart */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (const struct test_case *t = test_state.first; t; t = t->next) {
		if (!test_wanted(t, argc, argv))
			continue;
		enum test_end end = test_run(t);

		printf("%s %d - %s%s%s\n", end == TEST_FAILED ? "not ok" : "ok", ++nr, t->name,
		       end == TEST_SKIPPED ? " # SKIP " : "",
		       end == TEST_SKIPPED ? test_state.skip_reason : "");
		failed += end == TEST_FAILED;
		skipped += end == TEST_SKIPPED;
	}
	printf("1..%d\n", nr);
	if (!nr)
		return EXIT_FAILURE; /* a program that tests nothing has not passed */
	if (skipped == nr)
		return 77;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
