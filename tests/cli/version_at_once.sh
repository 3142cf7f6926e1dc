#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --version acts when it is met: what stands behind it is not read

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --version --bogus
expect_stdout <<\END
v1.31
END

run btfenc --bogus --version
expect_usage_error "unrecognized option '--bogus'"
