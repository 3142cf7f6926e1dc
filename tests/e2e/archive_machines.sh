#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the archive give the BTF of DWARF on other machines, and for real programs? The rows are those of
# diff/archive_links: every kind of link, by every linker that is installed and knows the machine.
#
#	TARGETS="riscv64-linux-gnu s390x-linux-gnu" sh tests/e2e/archive_machines.sh
#	OBJECTS_OF=/tmp/list sh tests/e2e/archive_machines.sh
#
#	TARGETS		prefixes of cross compilers; "all": those below
#	FLAGS		of the compilers; default: -O2 with a section for each function and variable
#	OBJECTS_OF	a list of objects with DWARF, one path on each line; symbols may be undefined
#	ROWS		a pattern for the names of rows
#	BTFENC		default: the one in build/
#
# The linkers of riscv64 and loongarch64 relax: they remove instructions and move what follows. powerpc64, mips,
# s390x, sparc64, hppa and m68k are big-endian. arm, i686 and mips have addresses of 32 bits and relocations without
# addends (SHT_REL).

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/links.sh"

[ -n "${TARGETS:-}${OBJECTS_OF:-}" ] || skip "neither TARGETS nor OBJECTS_OF is set"
[ "${TARGETS:-}" != all ] || TARGETS="riscv64-linux-gnu loongarch64-linux-gnu aarch64-linux-gnu arm-linux-gnueabihf
	s390x-linux-gnu powerpc64-linux-gnu powerpc64le-linux-gnu mips-linux-gnu mips64el-linux-gnuabi64
	i686-linux-gnu sparc64-linux-gnu alpha-linux-gnu arc-linux-gnu hppa-linux-gnu m68k-linux-gnu sh4-linux-gnu"
FLAGS=${FLAGS:--O2 -ffunction-sections -fdata-sections}

# read_objects LIST: those that have BTF to encode, a quarter in each group
read_objects()
{
	nr=0 OBJECTS='' GROUP1='' GROUP2='' GROUP3='' GROUP4=''
	while read -r object; do
		cp "$object" input$nr.o || fail "'$object' of '$1'"
		if btf_of has.btf -F dwarf input$nr.o && [ -e has.btf ]; then
			OBJECTS="$OBJECTS input$nr.o"
			nr=$((nr + 1))
		fi
	done <"$1"
	group=0
	for object in $OBJECTS; do
		eval "GROUP$((group * 4 / nr + 1))=\"\$GROUP$((group * 4 / nr + 1)) $object\""
		group=$((group + 1))
	done
}

few_lists=$all_lists
entry="-e main --unresolved-symbols=ignore-all" # of the compiler's own library
for target in ${TARGETS:-}; do
	for compiler in "$target-gcc" "clang --target=$target"; do
		machine=$target- repeat_with="TARGETS=$target "
		case $compiler in
		clang*) begin_build "$target-clang" ;;
		*) begin_build "$target-gcc" ;;
		esac
		compile $compiler -fno-pie -fcommon $FLAGS && all_rows
	done
done
if [ -n "${OBJECTS_OF:-}" ]; then
	begin_build objects
	machine='' entry="--unresolved-symbols=ignore-all -z muldefs" repeat_with="OBJECTS_OF=$OBJECTS_OF "
	read_objects "$OBJECTS_OF"
	all_rows
fi
finish
