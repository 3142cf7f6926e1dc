# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh - what the benchmarks have in common. After testlib.sh:
#
#	bench_take RESULTS COMMAND...	a line more in that file: user seconds, wall seconds, KB at the peak
#	bench_head PEER			the machine, the date, the commit, the peer's name
#	bench_columns PEER		the head of the table
#	bench_row TITLE OURS PEER COLUMN UNIT DIVISOR
#					medians of two such files, divided, and ours as a ratio to the peer's
#
# Needs /usr/bin/time (Debian's package "time").

[ -x /usr/bin/time ] || skip "no /usr/bin/time"

bench_kernel_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs

bench_take()
{
	bench_results=$1
	shift
	/usr/bin/time -q -o sample -f '%U %e %M' "$@" >out/stdout 2>out/stderr || {
		cat out/stderr >&2
		fail "'$*' failed"
	}
	tail -n 1 sample >>"$bench_results"
}

bench_median()
{
	cut -d ' ' -f "$2" "$1" | sort -n | awk '
		{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

bench_row()
{
	echo "$(bench_median "$2" "$4") $(bench_median "$3" "$4")" |
		awk -v title="$1" -v unit="$5" -v by="$6" '
		{ printf "| %s | %.2f %s | %.2f %s | %s |\n", title, $1 / by, unit, $2 / by, unit,
		  ($2 > 0 ? sprintf("%.3f", $1 / $2) : "-") }'
}

bench_head()
{
	bench_commit=$(git -C "$SRCDIR" rev-parse --short HEAD 2>/dev/null || echo unknown)
	[ -z "$(git -C "$SRCDIR" status --porcelain --untracked-files=no 2>/dev/null)" ] ||
		bench_commit="$bench_commit and changes"
	echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
		"$(awk '/^MemTotal/ { printf "%d GB", $2 / 1e6 }' /proc/meminfo); load $(cut -d ' ' -f 1 /proc/loadavg)"
	echo "$(date -u +%Y-%m-%d), btfenc at $bench_commit, $1"
}

bench_columns()
{
	echo
	echo "| | btfenc | $1 | ratio |"
	echo "| --- | --- | --- | --- |"
}
