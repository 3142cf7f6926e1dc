#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Measures time and memory of btfenc against pahole and libbpf. Prints the table of docs/benchmarks.md and
# the chart of README.md; asserts nothing. Each row has its input, and is left out without it:
#
#	VMLINUX=...   a linked kernel with DWARF: into a file of its own, and in place
#	LARGE=...     a module of hundreds of megabytes, over LARGE_BASE
#	SMALL=...     one of the smallest, over SMALL_BASE; the mean of 20 runs, one after the other
#	ARCHIVE=...   a linked file whose .BTF is that of its objects, as "make
#	              BTF_PER_OBJECT=keep-dwarf" (contrib/linux) leaves vmlinux.o
#	OBJECTS=...   a list of objects with DWARF, one path a line: the first NR (1000) are encoded
#	              in place by a run for each; the mean, and of memory the largest
#	CLANG=...     a vmlinux that clang has compiled
#
#	PAHOLE=...    the peer; default: pahole in PATH
#	LIBBPF=...    a command that combines the archive in $1 into $2; default: btfpile of
#	              the build, over the libbpf that is installed
#	LARGE_BASE=..., SMALL_BASE=...  BTF, ELF or raw; default: what VMLINUX gives
#	RUNS=...      of each; default 5
#	BTFENC=...    default: the one in build/
#	FEATURES=...  default: those that the build of Linux 6.12 asks for
#
# The two take turns, so what else happens on the machine hits both; the table has medians.
# Files are in the page cache, targets fresh copies that have reached the disk. btfenc reads the
# linked file of an archive, for it also decides on functions and places variables; libbpf gets
# the section alone.
#
# User CPU is that of one thread, wall that of two, memory the peak of two (of one, where there is
# nothing to divide). A cell is "ours of the peer's: the ratio (the goal)".

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/bench.sh"

[ -n "${VMLINUX:-}${LARGE:-}${SMALL:-}${ARCHIVE:-}${OBJECTS:-}${CLANG:-}" ] || skip "no input is named"
bench_peer
libbpf=${LIBBPF:-${btfenc%/*}/tests/btfpile}

# both NAME JOBS BEFORE WRAPPER ARGUMENT...: a run of each in turn; BEFORE is what to call first, WRAPPER
# is given the command and its arguments. What they write to "made" is kept as NAME.ours, NAME.peer.
both()
{
	name=$1 jobs=$2 before=$3 wrapper=$4
	shift 4
	for who in ours peer; do
		command=$btfenc with=$options
		[ $who = ours ] || command=$peer with=$peer_options
		$before
		bench_take "$name.$jobs.$who" $wrapper "$command" -j"$jobs" $with "$@"
		[ ! -e made ] || mv made "$name.$who"
	done
}

detached()
{
	for jobs in 1 2; do
		both "$1" $jobs : '' --btf_encode_detached=made "$2" ${3:+"$3"}
	done
}

fresh_target()
{
	bench_fresh "$vmlinux" target
}

in_place()
{
	for jobs in 1 2; do
		both in_place $jobs fresh_target '' -J target
	done
	rm -f target
}

cat >bin/twenty_times <<'END'
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	"$@" || exit 1
done
END

cat >bin/each_object <<'END'
for f in objects/*; do
	"$@" "$f" || exit 1
done
END

fresh_objects()
{
	rm -rf objects && mkdir objects
	while read -r object; do
		cp "$object" "objects/$(echo "$object" | tr / _)" || fail "no '$object'"
	done <list
	sync -f objects
}

archive()
{
	for jobs in 1 2; do
		bench_take archive.$jobs.ours "$btfenc" -j$jobs -F btf "$options" --btf_encode_detached=made "$archive"
		bench_take archive.$jobs.peer "$libbpf" archive.raw made
	done
	rm -f made
}

# --- inputs -------------------------------------------------------------------------------

left_out=
# named VARIABLE: the path that it holds, none if it is not set; into the page cache
named()
{
	eval "value=\${$1:-}"
	path=
	if [ -z "$value" ]; then
		left_out="$left_out${left_out:+, }$1"
		return
	fi
	path=$(bench_path "$value") && cat "$path" >/dev/null || exit 1
}

named VMLINUX && vmlinux=$path
named LARGE && large=$path
named SMALL && small=$path
named ARCHIVE && archive=$path
named OBJECTS && objects=$path
named CLANG && clang=$path
[ -z "$objects" ] || head -n "${NR:-1000}" "$objects" | sed "s|^[^/]|$OLDPWD/&|" >list
if [ -n "$archive" ]; then
	need objcopy "$libbpf"
	objcopy --dump-section .BTF=archive.raw "$archive" junk || fail "'$ARCHIVE' has no .BTF"
	rm -f junk
fi
base()
{
	if [ -n "$1" ]; then
		bench_path "$1" || exit 1
		return
	fi
	[ -n "$vmlinux" ] || fail "a module needs its base"
	[ -e vmlinux.base ] || "$btfenc" "$options" --btf_encode_detached=vmlinux.base "$vmlinux" || exit 1
	echo "$SCRATCH/vmlinux.base"
}
[ -z "$large" ] || large_base=$(base "${LARGE_BASE:-}") || exit 1
[ -z "$small" ] || small_base=$(base "${SMALL_BASE:-}") || exit 1

# --- runs ---------------------------------------------------------------------------------

run=0
while [ $run -lt "$runs" ]; do
	run=$((run + 1))
	echo "run $run of $runs" >&2
	[ -z "$vmlinux" ] || detached vmlinux "$vmlinux"
	[ -z "$vmlinux" ] || in_place
	[ -z "$large" ] || detached large "$large" --btf_base="$large_base"
	[ -z "$small" ] || both small 1 : 'sh bin/twenty_times' --btf_base="$small_base" --btf_encode_detached=made "$small"
	[ -z "$archive" ] || archive
	[ -z "$objects" ] || both objects 1 fresh_objects 'sh bin/each_object' -J
	[ -z "$clang" ] || detached clang "$clang"
done

# --- the table ----------------------------------------------------------------------------

# cell NAME JOBS COLUMN UNIT DIVISOR GOAL
cell()
{
	if [ ! -e "$1.$2.ours" ]; then
		printf ' |'
		return
	fi
	echo "$(bench_median "$1.$2.ours" "$3") $(bench_median "$1.$2.peer" "$3")" |
		awk -v unit="$4" -v by="$5" -v goal="$6" '
		function show(x) { return sprintf(x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x) }
		{ printf " %s of %s %s: %s%s |", show($1 / by), show($2 / by), unit,
		  ($2 > 0 ? sprintf("%.3f", $1 / $2) : "-"), goal ? " (" goal ")" : "" }'
}

# row NAME TITLE UNIT DIVISOR CPU-GOAL WALL-GOAL MEMORY-GOAL; seconds to UNIT by DIVISOR
row()
{
	[ -e "$1.1.ours" ] || return 0
	with=2
	[ -e "$1.2.ours" ] || with=1
	bytes=
	if [ -e "$1.peer" ]; then
		bytes=differ
		! cmp -s "$1.ours" "$1.peer" || bytes=equal
	fi
	printf '| %s |' "$2"
	cell "$1" 1 1 "$3" "$4" "$5"
	cell "$1" 2 2 "$3" "$4" "$6"
	cell "$1" $with 3 MB 1000 "$7"
	echo " $bytes |"
}

megabytes()
{
	echo "$(($(wc -c <"$1") / 1000000)) MB"
}

bench_head "pahole $version"
[ -z "$archive" ] || echo "libbpf: ${LIBBPF:-$(pkg-config --modversion libbpf 2>/dev/null || echo installed)}"
echo "medians of $runs runs; ratios, and the goals in brackets"
[ -z "$left_out" ] || echo "left out, as they are not named: $left_out"
echo
echo "| | user CPU, -j1 | wall, -j2 | memory at its peak | bytes |"
echo "| --- | --- | --- | --- | --- |"
[ -z "$vmlinux" ] || row vmlinux "vmlinux, $(megabytes "$vmlinux")" s 1 0.05 0.05 0.08
[ -z "$vmlinux" ] || row in_place "the same, in place" s 1 0.05 0.05 0.06
[ -z "$large" ] || row large "${large##*/} with base, $(megabytes "$large")" s 1 0.085 0.085 0.10
[ -z "$small" ] || row small "${small##*/} with base" ms 0.02 0.10 '' 0.5
[ -z "$archive" ] || row archive "an archive of $(megabytes archive.raw), beside libbpf" s 1 0.12 0.08 0.3
[ -z "$objects" ] || row objects "an object, in place: mean of $(wc -l <list)" ms "$(awk "END { print NR / 1000 }" list)" 0.10 '' 0.4
[ -z "$clang" ] || row clang "vmlinux of clang, $(megabytes "$clang")" s 1 0.07 0.07 0.15

# --- the chart ----------------------------------------------------------------------------

# bars NAME TITLE JOBS COLUMN UNIT DIVISOR: two bars, the longer one 40 characters
bars()
{
	[ -e "$1.$3.ours" ] || return 0
	echo "$(bench_median "$1.$3.ours" "$4") $(bench_median "$1.$3.peer" "$4")" |
		awk -v title="$2" -v unit="$5" -v by="$6" '
		function bar(who, x, s, i) {
			for (i = 0; i < 40; i++)
				s = s (i < x / largest * 40 ? "█" : " ")
			printf "    %-24s %s %s " (x / by < 10 ? "%.2f" : x / by < 100 ? "%.1f" : "%.0f") " %s\n", title, who, s, x / by, unit
			title = ""
		}
		{ largest = $1 > $2 ? $1 : $2; bar("btfenc", $1); bar("pahole", $2) }'
}

echo
bars vmlinux "vmlinux: CPU time" 1 1 s 1
bars vmlinux "vmlinux: peak memory" 2 3 MB 1000
bars small "a small module: CPU time" 1 1 ms 0.02
bars objects "an object: CPU time" 1 1 ms "$(awk "END { print NR / 1000 }" list 2>/dev/null)"
