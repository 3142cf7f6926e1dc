#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What do many modules cost over a base, in one run of btfenc beside a run of pahole for each?
# Prints a table and how many are equal, asserts nothing. One module by itself is in bench.sh.
#
#	BASE=... MODULES=... [PAHOLE=...] sh tests/e2e/bench_modules.sh
#
#	BASE      the BTF of a vmlinux: ELF or raw
#	MODULES   a file that lists modules with DWARF, one path a line
#	PAHOLE    the peer, which runs once; default: pahole in PATH
#	RUNS      runs of btfenc; default 5
#	BTFENC    default: the one in build/
#	FEATURES  default: those that the build of Linux 6.12 asks for
#
# btfenc encodes them in place, the peer into a file each. Files are in the page cache; the table
# has medians.

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/bench.sh"

[ -n "${BASE:-}" ] || skip "BASE names no BTF"
[ -n "${MODULES:-}" ] || skip "MODULES names no list"
need objcopy
bench_peer
base=$(bench_path "$BASE") || exit 1
modules=$(bench_path "$MODULES") || exit 1
(cd "$OLDPWD" && xargs -d '\n' readlink -e <"$modules") >list || fail "a file of '$MODULES' is not there"

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

cat "$base" >/dev/null
run=0
while [ $run -lt "$runs" ]; do
	run=$((run + 1))
	echo "run $run of $runs" >&2
	for j in 1 2; do
		fresh
		bench_take all$j.ours "$btfenc" -j$j -J --btf_base="$base" $our_options @targets
	done
done

echo "all of them by $peer" >&2
# pahole fails on what has no DWARF, btfenc leaves it alone
cat >bin/each_target <<'END'
while read -r f; do
	"$@" --btf_encode_detached="$f.peer" "$f" || :
done <targets
END
bench_take all.peer sh bin/each_target "$peer" -j1 --btf_base="$base" $peer_options

equal=0
while read -r f; do
	objcopy --dump-section .BTF=ours.btf "$f" /dev/null 2>out/stderr || continue
	! same_behind_header ours.btf "$f.peer" || equal=$((equal + 1))
done <targets

bench_head "pahole $version"
echo "$(wc -l <list) modules over ${BASE##*/}, $equal of them with pahole's bytes; medians of $runs runs"
bench_columns "pahole $version"
bench_row "all modules, one run of btfenc: user CPU" all1.ours all.peer 1 s 1
bench_row "all modules, one run of btfenc: wall" all1.ours all.peer 2 s 1
bench_row "all modules, one run of btfenc with -j2: wall" all2.ours all.peer 2 s 1
bench_row "all modules, one run of btfenc with -j2: memory at its peak" all2.ours all.peer 3 MB 1000
