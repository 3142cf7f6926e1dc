#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# if a new file cannot be written, no part of it stays

. "${0%/*}/../lib/testlib.sh"

need gcc awk
awk 'BEGIN {
	for (i = 0; i < 400; i++)
		printf "struct s%d { int member_%d; } v%d; static inline int f%d(void) { return v%d.member_%d; }\n", i, i, i, i, i, i
	for (i = 0; i < 400; i++)
		printf "int g%d(void) { return f%d(); }\n", i, i
}' >in.c
gcc -g -O2 -c -o in.o in.c || fail "gcc failed"
mkdir new

# fails ARGUMENT...: no file may have more than 1 KiB
fails()
{
	cp in.o copy.o
	run sh -c 'ulimit -f 2; exec btfenc "$@" copy.o' sh "$@"
	expect_status 1
	expect_in stderr "^btfenc: error: '[^']*': cannot write [0-9]* bytes"
	[ -z "$(ls -A new)" ] || fail "$*: it leaves $(ls -lA new)"
	cmp in.o copy.o || fail "$*: the object has changed"
}

fails -J --btf_archive=new/archive
fails --btf_encode_detached=new/btf
fails --btf_encode_detached=/dev/null --btf_features=default,global_var.extra --btf_vars_detached=new/vars
fails --btf_encode_detached=/dev/null --btf_features=default,global_var --btf_report_rules=all --btf_report=new/report

# A file that is there keeps what it has.
gcc_c small.o <<\END
int f(int x) { return x; }
END
run_silent btfenc -J --btf_archive=new/archive small.o
cp new/archive before
run sh -c 'ulimit -f 2; exec btfenc -J --btf_archive=new/archive copy.o'
expect_status 1
cmp before new/archive || fail "the archive has changed"
