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

# --- the tables of bench.sh ---------------------------------------------------------------------

# results FACT: a file with five runs for each line "JOB TOOL THREADS PHASES SECONDS..."
results()
{
	printf '# %s: %s\n' date D commit C machine M kernel K 'load before' 0 btfenc B "$1" P
	printf 'job\tinput\tbytes\tencodings\trun\ttool\tthreads\tuser_s\twall_s\tpeak_kb\tsys_s\tequal\tphases\n'
	awk -v OFS='\t' '{ for (i = 1; i <= 5; i++) print $1, $1, 1000000, 1, i, $2, $3, $(i + 4), 1, 1000, 0, "yes", $4 }'
}

# A job is slower if its ratios are above 1.05, and if noise does not explain it.
results against >against.tsv <<END
vmlinux btfenc 1 - 1.07 1.08 1.08 1.10 1.07
vmlinux peer 1 - 1 1 1 1 1
in_place btfenc 1 - 1.07 1.08 1.20 1.10 1.07
in_place peer 1 - 1 1 1 1 1
clang btfenc 1 - 1.04 1.04 1.04 1.04 1.04
clang peer 1 - 1 1 1 1 1
modules btfenc 1 - 2.14 1.08 0.54 1.10 1.07
modules peer 1 - 2 1 0.5 1 1
END
run_ok python3 "$chart" --print against.tsv
sed -n '/^slower/p' out/stdout >slower
diff - slower >&2 <<END || fail "these are not the jobs that are slower"
slower: vmlinux, 1 MB: user + system CPU 1.080 (1.070-1.100)
slower: 1 modules in one run: user + system CPU 1.080 (1.070-1.100)
END

# All phases but "read" are serial. The model divides the CPU time of "read" with two threads.
results pahole >threads.tsv <<END
vmlinux btfenc 1 - 1 1 1 1 1
vmlinux peer 1 - 10 10 10 10 10
threads btfenc 1 open:0.1:0.1,read:0.8:0.8,write:0.1:0.1,total:1:1 1 1 1 1 1
threads btfenc 2 open:0.1:0.2,read:0.3:0.6,write:0.5:0.08,total:0.8:0.9 1.1 1.1 1.2 1.1 1.1
threads btfenc 4 open:0.3:0.3,read:0.3:0.9,write:0.1:0.1,total:0.7:1.3 1.1 1.1 1.2 1.1 1.1
END
run_ok python3 "$chart" --print threads.tsv
expect_in stdout '^| 2 | 1.10 (1.10-1.20) | 1.100 (1.100-1.200) | .* | 0.100 | 0.300 | 0.080 | 0.180 |$'
expect_in stdout '^| model: 0.180 s + 0.600 s / processors | 0.78 s | 0.48 s | 0.33 s |'
