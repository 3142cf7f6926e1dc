#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a number of jobs must be a number

. "${0%/*}/../lib/testlib.sh"

run btfenc -J a.o -j4x
expect_usage_error "'4x' is not a number of jobs"

run btfenc -J a.o --jobs=
expect_usage_error "'' is not a number of jobs"
