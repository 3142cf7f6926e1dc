#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# several at once on one file: the last one wins, whole, or it is an error; never a mixture

. "${0%/*}/../lib/testlib.sh"

need gcc cmp
gcc_c fresh.o <<\END
struct s { int x; struct s *next; } s;
enum e { A, B } e;
int f(struct s *s, enum e e) { return s->x + e; }
END

# as_one_of NAME...: "target" is one of these files, and the runs that failed said so once
as_one_of()
{
	for name; do
		cmp -s target "$name" && return
	done
	fail "a mixture"
}

# at_once NUMBER COMMAND...: each instance gets its number behind the command
at_once()
{
	nr=$1
	shift
	for i in $(seq "$nr"); do
		{
			"$@" "$i" >said.$i 2>&1 || {
				[ "$(wc -l <said.$i)" = 1 ] && grep -q '^btfenc: error: ' said.$i
			} || touch wrong
		} &
	done
	wait
	[ ! -e wrong ] || { cat said.*; fail "one fails without a word, or with too many"; }
}

# the same, or with different features, or in place beside those that replace the file
odd_or_even()
{
	if [ $(($1 % 2)) = 0 ]; then
		btfenc -J --btf_features=default target
	else
		btfenc -J --btf_features=default,global_var,layout target
	fi
}

strip_or_not()
{
	if [ $(($1 % 2)) = 0 ]; then
		btfenc -J --btf_features=default target
	else
		btfenc -J --strip_dwarf --btf_features=default target
	fi
}

cp fresh.o even && btfenc -J --btf_features=default even || fail "btfenc failed"
cp fresh.o odd && btfenc -J --btf_features=default,global_var,layout odd || fail "btfenc failed"
cp fresh.o stripped && btfenc -J --strip_dwarf --btf_features=default stripped || fail "btfenc failed"
for round in 1 2 3 4 5; do
	cp fresh.o target
	at_once 8 odd_or_even
	as_one_of even odd
	cp fresh.o target
	at_once 8 strip_or_not
	as_one_of stripped even
	[ "$(ls -A | grep -c '^\.btfenc')" = 0 ] || fail "a temporary file is left"
done

exit 0
