#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# format.sh - every source file is laid out as .clang-format says
#
# Other versions of clang-format lay out some lines differently, so only 14 (Debian 12) judges.

. "${0%/*}/lib/testlib.sh"

need clang-format
case $(clang-format --version) in
*"version 14."*) ;;
*) skip "clang-format is not version 14" ;;
esac
cd "$SRCDIR" || exit 1

find base btf dedup check show loader encoder cmd contrib tests -name '*.[ch]' -print | sort >"$SCRATCH/files"
[ -s "$SCRATCH/files" ] || fail "no source files found"
xargs clang-format --dry-run --Werror <"$SCRATCH/files" 2>"$SCRATCH/found" || {
	head -n 40 "$SCRATCH/found" >&2
	fail "run clang-format -i on the files above"
}
