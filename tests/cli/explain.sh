#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --explain: what was left out by which rule; or where one name is, and if nowhere, why

. "${0%/*}/../lib/testlib.sh"

need gcc ld

gcc_c one.o -O1 <<\END
struct thing { int x; };
typedef struct thing thing;
int thing_of(thing *t, int n) { return t->x + n; }
static __attribute__((noinline)) int twice(int a) { volatile int v = a; return v; }
int moved(double d) { return twice((int)d); }
int elsewhere;
END
gcc_c two.o -O1 <<\END
static __attribute__((noinline)) int twice(long a) { volatile int v = a; return v; }
static __attribute__((noinline)) int zzz(void) { volatile int v = 1; return v; }
int use(void) { return twice(1) + zzz(); }
END
ld -Ttext=0x1000 -e moved -o both one.o two.o || fail "ld failed"
cp both before
run btfenc --explain --btf_features=default both
expect_status 0
expect_no_stderr
expect_stdout <<\END
both:
      1 left out func_unexpected_register: a parameter arrives in another register than it should
    moved
      1 left out func_ambiguous_address: the symbol table has it at more than one address
    twice
END
cmp both before || fail "to explain is not to change"

at=0x$(nm both | sed -n 's/^0*\([0-9a-f]*\) t twice$/\1/p' | head -n 1)
at_two=0x$(nm both | sed -n 's/^0*\([0-9a-f]*\) t twice$/\1/p' | tail -n 1)
run btfenc --explain=twice --btf_features=default both
expect_status 0
expect_stdout <<END
both: 'twice'
  func_ambiguous_address: left out: the symbol table has it at more than one address
    and by func_inconsistent_prototype: units do not agree on its prototype
    in one.c at $at (2 units)
    one.c at $at: int (int a)
    two.c at $at_two: int (long int a)
END
run btfenc --explain=thing --btf_features=default both
expect_status 0
expect_in stdout '^  in the BTF: STRUCT \[[0-9]*\]$'
expect_in stdout '^  in the BTF: TYPEDEF \[[0-9]*\]$'
run btfenc --explain=elsewhere --btf_features=default both
expect_status 0
expect_in stdout '^  var_not_asked: left out: variables of its section are not asked for$'
run btfenc --explain=nobody --btf_features=default both
expect_status 0
expect_stdout <<\END
both: 'nobody'
  nothing of this name is defined in the input
END

# beside the BTF, over a base, of two modules in their order
run btfenc --explain --btf_encode_detached=both.btf both
expect_status 0
[ -s both.btf ] || fail "no BTF"
cp both other
run btfenc --explain=thing -j2 -J --btf_base=both.btf both other
expect_status 0
sed 's/\[[0-9]*\]/[]/' out/stdout >out/told
expect_same told <<\END
both: 'thing'
  in the base: STRUCT []
  in the base: TYPEDEF []
  in the BTF: TYPEDEF []
other: 'thing'
  in the base: STRUCT []
  in the base: TYPEDEF []
  in the BTF: TYPEDEF []
END

# many are not all named, unless -V
for i in $(seq 10 30); do
	echo "int f$i(double d) { return d; }"
done | gcc_c many.o -O1
run btfenc --explain many.o
expect_status 0
expect_in stdout ', f19, and 11 more$'
run btfenc -V --explain many.o
expect_status 0
expect_in stdout ', f29, f30$'
echo 'int fine(int a) { return a; }' | gcc_c fine.o
run btfenc --explain fine.o
expect_status 0
expect_stdout <<\END
fine.o: nothing was left out
END

# an archive
run btfenc -J fine.o
expect_status 0
run btfenc -J one.o
expect_status 0
ld -r -o archive.o one.o fine.o || fail "ld failed"
run btfenc --explain=moved archive.o
expect_status 0
expect_in stdout '^  func_unexpected_register: left out: '
expect_in stdout '^    in one.c'
# BTF alone
run btfenc --btf_encode_detached=fine.btf fine.o
expect_status 0
run btfenc --explain=fine fine.btf
expect_status 0
expect_stdout <<\END
fine.btf: 'fine'
  in the BTF: FUNC [3]
END
run btfenc --btf_encode_detached=more.btf fine.btf
expect_error "'fine.btf': not an ELF file"
run btfenc --explain --btf_diff both other
expect_usage_error "'--explain' tells what encoding leaves out, and '--btf_diff' does not encode"
exit 0
