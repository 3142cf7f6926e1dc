#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# whose symbol it is: weak definitions that became local, variables that C calls otherwise, C++

. "${0%/*}/../lib/testlib.sh"

need gcc g++ cmp ld bpftool
# prototypes that differ are to be seen: no consistent_func
plain=--btf_features=encode_force,var,float,enum64,decl_tag,type_tag
features=$plain,global_var
echo 'int in_main = 4; int main(void) { return in_main; }' >main.c

# compile OPTIONS FILE...: each with its BTF
compile()
{
	with=$1
	shift
	for file; do
		gcc -g -O2 $with -c -o "${file%.*}.o" "$file" || fail "gcc failed"
		run_ok btfenc -J $features "${file%.*}.o"
	done
}

# says TEXT: so does the BTF that was made last
says()
{
	bpftool btf dump file archive.btf >dump || fail "bpftool failed"
	grep -q "$1" dump || fail "no $1"
}

# --- weak ---------------------------------------------------------------------------------

echo '__attribute__((weak)) int f(int of_weak) { return of_weak; } int use(void) { return f(1); }' >weak.c
echo '__attribute__((weak)) char f(char of_other) { return of_other; }' >other.c
echo 'long f(long of_strong, int b) { return of_strong + b; }' >strong.c
echo 'static int f(char *of_static) { return *of_static; } int keep(char *s) { return f(s); }' >static.c
echo '{ global: main; local: *; };' >script
for hide in -fvisibility=hidden ''; do
	compile "$hide" weak.c other.c strong.c static.c main.c
	link="gcc -Wl,--version-script=script -o program"
	$link weak.o strong.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	says of_strong
	$link strong.o weak.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	says of_strong
	$link weak.o other.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	says of_weak
	$link weak.o other.o strong.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	says of_strong
	$link static.o weak.o main.o || fail "linking failed"
	archive_as_dwarf $features program
done

# --- symbols of other names ---------------------------------------------------------------

cat >names.c <<'END'
int first asm("first_symbol") = 1;
int x asm("y") = 1;
unsigned y asm("x") = 2;
static int mine asm("other_mine") = 4;
extern int alias_of_plain __attribute__((alias("plain")));
int plain = 5;
int names(void) { return first + x + y + mine++; }
END
echo 'int before = 1; int g(void) { return before; }' >before.c
for with in '' -fdata-sections '-fvisibility=hidden -fdata-sections'; do
	compile "$with" names.c before.c main.c
	gcc -o program names.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	gcc -o program before.o names.o main.o || fail "linking failed"
	archive_as_dwarf $features program
	for name in x y mine first plain; do
		says "VAR '$name'"
	done
	ld -r -o joined.o before.o names.o || fail "linking failed"
	archive_as_dwarf $features joined.o
done

cat >percpu.c <<'END'
#define PERCPU __attribute__((section(".data..percpu")))
PERCPU int o = 1;
PERCPU int named asm("renamed") = 4;
int percpu(void) { return named + o; }
END
for features in $plain $plain,global_var; do
	compile -fno-toplevel-reorder percpu.c main.c
	ld -r -o joined.o percpu.o main.o || fail "linking failed"
	archive_as_dwarf $features joined.o
	says "VAR 'named'"
done

# renamed after the encoding: the variables beside it tell where it is
compile '' names.c before.c main.c
objcopy --redefine-sym plain=other_plain names.o || fail "objcopy failed"
gcc -o program before.o names.o main.o || fail "linking failed"
archive_as_dwarf $features program
says "VAR 'plain'"

# --- common symbols, which the linker puts into a section -----------------------------------

cat >common.c <<'END'
int common, strong_elsewhere; char common_array[5]; static int local;
long common_in_both; struct { long a, b; } large;
int use_commons(void) { return common + strong_elsewhere + common_array[0] + local++ + common_in_both + large.a; }
END
cat >common2.c <<'END'
long common_in_both; int strong_elsewhere = 2; extern int common; int other_common;
int use_other(void) { return common + common_in_both + strong_elsewhere + other_common; }
END
for with in '' -fdata-sections; do
	compile "-fcommon $with" common.c common2.c main.c
	for objects in 'common.o common2.o' 'common2.o common.o'; do
		gcc -o program main.o $objects || fail "linking failed"
		archive_as_dwarf $features program
		for name in common strong_elsewhere common_array common_in_both large other_common local; do
			says "VAR '$name'"
		done
		ld -r -d -o joined.o $objects && ld -r -o later.o $objects main.o || fail "ld failed"
		archive_as_dwarf $features joined.o
		says "VAR 'large'"
		archive_as_dwarf $features later.o
		gcc -o program later.o || fail "linking failed"
		archive_as_dwarf $features program
		says "VAR 'large'"
	done
done

# --- C++ --------------------------------------------------------------------------------------

cat >names.cc <<'END'
namespace n { int v = 2; static long local = 3; }
namespace { int hidden = 4; }
struct S { static int member; };
int S::member = 3;
template<class T> struct W { T t; };
W<int> w;
extern "C" long cxx() { return n::v + n::local++ + hidden++ + S::member + w.t; }
END
compile '' names.cc before.c main.c
g++ -o program names.o main.o || fail "linking failed"
archive_as_dwarf $features --skip_encoding_btf_check program
g++ -o program before.o names.o main.o || fail "linking failed"
archive_as_dwarf $features --skip_encoding_btf_check program
for name in v local hidden member w; do
	says "VAR '$name'"
done

# --- no symbols -------------------------------------------------------------------------------

echo 'static int mine = 3; int f(void) { return mine++; }' >local.c
echo 'static int mine = 4; int g(void) { return mine++; }' >local2.c
compile -fdata-sections local.c local2.c
ld -r -x -o joined.o local.o local2.o || fail "linking failed"
archive_as_dwarf $features joined.o
says "VAR 'mine'"
strip_facts local.o local2.o
ld -r -x -o joined.o local.o local2.o || fail "linking failed"
run_ok btfenc $features --btf_encode_detached=archive.btf joined.o
expect_in stderr "'joined.o' has no local symbols: static variables that the linker kept are left out"
