#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --numeric_version prints 131, but only if the rest of the line is right

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --numeric_version
expect_no_stderr
expect_stdout <<\END
131
END

run btfenc --numeric_version --lang=klingon
expect_usage_error "--lang: unknown language 'klingon'"
