#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh BUILD - which lines the tests have reached
#
# Run the tests first. One line per file: share of lines, number of lines, name; then one for each floor.
# Exit status 1 if of loader, dedup or encoder less than 90 % were reached.

set -u
build=$1
# gcov must be the one of the compiler; clang brings its own
gcov=gcov
grep -q '^CMAKE_C_COMPILER:.*clang' "$build/CMakeCache.txt" && gcov='llvm-cov gcov'

find "$build"/CMakeFiles/btfenc*.dir -name '*.gcda' | while read -r data; do
	$gcov -n "$data" 2>/dev/null
done | awk -F "'" '
	BEGIN {
		nr = split("base dedup show loader encoder cmd", floors, " ")
		least["loader"] = least["dedup"] = least["encoder"] = 90
	}
	/^File / { file = $2; sub(".*/(base|dedup|show|loader|encoder|cmd)/", "&", file) }
	/^Lines executed:/ && file ~ /(base|dedup|show|loader|encoder|cmd)\/[^\/]*\.c$/ {
		split($0, part, "[:% ]+")
		n = split(file, dirs, "/")
		floor = dirs[n - 1]
		printf "%6.1f %% of %5d  %s\n", part[3], part[5], floor "/" dirs[n] | "sort -k5"
		reached[floor] += part[3] * part[5] / 100
		all[floor] += part[5]
		file = "" # what comes last is of all files together
	}
	END {
		close("sort -k5")
		print ""
		for (i = 1; i <= nr; i++) {
			floor = floors[i]
			share = all[floor] ? 100 * reached[floor] / all[floor] : 0
			printf "%6.1f %% of %5d  %s\n", share, all[floor], floor
			if (share < least[floor]) {
				printf "coverage.sh: %s: less than %d %%\n", floor, least[floor] >"/dev/stderr"
				bad = 1
			}
		}
		exit bad
	}'
