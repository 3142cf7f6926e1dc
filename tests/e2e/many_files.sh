#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# more files than can be open or mapped at once, which takes too long under a sanitizer

. "${0%/*}/../lib/testlib.sh"

need gcc cmp awk
gcc_c a.o <<\END
struct s { int x; struct s *next; } s;
int f(struct s *s) { return s->x; }
END
run_ok btfenc --btf_encode_detached=one.btf --btf_features=default a.o
awk 'BEGIN { for (i = 0; i < 70000; i++) print "a.o" }' >list
ulimit -n 16
for jobs in 1 4; do
	run_silent btfenc -j$jobs --btf_encode_detached=many.btf --btf_features=default @list
	cmp one.btf many.btf || fail "many times the same is not the same"
done
