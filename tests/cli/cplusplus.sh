#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# C++: static members are no members, functions keep their return types, nullptr has a type, and
# a struct may have neither a name nor a size
#
# pahole 1.31 puts static members of DWARF 4 at the start of the struct, where the kernel refuses
# them; a function that is defined apart from its declaration returns nothing; and a type inside of a
# namespace that BTF does not have makes all that come later one too high. Over a declaration
# without a name, which clang makes of a typedef's struct that is not used, it gives up.

. "${0%/*}/../lib/testlib.sh"

need python3
cat >a.cc <<\END
struct base { int z; };
struct s : base {
	int a, b;
	static int shared;
	static const int constant = 5;
	long c;
};
union u { int a; static int shared; float f; };
int s::shared = 1;
s x; u y;
namespace n {
	extern "C" long declared_first(int a);
	typedef decltype(nullptr) null;
}
long n::declared_first(int a) { return a + x.a + y.a; }
extern "C" int takes_null(n::null p, int b) { return b; }
struct has_null { n::null p; int after; } z;
END

cplusplus()
{
	for version in 4 5; do
		"$1" -gdwarf-$version -c a.cc || fail "$1 failed"
		run_silent btfenc --btf_encode_detached=a.btf a.o
		run_ok "$TOOLS/btfdump.py" a.btf
		sed 's/long int/long/' out/stdout | grep -vE '^(int|nameless|float) ' >out/types
		expect_same types <<\END
func static declared_first(a int) -> long
func static takes_null(p null, b int) -> int
struct base size 4 {
	0 z int;
}
struct has_null size 16 {
	0 p null;
	8 after int;
}
struct s size 24 {
	4 a int;
	8 b int;
	16 c long;
}
typedef null *void
union u size 4 {
	0 a int;
	0 f float;
}
END
		run_silent btfenc --btf_check a.btf
	done
}
cat >nameless.cc <<\END
typedef struct { int a; long b; } unused;
namespace n { using ::unused; }
extern "C" int with_more(int a) { return a; }
END

# nameless COMPILER TYPE: what is "unused"?
nameless()
{
	for version in 4 5; do
		"$1" -g -gdwarf-$version -c nameless.cc || fail "$1 failed"
		run_silent btfenc --btf_encode_detached=a.btf nameless.o
		run_ok "$TOOLS/btfdump.py" a.btf
		expect_in stdout "func static with_more(a int) -> int"
		expect_in stdout "$2"
		run_silent btfenc --btf_check a.btf
	done
}

tried=
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	cplusplus $compiler
	case $compiler in
	g++) nameless g++ 'typedef unused struct size 16 {' ;;
	*) nameless clang++ 'typedef unused struct size 0 {' ;;
	esac
	tried=$compiler
done
[ -n "$tried" ] || skip "neither g++ nor clang++"

# A program that is read as one unit may have units of C++ behind those of C.
gcc_c c.o <<\END
struct in_c { int a; } c;
END
cat >template.cc <<\END
template <class T> struct in_cplusplus { T v; };
in_cplusplus<int> t;
END
"$tried" -g -c template.cc && ld -r -o both.o c.o template.o || fail "$tried or ld failed"
run_ok btfenc --btf_features=default,force_cu_merging --btf_encode_detached=both.btf both.o
run_ok "$TOOLS/btfdump.py" both.btf
expect_in stdout '^struct in_c size 4'
expect_in stdout '^struct in_cplusplus<int> size 4'

# The kernel refuses names of templates. One warning says so for a program, and none for each object.
cat >main.cc <<\END
template <class T> struct pair_of { T a, b; };
template <class T> struct list_of { list_of *next; T item; };
pair_of<int> p;
list_of<long> l;
int main() { return p.a + l.item; }
END
"$tried" -g -c main.cc && "$tried" -o main main.o || fail "$tried failed"
run_silent btfenc -J main.o
run_ok btfenc --btf_encode_detached=main.btf main
run_status 1 btfenc --btf_check main.btf
nr=$(grep -c ': error: ' out/stdout)
[ "$nr" -ge 2 ] || fail "the kernel accepts templates"
for file in main main.o; do
	run_ok btfenc --btf_encode_detached=a.btf $file
	[ "$(grep -c 'warning:' out/stderr)" = 1 ] || fail "$file: not one warning: $(cat out/stderr)"
	expect_in stderr "'$file': the kernel will not load this BTF: $nr errors, the first in type [0-9]* '"
	expect_in stderr "btfenc --btf_check lists them, and --lang_exclude leaves out units of other languages than C"
done
"$tried" -o linked main.o || fail "$tried does not link"
run_ok btfenc -J linked
expect_in stderr "'linked': the kernel will not load this BTF: $nr errors"
run_silent btfenc --lang_exclude=c++,c++11,c++14 --btf_encode_detached=a.btf both.o
run_silent btfenc --skip_encoding_btf_check --btf_encode_detached=a.btf main

# In C, too, a name may be no identifier of the kernel.
echo 'struct a$b { int x; } v; int f(struct a$b *p) { return p->x; }' | gcc_c dollar.o
run_ok btfenc --btf_encode_detached=a.btf dollar.o
expect_in stderr "'dollar.o': the kernel will not load this BTF: 1 error, the first in type [0-9]* 'a\$b'"
