#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# with POSIXLY_CORRECT the first file ends the options

. "${0%/*}/../lib/testlib.sh"

: >a.o
run env POSIXLY_CORRECT=1 btfenc -J a.o --version
expect_not_in stdout v1.31

run btfenc -J a.o --version
expect_in stdout v1.31
