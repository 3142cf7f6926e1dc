#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How fast is btfenc beside pahole? Prints a table, asserts nothing.
#
#	VMLINUX=... [PAHOLE=...] [OBJECTS=...] sh tests/e2e/bench.sh
#
#	VMLINUX   a linked kernel with DWARF
#	PAHOLE    the peer; default: pahole in PATH
#	OBJECTS   a file that lists objects with DWARF, one path a line; the first NR (100)
#	          are encoded in place, each by a run of its own
#	RUNS      runs of each; default 5
#	BTFENC    default: the one in build/
#	FEATURES  default: those that the build of Linux 6.12 asks for
#
# The two take turns, so what else happens on the machine hits both; the table has medians.
# Files are in the page cache, targets fresh copies that have reached the disk. Needs
# /usr/bin/time (Debian's package "time").

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/bench.sh"

[ -n "${VMLINUX:-}" ] || skip "VMLINUX names no kernel"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
peer=${PAHOLE:-$(command -v pahole || :)}
runs=${RUNS:-5}
nr=${NR:-100}
need "$btfenc" "${peer:-pahole}"
vmlinux=$(readlink -f "$VMLINUX") || fail "no '$VMLINUX'"

version=$("$peer" --version)
features=${FEATURES:-$bench_kernel_features}
case $version in
v1.2[6-9]* | v1.[3-9]*) peer_features=--btf_features=$features ;;
*) peer_features='--btf_gen_floats --skip_encoding_btf_inconsistent_proto --btf_gen_optimized' ;;
esac

fresh()
{
	rm -rf target && cp --reflink=auto "$vmlinux" target && sync target
}

fresh_objects()
{
	rm -rf objects && mkdir objects
	while read -r object; do
		cp "$object" "objects/$(echo "$object" | tr / _)" || fail "no '$object'"
	done <list
	sync -f objects
}

# shellcheck disable=SC2016
each='command=$1; shift; for f in objects/*; do "$command" -J "$@" "$f" || exit 1; done'

cat "$vmlinux" >/dev/null
i=0
while [ $i -lt "$runs" ]; do
	i=$((i + 1))
	echo "run $i of $runs" >&2
	for j in 1 2; do
		bench_take detached$j.ours "$btfenc" -j$j --btf_features="$features" --btf_encode_detached=ours.btf "$vmlinux"
		# shellcheck disable=SC2086
		bench_take detached$j.peer "$peer" -j$j $peer_features --btf_encode_detached=peer.btf "$vmlinux"
	done
	fresh
	bench_take inplace.ours "$btfenc" -J -j2 --btf_features="$features" target
	fresh
	# shellcheck disable=SC2086
	bench_take inplace.peer "$peer" -J -j2 $peer_features target
	rm -f target
	[ -n "${OBJECTS:-}" ] || continue
	[ -e list ] || head -n "$nr" "$OBJECTS" >list
	fresh_objects
	bench_take objects.ours sh -c "$each" sh "$btfenc" --btf_features="$features"
	fresh_objects
	# shellcheck disable=SC2086
	bench_take objects.peer sh -c "$each" sh "$peer" $peer_features
done

bench_head "pahole $version"
echo "${VMLINUX##*/}: $(wc -c <"$vmlinux") bytes; BTF $(wc -c <ours.btf) bytes$(cmp -s ours.btf peer.btf && echo ', equal'); medians of $runs runs"
bench_columns "pahole $version"
bench_row "vmlinux, -j1: user CPU" detached1.ours detached1.peer 1 s 1
bench_row "vmlinux, -j1: wall" detached1.ours detached1.peer 2 s 1
bench_row "vmlinux, -j1: memory at its peak" detached1.ours detached1.peer 3 MB 1000
bench_row "vmlinux, -j2: wall" detached2.ours detached2.peer 2 s 1
bench_row "vmlinux, -j2: memory at its peak" detached2.ours detached2.peer 3 MB 1000
bench_row "vmlinux in place, -j2: wall" inplace.ours inplace.peer 2 s 1
bench_row "vmlinux in place, -j2: user CPU" inplace.ours inplace.peer 1 s 1
if [ -e list ]; then
	nr=$(wc -l <list)
	# seconds of all to milliseconds of one
	bench_row "an object in place, mean of $nr: user CPU" objects.ours objects.peer 1 ms "$(awk "BEGIN { print $nr / 1000 }")"
	bench_row "an object in place, mean of $nr: wall" objects.ours objects.peer 2 ms "$(awk "BEGIN { print $nr / 1000 }")"
	bench_row "an object in place, the largest of $nr: memory" objects.ours objects.peer 3 MB 1000
fi
