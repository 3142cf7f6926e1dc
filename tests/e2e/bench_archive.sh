#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How fast is an archive combined, beside libbpf? Prints a table, asserts nothing.
#
#	ARCHIVE=... [LIBBPF=...] sh tests/e2e/bench_archive.sh
#
#	ARCHIVE   a linked file whose .BTF is that of its objects, as
#	          "make BTF_PER_OBJECT=keep-dwarf" leaves vmlinux.o
#	LIBBPF    a command that combines the archive in $1 into $2; default: tests/btfpile of the
#	          build, over the libbpf that is installed
#	RUNS      runs of each; default 5
#	BTFENC    default: the one in build/
#
# The two take turns; files are in the page cache; the table has medians. btfenc reads the linked
# file, for it also decides on functions and places variables; libbpf gets the section alone. Needs
# /usr/bin/time (Debian's package "time").

. "${0%/*}/../lib/testlib.sh"

[ -n "${ARCHIVE:-}" ] || skip "ARCHIVE names no file"
[ -x /usr/bin/time ] || skip "no /usr/bin/time"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
peer=${LIBBPF:-${btfenc%/*}/tests/btfpile}
runs=${RUNS:-5}
need "$btfenc" "$peer" objcopy
archive=$(readlink -f "$ARCHIVE") || fail "no '$ARCHIVE'"
features=${FEATURES:-encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs}
objcopy --dump-section .BTF=raw "$archive" /dev/null || fail "no .BTF"

# take RESULTS COMMAND...: a line with user seconds, wall seconds, KB at the peak
take()
{
	results=$1
	shift
	/usr/bin/time -q -o sample -f '%U %e %M' "$@" >out/stdout 2>out/stderr || {
		cat out/stderr >&2
		fail "'$*' failed"
	}
	tail -n 1 sample >>"$results"
}

# row TITLE OURS COLUMN UNIT DIVISOR
row()
{
	for results in "$2" peer; do
		cut -d ' ' -f "$3" $results | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
	done | xargs | awk -v title="$1" -v unit="$4" -v by="$5" '
		{ printf "| %s | %.2f %s | %.2f %s | %.2f |\n", title, $1 / by, unit, $2 / by, unit, $1 / $2 }'
}

cat "$archive" raw >/dev/null
i=0
while [ $i -lt "$runs" ]; do
	i=$((i + 1))
	for j in 1 2; do
		take ours$j "$btfenc" -j$j -F btf --btf_features="$features" --btf_encode_detached=ours.btf "$archive"
	done
	take peer "$peer" raw peer.btf
done

cat <<END
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs; load $(cut -d ' ' -f 1 /proc/loadavg)
$(date -u +%Y-%m-%d), btfenc at $(git -C "$SRCDIR" rev-parse --short HEAD 2>/dev/null || echo unknown)
${ARCHIVE##*/}: $(wc -c <raw) bytes of BTF; ours $(wc -c <ours.btf), libbpf's $(wc -c <peer.btf); medians of $runs runs

| | btfenc | libbpf | ratio |
| --- | --- | --- | --- |
END
row "one thread: user CPU" ours1 1 s 1
row "two threads: wall" ours2 2 s 1
row "memory at its peak, two threads" ours2 3 MB 1000
