#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Measures time and memory of btfenc against pahole and libbpf, and prints a table. Asserts nothing. Each
# job needs an input, and is left out without it:
#
#	VMLINUX=...   a linked kernel with DWARF: into a file of its own, and in place
#	LARGE=...     a large module, over LARGE_BASE
#	SMALL=...     a small module, over SMALL_BASE: 20 times, one after the other
#	ARCHIVE=...   a linked file whose .BTF is that of its objects, as "make
#	              BTF_PER_OBJECT=keep-dwarf" (contrib/linux) leaves vmlinux.o
#	OBJECTS=...   a list of objects with DWARF, one path a line: the first NR (200) are encoded
#	              in place, each by a run of its own
#	CLANG=...     a vmlinux that clang has compiled
#
#	RUNS=...      of each job; default 10
#	RECORD=1      stores the runs as docs/bench/DATE.tsv, and updates the tables and charts of
#	              README.md and docs/benchmarks.md by docs/bench/chart.py
#	PAHOLE=...    the peer; default: pahole in PATH
#	LIBBPF=...    a command that combines the archive in $1 into $2; default: btfpile of
#	              the build, over the libbpf that is installed
#	LARGE_BASE=..., SMALL_BASE=...  BTF, ELF or raw; default: what VMLINUX gives
#	BTFENC=...    default: the one in build/
#	FEATURES=...  default: those that the build of Linux 6.12 asks for
#
# btfenc and its peer take turns, so that other load on the machine affects both. Files are in the page cache,
# targets fresh copies that have reached the disk. btfenc reads the linked file of an archive, because it
# also selects functions and places variables; libbpf gets the section alone. --compat is that of the peer. In place, a job runs only with two
# threads: the encoding is that of the job before. With RUNS=10, the first five inputs take about six minutes.

RUNS=${RUNS:-10}
. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/bench.sh"

[ -n "${VMLINUX:-}${LARGE:-}${SMALL:-}${ARCHIVE:-}${OBJECTS:-}${CLANG:-}" ] || skip "no input is named"
need python3 objcopy readelf
bench_peer
chart=$SRCDIR/docs/bench/chart.py
libbpf=${LIBBPF:-${btfenc%/*}/tests/btfpile}

# btf_of FILE: print its section. In vmlinux it has an address, and "objcopy -O binary" would print what follows it, too.
btf_of()
{
	readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] //' | awk '$1 == ".BTF" { print "0x" $4, "0x" $5 }' >section
	read -r at size <section || fail "'$1' has no .BTF"
	tail -c +$((at + 1)) "$1" | head -c $((size))
}

# record JOB FILE ENCODINGS THREADS TOOL EQUAL SAMPLE: a row of the raw results
record()
{
	awk -v OFS='\t' -v head="$1	${2##*/}	$(stat -c %s "$2")	$3	$run	$5	$4" -v equal="$6" \
		'END { print head, $1, $2, $3, equal }' "$7" >>rows
}

# Two runs are equal if they give the same BTF.
equal()
{
	! cmp -s "$1" "$2" || { echo yes && return; }
	echo no
}

# both JOB INPUT ENCODINGS THREADS BEFORE RESULT WRAPPER ARGUMENT...: a run of each tool in turn. BEFORE prepares the
# target, RESULT prints the BTF of the run. WRAPPER gets the command and its arguments.
both()
{
	job=$1 input=$2 encodings=$3 jobs=$4 before=$5 result=$6 wrapper=$7
	shift 7
	for tool in btfenc pahole; do
		command=$btfenc with=$our_options
		[ $tool = btfenc ] || command=$peer with=$peer_options
		$before
		rm -f sample.$tool
		bench_take sample.$tool $wrapper "$command" -j"$jobs" $with "$@"
		$result >result.$tool || exit 1
	done
	same=$(equal result.btfenc result.pahole)
	for tool in btfenc pahole; do
		record "$job" "$input" "$encodings" "$jobs" $tool "$same" sample.$tool
	done
	rm -f result.btfenc result.pahole
}

# detached JOB INPUT ARGUMENT...
detached()
{
	job=$1 input=$2
	shift 2
	for jobs in 1 2; do
		both "$job" "$input" 1 $jobs : 'cat made' '' "$@" --btf_encode_detached=made "$input"
	done
}

fresh_target()
{
	bench_fresh "$vmlinux" target
}

in_place()
{
	both in_place "$vmlinux" 1 2 fresh_target 'btf_of target' '' -J target
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

btf_of_objects()
{
	for object in objects/*; do
		btf_of "$object"
	done
}

archive()
{
	for jobs in 1 2; do
		rm -f sample.*
		bench_take sample.btfenc "$btfenc" -j$jobs -F btf $our_options --btf_encode_detached=made "$archive"
		bench_take sample.libbpf "$libbpf" archive.raw made
		record archive archive.raw 1 $jobs btfenc - sample.btfenc
		record archive archive.raw 1 $jobs libbpf - sample.libbpf
	done
}

# --- inputs -------------------------------------------------------------------------------

# named VARIABLE: set path to the file that it names, and read it into the page cache
named()
{
	eval "value=\${$1:-}"
	path=
	[ -n "$value" ] || return 0
	path=$(bench_path "$value") && cat "$path" >/dev/null || exit 1
}

named VMLINUX && vmlinux=$path
named LARGE && large=$path
named SMALL && small=$path
named ARCHIVE && archive=$path
named OBJECTS && objects=$path
named CLANG && clang=$path
if [ -n "$objects" ]; then
	head -n "${NR:-200}" "$objects" | sed "s|^[^/]|$OLDPWD/&|" >list
	nr_objects=$(wc -l <list)
	[ "$nr_objects" -gt 0 ] || fail "'$OBJECTS' lists no object"
fi
if [ -n "$archive" ]; then
	need "$libbpf"
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
	[ -e vmlinux.base ] || "$btfenc" $our_options --btf_encode_detached=vmlinux.base "$vmlinux" || exit 1
	echo "$SCRATCH/vmlinux.base"
}
[ -z "$large" ] || large_base=$(base "${LARGE_BASE:-}") || exit 1
[ -z "$small" ] || small_base=$(base "${SMALL_BASE:-}") || exit 1

# --- runs ---------------------------------------------------------------------------------

load=$(cut -d ' ' -f 1 /proc/loadavg)
run=0
while [ $run -lt "$runs" ]; do
	run=$((run + 1))
	echo "run $run of $runs" >&2
	[ -z "$vmlinux" ] || detached vmlinux "$vmlinux"
	[ -z "$vmlinux" ] || in_place
	[ -z "$large" ] || detached large "$large" --btf_base="$large_base"
	[ -z "$small" ] || both small "$small" 20 1 : 'cat made' 'sh bin/twenty_times' \
		--btf_base="$small_base" --btf_encode_detached=made "$small"
	[ -z "$archive" ] || archive
	[ -z "$objects" ] || both objects list "$nr_objects" 1 fresh_objects btf_of_objects 'sh bin/each_object' -J
	[ -z "$clang" ] || detached clang "$clang"
done

# --- the results --------------------------------------------------------------------------

{
	echo "# date: $(date -u +%Y-%m-%d)"
	echo "# commit: $(bench_commit)"
	echo "# machine: $(bench_machine)"
	echo "# kernel: $(uname -sr | grep -o '^[^0-9]*[0-9.]*[0-9]')"
	echo "# load before: $load"
	echo "# btfenc: $("$btfenc" -V --version | sed -n 's/^btfenc //p')"
	echo "# pahole: ${version#v}"
	[ -z "$archive" ] || echo "# libbpf: ${LIBBPF:-$(pkg-config --modversion libbpf 2>/dev/null || echo installed)}"
	echo "# options: $our_options"
	printf 'job\tinput\tbytes\tencodings\trun\ttool\tthreads\tuser_s\twall_s\tpeak_kb\tequal\n'
	cat rows
} >raw.tsv
if [ -n "${RECORD:-}" ]; then
	cp raw.tsv "$SRCDIR/docs/bench/$(date -u +%Y-%m-%d).tsv" && python3 "$chart" || exit 1
fi
python3 "$chart" --print raw.tsv
