#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# typedefs of the base are repeated, as by pahole 1.31, unless base_typedefs is asked for

. "${0%/*}/../lib/testlib.sh"

need gcc bpftool cmp
cat >core.c <<'END'
typedef unsigned int u32;
typedef u32 mask_t;
struct core { mask_t mask; const u32 *p; };
struct core core;
END
cat >module.c <<'END'
typedef unsigned int u32;
typedef u32 mask_t;
typedef unsigned long own_t;
struct core { mask_t mask; const u32 *p; };
struct mine { struct core c; mask_t *masks[4]; own_t own; };
struct mine mine;
mask_t function(const u32 *p) { return *p; }
END
gcc -g -c core.c && gcc -g -c module.c && cp module.o second.o || fail "gcc failed"
run_ok btfenc --btf_encode_detached=base.btf core.o

# dump FILE: its own types
dump()
{
	bpftool btf -B base.btf dump file "$1" >dump || fail "bpftool does not read $1"
}

run_ok btfenc --btf_features=default --btf_base=base.btf --btf_encode_detached=with.btf module.o
dump with.btf
for name in u32 mask_t own_t; do
	grep -q "TYPEDEF '$name'" dump || fail "no typedef $name by default"
done

run_silent btfenc --btf_features=default,base_typedefs --btf_base=base.btf --btf_encode_detached=less.btf module.o
dump less.btf
! grep "TYPEDEF '\(u32\|mask_t\)'" dump || fail "a typedef of the base is repeated"
grep -q "TYPEDEF 'own_t'" dump || fail "the module's own typedef is gone"
! grep "CONST\|STRUCT 'core'" dump || fail "what is made of a typedef of the base is repeated"
[ "$(wc -c <less.btf)" -lt "$(wc -c <with.btf)" ] || fail "it is not smaller"

# The same with a base that several share.
for jobs in 1 2; do
	cp module.o a.o
	cp second.o b.o
	run_ok btfenc -j$jobs -J --btf_features=+base_typedefs --btf_base=base.btf a.o b.o
	for object in a.o b.o; do
		objcopy --dump-section .BTF=section $object junk || fail "$object has no .BTF"
		cmp less.btf section || fail "$object: several at once give another result"
	done
done

# It is not among pahole's, and does no harm where there is no base.
run btfenc --supported_btf_features
! grep base_typedefs out/stdout || fail "pahole does not list base_typedefs"
run_ok btfenc --btf_features=default,base_typedefs --btf_encode_detached=none.btf core.o
