#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the installed pahole describes the same types, but for what known.txt explains

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/inputs.inc"
need pahole gcc objcopy
case $(pahole --version) in
v1.24) ;;
*) skip "known.txt is about pahole 1.24, not $(pahole --version)" ;;
esac

inputs=
make_inputs
for input in $inputs; do
	cp "$input" theirs
	# Its own default, llvm-objcopy, comes with another package. And it fails where it
	# warns, and writes all the same.
	LLVM_OBJCOPY=objcopy pahole -J --btf_gen_floats theirs >log 2>&1 || :
	if has_section theirs .BTF; then
		btfenc --btf_encode_detached=ours \
			--btf_features=encode_force,var,float,decl_tag,type_tag,enum64 "$input" ||
			fail "btfenc failed on $input"
		run btfenc --btf_diff theirs ours
	else
		STATUS=1
		echo "pahole writes nothing" >out/stdout
	fi
	if grep -q "^$input:" "$TESTDIR/known.txt"; then
		[ $STATUS != 0 ] || fail "$input: no difference, but known.txt has one"
	elif [ $STATUS != 0 ]; then
		cat out/stdout log >&2
		fail "$input: another result than pahole's"
	fi
done
