#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Is each variable of a kernel described that has a symbol with a size, in a loaded section, and debug information? Or
# does the report have a reason?
#
#	sh tests/e2e/kernel_variables.sh VMLINUX [MODULE...]
#
#	BTFENC   default: the one in build/
#
# The files need DWARF. The modules are encoded over the BTF of the kernel. Prints how many variables there are in each
# class. tools/varsymbols.c reads the symbols and the DWARF by libdw.

. "${0%/*}/../lib/testlib.sh"
[ $# -gt 0 ] || skip "no kernel"
. "$TESTDIR/../lib/variables.sh"

features=--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs,global_var
export PAHOLE_LANG_EXCLUDE=rust
BASE=
check_variables "$1" $features
cat variables.classes
run_ok btfenc --btf_check variables.btf
mv variables.btf vmlinux.btf
BASE=vmlinux.btf
shift
for module do
	check_variables "$module" $features
	cat variables.classes >>modules
	[ ! -s variables.btf ] || run_ok btfenc --btf_check --btf_base=vmlinux.btf variables.btf
done
[ $# = 0 ] || {
	echo "$# modules:"
	awk '{ nr[substr($0, 9)] += $1 } END { for (class in nr) printf "%7d %s\n", nr[class], class }' modules | sort -k 2
}
