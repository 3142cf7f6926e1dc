#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a small limit of the stack is an error, and the least that is enough is enough for all threads

. "${0%/*}/../lib/testlib.sh"

need gcc cmp
gcc_c a.o <<\END
struct s { int x; struct s *next; };
int f(struct s *s) { return s->x; }
END
gcc_c b.o <<\END
struct t { long x; };
long g(struct t *t) { return t->x; }
END
gcc -r -o both.o a.o b.o || fail "gcc -r failed"
run_silent btfenc --btf_features=default --btf_encode_detached=want.btf both.o
# The environment is on the stack, too, and with less no program begins.
for size in 24 32 64 1023; do
	for jobs in 1 4; do
		run env -i PATH="$PATH" sh -c "ulimit -s $size; exec btfenc -j$jobs --btf_encode_detached=made.btf both.o"
		expect_status 1
		expect_stderr <<END
btfenc: error: the stack is limited to $size KiB: give it 1024 KiB ('ulimit -s 1024')
END
		[ ! -e made.btf ] || fail "there is a result"
	done
done
ulimit -s 1024
for jobs in 1 4; do
	run_silent btfenc -j$jobs --btf_features=default --btf_encode_detached=made.btf both.o
	cmp want.btf made.btf || fail "-j$jobs: another result"
done
