#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -gsplit-dwarf changes nothing: .dwo files and packages of them give the same types
#
# Objects and programs, DWARF 4 and 5, type units in .dwo files too; and what is said if files
# are not there.

. "${0%/*}/../lib/testlib.sh"
. "${0%/*}/../lib/split_types.sh"

need gcc readelf python3
write_sources

# build NAME COMPILER FLAG...: in a folder of its own
build()
{
	name=$1 compiler=$2
	shift 2
	rm -rf "$name" && mkdir "$name" && cp one.c two.c shared.h "$name" && cd "$name" || exit 1
	for unit in one two; do
		$compiler -g -O2 "$@" -c $unit.c || fail "$compiler failed: $*"
	done
	$compiler -o prog one.o two.o || fail "$compiler does not link: $*"
	cd .. || exit 1
}

# A package stands in for the files: $1 makes it.
check_package()
{
	mkdir parts || exit 1
	(cd split && exec $1 -e prog -o prog.dwp) >/dev/null 2>&1 || {
		rm -rf parts split/prog.dwp
		return # binutils' does not know DWARF 5
	}
	mv split/*.dwo parts || exit 1
	packages="$packages $1-$version"
	expect_same_types plain/prog split/prog

	# damaged, it is refused by its name
	cp split/prog.dwp good || exit 1
	for byte in 0 4 8 12; do
		cp good split/prog.dwp
		poke split/prog.dwp "$(section_at good .debug_cu_index) + $byte" '\377\377\377\177'
		run_status 1 btfenc --btf_encode_detached=bad.btf split/prog
		expect_in stderr "split/prog.dwp': .debug_cu_index: "
	done
	rm -f split/prog.dwp good
	mv parts/*.dwo split && rmdir parts || exit 1
}

packages=
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		build plain $compiler -gdwarf-$version
		build split $compiler -gdwarf-$version -gsplit-dwarf
		[ -e split/one.dwo ] || fail "$compiler has split nothing"
		for file in one.o two.o prog; do
			expect_same_types plain/$file split/$file
		done
		for tool in llvm-dwp dwp; do
			command -v $tool >/dev/null && check_package $tool
		done
		[ $compiler = clang ] || continue
		# all in one file, of which the linker takes but the skeletons
		build single clang -gdwarf-$version -gsplit-dwarf=single
		expect_same_types plain/one.o single/one.o
		expect_same_types plain/prog single/prog
	done
done
command -v llvm-dwp >/dev/null && [ "${packages#*llvm-dwp-5}" = "$packages" ] &&
	fail "no package of DWARF 5 was made"

for version in 4 5; do
	build plain gcc -gdwarf-$version
	build split gcc -gdwarf-$version -gsplit-dwarf -fdebug-types-section
	for file in one.o two.o prog; do
		expect_same_types plain/$file split/$file
	done
done

# An object with its types elsewhere can be a member of an archive.
for unit in one two; do
	run_ok btfenc -J split/$unit.o
done
gcc -o archive split/one.o split/two.o || fail "gcc does not link the archive"
run_ok btfenc -J -F btf --btf_encode_detached=archive.btf archive
run_ok btfenc --btf_encode_detached=dwarf.btf plain/prog
run btfenc --btf_diff archive.btf dwarf.btf
[ $STATUS = 0 ] || { show; fail "the archive has other types"; }

# By itself such a file has types, but no symbols.
run_ok btfenc --btf_encode_detached=dwo.btf split/one.dwo
run "$TOOLS/btfdump.py" dwo.btf
expect_in stdout "struct outer "

# Moved together, they find one another; the folder of the compiler is asked first.
build split gcc -gdwarf-5 -gsplit-dwarf
mv split moved
expect_same_types plain/prog moved/prog

# One of another build is none.
mv moved/two.dwo away
cp moved/one.dwo moved/two.dwo
for missing in "of another build" "not there"; do
	run_ok btfenc -j2 --btf_encode_detached=some.btf moved/prog
	expect_stderr <<-END
	btfenc: warning: 'moved/prog': 1 .dwo files are missing or of another build, 'two.dwo' the first: their types are left out
	END
	run "$TOOLS/btfdump.py" some.btf
	expect_in stdout outer
	expect_not_in stdout later_is_whole
	rm -f moved/two.dwo
done
rm -f moved/one.dwo
run btfenc --btf_encode_detached=none.btf moved/prog
expect_error "'moved/prog': its debug information is in 2 .dwo files, and all are missing: 'one.dwo' is the first"
[ ! -e none.btf ] || fail "it has written something"

# What is there and damaged is an error, and named.
mv away moved/two.dwo
head -c 300 moved/two.dwo >moved/one.dwo
run_status 1 btfenc --btf_encode_detached=none.btf moved/prog
expect_in stderr "moved/one.dwo'"
