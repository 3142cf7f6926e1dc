/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * testlib.h - unit tests and their checks
 *
 *	#include "tests/lib/testlib.h"
 *
 *	TEST(padding_between_members_is_skipped)
 *	{
 *		CHECK_OK(archive_split(section, &ar));
 *		CHECK_EQ(ar.nr, 2);
 *	}
 *
 * There is no list of tests: each TEST registers itself. A failed check prints its location and
 * the values, and ends its test; the other tests still run. unit/unit_tests.c has the command line.
 */
#ifndef BTFENC_TESTS_TESTLIB_H
#define BTFENC_TESTS_TESTLIB_H

#include "base/cleanup.h"
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
	const char *file, *name;
	void (*run)(void);
	struct test_case *next;
};

/* The value that longjmp() returns from a test. */
enum test_end { TEST_PASSED, TEST_FAILED, TEST_SKIPPED };

/* Only test programs may have a global variable. */
extern struct test_state {
	struct test_case *first, **end;
	jmp_buf leave;
	const char *skip_reason;
	const char *row; /* of IN_ROW() */
	size_t nr_checks;
} test_state;

void test_register(struct test_case *t);

/* The prefix TEST_ keeps the names of tests apart from the functions under test. */
#define TEST(name_)                                                                           \
	static void TEST_##name_(void);                                                       \
	static struct test_case test_case_##name_ = { __FILE__, #name_, TEST_##name_, NULL }; \
	__attribute__((constructor)) static void test_register_##name_(void)                  \
	{                                                                                     \
		test_register(&test_case_##name_);                                            \
	}                                                                                     \
	static void TEST_##name_(void)

/*
 * A test with a zeroed struct @type_, which its release function releases at the end. {} instead of
 * { 0 }: clang 14 refuses 0 for an _Atomic pointer that comes first.
 */
#define TEST_WITH(name_, type_, var_)                                   \
	static void BODY_##name_(struct type_ *var_);                   \
	TEST(name_)                                                     \
	{                                                               \
		CLEANUP(type_##_release) struct type_ test_struct = {}; \
		BODY_##name_(&test_struct);                             \
	}                                                               \
	static void BODY_##name_(struct type_ *var_)

/* The same, after its init function. */
#define TEST_WITH_INIT(name_, type_, var_)             \
	static void SETUP_##name_(struct type_ *var_); \
	TEST_WITH(name_, type_, test_arg)              \
	{                                              \
		type_##_init(test_arg);                \
		SETUP_##name_(test_arg);               \
	}                                              \
	static void SETUP_##name_(struct type_ *var_)

NORETURN PRINTF_LIKE(3, 4) void test_fail(const char *file, int line, const char *fmt, ...);

/*
 * Inputs that a test makes and that live as long as the program: pass them through
 * here, so that what the leak checker still finds is a leak of the code under test.
 */
void *test_keep(void *p);

/* The value of @name in the environment, so that a test can run for longer; or @otherwise. */
uint64_t test_setting(const char *name, uint64_t otherwise);

/* The limit, for alarm(), of a process that may wait without end. 0, which is none, on a slow machine. */
unsigned int test_seconds(void);

/* Leave this test: it cannot run here. */
#define SKIP(reason)                                     \
	do {                                             \
		test_state.skip_reason = (reason);       \
		longjmp(test_state.leave, TEST_SKIPPED); \
	} while (0)

/* The row of a table that the checks are about: a failed check prints @name. Ends with the test. */
#define IN_ROW(name) (test_state.row = (name))

/*
 * A test that runs once for each row of the table @rows_, whose rows have a member "name". It has its
 * own function, so that what it releases at its end is released after each row.
 */
#define TEST_EACH(name_, rows_, row_)                                        \
	static void ROW_##name_(const __typeof__((rows_)[0]) *row_);         \
	TEST(name_)                                                          \
	{                                                                    \
		for (size_t row_i = 0; row_i < ARRAY_SIZE(rows_); row_i++) { \
			IN_ROW((rows_)[row_i].name);                         \
			ROW_##name_(&(rows_)[row_i]);                        \
		}                                                            \
	}                                                                    \
	static void ROW_##name_(const __typeof__((rows_)[0]) *row_)

#define CHECK(cond)                                                        \
	do {                                                               \
		test_state.nr_checks++;                                    \
		if (!(cond))                                               \
			test_fail(__FILE__, __LINE__, "CHECK(%s)", #cond); \
	} while (0)

/* Two integers, what was got and what is right. */
#define CHECK_EQ(got, want) \
	test_check_eq(__FILE__, __LINE__, #got, #want, (long long)(got), (long long)(want))

void test_check_eq(const char *file, int line, const char *got_text, const char *want_text,
		   long long got, long long want);

/* Two strings; NULL equals only NULL. */
#define CHECK_STR(got, want) test_check_str(__FILE__, __LINE__, #got, (got), (want))

void test_check_str(const char *file, int line, const char *got_text, const char *got,
		    const char *want);

/* Two runs of bytes of the same length. */
#define CHECK_MEM(got, want, len) test_check_mem(__FILE__, __LINE__, #got, (got), (want), (len))

void test_check_mem(const char *file, int line, const char *got_text, const void *got,
		    const void *want, size_t len);

/* A call that must succeed. */
#define CHECK_OK(expr) test_check_ok(__FILE__, __LINE__, #expr, (expr))

void test_check_ok(const char *file, int line, const char *text, struct err *e);

/* A call that must fail with this kind of error. */
#define CHECK_ERR(expr, kind) CHECK_ERR_TEXT(expr, kind, "")

/* The same, and its message must contain @part. */
#define CHECK_ERR_TEXT(expr, kind, part) \
	test_check_err(__FILE__, __LINE__, #expr, (expr), (kind), #kind, (part))

void test_check_err(const char *file, int line, const char *text, struct err *e, enum err_kind kind,
		    const char *kind_text, const char *part);

#endif
