#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -p prints the types that members point to, each once where it contains itself

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
enum colour { RED };
struct in { int a; char c; long l; };
typedef struct in in_t;
struct out { struct in own; struct in *p; struct out *next; in_t **pp; void *v; const struct in *ci; char *s[2];
	struct { int x; } *nameless; int (*f)(int); enum colour *colour; struct later *later; };
struct out out;
END
run_ok btfenc -p -C out a.o
expect_no_stderr
sed 's/ *$//' out/stdout | sed '/^$/d' >out/text
expect_same text <<\END
struct out {
	struct in                  own;                  /*     0    16 */
	/* XXX last struct has 1 hole */
	struct in {
		int                a;
		char               c;
		/* XXX 3 bytes hole, try to pack */
		long int           l;
	} *p; /*    16     8 */
	struct out {
		struct in          own;
		/* XXX last struct has 1 hole */
		struct in {
			int        a;
			char       c;
			/* XXX 3 bytes hole, try to pack */
			long int   l;
		} *p;
		struct out         *next;
		/* typedef in_t */ struct in {
			int        a;
			char       c;
			/* XXX 3 bytes hole, try to pack */
			long int   l;
		} **pp;
		void *             v;
		const struct in {
			int  a;
			char c;
			/* XXX 3 bytes hole, try to pack */
			long int l;
		} *ci;
		char               *s[2];
		struct {
			int        x;
		} *nameless;
		int                (*f)(int);
		enum colour {
			RED = 0,
		} *colour;
		struct later {
		} *later;
	} *next; /*    24     8 */
	/* typedef in_t */ struct in {
		int                a;
		char               c;
		/* XXX 3 bytes hole, try to pack */
		long int           l;
	} **pp; /*    32     8 */
	void *                     v;                    /*    40     8 */
	const struct in {
		int          a;
		char         c;
		/* XXX 3 bytes hole, try to pack */
		long int     l;
	} *ci; /*    48     8 */
	char                       *s[2];                /*    56    16 */
	/* --- cacheline 1 boundary (64 bytes) was 8 bytes ago --- */
	struct {
		int                x;
	} *nameless;   /*    72     8 */
	int                        (*f)(int);            /*    80     8 */
	enum colour {
		RED = 0,
	} *colour;             /*    88     8 */
	struct later {
	} *later;                        /*    96     8 */
	/* size: 104, cachelines: 2, members: 11 */
	/* member types with holes: 1, total: 1 */
	/* last cacheline: 40 bytes */
};
END
run_ok btfenc -p -C in a.o
cp out/stdout with
run_ok btfenc -C in a.o
cmp -s with out/stdout || fail "a struct without pointers differs"

# each level of pointers doubles the text
i=0
{
	echo 'struct s0 { int a; };'
	while [ $i -lt 40 ]; do
		echo "struct s$((i + 1)) { struct s$i *a, *b; };"
		i=$((i + 1))
	done
	echo 'struct s40 s;'
} | gcc_c deep.o
run btfenc -p -C s40 deep.o
expect_status 1
expect_in stderr "its text has more than [0-9]* bytes"
table usage_error <<\END
-p -E a.o | '-E' and '-p' cannot be combined
-p --compile a.o | '--compile' and '-p' cannot be combined
END
