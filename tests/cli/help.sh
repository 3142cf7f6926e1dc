#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --help goes to stdout, to the letter

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --help=all
expect_no_stderr
expect_file help.stdout
cp out/stdout all

# Without a topic it fits on a screen of 55 lines, and prints nothing that "all" does not have.
run_ok btfenc --help
expect_in stdout '^Output:'
expect_not_in stdout '^Printing types:'
[ "$(wc -l <out/stdout)" -le 55 ] || fail "--help has $(wc -l <out/stdout) lines"
cp out/stdout short
! grep -vxF -f all short || fail "--help=all lacks these lines"

# -h is what users try first, -? is pahole's
for option in -h '-?' -help -Vh; do
	run_ok btfenc $option
	cmp -s out/stdout short || fail "$option prints another text than --help"
done

run_ok btfenc --help=print
expect_in stdout '^Printing types:'
expect_not_in stdout '^Output:'
run btfenc --help=pictures
expect_usage_error "--help: unknown topic 'pictures'; the topics are output, features, switches, input, report, print, other, all"
