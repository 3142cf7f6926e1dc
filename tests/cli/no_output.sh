#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# neither -J nor a detached file: who asks for what needs one is told what to give

. "${0%/*}/../lib/testlib.sh"

: >a.o
run btfenc --strip_dwarf a.o
expect_usage_error "no output: give '-J' to put BTF into 'a.o'"
run btfenc --btf_vars_detached=v a.o
expect_usage_error \
	"no output: give '-J' to put BTF into 'a.o', or '--btf_encode_detached=OUT'"

# features do not imply an output: what would be in it is printed
gcc_c b.o <<\END
struct s { int a; } s;
END
cp b.o before.o
run_ok btfenc -q --btf_features=default b.o
expect_stdout <<\END
struct s {
	int                        a;
};
END
cmp b.o before.o || fail "b.o was changed"
