#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# btfenc encodes itself, runs with its own BTF, and then says the same; any -j, same bytes

. "${0%/*}/../lib/testlib.sh"
need cmp
has_section "$BTFENC" .debug_info || skip "this btfenc was built without debug information"
# the sanitizers bring objects of C++
export PAHOLE_LANG_EXCLUDE=c++,c++03,c++11,c++14

for jobs in 1 2 8 16; do
	cp "$BTFENC" self.$jobs
	run_silent btfenc -J -j$jobs self.$jobs
	has_section self.$jobs .BTF || fail "no .BTF"
	cmp self.1 self.$jobs || fail "-j$jobs differs from -j1"
done

cp self.1 once
run_silent ./self.2 -J self.1
cmp once self.1 || fail "the second run, by the encoded program, gives other bytes"
run_ok ./self.1 --version
expect_stdout <<\END
v1.32
END
run_ok ./self.1 --btf_encode_detached=by_self.btf "$BTFENC"
run btfenc --btf_encode_detached=by_us.btf "$BTFENC"
cmp by_self.btf by_us.btf || fail "with its own BTF it gives other bytes"
