#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the BTF of a module's objects gives, over a base, what the module's DWARF gives

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy ld strip bpftool
cat >core.h <<'END'
struct device { int id; struct device *parent; char name[8]; };
enum state { DOWN, UP };
typedef unsigned int u32;
END
cat >core.c <<'END'
#include "core.h"
struct device root;
enum state state;
int core_add(struct device *d, u32 flags) { return d->id + flags + state; }
END
cat >module.h <<'END'
#include "core.h"
struct port { struct device dev; struct queue *q; u32 speed; };
static inline u32 speed_of(struct port *p) { return p->speed; }
END
cat >first.c <<'END'
#include "module.h"
struct queue { struct port *owner; const u32 *ring; };
__attribute__((section(".data..percpu"))) int per_cpu = 1;
static __attribute__((noinline)) u32 same_name(struct queue *q) { return *q->ring; }
u32 first(struct queue *q) { return speed_of(q->owner) + same_name(q); }
END
cat >second.c <<'END'
#include "module.h"
struct lonely { struct lonely *next; enum state s; };
static __attribute__((noinline)) u32 same_name(struct lonely *l) { return l->s; }
u32 second(struct port *p, struct lonely *l) { return speed_of(p) + same_name(l); }
END
features=var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func
gcc -g -O2 -c core.c && gcc -g -O2 -c first.c && gcc -g -O2 -c second.c || fail "gcc failed"
run_ok btfenc -J --btf_features=$features core.o
section core.o .BTF base.btf

# expected MODULE OBJECT...: what the DWARF of these gives; the objects then have BTF instead
expected()
{
	module=$1
	shift
	ld -r -o with-dwarf.ko "$@" || fail "ld failed"
	run_ok btfenc --btf_features=$features --btf_base=base.btf \
		--btf_encode_detached="$module.dwarf" with-dwarf.ko
	for object; do
		run_ok btfenc -J --strip_dwarf --btf_features=$features "$object"
		! has_section "$object" .debug_info || fail "$object keeps DWARF"
	done
	ld -r -o "$module.ko" "$@" || fail "ld failed"
	cp "$module.ko" before.ko
}

# finish MODULE OPTION...: the same in place, at once and again, and told to
finish()
{
	module=$1
	shift
	cp before.ko "$module.ko"
	for jobs in 1 8 16; do
		run_silent btfenc "$@" -j$jobs --btf_features=$features --btf_base=base.btf \
			--btf_encode_detached=detached "$module.ko"
		cmp "$module.dwarf" detached || fail "$module: BTF and DWARF differ with -j$jobs ($*)"
	done
	run_silent btfenc "$@" -J --btf_features=$features --btf_base=base.btf "$module.ko"
	objcopy --dump-section .BTF=in-place "$module.ko" junk || fail "$module has no .BTF"
	cmp "$module.dwarf" in-place || fail "$module: BTF in place and DWARF differ ($*)"
	! has_section "$module.ko" .debug.btf || fail "$module.ko keeps .debug.btf"
	bpftool btf -B base.btf dump file "$module.ko" >/dev/null || fail "bpftool does not read $module.ko"
}

expected many first.o second.o
finish many
finish many -F btf
bpftool btf -B base.btf dump file many.ko >text
grep -q "FUNC 'first'" text || fail "no function first"
! grep -q "FUNC 'same_name'" text || fail "two functions of one name, and one is described"

gcc -g -O2 -c second.c || fail "gcc failed"
expected one second.o
finish one
finish one -F btf

# A file of one object that is still to be linked keeps its .BTF and .debug.btf.
cp second.o before.o
has_section second.o .debug.btf || fail "no .debug.btf in an object without DWARF"
run_ok btfenc -J --btf_features=$features second.o
cmp before.o second.o || fail "an object that had lost its DWARF was changed"
