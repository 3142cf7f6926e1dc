#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what is missing or no ELF file is an error of one line

. "${0%/*}/../lib/testlib.sh"

echo "no ELF" >text
: >empty
mkdir folder
run btfenc -J missing
expect_error "'missing': cannot open: No such file or directory"
run btfenc -J text
expect_error "'text': not an ELF file"
run btfenc -J empty
expect_error "'empty': not an ELF file: empty"
run btfenc -J folder
expect_error "'folder': cannot read: Is a directory"

gcc_c good.o <<\END
struct s { int x; } s;
END
cp good.o before

# One bad file spoils the others, whatever their order.
run btfenc -J good.o missing
expect_error "'missing': cannot open: No such file or directory"
run btfenc --btf_encode_detached=out.btf text good.o
expect_error "'text': not an ELF file"
cmp before good.o || fail "the good file was changed"
[ ! -e out.btf ] || fail "it has written something"
