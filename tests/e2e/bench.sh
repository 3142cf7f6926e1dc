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

[ -n "${VMLINUX:-}" ] || skip "VMLINUX names no kernel"
[ -x /usr/bin/time ] || skip "no /usr/bin/time"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
peer=${PAHOLE:-$(command -v pahole || :)}
runs=${RUNS:-5}
nr=${NR:-100}
need "$btfenc" "${peer:-pahole}"
vmlinux=$(readlink -f "$VMLINUX") || fail "no '$VMLINUX'"

version=$("$peer" --version)
features=${FEATURES:-encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs}
case $version in
v1.2[6-9]* | v1.[3-9]*) peer_features=--btf_features=$features ;;
*) peer_features='--btf_gen_floats --skip_encoding_btf_inconsistent_proto --btf_gen_optimized' ;;
esac

# take RESULTS COMMAND...: a line with user seconds, wall seconds, KB at the peak
take()
{
	results=$1
	shift
	/usr/bin/time -q -o sample -f '%U %e %M' "$@" >out/stdout 2>out/stderr || {
		cat out/stderr >&2
		fail "'$*' failed"
	}
	tail -n 1 sample >>"$results"
}

column()
{
	cut -d ' ' -f "$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# row TITLE CASE COLUMN UNIT DIVISOR
row()
{
	echo "$(column "$2.ours" "$3") $(column "$2.peer" "$3")" | awk -v title="$1" -v unit="$4" -v by="$5" '
		{ printf "| %s | %.2f %s | %.2f %s | %s |\n", title, $1 / by, unit, $2 / by, unit,
		  ($1 > 0 ? sprintf("%.1f", $2 / $1) : "-") }'
}

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
		take detached$j.ours "$btfenc" -j$j --btf_features="$features" --btf_encode_detached=ours.btf "$vmlinux"
		# shellcheck disable=SC2086
		take detached$j.peer "$peer" -j$j $peer_features --btf_encode_detached=peer.btf "$vmlinux"
	done
	fresh
	take inplace.ours "$btfenc" -J -j2 --btf_features="$features" target
	fresh
	# shellcheck disable=SC2086
	take inplace.peer "$peer" -J -j2 $peer_features target
	rm -f target
	[ -n "${OBJECTS:-}" ] || continue
	[ -e list ] || head -n "$nr" "$OBJECTS" >list
	fresh_objects
	take objects.ours sh -c "$each" sh "$btfenc" --btf_features="$features"
	fresh_objects
	# shellcheck disable=SC2086
	take objects.peer sh -c "$each" sh "$peer" $peer_features
done

commit=$(git -C "$SRCDIR" rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git -C "$SRCDIR" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit and changes"
cat <<END
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, $(awk '/^MemTotal/ { printf "%d GB", $2 / 1e6 }' /proc/meminfo); load $(cut -d ' ' -f 1 /proc/loadavg)
$(date -u +%Y-%m-%d), btfenc at $commit, pahole $version
${VMLINUX##*/}: $(wc -c <"$vmlinux") bytes; BTF $(wc -c <ours.btf) bytes$(cmp -s ours.btf peer.btf && echo ', equal'); medians of $runs runs

| | btfenc | pahole $version | ratio |
| --- | --- | --- | --- |
END
row "vmlinux, -j1: user CPU" detached1 1 s 1
row "vmlinux, -j1: wall" detached1 2 s 1
row "vmlinux, -j1: memory at its peak" detached1 3 MB 1000
row "vmlinux, -j2: wall" detached2 2 s 1
row "vmlinux, -j2: memory at its peak" detached2 3 MB 1000
row "vmlinux in place, -j2: wall" inplace 2 s 1
row "vmlinux in place, -j2: user CPU" inplace 1 s 1
if [ -e list ]; then
	nr=$(wc -l <list)
	# seconds of all to milliseconds of one
	row "an object in place, mean of $nr: user CPU" objects 1 ms "$(awk "BEGIN { print $nr / 1000 }")"
	row "an object in place, mean of $nr: wall" objects 2 ms "$(awk "BEGIN { print $nr / 1000 }")"
	row "an object in place, the largest of $nr: memory" objects 3 MB 1000
fi
