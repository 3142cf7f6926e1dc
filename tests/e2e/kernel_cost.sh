#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What BTF costs in a build of Linux 7.2. Prints tables, asserts only that each build succeeds and that all BTF is the same.
#
#	KERNEL_COST=1 KERNEL_SRC=... PEER=pahole sh tests/e2e/kernel_cost.sh
#
#	KERNEL_COST	must be set: this takes hours and needs an idle machine
#	PEER		the pahole of the first column; default: pahole in PATH
#	BTFENC		default: the one in build/
#	CASES		columns; default: "pahole btfenc strip objects none"
#	WHOLE		rounds of whole builds; default 3
#	STEPS		rounds of single steps; default 5
#	ENCODE		rounds of encoding all objects; default: STEPS
#	SOURCE_FILE	the .c file that changes; default kernel/bpf/syscall.c
#	HEADER		the header that changes; default include/linux/bpf.h
#
# KERNEL_SRC and the others are in ../lib/kernel.sh. KERNEL_CONFIG=defconfig is the configuration of that name with BTF.
# All builds have one source, with the series of contrib/linux/v7.2, and one configuration but for these options:
#
#	pahole	DWARF, and PEER at the end
#	btfenc	DWARF, and btfenc at the end
#	strip	DEBUG_INFO_BTF_STRIP_DWARF: btfenc after the link of vmlinux.o
#	objects	DEBUG_INFO_BTF_PER_OBJECT, too: btfenc after each compilation
#	none	no debug information and no BTF
#
# A round takes each column in turn. The tables have the median of all rounds. CPU time is user and system time of make and
# all its children. Memory is that of the largest process. If gcc in PATH is that of ccache, the builds find the compilations
# in the cache, so that the rest of the build is what they measure. Needs /usr/bin/time (Debian's package "time").

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

[ -n "${KERNEL_COST:-}" ] || skip "KERNEL_COST is not set"
[ -x /usr/bin/time ] || skip "no /usr/bin/time"
BTFENC=${BTFENC:-$SRCDIR/build/btfenc}
peer=$(command -v "${PEER:-pahole}") || skip "no ${PEER:-pahole}"
need patch ar "$BTFENC"
cases=${CASES:-pahole btfenc strip objects none}
source_file=${SOURCE_FILE:-kernel/bpf/syscall.c} header=${HEADER:-include/linux/bpf.h}
kernel_source
cat "$SRCDIR"/contrib/linux/v7.2/strip/000[1-9]-*.patch "$SRCDIR"/contrib/linux/v7.2/per-object/000[1-9]-*.patch |
	patch -p1 -s -d "$out/source" || fail "the patches do not apply"
rm -f "$out"/*.results "$out"/*.config

# --- one build ------------------------------------------------------------------------------

# The program of each column has a name of its own, because a step replaces it.
program()
{
	case $1 in
	pahole) echo "$peer" ;;
	*) echo "$BTFENC" ;;
	esac
}

options()
{
	[ "$1" = none ] || echo CONFIG_DEBUG_INFO_BTF=y
	case $1 in
	strip) echo CONFIG_DEBUG_INFO_BTF_STRIP_DWARF=y ;;
	objects) printf 'CONFIG_DEBUG_INFO_BTF_%s=y\n' STRIP_DWARF PER_OBJECT ;;
	none) printf '# CONFIG_DEBUG_INFO_BTF is not set\n# CONFIG_DEBUG_INFO_DWARF5 is not set\nCONFIG_DEBUG_INFO_NONE=y\n' ;;
	esac
}

make_case()
{
	case=$1
	shift
	kmake "$case" PAHOLE="$out/$case.program" "$@"
}

# An empty build folder, configured as the first time
configure()
{
	rm -rf "${out:?}/$1"
	[ ! -e "$out/$1.config" ] || {
		mkdir "$out/$1" && cp "$out/$1.config" "$out/$1/.config" || exit 1
		return
	}
	cp "$(program "$1")" "$out/$1.program"
	options "$1" >more
	if [ "${KERNEL_CONFIG:-}" = defconfig ]; then
		make_case "$1" -s defconfig
		printf 'CONFIG_BPF_SYSCALL=y\n# CONFIG_DEBUG_INFO_NONE is not set\nCONFIG_DEBUG_INFO_DWARF5=y\n' >>"$out/$1/.config"
	else
		make_case "$1" -s tinyconfig
		kernel_config >>"$out/$1/.config"
	fi >"$out/config.log" 2>&1 || fail "$1: configuring failed, see $out/config.log"
	cat more >>"$out/$1/.config"
	make_case "$1" -s olddefconfig >>"$out/config.log" 2>&1 || fail "$1: configuring failed, see $out/config.log"
	grep '=y' more | while read -r line; do
		grep -q "^$line\$" "$out/$1/.config" || fail "$1: the configuration lost $line"
	done || exit 1
	cp "$out/$1/.config" "$out/$1.config"
}

# timed STEP CASE COMMAND...: append "user+system wall memory" to STEP.CASE.results
timed()
{
	results=$out/$1.$2.results
	case=$2
	shift 2
	/usr/bin/time -q -o time -f '%U %S %e %M' "$@" >"$out/$case.log" 2>&1 || {
		tail -n 20 "$out/$case.log" >&2
		fail "$case: a command failed: $*"
	}
	tail -n 1 time | awk '{ printf "%.2f %.2f %.1f\n", $1 + $2, $3, $4 / 1e3 }' >>"$results"
	echo "${results##*/}: $(tail -n 1 "$results")" >&2
}

build()
{
	timed "$1" "$2" make -C "$out/source" O="$out/$2" PAHOLE="$out/$2.program" ${KERNEL_MAKE:-} -j"$jobs" vmlinux modules
}

# bytes FOLDER FIND-EXPRESSION...: in MB
bytes()
{
	folder=$1
	shift
	find "$folder" -type f \( "$@" \) -printf '%s\n' | awk '{ n += $1 } END { printf "%.0f\n", n / 1e6 }'
}

sizes()
{
	b=$out/$1
	bytes "$b" -name '*.o' ! -name vmlinux.o ! -path '*/tools/*' >"$out/size_objects.$1.results"
	bytes "$b" -path "$b/vmlinux.o" >"$out/size_vmlinux_o.$1.results"
	bytes "$b" -name '.tmp_vmlinux1' >"$out/size_tmp.$1.results"
	bytes "$b" -path "$b/vmlinux" -o -path "$b/vmlinux.unstripped" >"$out/size_vmlinux.$1.results"
	bytes "$b" -name '*.ko' >"$out/size_modules.$1.results"
	[ "$1" = none ] || [ "$1" = pahole ] ||
		objcopy --dump-section .BTF="$out/$1.btf" "$b/vmlinux" junk || fail "$1: vmlinux has no .BTF"
}

# --- the rounds ------------------------------------------------------------------------------

for round in $(seq "${WHOLE:-3}"); do
	for case in $cases; do
		configure "$case"
		sync
		build whole "$case"
		[ "$round" -lt "${WHOLE:-3}" ] || sizes "$case"
		[ "$round" -lt "${WHOLE:-3}" ] || [ "${STEPS:-5}" != 0 ] || rm -rf "${out:?}/$case"
	done
done

if [ "${STEPS:-5}" != 0 ]; then
	for case in $cases; do
		[ -e "$out/$case/vmlinux" ] && continue
		configure "$case"
		build compile "$case"
		sizes "$case"
	done
fi
for round in $(seq "${STEPS:-5}"); do
	for case in $cases; do
		rm -f "$out/$case/vmlinux.o"
		build relink "$case"
		touch "$out/source/$source_file"
		build source "$case"
		touch "$out/source/$header"
		build header "$case"
		[ "$case" = none ] || {
			touch "$out/$case.program"
			build upgrade "$case"
		}
		build nothing "$case"
	done
done

# All objects of vmlinux by themselves, as the column "objects" encodes them.
if [ -e "$out/btfenc/vmlinux.a" ] && [ -e "$out/objects/vmlinux.a" ]; then
	flags=$(sed -n 's/.*BTF_OBJECT_JOBS \(--.*\) kernel\/bpf\/syscall\.o.*/\1/p' "$out/objects/kernel/bpf/.syscall.o.cmd")
	[ -n "$flags" ] || fail "the build has no flags for an object"
	for round in $(seq "${ENCODE:-${STEPS:-5}}"); do
		rm -rf "$out/copies"
		mkdir "$out/copies"
		(cd "$out/btfenc" && ar t vmlinux.a | xargs cp --parents -t "$out/copies")
		find "$out/copies" -name '*.o' >objects
		sync
		timed encode objects sh -c "while read -r o; do '$BTFENC' -J $flags \"\$o\" || exit 1; done <objects"
	done
	rm -rf "$out/copies"
fi

# --- the table --------------------------------------------------------------------------------

median()
{
	[ -e "$1" ] || {
		printf ' |'
		return
	}
	cut -d ' ' -f "$2" "$1" | sort -n | awk -v unit="$3" '
		{ v[NR] = $1 }
		END { m = (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2; printf(m < 10 ? " %.1f%s |" : " %.0f%s |", m, unit) }'
}

# row NAME STEP FIELD UNIT
row()
{
	ls "$out/$2".*.results >/dev/null 2>&1 || return 0
	printf '| %s |' "$1"
	for case in $cases; do
		median "$out/$2.$case.results" "$3" "$4"
	done
	echo
}

rows()
{
	row "$1: CPU" "$2" 1 ' s'
	row "$1: wall" "$2" 2 ' s'
}

printf '| |'
for case in $cases; do
	printf ' %s |' "$case"
done
printf '\n| --- |'
for case in $cases; do
	printf ' --- |'
done
echo
rows 'whole build' whole
row 'whole build: memory' whole 3 ' MB'
rows 'vmlinux.o, links, BTF, modules' relink
row 'the same: memory' relink 3 ' MB'
rows "one changed file, $source_file" source
rows "one changed header, $header" header
rows 'another version of the program' upgrade
rows 'nothing changed' nothing
rows 'encoding all objects' encode
row objects size_objects 1 ' MB'
row vmlinux.o size_vmlinux_o 1 ' MB'
row .tmp_vmlinux1 size_tmp 1 ' MB'
row 'vmlinux and vmlinux.unstripped' size_vmlinux 1 ' MB'
row modules size_modules 1 ' MB'
for case in $cases; do
	[ -e "$out/$case.btf" ] || continue
	cmp "$out/$case.btf" "$out/${first:=$case}.btf" || fail "the BTF of '$case' is another than that of '$first'"
done
echo
echo "$("$peer" --version) and $("$BTFENC" --version -V | tail -n 1); Linux $(make -s -C "$out/source" kernelversion); make -j$jobs, $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
