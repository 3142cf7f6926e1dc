#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# names of features that we do not know are ignored, with -V not in silence

. "${0%/*}/../lib/testlib.sh"

run btfenc --btf_features=default,of_the_future --numeric_version
expect_status 0
expect_no_stderr
expect_stdout <<\END
131
END

run btfenc --btf_features=default,of_the_future -V --numeric_version
expect_status 0
expect_in stdout "ignoring unknown feature 'of_the_future'"
expect_not_in stdout "'default'"
