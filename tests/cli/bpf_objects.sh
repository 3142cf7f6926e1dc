#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a program for BPF keeps the .BTF of its compiler, unless "-F dwarf" asks for another

. "${0%/*}/../lib/testlib.sh"

need clang objcopy readelf cmp
clang -print-targets 2>/dev/null | grep -q bpf || skip "this clang has no target bpf"

cat >prog.c <<'END'
struct value { int a; long b; };
struct { int (*type)[2]; int *key; struct value *value; int (*max_entries)[8]; } map __attribute__((section(".maps")));
int counter;
__attribute__((section("tc"))) int prog(void *context) { return counter++; }
char _license[] __attribute__((section("license"))) = "GPL";
END
clang -g -O2 -target bpf -c prog.c -o prog.bpf.o || fail "clang failed"
echo 'struct other { int a; } other;' >other.c
for compiler in gcc clang; do
	command -v $compiler >/dev/null && $compiler -g -c other.c && break
done
cp prog.bpf.o as_it_is.o
message="is a program for BPF: libbpf needs the .BTF of its compiler; give '--btf_encode_detached', or '-F dwarf' to replace it"

untouched()
{
	cmp prog.bpf.o as_it_is.o || fail "the object is touched: $*"
}

# at each level, and whatever else is asked for
for more in '' '-F btf' '-F dwarf,btf' --strip_dwarf --compat=1.32 --btf_features=default --btf_encode_force --btf_archive=pile; do
	# shellcheck disable=SC2086
	error "'prog.bpf.o' $message" -J $more prog.bpf.o
	untouched "$more"
done
echo prog.bpf.o >list
error "'prog.bpf.o' $message" -J @list
error "'prog.bpf.o' $message" -J prog.bpf.o other.o
untouched "in a list"

# of several files, each gets its own BTF, but this one
btfenc --btf_encode_detached=base.btf other.o
clang -g -c prog.c -o native.o || fail "clang failed"
run_status 1 btfenc -J --btf_base=base.btf native.o prog.bpf.o
expect_in stderr "^btfenc: error: 'prog.bpf.o' $message$"
has_section native.o .BTF || fail "no BTF in the other file"
untouched "in a batch"

# what does not change the object is allowed
run_silent btfenc --btf_encode_detached=out.btf prog.bpf.o
[ -s out.btf ] || fail "no BTF beside the object"
run_ok btfenc --btf_report=report prog.bpf.o
untouched "without -J"

# it can be replaced; no section without contents is left, which elfutils calls ill-formed
run_ok btfenc -J -F dwarf prog.bpf.o
expect_stderr <<'END'
btfenc: warning: '.BTF.ext' refers to the .BTF that was there: libbpf will not load the program
END
! has_section prog.bpf.o .rel.BTF || fail "the relocations of the old .BTF stay"
run_ok btfenc --btf_diff out.btf prog.bpf.o
if command -v eu-strip >/dev/null; then
	cp prog.bpf.o stripped.o
	run_silent eu-strip -g stripped.o
fi

# .BTF.ext alone, in a file for another machine
objcopy --add-section .BTF.ext=list other.o || fail "objcopy failed"
run_ok btfenc -J -F dwarf other.o
error "'other.o' $message" -J other.o

# without BTF there is nothing to lose
if command -v llvm-objcopy >/dev/null; then
	llvm-objcopy -R .rel.BTF -R .rel.BTF.ext -R .BTF -R .BTF.ext as_it_is.o old.o || fail "llvm-objcopy failed"
	run_silent btfenc -J old.o
	has_section old.o .BTF || fail "an object without BTF gets none"
fi
