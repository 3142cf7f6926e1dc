#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# strings of functions that are left out stay in the BTF, as in pahole
#
# No record refers to them, but the offsets of all other strings depend on them.

. "${0%/*}/../lib/testlib.sh"

gcc_c one.o -O1 <<\END
static __attribute__((noinline)) int both(int described) { volatile int v = described; return v; }
int first(int a) { return both(a); }
END
gcc_c two.o -O1 <<\END
static __attribute__((noinline)) int both(int not_described) { volatile int v = not_described; return v; }
int second(int a) { return both(a); }
END
gcc -nostdlib -r -o both one.o two.o || fail "gcc does not link"
run_ok btfenc --btf_features=default --btf_encode_detached=both.btf both
for name in described not_described; do
	tr '\0' '\n' <both.btf | grep -a -q -x $name || fail "no string '$name'"
done

# The tags of parameters that a prototype leaves out are such strings. gcc repeats the tags at the clone
# of a function, and with -flto the clone comes before the function.
gcc -O2 -g -flto -nostdlib -fPIC -shared -o tagged -x c - 2>out/gcc <<\END || fail "gcc -flto fails"
#define tag(x) __attribute__((btf_decl_tag(x)))
struct big { long a[4]; };
extern long g(long, struct big);
static __attribute__((noinline)) long passed(long constant, struct big in_memory tag("tag of a parameter"))
{
	volatile long v = constant;
	return v + g(v, in_memory);
}
long caller(long x)
{
	return passed(1, (struct big){ { x } }) + passed(1, (struct big){ { x, x } });
}
END
grep -q btf_decl_tag out/gcc && exit 0 # gcc 15 and earlier ignore the attribute
run_ok btfenc --btf_features=default --btf_encode_detached=tagged.btf tagged
tr '\0' '\n' <tagged.btf | grep -a -x -e 'tag of a parameter' -e constant >strings
printf 'tag of a parameter\nconstant\n' | cmp - strings || fail "other order of strings: $(cat strings)"
