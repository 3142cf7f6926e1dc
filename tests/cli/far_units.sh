#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# units that are more than 2 GiB apart and refer to one another, or more than 4 and do not
#
# The file is mostly a hole. The header of the first unit gives that length; no reader looks behind its DIEs.
# Both units are made for the offset of the second one.

. "${0%/*}/../lib/testlib.sh"

need as objcopy readelf dd python3
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "not for this machine" ;;
esac

# le64 NUMBER: its eight bytes
le64()
{
	n=$1
	for _ in 1 2 3 4 5 6 7 8; do
		printf '\\%03o' $((n & 255))
		n=$((n >> 8))
	done
}

# make FILE WIDTH AT FORM: WIDTH is .long or .quad, of lengths and references; AT is where the second
# unit is; FORM is addr for references that lead into the other unit, or unit. Sizes of what is below
# are counted by hand: the header has 11 bytes, or 23, the unit's own DIE 3, int's 7.
make()
{
	head=11 length=4 escape=
	[ "$2" = .long ] || head=23 length=12 escape='.long 0xffffffff'
	# no unit is longer than 4 GiB: the first is there twice
	parts=1
	[ $3 -le $((4 << 30)) ] || parts=2
	case $4 in
	addr) form=0x10 away=$(($3 + head + 10)) m=$((head + 3)) ;;
	unit) form=0x14 away=$((head + 3)) m=$((head + 3)) ;;
	esac
	cat >far.s <<-END
	.section .debug_abbrev,"",@progbits
	.byte 1, 0x11, 1, 0x3, 8, 0, 0                  # a unit with a name
	.byte 2, 0x24, 0, 0x3, 8, 0xb, 0xb, 0x3e, 0xb, 0, 0 # int
	.byte 3, 0x16, 0, 0x3, 8, 0x49, $form, 0, 0     # a typedef
	.byte 4, 0x13, 1, 0x3, 8, 0xb, 0xb, 0, 0        # a struct
	.byte 5, 0xd, 0, 0x3, 8, 0x49, $form, 0x38, 0xb, 0, 0 # its member
	.byte 0
	.section .debug_info,"",@progbits
	$escape
	$2 $(($3 / parts - length))
	.short 4
	$2 0
	.byte 8
	.byte 1
	.asciz "a"
	.byte 2
	.asciz "int"
	.byte 4, 5
	.byte 3
	.asciz "away"
	$2 $away
	.byte 0
	.balign 256
	.section .second,"",@progbits
	$escape
	$2 end - start
	start: .short 4
	$2 0
	.byte 8
	.byte 1
	.asciz "b"
	.byte 2
	.asciz "int"
	.byte 4, 5
	.byte 4
	.asciz "far"
	.byte 4
	.byte 5
	.asciz "m"
	$2 $m
	.byte 0
	.byte 0
	.byte 0
	end:
	END
	as -o made.o far.s || fail "as failed"
	readelf -SW made.o | grep -q ' \.rela\.' && fail "there are relocations"
	objcopy -O binary --only-section=.debug_info --set-section-flags .debug_info=alloc made.o first &&
		objcopy -O binary --only-section=.second --set-section-flags .second=alloc made.o second ||
		fail "objcopy failed"
	index=$(readelf -SW made.o | sed -n 's/^ *\[ *\([0-9]*\)\] \.debug_info .*/\1/p')
	table=$(readelf -hW made.o | sed -n 's/ *Start of section headers: *\([0-9]*\) .*/\1/p')
	start=65536
	cp made.o "$1"
	for part in "first 0" "first $(($3 / parts * (parts - 1)))" "second $3"; do
		dd if="${part% *}" of="$1" bs=4 seek=$(((start + ${part#* }) / 4)) conv=notrunc 2>/dev/null ||
			skip "no room for $3 bytes of holes"
	done
	# sh_offset and sh_size
	poke "$1" $((table + index * 64 + 24)) "$(le64 $start)$(le64 $(($3 + $(wc -c <second))))"
}

# check FILE TYPE: "away" is TYPE
check()
{
	run_ok btfenc --btf_encode_detached=out.btf "$1"
	expect_no_stdout
	run_ok "$TOOLS/btfdump.py" out.btf
	expect_stdout <<END
int int size 4 bits 32 signed
struct far size 4 {
	0 m int;
}
typedef away $2
END
}

make near.o .long 256 addr
check near.o "struct far"
make far.o .long $((0x90000000)) addr
check far.o "struct far"

make near.o .quad 256 addr
check near.o "struct far"
make near.o .quad 256 unit
check near.o int
make far.o .quad $((5 << 30)) unit
check far.o int

# What refers to one another is read as one, and there is a limit to that.
make far.o .quad $((5 << 30)) addr
rm out.btf
run_status 1 btfenc --btf_encode_detached=out.btf far.o
expect_in stderr "^btfenc: error: 'far.o': .debug_info of 53[0-9]* bytes .*at most 4 GiB$"
[ ! -e out.btf ] || fail "it has written something"
