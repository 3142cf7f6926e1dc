#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what stands behind -- is a file, whatever it looks like

. "${0%/*}/../lib/testlib.sh"

run btfenc -J -- --version
expect_status 1
expect_no_stdout
expect_in stderr "'--version'"
