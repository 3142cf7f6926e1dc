#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -R prints structs with their members moved into holes, and -S each step, as pahole does where that is possible

. "${0%/*}/../lib/testlib.sh"

need getconf
[ "$(getconf LONG_BIT)" = 64 ] || skip "longs have not 64 bits"
gcc_c a.o <<\END
struct holes { char a; long b; char c; short d; int e; } holes;
struct last { int a; long b; int c; } last;
struct dense { short a; char b[6]; } dense;
struct closed { char a; long b; char c; short d; long e; int f; } closed;
union u { int i; } u;
typedef struct { char a; long b; char c; } nameless;
nameless n;
END
btfenc -J --btf_features=default a.o || fail "cannot encode"

# the text of pahole 1.32, but for "dense", which needs 14 bytes there, and "closed", where e is at 24
run_ok btfenc -c 8 -R -C holes,last,dense,closed a.o
expect_no_stderr
expect_stdout <<\END
struct holes {
	char                       a;                    /*     0     1 */
	char                       c;                    /*     1     1 */
	short int                  d;                    /*     2     2 */
	int                        e;                    /*     4     4 */
	/* --- cacheline 1 boundary (8 bytes) --- */
	long int                   b;                    /*     8     8 */

	/* size: 16, cachelines: 2, members: 5 */
};   /* saved 8 bytes and 1 cacheline! */
struct last {
	int                        a;                    /*     0     4 */
	int                        c;                    /*     4     4 */
	/* --- cacheline 1 boundary (8 bytes) --- */
	long int                   b;                    /*     8     8 */

	/* size: 16, cachelines: 2, members: 3 */
};   /* saved 8 bytes and 1 cacheline! */
struct dense {
	short int                  a;                    /*     0     2 */
	char                       b[6];                 /*     2     6 */

	/* size: 8, cachelines: 1, members: 2 */
};
struct closed {
	char                       a;                    /*     0     1 */
	char                       c;                    /*     1     1 */
	short int                  d;                    /*     2     2 */
	int                        f;                    /*     4     4 */
	/* --- cacheline 1 boundary (8 bytes) --- */
	long int                   b;                    /*     8     8 */
	/* --- cacheline 2 boundary (16 bytes) --- */
	long int                   e;                    /*    16     8 */

	/* size: 24, cachelines: 3, members: 6 */
};   /* saved 16 bytes and 2 cachelines! */
END
mv out/stdout reorganized

# a list as the first argument, the DWARF, the names in a file
run_ok btfenc holes,last,dense,closed -R -c 8 a.o
diff reorganized out/stdout || fail "another text for a list without -C"
run_ok btfenc -F dwarf -c 8 -R -C holes,last,dense,closed a.o
diff reorganized out/stdout || fail "another text from DWARF"
printf '%s\n' holes last dense closed >names
run_ok btfenc -c 8 --reorganize -C "file://$PWD/names" a.o
diff reorganized out/stdout || fail "another text for names in a file"

run_ok btfenc -c 8 -q -R -S -C last a.o
expect_stdout <<\END
/* Moving 'c' from after 'b' to after 'a' */
struct last {
	int                        a;
	int                        c;
	long int                   b;
}

/* Final reorganized struct: */
struct last {
	int                        a;
	int                        c;
	long int                   b;
};   /* saved 8 bytes and 1 cacheline! */
END
run_ok btfenc -c 8 -q -R -V -C holes,dense a.o
expect_stdout <<\END
/* Moving 'c' from after 'b' to after 'a' */
/* Moving 'e' from after 'd' to after 'c' */
/* Moving 'd' from after 'b' to after 'c' */

struct holes {
	char                       a;
	char                       c;
	short int                  d;
	int                        e;
	long int                   b;
};   /* saved 8 bytes and 1 cacheline! */
struct dense {
	short int                  a;
	char                       b[6];
};
END

# -P prints the structs that become smaller, and with -V their text
run_ok btfenc -P -s a.o
printf '%s\t%d\t%d\t%d\n' holes 24 16 8 last 24 16 8 closed 40 24 16 >expected
diff expected out/stdout || fail "-P prints other lines"
run_ok btfenc -P -a -t : -y nam a.o
echo nameless:24:16:8 | diff - out/stdout || fail "-P -a prints other lines"
run_ok btfenc -P -V -n a.o
printf '%s\t%d\n' holes 5 last 3 closed 6 | diff - out/stdout || fail "-P -V prints other lines"
run_ok btfenc -P --unions a.o
expect_no_stdout
run_ok btfenc -q -P -C dense a.o
expect_in stdout 'struct dense {'

# what is no struct is an error, and the structs are printed
for name in u nameless; do
	run btfenc -q -R -C $name,last a.o
	expect_status 1
	expect_in stdout 'saved 8 bytes'
	expect_in stderr "error: type '$name' is no struct: only structs are reorganized"
done
error "type 'nowhere' not found" -R -C nowhere a.o
usage_error "'-R' needs a list of structs: give '-C LIST'" -R a.o
usage_error "'-R' needs a list of structs: give '-C LIST'" -R -i int a.o
usage_error "'-S' needs '-R'" -S -C last a.o
usage_error "'-R' and '--compile' cannot be combined" -R --compile -C last a.o
usage_error "'--reorganize' prints whole structs: '-s', '-n', '-N', '-T' and '-z' print another form" --reorganize -s -C last a.o
usage_error "'--json' and '-R' cannot be combined" -R --json -C last a.o
usage_error "'--json' and '-P' cannot be combined" --json -P a.o
