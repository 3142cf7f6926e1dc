#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Static variables are found without local symbols. If .debug.btf is missing, too, there is a warning.

. "${0%/*}/../lib/testlib.sh"

need gcc ld strip cmp
features=--btf_features=default,global_var
warning="^btfenc: warning: 'program' has no local symbols: static variables that the linker kept are left out$"
no_facts="^btfenc: warning: 'program': .BTF+.* (member 1).*: without .debug.btf, "

cat >kept.c <<'END'
int counter = 4;
int count(void) { return counter++; }
static int unused = 3;
int not_called(void) { return unused++; }
END
cat >start.c <<'END'
int count(void);
void start(void) { count(); }
static long unused_zero;
long not_called_either(void) { return unused_zero++; }
END
echo 'int count(void); int main(void) { return count(); }' >main.c
echo 'static int here = 1; __attribute__((section(".data..percpu"))) int cpu = 2; int read_both(void) { return here++ + cpu; }' >percpu.c
echo 'SECTIONS { .text : { *(.text*) } .mine : { *(.data* .bss*) } /DISCARD/ : { *(.eh_frame* .note* .comment) } }' >script

# compile FILE OPTION...: with its BTF, and with or without facts
compile()
{
	file=$1
	shift
	gcc -g -O2 "$@" -c $file.c || fail "gcc failed"
	run_ok btfenc -J $features $file.o
	[ $facts = with ] || strip_facts $file.o
}

# encode FEATURES: the archive and the DWARF of the program; only the lack of facts is reported here
encode()
{
	run_ok btfenc "$1" -F dwarf --btf_encode_detached=dwarf.btf program
	run_ok btfenc "$1" --btf_encode_detached=archive.btf program
	[ $facts = without ] || expect_silence
	[ $facts = with ] || expect_in stderr "$no_facts"
}

# is_whole [FEATURES]: no variable is missing
is_whole()
{
	encode "${1:-$features}"
	# without facts and symbols, a variable that was discarded looks like one that was kept
	[ $facts = without ] || expect_not_in stderr "$warning"
	cmp dwarf.btf archive.btf || fail "archive and DWARF differ $facts facts"
}

# is_kept: the linker kept static variables without their symbols
is_kept()
{
	encode $features
	if [ $facts = with ]; then
		cmp dwarf.btf archive.btf || fail "archive and DWARF differ"
	else
		expect_in stderr "$warning"
	fi
}

for facts in with without; do
	compile kept -fno-pie -ffunction-sections -fdata-sections
	compile start -fno-pie -ffunction-sections -fdata-sections

	# the linker discards all static variables, by itself or with their symbols
	for with in --gc-sections '--gc-sections -x' '--gc-sections --discard-locals'; do
		ld $with -e start -o program kept.o start.o || fail "ld failed"
		is_whole
	done
	strip -x program || fail "strip failed"
	run_ok btfenc $features --btf_encode_detached=stripped.btf program
	expect_in stderr "$no_facts"
	cmp dwarf.btf stripped.btf || fail "the stripped program differs from DWARF"

	# they are in the program
	for with in -x '-r -x' '-x -T script'; do
		ld $with -e start -o program kept.o start.o || fail "ld failed"
		is_kept
	done

	# also where the linker has added local symbols of its own
	compile main -ffunction-sections -fdata-sections
	compile kept -ffunction-sections -fdata-sections
	for linker in '' -fuse-ld=lld; do
		gcc $linker -Wl,-x -o program kept.o main.o 2>err || continue
		is_kept
	done

	# variables that were not asked for are not missing
	compile percpu -fno-pie
	ld -x -e read_both -o program percpu.o kept.o || fail "ld failed"
	is_whole --btf_features=default
	is_kept
done
exit 0
