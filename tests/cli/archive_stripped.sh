#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# without local symbols there is a warning if static variables may be missing, and none if there are none

. "${0%/*}/../lib/testlib.sh"

need gcc ld strip cmp
features=--btf_features=default,global_var
warning="^btfenc: warning: 'program' has no local symbols: static variables that the linker kept are left out$"

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
for name in kept start; do
	gcc -g -O2 -fno-pie -ffunction-sections -fdata-sections -c $name.c || fail "gcc failed"
	run_ok btfenc -J $features $name.o
done

# check: the BTF of the archive is that of DWARF, in silence
check()
{
	run_ok btfenc $features -F dwarf --btf_encode_detached=dwarf.btf program
	run_silent btfenc $features --btf_encode_detached=archive.btf program
	cmp dwarf.btf archive.btf || fail "archive and DWARF differ"
}

# the linker discards all static variables, by itself or with their symbols
for with in --gc-sections '--gc-sections -x' '--gc-sections --discard-locals'; do
	# shellcheck disable=SC2086
	ld $with -e start -o program kept.o start.o || fail "ld failed"
	check
done
strip -x program || fail "strip failed"
run_silent btfenc $features --btf_encode_detached=stripped.btf program
cmp dwarf.btf stripped.btf || fail "the stripped program differs from DWARF"

# they are in the program, and so is the warning
for with in -x '-r -x'; do
	# shellcheck disable=SC2086
	ld $with -e start -o program kept.o start.o || fail "ld failed"
	run_ok btfenc $features --btf_encode_detached=archive.btf program
	expect_in stderr "$warning"
done

# also where the linker has added local symbols of its own
echo 'int count(void); int main(void) { return count(); }' >main.c
gcc -g -O2 -ffunction-sections -fdata-sections -c main.c || fail "gcc failed"
run_ok btfenc -J $features main.o
gcc -O2 -ffunction-sections -fdata-sections -g -c kept.c || fail "gcc failed"
run_ok btfenc -J $features kept.o
for linker in '' -fuse-ld=lld; do
	# shellcheck disable=SC2086
	gcc $linker -Wl,-x -o program kept.o main.o 2>err || continue
	run_ok btfenc $features --btf_encode_detached=archive.btf program
	expect_in stderr "$warning"
done

# variables that were not asked for are not missing
for list in default default,global_var; do
	echo 'static int here = 1; __attribute__((section(".data..percpu"))) int cpu = 2; int read_both(void) { return here++ + cpu; }' >percpu.c
	gcc -g -O2 -fno-pie -c percpu.c || fail "gcc failed"
	run_ok btfenc -J $features percpu.o
	ld -x -e read_both -o program percpu.o kept.o || fail "ld failed"
	run_ok btfenc --btf_features=$list --btf_encode_detached=archive.btf program
	case $list in
	default) expect_silence ;;
	*) expect_in stderr "$warning" ;;
	esac
done

# a linker script may put variables into a section of another name
echo 'SECTIONS { .text : { *(.text*) } .mine : { *(.data* .bss*) } /DISCARD/ : { *(.eh_frame* .note* .comment) } }' >script
ld -x -T script -e start -o program kept.o start.o || fail "ld failed"
run_ok btfenc $features --btf_encode_detached=archive.btf program
expect_in stderr "$warning"
