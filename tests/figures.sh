#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The charts and the figures of README.md and docs/benchmarks.md are those of the newest results in docs/bench.

. "${0%/*}/lib/testlib.sh"

need python3
chart=$SRCDIR/docs/bench/chart.py
run_silent python3 "$chart" --check

# The ratio that two documents state in words
cpu=$(python3 "$chart" --print "$(ls "$SRCDIR"/docs/bench/*.tsv | tail -n 1)" | awk -F ' *[|] *' '/user CPU/ { print $6; exit }')
echo "$cpu" | awk '{ exit !($1 > 0.075 && $1 < 0.105) }' || fail "README.md and docs/design.md have 'a tenth', the results $cpu"

# Each file is compared: a change of any is detected.
mkdir -p tree/docs
cp "$SRCDIR/README.md" tree/
cp -r "$SRCDIR/docs/bench" "$SRCDIR/docs/benchmarks.md" tree/docs/
run_silent python3 "$chart" --check --root tree
for file in README.md docs/benchmarks.md docs/bench/chart-light.svg docs/bench/chart-dark.svg; do
	cp "tree/$file" kept
	sed 's/\([0-9]\) \(s\|MB\)\>/\1 more \2/' kept >"tree/$file"
	! cmp -s kept "tree/$file" || fail "$file has no figure"
	run_status 1 python3 "$chart" --check --root tree
	expect_in stderr "^--- tree/$file"
	cp kept "tree/$file"
done
