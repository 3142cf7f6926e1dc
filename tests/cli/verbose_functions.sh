#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -V says of each function that is left out why, in the words that scripts look for
#
# What units disagree about is said before the reason that counts in the end, and only where it
# counts: without consistent_func nothing is left out for it.

. "${0%/*}/../lib/testlib.sh"

need gcc
functions()
{
	cat <<-END
	#define N __attribute__((noinline)) static
	struct $1;
	N int number(int a$2) { volatile int v = a; return v; }
	N $3 result(int a) { volatile int v = a; return v; }
	N int param(int a, struct $1 *of_$1) { volatile int v = a; return v; }
	N int dots(int a, $4) { volatile int v = a; return v; }
	int use_$1(int a) { return number(a$5) + result(a) + param(a, 0) + dots(a, 1); }
	END
}
functions one "" int ... "" | gcc_c one.o -O1
functions two ", int b" long "int b" ", a" | gcc_c two.o -O1
gcc -shared -nostdlib -o both one.o two.o || fail "gcc does not link"

run_ok btfenc -V --btf_features=default --btf_encode_detached=both.btf both
expect_no_stderr
grep skipping out/stdout >out/reasons
expect_same reasons <<\END
dots : skipping BTF encoding of function due to param type mismatch for param#2  != b
dots : skipping BTF encoding of function due to ambiguous address
number : skipping BTF encoding of function due to param count mismatch; 1 params != 2 params
number : skipping BTF encoding of function due to ambiguous address
param : skipping BTF encoding of function due to param type mismatch for param#2 of_one != of_two
param : skipping BTF encoding of function due to ambiguous address
result : skipping BTF encoding of function due to return type mismatch
result : skipping BTF encoding of function due to ambiguous address
END

run_ok btfenc -V --btf_features=var --btf_encode_detached=both.btf both
expect_in stdout "ambiguous address"
expect_not_in stdout mismatch

# What the compiler has changed
gcc_c parm.o -O2 -fPIC <<\END
static __attribute__((noinline)) int gone(int a, int b) { volatile int v = a; return v; }
int moved(double d, int x) { return x; }
int use(int a) { return gone(a, 3) + gone(a + 1, 3); }
END
gcc -shared -nostdlib -o parm parm.o || fail "gcc does not link"
run_ok btfenc --compat=1.32 -V --btf_features=default --btf_encode_detached=parm.btf parm
expect_in stdout "^gone : skipping BTF encoding of function due to optimized parameters$"
expect_in stdout "^moved : skipping BTF encoding of function due to unexpected register usage for parameter$"
expect_no_stderr

# pahole prints such lines on standard output, and those about variables on standard error, as btfenc all others
echo 'struct { } empty, *unused; void *of(double d) { return &empty; }' | gcc_c variable.o -O1
run_ok btfenc --compat=1.32 -V --btf_features=default,global_var --btf_encode_detached=variable.btf variable.o
expect_stdout <<\END
of : skipping BTF encoding of function due to unexpected register usage for parameter
END
expect_stderr <<\END
unit 'variable.c': variable 'empty' left out: it has no size
END
