#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an argument that an option cannot take is an error of usage

. "${0%/*}/../lib/testlib.sh"

run btfenc --btf_encode=yes a.o
expect_usage_error "option '--btf_encode' takes no argument"
