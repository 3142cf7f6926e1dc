#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the sites of inlined functions and the places of their parameters equal those of an independent reader of DWARF
#
# The programs are shapes.c and random ones, by each compiler that is there, for each machine, at several levels of
# optimization, with DWARF 4 and 5, as objects and linked, and btfenc itself. INLINE_FILES names more files. If they are large,
# INLINE_UNITS=0/20 checks each 20th unit. INLINE_SEEDS='1 2 3' are the seeds of the random programs.

. "${0%/*}/../../lib/testlib.sh"
. "$SRCDIR/tests/lib/compilers.sh"

need python3

features=default,inline
sites=0
tried=0
different=0

# oracle TEXT ARGUMENTS...: no difference
oracle()
{
	what=$1
	shift
	run python3 "$TOOLS/inline_oracle.py" --units "${INLINE_UNITS:-0/1}" "$@"
	[ "$STATUS" != 77 ] || { echo "$what: not compared: $(tail -n 1 out/stdout)"; return; }
	[ "$STATUS" = 0 ] || {
		echo "$what:"
		grep 'BTF\|differences$\|Error' out/stdout out/stderr
		different=$((different + 1))
	}
	sites=$((sites + $(awk '$2 == "sites" { print $1 }' out/stdout)))
	tried=$((tried + 1))
}

# check FILE TEXT
check()
{
	run_ok btfenc --btf_features=$features --btf_encode_detached=one.btf "$1"
	oracle "$2" "$1" one.btf
}

# check_apart FILE TEXT: the same for sites in a file and in .BTF.inline. They do not change .BTF
check_apart()
{
	run_ok btfenc --btf_features=default --btf_encode_detached=plain.btf "$1"
	run_ok btfenc --btf_features=default,inline.extra --btf_encode_detached=main.btf --btf_inline_detached=inline.btf "$1"
	cmp plain.btf main.btf || fail "$2: sites change .BTF"
	oracle "$2, sites in a file" --inline inline.btf "$1" main.btf
	cp "$1" apart
	run_ok btfenc -J --btf_features=default,inline.extra apart
	section apart .BTF apart.btf
	section apart .BTF.inline apart_inline.btf
	{ cmp apart.btf main.btf && cmp apart_inline.btf inline.btf; } || fail "$2: the sections are not the files"
}

# programs NAME COMPILER...: the programs, as objects
programs()
{
	name=$1
	shift
	for program in $sources; do
		for flags in $levels; do
			flags=$(echo "$flags" | tr : ' ')
			# shellcheck disable=SC2086
			"$@" -w -std=gnu11 $flags -g -c -o p.o "$program" 2>out/cc || { echo "$name does not compile $program"; break; }
			check p.o "$name $flags $program"
		done
	done
}

# linked NAME COMPILER...: the same, linked
linked()
{
	name=$1
	shift
	for program in $sources; do
		for flags in $levels; do
			flags=$(echo "$flags" | tr : ' ')
			# shellcheck disable=SC2086
			"$@" -w -std=gnu11 $flags -g -fPIC -shared -nostdlib -o p.so "$program" || fail "$name $flags does not link $program"
			check p.so "$name -shared $flags $program"
			check_apart p.so "$name -shared $flags $program"
		done
	done
}

for seed in ${INLINE_SEEDS:-1}; do
	python3 "$SRCDIR/tests/gen/inlinegen.py" "$seed" >"random$seed.c" || fail "inlinegen.py $seed"
done
cp "$TESTDIR/shapes.c" .
sources=$(echo shapes.c random*.c)

levels='-O1:-gdwarf-4 -O2:-gdwarf-5 -O3:-gdwarf-5:-ffunction-sections -Os:-gdwarf-4:-ffunction-sections -Og:-fno-omit-frame-pointer'
for compiler in gcc clang; do
	command -v $compiler >/dev/null 2>&1 || continue
	programs $compiler $compiler
	linked $compiler $compiler
done
levels=-O2:-gdwarf-5
each_compiler programs
for file in "$BTFENC" ${INLINE_FILES:-}; do
	check "$file" "$file"
done
[ $different = 0 ] || fail "$different of $tried files differ"
[ $tried != 0 ] || skip "no compiler"
echo "$sites sites in $tried files"
