#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --kabi_prefix: a name that begins with it becomes it

. "${0%/*}/../lib/testlib.sh"

need python3
gcc_c a.o <<\END
struct s { int __kabi_reserved1; int kept; } s;
END
run_ok btfenc --btf_encode_detached=a.btf --kabi_prefix=__kabi_ a.o
run "$TOOLS/btfdump.py" a.btf
expect_in stdout "0 __kabi_ int"
expect_in stdout "4 kept int"
