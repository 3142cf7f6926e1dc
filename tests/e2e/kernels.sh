#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Do the kernels of other machines get pahole's bytes, and at which cost? Debian has debug packages for
# each of its machines, big-endian and 32-bit ones among them.
#
#	PAHOLE=... sh tests/e2e/kernels.sh FOLDER...
#
#	PAHOLE   pahole 1.31
#	EVERY    every how many-th of its modules to look at; default 25
#	RUNS     of both, for the table; default 3
#	BTFENC   default: the one in build/
#
# A FOLDER is such a package, unpacked (dpkg-deb -x linux-image-*-dbg_*.deb FOLDER). Its vmlinux is
# encoded with the features that the build of Linux 6.12 asks for and with none, the modules over that
# with the former. Prints a table; status 1 if a result is not pahole's. The modules of MIPS are left
# out: mips-objects in diff/known.txt says why.

. "${0%/*}/../lib/testlib.sh"
runs=${RUNS:-3}
. "$TESTDIR/../lib/bench.sh"

[ -n "${PAHOLE:-}" ] || skip "PAHOLE names no pahole"
[ $# -gt 0 ] || skip "no folders"
need readelf
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

# same: are ours and theirs equal, or was neither made?
same()
{
	if [ -e ours ] || [ -e theirs ]; then
		cmp -s ours theirs
	fi
}

# measure VMLINUX: one thread of each, in turn
measure()
{
	rm -f time.ours time.theirs
	run=0
	while [ $run -lt "$runs" ]; do
		run=$((run + 1))
		bench_take time.ours "$btfenc" -j1 "$options" --btf_encode_detached=base "$1"
		bench_take time.theirs "$peer" "$peer_options" --btf_encode_detached=base.theirs "$1"
	done
}

# modules FOLDER: "N of M equal"
modules()
{
	find "$1" -name '*.ko' -o -name '*.ko.debug' | sort |
		awk -v every="${EVERY:-25}" 'NR % every == 0' >list
	nr=0 equal=0
	while IFS= read -r module; do
		nr=$((nr + 1))
		encode ours "$btfenc" "$options" --btf_base=base "$module"
		encode theirs "$peer" "$peer_options" --btf_base=base "$module"
		if same; then
			equal=$((equal + 1))
		else
			echo "not pahole's: $module" >&2
		fi
	done <list
	echo "$equal of $nr equal"
	[ $equal -eq $nr ]
}

result()
{
	if cmp -s "$1" "$2"; then
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
	vmlinux=$(find "$folder" -path '*/boot/vmlinux-*' -type f | head -n 1)
	[ -n "$vmlinux" ] || fail "no boot/vmlinux-* in '$folder'"
	name=$(machine "$vmlinux")
	measure "$vmlinux"
	kernel=$(result base base.theirs)
	encode ours "$btfenc" "$vmlinux"
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
