#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# bpftool reads every result, libbpf finds nothing to merge in it, and the kernel's rules hold

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/inputs.inc"
need gcc bpftool
[ -n "${BTFAGAIN:-}${BTFCHECK:-}" ] || skip "no tools"

inputs=
make_inputs
inputs="$inputs $BTFENC"
for input in $inputs; do
	for features in default encode_force,var,float,enum64,decl_tag,type_tag,global_var; do
		rm -f out.btf
		# a sanitizer brings C++ into the program, and names that the kernel refuses
		btfenc --btf_encode_detached=out.btf --btf_features=$features \
			--lang_exclude=c++,c++03,c++11,c++14 "$input" ||
			fail "btfenc failed on $input"
		[ -e out.btf ] || continue
		for format in c raw; do
			bpftool btf dump file out.btf format $format >dump 2>log ||
				fail "$input: bpftool: $(cat log)"
			[ -s dump ] || fail "$input: bpftool prints nothing"
		done
		"$BTFAGAIN" out.btf >log || fail "$input: $(cat log)"
		"$BTFCHECK" out.btf >log || fail "$input: $(cat log)"
	done
done
