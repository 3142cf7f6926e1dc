#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a base may be a list of files, each with split BTF over those before it

. "${0%/*}/../lib/testlib.sh"

need gcc
cat >core.c <<'END'
struct core { int mask; };
struct core core;
END
cat >module.c <<'END'
struct core { int mask; };
struct mine { struct core c; };
static inline int twice(struct mine *m) { return m->c.mask * 2; }
int function(struct mine *m) { return twice(m) + 1; }
END
gcc -g -O2 -c core.c && gcc -g -O2 -c module.c || fail "gcc failed"
run_silent btfenc --btf_features=default --btf_encode_detached=core.btf core.o
run_silent btfenc --btf_features=default --btf_base=core.btf --btf_encode_detached=module.btf module.o

# The module over vmlinux and itself: all types and its function are there.
run_silent btfenc --btf_features=default,inline --btf_base=core.btf,module.btf --btf_encode_detached=sites.btf module.o
run_silent btfenc --btf_check=7.4 --btf_base=core.btf,module.btf sites.btf
run_ok btfenc --btf_stats --btf_base=core.btf,module.btf sites.btf
! grep -E '^(STRUCT|PTR|INT) ' out/stdout || fail "a type of the base is repeated"
grep -q '^LOCSEC  *1 ' out/stdout || fail "no LOCSEC"
run_ok btfenc --btf_features=default,inline --btf_base=core.btf --btf_encode_detached=apart.btf module.o
run_ok btfenc --btf_stats --btf_base=core.btf apart.btf
grep -q '^STRUCT  *1 ' out/stdout || fail "the module's struct is in core.btf"

# A file whose name has a comma is one file.
cp core.btf a,b
run_silent btfenc --btf_features=default --btf_base=a,b --btf_encode_detached=again.btf module.o
cmp again.btf module.btf || fail "a,b was not read"

# The second is over the first.
run_status 1 btfenc --btf_check --btf_base=module.btf,core.btf sites.btf
run_status 1 btfenc --btf_check --btf_base=core.btf,missing.btf sites.btf
expect_stderr <<\END
btfenc: error: 'missing.btf': No such file or directory
END

# No output takes the place of a file of the list.
for file in core.btf module.btf; do
	run_status 64 btfenc --btf_base=core.btf,module.btf --btf_encode_detached=$file module.o
	expect_stderr <<END
btfenc: error: '$file' is the base itself
try 'btfenc --help'
END
done
