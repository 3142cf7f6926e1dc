#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -I, -u and -D: where types are declared, which only DWARF knows

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy

mkdir -p sub/include
cat >sub/include/types.h <<\END
struct shared { int a; };
typedef struct shared shared_t;
END
cat >sub/one.c <<\END
#include "types.h"
struct shared s; shared_t t;
struct same { int a; int b; };
struct same of_one;
union u { struct { int deep; } in; long l; } u;
enum colour { RED } colour;
END
cat >sub/two.c <<\END
#include "types.h"

struct later;
struct pointer { struct later *later; } p;
struct later { char c[3]; } later;
struct same { int a; int c; } same;
struct shared s2;
END

# heads: the comments before types, and the first line of each
heads()
{
	grep -A 1 '^/\*' out/stdout | grep -v '^--' | sed -E 's/ <[0-9a-f]+>/ <>/'
}

# declared OPTION...: compile and compare
declared()
{
	for unit in one two; do
		gcc -std=gnu11 -g "$@" -Isub/include -c -o $unit.o sub/$unit.c || fail "gcc $*"
	done
	ld -r -o both.o one.o two.o || fail "ld failed"
	run_ok btfenc -I both.o
	expect_no_stderr
	heads >out/heads
	expect_same heads <<END
/* Used at: sub/one.c */
/* <> sub/include/types.h:1 */
struct shared {
/* Used at: sub/one.c */
/* <> sub/one.c:3 */
struct same {
/* Used at: sub/one.c */
/* <> sub/one.c:5 */
union u {
/* Used at: sub/two.c */
/* <> sub/two.c:4 */
struct pointer {
/* Used at: sub/two.c */
/* <> sub/two.c:5 */
struct later {
/* Used at: sub/two.c */
/* <> sub/two.c:6 */
struct same {
END
	# the offset is that of the entry
	off=$(sed -n 's/.*<\([0-9a-f]*\)>.*one.c:5.*/\1/p' out/stdout)
	readelf --debug-dump=info both.o | grep -q "<$off>: Abbrev Number.*DW_TAG_union_type" || fail "nothing at $off"
	run_ok btfenc -u -C later,shared,colour,shared_t both.o
	expect_stdout <<\END
sub/two.c
sub/one.c
sub/one.c
sub/one.c
END
	run_ok btfenc -D sub/one -s both.o
	cut -f 1 out/stdout | tr '\n' ' ' >out/names
	[ "$(cat out/names)" = "shared pointer later same " ] || fail "-D: $(cat out/names)"
}
for dwarf in 4 5; do
	declared -gdwarf-$dwarf
	declared -gdwarf-$dwarf -gz
	declared -gdwarf-$dwarf -O2
done

run_ok btfenc -q -I -C colour,shared_t both.o
sed -E 's/<[0-9a-f]+>/<>/' out/stdout >out/all
expect_same all <<END
/* Used at: sub/one.c */
/* <> sub/one.c:6 */
enum colour {
	RED = 0,
};

/* Used at: sub/one.c */
/* <> sub/include/types.h:2 */
typedef struct shared shared_t;

END

# DWARF is read even if there is BTF; a unit that is left out does not count
btfenc -J both.o || fail "cannot encode"
run_ok btfenc -u -C shared -X sub/one both.o
expect_stdout <<\END
sub/two.c
END

# of BTF
btfenc --btf_encode_detached=both.btf both.o || fail "cannot encode"
run_ok btfenc -q -I -C pointer both.btf
expect_stdout <<\END
/* Used at: both.btf */
/* <0> (null):0 */
struct pointer {
	struct later *             later;
};

END
run_ok btfenc -u -C later both.btf
expect_stdout <<\END
both.btf
END
run btfenc -D /usr both.btf
expect_error "'both.btf': '-D' needs DWARF, because BTF has no names of files"
run btfenc -F btf -D /usr both.o
expect_error "'both.o': '-D' needs DWARF, because BTF has no names of files"
run btfenc -u both.o
expect_usage_error "'-u' needs '-C'"

# the debug information is in another file
if objcopy --only-keep-debug one.o one.debug 2>/dev/null; then
	gcc -g -Isub/include -shared -nostdlib -o lib.so one.o two.o || fail "gcc failed"
	objcopy --only-keep-debug lib.so lib.debug && objcopy -g --add-gnu-debuglink=lib.debug lib.so stripped.so ||
		fail "objcopy failed"
	run_ok btfenc -I -q -C later stripped.so
	expect_in stdout "sub/two.c:5"
fi
