/* SPDX-License-Identifier: GPL-2.0-only */
/* t_err.c - errors of the system */
#include "base/err.h"

#include "tests/lib/testlib.h"

#include <errno.h>

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
