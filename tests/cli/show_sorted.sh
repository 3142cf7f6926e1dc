#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --sort prints structs by their names and members, so that BTF and the DWARF of a file give the same text

. "${0%/*}/../lib/testlib.sh"

need gcc ld

gcc_c one.o <<\END
struct zoo { int a; };
struct list { struct list *next; long data[2][3]; };
struct op { int (*get)(struct zoo *); };
struct grown { int a; };
union any { struct zoo zoo; char bytes[8]; };
struct zoo z; struct list l; struct op o; struct grown g; union any a;
END
gcc_c two.o <<\END
struct apple { char c; };
struct op { int (*get)(struct apple *); };
struct grown { int a; char b; };
struct bits { int x : 3; long y; };
struct apple a2; struct op o2; struct grown g2; struct bits b2;
END
ld -r -o both.o one.o two.o || fail "ld failed"

# structs that differ only in the type of a member are both there
run_ok btfenc --sort -q both.o
expect_no_stderr
expect_stdout <<\END
union any {
	struct zoo                 zoo;
	char                       bytes[8];
};
struct apple {
	char                       c;
};
struct bits {
	int                        x:3;
	long int                   y;
};
struct grown {
	int                        a;
};
struct grown {
	int                        a;
	char                       b;
};
struct list {
	struct list *              next;
	long int                   data[2][3];
};
struct op {
	int                        (*get)(struct apple *);
};
struct op {
	int                        (*get)(struct zoo *);
};
struct zoo {
	int                        a;
};
END

# what two files have alike is printed once, in the same place
cp out/stdout all
run_ok btfenc --sort -q two.o one.o both.o
cmp -s all out/stdout || fail "three files give another text"

# the size comes first, unless two structs differ only in types
gcc_c sizes.o <<\END
int f(void) { struct s { int a; int b; } s = { 0 }; { struct s { int b; } s = { 0 }; return s.b; } return s.a; }
END
run_ok btfenc --sort -n sizes.o
expect_stdout <<\END
s	1
s	2
END
echo 'struct t { int *a; }; int g(void) { struct t { long *a; } t = { 0 }; return !t.a; } struct t t;' >>sizes.c
gcc -g -c sizes.c || fail "cannot compile"
run_ok btfenc --sort -n sizes.o
expect_stdout <<\END
s	2
s	1
t	1
t	1
END

table prints <<\END
--sort -s -y gr both.o two.o | grown	4	0; grown	8	0
--sort -n --skip 2 --count 2 both.o | bits	2; grown	1
--sort -N --skip 8 both.o | zoo	3
--sort -s --structs -H 1 both.o | bits	16	1
-n --count 1 one.o | zoo	1
-n --skip 1 --count 2 one.o | list	2; op	1
-n --skip 4 --count 9 one.o two.o | any	2; apple	1; grown	2; bits	2
-T --skip 1 --count 1 one.o one.o | list	2
END

run_silent btfenc -n --skip 99 one.o

# the two prints of pahole's btfdiff: of the DWARF, and of the BTF
# differs FILE BTF: print the difference
differs()
{
	run_ok btfenc -E -F dwarf --sort --jobs --suppress_aligned_attribute --suppress_force_paddings --suppress_packed \
		--lang_exclude rust --show_private_classes "$1"
	cp out/stdout dwarf
	run_ok btfenc -E -F btf --sort --suppress_aligned_attribute --suppress_packed "$2"
	diff dwarf out/stdout >difference
}
for object in one.o two.o both.o; do
	btfenc -J $object || fail "cannot encode $object"
	differs $object $object || fail "$object: its BTF and DWARF differ: $(cat difference)"
done
btfenc --btf_features=float --btf_encode_detached=two.btf two.o
differs both.o two.btf && fail "other BTF is not different"
differs both.o both.o || fail "it stays so"

for option in --sort --skip=1 --count=1; do
	usage_error "'${option%=*}' and '-C' cannot be combined" $option -C zoo one.o
	usage_error "'${option%=*}' and '-i' cannot be combined" -i zoo $option one.o
	usage_error "'${option%=*}' is for all types of a file, and 'zoo' is not a file" $option zoo one.o
done
table usage_error <<\END
--sort -T one.o | '--sort' and '-T' cannot be combined
-a --sort one.o | '--sort' and '-a' cannot be combined
--sort -J one.o | '--sort' and '-J' cannot be combined
--count=x one.o | --count: 'x' is not a number from 0 to 4294967295
END
