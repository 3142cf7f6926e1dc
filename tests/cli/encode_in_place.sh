#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# -J puts .BTF into an object, a program and a shared object; the program still runs

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy
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
