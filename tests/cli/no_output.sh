#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# neither -J nor a detached file: the message says what to give

. "${0%/*}/../lib/testlib.sh"

: >a.o
run btfenc a.o
expect_usage_error \
	"no output: give '-J' to put BTF into 'a.o', or '--btf_encode_detached=OUT'"

# features do not imply an output
run btfenc --btf_features=default a.o
expect_status 64
[ ! -s a.o ] || fail "a.o was changed"
