#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Enums of Rust with data have their variants with the feature rust_variants, and a kernel accepts that.

. "${0%/*}/../lib/testlib.sh"

need rustc bpftool gcc

cat >a.rs <<'END'
#![no_std]
#![allow(dead_code, improper_ctypes_definitions)]
pub struct Point { x: u32, y: u64 }
pub enum Shape { Empty, Circle(u32), Line { from: Point, to: Point } }
pub enum Single { Only(u16) }
pub enum Never {}
#[repr(u8)]
pub enum Small { One(u8) = 1, Two = 200 }
#[no_mangle]
pub extern "C" fn rust_area(s: &Shape, o: &Single, n: *const Never, t: &Small) -> u32 {
	match s { Shape::Circle(r) => *r, _ => core::mem::size_of_val(o) as u32 + n as u32 + core::mem::size_of_val(t) as u32 }
}
END
rustc -g --edition=2021 --crate-type=lib --emit=obj -C codegen-units=1 -C panic=abort -o a.o a.rs 2>rustc.err ||
	skip "rustc has no core: $(head -n 1 rustc.err)"

run_silent btfenc --btf_features=default --btf_encode_detached=plain.btf a.o
bpftool btf dump file plain.btf >plain.txt || fail "bpftool does not read plain.btf"
grep -q "STRUCT 'Shape' size=[0-9]* vlen=0" plain.txt || fail "Shape has members without the feature"
grep -q __discr plain.txt && fail "there is a discriminant without the feature"

run_silent btfenc --btf_features=default,rust_variants --btf_encode_detached=variants.btf a.o
run_silent btfenc --btf_check=6.12 variants.btf
bpftool btf dump file variants.btf format c >variants.h || fail "bpftool does not read variants.btf"
for name in "struct Circle Circle;" "struct Line Line;" "struct Empty Empty;" "struct Only Only;" "struct Two Two;" \
	"Two = 200" "__discr;"; do
	grep -qF "$name" variants.h || fail "there is no $name"
done
cat >c.c <<'END'
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#include "variants.h"
int f(struct Shape *s) { return s->__discr == 2 ? s->Line.to.x : s->Circle.__0; }
int g(struct Small *s) { return s->__discr == Two; }
_Static_assert(sizeof(struct Single) == 2, "size");
END
gcc -Wall -Wno-unknown-pragmas -Werror -c c.c || fail "the header does not compile"

# per object: the linked file's BTF equals that from its DWARF
cat >b.c <<'END'
int main(void) { return 0; }
END
gcc -g -c b.c || fail "gcc failed"
ld -r -o from_dwarf.o a.o b.o || fail "ld failed"
run_silent btfenc -J --btf_features=default,rust_variants a.o
run_silent btfenc -J --btf_features=default,rust_variants b.o
ld -r -o joined.o a.o b.o || fail "ld failed"
run_silent btfenc --btf_features=default,rust_variants --btf_encode_detached=dwarf.btf from_dwarf.o
run_silent btfenc -F btf --btf_features=default,rust_variants --btf_encode_detached=joined.btf joined.o
cmp dwarf.btf joined.btf || fail "the archive has another BTF than the DWARF"
