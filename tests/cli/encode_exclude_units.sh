#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -X leaves out the units whose name begins so

. "${0%/*}/../lib/testlib.sh"

need gcc python3
echo 'struct one { int x; } one;' >first.c
echo 'struct two { int x; } two;' >second.c
gcc -g -c first.c && gcc -g -c second.c && gcc -nostdlib -r -o both first.o second.o ||
	fail "gcc failed"
run_ok btfenc --btf_encode_detached=both.btf -X first both
run "$TOOLS/btfdump.py" both.btf
expect_not_in stdout "struct one "
expect_in stdout "struct two "
run_ok btfenc --btf_encode_detached=none.btf -X first -X second both
[ ! -e none.btf ] || fail "an output without types"
