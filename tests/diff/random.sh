#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 100 random programs give the bytes that pahole gives, and the kernel accepts them
#
# tests/gen/expected.txt has the hashes of the results of pahole 1.31, compiled by the versions of gcc
# and clang that it names. Results of other compilers are compared with $PAHOLE, or the installed
# pahole, of version 1.31 or 1.32, at that level; without one they are left out, with a message.
# BLESS=1 writes the hashes of the results of $PAHOLE, a pahole 1.31.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/gen/setup.inc"
. "$SRCDIR/tests/gen/compare.inc"
need gcc ld python3 sha256sum

TARGETS=host
PAHOLE=${PAHOLE:-pahole}
expected=$SRCDIR/tests/gen/expected.txt
mkdir results

differs()
{
	fail "$WHAT: $*"
}

# The versions that make a difference: what the compiler is, and the linker.
maker()
{
	echo "# $1: $("$1" --version | head -n 1), $(ld --version | head -n 1)"
}

# What pahole is asked for, in one thread and in many.
ours()
{
	option_of kernel
	encode results/"$1".kernel $OPTION -j1 d/whole
	option_of all
	encode results/"$1".all $OPTION -j8 d/whole
	[ -e results/"$1".kernel ] || return 0
	"$BTFENC" --btf_check results/"$1".kernel >d/said 2>&1 || differs "$(head -n 1 d/said)"
}

theirs()
{
	for list in kernel all; do
		option_of $list
		rm -f d/theirs
		"$PAHOLE" --btf_encode_detached=d/theirs $OPTION d/whole >d/said 2>&1
		same d/theirs results/"$1".$list "$list: $PAHOLE and btfenc"
	done
}

# A line for each program: its seed, and LIST=HASH for each list of features
hashes()
{
	(cd results && sha256sum -- *) | sed -E 's/^(.{16})[^ ]* *([0-9]*)\.(.*)/\2 \3=\1/' | sort |
		awk '{ row[$1] = row[$1] " " $2 } END { for (seed in row) print seed row[seed] }' | sort
}

peer=no
case $("$PAHOLE" --version 2>&1) in
v1.31) peer=yes ;;
v1.32) [ "${BLESS:-0}" = 1 ] || peer=yes ;;
esac
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	if [ "${BLESS:-0}" = 1 ] || ! grep -q -x -F "$(maker $compiler)" "$expected"; then
		[ $peer = yes ] && peers="${peers:-} $compiler" && continue
		echo "$compiler is not the one of expected.txt, and there is no pahole 1.31 or 1.32: left out"
	else
		known="${known:-} $compiler"
	fi
done
[ -n "${known:-}${peers:-}" ] || skip "other compilers than those of expected.txt, no pahole 1.31 or 1.32"
[ "${BLESS:-0}" = 1 ] && [ "${peers:-}" != " gcc clang" ] && fail "to bless takes gcc, clang, pahole 1.31"

seed=0
while [ $seed -lt 100 ]; do
	seed=$((seed + 1))
	setup $seed
	case " ${known:-} ${peers:-} " in
	*" $COMPILER "*) ;;
	*) continue ;;
	esac
	LEVEL=1.31
	case " ${peers:-} " in
	*" $COMPILER "*) use_peer ;;
	esac
	if ! make_program $seed || [ "$INPUTS" = d/u0.o ]; then
		case " ${known:-} " in
		*" $COMPILER "*) fail "seed $seed does not compile or link" ;;
		esac
		continue
	fi
	ours $seed
	case " ${peers:-} " in
	*" $COMPILER "*) theirs $seed ;;
	*) echo $seed >>of_known ;;
	esac
done

if [ "${BLESS:-0}" = 1 ]; then
	{
		maker gcc
		maker clang
		hashes
	} >"$expected"
	exit 0
fi
[ -e of_known ] || exit 0
hashes >ours.txt
# a program that gives no BTF has no line, and must have none
grep -v '^#' "$expected" | sort >theirs.txt
for list in ours theirs; do
	awk 'NR == FNR { known[$1] = 1; next } $1 in known' of_known $list.txt >$list.known
done
[ -s theirs.known ] || fail "expected.txt has nothing of these compilers"
diff theirs.known ours.known >&2 || fail "other bytes than pahole's (seed and feature list above)"
