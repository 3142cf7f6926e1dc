#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_header is the header that bpftool prints

. "${0%/*}/../lib/testlib.sh"

gcc_c shapes.o <"$SRCDIR/tests/lib/shapes.c"
btfenc --btf_encode_detached=shapes.btf shapes.o || fail "cannot encode"
run btfenc --btf_header shapes.btf
if [ "$STATUS" = 1 ] && grep -q "'--btf_header' needs libbpf 1" out/stderr; then
	skip "no libbpf"
fi
expect_status 0
expect_no_stderr
expect_in stdout '^struct holes {$'
cp out/stdout ours.h
gcc -w -fsyntax-only -x c ours.h || fail "gcc does not take it"
run btfenc --btf_header shapes.o
expect_status 0
cmp ours.h out/stdout || fail "from DWARF it is another"

gcc_c module.o <<\END
struct list { struct list *next, *prev; };
struct own { struct list *a; } own;
END
btfenc --btf_base=shapes.btf --btf_encode_detached=split.btf module.o || fail "cannot encode"
run btfenc --btf_header --btf_base=shapes.btf split.btf
expect_status 0
expect_in stdout '^struct own {$'
cp out/stdout split.h

# same FILE: it is what bpftool has just printed, but for what came with libbpf 1.1 or 1.2
same()
{
	[ -s theirs.h ] || fail "bpftool fails"
	sed -i 's/ __attribute__((mode([a-z]*)))//; s/()/(void)/g' theirs.h "$1"
	diff theirs.h "$1" >difference || fail "bpftool prints another header: $(head difference)"
}

if command -v bpftool >/dev/null; then
	bpftool btf dump file shapes.btf format c >theirs.h
	same ours.h
	bpftool -B shapes.btf btf dump file split.btf format c >theirs.h
	same split.h
fi

# without libbpf there is no half of a header (if it is none of our own, as in a static build)
mkdir none && : >none/libbpf.so.1
run env LD_LIBRARY_PATH=none btfenc --btf_header shapes.btf
if [ "$STATUS" != 0 ]; then
	expect_error "'shapes.btf': '--btf_header' needs libbpf 1: none/libbpf.so.1: file too short"
fi

# libbpf is not given what has loops in it: a typedef of itself
printf '\237\353\001\000\030\000\000\000\000\000\000\000\014\000\000\000\014\000\000\000\003\000\000\000\001\000\000\000\000\000\000\010\001\000\000\000\000t\000' >loop.btf
run btfenc --btf_header loop.btf
expect_status 1
expect_no_stdout
expect_in stderr "^btfenc: error: 'loop.btf': type 1: "
run btfenc --btf_header shapes.o module.o
expect_usage_error "'--btf_header' takes one file"
run btfenc --btf_header -C own module.o
expect_usage_error "'--btf_header' prints all types"
