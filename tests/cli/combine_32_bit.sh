#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# objects with pointers of 4 bytes are combined without a linked file

. "${0%/*}/../lib/testlib.sh"

need bpftool gcc
echo 'int x;' | gcc -m32 -c -o out/probe.o -x c - 2>/dev/null || skip "no gcc -m32"
gcc_c one.o -m32 <<\END
struct list { struct list *next; int x; };
int f(struct list *l) { return l->x; }
END
cp one.o other.o
run_silent btfenc -J one.o
run_silent btfenc -J other.o
run_silent btfenc -F btf --btf_encode_detached=out.btf one.o other.o
bpftool btf dump file out.btf >dump || fail "bpftool does not read the result"
grep -q "STRUCT 'list' size=8 vlen=2" dump || fail "not the struct of 32 bits"
run_ok btfenc --btf_check out.btf
expect_in stdout "^out.btf: warning: type 1 'list' .*: pointers count as 4 bytes"
