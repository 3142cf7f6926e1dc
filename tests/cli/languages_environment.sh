#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# PAHOLE_LANG_EXCLUDE counts unless the line speaks of languages

. "${0%/*}/../lib/testlib.sh"

export PAHOLE_LANG_EXCLUDE=klingon
run btfenc --numeric_version
expect_usage_error "PAHOLE_LANG_EXCLUDE: unknown language 'klingon'"

run_ok btfenc --lang=c11 --numeric_version

# set and empty is none; pahole fails
export PAHOLE_LANG_EXCLUDE=
run_ok btfenc --numeric_version
expect_no_stderr
