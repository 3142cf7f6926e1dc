/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/testlib.h"

struct test_state test_state;

void test_register(struct test_case *t)
{
	if (!test_state.end)
		test_state.end = &test_state.first;
	*test_state.end = t;
	test_state.end = &t->next;
}

void test_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("# %s:%d: ", file, line);
	if (test_state.row)
		printf("[%s] ", test_state.row);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	longjmp(test_state.leave, TEST_FAILED);
}

void *test_keep(void *p)
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

uint64_t test_setting(const char *name, uint64_t otherwise)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

unsigned int test_seconds(void)
{
	return (unsigned int)test_setting("TEST_SECONDS", 60);
}

void test_check_eq(const char *file, int line, const char *got_text, const char *want_text,
		   long long got, long long want)
{
	test_state.nr_checks++;
	if (got != want)
		test_fail(file, line, "CHECK_EQ(%s, %s): %lld (%#llx), not %lld (%#llx)", got_text,
			  want_text, got, (unsigned long long)got, want, (unsigned long long)want);
}

void test_check_str(const char *file, int line, const char *got_text, const char *got,
		    const char *want)
{
	test_state.nr_checks++;
	if (got == want || (got && want && !strcmp(got, want)))
		return;
	test_fail(file, line, "CHECK_STR(%s): \"%s\", not \"%s\"", got_text, got ? got : "(null)",
		  want ? want : "(null)");
}

void test_check_mem(const char *file, int line, const char *got_text, const void *got,
		    const void *want, size_t len)
{
	const uint8_t *g = got, *w = want;

	test_state.nr_checks++;
	for (size_t i = 0; i < len; i++) {
		if (g[i] != w[i])
			test_fail(file, line, "CHECK_MEM(%s): byte %zu of %zu is %#x, not %#x",
				  got_text, i, len, g[i], w[i]);
	}
}

void test_check_ok(const char *file, int line, const char *text, struct err *e)
{
	test_state.nr_checks++;
	if (e)
		test_fail(file, line, "CHECK_OK(%s): %s", text, err_text(e));
}

void test_check_err(const char *file, int line, const char *text, struct err *e, enum err_kind kind,
		    const char *kind_text, const char *part)
{
	test_state.nr_checks++;
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
