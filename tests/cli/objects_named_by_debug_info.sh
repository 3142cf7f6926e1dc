#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# without a list, the debug information of the linked file names the objects; the report has those without BTF

. "${0%/*}/../lib/testlib.sh"

gcc_c one.o <<\END
int one(int x) { return x; }
int main(void) { return 0; }
END
gcc_c two.o <<\END
int two(int x) { return x; }
END
gcc -o program one.o two.o || fail "gcc failed"
run_silent btfenc -J one.o
run_ok btfenc --dedup_btf --btf_report=- --btf_encode_detached=out.btf program
expect_in stdout '"rule":"unit_no_btf",.*"name":"[^"]*/two.o"'
expect_not_in stdout '"rule":"unit_no_btf",.*one.o'
