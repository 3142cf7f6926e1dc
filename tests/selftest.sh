#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the libraries of the tests: what must fail fails, and says where

. "${0%/*}/lib/testlib.sh"
CC=${CC:-cc}
need "$CC"

cat >t.c <<\END
#include "tests/lib/testlib.h"
TEST(cond) { CHECK(1 > 2); }
TEST(eq) { CHECK_EQ(1, 2); }
TEST(str) { CHECK_STR("a", NULL); }
TEST(mem) { CHECK_MEM("ab", "ac", 2); }
TEST(ok) { CHECK_OK(err_new(ERR_IO, "bad")); }
TEST(kind) { CHECK_ERR(err_new(ERR_IO, "bad"), ERR_FORMAT); }
TEST(text) { CHECK_ERR_TEXT(err_new(ERR_IO, "bad"), ERR_IO, "good"); }
TEST(no_error) { struct err *none = NULL; CHECK_ERR(none, ERR_FORMAT); }
TEST(skipped) { SKIP("no moon"); }
TEST(fine) { CHECK(1 < 2); CHECK_STR(NULL, NULL); CHECK_ERR(err_new(ERR_IO, "x"), ERR_IO); }
END
cat >t_other.c <<\END
#include "tests/lib/testlib.h"
TEST(also_fine) { CHECK(1 < 2); }
END
"$CC" -std=gnu11 -D_GNU_SOURCE -I"$SRCDIR" -o t t.c t_other.c \
	"$SRCDIR/tests/unit/unit_tests.c" "$SRCDIR/tests/lib/testlib.c" "$SRCDIR/base/err.c" "$SRCDIR/base/arena.c" \
	"$SRCDIR/base/critical.c" "$SRCDIR/base/file_io.c" "$SRCDIR/base/hash.c" ||
	fail "testlib does not compile"

run_status 1 ./t --file=t
expect_stdout <<\END
# t.c:2: CHECK(1 > 2)
not ok 1 - cond
# t.c:3: CHECK_EQ(1, 2): 1 (0x1), not 2 (0x2)
not ok 2 - eq
# t.c:4: CHECK_STR("a"): "a", not "(null)"
not ok 3 - str
# t.c:5: CHECK_MEM("ab"): byte 1 of 2 is 0x62, not 0x63
not ok 4 - mem
# t.c:6: CHECK_OK(err_new(ERR_IO, "bad")): bad
not ok 5 - ok
# t.c:7: CHECK_ERR(err_new(ERR_IO, "bad")): kind 0, not ERR_FORMAT: bad
not ok 6 - kind
# t.c:8: CHECK_ERR(err_new(ERR_IO, "bad")): "bad" does not contain "good"
not ok 7 - text
# t.c:9: CHECK_ERR(none): no error
not ok 8 - no_error
ok 9 - skipped # SKIP no moon
ok 10 - fine
1..10
# 11 checks
END

run_ok ./t fine
run_status 77 ./t skipped
run_status 1 ./t nothing_of_that_name
run_status 1 ./t --file=other
run_ok ./t --file=t_other
expect_stdout <<\END
ok 1 - also_fine
1..1
# 1 checks
END
run ./t other
expect_in stdout also_fine
run ./t fine
expect_in stdout 1..2

# the shell's library: each of these lines must end its script with status 1
while read -r line; do
	printf '. "%s"\nrun sh -c "echo out; echo err >&2; exit 3"\n%s\n' \
		"$SRCDIR/tests/lib/testlib.sh" "$line" >script.sh
	sh script.sh >log 2>&1
	[ $? = 1 ] || fail "passes: $line"
done <<\END
expect_status 0
expect_no_stdout
expect_no_stderr
expect_silence
expect_stdout </dev/null
expect_in stdout nothing
expect_not_in stderr err
expect_error err
expect_usage_error err
expect_file no-such-file
fail "because"
END

printf '. "%s"\nneed no-such-tool\n' "$SRCDIR/tests/lib/testlib.sh" >script.sh
run_status 77 sh script.sh
expect_in stderr "skipped: no no-such-tool"

# the reasons that ctest prints for skipped tests
mkdir -p Testing/Temporary
cat >Testing/Temporary/LastTest.log <<\END
1/3 Testing: cli/a
1/3 Test: cli/a
Command: "/bin/sh" "a.sh"
----------------------------------------------------------
a.sh: skipped: no moon
<end of output>
2/3 Test: cli/b
b.sh: this is not skipped: really
3/3 Test: unit/t_c
ok 1 - first
ok 2 - second # SKIP no sun
END
run_ok sh "$SRCDIR/tests/lib/skipped.sh" .
expect_stdout <<\END

Skipped, and why:
	cli/a: no moon
	unit/t_c: second: no sun
END
