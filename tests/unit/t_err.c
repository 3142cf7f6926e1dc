/* SPDX-License-Identifier: GPL-2.0-only */
/* t_err.c - error objects */
#include "base/err.h"

#include "tests/lib/testlib.h"

#include <errno.h>

TEST(an_error_has_a_kind_and_a_formatted_text)
{
	struct err *e = err_new(ERR_LIMIT, "%d enumerators, %s", 70000, "too many");

	CHECK_EQ(err_kind(e), ERR_LIMIT);
	CHECK_STR(err_text(e), "70000 enumerators, too many");
	err_free(e);
}

TEST(a_system_error_ends_with_its_reason)
{
	struct err *e = err_sys(ENOENT, "cannot open '%s'", "a.o");

	CHECK_EQ(err_kind(e), ERR_IO);
	CHECK_STR(err_text(e), "cannot open 'a.o': No such file or directory");
	err_free(e);
}

TEST(a_system_error_without_a_name_has_a_reason_too)
{
	CHECK_ERR_TEXT(err_sys(99999, "read"), ERR_IO, "read: unknown error");
}

TEST(each_caller_puts_its_place_in_front)
{
	struct err *e = err_new(ERR_FORMAT, "unknown form %#x", 0x2f);

	e = err_at(e, ".debug_info+%#x", 0x1f3c);
	e = err_at(e, "'%s'", "super.o");
	CHECK_EQ(err_kind(e), ERR_FORMAT);
	CHECK_STR(err_text(e), "'super.o': .debug_info+0x1f3c: unknown form 0x2f");
	err_free(e);
}

TEST(no_error_stays_none)
{
	CHECK_OK(err_at(NULL, "'%s'", "a.o"));
	err_free(NULL);
}

static struct err *second_fails(int *reached)
{
	TRY(NULL);
	*reached = 1;
	TRY(err_new(ERR_USAGE, "stop"));
	*reached = 2;
	return NULL;
}

TEST(try_returns_at_the_first_error)
{
	int reached = 0;

	CHECK_ERR_TEXT(second_fails(&reached), ERR_USAGE, "stop");
	CHECK_EQ(reached, 1);
}
