#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_header is the header that bpftool prints

. "${0%/*}/../lib/testlib.sh"

need python3

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
gcc -std=gnu11 -w -fsyntax-only -x c ours.h || fail "gcc does not take it"
run_ok btfenc --btf_header shapes.o
cmp ours.h out/stdout || fail "from DWARF it is another"

gcc_c module.o <<\END
struct list { struct list *next, *prev; };
struct own { struct list *a; } own;
END
btfenc --btf_base=shapes.btf --btf_encode_detached=split.btf module.o || fail "cannot encode"
run_ok btfenc --btf_header --btf_base=shapes.btf split.btf
expect_in stdout '^struct own {$'
cp out/stdout split.h

# same FILE OPTION...: FILE has the types that bpftool prints with these options. Left aside is what came
# with libbpf 1.1 or 1.2, and the macros and prototypes of kfuncs that bpftool 7.5 puts around them.
same()
{
	ours=$1
	shift
	# since 7.5 it sorts, unless it need not
	bpftool "$@" format c unsorted >theirs.h 2>/dev/null || bpftool "$@" format c >theirs.h
	[ -s theirs.h ] || fail "bpftool fails"
	sed -i '/^#/d; /^$/d; /^\/\* BPF kfuncs \*\/$/d
		s/ __attribute__((mode([a-z]*)))//; s/()/(void)/g' theirs.h "$ours"
	diff theirs.h "$ours" >difference || fail "bpftool prints another header: $(head difference)"
}

grep '^#' ours.h >macros
cat >out/expected <<\END
#ifndef __VMLINUX_H__
#define __VMLINUX_H__
#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif
#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif
#endif /* __VMLINUX_H__ */
END
diff out/expected macros >&2 || fail "other macros"
if command -v bpftool >/dev/null; then
	same ours.h btf dump file shapes.btf
	same split.h -B shapes.btf btf dump file split.btf
fi

# without libbpf there is no half of a header (if it is none of our own, as in a static build)
mkdir none && : >none/libbpf.so.1
run env LD_LIBRARY_PATH=none btfenc --btf_header shapes.btf
if [ "$STATUS" != 0 ]; then
	expect_error "'shapes.btf': '--btf_header' needs libbpf 1: none/libbpf.so.1: file too short"
fi

# types that are there twice can be printed
"$TOOLS/rawbtf.py" twice.btf <<\END
    b'\0s\0a\0',
    3, 1 << 24, 4, 32,                # [1] INT a
    1, 4 << 24 | 1, 4, 3, 1, 0,       # [2] STRUCT s { a a; }
    1, 4 << 24 | 1, 4, 3, 1, 0,       # [3] the same
END
run_ok btfenc --btf_header twice.btf
expect_no_stderr
expect_in stdout '^struct s___2 {$'
cp out/stdout twice.h
if command -v bpftool >/dev/null; then
	same twice.h btf dump file twice.btf
fi

# Types without an end, for which libbpf would recurse without an end, are refused before anything is printed: a
# typedef of itself, which the kernel refuses,
"$TOOLS/rawbtf.py" loop.btf <<\END
    b'\0s\0',
    1, 8 << 24, 1,                    # [1] TYPEDEF s of itself
END
run btfenc --btf_header loop.btf
expect_error "'loop.btf': type 1: more than 32 modifiers follow each other [btf_check_modifier_chain_length]"
# and a function that takes a pointer to itself, which the kernel accepts
"$TOOLS/rawbtf.py" loop.btf <<\END
    b'\0s\0a\0',
    0, 2 << 24, 2,                    # [1] PTR
    0, 13 << 24 | 1, 0, 3, 1,         # [2] FUNC_PROTO (PTR a)
    1, 8 << 24, 1,                    # [3] TYPEDEF s of the PTR
END
run_ok btfenc --btf_check loop.btf
run btfenc --btf_header loop.btf
expect_error "'loop.btf': type 1: it refers to itself, and no struct or union with a name lies between"
# a pointer to a function that returns a pointer to a function, and so on
for depth in 255 256 50000; do
	"$TOOLS/rawbtf.py" deep.btf <<END
    b'\0s\0',
    *(word for i in range($depth) for word in (0, 13 << 24, 2 * i, 0, 2 << 24, 2 * i + 1)),
    1, 8 << 24, 2 * $depth
END
	run btfenc --btf_header deep.btf
	if [ $depth = 255 ]; then
		expect_status 0
	else
		expect_error "'deep.btf': type 513: types nest more than 512 deep"
	fi
done
usage_error "'--btf_header' takes one file" --btf_header shapes.o module.o
usage_error "'--btf_header' and '-C' cannot be combined" --btf_header -C own module.o
