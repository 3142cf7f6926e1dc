#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh FROM TO - the programs of these seeds, compared in every way there is
#
#	PAHOLE=pahole-1.32 BTFENC=build/btfenc sh tests/gen/run.sh 1 1000
#
# btfenc encodes at the level of PAHOLE (--compat). Without PAHOLE, btfenc is compared with itself
# only, at LEVEL or 1.32: one thread and many, DWARF and archive, and the kernel's rules. TARGETS is what to compile for beside the host, of those that setup.inc
# knows; all whose compiler is there if it is not given. WISHES are options of btfgen.py. KEEP=FOLDER
# keeps the programs that differ. Prints a line for each difference and the counts; status 1 if
# there is any.

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/setup.inc"
. "$TESTDIR/compare.inc"
need python3

[ $# = 2 ] || fail "usage: run.sh FROM TO"
PAHOLE=${PAHOLE:-}
LEVEL=${LEVEL:-1.32}
[ -z "$PAHOLE" ] || use_peer
ulimit -t 120 # a program that hangs is a difference, too

installed_targets()
{
	COMPILER=gcc
	for target in i386 arm64 arm s390x ppc64 ppc64le riscv64 mips sparc64; do
		target_of $target
		command -v "$CC" >/dev/null && command -v "$LD" >/dev/null && echo $target
	done
}
TARGETS=${TARGETS-$(installed_targets)}
TARGETS=${TARGETS:-host}

differs()
{
	echo "$WHAT: $*"
	DIFFERENT=1
}

start=$1
seed=$1
last=$2
programs=0
different=0
first=

summary()
{
	echo "seeds $start to $((seed - 1)): $programs programs, ${comparisons:-0} encodings," \
		"${uncompiled:-0} not compiled, ${unlinked:-0} not linked," \
		"$different different${first:+, the first is of seed $first}"
}
# who has seen enough may stop it
trap 'summary; exit 1' HUP INT TERM

while [ "$seed" -le "$last" ]; do
	DIFFERENT=0
	if make_program "$seed"; then
		programs=$((programs + 1))
		if [ -n "$PAHOLE" ]; then
			for list in kernel global default plain all types; do
				check_peer $list
			done
			check_base default
			check_distilled default
		fi
		check_alone global
		check_archive
	fi
	if [ $DIFFERENT = 1 ]; then
		different=$((different + 1))
		first=${first:-$seed}
		[ "${KEEP:-0}" != 0 ] && cp -r d "$KEEP/$seed"
	fi
	seed=$((seed + 1))
done
summary
[ $different = 0 ]
