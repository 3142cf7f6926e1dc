#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records of inlined functions, in .BTF or in .BTF.inline: they are checked, also against the sections of their
# file, compared and counted.

. "${0%/*}/../lib/testlib.sh"

need python3 gcc objcopy

echo 'int f(int a) { return a; } int data = 1;' >a.c
gcc -c -o plain.o a.c || fail "gcc failed"
text_size=$((0x$(objdump -h plain.o | awk '$2 == ".text" { print $3 }')))

# raw NAME WORD...: the types of a unit, then these
raw() {
	name=$1
	shift
	"$TOOLS/rawbtf.py" "$name" <<-END
	    b'\0int\0f\0a\0inline.text\0inline.data\0inline.none\0.text\0x\0',
	    1, 1 << 24, 4, 0x01000020,               # [1] INT int
	    0, 13 << 24 | 1, 1, 7, 1,                # [2] FUNC_PROTO int (int a)
	    5, 12 << 24, 2,                          # [3] FUNC f
	    0, 20 << 24 | 1, 4, 8, 5,                # [4] LOC_PARAM: register 5
	    0, 21 << 24 | 1, 0, 4,                   # [5] LOC_PROTO
	    $*
	END
}
# has FILE BTF [SECTION]
has() {
	objcopy --add-section "${3:-.BTF}=$2" "${4:-plain.o}" "$1" || fail "objcopy failed"
}

raw good.btf "9, 22 << 24 | 2, 0, 3, 5, 0, 3, 5, $((text_size - 1))"
raw bad.btf "9, 22 << 24 | 2, 0, 3, 5, 0, 3, 5, $text_size, 21, 22 << 24 | 1, 0, 3, 5, 0, 33, 22 << 24 | 1, 0, 3, 5, 0,
	45, 22 << 24 | 1, 0, 3, 5, 0"
has good.o good.btf
has bad.o bad.btf

# --- check
run_silent btfenc --btf_check=7.4 good.btf good.o
run_status 1 btfenc --btf_check=7.3 good.o
expect_stdout <<\END
good.o: error: type 4 (LOC_PARAM, size 4): there is no kind LOC_PARAM before Linux 7.4 [btf_check_meta]
good.o: error: type 5 (LOC_PROTO, size 0): there is no kind LOC_PROTO before Linux 7.4 [btf_check_meta]
good.o: error: type 6 'inline.text' (LOCSEC, size 0): there is no kind LOCSEC before Linux 7.4 [btf_check_meta]
note: for Linux 7.3, encode without these features: inline (see btfenc-features(7))
END
run_status 1 btfenc --btf_check=7.4 bad.o
expect_stdout <<END
bad.o: error: type 6 'inline.text' (LOCSEC, size 0): site 1 'f' (type 3, type 5, offset $text_size): it is not in its section, which has $text_size bytes [inline sites]
bad.o: error: type 7 'inline.data' (LOCSEC, size 0): the section is not executable [inline sites]
bad.o: error: type 8 'inline.none' (LOCSEC, size 0): the file has no such section [inline sites]
bad.o: warning: type 9 '.text' (LOCSEC, size 0): the name is not 'inline' and the name of a section: readers will ignore it [inline sites]
END
# raw BTF has no sections
run_ok btfenc --btf_check=7.4 bad.btf
expect_stdout <<\END
bad.btf: warning: type 9 '.text' (LOCSEC, size 0): the name is not 'inline' and the name of a section: readers will ignore it [inline sites]
END

# --- apart: over the .BTF of the file
python3 - <<\END
import struct
def image(name, strings, *words):
    types = struct.pack('=%dI' % len(words), *words)
    open(name, 'wb').write(struct.pack('=HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings)) +
                           types + strings)
image('main.btf', b'\0int\0f\0a\0', 1, 1 << 24, 4, 0x01000020, 0, 13 << 24 | 1, 1, 7, 1, 5, 12 << 24, 2)
image('sites.btf', b'inline.text\0', 0, 20 << 24 | 1, 4, 8, 5, 0, 21 << 24 | 1, 0, 4, 9, 22 << 24 | 1, 0, 3, 5, 0)
image('far.btf', b'inline.text\0', 0, 20 << 24 | 1, 4, 8, 5, 0, 21 << 24 | 1, 0, 4, 9, 22 << 24 | 1, 0, 3, 5, 99999)
image('vars.btf', b'data\0.data\0', 9, 14 << 24, 1, 1, 14, 15 << 24 | 1, 4, 4, 0, 4)
END
has main.o main.btf
has apart.o sites.btf .BTF.inline main.o
has apart_far.o far.btf .BTF.inline main.o
has both.o vars.btf .BTF.extra apart.o
run_silent btfenc --btf_check=7.4 apart.o both.o
run_status 1 btfenc --btf_check=7.4 apart_far.o
expect_stdout <<END
apart_far.o: error: .BTF.inline: type 6 'inline.text' (LOCSEC, size 0): site 0 'f' (type 3, type 5, offset 99999): it is not in its section, which has $text_size bytes [inline sites]
END

# --- compare: the same types, wherever they are; the ids of .BTF.inline follow those of .BTF.extra
raw one.btf "9, 22 << 24 | 1, 0, 3, 5, 0"
run_silent btfenc --btf_diff one.btf apart.o
run_status 1 btfenc --btf_diff apart.o both.o
expect_stdout <<\END
A: apart.o
B: both.o
                    A        B   only A   only B  changed
VAR                 0        1        0        1        0
DATASEC             0        1        0        1        0
total               6        8        0        2        0

only in B: var data
only in B: section .data
END

# --- count
run_ok btfenc --btf_stats good.btf
expect_in stdout '^inline sites: 2: places of all parameters 2, of some 0, of none 0; no parameters 0$'
run_ok btfenc --btf_stats main.btf
expect_not_in stdout 'inline sites'
run_ok btfenc --btf_stats --json good.btf
expect_in stdout '"inline_sites":{"sites":2,"all_places":2,"some_places":0,"no_places":0,"no_parameters":0}'

# --- print: the types are those without them
for option in --expand_types --sizes --btf_header; do
	run btfenc $option good.btf
	grep -q "needs libbpf 1" out/stderr && continue
	expect_status 0
	cp out/stdout printed
	run_ok btfenc $option main.btf
	cmp printed out/stdout || fail "other types are printed"
done

# --- combine: the sites of a member are those of its object, and are left out
for name in main one; do
	has member.o $name.btf
	run_silent btfenc -F btf --btf_encode_detached=$name.out member.o
done
cmp main.out one.out || fail "a member with sites gives other types"
exit 0
