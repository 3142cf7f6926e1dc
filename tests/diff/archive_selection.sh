#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -X, --lang, --lang_exclude, PAHOLE_LANG_EXCLUDE and --kabi_prefix have the same effect on BTF of members as on DWARF
#
# For each form in which members are input: a linked file, ld -r, an object of several units and a link of it, modules
# over a base, and several objects. diff/archive_options.sh has these options for the objects.

. "${0%/*}/../lib/testlib.sh"

need gcc g++ cmp ld objcopy
cat >common.h <<'END'
struct shared { int a; struct part *__kabi_part; int __kabi_reserved1; };
struct base { long in_base; };
END
cat >one.c <<'END'
#include "common.h"
struct part { int only_in_one; };
struct __kabi_one { struct base b; } __kabi_var;
static int counter = 1;
static __attribute__((noinline)) int same(struct shared *s) { return s->a + counter++; }
int one(struct shared *s, struct __kabi_one *__kabi_param) { return same(s) + s->__kabi_part->only_in_one; }
END
cat >two.c <<'END'
#include "common.h"
struct __kabi_two { struct __kabi_one *other; enum { __kabi_enumerator } e; } in_two;
static long counter = 2;
static __attribute__((noinline)) int same(long n) { return n + counter++; }
static inline int inlined(struct shared *s) { return s->__kabi_reserved1; }
int two(struct shared *s) { return same(3) + inlined(s) + in_two.e; }
int __kabi_func(struct base *b) { return b->in_base; }
END
cat >three.cc <<'END'
extern "C" {
#include "common.h"
int one(shared *s, struct __kabi_one *p), two(shared *s), _start();
}
struct part { double only_in_three; };
namespace n { int counter = 3; }
static inline int inlined(shared *s, int n) { return s->a + n; }
int _start() { shared s = {}; return one(&s, 0) + two(&s) + n::counter++ + inlined(&s, 3); }
END
gcc -g -O2 -std=gnu11 -c one.c && gcc -g -O2 -std=gnu99 -c two.c && g++ -g -O2 -std=gnu++14 -c three.cc ||
	fail "the compilers failed"
features=--btf_features=default,global_var
plain=--btf_features=default
objects="one.o two.o three.o"

# DWARF of several objects describes a function of each that has this name
gcc -g -O2 -std=gnu11 -Dsame=same_as_one -c -o alone.o one.c || fail "gcc failed"
run_silent btfenc -J $features alone.o
# late.o has three units, modules have one and two; their base has some of their types
ld -r -o late.o $objects || fail "ld failed"
run_silent btfenc -J $features late.o
echo '#include "common.h"
	struct shared *s; struct base b; int in_base(struct base *p) { return p->in_base; }' | gcc_c base.o
run_silent btfenc $plain --btf_encode_detached=base.btf base.o
for object in $objects; do
	run_silent btfenc -J $features "$object"
done
ld -o program $objects && ld -r -o joined.o $objects && ld -o late late.o && ld -r -o module.ko two.o three.o &&
	ld -r -o module1.ko one.o || fail "ld failed"

# Name, features, other options, and files
cat >forms <<END
linked   $features program
joined   $features joined.o
late     $features late
late.o   $features late.o
module   $features --btf_base=base.btf module.ko
module1  $plain --btf_base=base.btf module1.ko
several  $plain alone.o two.o three.o
END
cat >options <<'END'
--lang=c11
--lang=c99
--lang=c,c++14
--lang=rust
--lang_exclude=c11
--lang_exclude=rust,c99
--lang_exclude=c++14,c11
--lang_exclude=go
-X one
-X two
-X t
-X one -X three
-X nothing
--kabi_prefix=__kabi_
--kabi_prefix=__kabi_reserved
--kabi_prefix=__kabi_ -X one --lang_exclude=c++14
END

# encode OUT ARGUMENT...: no OUT if nothing is left, which is a warning that names OUT or a file
encode()
{
	rm -f "$1"
	result=$1
	shift
	run_ok btfenc --btf_encode_detached="$result" "$@"
}

# same FORM ARGUMENT...: from members and from DWARF
same()
{
	form=$1
	shift
	encode dwarf.btf -F dwarf "$@"
	encode members.btf -F btf "$@"
	compared=$((compared + 1))
	[ -e dwarf.btf ] || [ -e members.btf ] || return
	if ! cmp -s dwarf.btf members.btf; then
		different "$form: other BTF than from DWARF: $*"
	elif [ -s out/stderr ]; then
		different "$form: a warning: $*: $(cat out/stderr)"
	fi
}

different()
{
	nr_different=$((nr_different + 1))
	echo "$*"
}

compared=0 nr_different=0
while read -r name arguments; do
	while read -r option; do
		same "$name" $option $arguments
	done <options
	PAHOLE_LANG_EXCLUDE=c99,c++14
	export PAHOLE_LANG_EXCLUDE
	same "$name, PAHOLE_LANG_EXCLUDE" $arguments
	unset PAHOLE_LANG_EXCLUDE
done <forms

# modules in one run, in place; -F btf would combine them
for option in --lang_exclude=c++14 "-X one" --kabi_prefix=__kabi_; do
	for format in dwarf dwarf,btf; do
		mkdir -p $format
		cp module.ko module1.ko $format
		run_silent btfenc -J -F $format $plain $option --btf_base=base.btf $format/module.ko $format/module1.ko
		for module in module module1; do
			section $format/$module.ko .BTF $format/$module.btf
		done
	done
	for module in module module1; do
		cmp dwarf/$module.btf dwarf,btf/$module.btf || different "$module.ko: other BTF than from DWARF: -J $option"
	done
done
[ $nr_different = 0 ] || fail "$nr_different of $compared comparisons failed"
