#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# names with control characters do not reach the terminal, and names with C code do not reach the compiler

. "${0%/*}/../lib/testlib.sh"

need python3

"$TOOLS/rawbtf.py" odd.btf <<\END
    b'\0int\0s\x1b[31mAB\0m\n;}c;{d\0e\xff\xfeABCDE\0v\xc2\x9bABCDE\0t\xe2\x80\xaeABCD\0p\x07\x7fABCDE\0u\tABCDEF\0top\0',
    1, 1 << 24, 4, 1 << 24 | 32,      # [1] INT int
    5, 4 << 24 | 1, 4, 14, 1, 0,      # [2] STRUCT s... { int m... }
    23, 6 << 24 | 1, 4, 32, 1,        # [3] ENUM e... { v... = 1 }
    59, 5 << 24 | 1, 4, 50, 3, 0,     # [4] UNION u... { enum e... p... }
    41, 8 << 24, 4,                   # [5] TYPEDEF t... of the union
    0, 13 << 24 | 1, 0, 50, 1,        # [6] FUNC_PROTO void (int p...)
    0, 2 << 24, 6,                    # [7] PTR to it
    68, 4 << 24 | 1, 8, 50, 7, 0,     # [8] STRUCT top { (*p...)(int p...) }
END
"$TOOLS/rawbtf.py" int.btf <<\END
    b'\0int\0',
    1, 1 << 24, 4, 1 << 24 | 32
END

# only printable characters of ASCII, tabs and ends of lines
expect_clean()
{
	LC_ALL=C tr -d '\011\012\040-\176' <out/"$1" >rest
	[ ! -s rest ] || fail "raw bytes in standard $1: $(od -c <rest | head -3)"
}

run_ok btfenc -F btf -q odd.btf
expect_stdout <<\END
struct s\x1b[31mAB {
	int                        m\x0a;}c;{d;
};
union u\x09ABCDEF {
	enum e\xff\xfeABCDE        p\x07\x7fABCDE;
};
struct top {
	void                       (*p\x07\x7fABCDE)(int p\x07\x7fABCDE);
};
END
for option in "-E" "-s" "-n" "-t" "-T" "--compile" "--compile -E" "-C top,int -f int" "-i int" "-y s"; do
	run btfenc -F btf $option odd.btf
	expect_clean stdout
	expect_clean stderr
done
# a name is found by its bytes
name=$(printf 't\342\200\256ABCD,s\033[31mAB,e\377\376ABCDE')
run_ok btfenc -F btf -q -C "$name" odd.btf
expect_clean stdout
expect_in stdout '^typedef union u\\x09ABCDEF *t\\xe2\\x80\\xaeABCD;$'
expect_in stdout '^	v\\xc2\\x9bABCDE = 1,$'
run btfenc -F btf -C "$(printf 'a\033b')" odd.btf
expect_error "type 'a\\x1bb' not found"

for job in "--btf_diff int.btf" "--btf_stats -V" "--btf_check" "--explain=top" "--btf_diff int.btf --json" "--btf_stats -V --json" \
	"--btf_check --json"; do
	run btfenc $job odd.btf
	expect_clean stderr
	case $job in
	*--json) # tabs and bytes of no character are escaped, too
		LC_ALL=C tr -d '\12\40-\176' <out/stdout >rest
		[ ! -s rest ] || fail "$job: raw bytes"
		python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' out/stdout || fail "$job: no JSON" ;;
	*) expect_clean stdout ;;
	esac
done

# --- for a compiler, a name that is none is replaced

run_ok btfenc -F btf --compile odd.btf
expect_in stdout '^struct s_x1b_x5b31mAB {$'
expect_in stdout '^	int                        m_x0a_x3b_x7dc_x3b_x7bd; '
gcc -std=gnu11 -fsyntax-only -x c out/stdout || fail "gcc does not take it"
# also keywords, a digit at the start, base types with code, and names that C++ and Rust allow
"$TOOLS/rawbtf.py" code.btf <<\END
    b'\0int; } evil; struct x { int\0for\0Option<u32>\0' + b'1st\0long int\0\xc3\xa9t\xc3\xa9\0',
    1, 1 << 24, 4, 1 << 24 | 32,      # [1] INT
    49, 1 << 24, 8, 1 << 24 | 64,     # [2] INT long int
    33, 4 << 24 | 3, 16, 29, 1, 0, 45, 1, 32, 58, 2, 64
END
run_ok btfenc -F btf --compile -q code.btf
expect_stdout <<\END
struct Option_x3cu32_x3e {
	int_x3b_x20_x7d_x20evil_x3b_x20struct_x20x_x20_x7b_x20int _x66or;
	int_x3b_x20_x7d_x20evil_x3b_x20struct_x20x_x20_x7b_x20int _x31st;
	long int                   été;
};
END
# what people read has the names as they are
run_ok btfenc -F btf -q code.btf
expect_in stdout '^struct Option<u32> {$'

# --- libbpf prints names as they are, so a header with such a name is refused

refused()
{
	"$TOOLS/rawbtf.py" bad.btf || exit 1
	run btfenc --btf_header bad.btf
	[ "$STATUS" = 1 ] && grep -q "'--btf_header' needs libbpf 1" out/stderr && return
	expect_error "'bad.btf': type $1: C does not accept its name, or a name in it"
}
# the kernel does not check base types and tags, and accepts keywords
refused 1 <<\END
    b'\0int; } evil; struct x { int\0s\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    29, 4 << 24 | 1, 4, 29, 1, 0
END
refused 2 <<\END
    b'\0int\0while\0s\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    0, 13 << 24 | 1, 0, 5, 1,
    0, 2 << 24, 2,
    11, 4 << 24 | 1, 8, 11, 3, 0
END
refused 2 <<\END
    b'\0int\0t"))) int evil; //\0s\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    5, 18 << 24, 1,
    0, 2 << 24, 2,
    24, 4 << 24 | 1, 8, 24, 3, 0
END
refused 2 <<\END
    b'\0int\0while\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    5, 4 << 24 | 1, 4, 1, 1, 0
END
