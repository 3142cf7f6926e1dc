#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each variable with a symbol and debug information is in the BTF, or the report says why not

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/variables.sh"

cat >one.c <<\END
struct pair { int a, b; };
extern int declared[];
int declared[3] = { 1 };
static const char early[];
const char *at(int i) { return early + i; }
static const char early[] = "text";
struct pair weak __attribute__((weak)) = { 1, 2 };
long other __attribute__((weak)) = 1;
int __UNIQUE_ID_some = 1;
struct {} empty;
static inline int count(void) { static int counter; return ++counter; }
int f(int a) { static int inside; { static long block = 1; block += a; inside += block; } return inside + count(); }
const char *name(void) { static const char text[] = "name"; return __func__[0] == text[1] ? text : __func__; }
int last __attribute__((section("own"))) = 1;
int each __attribute__((section(".data..percpu"))) = 1;
/* two definitions of one name: the records of this unit are read again */
int g(int a) { struct twice { int x; } t = { a }; return t.x; }
long h(long a) { struct twice { long y; } t = { a }; return t.y; }
END
cat >two.c <<\END
struct pair { int a, b; };
struct pair weak = { 3, 4 };
int other[4] = { 1 };
extern int alias_of_first __attribute__((alias("first")));
int first = 1;
int f(int a), __attribute__((weak)) unused = 1;
static int inside = 3;
int main(void) { return f(inside++); }
END
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for flags in -gdwarf-4 -gdwarf-5 "-gdwarf-5 -O2" "-gdwarf-5 -O2 -flto"; do
		$cc $flags -w -o program one.c two.c 2>/dev/null || continue
		check_variables program --btf_features=default,global_var,encode_force
		grep -q "reported: .*var_in_function" variables.classes || fail "$cc $flags: $(cat variables.classes)"
		run_ok btfenc --btf_features=default --btf_report=report --btf_encode_detached=program.btf program
		$cc $flags -w -c one.c || fail "$cc failed"
		case $flags in
		*-flto) ;;
		*) check_variables one.o --btf_features=default,global_var,encode_force ;;
		esac
	done
done
