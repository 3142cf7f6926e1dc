#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_encode_detached leaves its input alone and replaces its output

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct s { int x; } s; int f(struct s *p) { return p->x; }
END
cp -p a.o before
echo "something that was there" >a.btf
run_silent btfenc --btf_encode_detached=a.btf a.o
cmp before a.o || fail "the input was changed"
[ "$(od -An -tx1 -N2 a.btf)" = " 9f eb" ] || fail "the output does not begin as BTF does"
run btfenc --btf_encode_detached=/no/such/folder/a.btf a.o
expect_error "'/no/such/folder/a.btf': cannot open its folder: No such file or directory"
mkdir folder
error "'folder': cannot write: Is a directory" --btf_encode_detached=folder a.o

# BTF alone is not written over the file that it is made of
ln -s a.o link.o
for output in a.o ./a.o link.o; do
	for option in --btf_encode_detached "-J --btf_vars_detached" "--btf_encode_detached=x.btf --btf_vars_detached"; do
		run_status 64 btfenc $option="$output" a.o
		expect_no_stdout
		expect_in stderr "^btfenc: error: '$output': the [a-z]* \(would replace the input\|cannot go where the BTF goes\)"
		cmp before a.o || fail "$option=$output: the input was changed"
		[ ! -e x.btf ] || fail "$option=$output: half of the output was written"
	done
done
