#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records of kinds that btfenc does not know are skipped if a layout has their sizes, with one warning.

. "${0%/*}/../lib/testlib.sh"

need python3 gcc objcopy

# Twice the same types, one with records of kinds 60 and 61 between them.
python3 - <<\END
import struct
strings = b'\0int\0s\0x\0f\0p\0'
def image(records, layout):
    types = struct.pack('=%dI' % len(records), *records)
    kinds = b''.join(bytes([info, elem, 0, 0]) for info, elem in layout)
    return struct.pack('=HBBIIIIIII', 0xeb9f, 1, 0, 32, 0, len(types), len(types) + len(kinds),
                       len(strings), len(types) if kinds else 0, len(kinds)) + types + kinds + strings
known = [(0, 0)] * 60
def types(unknown):
    first = [1, 1 << 24, 4, 0x01000020]                       # [1] INT int
    if unknown:
        first += [5, 60 << 24 | 2, 9, 7, 1000, 1001]          # [2] kind 60: one word, two elements
    n = 3 if unknown else 2
    last = [5, 4 << 24 | 1, 4, 7, 1, 0,                       # STRUCT s { int x; }
            0, 2 << 24, n,                                    # PTR s
            0, 13 << 24 | 1, 1, 11, n + 1,                    # FUNC_PROTO int (struct s *p)
            9, 12 << 24 | 1, n + 2]                           # FUNC f
    return first + last + ([5, 61 << 24, 0] if unknown else [])
open('plain.btf', 'wb').write(image(types(False), []))
open('more.btf', 'wb').write(image(types(True), known + [(4, 4), (0, 0)]))
open('no_layout.btf', 'wb').write(image(types(True), []))
open('short_layout.btf', 'wb').write(image(types(True), known + [(4, 4)]))
open('odd_layout.btf', 'wb').write(image(types(True), known + [(4, 3), (0, 0)]))
# a pointer to a record of kind 60 becomes one to void
open('pointer.btf', 'wb').write(image(types(True) + [7, 8 << 24, 9, 0, 2 << 24, 2], known + [(4, 4), (0, 0)]))
# over more.btf, whose layout applies: its types end at 7
open('split.btf', 'wb').write(image([5, 60 << 24, 4, 77, 11, 8 << 24, 3], []).replace(strings, b'y\0')
                              [:20] + struct.pack('=I', 2) + struct.pack('=II', 0, 0) +
                              struct.pack('=7I', 5, 60 << 24, 4, 77, 11, 8 << 24, 3) + b'y\0')
END
warning="skipped 2 types of kinds that btfenc does not know, the first of kind 60; references to them became void"

# check FILE: the kernel refuses such kinds, whatever the layout; but the rest is checked
run_status 1 btfenc --btf_check=7.4 more.btf
expect_stdout <<\END
more.btf: error: type 2 (UNKNOWN 60): there is no kind 60 [btf_check_meta]
END
expect_stderr <<END
btfenc: warning: 'more.btf': $warning
END

run_ok btfenc --btf_stats more.btf
expect_in stderr "'more.btf': $warning"
expect_in stdout '^UNKNOWN  *2  *36  *0  *36$'
expect_in stdout '^total  *7  *120 '

# the same types but for those, in both directions
run btfenc --btf_diff more.btf plain.btf
expect_in stderr "'more.btf': $warning"
run btfenc --btf_diff --json more.btf plain.btf
expect_in stdout '"kind":"UNKNOWN","a":2,"b":0'
run_silent btfenc --btf_diff plain.btf plain.btf

run_ok btfenc -C s more.btf
cp out/stdout shown
expect_in stderr "'more.btf': $warning"
run_ok btfenc -C s plain.btf
expect_no_stderr
cmp shown out/stdout || fail "the struct is printed otherwise"
run_ok btfenc -C x pointer.btf
expect_in stdout '^typedef void \* *x;'

# combining: the result has no such records
echo | gcc -c -o empty.o -xc - || fail "gcc failed"
for first in more plain; do
	cat $first.btf plain.btf $first.btf >archive.btf
	objcopy --add-section .BTF=archive.btf empty.o $first.o || fail "objcopy failed"
	run_ok btfenc --btf_encode_detached=$first.out $first.o
	[ $first = plain ] || expect_in stderr "^btfenc: warning: 'more.o': .BTF+0 (member 1) and 1 other: skipped types of kinds that btfenc does not know, the first of kind 60; references to them became void$"
	run_silent btfenc --btf_check $first.out
done
cmp more.out plain.out || fail "the archive gives another result"

# a base
run_ok btfenc --btf_stats --btf_base=more.btf split.btf
expect_in stderr "'more.btf': $warning"
expect_in stderr "'split.btf': skipped 1 type of kinds that btfenc does not know, the first of kind 60"

# without their sizes nothing behind them can be read
for file in no_layout short_layout odd_layout; do
	run btfenc --btf_stats $file.btf
	case $file in
	short_layout) expect_error "'$file.btf': BTF: BTF+0x8c: type 7: unknown kind 61" ;;
	*) expect_error "'$file.btf': BTF: BTF+0x30: type 2: unknown kind 60" ;;
	esac
done
exit 0
