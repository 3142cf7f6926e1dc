#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a file with several .BTF sections: none is lost without a word, and nothing is left that refers to one

. "${0%/*}/../lib/testlib.sh"

need gcc as ld nm cmp bpftool readelf
for name in a b c; do
	echo "struct only_$name { int a; }; int f_$name(struct only_$name *p) { return p->a; }" >$name.c
	gcc -g -c $name.c || fail "gcc failed"
	cp $name.o dwarf_$name.o
	run_ok btfenc -J --strip_dwarf $name.o
done

# refused TEXT COMMAND...: an error that says TEXT, and joined.o as it was
refused()
{
	text=$1
	shift
	cp joined.o before.o
	run_status 1 "$@"
	expect_in stderr "$text"
	cmp joined.o before.o || fail "the file is touched"
}

# assemble: what comes from stdin, as other.o
assemble()
{
	{ echo '.section .note.GNU-stack,"",@progbits' && cat; } >other.s
	as -o other.o other.s || fail "as failed"
}

# two that hold BTF: whose would be left out?
ld -r -o ab.o a.o b.o && ld -r --unique=.BTF -o joined.o ab.o c.o || fail "ld failed"
[ "$(readelf -SW joined.o | grep -c ' \.BTF ')" = 2 ] || skip "this ld makes one section"
refused "'joined.o': sections [0-9]* and [0-9]* are both .BTF" btfenc -J joined.o
refused 'are both .BTF' btfenc -F btf --btf_encode_detached=out.btf joined.o
refused 'are both .BTF' btfenc -J -F btf joined.o
# DWARF says what all of them do
printf '.section .BTF,"e",@progbits\n.byte 1\n' | assemble
ld -r -o joined.o a.o other.o dwarf_b.o || fail "ld failed"
run_ok btfenc -J -F dwarf joined.o
[ "$(readelf -SW joined.o | grep -c ' \.BTF ')" = 1 ] || fail "two sections are left"

# what a group or a symbol has cannot go
while read -r section; do
	printf '.section %s\n.L: .long 2\n.section .other\n.long .L\n' "$section" | assemble
	ld -r -o joined.o dwarf_a.o other.o || fail "ld failed"
	for option in -J '-J --strip_dwarf'; do
		refused 'would be removed, but other parts of the file refer to it' btfenc $option joined.o
	done
done <<'END'
.BTF.base,"G",@progbits,group,comdat
.BTF.base,"",@progbits
END
# a symbol for the section itself, which nobody uses, does no harm
printf '.section .BTF.base,"",@progbits\n.long 2\n' | assemble
ld -r -o joined.o dwarf_a.o other.o || fail "ld failed"
run_ok btfenc -J joined.o
nm joined.o >/dev/null || fail "nm does not read it"

# a linker would leave out, or take apart, what is marked so
echo 'int main(void) { return 0; }' >main.c
for flags in '"e",@progbits' '"MS",@progbits,1' '"",@note'; do
	printf '.section .BTF,%s\n.byte 0\n' "$flags" | assemble
	ld -r -o joined.o other.o dwarf_a.o || fail "ld failed"
	run_ok btfenc -J -F dwarf joined.o
	gcc -g -c main.c && btfenc -J main.o && gcc -o program main.o joined.o || fail "linking failed"
	run_ok btfenc -F btf --btf_encode_detached=out.btf program
	bpftool btf dump file out.btf | grep -q only_a || fail "$flags: what was encoded is not in the program"
done
