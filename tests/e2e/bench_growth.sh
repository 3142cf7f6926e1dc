#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How does the cost grow with the input? Prints tables, asserts nothing. bench.sh has more threads.
#
#	VMLINUX=... sh tests/e2e/bench_growth.sh
#
#	VMLINUX     a linked kernel with DWARF, not compressed: an eighth, a quarter, half and all of its
#	            units; and what it costs if the file is not in the page cache. "none" leaves that out
#	PAHOLE      the peer for the last one; default: pahole in PATH, none if there is none
#	RUNS, BTFENC, FEATURES  as in bench.sh
#
# The first table keeps each eighth, fourth, second unit: a program of the same sort, and not the same
# beginning. The last has what libbpf is quadratic or exponential in, or recurses on.

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
	page_cache
fi
grow_hard
