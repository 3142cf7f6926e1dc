#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Names that have several definitions: in which units, and where these differ

. "${0%/*}/../lib/testlib.sh"

need gcc ld

# several ARGS: the lines of a report about such names, but for what all have; with any -j
several()
{
	for jobs in 1 2 8; do
		run_ok btfenc --btf_report=report$jobs -j$jobs "$@"
		cmp report1 report$jobs || fail "-j$jobs makes another report"
	done
	grep '"result":"several"' report1 |
		sed 's/"subject":"type","result":"several",//; s/^{"file":"[^"]*",/{/' >out/told
	grep -q '"several":'"$(grep -c . out/told)"',' report1 || fail "$(tail -n 1 report1)"
}

cat >types.h <<\END
struct same { int x; struct same *next; };
struct far { struct far *next; struct middle *middle; };
struct middle { struct deep *(*call)(struct same *); };
typedef struct far far_t;
#ifdef TWO
struct deep { int a; unsigned b; };
struct member { int x; int *y; };
struct size { int x; } __attribute__((aligned(16)));
union both { int x; long z; };
enum constants { NOTHING, SOMETHING, ALL };
struct private { int x; };
typedef struct { long x; } anonymous;
typedef long direct;
#else
struct deep { int a; int b; };
struct member { int x; int y; };
struct size { int x; };
union both { int x; long y; };
enum constants { NOTHING, ALL };
struct private;
typedef struct { int x; } anonymous;
typedef int direct;
#endif
#define USE(type, name) type *name __attribute__((used))
static USE(struct same, a);
static USE(struct member, b);
static USE(struct size, c);
static USE(far_t, d);
static USE(union both, e);
static USE(enum constants, f);
static USE(struct private, g);
static USE(anonymous, h);
static USE(direct, i);
END
for unit in one three; do
	echo '#include "types.h"' | gcc_c $unit.o -I.
done
echo '#include "types.h"' | gcc_c two.o -I. -DTWO
ld -r -o all one.o two.o three.o || fail "ld failed"

cat >expected <<\END
{"rule":"type_several_definitions","name":"anonymous","keyword":"typedef","definitions":[{"in":"btf","unit":"one.c","units":2},{"in":"btf","unit":"two.c","difference":"typedef anonymous.x: long int, not int; size 8 bytes, not 4"}]}
{"rule":"type_several_definitions","name":"both","keyword":"union","definitions":[{"in":"btf","bytes":8,"unit":"one.c","units":2},{"in":"btf","bytes":8,"unit":"two.c","difference":"union both.y: missing (long int)"}]}
{"rule":"type_several_definitions","name":"constants","keyword":"enum","definitions":[{"in":"btf","bytes":4,"unit":"one.c","units":2},{"in":"btf","bytes":4,"unit":"two.c","difference":"enum constants: ALL: 2, not 1"}]}
{"rule":"type_several_definitions","name":"deep","keyword":"struct","definitions":[{"in":"btf","bytes":8,"unit":"one.c","units":2},{"in":"btf","bytes":8,"unit":"two.c","difference":"struct deep.b: unsigned int, not int"}]}
{"rule":"type_several_definitions","name":"direct","keyword":"typedef","definitions":[{"in":"btf","unit":"one.c","units":2},{"in":"btf","unit":"two.c","difference":"typedef direct: long int, not int"}]}
{"rule":"type_several_definitions","name":"far","keyword":"struct","definitions":[{"in":"btf","bytes":16,"unit":"one.c","units":2},{"in":"btf","bytes":16,"unit":"two.c","difference":"struct far.middle->call: result->b (in struct deep): unsigned int, not int"}]}
{"rule":"type_several_definitions","name":"member","keyword":"struct","definitions":[{"in":"btf","bytes":8,"unit":"one.c","units":2},{"in":"btf","bytes":16,"unit":"two.c","difference":"struct member.y: int *, not int; offset 8 bytes, not 4; size 16 bytes, not 8"}]}
{"rule":"type_several_definitions","name":"middle","keyword":"struct","definitions":[{"in":"btf","bytes":8,"unit":"one.c","units":2},{"in":"btf","bytes":8,"unit":"two.c","difference":"struct middle.call: result->b (in struct deep): unsigned int, not int"}]}
{"rule":"type_several_definitions","name":"size","keyword":"struct","definitions":[{"in":"btf","bytes":4,"unit":"one.c","units":2},{"in":"btf","bytes":16,"unit":"two.c","difference":"struct size: size 16 bytes, not 4"}]}
END
several all
expect_same told <expected

# the same by way of an archive
for unit in one two three; do
	run_ok btfenc -J $unit.o
done
ld -r -o archive.o one.o two.o three.o || fail "ld failed"
several -F btf archive.o
expect_same told <expected

# --- for people
run_ok btfenc -q --explain all
expect_in stdout '^ *9 type_several_definitions: its name has several definitions$'
run_ok btfenc -q --explain=member all
sed 's/\[[0-9]*\]/[]/' out/stdout >out/told
expect_same told <<\END
all: 'member'
  in the generated BTF: STRUCT
  in the generated BTF: STRUCT
  type_several_definitions: its name has several definitions
    in one.c and 1 more unit, 8 bytes
    in two.c, 16 bytes: struct member.y: int *, not int; offset 8 bytes, not 4; size 16 bytes, not 8
END

# --- what a module has otherwise than its base
cat >base.h <<\END
struct known { int x; };
struct unknown;
struct holds { struct unknown *u; struct known *k; };
struct other { struct holds *h; int x; };
typedef int number;
static struct other *a __attribute__((used));
static number b __attribute__((used));
END
echo '#include "base.h"' | gcc_c base.o -I.
run_ok btfenc --btf_encode_detached=base.btf base.o
gcc_c module.o <<\END
typedef int number;
struct known { int x; };
struct unknown { int there; };
struct holds { struct unknown *u; struct known *k; };
struct other { int changed; };
static struct known a __attribute__((used));
static struct holds b __attribute__((used));
static struct other c __attribute__((used));
static number d __attribute__((used));
END
several --btf_base=base.btf module.o
expect_same told <<\END
{"rule":"type_differs_from_base","name":"holds","keyword":"struct","definitions":[{"in":"base","bytes":16},{"in":"btf","bytes":16,"unit":"module.c","difference":"struct holds.u (in struct unknown): a definition, not a declaration"}]}
{"rule":"type_differs_from_base","name":"other","keyword":"struct","definitions":[{"in":"base","bytes":16},{"in":"btf","bytes":4,"unit":"module.c","difference":"struct other.h: missing (struct holds *); size 4 bytes, not 16"}]}
END
# the first that leads to what the base only declares
gcc_c first.o <<\END
struct other { struct holds *h; int x; };
struct known { int x; };
struct unknown { int there; };
struct holds { struct unknown *u; struct known *k; };
static struct other a __attribute__((used));
static struct holds b __attribute__((used));
END
several --btf_base=base.btf first.o
expect_same told <<\END
{"rule":"type_repeats_base","name":"other","keyword":"struct","definitions":[{"in":"base","bytes":16},{"in":"btf","bytes":16,"unit":"first.c"}]}
END
run_ok btfenc -q --explain=holds --btf_base=base.btf module.o
expect_in stdout '^  type_differs_from_base: the base has another definition$'
expect_in stdout '^    in the base, 16 bytes$'
expect_in stdout '^    in module.c, 16 bytes: struct holds.u (in struct unknown): a definition, not a declaration$'
exit 0
