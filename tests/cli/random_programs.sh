#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# random programs, with what pahole cannot do as well: one thread gives what many give, an archive
# what DWARF gives, and the kernel's rules hold

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/gen/setup.inc"
. "$SRCDIR/tests/gen/compare.inc"
need gcc ld cmp python3

TARGETS=host
WISHES="--atomic --complex --overlap --percpu_parts"

differs()
{
	fail "$WHAT: $*"
}

seed=200
programs=0
while [ $seed -lt 220 ]; do
	seed=$((seed + 1))
	setup $seed
	# both levels have their turn
	LEVEL=1.3$((1 + seed % 2))
	command -v $COMPILER >/dev/null || continue
	make_program $seed || continue
	check_alone global
	check_archive
	programs=$((programs + 1))
done
# a compiler may have an opinion of its own on a few
[ $((${uncompiled:-0} + ${unlinked:-0})) -le 2 ] || fail "too many do not compile or link"
[ $programs -gt 0 ] || skip "no compiler"
echo "$programs programs, $comparisons encodings"
