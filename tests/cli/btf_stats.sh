#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_stats: where the bytes go

. "${0%/*}/../lib/testlib.sh"

need gcc ld python3
# two copies of struct foo_bar, a string that nobody uses
"$TOOLS/rawbtf.py" a.btf <<\END
    b'\0int\0foo_bar\0value\0foo_ops\0nobody\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    5, 4 << 24 | 2, 16, 13, 1, 0, 0, 3, 64,    # [2] STRUCT foo_bar { int value; union *; }
    0, 2 << 24, 4,                             # [3] PTR to [4]
    0, 5 << 24 | 1, 4, 13, 1, 0,               # [4] UNION { int value; }
    5, 4 << 24 | 2, 16, 13, 1, 0, 0, 3, 64,    # [5] STRUCT foo_bar
    19, 8 << 24, 2,                            # [6] TYPEDEF foo_ops
END
"$TOOLS/rawbtf.py" m.btf <<\END
    b'',
    0, 2 << 24, 1,                             # PTR to [1] of a.btf
    1, 1 << 24, 4, 0x01000020,                 # INT int once more
END
run_ok btfenc --btf_stats a.btf
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
unused strings: 7 bytes
duplicate types: 1, 36 bytes

largest types, with their unnamed types:
     bytes    types
        86        3  struct foo_bar
        36        1  struct foo_bar
        20        1  int
        20        1  typedef foo_ops

by prefix of the name:
     bytes    types
       142        5  foo_
        20        1  (no underscore)

several types of one name:
     bytes   copies
        36        1  struct foo_bar
END

# --- split BTF: what the base has already
run_ok btfenc --btf_stats --btf_base=a.btf m.btf
expect_in stdout '^m.btf: BTF: 52 bytes: header 24, types 28, strings 0$'
expect_in stdout '^types that the base has: 1, 16 bytes; the feature base_typedefs avoids most$'

# --- lists are cut, unless -V
"$TOOLS/rawbtf.py" many.btf <<\END
    b'\0' + b''.join(b'name%02d\0' % i for i in range(20)),
    *(word for i in range(20) for word in (1 + 7 * i, 7 << 24, 0)) # 20 FWDs
END
run_ok btfenc --btf_stats many.btf
[ "$(grep -c 'struct name' out/stdout)" = 10 ] || fail "$(cat out/stdout)"
run_ok btfenc -V --btf_stats many.btf
[ "$(grep -c 'struct name' out/stdout)" = 20 ] || fail "$(cat out/stdout)"

# --- all sections of an ELF file, several files
gcc_c a.o <<\END
struct s { int x; } v;
END
run_ok btfenc -J --btf_features=default,global_var.extra a.o
run_ok btfenc --btf_stats a.o a.btf
expect_in stdout '^a.o: .BTF: [0-9]* bytes: '
expect_in stdout '^a.o: .BTF.extra: [0-9]* bytes: '
expect_in stdout '^a.btf: BTF: 194 bytes: '

# --- with several files, a total, which is all that -q prints; the same with any number of threads
run_ok btfenc -q --btf_stats a.btf many.btf a.btf
expect_stdout <<\END
total of 3 files: 793 bytes: header 72, types 512, strings 209
                types    bytes  strings      all
INT                 2       32        8       40
PTR                 2       24        0       24
STRUCT              4      144       28      172
UNION               2       48        0       48
FWD                20      240      140      380
TYPEDEF             2       24       16       40
total              32      512      192      704
unused strings: 14 bytes
duplicate types: 2, 72 bytes

largest files:
     bytes    types
       405       20  many.btf
       194        6  a.btf
       194        6  a.btf
END
cp out/stdout total
echo many.btf >list
for jobs in 1 2 8; do
	run_ok btfenc -j$jobs --btf_stats a.btf @list a.btf
	sed -n '/^total of/,$p' out/stdout | cmp total - || fail "another total"
	[ $jobs = 1 ] && cp out/stdout alone
	cmp alone out/stdout || fail "another text with -j$jobs"
done
[ "$(grep -c '^[a-z]*.btf: BTF: ' out/stdout)" = 3 ] || fail "not three files"
# one file has no total, unless it is all
run_ok btfenc --btf_stats a.btf
expect_not_in stdout '^total of'
run_ok btfenc -q --btf_stats a.btf
expect_in stdout '^total of 1 file: 194 bytes: header 24, types 136, strings 34$'
# a long list of files is cut, unless -V
set --
while [ $# -lt 12 ]; do set -- "$@" a.btf; done
run_ok btfenc -q --btf_stats "$@"
[ "$(grep -c ' a.btf$' out/stdout)" = 10 ] || fail "$(cat out/stdout)"
run_ok btfenc -q -V --btf_stats "$@"
[ "$(grep -c ' a.btf$' out/stdout)" = 12 ] || fail "$(cat out/stdout)"
# a file that cannot be read keeps none from being counted
run_status 1 btfenc --btf_stats a.btf none.btf many.btf cut.btf
expect_in stdout '^many.btf: BTF: '
expect_in stdout '^total of 2 files: 599 bytes: '
expect_stderr <<\END
btfenc: error: 'none.btf': No such file or directory
btfenc: error: 'cut.btf': No such file or directory
END
run_status 1 btfenc --btf_stats none.btf cut.btf
expect_no_stdout
# a directory stands for its modules and files of BTF, in the order of their names
mkdir -p tree/deep tree/empty
cp many.btf tree/a.btf
cp a.btf tree/deep/b.btf
cp a.btf tree/notes
ln -s .. tree/deep/up
run_ok btfenc -j2 --btf_stats tree a.btf
sed -n 's/: BTF: .*//p' out/stdout | tr '\n' ' ' >counted
[ "$(cat counted)" = 'tree/a.btf tree/deep/b.btf a.btf ' ] || fail "$(cat counted)"
expect_in stdout '^total of 3 files: 793 bytes: '
run_ok btfenc -q --btf_stats tree/deep/
expect_in stdout '^total of 1 file: 194 bytes: '
error "'tree/empty' has no files '*.ko' or '*.btf'" --btf_stats tree/empty

# --- of a run: what each unit says, and what the result is
mkdir units
cat >units/one.c <<\END
struct shared { int x; struct shared *next; } one;
END
cat >units/two.c <<\END
struct shared { int x; struct shared *next; };
struct own { struct shared shared; } two;
END
echo 'char zero;' >units/zero.c
for name in zero one two; do
	gcc -g -c -o units/$name.o units/$name.c || fail "gcc failed"
done
ld -r -o units/both.o units/zero.o units/one.o units/two.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=plain.btf units/both.o
run_ok btfenc --btf_stats --btf_encode_detached=stats.btf units/both.o
expect_no_stderr
cmp plain.btf stats.btf || fail "what is made depends on being looked at"
for phase in open read resolve finish write total; do
	expect_in stdout "^$phase  *[0-9]*\.[0-9]* *[0-9]*\.[0-9]* *[0-9]*\.[0-9]$"
done
# char; int, struct shared, a pointer to it; and struct own
expect_in stdout '^in all units *8 *168  (3 units)$'
expect_in stdout '^unique *5 *104$'
expect_in stdout '^written *5 *104$'
grep 'units/.*\.c$' out/stdout | tr -s ' ' >most_first
cmp -s most_first - <<\END || fail "units: $(cat most_first)"
 64 3 3 units/one.c
 24 1 4 units/two.c
 16 1 1 units/zero.c
END
expect_in stdout '^units/both.o: .BTF: [0-9]* bytes: header 24, types 104, strings [0-9]*$'
expect_in stdout '^STRUCT  *2  *60 '

# in place, from an archive, over a base
for name in one two; do
	run_silent btfenc -J units/$name.o
done
ld -r -o archive.o units/one.o units/two.o || fail "ld failed"
run_ok btfenc -J --btf_stats archive.o
expect_in stdout '^unique *4 *88$'
expect_in stdout '^ *24 *1 *4  units/two.c$'
run_ok btfenc -J --btf_stats --btf_features=default,distilled_base --btf_base=plain.btf a.o
expect_in stdout '^a.o: .BTF.base: '
expect_in stdout '^a.o: .BTF: '
run_ok btfenc -J --btf_stats --btf_features=default,global_var.extra units/both.o
expect_in stdout '^units/both.o: .BTF.extra: '
echo >empty.s
gcc -c -o empty.o empty.s
run_silent btfenc -J --btf_stats empty.o
run btfenc -J --btf_stats --btf_base=plain.btf units/one.o units/two.o
expect_usage_error "'--btf_base' encodes each of 2 files by itself: '--btf_stats' covers one"

# --- trouble
error "'none.btf': No such file or directory" --btf_stats none.btf
cat a.btf a.btf >archive.btf
error "'archive.btf': BTF is an archive of 2, to be combined first ('btfenc -J')" --btf_stats archive.btf
usage_error "no input file" --btf_stats
usage_error "'--btf_stats' and '--strip_dwarf' cannot be combined" --btf_stats --strip_dwarf a.o
exit 0
