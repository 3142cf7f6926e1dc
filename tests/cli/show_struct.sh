#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# structs of every shape are printed as pahole 1.31 prints them, from DWARF and from BTF
#
# The text is that of pahole 1.31 -F btf, but for the name of a member whose type is a const struct
# without a name, which pahole forgets.

. "${0%/*}/../lib/testlib.sh"

need getconf
[ "$(getconf LONG_BIT)" = 64 ] || skip "longs have not 64 bits"
gcc_c shapes.o <"$SRCDIR/tests/lib/shapes.c"
btfenc --btf_features=default --btf_encode_detached=shapes.btf shapes.o || fail "cannot encode"

for input in "shapes.o" "-F btf shapes.btf" "-F dwarf,btf shapes.btf" "-F dwarf shapes.o"; do
	run_ok btfenc -c 64 $input
	expect_no_stderr
	expect_file show_struct.stdout
done

run_ok btfenc -c 64 -E -C embeds,lines,several,spelled,outer shapes.o
expect_file show_expanded.stdout
# and what has no name of its own
run_ok btfenc -c 64 --unions -a -A -y s shapes.o
expect_file show_nameless.stdout
run_ok btfenc -c 32 --hex --rel_offset -C lines,several shapes.o
expect_file show_hex.stdout

# from the section of an ELF file as well, which comes second unless asked for
btfenc -J shapes.o || fail "cannot encode"
run btfenc -c 64 -F btf shapes.o
expect_file show_struct.stdout
strip -g shapes.o && run btfenc -c 64 shapes.o
expect_file show_struct.stdout
error "'shapes.o': there is no DWARF" -F dwarf shapes.o
