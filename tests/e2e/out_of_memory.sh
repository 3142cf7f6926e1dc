#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# however little memory there is: the BTF is made, or one line says why not and the file is as before
#
# Not under a sanitizer, which takes terabytes of addresses, hence among the tests of the release build.

. "${0%/*}/../lib/testlib.sh"

need gcc cmp python3 readelf seq
readelf -sW --dyn-syms "$BTFENC" | grep -q -E '__(asan|tsan|ubsan)_' && skip "a sanitizer"

gcc_c small.o <<\END
struct s { int x; struct s *next; } s;
int f(struct s *s) { return s->x; }
END
"$TOOLS/btfhard.py" types 20000 dwarf large.o || fail "btfhard failed"

# with_memory KILOBYTES COMMAND...
with_memory()
{
	(
		ulimit -v "$1"
		shift
		"$@"
	)
}

# tried FILE FIRST STEP LAST OPTION...: with each so many kilobytes of addresses
tried()
{
	file=$1 first=$2 step=$3 last=$4 made=0 refused=0
	shift 4
	cp $file new
	run_ok btfenc -J "$@" new
	for kilobytes in $(seq "$first" "$step" "$last"); do
		# less than the dynamic linker needs
		with_memory "$kilobytes" btfenc --numeric_version >/dev/null 2>&1 || continue
		cp $file target
		run with_memory "$kilobytes" btfenc -J "$@" target
		[ "$STATUS" = 0 ] && cmp -s new target && made=$((made + 1)) && continue
		cmp -s $file target || fail "$kilobytes kB: the file is neither old nor new"
		[ "$(ls -A | grep -c '^\.btfenc')" = 0 ] || fail "$kilobytes kB: a temporary file is left"
		[ "$STATUS" = 1 ] || { show; fail "$kilobytes kB: status $STATUS"; }
		[ "$(wc -l <out/stderr)" = 1 ] || { show; fail "$kilobytes kB: not one line"; }
		grep -q -E "^btfenc: error: (out of memory|'target': .*Cannot allocate memory)$" out/stderr ||
			{ show; fail "$kilobytes kB: another message"; }
		refused=$((refused + 1))
	done
	echo "$file $*: done $made times, refused $refused times"
	[ $made -gt 0 ] && [ $refused -gt 0 ] || fail "$file: only one of the two"
}

tried small.o 3000 40 9000
tried small.o 3000 100 9000 --strip_dwarf
tried large.o 3000 500 60000
tried large.o 3000 500 60000 -j4 --strip_dwarf
