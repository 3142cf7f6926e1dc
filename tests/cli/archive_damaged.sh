#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a damaged archive is refused with the number and the offset of the member, and stays as it is

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy readelf od dd head cmp
for name in one two three; do
	gcc_c $name.o <<END
struct $name { int x; struct $name *next; } v_$name = { 1 };
int f_$name(struct $name *p, int n) { return p->x + n; }
END
	run_ok btfenc -J --btf_features=default,global_var $name.o
done
ld -e f_one -o described one.o two.o three.o || fail "ld failed"
for name in one two three; do
	run_ok btfenc -J --btf_features=default,global_var --strip_dwarf $name.o
done
ld -e f_one -o whole one.o two.o three.o || fail "ld failed"
section whole .BTF whole.btf

# Where the members begin, and the last one ends.
size=$(wc -c <whole.btf)
offsets=
offset=0
while [ $offset -lt "$size" ]; do
	offsets="$offsets $offset"
	offset=$((offset + $(u32 whole.btf $((offset + 4))) + $(u32 whole.btf $((offset + 16))) + $(u32 whole.btf $((offset + 20)))))
done
set -- $offsets
[ $# = 3 ] || fail "$# members instead of 3"
[ $offset = "$size" ] || fail "the last member ends at $offset of $size"

# as_file: bad.btf becomes the section of bad
as_file()
{
	objcopy --update-section .BTF=bad.btf whole bad 2>/dev/null || fail "objcopy failed"
}

# with_word OFFSET NUMBER: bad.btf is whole.btf with this number of 32 bits there
with_word()
{
	cp whole.btf bad.btf
	poke bad.btf "$1" "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($2 & 255)) $(($2 >> 8 & 255)) \
		$(($2 >> 16 & 255)) $(($2 >> 24 & 255)))"
}

# refused NUMBER OFFSET WHAT: ELF file and raw file are refused, and speak of the member
refused()
{
	as_file
	refuses "$@" bad
	refuses "$@" bad.btf -F btf
}

# refuses NUMBER OFFSET WHAT FILE OPTION...
refuses()
{
	where=$1 want=$2 what=$3 file=$4
	shift 4
	cp "$file" before
	run btfenc -J "$@" "$file"
	[ "$STATUS" = 1 ] || { show; fail "$what: status $STATUS"; }
	[ ! -s out/stdout ] || { show; fail "$what: says something on stdout"; }
	[ "$(wc -l <out/stderr)" = 1 ] || { show; fail "$what: not one line"; }
	grep -q "^btfenc: error: '$file': .*BTF.*member $where\>" out/stderr ||
		{ show; fail "$what: does not name member $where"; }
	grep -q "\<$want\>" out/stderr || { show; fail "$what: does not name the offset $want"; }
	cmp before "$file" || fail "$what: $file was changed"
}

# hex NUMBER: as printf("%#zx")
hex()
{
	[ "$1" = 0 ] && echo 0 || printf '0x%x' "$1"
}

# whole, it is combined
cp whole good
run_silent btfenc -J --btf_features=default,global_var good
! cmp -s whole good || fail "nothing was combined"

number=0
for offset; do
	number=$((number + 1))
	types=$((offset + $(u32 whole.btf $((offset + 4)))))
	strings=$((types + $(u32 whole.btf $((offset + 16)))))
	end=$((strings + $(u32 whole.btf $((offset + 20)))))
	at=$(hex $offset)

	# cut: one member alone is no archive, though, so it is not looked at without -F btf
	if [ $number != 1 ]; then
		for cut in $((offset + 1)) $((offset + 8)) $types $((types + 10)) $strings $((end - 1)); do
			head -c $cut whole.btf >bad.btf
			refused $number "$at" "cut to $cut bytes"
		done
	fi

	# each number of the header: absurd, too small and too large by a little
	for field in 4 8 12 16 20 28; do
		old=$(u32 whole.btf $((offset + field)))
		for value in 4294967295 2147483648 $((old + 4)) $((old + 1)); do
			with_word $((offset + field)) "$value"
			number_at="$number" offset_at=$at
			# a length that is a little too large leads into the next member
			if [ $field = 20 ] && [ $number != 3 ] && [ $value -lt 65536 ]; then
				number_at="\\($number\\|$((number + 1))\\)"
				offset_at="\\($at\\|$(hex $((end + value - old)))\\)"
			fi
			refused "$number_at" "$offset_at" "member $number: $value at $field"
		done
	done
	for value in 0 65439 33614751; do # no magic, no version, version 2
		with_word $offset $value
		[ $value = 0 ] && [ $number != 1 ] && continue # four zeros are padding
		refused $number "$at" "member $number: magic and version $value"
	done

	# records and strings
	with_word $((types + 4)) 2130706432
	refused $number "$at" "member $number: kind 127"
	with_word $((types)) 16777216
	refused $number "$at" "member $number: a name outside of the strings"
	with_word $((end - 4)) 1684234849
	refused $number "$at" "member $number: strings do not end"

	# a member that is gone
	cp whole.btf bad.btf
	dd if=/dev/zero of=bad.btf bs=1 seek=$offset count=$((end - offset)) conv=notrunc 2>/dev/null
	refused $number "$at" "member $number: zeros"
done

# the unit before is the one that has a name
with_word $(($2 + $(u32 whole.btf $(($2 + 4))) + 4)) 2130706432
as_file
run btfenc -J bad
expect_in stderr "; it comes after that of '.*'$"

# lengths that overlap: the first member takes in the second one
with_word 20 $(($(u32 whole.btf 20) + $3 - $2))
refused 1 "$(hex "$2")" "two members in one"

# what is behind
{ cat whole.btf; echo "and text"; } >bad.btf
refused 4 "$(hex "$size")" "text behind"

# the same if one insists
as_file
refuses 4 "$(hex "$size")" "text behind, -F btf" bad -F btf

# where there is DWARF, it has all that is needed
with_word 4 0
objcopy --update-section .BTF=bad.btf described 2>/dev/null || fail "objcopy failed"
run_ok btfenc -F dwarf --btf_encode_detached=dwarf.btf described
run_ok btfenc --btf_encode_detached=either.btf described
cmp dwarf.btf either.btf || fail "not what DWARF says"
run btfenc -F btf --btf_encode_detached=never.btf described
expect_error "'described': .BTF: member 1 at 0: BTF+0x4: header length 0, expected 24 to $size"
[ ! -e never.btf ] || fail "something was written"
