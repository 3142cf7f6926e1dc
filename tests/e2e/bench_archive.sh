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
. "$SRCDIR/tests/lib/bench.sh"

[ -n "${ARCHIVE:-}" ] || skip "ARCHIVE names no file"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
peer=${LIBBPF:-${btfenc%/*}/tests/btfpile}
runs=${RUNS:-5}
need "$btfenc" "$peer" objcopy
archive=$(readlink -f "$ARCHIVE") || fail "no '$ARCHIVE'"
features=${FEATURES:-$bench_kernel_features}
objcopy --dump-section .BTF=raw "$archive" /dev/null || fail "no .BTF"

cat "$archive" raw >/dev/null
i=0
while [ $i -lt "$runs" ]; do
	i=$((i + 1))
	for j in 1 2; do
		bench_take ours$j "$btfenc" -j$j -F btf --btf_features="$features" --btf_encode_detached=ours.btf "$archive"
	done
	bench_take peer "$peer" raw peer.btf
done

bench_head "libbpf"
echo "${ARCHIVE##*/}: $(wc -c <raw) bytes of BTF; ours $(wc -c <ours.btf), libbpf's $(wc -c <peer.btf); medians of $runs runs"
bench_columns libbpf
bench_row "one thread: user CPU" ours1 peer 1 s 1
bench_row "two threads: wall" ours2 peer 2 s 1
bench_row "memory at its peak, two threads" ours2 peer 3 MB 1000
