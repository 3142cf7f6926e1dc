#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a second run changes nothing, neither content nor time

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct s { int x; } s;
END
run_ok btfenc -J a.o
touch -d '2001-01-01' a.o
cp -p a.o before
run_silent btfenc -J a.o
cmp before a.o || fail "the second run gives other bytes"
[ a.o -nt before ] && fail "the second run writes"
run_ok btfenc -J --btf_features=default,global_var a.o
cmp -s before a.o && fail "other features make no difference"
exit 0
