#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh SEED FROM TO - damage real inputs so many times, and see that btfenc survives
#
#	BTFENC=$PWD/build/btfenc BTFMUTATE=$PWD/build/tests/btfmutate sh tests/mutate/run.sh 1 0 1000000
#
# The inputs are those of inputs.inc, and with OBJECTS=LIST the files whose names are in LIST, one on
# each line: objects, modules, a small vmlinux. KEEP=FOLDER keeps the inputs of what is found; SECONDS_MAX is when to stop at the
# latest. What is looked for stands in the head of tools/btfmutate.c. It prints how many runs of
# each command line came to BTF, what was found, and one line at the end; status 1 if there is any.

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/inputs.inc"

[ $# = 3 ] || fail "usage: run.sh SEED FROM TO"
[ -n "${BTFMUTATE:-}" ] || fail "no BTFMUTATE"
need gcc ld
export BTFENC KEEP
[ "${KEEP:-0}" = 0 ] && unset KEEP

all_cases >cases || fail "no inputs"
for object in $([ -z "${OBJECTS:-}" ] || cat "$OBJECTS"); do
	echo "$object $FEATURES --btf_encode_detached=OUT IN"
	echo "$object $FEATURES -J IN"
done >>cases
"$BTFMUTATE" cases "$1" "$2" "$3" "${SECONDS_MAX:-1000000}"
