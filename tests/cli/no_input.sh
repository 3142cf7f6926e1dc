#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# no file is an error of usage: no vmlinux is looked for, none is modified

. "${0%/*}/../lib/testlib.sh"

run btfenc
expect_usage_error "no input file"

run btfenc -J
expect_usage_error "no input file"
