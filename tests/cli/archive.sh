#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the archive that a linker makes of objects' BTF gives what the program's DWARF gives

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy ld ar bpftool
cat >common.h <<'END'
struct shared { int a; struct other *o; char name[16]; };
struct other { struct shared s[2]; };
enum e { E0, E1 = 7 };
typedef enum e e_t;
extern int count;
static inline int helper(struct shared *s, int n) { return s->a + n; }
#define PERCPU __attribute__((section(".data..percpu")))
#define PERCPU_MOSTLY __attribute__((section(".data..percpu..read_mostly")))
END
cat >one.c <<'END'
#include "common.h"
int count = 3;
static int here = 5, hidden = 8;
PERCPU int cpu_one = 1;
static PERCPU_MOSTLY long cpu_local = 2;
__attribute__((weak)) int weak_var = 4;
__attribute__((weak, noinline)) int weak(int first) { return first; }
static __attribute__((noinline)) int same(int a) { return a + here; }
static __attribute__((noinline)) int clash(char *text) { return *text; }
int one(struct shared *s, e_t e) { return helper(s, e) + same(hidden) + clash(s->name) + cpu_local; }
int only_declared(int);
END
cat >two.c <<'END'
#include "common.h"
struct other instance;
static int here = 6;
static PERCPU_MOSTLY long cpu_local = 3;
PERCPU struct shared cpu_two = { 1 };
int weak_var = 5;
int weak(int second) { return second + 1; }
static __attribute__((noinline)) int clash(int number) { return number + here; }
int two(struct other *o) { return clash(helper(o->s, 1)) + cpu_local; }
int *volatile pointer = &here;
END
cat >main.c <<'END'
#include "common.h"
int one(struct shared *s, e_t e), two(struct other *o), weak(int);
extern int weak_var;
int main(void) { struct other o = { 0 }; return one(o.s, E1) + two(&o) + weak(count) + weak_var; }
END
features=var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func

# check FILE OPTION...: the archive in FILE and its DWARF agree, for any number of threads
check()
{
	file=$1
	shift
	run_ok btfenc "$@" -F dwarf --btf_encode_detached=dwarf.btf "$file"
	for jobs in 1 2 8 16; do
		run_silent btfenc "$@" -j$jobs --btf_encode_detached=archive.btf "$file"
		cmp dwarf.btf archive.btf || fail "$file: archive and DWARF differ with -j$jobs ($*)"
	done
}

for list in $features $features,global_var; do
	for level in 0 2; do
		objects=
		for name in one two main; do
			gcc -g -O$level -c -o $name.o $name.c || fail "gcc failed"
			run_silent btfenc -J --btf_features=$list $name.o
			objects="$objects $name.o"
		done
		gcc -o program $objects && ld -r -o joined.o $objects || fail "linking failed"
		check program --btf_features=$list
		check joined.o --btf_features=$list
	done
done

# others see the first member until it is combined
bpftool btf dump file program >before || fail "bpftool does not read an archive"
grep -q "FUNC 'one'" before || fail "not the first member"

# the objects themselves give the same, and the symbols of the program
run_ok btfenc --btf_features=$features,global_var -F dwarf --btf_encode_detached=dwarf.btf program
strip -g --keep-section=.debug.btf -R .BTF -o stripped program || fail "strip failed"
printf 'one.o\ntwo.o\nmain.o\n' >list
run_ok btfenc --dedup_btf --btf_features=$features,global_var --btf_encode_detached=objects.btf stripped @list
cmp dwarf.btf objects.btf || fail "--dedup_btf differs from DWARF"
run_ok btfenc --dedup_btf --btf_features=$features,global_var --btf_encode_detached=named.btf program
cmp dwarf.btf named.btf || fail "--dedup_btf without objects differs from DWARF"
# without the addresses of .debug.btf, variables are where the symbols of their names are
strip -g --keep-file-symbols -o stripped stripped || fail "strip failed"
run_ok btfenc --dedup_btf --btf_features=$features,global_var --btf_encode_detached=objects.btf stripped @list
expect_stderr <<'END'
btfenc: warning: 'stripped': member 'one.c' and 2 others: without addresses for .debug.btf, so functions may be inconsistent and static variables missing
btfenc: warning: 'stripped': 2 variables left out, first 'cpu_local': no single symbol fits
END
run btfenc --btf_diff dwarf.btf objects.btf
# but for static ones of one name and size in two members
expect_not_in stdout '^only in B: var'
grep '^only in A: var' out/stdout | grep -v -e ' cpu_local ' -e ' here$' && fail "another variable is missing"
expect_in stdout '^total  *[0-9]'
# the next link of an object that is combined so must not take the addresses in its members for its own
for name in one two main; do
	strip -g -o bare-$name.o $name.o || fail "strip failed"
done
ld -r -o bare.o bare-one.o bare-two.o bare-main.o || fail "ld failed"
run_ok btfenc -J --dedup_btf --btf_features=$features,global_var bare.o @list
echo 'int extra = 1;' | gcc_c extra.o
run_ok btfenc -J --btf_features=$features,global_var extra.o
gcc -o program-bare bare.o extra.o || fail "linking failed"
run_ok btfenc --btf_features=$features,global_var --btf_encode_detached=bare.btf program-bare
expect_in stderr "^btfenc: warning: 'program-bare': .BTF+.* (member 1).*: without .debug.btf, "
run btfenc --dedup_btf --btf_encode_detached=none.btf stripped
expect_usage_error "'stripped' has no debug information to name its objects: give a list of them, @LIST"

# with .debug.btf compressed by any form that objcopy knows: only one of them has a flag
for kind in zlib-gabi zlib-gnu; do
	objcopy --compress-debug-sections=$kind program packed || fail "objcopy failed"
	run_silent btfenc --btf_features=$features,global_var --btf_encode_detached=packed.btf packed
	cmp dwarf.btf packed.btf || fail "$kind: the facts are read in another way"
done

# in place, and a second time changes nothing
run_silent btfenc -J --btf_features=$features,global_var program
section program .BTF in-place.btf
cmp dwarf.btf in-place.btf || fail "in place differs"
cp program again
run_ok btfenc -J -F btf --btf_features=$features,global_var again
cmp program again || fail "a second run changes a finished file"
bpftool btf dump file program >after || fail "bpftool does not read the result"

# without a linked file: functions as listed, no variables
run_ok btfenc -F btf --btf_features=$features --btf_encode_detached=loose.btf @list
bpftool btf dump file loose.btf >loose || fail "bpftool does not read objects combined"
[ "$(grep -c "STRUCT 'shared'" loose)" = 1 ] || fail "not one struct shared"
grep -q "FUNC 'two'" loose || fail "no function of the second object"
! grep -q DATASEC loose || fail "variables have no section"

# a raw archive as well
for name in one two main; do
	section $name.o .BTF $name.btf
done
cat one.btf two.btf main.btf >raw
run_ok btfenc -F btf --btf_features=$features --btf_encode_detached=raw.btf raw
cmp raw.btf loose.btf || fail "a raw archive differs from its objects"
run_ok btfenc -J -F btf --btf_features=$features raw
cmp raw raw.btf || fail "a raw archive in place"

# gathered in a file beside them, in whatever order, some twice, and finished from there
for name in two main one two; do
	gcc -g -O2 -c -o $name.o $name.c || fail "gcc failed"
	run_silent btfenc -J --btf_features=$features,global_var --btf_archive=pile --strip_dwarf $name.o
done
! has_section one.o .BTF || fail "BTF in the object as well"
gcc -o program one.o two.o main.o || fail "linking failed"
run_ok btfenc -J -F btf --btf_features=$features,global_var --btf_archive=pile program @list
section program .BTF piled.btf
cmp dwarf.btf piled.btf || fail "gathered in a file: differs from DWARF"
run btfenc -J -F btf --btf_archive=pile program
expect_usage_error "'program' has no debug information to name its objects: give a list of them, @LIST"
echo elsewhere.o >nothing
error "'program': none of its 1 objects has BTF in 'pile'" -J -F btf --btf_archive=pile program @nothing
