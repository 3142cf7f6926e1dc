#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# types whose text doubles with each level give an error with little memory, and many types of one name do not

. "${0%/*}/../lib/testlib.sh"

need python3

# 24 functions, each of which returns a pointer to the one before, and takes two
"$TOOLS/rawbtf.py" protos.btf <<\END
    b'\0int\0f\0top\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    *(word for i in range(24) for word in (0, 13 << 24 | 2, 2 * i + 1, 5, 2 * i + 1, 5, 2 * i + 1, 0, 2 << 24, 2 * i + 2)),
    7, 4 << 24 | 1, 8, 5, 49, 0
END
# 30 structs without a name, each of which contains the one before twice
"$TOOLS/rawbtf.py" structs.btf <<\END
    b'\0top\0',
    0, 4 << 24, 0,
    *(word for i in range(30) for word in (0 if i < 29 else 1, 4 << 24 | 2, 0, 0, i + 1, 0, 0, i + 1, 0))
END
# the same with names; each also contains an int
"$TOOLS/rawbtf.py" named.btf <<\END
    b'\0int\0' + b's' * 31 + b'\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    5, 4 << 24 | 1, 0, 5, 1, 0,
    *(word for i in range(30) for word in (6 + i, 4 << 24 | 3, 0, 5, i + 2, 0, 5, i + 2, 0, 5, 1, 0)),
END
# an enum whose names are padded to the longest of them
"$TOOLS/rawbtf.py" enums.btf <<\END
    b'\0e\0' + b'n' * 10000 + b'\0',
    1, 6 << 24 | 60000, 4, 3, 0, *(word for i in range(59999) for word in (1, i))
END

# limits of memory in KiB; sanitizers want more than there is
memory=300000 less=20000
sh -c 'ulimit -v 100000 && btfenc --version; exit $?' >/dev/null 2>&1 || memory=unlimited less=unlimited

# bounded MESSAGE OPTION...: btfenc fails with MESSAGE, after it has printed some megabytes at most
bounded()
{
	message=$1
	shift
	run sh -c "ulimit -v $memory; ulimit -f 40000; exec btfenc \"\$@\"" - "$@"
	expect_status 1
	expect_in stderr "^btfenc: error: '.*': type [0-9]*: $message\$"
}
long='its text has more than [0-9]* bytes'
many='the types that it leads to nest in too many ways'
bounded "$long" -F btf protos.btf
bounded "$long" -F btf -C top protos.btf
bounded "$many" -F btf --compile protos.btf
bounded "$long" -F btf structs.btf
bounded "$long" -F btf --compile structs.btf
bounded "the text of the types up to it has more than [0-9]* bytes" -F btf -E named.btf
bounded "the text of the types up to it has more than [0-9]* bytes" -F btf -i int --recursive named.btf
bounded "$long" -F btf -C e enums.btf
run btfenc --btf_header protos.btf
if ! grep -q "'--btf_header' needs libbpf 1" out/stderr; then
	bounded "$many" --btf_header protos.btf
	bounded "$many" --btf_header structs.btf
fi

# members that are looked for in members without a name, and JSON
bounded "$many" -F btf -C top.none structs.btf
bounded "its text is too long" -F btf --json -C top structs.btf
run sh -c "ulimit -v $memory; exec btfenc -F btf --json protos.btf"
expect_status 0
[ "$(wc -c <out/stdout)" -lt 300000 ] || fail "more than the limit for one declaration"

# the text is written while it grows: memory does not grow with it
run sh -c "ulimit -v $less; exec btfenc -F btf -C top structs.btf"
expect_in stderr "type 31: $long"

# what a struct contains is printed everywhere, if it is small enough
"$TOOLS/rawbtf.py" few.btf <<\END
    b'\0int\0f\0top\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    *(word for i in range(3) for word in (0, 13 << 24 | 2, 2 * i + 1, 5, 2 * i + 1, 5, 2 * i + 1, 0, 2 << 24, 2 * i + 2)),
    7, 4 << 24 | 1, 8, 5, 7, 0
END
run_ok btfenc -F btf -q few.btf
expect_stdout <<\END
struct top {
	int                        (*(*(*f)(int (*(*f)(int (*f)(int f, int f), int (*f)(int f, int f)))(int f, int f), int (*(*f)(int (*f)(int f, int f), int (*f)(int f, int f)))(int f, int f)))(int (*f)(int f, int f), int (*f)(int f, int f)))(int f, int f);
};
END

# --- many types of one name

# 3,000 structs whose members have different names, each twice, and one whose member has no name, which is like any
"$TOOLS/rawbtf.py" same.btf <<\END
    b'\0int\0s\0' + b'n' * 3000 + b'\0',
    1, 1 << 24, 4, 1 << 24 | 32,
    *(word for i in range(6000) for word in (5, 4 << 24 | 1, 4, 7 + i % 3000, 1, 0)),
    5, 4 << 24 | 1, 4, 0, 1, 0,
END
run_ok btfenc -F btf -T same.btf
sort out/stdout | uniq -c | sed 's/[ 	][ 	]*/ /g' >times
printf ' 2999 s 2\n 1 s 3\n' | diff -u - times || fail "the times differ"
