#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A linked file or a module with .debug.btf is an archive, also of one member. There is a warning for units whose DWARF has no member.

. "${0%/*}/../lib/testlib.sh"

need gcc bpftool cmp
features=--btf_features=default

echo 'struct own { int a; }; int use_own(struct own *o) { return o->a; } int main(void) { return 0; }' >own.c
echo 'struct other { long b; }; long use_other(struct other *o) { return o->b; }' >other.c
echo 'struct more { char c; }; int use_more(struct more *m) { return m->c; }' >more.c
# DWARF without types and functions
printf '.data\n.globl number\nnumber: .long 1\n.section .note.GNU-stack\n' >data.S
gcc -g -c other.c more.c data.S || fail "gcc failed"

# link OBJECT...: also with own.o, whose DWARF is stripped if $strip is set
link()
{
	gcc -g -c own.c || fail "gcc failed"
	run_silent btfenc -J $features ${strip:+--strip_dwarf} own.o
	gcc own.o "$@" -o program || fail "the link failed"
}

left_out()
{
	run_ok btfenc $features "$@" --btf_report=report --btf_encode_detached=out.btf program
}

warns()
{
	echo "btfenc: warning: 'program': $1; encode their objects, too" | expect_stderr
}

for strip in yes ''; do
	# all units have a member, or describe nothing
	link data.o
	left_out
	expect_silence
	bpftool btf dump file out.btf | grep -q "STRUCT 'own'" || fail "the member is missing"
	! grep -q unit_no_btf report || fail "a unit that describes nothing is reported"

	# one has none
	link data.o other.o
	left_out
	warns "1 unit of its DWARF has no BTF and is left out, the first is 'other.c'"
	bpftool btf dump file out.btf | grep -q "STRUCT 'own'" || fail "the member is missing"
	grep -q '"rule":"unit_no_btf".*"name":"other.c"' report || fail "the report lacks other.c"
	run_status 1 btfenc -J $features --fatal=unit_no_btf program

	# -X leaves it out on purpose
	left_out -X other
	expect_silence

	# two, beside an archive of two members
	gcc -g -c other.c || fail "gcc failed"
	gcc -g -c -x c -o second.o - <more.c || fail "gcc failed"
	run_silent btfenc -J $features ${strip:+--strip_dwarf} second.o
	sed 's/more/most/g' more.c >most.c
	gcc -g -c most.c || fail "gcc failed"
	link second.o other.o most.o
	left_out
	warns "2 units of its DWARF have no BTF and are left out, the first is 'other.c'"
done

# the objects have their DWARF, so -F dwarf reads all
left_out -F dwarf
expect_silence
bpftool btf dump file out.btf | grep -q "STRUCT 'most'" || fail "-F dwarf lacks a unit"

# a module of one object with BTF, and of several
echo 'struct base { int a; }; int use_base(struct base *b) { return b->a; }' >base.c
gcc -g -c base.c own.c other.c more.c || fail "gcc failed"
run_silent btfenc $features --btf_encode_detached=base.btf base.o
run_silent btfenc -J $features --strip_dwarf own.o
run_silent btfenc -J $features --strip_dwarf more.o
for objects in own.o 'own.o more.o'; do
	ld -r $objects other.o -o m.ko || fail "ld failed"
	run_ok btfenc -J $features --btf_base=base.btf --btf_report=report m.ko
	expect_stderr <<\END
btfenc: warning: 'm.ko': 1 unit of its DWARF has no BTF and is left out, the first is 'other.c'; encode their objects, too
END
	bpftool -B base.btf btf dump file m.ko | grep -q "STRUCT 'own'" || fail "the member is missing"
	grep -q '"rule":"unit_no_btf".*"name":"other.c"' report || fail "the report lacks other.c"
done

# --- an object without DWARF: its source is in the symbol table ---------------------------------

files()
{
	echo "btfenc: warning: 'program': $1; compile with -g and encode their objects, too" | expect_stderr
}

strip=yes
printf '.globl asm_f\n.type asm_f, @function\nasm_f: nop\n.size asm_f, 1\n.section .note.GNU-stack\n' >global.s
printf '.type asm_l, @function\nasm_l: nop\n.size asm_l, 1\n.section .note.GNU-stack\n' >asmlocal.s
gcc -c global.s asmlocal.s || fail "gcc failed"
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	echo 'int bare(int a) { return a + 1; }' >bare.c
	echo 'static int hidden(void) { static int n; return n++; } int (*bare_too(void))(void) { return hidden; }' >local.c
	$cc -c bare.c local.c || fail "$cc failed"
	# a global function is enough
	link bare.o
	left_out
	files "1 source file of its symbol table has no BTF and is left out, the first is 'bare.c'"
	grep -q '"rule":"unit_no_btf".*"name":"bare.c"' report || fail "the report lacks bare.c"
	run_status 1 btfenc -J $features --fatal=unit_no_btf program
	expect_in stderr "unit_no_btf: unit 'bare.c'"
	# with DWARF of one of them
	link other.o bare.o local.o
	left_out
	expect_in stderr "1 unit of its DWARF has no BTF .* 'other.c'"
	expect_in stderr "2 source files of its symbol table have no BTF .* 'bare.c'"
	# of a module; without assembler, nothing tells which linker it was
	ld -r own.o local.o asmlocal.o -o m.ko || fail "ld failed"
	run_ok btfenc -J $features --btf_base=base.btf m.ko
	expect_in stderr "1 source file of its symbol table has no BTF .* 'local.c'"
	ld -r own.o local.o -o m.ko || fail "ld failed"
	run_silent btfenc -J $features --btf_base=base.btf m.ko
done

# several files of one name: as many have local symbols as have BTF, or more
mkdir -p x y z || exit 1
echo 'struct x { int a; }; static int same_x(struct x *p) { return p->a; } int (*at_x)(struct x *) = same_x;' >x/same.c
echo 'struct y { int a; }; static int same_y(struct y *p) { return p->a; } int (*at_y)(struct y *) = same_y;' >y/same.c
: >z/same.c
for dir in x y; do
	gcc -g -c -o $dir.o $dir/same.c || fail "gcc failed"
	run_silent btfenc -J $features --strip_dwarf $dir.o
done
gcc -c -o z.o z/same.c || fail "gcc failed"
link x.o y.o z.o
left_out --fatal=unit_no_btf
expect_silence
objcopy -R .BTF -R .debug.btf y.o || fail "objcopy failed"
for objects in 'x.o y.o z.o' 'y.o x.o' 'z.o y.o x.o'; do
	link $objects
	left_out
	files "1 source file of its symbol table has no BTF and is left out, the first is 'same.c'"
	run_status 1 btfenc -J $features --fatal=unit_no_btf program
	expect_in stderr "unit_no_btf: unit 'same.c'"
done
# a name is not taken for that of another file with a prefix, unless a unit of that name has no file
sed 's/\([^_]\)y/\1q/g' y/same.c >pre_same.c
gcc -c pre_same.c || fail "gcc failed"
link x.o pre_same.o
left_out
files "1 source file of its symbol table has no BTF and is left out, the first is 'pre_same.c'"
# it cannot be found without local symbols
echo 'struct w { int a; }; int same_w(struct w *p) { return p->a; }' >z/same.c
gcc -c -o z.o z/same.c || fail "gcc failed"
link x.o z.o
left_out
expect_silence
# two objects of one source
gcc -g -c -o y.o x/same.c && objcopy --redefine-sym at_x=at_y y.o || fail "gcc failed"
run_silent btfenc -J $features --strip_dwarf y.o
link x.o y.o
left_out --fatal=unit_no_btf
expect_silence

# encoded, and then stripped of both sections, beside assembler: found by a local symbol only
echo 'struct more { char c; }; static int hide(struct more *m) { return m->c; } int (*at)(struct more *) = hide;' >locals.c
gcc -g -c more.c locals.c && gcc -g -c -o assembler.o -x assembler - <<'END' || fail "gcc failed"
.globl asm_g
.type asm_g, @function
asm_g: nop
.size asm_g, 1
local_label: nop
.section .note.GNU-stack
END
for name in more locals assembler; do
	run_silent btfenc -J $features --strip_dwarf $name.o
done
link more.o locals.o assembler.o
left_out --fatal=unit_no_btf
expect_silence
for name in more locals assembler; do
	cp $name.o stripped.o
	objcopy -R .BTF -R .debug.btf stripped.o || fail "objcopy failed"
	link stripped.o $(echo 'more.o locals.o assembler.o' | sed "s/$name.o//")
	left_out
	if [ $name = locals ]; then
		files "1 source file of its symbol table has no BTF and is left out, the first is 'locals.c'"
	else
		expect_silence
	fi
done

# no false alarm: assembler, with and without local symbols; a file with nothing to describe; a prefix of objcopy
: >empty.c
echo 'static int used(int a) { return a + 1; } int (*user)(int) = used;' >prefixed.c
gcc -c empty.c && gcc -g -c prefixed.c || fail "gcc failed"
run_silent btfenc -J $features --strip_dwarf prefixed.o
objcopy --prefix-symbols=pre_ prefixed.o || fail "objcopy failed"
for linker in bfd gold lld mold; do
	gcc -fuse-ld=$linker own.o -o program 2>/dev/null || continue
	for objects in global.o asmlocal.o empty.o prefixed.o 'empty.o asmlocal.o global.o prefixed.o'; do
		link -fuse-ld=$linker $objects
		left_out --fatal=unit_no_btf
		expect_silence
	done
done

# a module without DWARF and BTF; finished BTF has all, and it stays
gcc -g0 -c -o m.ko own.c || fail "gcc failed"
run_ok btfenc -J $features --btf_base=base.btf m.ko
echo "btfenc: warning: 'm.ko' has no debug information: nothing to encode" | expect_stderr
run_status 1 btfenc -J $features --btf_base=base.btf --fatal=unit_no_btf m.ko
run_ok btfenc -J $features --btf_base=base.btf --btf_report=report m.ko
grep -q '"rule":"unit_no_btf".*"name":"m.ko"' report || fail "the report lacks m.ko"
run_ok btfenc -J $features --btf_base=base.btf --btf_report=report m.ko own.o
grep -q '"rule":"unit_no_btf".*"name":"m.ko"' report || fail "the report lacks m.ko beside another file"
gcc -g -c -o m.ko own.c || fail "gcc failed"
run_silent btfenc -J $features --btf_base=base.btf --strip_dwarf m.ko
cp m.ko finished.ko
gcc -g -c -o fresh.ko own.c || fail "gcc failed"
run_ok btfenc -J $features --btf_base=base.btf fresh.ko m.ko
echo "btfenc: warning: 1 of 2 files have BTF already and no debug information: they are unchanged" | expect_stderr
run_ok btfenc -J $features --btf_base=base.btf m.ko
echo "btfenc: warning: 'm.ko' has no debug information: nothing to encode; it has BTF already" | expect_stderr
cmp m.ko finished.ko || fail "finished BTF was changed"
: >nothing
objcopy --update-section .BTF=nothing m.ko empty.ko || fail "objcopy failed"
run_ok btfenc -J $features --btf_base=base.btf empty.ko
echo "btfenc: warning: 'empty.ko' has no debug information: nothing to encode" | expect_stderr
