#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --compile prints what a compiler takes: each type after what it needs, and once

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct opaque;
typedef struct opaque opaque_t;
typedef unsigned int number;
typedef enum { RED, GREEN } colour, color;
struct later;
typedef void (*callback)(struct later *, const number *, colour);
struct early { callback call; struct later *later; opaque_t *opaque; };
struct later { struct early early; color c; number *restrict numbers; union same *u; };
union same { int a; };
enum tag { ONE, TWO };
typedef const number *const_numbers;
struct early e; struct later l; union same s; enum tag t; const_numbers cn;
END
gcc_c b.o <<\END
struct same { long b; };
struct other { struct same *s; struct same t; enum { HERE } e; };
struct other o;
END

run_ok btfenc --compile -q a.o b.o
expect_no_stderr
cp out/stdout all.h
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	$compiler -Werror -Wno-missing-declarations -fsyntax-only -x c all.h >log 2>&1 ||
		fail "$compiler does not take it: $(head -n 5 log)"
done
[ "$(grep -c '^struct early {' all.h)" = 1 ] || fail "early is not defined once"
[ "$(grep -c '^struct opaque {' all.h)" = 0 ] || fail "opaque is defined"
grep -q '^typedef colour color;$' all.h || fail "of two typedefs of an enum one has nothing"
# a struct and a union of one name: the second gets another
grep -q '^struct same__1 {' all.h || fail "same is not told apart"
grep -q '	struct same__1             t;' all.h || fail "same is not told apart where it is used"

# all of what one needs, and no more
run_ok btfenc --compile -C later a.o
expect_in stdout '^struct early {'
expect_not_in stdout '^enum tag'
cp out/stdout one.h
echo 'int size = sizeof(struct later);' >>one.h
gcc -std=gnu11 -Werror -fsyntax-only -x c one.h 2>log || fail "gcc does not take it: $(head -n 5 log)"

# pointers to pointers to functions, and functions that return functions: the text means the same types
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	compile_stdin $compiler funcs.o <<\END
typedef int *param_t;
struct owner;
typedef int (**pointers)(struct owner *);
typedef void (*(*returns)(int))(char);
typedef void (*(plain)(int))(char);
struct owner {
	int (**pointer)(void);
	void (*(*returns)(int))(char);
	int (*(*array[3])(void))(long);
	int (**two[2])(void);
	void (*(**both)(param_t, int (**)(void)))(char, void (*(*)(int))(short));
	int (*const *constant)(void);
	int (*volatile *(*changing)(void))(int, ...);
	int (*volatile changing2)(void);
	int (*volatile quick[2])(int (*volatile *const)(void));
	volatile int numbers[3];
	plain *of_plain;
	pointers of_pointers;
	returns of_returns;
	void (*(*(*deep)(int))(char))(long);
};
struct owner owner;
END
	run_ok btfenc --compile funcs.o
	cp out/stdout again.c
	echo 'struct owner owner;' >>again.c
	$compiler -g -c again.c -o again.o 2>log || fail "$compiler does not take it: $(head -n 5 log)"
	btfenc -J again.o && btfenc -J funcs.o || fail "cannot encode"
	btfenc --btf_diff funcs.o again.o >log || fail "other types: $(cat log)"
done

# as pahole: of several structs of a name, the first is defined and declared, the second declared
for i in 1 2 3 4; do
	gcc_c "part$i.o" <<END
struct group { int a; long b$i[$i]; } g$i;
struct user$i { struct group *p; } u$i;
END
done
ld -r -o namesakes.o part[1-4].o || fail "ld failed"
run_ok btfenc --compile namesakes.o
[ "$(grep -c '^struct group;$' out/stdout)" = 2 ] || fail "not declared twice: $(cat out/stdout)"

# a struct, a union and an enum of one name
echo 'struct tag { int a; }; struct of_struct { struct tag v; } of_struct;' | gcc_c tag1.o
echo 'union tag { char c; }; struct of_union { union tag v; } of_union;' | gcc_c tag2.o
echo 'enum tag { A }; struct of_enum { enum tag v; } of_enum;' | gcc_c tag3.o
for order in '1 2 3' '3 2 1' '2 3 1'; do
	ld -r -o tags.o $(printf 'tag%s.o ' $order) || fail "ld failed"
	run_ok btfenc --compile tags.o
	[ "$(grep -c 'tag__[12]* {$' out/stdout)" = 2 ] || fail "not two names: $(cat out/stdout)"
	gcc -fsyntax-only -x c out/stdout 2>log || fail "gcc does not take it: $(head -n 5 log)"
done

# the same sizes as in the program
need getconf
[ "$(getconf LONG_BIT)" = 64 ] || exit 0
gcc_c shapes.o <"$SRCDIR/tests/lib/shapes.c"
run btfenc --compile shapes.o
cp out/stdout shapes.h
{
	cat shapes.h
	btfenc -s shapes.o | awk '$1 != "several" && $2 { print "_Static_assert(sizeof(struct " $1 ") == " $2 ", \"" $1 "\");" }' |
		grep -v __va_list_tag
} >sizes.c
[ "$(grep -c Static_assert sizes.c)" -ge 8 ] || fail "no sizes"
gcc -std=gnu11 -fsyntax-only sizes.c 2>log || fail "other sizes: $(head -n 5 log)"
