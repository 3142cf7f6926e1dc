#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# options that do nothing for an encoder are accepted, and do nothing

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc -q --quiet --hashbits=15 --first_obj_only --fixup_silly_bitfields \
	--skip_missing --reproducible_build --btf_gen_optimized --version
expect_no_stderr

# pahole takes the size from a bit field of one bit in eight bytes, if it is to fix silly ones.
gcc_c a.o <<\END
struct s { int x : 32; unsigned long bit : 1; } s;
int f(struct s *p) { return p->x; }
END
run_ok btfenc --btf_features=default --btf_encode_detached=plain.btf a.o
for option in --fixup_silly_bitfields --first_obj_only --hashbits=8 --quiet --skip_missing --reproducible_build \
	--btf_gen_optimized; do
	run_silent btfenc --btf_features=default $option --btf_encode_detached=a.btf a.o
	cmp plain.btf a.btf || fail "$option gives other bytes"
done
for feature in reproducible_build optimized_func; do
	run btfenc --btf_features=default,$feature --btf_encode_detached=a.btf a.o
	cmp plain.btf a.btf || fail "$feature gives other bytes"
done
