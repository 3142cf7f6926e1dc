#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# only DWARF is read; what else pahole knows is refused by name

. "${0%/*}/../lib/testlib.sh"

run btfenc -F dwarf --numeric_version
expect_status 0

for format in btf ctf; do
	run btfenc -J a.o -F dwarf,$format
	expect_error "-F: btfenc does not encode from '$format'"
done

run btfenc -J a.o --format_path=stabs
expect_usage_error "-F: unknown format 'stabs'"
