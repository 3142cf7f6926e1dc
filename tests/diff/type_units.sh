#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# type units change nothing: -fdebug-types-section gives the types that are there without it
#
# In objects, where each is a section in a group, and in programs; .debug_types of DWARF 4 and
# units of DWARF 5; compressed ones; types that no unit refers to.

. "${0%/*}/../lib/testlib.sh"
. "${0%/*}/../lib/split_types.sh"

need gcc ld
write_sources

# build NAME FLAG...: the objects and the program
build()
{
	name=$1
	shift
	for unit in one two; do
		gcc -g -O2 "$@" -c -o "$name.$unit.o" $unit.c || fail "gcc failed: $*"
	done
	gcc "$@" -o "$name" "$name.one.o" "$name.two.o" || fail "gcc does not link: $*"
	ld -r -o "$name.r" "$name.one.o" "$name.two.o" || fail "ld -r: $*"
}

for version in 4 5; do
	for more in "" -fno-eliminate-unused-debug-types; do
		build plain -gdwarf-$version $more
		build split -gdwarf-$version $more -fdebug-types-section
		build packed -gdwarf-$version $more -fdebug-types-section -gz
		readelf -wi split.one.o | grep -q "Signature:" || skip "gcc makes no type units"
		for kind in .one.o .two.o .r ""; do
			expect_same_types plain$kind split$kind
			expect_same_types plain$kind packed$kind
		done
	done
done

# An object with its types apart can be a member of an archive.
run_ok btfenc -J split.one.o
run_ok btfenc -J split.two.o
gcc -o archive split.one.o split.two.o || fail "gcc does not link the archive"
run_ok btfenc -J -F btf --btf_encode_detached=archive.btf archive
run_ok btfenc --btf_encode_detached=dwarf.btf split
run btfenc --btf_diff archive.btf dwarf.btf
[ $STATUS = 0 ] || { show; fail "the archive has other types"; }

# C++ has them in namespaces and in one another, and clang has them for C++ alone.
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		$compiler -g -gdwarf-$version -c -o whole.o cxx.cc || fail "$compiler failed"
		$compiler -g -gdwarf-$version -fdebug-types-section -c -o parts.o cxx.cc ||
			fail "$compiler failed"
		expect_same_types whole.o parts.o
	done
done
