#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an option that changes what is read gives the same BTF from an archive as from DWARF, or a
# warning that names a member

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld
cat >common.h <<'END'
#if defined(__clang__)
#define TYPE_TAG __attribute__((btf_type_tag("tag")))
#define DECL_TAG __attribute__((btf_decl_tag("tag")))
#else
#define TYPE_TAG
#define DECL_TAG
#endif
#define PERCPU __attribute__((section(".data..percpu")))
struct shared { int TYPE_TAG *a; double d; int __kabi_reserved1; int __kabi_reserved2 DECL_TAG; } DECL_TAG;
enum wide { WIDE = 1LL << 40 };
enum negative { NEGATIVE = -1 };
static inline int helper(struct shared *s, enum wide w) { return *s->a + (w == WIDE); }
END
cat >one.c <<'END'
#include "common.h"
struct __kabi_one { long only_in_one; } kabi_one;
int __kabi_global = 1;
PERCPU int cpu_one = 1;
static PERCPU long cpu_local = 2;
static enum negative local = NEGATIVE;
static __attribute__((noinline)) int clash(char *text) { return *text + local++ + cpu_local++; }
/* clang 19 and later take away the parameters that are not used, and say so */
static __attribute__((noinline)) int changed(int unused, struct shared s, int used) { return used + s.__kabi_reserved1 + __kabi_global++; }
int DECL_TAG one(struct shared *s) { return helper(s, WIDE) + clash("") + changed(1, *s, 2); }
END
cat >two.c <<'END'
#include "common.h"
struct __kabi_two { struct __kabi_one *only_in_two; } kabi_two;
static enum negative local = NEGATIVE;
float f = 2;
int one(struct shared *s);
static __attribute__((noinline)) int clash(int number) { return number + (local++); }
int start(void) { struct shared s = { 0 }; return one(&s) + helper(&s, WIDE) + clash(f); }
END
base=--btf_features=encode_force
features='encode_force var global_var float decl_tag type_tag enum64 optimized_func consistent_func
	decl_tag_kfuncs reproducible_build attributes true_signature layout inline default'
for feature in $features; do
	echo "$base,$feature"
done >options
cat >>options <<'END'
--btf_gen_all
--btf_gen_floats
--btf_gen_optimized
--btf_attributes
--btf_encode_force
--reproducible_build
--skip_encoding_btf_vars
--skip_encoding_btf_decl_tag
--skip_encoding_btf_type_tag
--skip_encoding_btf_enum64
--skip_encoding_btf_inconsistent_proto
--skip_encoding_btf_check
--lang=c99
--lang=c11
--lang=rust
--lang_exclude=c99
--lang_exclude=rust
--lang_exclude=rust,c11
--cu_exclude=one
--cu_exclude=two
--cu_exclude=no
--kabi_prefix=__kabi_
--kabi_prefix=__kabi_reserved
END

# objects OPTION...: encode both objects with these, and link them
objects()
{
	for name in one two; do
		cp $name.plain $name.o
		run_silent btfenc -J "$@" $name.o
	done
	ld -e start -o program one.o two.o || fail "ld failed"
}

# compare HOW OPTION...: from the archive in program, byte for byte what DWARF gives, or a warning
compare()
{
	how=$1
	shift
	rm -f dwarf.btf archive.btf
	run_ok btfenc "$@" -F dwarf --btf_encode_detached=dwarf.btf program
	run_ok btfenc "$@" --btf_encode_detached=archive.btf program
	if [ ! -e dwarf.btf ] && [ ! -e archive.btf ]; then
		expect_in stderr "^btfenc: warning: 'archive.btf' is not written: there is no BTF to write$"
		return
	fi
	cp out/stderr warnings
	run_ok btfenc "$@" --dedup_btf --btf_encode_detached=gathered.btf program one.o two.o
	cmp warnings out/stderr || fail "$cc, $how: other warnings with --dedup_btf"
	cmp archive.btf gathered.btf || fail "$cc, $how: --dedup_btf differs"
	if ! [ -s out/stderr ]; then
		cmp dwarf.btf archive.btf || fail "$cc, $how: other BTF than from DWARF, in silence"
	elif [ "$how" = both ]; then
		fail "$cc: a warning though all was encoded with '$*': $(cat out/stderr)"
	else
		expect_in stderr "^btfenc: warning: 'program': member '\(one\|two\).c'\( and 1 other\)*: .*"
		told="$told
$(cat out/stderr)"
	fi
}

for cc in gcc clang; do
	command -v $cc >compiler || continue
	$cc -g -O2 -std=c11 -c -o one.plain one.c && $cc -g -O2 -std=c99 -c -o two.plain two.c ||
		fail "$cc failed"
	told=
	objects --btf_features=default
	run_ok btfenc -J --lang=rust program
	expect_stderr <<'END'
btfenc: warning: 'program': all 2 members are left out: .BTF is not written
END
	while read -r option; do
		with=--btf_features=encode_force,var
		objects $with
		compare "at the link: $option" $with "$option"
		objects $with "$option"
		compare both $with "$option"
		# a unit that is left out has no BTF, and no archive has more than it was given
		case $option in
		*exclude* | --lang*) ;;
		*) compare "for the objects: $option" $with ;;
		esac
	done <options

	objects $with
	PAHOLE_LANG_EXCLUDE=c11
	export PAHOLE_LANG_EXCLUDE
	compare environment $with
	! [ -s out/stderr ] || fail "$cc: PAHOLE_LANG_EXCLUDE can be honoured: $(cat out/stderr)"
	unset PAHOLE_LANG_EXCLUDE

	# what is honoured without a warning, and what is not
	for option in --lang --lang_exclude --cu_exclude; do
		case $told in
		*"$option"*) fail "$cc: $option can be honoured" ;;
		esac
	done
	for option in float enum64 decl_tag,type_tag inline --kabi_prefix=__kabi_; do
		case $told in
		*"$option"*) ;;
		*) fail "$cc: no warning of $option" ;;
		esac
	done
done

# with link-time optimization the linker compiles the objects anew
for name in one two; do
	gcc -g -O2 -flto -ffat-lto-objects -c $name.c || fail "gcc failed"
	run_silent btfenc -J $name.o
done
ld -r -o program one.o two.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=archive.btf program
expect_stderr <<'END'
btfenc: warning: 'program': member 'one.c' and 1 other: compiled with -flto, so the linker may have changed functions and variables
END

# what is not an object of btfenc's tells neither language nor source
run_ok btfenc --btf_encode_detached=plain.btf -F dwarf program
run_ok btfenc -F btf --lang_exclude=rust -X one --btf_encode_detached=again.btf plain.btf
expect_stderr <<'END'
btfenc: warning: 'plain.btf': variables left out: 2, because a file of BTF alone has no sections; '-F btf' or '-F dwarf' of the ELF file keeps them
btfenc: warning: 'plain.btf': BTF+0 (member 1): of unknown language, so --lang and --lang_exclude ignore it
btfenc: warning: 'plain.btf': BTF+0 (member 1): of unknown source, so -X ignores it
END
exit 0
