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
	sed -i '/^\/\*$/,/^ \*\/$/d; /^	static const unsigned char layout_differs_/d; /^BTF_LAYOUT(/d
		/^#/d; /^$/d; /^\/\* BPF kfuncs \*\/$/d
		s/ __attribute__((mode([a-z]*)))//; s/()/(void)/g' theirs.h "$ours"
	diff theirs.h "$ours" >difference || fail "bpftool prints another header: $(head difference)"
}

sed '/^#ifdef BTF_LAYOUT_ERRORS$/,/^#endif$/d' ours.h | grep '^#' >macros
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
"$TOOLS/rawbtf.py" cycle.btf <<\END
    b'\0s\0',
    1, 8 << 24, 1,                    # [1] TYPEDEF s of itself
END
run btfenc --btf_header cycle.btf
expect_error "'cycle.btf': type 1: more than 32 modifiers follow each other [btf_check_modifier_chain_length]"
# and a function that takes a pointer to itself, which the kernel accepts
"$TOOLS/rawbtf.py" cycle.btf <<\END
    b'\0s\0a\0',
    0, 2 << 24, 2,                    # [1] PTR
    0, 13 << 24 | 1, 0, 3, 1,         # [2] FUNC_PROTO (PTR a)
    1, 8 << 24, 1,                    # [3] TYPEDEF s of the PTR
END
run_ok btfenc --btf_check cycle.btf
run btfenc --btf_header cycle.btf
expect_error "'cycle.btf': type 1: it refers to itself, and no struct or union with a name lies between"
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

# --- where the compiler gives a struct another layout, it warns

gcc -fms-extensions -w -g -c -x c -o odd.o - <<\END
struct packed_and_aligned { char a; void *b; char *c __attribute__((aligned(32))); } __attribute__((packed)) v1;
struct fields { unsigned a:3; unsigned b:7; void *c; long d __attribute__((aligned(16))); } __attribute__((packed)) v2;
struct field_aligned { char a; int b:5 __attribute__((aligned(8))); int c; } v3;
struct inner_packed { char a; struct { int x; char y; } __attribute__((packed)) b; short c; int d __attribute__((aligned(16))); } v4;
struct empty_array { short s; char c[0] __attribute__((aligned(8))); } v5;
struct anonymous { char c; struct { int x __attribute__((aligned(64))); }; union { char d; int e; }; } v6;
struct tag { int x; char y; };
struct extension { long a; struct tag; short b; } v7;
struct plain { char a; int b:3, c:30; short d; struct tag tag[2]; union { long e; char f[9]; } u; enum { A } g; } v8;
END
run_ok btfenc --btf_header odd.o
cp out/stdout odd.h
expect_not_in stdout "^BTF_LAYOUT(plain,"
expect_not_in stdout "^BTF_LAYOUT(tag,"
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	echo '#include "odd.h"' | $compiler -std=gnu11 -fsyntax-only -I. -x c - 2>warnings || fail "$compiler refuses odd.h"
	for name in packed_and_aligned fields field_aligned inner_packed empty_array anonymous extension plain; do
		size=$(btfenc -C "$name" odd.o | sed -n 's/.*size: \([0-9]*\), .*/\1/p' | tail -n 1)
		printf '#include "odd.h"\n_Static_assert(sizeof(struct %s) == %s, "size");\n' "$name" "$size" |
			$compiler -std=gnu11 -w -fsyntax-only -I. -x c - 2>/dev/null && right=y || right=n
		grep -q "BTF_LAYOUT($name," warnings && warned=y || warned=n
		case $right$warned in
		nn) fail "$compiler: struct $name is silently wrong" ;;
		esac
	done
	# it declares nothing without -fms-extensions
	grep -q "BTF_LAYOUT(extension," warnings || fail "$compiler does not warn about struct extension"
	echo '#include "odd.h"' | $compiler -fms-extensions -std=gnu11 -fsyntax-only -I. -x c - 2>warnings ||
		fail "$compiler refuses odd.h with -fms-extensions"
	! grep -q "BTF_LAYOUT(extension," warnings || fail "$compiler warns with -fms-extensions"
	echo '#include "odd.h"' | $compiler -DBTF_LAYOUT_ERRORS -std=gnu11 -fsyntax-only -I. -x c - 2>/dev/null &&
		fail "$compiler reports no error"
done

usage_error "'--btf_header' takes one file" --btf_header shapes.o module.o
usage_error "'--btf_header' and '-C' cannot be combined" --btf_header -C own module.o

# kfuncs, sorted by name; one has two tags
"$TOOLS/rawbtf.py" kfuncs.btf <<\END
    b'\0int\0f\0x\0bpf_kfunc\0bpf_fastcall\0g\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    0, 13 << 24 | 1, 1, 7, 1,
    32, 12 << 24, 2,
    5, 12 << 24, 2,
    9, 17 << 24, 3, 0xffffffff, 9, 17 << 24, 4, 0xffffffff, 19, 17 << 24, 4, 0xffffffff, 9, 17 << 24, 4, 0xffffffff,
    9, 17 << 24, 4, 0,
END
run_ok btfenc -F btf --btf_header kfuncs.btf
cp out/stdout kfuncs.h
sed -n '/BPF kfuncs/,/^#endif/p' kfuncs.h >told
cat >out/expected <<\END
/* BPF kfuncs */
#ifndef BPF_NO_KFUNC_PROTOTYPES
extern __bpf_fastcall int f(int x) __weak __ksym;
extern int g(int x) __weak __ksym;
#endif
END
diff out/expected told >&2 || fail "other kfuncs"
echo 'int use(void) { return f(1) + g(2); }' | cat kfuncs.h - >uses.c
gcc -std=gnu11 -Wall -Werror -Wno-unknown-pragmas -c uses.c || fail "gcc refuses kfuncs"
if command -v clang >/dev/null && clang -print-targets 2>/dev/null | grep -q bpf; then
	clang -target bpf -Werror -Wno-pragma-clang-attribute -g -c uses.c || fail "clang refuses kfuncs"
fi
echo 'int use(void) { return f(1); }' | cat kfuncs.h - >uses.c
gcc -std=gnu11 -DBPF_NO_KFUNC_PROTOTYPES -Werror=implicit-function-declaration -fsyntax-only uses.c 2>/dev/null &&
	fail "BPF_NO_KFUNC_PROTOTYPES does not hide them"
# a name that ends a declaration, and prototypes that double with each level
"$TOOLS/rawbtf.py" named.btf <<\END
    b'\0int\0f.g\0bpf_kfunc\0',
    1, 1 << 24, 4, 1 << 24 | 32, 0, 13 << 24, 1, 5, 12 << 24, 2, 9, 17 << 24, 3, 0xffffffff
END
error "'named.btf': type 3: C does not accept its name, or a name in it" -F btf --btf_header named.btf
"$TOOLS/rawbtf.py" doubled.btf <<\END
    b'\0int\0f\0bpf_kfunc\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    *(word for i in range(30) for word in (0, 13 << 24 | 2, 2 * i + 1, 5, 2 * i + 1, 5, 2 * i + 1, 0, 2 << 24, 2 * i + 2)),
    5, 12 << 24, 60, 7, 17 << 24, 62, 0xffffffff
END
error "'doubled.btf': type 60: the types that it leads to nest in too many ways" -F btf --btf_header doubled.btf
