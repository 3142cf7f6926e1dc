#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_stats: where the bytes go

. "${0%/*}/../lib/testlib.sh"

need python3
# two copies of struct foo_bar, a string that nobody uses
python3 - <<\END
import struct
strings = b'\0int\0foo_bar\0value\0foo_ops\0nobody\0'
words = [
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    5, 4 << 24 | 2, 16, 13, 1, 0, 0, 3, 64,    # [2] STRUCT foo_bar { int value; union *; }
    0, 2 << 24, 4,                             # [3] PTR to [4]
    0, 5 << 24 | 1, 4, 13, 1, 0,               # [4] UNION { int value; }
    5, 4 << 24 | 2, 16, 13, 1, 0, 0, 3, 64,    # [5] STRUCT foo_bar
    19, 8 << 24, 2,                            # [6] TYPEDEF foo_ops
]
types = struct.pack('=%dI' % len(words), *words)
open('a.btf', 'wb').write(struct.pack('=HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types),
                                      len(types), len(strings)) + types + strings)
words = [0, 2 << 24, 1, 1, 1 << 24, 4, 0x01000020]
types = struct.pack('=%dI' % len(words), *words)
open('m.btf', 'wb').write(struct.pack('=HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types),
                                      len(types), 0) + types)
END
run btfenc --btf_stats a.btf
expect_status 0
expect_no_stderr
expect_stdout <<\END
a.btf: BTF: 194 bytes: header 24, types 136, strings 34
                types    bytes  strings      all
INT                 1       16        4       20
PTR                 1       12        0       12
STRUCT              2       72       14       86
UNION               1       24        0       24
TYPEDEF             1       12        8       20
total               6      136       26      162
strings that no type uses: 7 bytes
types that are there before: 1, 36 bytes

largest, with what has no name of its own:
     bytes    types
        86        3  struct foo_bar
        36        1  struct foo_bar
        20        1  int
        20        1  typedef foo_ops

alike in name:
     bytes    types
       142        5  foo_
        20        1  (no underscore)

there more than once:
     bytes   copies
        36        1  struct foo_bar
END

# --- split BTF: what the base has already
run btfenc --btf_stats --btf_base=a.btf m.btf
expect_status 0
expect_in stdout '^m.btf: BTF: 52 bytes: header 24, types 28, strings 0$'
expect_in stdout '^types that the base has: 1, 16 bytes$'

# --- lists are cut, unless -V
python3 - <<\END
import struct
strings = b'\0' + b''.join(b'name%02d\0' % i for i in range(20))
words = [w for i in range(20) for w in (1 + 7 * i, 7 << 24, 0)]
types = struct.pack('=%dI' % len(words), *words)
open('many.btf', 'wb').write(struct.pack('=HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types),
                                         len(types), len(strings)) + types + strings)
END
run btfenc --btf_stats many.btf
expect_status 0
[ "$(grep -c 'struct name' out/stdout)" = 10 ] || fail "$(cat out/stdout)"
run btfenc -V --btf_stats many.btf
expect_status 0
[ "$(grep -c 'struct name' out/stdout)" = 20 ] || fail "$(cat out/stdout)"

# --- all sections of an ELF file, several files
gcc_c a.o <<\END
struct s { int x; } v;
END
run btfenc -J --btf_features=default,global_var.extra a.o
expect_status 0
run btfenc --btf_stats a.o a.btf
expect_status 0
expect_in stdout '^a.o: .BTF: [0-9]* bytes: '
expect_in stdout '^a.o: .BTF.extra: [0-9]* bytes: '
expect_in stdout '^a.btf: BTF: 194 bytes: '

# --- trouble
run btfenc --btf_stats none.btf
expect_error "'none.btf': No such file or directory"
cat a.btf a.btf >archive.btf
run btfenc --btf_stats archive.btf
expect_error "'archive.btf': BTF is an archive of 2, to be combined first ('btfenc -J')"
run btfenc --btf_stats
expect_usage_error "no input file"
run btfenc --btf_stats --strip_dwarf a.o
expect_usage_error "'--btf_stats' makes nothing, and '--strip_dwarf' does"
exit 0
