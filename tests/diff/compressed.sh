#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# compressed debug sections give the bytes of plain ones: zlib, zstd, and the older .zdebug_*
#
# Both headers (32 and 64 bits), both byte orders where there are compilers, objects and
# programs, and all sections that we look into: DWARF 4 and 5, lists of locations, split strings.

. "${0%/*}/../lib/testlib.sh"
. "${0%/*}/../lib/split_types.sh"

need gcc objcopy cmp readelf
write_sources

seen=
# check FILE: compressed in each way that objcopy knows
check()
{
	run_ok btfenc --btf_features=$features --btf_encode_detached=plain.btf "$1"
	for kind in zlib-gabi zlib-gnu zstd; do
		# it compresses only what gets smaller: most of what is large enough
		$objcopy --compress-debug-sections=$kind "$1" packed 2>/dev/null || continue
		readelf -tW packed 2>/dev/null | grep -Eq 'ZLIB|ZSTD|zdebug' || continue
		seen="$seen $kind"
		run_ok btfenc --btf_features=$features --btf_encode_detached=packed.btf packed
		cmp plain.btf packed.btf || fail "$1: other BTF with $kind"
		run_ok btfenc --btf_features=$features -J packed
		run btfenc --btf_features=$features --btf_encode_detached=again.btf packed
		cmp plain.btf again.btf || fail "$1: other BTF after -J with $kind"
	done
	rm -f plain.btf
}

objcopy=objcopy
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		for unit in one two; do
			$compiler -g -O2 -gdwarf-$version -c $unit.c || fail "$compiler failed"
			check $unit.o
		done
		gcc -o prog one.o two.o || fail "gcc does not link"
		check prog
	done
	$compiler -m32 -g -O2 -c one.c 2>/dev/null && check one.o
done
for kind in zlib-gabi zlib-gnu zstd; do
	case $seen in
	*$kind*) ;;
	*) echo "objcopy does not know $kind" ;;
	esac
done
case $seen in
*zlib-gabi*) ;;
*) fail "nothing was compressed" ;;
esac

for target in s390x powerpc64 mips arm; do
	for compiler in $target-linux-gnu-gcc $target-linux-gnueabihf-gcc; do
		command -v $compiler >/dev/null || continue
		objcopy=${compiler%gcc}objcopy
		$compiler -g -O2 -c one.c || fail "$compiler failed"
		check one.o
	done
done
exit 0
