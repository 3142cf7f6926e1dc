#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -J puts .BTF into an object, a program and a shared object; the program still runs

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy ld
echo 'int f(int a) { return a + 2; } int main(void) { return f(1); }' >in.c
gcc -g -c -o object in.c && gcc -g -o program in.c && gcc -g -shared -fPIC -o shared in.c ||
	fail "gcc failed"

for file in object program shared; do
	run_ok btfenc --btf_encode_detached=$file.btf $file
	run_silent btfenc -J $file
	section $file .BTF $file.section
	cmp $file.btf $file.section || fail "$file: .BTF is not what detached gives"
done
run_status 3 ./program

# A section that is there already grows, and the program still runs. pahole has libelf lay the file
# out anew, segments or not.
cp program before
for file in program shared; do
	run_ok btfenc -J --btf_features=default,global_var,layout $file
done
cmp -s program before && fail "more features give the same section"
run_status 3 ./program
run_ok gcc -o again object

# .BTF that is a part of a loaded image keeps its size
gcc_c loaded.o -ffreestanding <<\END
struct s { float f; } s;
int f(struct s *p) { return p->f > 0; }
int _start(void) { return f(&s); }
END
run_ok btfenc -J --btf_features=all loaded.o
objcopy --set-section-flags .BTF=alloc,readonly loaded.o || exit 1
ld -o loaded loaded.o || exit 1
section loaded .BTF loaded.before
run_ok btfenc -J --btf_features=float loaded
section loaded .BTF loaded.after
[ "$(wc -c <loaded.after)" = "$(wc -c <loaded.before)" ] || fail "the size of loaded BTF changes"
cmp -s loaded.after loaded.before && fail "fewer features give the same section"
run_silent btfenc --btf_check loaded
