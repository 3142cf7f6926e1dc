#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Do the kernels of other machines get pahole's bytes, and at which cost? Debian has debug packages for
# each of its machines, big-endian and 32-bit ones among them.
#
#	PAHOLE=... sh tests/e2e/kernels.sh FOLDER...
#
#	PAHOLE   pahole 1.31 or 1.32; btfenc encodes at its level
#	EVERY    every how many-th of its modules to look at; default 25
#	RUNS     of both, for the table; default 3
#	BTFENC   default: the one in build/
#
# A FOLDER is such a package, unpacked (dpkg-deb -x linux-image-*-dbg_*.deb FOLDER). Its vmlinux is
# encoded with the features that the build of Linux 6.12 asks for and with none, the modules over that
# with the former. Prints a table; status 1 if a result differs from pahole's and lost_percpu() does not
# explain it. The modules of MIPS are left out: mips-objects in diff/known.txt says why.

. "${0%/*}/../lib/testlib.sh"
runs=${RUNS:-3}
. "$TESTDIR/../lib/bench.sh"

[ -n "${PAHOLE:-}" ] || skip "PAHOLE names no pahole"
[ $# -gt 0 ] || skip "no folders"
need readelf python3
bench_peer

# machine FILE: as readelf calls it
machine()
{
	readelf -h "$1" 2>/dev/null | sed -n 's/^ *Machine: *//p'
}

# encode OUTPUT ENCODER OPTION...: no output if it fails
encode()
{
	output=$1
	shift
	rm -f "$output"
	"$@" --btf_encode_detached="$output" >log 2>&1 || rm -f "$output"
}

# same OURS THEIRS: are they equal, or was neither made?
same()
{
	if [ -e "$1" ] && [ -e "$2" ]; then
		same_behind_header "$1" "$2"
	else
		[ ! -e "$1" ] && [ ! -e "$2" ]
	fi
}

# percpu_is_hidden MODULE: does a section that is not loaded come before .data..percpu, and contain all its
# addresses? libdwfl lays out loaded sections from 0x10000 on, others at 0 (docs/spec/encoding.md 2.2), and pahole
# takes the first section that contains an address (Q18 of diff/quirks.txt).
percpu_is_hidden()
{
	readelf -SW "$1" | python3 -c '
import re, sys
end, largest = 0x10000, 0
for line in sys.stdin:
    f = re.match(r" *\[ *\d+\] (\S+) +(\S+) +\S+ +\S+ +(\S+) +\S+ +([A-Za-z]*) +\d+ +\d+ +(\d+)$", line)
    if not f:
        continue
    name, kind, size, flags, align = f[1], f[2], int(f[3], 16), f[4], max(int(f[5]), 1)
    if "A" in flags:
        end = (end + align - 1) // align * align + size
    elif kind in ("PROGBITS", "NOBITS"):
        largest = max(largest, size)
    if name == ".data..percpu":
        sys.exit(largest < end)
sys.exit(1)'
}

# lost_percpu MODULE: are the variables of .data..percpu all that pahole lacks, and does it not find their section?
lost_percpu()
{
	encode ours.plain "$btfenc" $our_options --skip_encoding_btf_vars --btf_base=base.theirs "$1"
	encode theirs.plain "$peer" $peer_options --skip_encoding_btf_vars --btf_base=base.theirs "$1"
	[ -e theirs ] && same ours.plain theirs.plain && cmp -s theirs theirs.plain || return
	[ "$("$btfenc" --btf_diff --btf_base=base.theirs theirs ours | grep '^only in B: section ')" = \
		'only in B: section .data..percpu' ] && percpu_is_hidden "$1"
}

# measure VMLINUX: one thread of each, in turn
measure()
{
	rm -f time.ours time.theirs
	run=0
	while [ $run -lt "$runs" ]; do
		run=$((run + 1))
		bench_take time.ours "$btfenc" -j1 $our_options --btf_encode_detached=base "$1"
		bench_take time.theirs "$peer" $peer_options --btf_encode_detached=base.theirs "$1"
	done
}

# modules FOLDER: "N of M equal, and K but for per-CPU variables"
modules()
{
	find "$1" -name '*.ko' -o -name '*.ko.debug' | sort |
		awk -v every="${EVERY:-25}" 'NR % every == 0' >list
	nr=0 equal=0 explained=0
	while IFS= read -r module; do
		nr=$((nr + 1))
		encode ours "$btfenc" $our_options --btf_base=base.theirs "$module"
		encode theirs "$peer" $peer_options --btf_base=base.theirs "$module"
		if same ours theirs; then
			equal=$((equal + 1))
		elif lost_percpu "$module"; then
			explained=$((explained + 1))
		else
			echo "not pahole's: $module" >&2
		fi
	done <list
	echo "$equal of $nr equal, and $explained but for per-CPU variables"
	[ $((equal + explained)) -eq $nr ]
}

result()
{
	if same "$1" "$2"; then
		echo equal
	else
		echo DIFFERENT
	fi
}

status=0
bench_head "$version"
echo
echo '| machine, vmlinux | user CPU, -j1 | memory at its peak | bytes | plain | modules |'
echo '| --- | --- | --- | --- | --- | --- |'
for folder; do
	folder=$(bench_path "$folder") || exit 1
	vmlinux=$(find "$folder" \( -path '*/boot/vmlinux-*' -o -path '*/modules/*/vmlinux' \) -type f | head -n 1)
	[ -n "$vmlinux" ] || fail "no vmlinux in '$folder'"
	name=$(machine "$vmlinux")
	measure "$vmlinux"
	kernel=$(result base base.theirs)
	encode ours "$btfenc" --compat="$(level_of "$peer")" "$vmlinux"
	encode theirs "$peer" "$vmlinux"
	plain=$(result ours theirs)
	case $name in
	MIPS*) over='not compared' ;;
	*) over=$(modules "$folder") || status=1 ;;
	esac
	case $kernel$plain in *DIFFERENT*) status=1 ;; esac
	row=$(bench_row "$name, $(($(stat -c %s "$vmlinux") / 1000000)) MB" time.ours time.theirs 1 s 1)
	memory=$(bench_row '' time.ours time.theirs 3 MB 1000)
	echo "$row ${memory#|  | }" | sed "s/\$/ $kernel | $plain | $over |/"
done
exit $status
