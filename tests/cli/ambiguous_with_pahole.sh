#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what could mean an option that only pahole has is ambiguous, as there

. "${0%/*}/../lib/testlib.sh"

run btfenc --ver
expect_usage_error "option '--ver' is ambiguous: '--verbose', '--version'"

run btfenc --size
expect_usage_error "option '--size' is ambiguous: '--sizes', '--size_bytes'"
