#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a file that may not be written is refused and stays as it is

. "${0%/*}/../lib/testlib.sh"

need cmp id
[ "$(id -u)" != 0 ] || skip "root may write everything"
gcc_c a.o <<\END
struct s { int x; } s;
END
cp a.o before
chmod 444 a.o
run btfenc -J a.o
expect_status 1
expect_no_stdout
[ "$(wc -l <out/stderr)" = 1 ] || fail "not one line"
expect_in stderr "^btfenc: error: 'a.o': .*Permission denied"
cmp before a.o || fail "the file was changed"
