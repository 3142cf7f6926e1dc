#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --help goes to stdout, to the letter

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --help
expect_no_stderr
expect_file help.stdout

# -h is what users try first, -? is pahole's
for option in -h '-?' -help -Vh; do
	run_ok btfenc $option
	expect_file help.stdout
done
