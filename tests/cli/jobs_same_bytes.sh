#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# any number of threads gives the same bytes, with few features and with many

. "${0%/*}/../lib/testlib.sh"
has_section "$BTFENC" .debug_info || skip "this btfenc was built without debug information"
# the sanitizers bring objects of C++
export PAHOLE_LANG_EXCLUDE=c++,c++03,c++11,c++14

# the test's own input: btfenc, a program of many units
for features in var +global_var; do
	for jobs in 1 2 3 8 16 64; do
		run_silent btfenc --btf_encode_detached=$features.$jobs --btf_features=$features -j$jobs "$BTFENC"
		[ -s $features.$jobs ] || fail "nothing written"
		cmp $features.1 $features.$jobs || fail "-j$jobs differs from -j1"
	done
done
cmp -s var.1 +global_var.1 && fail "the features make no difference"
exit 0
