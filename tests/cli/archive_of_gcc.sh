#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# objects that gcc has made BTF for give what the program's DWARF gives, as far as gcc says it

. "${0%/*}/../lib/testlib.sh"

need gcc ld bpftool objcopy
echo 'int probe;' | gcc -gbtf -c -x c -o probe.o - 2>/dev/null || skip "gcc makes no BTF"
has_section probe.o .BTF || skip "gcc makes no BTF"

# What gcc 12 gets wrong, and what two objects can disagree on when it does.
cat >common.h <<'END'
struct opaque;
union other;
enum later;
struct task {
	struct task *next;
	struct opaque *opaque;
	union other *other;
	enum later *later;
	int (*call)(struct task *, enum later, char *, ...);
	char name[16], table[2][3];
	signed char s;
	unsigned char u;
	_Bool b : 1;
	int bits : 5;
	const volatile int *const *restrict pointers[2][2];
	struct { int x; union { long l; char c[8]; }; };
	int tail[];
};
enum sign { MINUS = -1, PLUS = 1 };
enum small { SMALL = 3 } __attribute__((packed));
typedef int row[5];
extern int only_declared, shared[7];
int declared_only(int, struct opaque);
int described(int first, enum sign sign);
static inline int helper(struct task *t, row *r) { return t->bits + r[0][1]; }
#define PERCPU __attribute__((section(".data..percpu")))
extern PERCPU int cpu_shared;
#ifdef HIDDEN
enum later { SOONER, LATER };
#endif
END
cat >one.c <<'END'
#define HIDDEN
#include "common.h"
struct opaque { int content; };
union other { int i; enum later l; };
PERCPU int cpu_shared = 1;
static PERCPU long cpu_local = 2;
static int local = 3;
row rows[4];
int shared[7] = { 1 };
struct task first = { 0 };
enum small small;
int described(int first_parameter, enum sign sign) { return first_parameter + sign + local++ + cpu_local++; }
END
cat >two.c <<'END'
#include "common.h"
static PERCPU long cpu_local = 4;
static int local = 5;
struct task second = { 0 };
int (*table[2][3])(struct opaque *, const char *text) = { { 0 } };
int other(struct task *t) { return helper(t, (row *)t->table) + cpu_shared + shared[3] + cpu_local++ + local++; }
int (*volatile use)(struct task *) = other;
END
cat >main.c <<'END'
#include "common.h"
int main(void) { return described(shared[2], PLUS); }
END

same()
{
	btfenc --btf_diff "$@" >differ || {
		cat differ >&2
		fail "$RAN: archive and DWARF differ"
	}
}

# no variable with a unique name shows which of two symbols a unit has
gcc -g -gbtf -c -o one.o one.c && gcc -g -gbtf -c -o two.o two.c || fail "gcc failed"
ld -r -o joined.o one.o two.o || fail "linking failed"
run_ok btfenc --btf_features=var --btf_encode_detached=archive.btf joined.o
expect_in stderr "^btfenc: warning: 'joined.o': 2 variables left out, first 'cpu_local': no single symbol fits$"
unique='-Dcpu_local=cpu_two'

features=var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func
for list in $features $features,global_var; do
	for level in 0 2; do
		gcc -g -gbtf -O$level -c one.c main.c && gcc -g -gbtf -O$level $unique -c two.c ||
			fail "gcc failed"
		gcc -o program one.o two.o main.o && ld -r -o joined.o one.o two.o main.o || fail "linking failed"
		for file in program joined.o; do
			run_ok btfenc -F dwarf --btf_features=$list --btf_encode_detached=dwarf.btf "$file"
			run_ok btfenc --btf_features=$list --btf_encode_detached=archive.btf "$file"
			expect_in stderr "^btfenc: warning: '$file': .*[')] and 2 others: without .debug.btf, .*$"
			same dwarf.btf archive.btf
			"$BTFCHECK" archive.btf >checked || {
				cat checked >&2
				fail "refused"
			}
		done
	done
done

# -X cannot choose by the source that gcc records, which has another name than in DWARF
run_ok btfenc -X two.c --btf_features=$features --btf_encode_detached=archive.btf program
expect_in stderr "^btfenc: warning: 'program': .*[')] and 2 others: of unknown source, so -X ignores it$"

# a linker that keeps the order of its inputs decides which of two makers' members is first
objcopy -R .BTF two.o plain.o
run_ok btfenc -J --btf_features=$features plain.o
gcc -o mixed one.o plain.o main.o || fail "linking failed"
run_ok btfenc --btf_features=$features --btf_encode_detached=mixed.btf mixed
expect_in stderr "^btfenc: warning: 'mixed': members with BTF of gcc: 2, of other compilers: 1; many types"
