#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a long option may be cut short while it is unique

. "${0%/*}/../lib/testlib.sh"

run btfenc --numeric_v
expect_status 0
expect_stdout <<\END
131
END

run btfenc --btf_gen_ a.o
expect_usage_error "option '--btf_gen_' is ambiguous: '--btf_gen_all', '--btf_gen_floats', \
'--btf_gen_optimized'"
