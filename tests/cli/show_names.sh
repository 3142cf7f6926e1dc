#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -C prints the types that it names, in its order, and says which there are not

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct one { int a; };
struct two { struct one a; };
union both { int a; char b; };
enum colour { RED, GREEN = 70000, BLUE };
typedef struct { int x; } point;
typedef unsigned int number;
typedef int (*callback)(struct two *, const char *name);
typedef enum { ON, OFF } flag;
typedef int row[3];
typedef struct one alias;
typedef union both both_t;
typedef enum colour colour_t;
struct two two; union both both; enum colour colour; point p; number n; callback c; flag f; row r;
alias al; both_t bt; colour_t ct;
END

run_ok btfenc -c 64 -C two,both,one a.o
expect_stdout <<\END
struct two {
	struct one                 a;                    /*     0     4 */

	/* size: 4, cachelines: 1, members: 1 */
	/* last cacheline: 4 bytes */
};

union both {
	int                        a;                  /*     0     4 */
	char                       b;                  /*     0     1 */
};

struct one {
	int                        a;                    /*     0     4 */

	/* size: 4, cachelines: 1, members: 1 */
	/* last cacheline: 4 bytes */
};

END

run_ok btfenc -c 64 -C colour,point,number,callback,flag,row,alias,both_t,colour_t a.o
expect_stdout <<\END
enum colour {
	RED   = 0,
	GREEN = 70000,
	BLUE  = 70001,
};

typedef struct {
	int                x;                    /*     0     4 */

	/* size: 4, cachelines: 1, members: 1 */
	/* last cacheline: 4 bytes */
} point;

typedef unsigned int number;

typedef int (*callback)(struct two *, const char  *);

typedef enum {
	ON  = 0,
	OFF = 1,
} flag;

typedef int                        row[3];

typedef struct one alias;

typedef union both                 both_t;

typedef enum colour colour_t;

END

printf 'one\n\nboth' >list
btfenc -C one,both a.o >expected || fail "-C fails"
run_ok btfenc -C file://list a.o
cmp expected out/stdout || fail "a list of names is not the same as the names"

# any file may be given as a list, and errors print nothing of it
printf 'one\n\nroot:secret:1\n' >shadow
run_status 1 btfenc -C file://shadow a.o
expect_stderr <<\END
btfenc: error: type 'shadow', line 3 not found
END
printf 'root(secret)\n' >shadow
usage_error "'shadow', line 1: btfenc prints types, not functions or data" -C file://shadow a.o

# the others are printed all the same
run_status 1 btfenc -C one,tow,both,thee a.o
cmp expected out/stdout || fail "not what there is"
expect_stderr <<\END
btfenc: error: type 'tow' not found; did you mean 'two'?
btfenc: error: type 'thee' not found
END
run_ok btfenc --skip_missing -C one,tow,both,thee a.o
expect_no_stderr
cmp expected out/stdout || fail "not what there is"

# the keyword may come with the name; other things have no definition
btfenc -C one,colour,alias a.o >expected || fail "-C fails"
run_ok btfenc -C 'struct one,enum colour,typedef alias' a.o
cmp expected out/stdout || fail "'struct one' is not one"
error "type 'union one' not found; did you mean 'one'?" -C 'union one' a.o
error "type 'unsigned' is a base type: it has no definition" -C unsigned a.o
echo 'struct far; int near(struct far *f) { return !f; }' | gcc_c far.o
error "type 'far' is declared, but not defined" -C far far.o
btfenc --btf_encode_detached=far.btf far.o || fail "cannot encode"
error "type 'near' not found: 'near' is a function" -s -C near far.btf

# a pattern stands for all names that match; a name is printed for the first entry that has it
run_ok btfenc -s -t: -C 'one,o*,struct *' a.o
grep . out/stdout >got
printf 'one:4:0\ntwo:4:0\n' | cmp - got || fail "not each name once: $(cat got)"
run_ok btfenc -s -t: -C 'enum *,union *' a.o
grep . out/stdout | cut -d: -f1 | tr '\n' ' ' >got
[ "$(cat got)" = "colour both " ] || fail "the keyword does not count: $(cat got)"
error "no type matches 'struct x*'" -C 'struct x*' a.o
run_ok btfenc --skip_missing -C 'x*' a.o

# a similar name is sought for the first 20 missing names
seq 30 | sed 's/.*/two_&,tow/' | tr '\n' ',' >names
run_status 1 btfenc -C "$(cat names)one" a.o
[ "$(grep -c ' not found' out/stderr)" = 60 ] || fail "not all names are missing"
[ "$(grep -c "'tow' not found; did you mean 'two'?" out/stderr)" = 10 ] || fail "not 10 of 20"

usage_error "the name of a type is empty" -C one,,two a.o
usage_error "'one(sizeof=a)': btfenc prints types, not functions or data" -C 'one(sizeof=a)' a.o
run_status 1 btfenc -C file://nowhere a.o
