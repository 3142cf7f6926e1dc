#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# names of parameters stay among the strings although their function was left out, as in pahole 1.31
#
# Nobody refers to them; but where all other strings stand depends on them.

. "${0%/*}/../lib/testlib.sh"

gcc_c one.o -O1 <<\END
static __attribute__((noinline)) int both(int described) { volatile int v = described; return v; }
int first(int a) { return both(a); }
END
gcc_c two.o -O1 <<\END
static __attribute__((noinline)) int both(int not_described) { volatile int v = not_described; return v; }
int second(int a) { return both(a); }
END
gcc -nostdlib -r -o both one.o two.o || fail "gcc does not link"
run_ok btfenc --btf_features=default --btf_encode_detached=both.btf both
for name in described not_described; do
	tr '\0' '\n' <both.btf | grep -a -q -x $name || fail "no string '$name'"
done
