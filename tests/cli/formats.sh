#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# DWARF and BTF are read; what else pahole knows is refused by name

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc -F dwarf --numeric_version

run_ok btfenc -F dwarf,btf --numeric_version
run_ok btfenc -F dwarf,ctf --numeric_version
run btfenc -J a.o -F ctf
expect_error "-F: btfenc does not encode from 'ctf'"

run btfenc -J a.o --format_path=stabs
expect_usage_error "-F: unknown format 'stabs'"
