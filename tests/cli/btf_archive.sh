#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_archive: BTF of many objects, encoded side by side, ends up in one file

. "${0%/*}/../lib/testlib.sh"

need gcc cmp bpftool objcopy strings python3
for i in 1 2 3 4 5 6 7 8 9; do
	echo "struct s$i { int x$i; }; struct s$i v$i; int f$i(struct s$i *p) { return p->x$i; }" >o$i.c
	gcc -g -c -o o$i.o o$i.c || fail "gcc failed"
	cp o$i.o full$i.o
	run_ok btfenc -J full$i.o
	section full$i.o .BTF o$i.btf
done

# is FILE somewhere in ARCHIVE?
is_in()
{
	python3 -c 'import sys; sys.exit(open(sys.argv[1], "rb").read() not in open(sys.argv[2], "rb").read())' "$1" "$2"
}

# the object gets .debug.btf, because the linker has to fill it in, and nothing else
cp o1.o before
run_silent btfenc -J --btf_archive=one o1.o
section o1.o .debug.btf facts
section full1.o .debug.btf full.facts
cmp facts full.facts || fail "other facts than with .BTF in the object"
cp o1.o without.o
strip_facts before without.o
cmp before without.o || fail "something else of the object was changed"
is_in o1.btf one || fail "its BTF is not in the archive, or not the same"
strings -a one | grep -q '^o1\.o$' || fail "the archive does not say whose it is"

# many at once; stripped, an object has neither BTF nor DWARF
for i in 1 2 3 4 5 6 7 8 9; do
	btfenc -J --strip_dwarf --btf_archive=all o$i.o 2>out/error$i &
done
wait
for i in 1 2 3 4 5 6 7 8 9; do
	[ -s out/error$i ] && fail "$(cat out/error$i)"
	is_in o$i.btf all || fail "BTF of o$i.o is not in the archive"
	has_section o$i.o .BTF && fail "o$i.o has BTF"
	has_section o$i.o .debug_info && fail "o$i.o has DWARF"
done
cp all before
run_silent btfenc -J --strip_dwarf --btf_archive=all o1.o
cmp all before || fail "an object without DWARF changes the archive"

# whoever walks archives can read it
run_ok btfenc -F btf --btf_encode_detached=combined.btf all
run_ok bpftool btf dump file combined.btf
for i in 1 2 3 4 5 6 7 8 9; do
	expect_in stdout "STRUCT 's$i'"
done

# what a killed run left is repaired
size=$(wc -c <all)
head -c $((size - 11)) all >torn
run_silent btfenc -J --btf_archive=torn full9.o
is_in o9.btf torn || fail "not appended to a torn archive"

# types that are gone must not stay
echo >o1.c
gcc -g -c -o o1.o o1.c || fail "gcc failed"
run_ok btfenc -J --strip_dwarf --btf_archive=all o1.o
[ "$(wc -c <all)" -gt "$size" ] || fail "the archive does not hear that there are no types"
has_section o1.o .debug_info && fail "o1.o has DWARF"

# errors leave all as it was
gcc -g -c -o o2.o o2.c || fail "gcc failed"
cp o2.o before
cp o2.c other
error "'other': not a file that --btf_archive has made" -J --strip_dwarf --btf_archive=other o2.o
cmp o2.o before || fail "the object was changed"
cmp o2.c other || fail "the other file was changed"
run btfenc --btf_encode_detached=x --btf_archive=all o2.o
expect_usage_error "'--btf_archive' and '--btf_encode_detached' cannot be combined"
run btfenc -J --btf_base=o1.btf --btf_archive=all o2.o
expect_usage_error "'--btf_archive' and '--btf_base' cannot be combined: an archive holds BTF without a base"
run btfenc --btf_archive=all o2.o
expect_usage_error \
	"no output: give '-J' to put BTF into 'o2.o'"
run btfenc --strip_dwarf --btf_encode_detached=x o2.o
expect_usage_error "'--strip_dwarf' and '--btf_encode_detached' cannot be combined"
