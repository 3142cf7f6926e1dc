# SPDX-License-Identifier: GPL-2.0-only
#
# split_types.sh - two units that share types, for the tests of debug information in parts
#
#	write_sources		one.c two.c shared.h, and cxx.cc
#	features		all that their types and variables show in
#	expect_same_types A B		btfenc gives both the same types

features=default,global_var

write_sources()
{
	cat >shared.h <<-END
	struct node { struct node *next; int v; enum color { RED, GREEN = 70000 } c; };
	typedef struct { long x; struct node *n; } anon_t;
	struct outer {
		struct inner { int q:3, r:5; } in;
		union { int i; float f; } u;
		anon_t a[3];
		int (*cb)(struct outer *, const char *);
	};
	struct later;
	static inline int inlined(struct node *n, int by) { return n->v + by; }
	END
	cat >one.c <<-END
	#include "shared.h"
	struct unused { int z; };
	__attribute__((noinline)) int f(struct outer *o, struct later *w) { return o->in.q + (w != 0); }
	int g(anon_t *a, enum color c) { return a->x + c + inlined(a->n, 3); }
	static __attribute__((noinline)) long same(long a) { return a + 1; }
	struct outer glob;
	long call_one(void) { return same(glob.a[0].x); }
	END
	cat >two.c <<-END
	#include "shared.h"
	struct later { char c[20]; };
	extern struct outer glob;
	int f(struct outer *o, struct later *w);
	static __attribute__((noinline)) long same(struct node *n) { return n->v; }
	int h(struct node *n) { struct later w; return f(&glob, &w) + same(n) + inlined(n, 4); }
	static struct { int p; } hidden;
	int main(void) { return h(glob.a[1].n) + hidden.p; }
	END
	cat >cxx.cc <<-END
	namespace ns {
	struct P {
		int a;
		struct Q { long z; } q;
		enum class E : char { A, B } e;
		int v();
	};
	int P::v() { return a; }
	}
	extern "C" int k(ns::P *p, ns::P::Q *w, ns::P::E e) { return p->q.z + w->z + (int)e; }
	END
}

# types_of FILE: encode it into FILE.btf, with nothing that could not be found
types_of()
{
	run_ok btfenc -V --btf_features=$features --btf_encode_detached="$1.btf" "$1"
	expect_not_in stdout "became void"
	run_ok btfenc --btf_check "$1.btf"
}

expect_same_types()
{
	types_of "$1"
	types_of "$2"
	run btfenc --btf_diff "$1.btf" "$2.btf"
	[ $STATUS = 0 ] || { show; fail "$2: other types than $1"; }
}
