#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# enums by an enumerator, structs by the functions that take them, and lines and forms that only one option adds

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
enum colour { RED, GREEN = 5 };
enum { LONE = -1 };
enum wide { HUGE = 1L << 40, RED2 };
struct pair { int first; short second; };
struct deep { char c; struct pair pairs[2]; };
struct big { char c; struct deep deep; long double ld; long l; };
struct pointers { char c; enum colour colour; const struct pair *const p; long l; };
struct none { int empty[0]; };
struct flat { int first[2][3]; struct pair middle[2][2][2]; char *names[4][5]; int none[0][3]; int last[][7]; };
union u { int bits[2][2]; };
struct big b; struct pointers p; struct none n; struct flat f; union u u; enum wide w;
int lone(struct flat *f) { return f ? LONE : 0; }
int two(struct pair *p, int nr, struct pair *q, const struct pair *r) { return p == q; }
int one(struct flat *f, union u *u, struct pair **p) { return !f; }
END
btfenc --btf_features=enum64,encode_force --btf_encode_detached=a.btf a.o || fail "cannot encode"

# both FILE OPTION...: what the DWARF and the BTF of a.o give is the text of stdin
both()
{
	cat >expected
	for file in a.o a.btf; do
		run_ok btfenc "$@" $file
		expect_no_stderr
		expect_stdout <expected
	done
}

both --contains_enumerator=GREEN <<\END
enum colour {
	RED   = 0,
	GREEN = 5,
}
END
both --contains_enumerator LONE --hex <<\END
enum {
	LONE = 0xffffffffffffffff,
}
END
both --contains_enumerator RED2 --hex <<\END
enum wide {
	HUGE = 0x10000000000,
	RED2 = 0x10000000001,
} __attribute__((__packed__))
END
run btfenc --contains_enumerator BLUE a.o
expect_error "no enum has the enumerator 'BLUE'"
run btfenc --contains_enumerator RED a.o a.o
[ "$(grep -c '^enum colour' out/stdout)" = 2 ] || fail "not of each file"

# each parameter counts; a pointer to a const struct is another type
both -m <<\END
flat	2
pair	2
END
both -m -x fl -t: <<\END
pair:2
END
both --nr_methods --skip 1 <<\END
pair	2
END

# biggest NAME MEMBER: the line that -l adds to the struct NAME
biggest()
{
	run_ok btfenc -l -C "$2" a.o
	cp out/stdout with
	run_ok btfenc -C "$2" a.o
	diff out/stdout with | sed -n 's/^> *//p' >found
	printf "\t/* first biggest size base type member: %s */\n" "$1" | diff - found >&2 || fail "$2"
}
biggest "first 0 4" pair
biggest "first 0 4" deep
biggest "ld 32 16" big
biggest "p 8 8" pointers
run_ok btfenc -l -C none a.o
expect_in stdout 'member: empty 0 0'

both --flat_arrays -q -C flat,u <<\END
struct flat {
	int                        first[6];
	struct pair                middle[8];
	char *                     names[20];
	int                        none[0];
	int                        last[];
};

union u {
	int                        bits[4];
};

END

for option in -C -i -f; do
	usage_error "'$option' and '--contains_enumerator' cannot be combined" $option pair --contains_enumerator=RED a.o
	usage_error "'-m' and '$option' cannot be combined" -m $option pair a.o
done
table usage_error <<\END
-m --sort a.o | '--sort' and '-m' cannot be combined
--contains_enumerator=RED --count=1 a.o | '--count' and '--contains_enumerator' cannot be combined
-l -J a.o | '-l' and '-J' cannot be combined
END
