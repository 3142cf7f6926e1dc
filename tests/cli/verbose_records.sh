#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -V given twice prints a line for each record that is written, with the words of pahole

. "${0%/*}/../lib/testlib.sh"

need gcc
gcc_c a.o -O1 <<\END
enum few { MINUS = -1, PLUS = 2 };
enum wide { LARGE = 1L << 40 };
union any { enum few few; float f; };
struct late;
typedef const volatile int number;
struct all { number n; int bits : 3; unsigned char more : 5; union any *any; enum wide wide; char a[2][3]; struct late *late; };
struct all *restrict all __attribute__((section(".data..percpu")));
_Bool flag(struct all *a, int nr, ...) { return a->n == nr; }
void none(void) { }
END
features=float,enum64,var,encode_force
run_ok btfenc -VV -J --btf_features=$features --btf_encode_detached=a.btf a.o
expect_no_stderr
cp out/stdout all
cat >expected <<\END
[1] ENUM few size=4
	MINUS val=-1
	PLUS val=2
[2] INT int size=4 nr_bits=32 encoding=SIGNED
END
head -n 4 all | diff expected - >&2 || fail "the first lines differ"
for line in '\[[0-9]*] ENUM64 wide size=8' '	LARGE val=1099511627776' '\[[0-9]*] UNION any size=4' \
	'	f type_id=[0-9]* bits_offset=0' '\[[0-9]*] FLOAT float size=4 nr_bits=32' '\[[0-9]*] FWD late struct' \
	'\[[0-9]*] TYPEDEF number type_id=[0-9]*' '\[[0-9]*] CONST (anon) type_id=[0-9]*' '\[[0-9]*] STRUCT all size=40' \
	'	bits type_id=[0-9]* bitfield_size=3 bits_offset=32' '	any type_id=[0-9]* bits_offset=64' \
	'\[[0-9]*] ARRAY (anon) type_id=[0-9]* index_type_id=[0-9]* nr_elems=3' \
	'\[[0-9]*] INT _Bool size=1 nr_bits=8 encoding=BOOL' '\[[0-9]*] FUNC_PROTO (anon) return=[0-9]* args=([0-9]* a, [0-9]* nr, vararg)' \
	'\[[0-9]*] FUNC_PROTO (anon) return=0 args=(void)' '\[[0-9]*] FUNC flag type_id=[0-9]*' \
	'\[[0-9]*] VAR all type=[0-9]* linkage=1' '\[[0-9]*] DATASEC .data..percpu size=8 vlen=1' '	type=[0-9]* offset=0 size=8'; do
	grep -qx -- "$line" all || fail "no line $line in $(cat all)"
done
[ "$(grep -c '^\[' all)" = "$(grep '^\[' all | tail -n 1 | sed 's/\[\([0-9]*\).*/\1/')" ] || fail "the numbers have gaps"

# in any place of the line, and not with one -V
run_ok btfenc --verbose -J --btf_features=$features --btf_encode_detached=a.btf a.o -V
cmp -s all out/stdout || fail "other lines"
run_silent btfenc -V -J --btf_features=$features --btf_encode_detached=a.btf a.o

# not on standard output if the BTF is there
btfenc -VV --btf_features=$features --btf_encode_detached=- a.o >b.btf 2>lines || fail "status"
cmp a.btf b.btf || fail "other BTF"
cmp lines all || fail "other lines on standard error"

# several modules: in the order of the files, with the name of each
gcc_c one.o <<\END
struct all; struct one { struct all *all; } one;
END
gcc_c two.o <<\END
struct two { int i; } two;
END
for jobs in 1 4; do
	run_ok btfenc -VV -j$jobs -J --btf_base a.btf --btf_features=$features one.o two.o
	sed -E 's|^.[0-9]+\]|[]|; s|id=[0-9]*|id=|' out/stdout >out/shape
	expect_same shape <<\END
'one.o':
[] STRUCT one size=8
	all type_id= bits_offset=0
'two.o':
[] STRUCT two size=4
	i type_id= bits_offset=0
END
done
