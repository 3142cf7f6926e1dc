#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How does the cost grow? Prints tables and what they say of machines with more processors, asserts
# nothing.
#
#	VMLINUX=... sh tests/e2e/bench_growth.sh
#
#	VMLINUX     a linked kernel with DWARF, not compressed: an eighth, a quarter, half and all of its
#	            units; all of them with 1 to 16 threads; what one thread has to do alone; and
#	            what it costs if the file is not in the page cache. "none" leaves that out
#	PAHOLE      the peer for the last one; default: pahole in PATH, none if there is none
#	RUNS, BTFENC, FEATURES  as in bench.sh
#
# The first table keeps each eighth, fourth, second unit: a program of the same sort, and not the same
# beginning. The last has what libbpf is quadratic or exponential in, or recurses on.
#
# What one thread does alone is the time that strace sees no second one, from the start of the process to
# its end; the rest of the CPU time can be shared. So N processors take alone + rest / N at best.

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/bench.sh"

need python3
[ -n "${VMLINUX:-}" ] || skip "VMLINUX names no kernel"
vmlinux=
[ "$VMLINUX" = none ] || vmlinux=$(bench_path "$VMLINUX") || exit 1

encode()
{
	results=$1
	shift
	bench_take "$results" "$btfenc" $our_options --btf_encode_detached=made "$@"
}

# user seconds, wall seconds, MB
show()
{
	echo "$(bench_median "$1" 1) $(bench_median "$1" 2) $(bench_median "$1" 3)" |
		awk '{ printf "%.2f s | %.2f s | %.0f MB", $1, $2, $3 / 1000 }'
}

# repeat FUNCTION ARGUMENT...: as often as RUNS says
repeat()
{
	run=0
	while [ $run -lt "$runs" ]; do
		run=$((run + 1))
		"$@"
	done
}

# --- units --------------------------------------------------------------------------------

grow_units()
{
	echo
	echo "| units | .debug_info | user CPU, -j1 | wall, -j1 | memory at its peak | ns a byte |"
	echo "| --- | --- | --- | --- | --- | --- |"
	for every in 8 4 2 1; do
		bench_fresh "$vmlinux" part
		said=$("$TOOLS/dwarfsome.py" part $every) || exit 1
		repeat encode units.$every -j1 part
		set -- $said
		echo "| $1 | $(($5 / 1000000)) MB | $(show units.$every) |" \
			"$(bench_median units.$every 1 | awk -v bytes="$5" '{ printf "%.1f", $1 * 1e9 / bytes }') |"
	done
	rm -f part
}

# --- threads -------------------------------------------------------------------------------

# take_alone FILE JOBS: seconds that one thread was alone, those of them before there was a second one, and
# behind the last
take_alone()
{
	strace -f --seccomp-bpf -q -ttt -e trace=execve,clone,clone3,exit,exit_group -o trace \
		"$btfenc" $our_options -j"$2" --btf_encode_detached=made "$vmlinux" || return 1
	awk '
		# "resumed" lines are the other half of a call that was begun
		$3 ~ /^execve/ { first = last = $2 }
		{ if (!others) alone += $2 - last; last = $2 }
		$3 ~ /^clone/ { if (!began) began = $2; others++ }
		$3 ~ /^exit\(/ { if (!--others) ended = $2 }
		END { print alone, began - first, last - ended }' trace >>"$1"
}

grow_threads()
{
	threads='1 2 4 8 16'
	run=0
	while [ $run -lt "$runs" ]; do
		run=$((run + 1))
		for j in $threads; do
			encode "threads.$j" "-j$j" "$vmlinux"
		done
	done
	echo
	echo "| threads | user CPU | wall | memory at its peak | user CPU, of that of one |"
	echo "| --- | --- | --- | --- | --- |"
	for j in $threads; do
		echo "$(bench_median "threads.$j" 1) $(bench_median threads.1 1)" |
			awk -v j="$j" -v row="$(show "threads.$j")" '{ printf "| %s | %s | %.2f |\n", j, row, $1 / $2 }'
	done

	if ! command -v strace >/dev/null; then
		echo "no strace: what one thread does alone is not measured"
		return
	fi
	repeat take_alone alone 2 || exit 1
	echo
	echo "$(bench_median alone 1) $(bench_median threads.1 2) $(bench_median alone 2) $(bench_median alone 3)" | awk '{
		alone = $1; rest = $2 - alone
		printf "alone %.3f s of %.2f s, %.1f %% (%.3f s before there are threads, %.3f s behind them); at best",
			alone, $2, 100 * alone / $2, $3, $4
		for (n = 2; n <= 64; n *= 2)
			printf "%s %.2f s with %d", (n > 2 ? "," : ""), alone + rest / n, n
		print " processors"
	}'
}

# --- the page cache ---------------------------------------------------------------------------

# forget FILE: it is on the disk, and nowhere else
forget()
{
	dd of="$1" oflag=nocache conv=notrunc,fdatasync count=0 status=none || fail "dd failed"
}

# cold NAME COMMAND...: a run that finds the file in the page cache, and one that does not
cold()
{
	name=$1
	shift
	cat file >/dev/null
	bench_take "$name.warm" "$@" --btf_encode_detached=made file
	forget file
	bench_take "$name.cold" "$@" --btf_encode_detached=made file
}

cold_row()
{
	echo "$(bench_median "$2.warm" 2) $(bench_median "$2.cold" 2) $(bench_median "$2.cold" 4) $(bench_median "$2.cold" 5)" |
		awk -v title="$1" '{ printf "| %s | %.2f s | %.2f s | %d MB | %d |\n", title, $1, $2, $3 * 512 / 1e6, $4 }'
}

page_cache()
{
	bench_fresh "$vmlinux" file
	peer=${PAHOLE:-$(command -v pahole || :)}
	[ -z "$peer" ] || bench_peer
	repeat cold cold1 "$btfenc" $our_options -j1
	repeat cold cold2 "$btfenc" $our_options -j2
	[ -z "$peer" ] || repeat cold peer "$peer" $peer_options -j1
	# of the disk, or of the disk that it is a part of
	disk=/sys/dev/block/$(stat -c %Hd:%Ld file)
	ahead=$(cat "$disk/queue/read_ahead_kb" "$disk/../queue/read_ahead_kb" 2>/dev/null | head -n 1)
	echo
	echo "| $(($(wc -c <file) / 1000000)) MB, read ahead by ${ahead:-?} KB | wall, in the page cache" \
		"| wall, not there | read from the disk | faults that waited |"
	echo "| --- | --- | --- | --- | --- |"
	cold_row "one thread" cold1
	cold_row "two threads" cold2
	[ -z "$peer" ] || cold_row "pahole $version" peer
	rm -f file
}

# --- hard cases ------------------------------------------------------------------------------

grow_hard()
{
	echo
	echo "| shape | n | DWARF: user CPU, -j1 | memory | BTF of two objects: user CPU, -j1 | memory |"
	echo "| --- | --- | --- | --- | --- | --- |"
	for shape in enums:20000 unions:20000 chain:100000 pointers:100000 copies:15 types:1000000 blocks:30000; do
		for times in 1 2 4; do
			n=$((${shape#*:} * times)) name=${shape%:*}
			row="| $name | $n |"
			for form in dwarf btf; do
				"$TOOLS/btfhard.py" "$name" $n $form hard || exit 1
				repeat encode "hard.$name.$n.$form" -j1 -F $form hard
				row="$row $(show "hard.$name.$n.$form" | sed 's/|[^|]*|/|/') |"
			done
			echo "$row"
		done
	done
}

bench_head "by itself"
echo "medians of $runs runs"
if [ -n "$vmlinux" ]; then
	cat "$vmlinux" >/dev/null
grow_units
grow_threads
	page_cache
fi
grow_hard
