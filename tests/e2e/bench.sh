#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Measures time and memory of btfenc, and prints tables. Asserts nothing.
#
#	sh tests/e2e/bench.sh			compares with pahole and libbpf
#	sh tests/e2e/bench.sh --against REV	compares with btfenc of this revision, and names the jobs that are more than
#						5 % slower; builds both
#
# Each job needs an input, and is left out without it:
#
#	VMLINUX=...   a linked kernel with DWARF: detached, in place, with inlined functions, and with 1 to 16 threads
#	CLANG=...     a vmlinux that clang has compiled: detached
#	LARGE=...     a large module, over LARGE_BASE: detached
#	SMALL=...     a small module, over BASE: detached, 20 times
#	MODULES=...   a list of modules, one path a line, over BASE: in place, in one run. pahole encodes each by a run of
#	              its own with one thread, detached
#	ARCHIVE=...   a linked file whose .BTF is that of its objects (docs/per-object.md): from the file, and from the
#	              section alone
#	OBJECTS=...   a list of objects with DWARF, one path a line: the first NR (1000), detached and in place, each
#	              by a run of its own
#
# With --against and no input, VMLINUX and MODULES are those that debian_kernel.sh has kept, OBJECTS are compiled from
# the source tree, and ARCHIVE is ten copies of them.
#
#	RUNS=...      of each job; default 10, and 2 with --against
#	RECORD=1      stores the runs as docs/bench/DATE.tsv, and updates the tables and charts of
#	              README.md and docs/benchmarks.md by docs/bench/chart.py
#	PAHOLE=...    the peer; default: pahole in PATH
#	LIBBPF=...    a command that combines the archive in $1 into $2; default: btfpile of
#	              the build, over the libbpf that is installed
#	BASE=..., LARGE_BASE=...  BTF, ELF or raw; default: what VMLINUX gives
#	BTFENC=...    default: the one in build/
#	FEATURES=...  default: those that the build of Linux 6.12 asks for
#
# btfenc and its peer take turns, so that other load on the machine affects both, and each ratio is that of two runs in
# succession. Files are in the page cache, targets fresh copies that have reached the disk. btfenc reads the linked file
# of an archive, because it also selects functions and locates variables; libbpf always gets the section alone. --compat
# is that of pahole. The first run also compares the BTF of both. With all inputs and RUNS=10 this takes an hour.

rev=
if [ "${1:-}" = --against ] && [ $# = 2 ]; then
	rev=$2
	RUNS=${RUNS:-2}
elif [ $# -gt 0 ]; then
	echo "usage: bench.sh [--against REV]" >&2
	exit 64
fi
RUNS=${RUNS:-10}
. "${0%/*}/../lib/testlib.sh"

# --- the builds ---------------------------------------------------------------------------

# release FOLDER TARGET...: build targets in FOLDER/build
release()
{
	folder=$1
	shift
	(cd "$folder" && cmake --preset release ${compiler:+-DCMAKE_C_COMPILER="$compiler"} &&
		cmake --build --preset release --target "$@") >build.log 2>&1 || {
		tail -n 20 build.log >&2
		skip "'$folder' cannot be built"
	}
}

# A clone without its history lacks REV.
fetch_revision()
{
	commit=$(git -C "$SRCDIR" rev-parse --verify -q "$rev^{commit}") ||
		commit=$(git -C "$SRCDIR" fetch -q --depth=1 origin "$rev" && git -C "$SRCDIR" rev-parse FETCH_HEAD) ||
		skip "no revision '$rev'"
}

if [ -n "$rev" ]; then
	need git cmake
	compiler=
	[ -n "${BTFENC:-}" ] || release "$SRCDIR" btfenc measure
	fetch_revision
	mkdir old && git -C "$SRCDIR" archive "$commit" | tar x -C old || fail "'$rev' cannot be unpacked"
	compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$SRCDIR/build/CMakeCache.txt")
	release old btfenc
fi

. "$TESTDIR/../lib/bench.sh"
need python3 objcopy readelf
chart=$SRCDIR/docs/bench/chart.py
libbpf=${LIBBPF:-$SRCDIR/build/tests/btfpile}
inputs=${VMLINUX:-}${CLANG:-}${LARGE:-}${SMALL:-}${MODULES:-}${ARCHIVE:-}${OBJECTS:-}
if [ -n "$rev" ]; then
	peer=$SCRATCH/old/build/btfenc peer_options=$our_options
else
	[ -n "$inputs" ] || skip "no input is named"
	bench_peer
fi

# --- jobs ---------------------------------------------------------------------------------
#
# A job is a function, which measures one run of $tool (btfenc or peer) with $threads threads in the file "sample", and
# writes the names of the files with the BTF to "results".

# encode [-l LIST] ARGUMENT...
encode()
{
	each=
	if [ "$1" = -l ]; then
		each="-l $2"
		shift 2
	fi
	command=$btfenc with=$our_options
	[ "$tool" = btfenc ] || command=$peer with=$peer_options
	[ "$job" != inline ] || is_pahole || with=$options,inline
	bench_take sample $each "$command" -j"$threads" $with "$@"
}

# detached [-l LIST] ARGUMENT...
detached()
{
	encode "$@"
	echo made >results
}

is_pahole()
{
	[ "$tool" = peer ] && [ -z "$rev" ]
}

# targets COMMAND LIST: each file of LIST, copied or linked by COMMAND, in the list "targets"
targets()
{
	rm -rf files && mkdir files && : >targets
	n=0
	while read -r file; do
		n=$((n + 1))
		$1 "$file" files/$n.o || fail "no '$file'"
		echo files/$n.o >>targets
	done <"$2"
	sync -f files
}

job_vmlinux() { detached --btf_encode_detached=made "$vmlinux"; }
job_inline() { job_vmlinux; }
job_clang() { detached --btf_encode_detached=made "$clang"; }
job_large() { detached --btf_base="$large_base" --btf_encode_detached=made "$large"; }
job_small() { detached -l small.list --btf_base="$base" --btf_encode_detached=made {}; }

job_in_place()
{
	bench_fresh "$vmlinux" target
	encode -J target
	echo target >results
}

job_objects()
{
	targets cp objects.list
	encode -l targets -J {}
	cp targets results
}

job_objects_detached()
{
	targets 'ln -s' objects.list
	encode -l targets --btf_encode_detached={}.btf {}
	sed 's/$/.btf/' targets >results
}

job_modules()
{
	if ! is_pahole; then
		targets 'cp --reflink=auto' modules.list
		encode -J --btf_base="$base" @targets
		cp targets results
	elif [ "$threads" = 1 ]; then
		targets 'ln -s' modules.list
		encode -l targets --btf_base="$base" --btf_encode_detached={}.btf {}
		sed 's/$/.btf/' targets >results
		cp sample modules.sample
	else
		cp modules.sample sample
	fi
}

archive_from()
{
	if is_pahole; then
		bench_take sample "$libbpf" archive.raw made
		echo made >results
	else
		detached -l "$1.list" -F btf --btf_encode_detached=made {}
	fi
}

job_archive() { archive_from archive; }
job_archive_raw() { archive_from raw; }

# --- a run --------------------------------------------------------------------------------

# print_btf FILE: its BTF, in a section or raw, without the header, whose size depends on pahole's libbpf; nothing for an object
# without types
print_btf()
{
	at=0
	[ -e "$1" ] || return 0
	if readelf -SW "$1" >sections 2>out/stderr; then
		at=$(sed 's/^ *\[ *[0-9]*\] //' sections | awk '$1 == ".BTF" { print "0x" $4 }')
		[ -n "$at" ] || return 0
	fi
	tail -c +$((at + 1 + $(u32 "$1" $((at + 4))))) "$1" | head -c $(($(u32 "$1" $((at + 16))) + $(u32 "$1" $((at + 20)))))
}

hashes()
{
	while read -r file; do
		print_btf "$file" | cksum
	done <results
}

# compare: print how many of the results differ, or "yes" if all are equal
compare()
{
	paste hashes.btfenc hashes.peer | awk -F '\t' '$1 != $2 { n++ } END { print n ? n " of " NR : "yes" }'
}

# record TOOL [PHASES]: a row of the raw results
record()
{
	awk -v OFS='\t' -v head="$job	${input##*/}	$(stat -L -c %s "$input")	$encodings	$run	$1	$threads" \
		-v tail="$(cat "equal.$job" 2>/dev/null || echo -)	${2:--}" \
		'END { print head, $1, $2, $3, $6, tail }' sample >>rows
}

# both JOB INPUT ENCODINGS THREADS...: with each number of threads, a run of each tool
both()
{
	job=$1 input=$2 encodings=$3
	shift 3
	for threads; do
		for tool in $turns; do
			rm -f sample made
			"job_$job"
			mv sample sample.$tool
			[ -e "equal.$job" ] || hashes >hashes.$tool || exit 1
		done
		[ -e "equal.$job" ] || compare >"equal.$job"
		for tool in btfenc peer; do
			mv sample.$tool sample
			record $tool
		done
	done
}

# The time of each phase comes from a run of its own, because --btf_stats takes time, too.
with_threads()
{
	job=threads input=$vmlinux encodings=1 tool=btfenc
	for threads in 1 2 4 8 16; do
		rm -f sample
		encode --btf_stats --btf_encode_detached=made "$vmlinux"
		phases=$(awk '$1 == "phase" { on = 1; next } !NF { exit } on { printf "%s%s:%s:%s", c, $1, $2, $3; c = "," }' out/stdout)
		rm -f sample
		encode --btf_encode_detached=made "$vmlinux"
		record btfenc "$phases"
	done
}

# --- inputs -------------------------------------------------------------------------------

# The sources of btfenc as objects, encoded in place for an archive
own_objects()
{
	mkdir own
	(cd "$SRCDIR" && find base btf dedup loader encoder -name '*.c') | sort | awk '{ print $0 "\t" NR }' |
		xargs -P "$(nproc)" -n 2 sh -c '${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$0" -g -O1 -c -o "own/$2.o" "$0/$1"' "$SRCDIR" ||
		skip "the objects cannot be compiled"
	for object in own/*.o; do
		echo "$SCRATCH/$object"
	done >own.list
	targets cp own.list
	bench_take own.cost -l targets "$btfenc" -J $our_options {}
	# "muldefs" permits several copies
	for copy in 1 2 3 4 5 6 7 8 9 10; do
		cat targets
	done | xargs ld -r -z muldefs -o own.archive || fail "no archive"
}

archive_times=1
if [ -z "$inputs" ]; then
	for file in "${BTFENC_E2E_DIR:-$SRCDIR/build/tests/e2e-cache}"/*.vmlinux; do
		[ ! -e "$file" ] || VMLINUX=$file
	done
	for file in "${VMLINUX%.vmlinux}".modules/*.ko; do
		[ ! -e "$file" ] || echo "$file"
	done >own.modules
	[ ! -s own.modules ] || MODULES=$SCRATCH/own.modules
	own_objects
	OBJECTS=$SCRATCH/own.list ARCHIVE=$SCRATCH/own.archive archive_times=5
fi

# named VARIABLE: set path to the file that it names, and read it into the page cache
named()
{
	eval "value=\${$1:-}"
	path=
	[ -n "$value" ] || return 0
	path=$(bench_path "$value") && cat "$path" >/dev/null || exit 1
}

# listed FILE: print the paths of its lines
listed()
{
	sed "s|^[^/]|$OLDPWD/&|" "$1"
}

# repeated N PATH: a list
repeated()
{
	awk -v n="$1" -v path="$2" 'BEGIN { while (n--) print path }'
}

named VMLINUX && vmlinux=$path
named CLANG && clang=$path
named LARGE && large=$path
named SMALL && small=$path && repeated 20 "$small" >small.list
named MODULES && modules=$path
named ARCHIVE && archive=$path
named OBJECTS && objects=$path
named BASE && base=$path
named LARGE_BASE && large_base=$path
if [ -n "$objects" ]; then
	listed "$objects" | head -n "${NR:-1000}" >objects.list
	[ -s objects.list ] || fail "'$OBJECTS' lists no object"
fi
if [ -n "$modules" ]; then
	listed "$modules" | while read -r file; do
		! has_section "$file" .debug_info || echo "$file"
	done >modules.list
	[ -s modules.list ] || fail "'$MODULES' lists no module with DWARF"
fi
if [ -n "$archive" ]; then
	objcopy --dump-section .BTF=archive.raw "$archive" out/junk || fail "'$ARCHIVE' has no .BTF"
	if [ -z "$rev" ]; then
		need "$libbpf"
		echo - | tee equal.archive >equal.archive_raw # libbpf selects no functions
	fi
	repeated $archive_times "$archive" >archive.list
	repeated $archive_times archive.raw >raw.list
fi
over_base=$small$modules
[ -n "$large_base" ] || over_base=$over_base$large
if [ -n "$over_base" ] && [ -z "$base" ]; then
	[ -n "$vmlinux" ] || fail "a module needs its base"
	"$btfenc" $our_options --btf_encode_detached=vmlinux.base "$vmlinux" || exit 1
	base=$SCRATCH/vmlinux.base
fi
[ -n "$large_base" ] || large_base=$base

# --- runs ---------------------------------------------------------------------------------

[ -n "$rev" ] || echo - >equal.inline
[ -n "$rev" ] && more=1 || more='1 2'
load=$(cut -d ' ' -f 1 /proc/loadavg)
run=0
while [ $run -lt "$runs" ]; do
	run=$((run + 1))
	echo "run $run of $runs" >&2
	[ $((run % 2)) = 1 ] && turns='btfenc peer' || turns='peer btfenc'
	[ -z "$vmlinux" ] || both vmlinux "$vmlinux" 1 1 2
	[ -z "$vmlinux" ] || both in_place "$vmlinux" 1 $more
	[ -z "$vmlinux" ] || both inline "$vmlinux" 1 $more
	[ -z "$vmlinux" ] || [ -n "$rev" ] || with_threads
	[ -z "$clang" ] || both clang "$clang" 1 1 2
	[ -z "$large" ] || both large "$large" 1 1 2
	[ -z "$small" ] || both small "$small" 20 1
	[ -z "$modules" ] || both modules modules.list "$(wc -l <modules.list)" 1 2
	[ -z "$archive" ] || both archive "$archive" $archive_times 1 2
	[ -z "$archive" ] || both archive_raw archive.raw $archive_times 1 2
	[ -z "$objects" ] || both objects objects.list "$(wc -l <objects.list)" 1
	[ -z "$objects" ] || both objects_detached objects.list "$(wc -l <objects.list)" 1
done

# --- the results --------------------------------------------------------------------------

{
	echo "# date: $(date -u +%Y-%m-%d)"
	echo "# commit: $(bench_commit)"
	echo "# machine: $(bench_machine)"
	echo "# kernel: $(uname -sr | grep -o '^[^0-9]*[0-9.]*[0-9]')"
	echo "# load before: $load"
	echo "# btfenc: $("$btfenc" -V --version | sed -n 's/^btfenc //p')"
	if [ -n "$rev" ]; then
		echo "# against: $(git -C "$SRCDIR" log -1 --format='%h (%s)' "$commit")"
	else
		echo "# pahole: ${version#v}"
		[ -z "$archive" ] || echo "# libbpf: ${LIBBPF:-$(pkg-config --modversion libbpf 2>/dev/null || echo installed)}"
	fi
	echo "# options: $our_options"
	printf 'job\tinput\tbytes\tencodings\trun\ttool\tthreads\tuser_s\twall_s\tpeak_kb\tsys_s\tequal\tphases\n'
	cat rows
} >raw.tsv
if [ -n "${RECORD:-}" ] && [ -z "$rev" ]; then
	cp raw.tsv "$SRCDIR/docs/bench/$(date -u +%Y-%m-%d).tsv" && python3 "$chart" || exit 1
fi
python3 "$chart" --print raw.tsv
