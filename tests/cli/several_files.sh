#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# several files become one BTF, in their order, which has the variables of the first only
#
# The BTF is to describe that file. An address in another one means nothing there: pahole 1.31
# looks it up all the same, and finds a section or none.

. "${0%/*}/../lib/testlib.sh"

need python3
gcc_c one.o <<\END
int in_one = 1, zero_one;
struct one { int a; } *use_one(struct one *p) { return p; }
END
gcc_c two.o <<\END
int in_two = 1, zero_two;
__attribute__((section(".data.mine"))) int mine = 1;
struct two { int a; } *use_two(struct two *p) { return p; }
END

# dump FILE...
dump()
{
	run_silent btfenc --btf_features=default,global_var --btf_encode_detached=all.btf "$@"
	run_ok "$TOOLS/btfdump.py" all.btf
	for what in "struct one" "struct two" "func static use_one" "func static use_two"; do
		expect_in stdout "^$what"
	done
}

dump one.o two.o
grep -E '^(var|datasec)' out/stdout >out/vars
expect_same vars <<\END
datasec .bss size 4 {
datasec .data size 4 {
var global in_one int
var global zero_one int
END
dump two.o one.o
grep -E '^(var|datasec)' out/stdout >out/vars
expect_same vars <<\END
datasec .bss size 4 {
datasec .data size 4 {
datasec .data.mine size 4 {
var global in_two int
var global mine int
var global zero_two int
END

# One without debug information adds nothing.
gcc -xc -c -o plain.o - <<\END || fail "gcc failed"
int plain;
END
cp all.btf before.btf
dump two.o plain.o one.o
cmp before.btf all.btf || fail "a file without debug information makes a difference"

# In place, it is the first that gets it.
cp two.o before
run_ok btfenc -J one.o two.o
has_section one.o .BTF || fail "no .BTF in the first file"
cmp two.o before || fail "the second file was changed"

# Of files that have BTF only, each has its functions.
run_ok btfenc -J --strip_dwarf one.o
run_ok btfenc -J --strip_dwarf two.o
run_silent btfenc -F btf --btf_encode_detached=all.btf one.o two.o
run_ok "$TOOLS/btfdump.py" all.btf
expect_in stdout "^func static use_one"
expect_in stdout "^func static use_two"
