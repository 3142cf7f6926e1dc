#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh BUILD - which lines the tests have reached
#
# Run the tests first. One line per file: share of lines, number of lines, name; then one for each layer.
# Exit status 1 if of loader, btf, check, dedup or encoder less than 90 % were reached.

set -u
build=$1
src=$(cd "${0%/*}/../.." && pwd)
# gcov must be the one of the compiler; clang brings its own
gcov=gcov
grep -q '^CMAKE_C_COMPILER:.*clang' "$build/CMakeCache.txt" && gcov='llvm-cov gcov'

find "$build"/CMakeFiles/btfenc*.dir -name '*.gcda' | while read -r data; do
	$gcov -n "$data" 2>/dev/null
done | awk -F "'" -v src="$src" '
	BEGIN {
		nr = split("base btf dedup check show loader encoder cmd", layers, " ")
		least["loader"] = least["btf"] = least["check"] = least["dedup"] = least["encoder"] = 90
	}
	/^File / { file = $2; sub("^(" src "|\\.)/", "", file) }
	/^Lines executed:/ && file ~ /^(base|btf|dedup|check|show|loader|encoder|cmd)\/.*\.c$/ {
		split($0, part, "[:% ]+")
		split(file, dirs, "/")
		layer = dirs[1]
		printf "%6.1f %% of %5d  %s\n", part[3], part[5], file | "sort -k5"
		reached[layer] += part[3] * part[5] / 100
		all[layer] += part[5]
		file = "" # what comes last is of all files together
	}
	END {
		close("sort -k5")
		print ""
		for (i = 1; i <= nr; i++) {
			layer = layers[i]
			share = all[layer] ? 100 * reached[layer] / all[layer] : 0
			printf "%6.1f %% of %5d  %s\n", share, all[layer], layer
			if (share < least[layer]) {
				printf "coverage.sh: %s: less than %d %%\n", layer, least[layer] >"/dev/stderr"
				bad = 1
			}
		}
		exit bad
	}'
