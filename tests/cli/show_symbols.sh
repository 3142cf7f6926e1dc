#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -C prints prototypes of functions, declarations of variables, and members by their path

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct pair { int low; unsigned flag : 3, more : 7; };
struct outer {
	long first;
	union { int number; struct { char pad[4]; struct pair pair; }; };
	struct { struct pair *far; } named;
	struct pair near;
};
typedef struct outer outer_t;
struct outer outer;
outer_t *where[4];
const char *const names[2][3] = { { "a" } };
int (*handler)(struct outer *, char);
int ticks __attribute__((section(".data..percpu"))) = 1;
int add(int a, const struct pair *b) { return a + b->low; }
void none(void) { ticks++; }
int printed(const char *format, ...) { return !format; }
void (*chosen(int nr, int (*fn)(int rows[][2])))(long) { return fn && nr ? (void *)fn : 0; }
int page(void) { return 0; }
END

run_ok btfenc -q -C 'none,add,printed,chosen,outer_t.near,where,names,handler,ticks' a.o
expect_stdout <<\END
struct pair                near;
void none(void);
int add(int a, const struct pair *b);
int printed(const char *format, ...);
void (*chosen(int nr, int (*fn)(int (*)[2])))(long int);
outer_t *where[4];
const char *const names[2][3];
int (*handler)(struct outer *, char);
int ticks;
END
cp out/stdout expected
btfenc --btf_encode_detached=a.btf --btf_features=default,global_var a.o || fail "cannot encode"
run_ok btfenc -q -C 'none,add,printed,chosen,outer_t.near,where,names,handler,ticks' a.btf
cmp expected out/stdout || fail "BTF gives something else than DWARF"

# where a variable is
run_ok btfenc -C ticks a.o
expect_stdout <<\END
int ticks; /* section .data..percpu, offset 0, size 4 */
END
# and one of the base
gcc_c over.o <<\END
struct pair { int low; unsigned flag : 3, more : 7; };
int over(struct pair *a) { return a->low; }
END
btfenc --btf_base=a.btf --btf_encode_detached=over.btf over.o || fail "cannot encode over a base"
run_ok btfenc --btf_base=a.btf -C ticks over.btf
expect_in stdout '^int ticks; /\* section .data..percpu, offset 0, size 4 \*/$'
run_ok btfenc --json --btf_base=a.btf -C ticks over.btf
expect_in stdout '"section":".data..percpu","offset":0,"size":4}$'
# only functions
run_ok btfenc -q -C 'add(),p*()' a.o
expect_stdout <<\END
int add(int a, const struct pair *b);
int page(void);
int printed(const char *format, ...);
END
# a pattern stands for types, functions and variables, also if two of them have one name; a keyword selects types
run_ok btfenc -q -C 'p*,oute?' a.o
expect_in stdout '^struct pair {'
expect_in stdout '^int page(void);'
expect_in stdout '^struct outer outer;'
run_ok btfenc -q -C 'struct o*' a.o
expect_in stdout '^struct outer {'
expect_not_in stdout '^struct outer outer;'
# a name or pattern that no type has stands for functions and variables
run_ok btfenc -q -C 'add,h*' a.o
expect_stdout <<\END
int add(int a, const struct pair *b);
int (*handler)(struct outer *, char);
END
error "function 'addd()' not found; did you mean 'add'?" -C 'addd()' a.o
error "no function matches 'z*()'" -C 'z*()' a.o
error "type 'struct add' not found: 'add' is a function" -C 'struct add' a.o

# a member: in members without a name, in members that have one, and bit fields
run_ok btfenc -C outer.first,outer.number,outer.pair.low,outer.pair.more,outer.named.far,outer.near a.o
expect_stdout <<\END
long int                   first;                /*     0     8 */
int                        number;               /*     8     4 */
int                        low;                  /*    12     4 */
unsigned int               more:7;               /*    16: 3  4 */
struct pair *              far;                  /*    24     8 */
struct pair                near;                 /*    32     8 */
END
run_ok btfenc -E -q -C outer.near a.o
expect_in stdout 'low;'
error "'outer.pair.nothing': the type has no such member" -C outer.pair.nothing a.o
error "'outer.first.x': the type has no such member" -C outer.first.x a.o
error "'outer.named.far.low': a path cannot lead through a pointer" -C outer.named.far.low a.o
error "'outer.numbre': the type has no such member; did you mean 'number'?" -C outer.numbre a.o
error "'outer.pair.mroe': the type has no such member; did you mean 'more'?" -C outer.pair.mroe a.o
error "type 'outter.first' not found; did you mean 'outer'?" -C outter.first a.o
usage_error "'out*.first': a pattern cannot select members" -C 'out*.first' a.o

# as JSON
run_ok btfenc --json -C pair,outer.pair.more,add,ticks a.o
sed 's/"tool":"[^"]*"/"tool":"T"/' out/stdout >got
cat >expected <<\END
{"schema":"btfenc-types","version":1,"tool":"T","inputs":["a.o"]}
{"file":"a.o","kind":"struct","name":"pair","size":8,"holes":0,"bit_holes":0,"padding":0,"members":[{"name":"low","type":"int","offset":0,"size":4},{"name":"flag","type":"unsigned int","offset":4,"size":4,"bit":0,"bits":3},{"name":"more","type":"unsigned int","offset":4,"size":4,"bit":3,"bits":7}]}
{"file":"a.o","kind":"member","name":"outer.pair.more","type":"unsigned int","offset":16,"size":4,"bit":3,"bits":7}
{"file":"a.o","kind":"func","name":"add","declaration":"int add(int a, const struct pair *b)","returns":"int","parameters":[{"name":"a","type":"int"},{"name":"b","type":"const struct pair *"}]}
{"file":"a.o","kind":"var","name":"ticks","declaration":"int ticks","type":"int","section":".data..percpu","offset":0,"size":4}
{"end":true,"types":4}
END
cmp expected got || fail "other JSON: $(cat got)"
gcc_c b.o <<\END
enum sign { BELOW = -1, ABOVE };
enum big { BIG = 0xffffffffffffffff };
typedef struct { struct { int x; }; } *handle;
enum sign s; enum big b; handle h;
END
run_ok btfenc --json -C sign,big,handle b.o
sed 1d out/stdout >got
cat >expected <<\END
{"file":"b.o","kind":"enum","name":"sign","size":4,"enumerators":[{"name":"BELOW","value":-1},{"name":"ABOVE","value":0}]}
{"file":"b.o","kind":"enum","name":"big","size":8,"enumerators":[{"name":"BIG","value":18446744073709551615}]}
{"file":"b.o","kind":"typedef","name":"handle","type":"struct {...} *"}
{"end":true,"types":3}
END
cmp expected got || fail "other JSON: $(cat got)"
run_ok btfenc --json a.o
[ "$(grep -c '"kind":"struct"' out/stdout)" = 2 ] || fail "not all structs"
usage_error "'--json' and '-s' cannot be combined" --json -s a.o
usage_error "'--json' and '-E' cannot be combined" --json -E a.o
usage_error "'--json' and '-i' cannot be combined" --json -i pair a.o

# other forms have types only
error "type 'pair.low' not found; did you mean 'pair'?" -s -C pair.low a.o
usage_error "'add()': btfenc prints types, not functions or data" -n -C 'add()' a.o
error "type 'add' not found" --compile -C add a.o
error "type 'prnted' not found; did you mean 'printed'?" -C prnted a.o
