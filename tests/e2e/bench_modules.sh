#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What do modules cost over a base, beside pahole? Prints a table, asserts nothing.
#
#	BASE=... MODULES=... [PAHOLE=...] sh tests/e2e/bench_modules.sh
#
#	BASE      the BTF of a vmlinux: ELF or raw
#	MODULES   a file that lists modules with DWARF, one path a line
#	SMALL     a module to measure by itself, 20 runs in a row; default: the smallest of them
#	LARGE     another, one run; default: the largest
#	PAHOLE    the peer; default: pahole in PATH
#	RUNS      runs of each, but for all modules by the peer: one; default 5
#	BTFENC    default: the one in build/
#	FEATURES  default: those that the build of Linux 6.12 asks for
#
# All modules are one run of btfenc, in place, and one run of the peer for each, into a file of
# its own; then their bytes are compared. The two take turns; files are in the page cache;
# the table has medians. Needs /usr/bin/time (Debian's package "time").

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/bench.sh"

[ -n "${BASE:-}" ] || skip "BASE names no BTF"
[ -n "${MODULES:-}" ] || skip "MODULES names no list"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
peer=${PAHOLE:-$(command -v pahole || :)}
runs=${RUNS:-5}
need "$btfenc" "${peer:-pahole}" objcopy
# names are relative to where we were called
here=$OLDPWD
base=$(cd "$here" && readlink -e "$BASE") || fail "no '$BASE'"
features=--btf_features=${FEATURES:-$bench_kernel_features}
version=$("$peer" --version)

(cd "$here" && xargs -d '\n' readlink -e <"$MODULES") >names || fail "a file of '$MODULES' is not there"
xargs -d '\n' ls -d1S <names >list
large=${LARGE:-$(head -n 1 list)}
small=${SMALL:-$(tail -n 1 list)}
nr=$(wc -l <list)

fresh()
{
	rm -rf modules && mkdir modules && : >targets
	n=0
	while read -r module; do
		n=$((n + 1))
		cp --reflink=auto "$module" modules/$n.ko || fail "no '$module'"
		echo modules/$n.ko >>targets
	done <list
	sync -f modules
}

# shellcheck disable=SC2016
{
	repeat='i=0; while [ $i -lt 20 ]; do i=$((i + 1)); "$@" || exit 1; done'
	# pahole fails on what has no DWARF, btfenc leaves it alone
	each='while read -r f; do "$@" --btf_encode_detached=$f.peer $f || :; done <targets'
}

cat "$base" >/dev/null
i=0
while [ $i -lt "$runs" ]; do
	i=$((i + 1))
	echo "run $i of $runs" >&2
	for who in ours peer; do
		command=$btfenc
		[ $who = ours ] || command=$peer
		bench_take small.$who sh -c "$repeat" sh "$command" -j1 --btf_base="$base" "$features" --btf_encode_detached=$who.btf "$small"
		bench_take large.$who "$command" -j1 --btf_base="$base" "$features" --btf_encode_detached=$who.btf "$large"
	done
	for j in 1 2; do
		fresh
		bench_take all$j.ours "$btfenc" -j$j -J --btf_base="$base" "$features" @targets
	done
done
echo "all $nr modules by $peer" >&2
bench_take all1.peer sh -c "$each" sh "$peer" -j1 --btf_base="$base" "$features"
cp all1.peer all2.peer

equal=0
while read -r f; do
	objcopy --dump-section .BTF=ours.btf "$f" /dev/null 2>out/stderr || continue
	! cmp -s ours.btf "$f.peer" || equal=$((equal + 1))
done <targets

bench_head "pahole $version"
echo "$nr modules over ${BASE##*/}, $equal of them with pahole's bytes; medians of $runs runs"
bench_columns "pahole $version"
# seconds of 20 to milliseconds of one
bench_row "${small##*/}: user CPU" small.ours small.peer 1 ms 0.02
bench_row "${small##*/}: memory at its peak" small.ours small.peer 3 MB 1000
bench_row "${large##*/}: user CPU" large.ours large.peer 1 s 1
bench_row "${large##*/}: memory at its peak" large.ours large.peer 3 MB 1000
bench_row "all modules, one run of btfenc: user CPU" all1.ours all1.peer 1 s 1
bench_row "all modules, one run of btfenc: wall" all1.ours all1.peer 2 s 1
bench_row "all modules, one run of btfenc with -j2: wall" all2.ours all2.peer 2 s 1
bench_row "all modules, one run of btfenc with -j2: memory at its peak" all2.ours all2.peer 3 MB 1000
