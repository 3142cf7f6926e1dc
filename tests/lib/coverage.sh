#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh BUILD - which lines of the three lower floors the tests have reached
#
# Run the tests first. One line per file: share of lines, number of lines, name.

set -u
build=$1
# gcov must be the one of the compiler; clang brings its own
gcov=gcov
grep -q '^CMAKE_C_COMPILER:.*clang' "$build/CMakeCache.txt" && gcov='llvm-cov gcov'

find "$build" -name '*.gcda' | while read -r data; do
	case $data in
	*/base/* | */dedup/* | */show/* | */loader/*) $gcov -n "$data" 2>/dev/null ;;
	esac
done | awk -F "'" '
	/^File / { file = $2; sub(".*/(base|dedup|show|loader)/", "&", file) }
	/^Lines executed:/ && file ~ /(base|dedup|show|loader)\/[^\/]*\.c$/ {
		split($0, part, "[:% ]+")
		n = split(file, dirs, "/")
		name = dirs[n - 1] "/" dirs[n]
		if (!(name in share) || part[3] > share[name])
			share[name] = part[3] + 0
		lines[name] = part[5] + 0
	}
	END {
		for (name in share) {
			printf "%6.1f %% of %5d  %s\n", share[name], lines[name], name | "sort -k5"
			reached += share[name] * lines[name] / 100
			all += lines[name]
		}
		close("sort -k5")
		if (all)
			printf "%6.1f %% of %5d  together\n", 100 * reached / all, all
	}'
