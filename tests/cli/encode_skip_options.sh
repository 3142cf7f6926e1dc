#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each --skip_encoding_btf_* leaves out its kind and no other

. "${0%/*}/../lib/testlib.sh"

need clang python3
clang_c a.o <<\END
enum wide { W = 1ULL << 40 } w; int v __attribute__((btf_decl_tag("dtag")));
int __attribute__((btf_type_tag("ttag"))) *p; float f;
__attribute__((section(".data..percpu"))) int percpu __attribute__((btf_decl_tag("ptag")));
struct s { int i __attribute__((btf_decl_tag("stag"))); } s;
END

# dump OPTION...
dump()
{
	run_ok btfenc --btf_encode_detached=a.btf "$@" a.o
	run_ok "$TOOLS/btfdump.py" a.btf
}

all="--btf_features=encode_force,var,float,decl_tag,type_tag,enum64"
has="enum64 decl_tag tag(ttag) datasec float"
dump $all
for what in $has; do
	expect_in stdout "$what"
done
for pair in "enum64 enum64" "decl_tag decl_tag" "type_tag tag(ttag)" "vars datasec"; do
	dump $all --skip_encoding_btf_${pair% *}
	expect_not_in stdout "${pair#* }"
	for what in $has; do
		[ "$what" = "${pair#* }" ] || expect_in stdout "$what"
	done
done
dump
expect_not_in stdout "^float"
dump --btf_gen_floats
expect_in stdout "^float float"
