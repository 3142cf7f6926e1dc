#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# damaged inputs of all sorts: an error or good BTF, soon and without much memory (tests/mutate)

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../mutate/inputs.inc"

need gcc ld
[ -n "${BTFMUTATE:-}" ] || skip "no btfmutate"
unset KEEP

all_cases >cases || fail "no inputs"
run_ok "$BTFMUTATE" cases 1 0 200 25
