#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the BTF that is split over a base does not replace that base

. "${0%/*}/../lib/testlib.sh"

need cmp
gcc_c vmlinux.o <<\END
struct base { int x; } base;
END
gcc_c module.ko <<\END
struct module { int x; } module;
END
btfenc -J vmlinux.o || fail "cannot encode"
btfenc --btf_encode_detached=base.btf vmlinux.o || fail "cannot encode"
cp vmlinux.o before.o && cp base.btf before.btf

run btfenc -J --btf_base=./vmlinux.o vmlinux.o
expect_usage_error "'vmlinux.o' is the base itself"
run btfenc --btf_base=base.btf --btf_encode_detached=./base.btf module.ko
expect_usage_error "'./base.btf' is the base itself"
cmp before.o vmlinux.o && cmp before.btf base.btf || fail "a base was changed"
