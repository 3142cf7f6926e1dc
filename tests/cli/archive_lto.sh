#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the members of a kernel or module that was linked with LTO count as one unit, as its DWARF does

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld
cat >one.c <<'END'
struct first { int a; };
__attribute__((section(".data..percpu"))) struct first of_one;
int one(struct first *param_of_one) { return param_of_one->a; }
END
cat >two.c <<'END'
struct second { struct second *next; };
__attribute__((section(".data..percpu"))) struct second of_two;
int one(void *p);
int two(struct second *param_of_two) { return one(param_of_two->next); }
END
# the kernel's note: scripts/module-common.c, init/version.c
cat >note.s <<'END'
	.section .note.GNU-stack, "", %progbits
	.section .note.Linux, "a", %note
	.long 6, 4, 0x101
	.asciz "Linux"
	.balign 4
	.long 1
END
features=--btf_features=default

# objects STANDARD: compile one.c by this C standard, and all others
objects()
{
	gcc -g -O2 -std="$1" -c one.c && gcc -g -O2 -std=gnu11 -c two.c && gcc -c note.s &&
		gcc -g -c -o assembled.o note.s || fail "gcc failed"
}

# --- strings of functions come behind the types of all members, variables behind both ------------

# program FEATURES MORE...: encode the objects and link them with MORE
program()
{
	objects gnu11
	run_ok btfenc -J "$1" one.o
	run_ok btfenc -J "$1" two.o
	shift
	ld -e two -o program one.o two.o "$@" || fail "ld failed"
}

program $features
archive_as_dwarf $features program
mv archive.btf apart.btf
program $features note.o
archive_as_dwarf $features program
! cmp -s archive.btf apart.btf || fail "the note changes nothing"
program $features,force_cu_merging
archive_as_dwarf $features,force_cu_merging program

# --- the language of a member of several units ----------------------------------------------------

# whole OPTION...: link all units to one object, and that to a program, and encode both with these
whole()
{
	ld -r -o whole.o assembled.o one.o two.o note.o || fail "ld failed"
	run_ok btfenc -J $features --strip_dwarf "$@" whole.o
	ld -e two -o program whole.o || fail "ld failed"
	run_ok btfenc -J $features "$@" program
}

# the unit of assembled.o has no entries, so its language does not count
objects gnu11
whole --lang_exclude=rust
expect_no_stderr
objects gnu99
whole --lang_exclude=rust
expect_in stderr "of unknown language, so --lang and --lang_exclude ignore it"

# several units have no name
objects gnu11
whole -X one.c
expect_in stderr "of unknown source, so -X ignores it"
