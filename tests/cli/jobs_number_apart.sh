#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -j 4 is the option -j and the file 4, as in pahole

. "${0%/*}/../lib/testlib.sh"

run btfenc -J -j 4
expect_status 1
expect_no_stdout
expect_in stderr "^btfenc: error: .*'4'"
