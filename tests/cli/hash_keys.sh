#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# no byte of any output depends on a hash: each run has another key, and btfenc_constant_hash has equal hashes for
# everything, so that only comparisons find entries in its tables

. "${0%/*}/../lib/testlib.sh"

need gcc ar ld python3
[ -n "${CONSTANT_HASH:-}" ] || skip "no btfenc_constant_hash"

# the golden cases, in two ways, and thousands of types of all kinds
for source in "$SRCDIR"/tests/golden/*/in*.c; do
	folder=${source%/*}
	gcc -g -O1 -fcommon -w -c -o "${folder##*/}-${source##*/}.o" "$source" || fail "gcc fails on $source"
done
# types of one name and number of members: only one offset differs, or only the size, or only the kind
for align in 16 32; do
	cat >twins.c <<END
	struct twin { char a; int b; } __attribute__((aligned(8)$([ $align = 16 ] || echo ,packed))) twin;
	struct wide { int a; } __attribute__((aligned($align))) wide;
	/* one name, no size and no members, but not one kind */
	typedef int none; struct none { } nothing; none use_none;
END
	gcc -g -O1 -fcommon -c -o twins$align-in.c.o twins.c || fail "gcc fails on twins"
done
ar rc units.a ./*.o
ld -r -z muldefs -o units.o ./*.o 2>/dev/null || fail "ld fails"
"$TOOLS/btfhard.py" types 1500 dwarf many.o || exit 1
cat >module.c <<\END
struct tree { struct tree *left; int only_here; };
struct base { int only_here_too[2]; } base;
enum color { RED = 7 } color;
int of_module(struct tree *t) { return t->only_here; }
int second(void) { return 2; }
__asm__(".globl label; .type label, %function; label = of_module");
END
gcc -g -O1 -c module.c || fail "gcc fails"

# all_of PROGRAM ARGUMENT...: status and all output
all_of()
{
	[ "$2" = -J ] && cp module.o made || rm -f made made.json
	status=0
	"$@" >text 2>&1 || status=$?
	cat text
	echo "status $status"
	cat made made.json 2>/dev/null
}

# same ARGUMENT...: the output depends on no hash
same()
{
	all_of "$CONSTANT_HASH" "$@" >equal.txt
	all_of btfenc "$@" >keyed.txt
	cmp keyed.txt equal.txt || fail "btfenc $*: other output with equal hashes"
}

all=--btf_features=all
for input in units.a units.o many.o; do
	for jobs in 1 8; do
		same $all -j$jobs --btf_encode_detached=made --btf_report=made.json $input
		[ -e made ] || fail "no BTF of $input"
	done
	cp made $input.btf
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		run_ok btfenc $all -j$i --btf_encode_detached=made $input
		cmp $input.btf made || fail "$input: other bytes with another key and $i threads"
	done
done

# all other jobs
same $all --btf_base=units.o.btf --btf_encode_detached=made --btf_report=made.json module.o
same --explain=label module.o
same -J --btf_features=default,distilled_base --btf_base=units.o.btf made
for input in units.a.btf many.o.btf; do
	same --btf_check=7.2 $input
	same --btf_stats $input
	same --btf_diff units.o.btf $input
	same --btf_diff=core units.o.btf $input
	same -F btf $input
	same -F btf -s $input
	same -F btf --compile $input
	same -F btf -C tree,list,s1,missing $input
	same -F btf --sort $input
	same --btf_header $input
done
for input in *-in.c.o; do
	[ ! -e "$input" ] || run btfenc -J $all "$input"
done
ld -r -z muldefs -o archive.o ./*.c.o 2>/dev/null || fail "ld fails"
same $all -F btf --btf_encode_detached=made archive.o
same -F dwarf --compile units.o
same -F dwarf -I --sort units.o
same -F dwarf --explain units.o
