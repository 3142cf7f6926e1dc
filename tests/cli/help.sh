#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --help goes to stdout, to the letter

. "${0%/*}/../lib/testlib.sh"

run btfenc --help
expect_status 0
expect_no_stderr
expect_file help.stdout

run btfenc '-?'
expect_status 0
expect_file help.stdout
