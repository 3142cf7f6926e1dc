#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# languages have pahole's names, in any case and any number

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --lang_exclude=rust,ASM,C++14,c89,c99,c11,go,d --lang=c11 --numeric_version
expect_no_stderr

run btfenc --lang_exclude=c11,klingon --numeric_version
expect_usage_error "--lang_exclude: unknown language 'klingon'"
