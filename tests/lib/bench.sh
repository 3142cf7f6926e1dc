# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh - what the benchmarks have in common. After testlib.sh:
#
#	bench_path FILE			that name as the caller meant it
#	bench_peer			sets $peer, $version and $peer_options from PAHOLE, and btfenc's level
#	bench_fresh FROM TO		a copy that has reached the disk
#	bench_take RESULTS [-l LIST] COMMAND...
#					appends what the command costs, as tools/measure.c describes
#	bench_median RESULTS COLUMN	of what bench_take has written
#	bench_commit, bench_machine	print the commit of the source; processor and memory
#	bench_head PEER			the machine, the date, the commit, the peer's name
#	bench_columns PEER		the head of a table
#	bench_row TITLE OURS PEER COLUMN UNIT DIVISOR
#					medians of two such files, divided, and ours as a ratio to the peer's
#
# $btfenc is BTFENC or the one in build/, $runs is RUNS or 5. Options of both are $options, those
# of FEATURES or what the build of Linux 6.12 asks for; btfenc gets $our_options.

btfenc=${BTFENC:-$SRCDIR/build/btfenc}
runs=${RUNS:-5}
options=--btf_features=${FEATURES:-encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs}
our_options=$options
measure=${MEASURE:-$SRCDIR/build/tests/measure}
need "$btfenc" "$measure"

# names are relative to where we were called
bench_path()
{
	(cd "$OLDPWD" && readlink -e "$1") || fail "no '$1'"
}

bench_peer()
{
	peer=${PAHOLE:-$(command -v pahole || :)}
	need "${peer:-pahole}"
	version=$("$peer" --version)
	our_options="--compat=$(level_of "$peer") $options"
	case $version in
	v1.2[6-9]* | v1.[3-9]*) peer_options=$options ;;
	v1.25) peer_options='--btf_gen_floats --skip_encoding_btf_inconsistent_proto --btf_gen_optimized' ;;
	*) peer_options=--btf_gen_floats ;;
	esac
}

bench_fresh()
{
	rm -f "$2" && cp --reflink=auto "$1" "$2" && sync "$2" || fail "cannot copy '$1'"
}

bench_take()
{
	"$measure" "$@" >out/stdout 2>out/stderr || {
		cat out/stderr >&2
		fail "'$*' failed"
	}
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

bench_commit()
{
	bench_changes=$(git -C "$SRCDIR" status --porcelain --untracked-files=no 2>/dev/null)
	bench_id=$(git -C "$SRCDIR" rev-parse --short HEAD 2>/dev/null) || bench_id='an unknown commit'
	echo "$bench_id${bench_changes:+ and changes}"
}

bench_machine()
{
	echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
		"$(awk '/^MemTotal/ { printf "%d GB", $2 / 1e6 }' /proc/meminfo)"
}

bench_head()
{
	echo "$(bench_machine); load $(cut -d ' ' -f 1 /proc/loadavg)"
	echo "$(date -u +%Y-%m-%d), btfenc at $(bench_commit), $1"
}

bench_columns()
{
	echo
	echo "| | btfenc | $1 | ratio |"
	echo "| --- | --- | --- | --- |"
}
