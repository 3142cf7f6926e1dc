#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# which structs and unions are listed, and what is said of them

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct list { struct list *next, *prev; };
struct two_holes { char a; int b; char c; long d; };
struct one_hole { struct list *list; char a; int b; long c; struct two_holes *holes; };
struct padded { long a; char b; };
struct __attribute__((packed)) tight { char a; long b; };
struct bits { int a : 3; struct list list; };
struct ends { int nr; int items[]; };
struct embeds { struct ends ends; };
union both { struct list list; int a; };
typedef struct { int x; } point;
struct holder { struct { int inner; } x; point y; struct padded z; };
struct one_hole a; struct padded b; struct tight c; struct bits d; struct embeds e; union both f;
point g; struct holder h; struct two_holes i;
END

# listed EXPECTED-NAMES OPTION...: which names a list with these options has
listed()
{
	want=$1
	shift
	run_ok btfenc -s -t ' ' "$@" a.o
	expect_no_stderr
	got=$(cut -d ' ' -f 1 out/stdout | sort | tr '\n' ' ')
	[ "$got" = "$want " ] || fail "$*: $got, expected $want"
}

run_ok btfenc --sizes -t: a.o
expect_stdout <<\END
list:16:0
two_holes:24:2
one_hole:32:1
padded:16:0
tight:9:0
bits:24:1
ends:4:0
embeds:4:0
both:16:0
holder:24:0
END
listed "both" --unions
listed "bits embeds ends holder list one_hole padded tight two_holes" --structs
listed "tight" --packed
listed "bits one_hole two_holes" -H 1
listed "two_holes" -H 2
listed "bits" -B 1
listed "padded" --padding_ge 7 -x ho
listed "bits both" -y b
listed "both ends" --with_flexible_array
listed "embeds" --with_embedded_flexible_array
listed "(null) (null) bits both embeds ends holder list one_hole padded tight two_holes" -a

table prints <<\END
# the last that says what is said counts; -z says names
-s -z 7 a.o | two_holes
-z 7 -V a.o | two_holes
END
run btfenc -V -z 7 a.o
expect_in stdout "^struct two_holes {"
table prints <<\END
-z 7 -s a.o | two_holes	24	2
-n -y ho a.o | holder	3
-N -y ho a.o | holder	6
END

# a typedef names what has no other name; what has none at all is in something else
run btfenc -q -a -y p a.o
expect_stdout <<\END
struct padded {
	long int                   a;
	char                       b;
};
typedef struct {
	int                        x;
} point;
END
run btfenc -q -a -A -x '' a.o
expect_stdout <<\END
struct {
	int                        inner;
};
END

# who has one in it, who points to it
run btfenc -i list a.o
expect_stdout <<\END
bits
both
END
run btfenc -V -i padded a.o
expect_in stdout '^holder: 1$'
run btfenc -f list a.o
expect_stdout <<\END
list: next
list: prev
one_hole: list
END
# a base type, as C spells it; void; several
for name in long 'long int' 'signed long'; do
	run btfenc -i "$name" a.o
	expect_stdout <<\END
two_holes
one_hole
padded
tight
END
done
gcc_c points.o <<\END
struct node;
union value { int i; };
enum colour { RED };
typedef int number;
struct points { unsigned char *bytes; void *any; struct node *node; union value *value;
	enum colour *colour; number *number; int *count; };
struct both { union value value; enum colour colour; number number; };
struct points p; struct both b;
END
# points_to MEMBER TYPE
points_to()
{
	run_ok btfenc -f "$2" points.o
	expect_no_stderr
	expect_stdout <<END
points: $1
END
}
points_to bytes 'unsigned char'
points_to any void
points_to node node
points_to node 'struct node'
points_to value 'union value'
points_to colour 'enum colour'
points_to number number
points_to number 'typedef number'
points_to count int
for type in 'union value' 'enum colour' number; do
	run btfenc -i "$type" points.o
	expect_stdout <<\END
both
END
done
run_status 1 btfenc -f number,nobody,void points.o
expect_stderr <<\END
btfenc: error: type 'nobody' not found
END
expect_stdout <<\END
points: number
points: any
END
error "type 'node' not found" -i node points.o
error "type 'nobody' not found" -f nobody a.o
printf 'list\nstruct padded\n' >types
table prints <<\END
-i file://types a.o | bits; both; holder
-i list,padded a.o | bits; both; holder
END
usage_error "'-i' and '-f' cannot be combined" -i list -f list a.o

# a pattern matches types of all files
table prints <<\END
-i 'padd*,[lt]ist' a.o | holder; bits; both
-f '*o*' points.o | points: any; points: colour; points: node
END

# what looks the same in several files is one
gcc_c b.o <<\END
struct padded { unsigned long a; unsigned char b; };
struct list { int a; };
struct padded a; struct list b;
END
table prints <<\END
-T -y pad a.o b.o | padded	2
-s -y l a.o b.o | list	16	0; list	4	0
END
run btfenc -q -C padded,list b.o a.o
expect_stdout <<\END
struct padded {
	long unsigned int          a;
	unsigned char              b;
};

struct list {
	int                        a;
};

END
