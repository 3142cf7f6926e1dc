#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an option nobody knows is an error of usage

. "${0%/*}/../lib/testlib.sh"

run btfenc -J a.o --bogus
expect_usage_error "unrecognized option '--bogus'"

run btfenc -J a.o --bogus=3
expect_usage_error "unrecognized option '--bogus'"

run btfenc -Jk a.o
expect_usage_error "unrecognized option '-k'"
