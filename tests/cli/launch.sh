#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --launch: the compiler's objects are encoded, whatever its command line calls them, and nothing else is

. "${0%/*}/../lib/testlib.sh"

need readelf cmp objcopy
printf 'struct first { int x; } first;\n' >a.c
printf 'struct second { int y; } second;\n' >b.c
cp a.c 'two words.c'
cp a.c none
cp a.c a.b.c
mkdir sub
cp b.c sub/c.c

# the words of response files
cat >flags.rsp <<\END
-c -g
  "-DNAME=\"a b\"" '-DOTHER="x"' -o
two\ words.o @more.rsp
END
echo '"two words.c"' >more.rsp
# GCC 16 makes x\y.o of it, Clang and older GCC xy.o
echo '-g -c a.c -o "x\y.o"' >backslash.rsp

is_object_with_dwarf()
{
	readelf -hW "$1" 2>/dev/null | grep -q 'Type: *REL' && has_section "$1" .debug_info
}

# made COMMAND...: launched, it prints what it prints itself, and each object that it makes has the BTF
# that -J gives it
made()
{
	rm -rf plain new
	# both in the same folder, whose name is in DWARF
	mkdir here
	cp -r ./*.c ./*.rsp none sub here/
	cp -r here new
	(cd here && "$@") >out/compiler 2>&1 || fail "$* fails: $(cat out/compiler)"
	mv here plain
	mv new here
	run_ok sh -c 'cd here && exec btfenc --launch -- "$@"' sh "$@"
	cat out/stdout out/stderr | cmp - out/compiler || fail "$*: other output than the compiler's"
	mv here new
	(cd plain && find . -type f | sort) >out/files
	(cd new && find . -type f | sort) | diff out/files - >&2 || fail "$*: other files"
	while read -r file; do
		if is_object_with_dwarf "plain/$file"; then
			btfenc -J "plain/$file" || fail "-J $file fails"
			has_section "new/$file" .BTF || fail "$*: $file has no BTF"
		fi
		cmp "plain/$file" "new/$file" || fail "$*: $file is not what -J makes"
	done <out/files
}

made_objects()
{
	(cd new && echo ./*.o)
}

all_forms()
{
	compiler=$1
	made "$1" -g -c a.c
	[ "$(made_objects)" = ./a.o ] || fail "$1 makes other names"
	made "$1" -ox.o -g -pipe a.c -c -MD -MF a.d -MT a.o
	made "$1" -g --compile a.c --output x.o
	made "$1" -g -c a.c -o y.o -o x.o
	made "$1" -g -c a.b.c 'two words.c' sub/c.c
	[ "$(made_objects)" = './a.b.o ./c.o ./two words.o' ] || fail "$1 makes other objects"
	made "$1" -g -x c -c none
	made "$1" -gdwarf-4 -save-temps -c a.c -o x.o
	made "$1" @flags.rsp
	made "$1" @backslash.rsp
	# nothing here is an object with debug information
	made "$1" -c a.c
	made "$1" -g -E -c a.c -o x.o
	made "$1" -g -S a.c
	made "$1" -g -M a.c -MF a.d
	made "$1" -g -fsyntax-only -c a.c -o x.o
	made "$1" -g -shared -fPIC a.c b.c -o lib.so
	made "$1" -g -c a.c -o /dev/null
}
each_compiler all_forms

# the compiler may have others before it
made env X=1 nice "$compiler" -g -c a.c
made env "$compiler" -g -c a.c b.c

# from standard input
run_silent sh -c "btfenc --launch $compiler -g -x c -c - <a.c"
has_section ./-.o .BTF || fail "no BTF of standard input"

# an object that was there before is not touched by a run that does not make it
"$compiler" -g -c a.c -o old.o
cp old.o before.o
for more in -fsyntax-only '-###' --version; do
	run_ok btfenc --launch -- "$compiler" -g $more -c a.c -o old.o
	cmp old.o before.o || fail "$more: the object of an earlier run is touched"
done

# objects of link time optimization are none yet, and have to link
for more in -fno-fat-lto-objects -ffat-lto-objects; do
	echo 'int main(void) { return 0; }' >main.c
	command -v gcc >/dev/null 2>&1 || break
	run_silent btfenc --launch --strip_dwarf -- gcc -g -flto $more -c main.c -o lto.o
	! has_section lto.o .BTF || fail "$more: BTF of intermediate code"
	run_ok gcc -g -flto lto.o -o lto
done

# BPF programs have the BTF of their compiler
if command -v clang >/dev/null 2>&1 && clang -print-targets 2>/dev/null | grep -q bpf; then
	echo 'int counter; __attribute__((section("tc"))) int prog(void *c) { return counter++; }' >bpf.c
	clang -g -O2 -target bpf -c bpf.c -o as_it_is.o || fail "clang failed"
	run_silent btfenc --launch -- clang -g -O2 -target bpf -c bpf.c -o bpf.o
	cmp as_it_is.o bpf.o || fail "an object for BPF is touched"

	mkdir there && cp a.c there
	run_ok btfenc --launch -- clang -g -working-directory "$PWD/there" -c a.c -o x.o
	has_section there/x.o .BTF || fail "no BTF in another folder"
fi

# options are those of -J, and "--" may be left out
run_silent btfenc --launch --strip_dwarf --btf_features=default "$compiler" -g -c a.c -o x.o
cp before.o y.o
btfenc -J --strip_dwarf --btf_features=default y.o
! has_section x.o .debug_info || fail "DWARF stays"
section x.o .BTF x.btf
section y.o .BTF y.btf
cmp x.btf y.btf || fail "other features"

# an assembler's objects: with DWARF and no types, and without
printf '.globl f\nf:\n\tnop\n' >f.S
for g in -g -g0; do
	run_silent btfenc --launch -- "$compiler" $g -c f.S
	! has_section f.o .BTF || fail "BTF of no types"
done
run_silent btfenc --launch --strip_dwarf -- "$compiler" -g -c f.S
! has_section f.o .debug_line || fail "the DWARF of an assembler stays"

# objects into an archive, and none into themselves
run_ok btfenc --launch --btf_archive=all -- "$compiler" -g -c a.c b.c
! has_section a.o .BTF || fail "BTF in the archive and in the object"
run_ok btfenc -F btf --btf_archive=all --btf_encode_detached=both.btf old.o a.o b.o
run_ok btfenc -C first,second both.btf

# whatever else a build may call
echo 'no object' >text
run_silent btfenc --launch -- sh -c 'cp text copy.o' -o copy.o
cmp text copy.o || fail "a text is touched"
