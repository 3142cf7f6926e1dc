#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# By default, a kfunc is described as declared: the kernel refuses the whole set of a kfunc that the BTF lacks
#
# cli/kfuncs_lost.sh and cli/fatal.sh have kfuncs that are lost.

. "${0%/*}/../lib/testlib.sh"

need gcc ld cmp bpftool nm objcopy

# .BTF_ids as include/linux/btf_ids.h makes it
kfuncs()
{
	ids='asm(".pushsection .BTF_ids,\"a\"; __BTF_ID__set8__some: .long 9; .long 1;"'
	for name; do
		ids="$ids \"__BTF_ID__func__${name}__1: .long 0; .size __BTF_ID__func__${name}__1, 4; .long 0;\""
	done
	echo "$ids \".size __BTF_ID__set8__some, .-__BTF_ID__set8__some; .popsection\");"
}

# kfunc NAME PROTOTYPE [TAGS]: out.btf has the function with this prototype, and the tags
kfunc()
{
	bpftool btf dump file out.btf >out/dump || fail "bpftool failed"
	[ "$(grep -c "FUNC '$1'" out/dump)" = 1 ] || fail "not one function $1: $(cat out/dump)"
	id=$(sed -n "s/^\[\([0-9]*\)\] FUNC '$1' type_id=.*/\1/p" out/dump)
	proto=$(sed -n "s/^\[[0-9]*\] FUNC '$1' type_id=\([0-9]*\) .*/\1/p" out/dump)
	args=$(sed -n "/^\[$proto\] /,/^\[/s/^\t'\(.*\)' type_id=.*/\1/p" out/dump | tr '\n' ' ')
	[ "$args" = "$2 " ] || fail "$1 has the parameters $args"
	tags=$(sed -n "s/.* DECL_TAG '\(.*\)' type_id=$id .*/\1/p" out/dump)
	[ "$tags" = "${3-bpf_kfunc}" ] || fail "$1 has the tags '$tags'"
}

encode()
{
	run_silent btfenc --btf_features=default --btf_encode_detached=out.btf "$@"
}

# without LEVEL FILE NAME: at this level the BTF lacks it
without()
{
	run_ok btfenc --compat="$1" --btf_features=default --btf_encode_detached=out.btf "$2"
	expect_in stderr "kfuncs without a function in the BTF: $3 ("
}

# --- registers: all but the first are left out, because gcc passes a double elsewhere
cat >regs.c <<END
#define N __attribute__((noinline, used))
N int good(int a, int b) { return a + b; }
N int in_xmm(double d, int x) { return x; }
struct big { long a, b, c; };
N struct big in_memory(int a, int b) { return (struct big){ a, b, 0 }; }
int start(void) { return good(1, 2) + in_xmm(1, 2) + in_memory(1, 2).a; }
$(kfuncs good in_xmm in_memory)
END
gcc -g -O1 -c regs.c && ld -e start -o regs regs.o || fail "cannot build"
# a list of functions may have all kfuncs
encode --btf_functions=kfuncs regs
[ "$(bpftool btf dump file out.btf | grep -c FUNC\ )" = 3 ] || fail "not the three kfuncs"
run_ok btfenc --btf_features=default --btf_functions=none --btf_encode_detached=out.btf regs
expect_in stderr 'kfuncs without a function in the BTF: good, in_memory, in_xmm ('
for file in regs regs.o; do
	without 1.32 $file 'in_memory, in_xmm'
	encode $file
	kfunc good 'a b'
	kfunc in_xmm 'd x'
	kfunc in_memory 'a b'
done
expect_in_report()
{
	grep -qF "$1" report || fail "no $1 in $(cat report)"
}

# the register of another argument: here rdx instead of rsi
if [ "$(gcc -dumpmachine | cut -d- -f1)" = x86_64 ]; then
	echo "extern int more(int);
		__attribute__((noinline, used)) int keeps(int a, _Bool b) { return b ? more(a) : a; }
		$(kfuncs keeps)" | gcc -g -O2 -fno-var-tracking -x c -S - -o keeps.s || fail "gcc failed"
	sed -i 's/\.byte[[:space:]]*0x54$/.byte 0x51/' keeps.s
	gcc -c keeps.s || fail "the assembler failed"
	without 1.32 keeps.o keeps
	encode keeps.o
	kfunc keeps 'a b'
	run_ok btfenc --btf_features=default --btf_report=report keeps.o
	expect_silence
	grep -q '"rule":"func_kfunc","subject":"func","result":"changed","name":"keeps",.*"also":\["func_unexpected_register"\]}$' report ||
		fail "$(cat report)"
	[ "$(tail -n 1 report)" = '{"end":true,"left_out":0,"changed":1,"lost":0,"several":0,"listed":1,"rules":{"func_kfunc":1},"kfuncs_lost":0}' ] || fail "$(tail -n 1 report)"
	run_ok btfenc --explain=keeps --btf_features=default keeps.o
	expect_in stdout '^  func_kfunc: changed: a set of kfuncs lists it: described as declared, although'
	expect_in stdout '^    although func_unexpected_register: '
	run_ok btfenc --btf_features=default --fatal=kfunc_lost,func_unexpected_register --btf_encode_detached=out.btf keeps.o
fi

# the kernel needs the function also if resolve_btfids makes the tags, as from 7.3 on
run_silent btfenc --btf_features=float,decl_tag,type_tag,enum64,consistent_func --btf_encode_detached=out.btf regs
kfunc in_xmm 'd x' ''
# and it needs to be known then if one is lost
echo "int start(void) { return 0; } $(kfuncs nowhere)" | gcc_c nowhere.o
ld -e start -o nowhere nowhere.o || fail "ld failed"
run_ok btfenc --btf_features=float --btf_encode_detached=out.btf nowhere
expect_in stderr 'kfuncs without a function in the BTF: nowhere ('
run_status 1 btfenc --btf_features=float --fatal=kfunc_lost --btf_encode_detached=out.btf nowhere
expect_in stderr "'nowhere': kfunc_lost: "
run_silent btfenc --compat=1.32 --btf_features=float --btf_encode_detached=out.btf nowhere

# --- copies: the kfunc is in unit one, a changed copy in unit two
cat >copies.h <<\END
#define N __attribute__((noinline, used))
static N int copied(int a, double d, int b) { volatile int v = a; return v + b; }
END
echo '#include "copies.h"
	int two(int a) { return copied(a, 1, 2); }' | gcc_c two.o -O1
echo "#include \"copies.h\"
	int one(int a) { return copied(a, 1, 2); } $(kfuncs copied)" | gcc_c one.o -O1
objcopy --redefine-sym copied=copied.isra.0 two.o && ld -e one -o copies one.o two.o && ld -r -o copies.o one.o two.o ||
	fail "cannot build"
for file in copies copies.o; do
	without 1.32 $file copied
	encode $file
	kfunc copied 'a d b'
done
# with true_signature, a kfunc has neither the name nor the signature of a copy
objcopy --redefine-sym copied=copied.isra.0 one.o && objcopy --redefine-sym copied.isra.0=copied.isra.1 two.o &&
	ld -e one -o only one.o two.o || fail "cannot build"
run_ok btfenc --btf_features=default,true_signature --btf_encode_detached=out.btf only
kfunc copied 'a d b'
expect_stderr <<\END
btfenc: warning: kfunc 'copied': the symbol table has no function of this name, so BPF programs cannot call it: mark it __bpf_kfunc
END

# --- inlined everywhere: the kernel accepts the set, but there is nothing to call
echo "static inline __attribute__((always_inline)) int inlined(int *p, int n) { return *p + n; }
	int start(int *p) { return inlined(p, 1); } $(kfuncs inlined)" | gcc_c inlined.o -O1
ld -e start -o inlined inlined.o || fail "ld failed"
without 1.32 inlined inlined
run_ok btfenc --btf_features=default --btf_report=report --btf_encode_detached=out.btf inlined
expect_in stderr "^btfenc: warning: kfunc 'inlined': the symbol table has no function of this name"
kfunc inlined 'p n'
expect_in_report '"rule":"func_kfunc_no_symbol","subject":"func","result":"changed","name":"inlined","unit":"inlined.c","also":["func_no_symbol"]}'
run_status 1 btfenc --btf_features=default --fatal=func_kfunc_no_symbol --btf_encode_detached=out.btf inlined
# another object may have the function
run_silent btfenc --btf_features=default --btf_encode_detached=out.btf inlined.o
bpftool btf dump file out.btf >out/dump
expect_not_in dump "FUNC 'inlined'"
# a module is complete
echo 'int based(int a) { return a; }' | gcc_c base.o
run_ok btfenc --btf_encode_detached=base.btf base.o
cp inlined.o module.ko
run_ok btfenc --btf_base=base.btf --btf_features=default --btf_encode_detached=out.btf module.ko
expect_in stderr "^btfenc: warning: kfunc 'inlined': the symbol table has no function"

# --- other prototypes: the one at the address counts; none does if the name has two addresses
cat >own.c <<END
__attribute__((noinline, used)) static int which(int *p, int n) { volatile int v = n; return v + *p; }
int start(int *p) { return which(p, 1); } $(kfuncs which)
END
cat >other.c <<\END
static KIND int which(long a) { volatile long v = a; return v; }
int other(void) { return which(1); }
END
gcc -g -O1 -c own.c && gcc -g -O1 -D'KIND=inline __attribute__((always_inline))' -c other.c -o differs.o &&
	gcc -g -O1 -D'KIND=__attribute__((noinline, used))' -c other.c -o twice.o &&
	ld -e start -o differs differs.o own.o && ld -e start -o twice twice.o own.o ||
	fail "cannot build"
without 1.32 differs which
encode differs
kfunc which 'p n'
for level in 1.32 none; do
	without $level twice which
done
run_status 1 btfenc --btf_features=default --fatal=kfunc_lost --btf_encode_detached=out.btf twice
expect_in stderr "kfunc_lost: function 'which' of unit 'other.c': .*: func_ambiguous_address: "
# inlined with two prototypes: it is unknown which one is meant
sed 's/which(int \*p, int n)/inline which(int *p, int n)/; s/noinline, used/always_inline/' own.c | gcc_c own-inlined.o -O1
ld -e start -o unknown differs.o own-inlined.o || fail "ld failed"
without none unknown which

# --- an archive gives the same, with facts of the objects alone
for name in regs one two inlined own differs twice own-inlined; do
	run_ok btfenc -J --btf_features=default $name.o
done
ld -e start -o regs regs.o && ld -e one -o copies one.o two.o && ld -r -o copies.o one.o two.o && ld -e start -o inlined inlined.o &&
	ld -e start -o differs differs.o own.o && ld -e start -o twice twice.o own.o && ld -e start -o unknown differs.o own-inlined.o ||
	fail "ld failed"
for file in regs copies copies.o inlined differs twice unknown; do
	for features in default float,decl_tag,type_tag,enum64 default,true_signature; do
		for from in dwarf btf; do
			run_ok btfenc --btf_features=$features -F $from --btf_encode_detached=$from.btf $file
		done
		cmp dwarf.btf btf.btf || fail "$file: archive and DWARF differ with $features"
	done
done

# without facts, only the functions of the objects are known
objcopy --redefine-sym copied=copied.isra.0 one.o && strip_facts one.o two.o && ld -e one -o only one.o two.o ||
	fail "cannot build"
run_ok btfenc --compat=1.32 --btf_features=default -F btf --btf_encode_detached=out.btf only
expect_in stderr 'kfuncs without a function in the BTF: copied ('
run_ok btfenc --btf_features=default -F btf --btf_encode_detached=out.btf only
expect_in stderr "^btfenc: warning: kfunc 'copied': the symbol table has no function of this name"
kfunc copied 'a d b'

# --- clang marks a function whose signature it changed
command -v clang >/dev/null || exit 0
echo "static __attribute__((noinline)) int changed(int unused, int used) { return used + 1; }
	int start(int n) { return changed(n, n + 1); } $(kfuncs changed)" | clang_c changed.o -O2
ld -e start -o changed changed.o || fail "ld failed"
for features in default default,true_signature; do
	run_silent btfenc --btf_features=$features --btf_encode_detached=out.btf changed
	kfunc changed 'unused used'
done
run_silent btfenc -J --btf_features=default,true_signature changed.o
ld -e start -o changed changed.o || fail "ld failed"
archive_as_dwarf --btf_features=default,true_signature changed
archive_as_dwarf --btf_features=default changed
exit 0
