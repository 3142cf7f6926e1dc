#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an option without its argument is an error of usage

. "${0%/*}/../lib/testlib.sh"

run btfenc -J a.o --btf_base
expect_usage_error "option '--btf_base' needs an argument"

run btfenc -J a.o -X
expect_usage_error "option '-X' needs an argument"

run btfenc a.o --btf_encode_detached=
expect_usage_error "option '--btf_encode_detached' needs a file name"
