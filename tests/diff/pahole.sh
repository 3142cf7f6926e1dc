#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the installed pahole describes the same types, but for what known.txt explains

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/inputs.inc"
need pahole gcc objcopy
features=encode_force,var,float,decl_tag,type_tag,enum64
case $(pahole_version) in
124) ;;
130 | 131 | 132) features=$features,optimized_func,consistent_func,decl_tag_kfuncs ;;
*) skip "known.txt does not cover pahole $(pahole --version)" ;;
esac

# Its BTF of $1, in the file "theirs"
encode_with_pahole()
{
	rm -f theirs
	if [ "$(pahole_version)" != 124 ]; then
		pahole --btf_features=$features --btf_encode_detached=theirs "$1" >log 2>&1 || rm -f theirs
		return
	fi
	cp "$1" copy
	# Its own default, llvm-objcopy, comes with another package. And it fails where it
	# warns, and writes all the same.
	LLVM_OBJCOPY=objcopy pahole -J --btf_gen_floats copy >log 2>&1 || :
	! has_section copy .BTF || section copy .BTF theirs
}

inputs=
make_inputs
for input in $inputs; do
	encode_with_pahole "$input"
	btfenc --compat="$(level_of pahole)" --btf_encode_detached=ours --btf_features=$features "$input" || fail "btfenc failed on $input"
	if [ -s theirs ]; then
		run btfenc --btf_diff theirs ours
	else
		STATUS=1
		echo "pahole writes nothing" >out/stdout
	fi
	if is_known "$input"; then
		[ $STATUS != 0 ] || fail "$input: no difference, but known.txt has one"
	elif [ $STATUS != 0 ]; then
		cat out/stdout log >&2
		fail "$input: another result than pahole's"
	fi
done
