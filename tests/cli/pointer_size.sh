# SPDX-License-Identifier: GPL-2.0-only
#
# Raw BTF does not state the size of pointers. Without a "long", the structs tell it.

. "${0%/*}/../lib/testlib.sh"
need gcc

echo 'struct s { int *a; char c; }; struct n { struct s *s[2]; } g; int f(struct n *p) { return p != 0; }' >a.c
gcc -m32 -g -c a.c 2>/dev/null || skip "gcc -m32 fails"
run_ok btfenc --btf_features=default --btf_encode_detached=a.btf a.o
run_ok btfenc --btf_check a.btf
expect_in stdout "^a.btf: warning: type [0-9]* 's' (STRUCT, size 8): it has no room for pointers of 8 bytes: pointers count as 4 bytes, and a kernel of 64 bits refuses it"
expect_not_in stdout "error"
run_ok btfenc -C n a.btf
expect_in stdout "s\[2\]; *\/\* *0 *8 \*\/"
expect_in stdout "size: 8, "
expect_in stderr "^btfenc: warning: 'a.btf': pointers are printed with 4 bytes, because type [0-9]* has no room for 8$"

# an ELF file states it
run_ok btfenc -J --btf_features=default a.o
run_silent btfenc --btf_check a.o
run_ok btfenc -F btf -C n a.o
expect_no_stderr

# with 64 bits there is nothing to say
gcc -g -c a.c
run_ok btfenc --btf_features=default --btf_encode_detached=a.btf a.o
run_silent btfenc --btf_check a.btf
run_ok btfenc -C n a.btf
expect_in stdout "s\[2\]; *\/\* *0 *16 \*\/"
expect_no_stderr
