#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# No function that takes its parameters as the ABI of its machine requires is left out, whatever types they have: every
# function of tests/tools/callees.py is described, by every compiler that is installed.
#
#	SEEDS="1 2 3" COUNT=400 OPTIMIZE="-O1 -O2 -Os" sh tests/cli/calling_conventions.sh

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/compilers.sh"

need python3
SEEDS=${SEEDS:-1}
COUNT=${COUNT:-60}
OPTIMIZE=${OPTIMIZE:--O2}

nr_tried=0
# try NAME COMPILER...
try()
{
	name=$1
	shift
	echo '__int128 a;' >int128.c
	int128=
	! "$@" -c -o probe.o int128.c 2>out/cc || int128=int128
	for seed in $SEEDS; do
		python3 "$TOOLS/callees.py" "$seed" "$COUNT" $int128 >callees.c || fail "callees.py"
		for level in $OPTIMIZE; do
			"$@" -w "$level" -g -c callees.c 2>out/cc || {
				echo "not tried: $name $level: $(head -n 1 out/cc)"
				continue
			}
			run_ok btfenc --btf_features=default --btf_report=report --btf_encode_detached=callees.btf callees.o
			grep '"name":"callee[0-9]*"' report >left_out &&
				fail "$name $level, seed $seed: $(wc -l <left_out) functions are left out: $(head -n 2 left_out)"
			nr_tried=$((nr_tried + 1))
		done
	done
}

each_compiler try
[ $nr_tried != 0 ] || skip "no compiler"
echo "$nr_tried programs"
