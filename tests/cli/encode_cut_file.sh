#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an object that was cut off anywhere is refused and stays as it is

. "${0%/*}/../lib/testlib.sh"

need head cmp
gcc_c whole.o <<\END
struct s { int x; char *p; } s; int f(struct s *p) { return p->x; }
END
size=$(wc -c <whole.o)
# gcc puts the section table last, so each shorter file lacks a part of it
for len in 3 16 52 63 64 100 $((size / 2)) $((size - 64)) $((size - 1)); do
	head -c "$len" whole.o >cut.o
	cp cut.o before
	run btfenc -J cut.o
	expect_status 1
	expect_no_stdout
	[ "$(wc -l <out/stderr)" = 1 ] || fail "$len bytes: not one line"
	expect_in stderr "^btfenc: error: 'cut.o': "
	cmp before cut.o || fail "$len bytes: the file was changed"
done
