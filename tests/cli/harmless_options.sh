#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# options that do nothing for an encoder are accepted

. "${0%/*}/../lib/testlib.sh"

run btfenc -q --quiet --hashbits=15 --first_obj_only --fixup_silly_bitfields \
	--reproducible_build --btf_gen_optimized --version
expect_status 0
expect_no_stderr
