#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the archive gives the BTF of DWARF after every kind of link, by every linker that is installed
#
# The sources have what a reader could confuse: static functions and variables of one name, weak and strong
# definitions, functions of several parts, symbols of other names, and comdat groups. Objects are
# encoded right after their compilation. lib/links.sh links them and compares.

. "${0%/*}/../../lib/testlib.sh"
. "$SRCDIR/tests/lib/links.sh"

need gcc g++ objcopy readelf

# lto JOINER LINKER: encoded after the compiler has generated the code of all objects. They are one unit of C that
# has templates of C++, which a kernel refuses.
lto()
{
	late=1 joiner=$1 linker=$2 checks=--skip_encoding_btf_check
	copy lto --btf_features=$features
	copy lto-stripped --btf_features=$features --strip_dwarf
	for row in "all-final plain" "all-final gc --gc-sections" "all-r plain"; do
		set -- $row
		final="$entry ${3:-}"
		link_row "$build lto $linker $1 $2" lto "$1"
		link_row "$build lto-stripped $linker $1 $2" lto-stripped "$1" lto
	done
	late=0 joiner='' checks=''
}

common="-fno-pie -fcommon"
while read -r name rows compiler; do
	begin_build "$name"
	compile $compiler || continue
	warnings=no
	case $build in
	rust) add_rust || continue ;;
	gcc-lto)
		lto "gcc -O2 -flto -nostdlib -r -flinker-output=nolto-rel" bfd
		continue
		;;
	clang-lto)
		command -v ld.lld >out/path && lto "ld.lld -r" lld
		continue
		;;
	*-fat) warnings=may ;;
	esac
	if [ "$rows" = all ]; then
		all_rows
	else
		some_rows $(echo "$rows" | tr , ' ')
	fi
done <<END
gcc           all        gcc -O2 $common -ffunction-sections -fdata-sections
gcc-one       plain,x    gcc -O2 $common
gcc-unmerged  plain      gcc -O2 $common -fno-merge-debug-strings
gcc-O0        few,gc     gcc -O0 $common -gdwarf-4
gcc-pic       pic        gcc -O2 -fPIC
gcc-split     few        gcc -O2 $common -gsplit-dwarf
gcc-z         few        gcc -O2 $common -gz=zlib
gcc-64        few        gcc -O2 $common -gdwarf64
gcc-fat       few,gc     gcc -O2 $common -flto -ffat-lto-objects
gcc-lto       -          gcc -O2 $common -flto
rust          few,gc     gcc -O2 $common
clang         all        clang -O2 $common -ffunction-sections -fdata-sections
clang-O1      few,gc     clang -O1 $common -gdwarf-4
clang-split   few        clang -O2 $common -gsplit-dwarf
clang-lto     -          clang -O2 $common -flto
END
finish
