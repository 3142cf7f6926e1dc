#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what is large: enums, structs, names, numbers of sections, files

. "${0%/*}/../lib/testlib.sh"

need gcc ld as awk cmp readelf dd python3

# As many values as BTF can count, and one more.
awk 'BEGIN { print "enum e { FIRST,"; for (i = 1; i < 65535; i++) printf "E%d,\n", i
	print "MORE } v;" }' >enum.c
sed 's/^MORE//' enum.c | gcc -g -xc -c -o fits.o - || fail "gcc failed"
gcc -g -c -o more.o enum.c || fail "gcc failed"
run_ok btfenc --btf_encode_detached=fits.btf fits.o
run "$TOOLS/btfdump.py" fits.btf
expect_in stdout E65534
run btfenc --btf_encode_detached=more.btf more.o
expect_error "'more.o': unit 'enum.c': 'e' has 65536 members, values or parameters; BTF has room for 65535"
# the units of gcc's LTO are read as one, which has no name
if printf 'int main(void) { return 0; }' | gcc -flto -O1 -g -xc -o lto enum.c - 2>out/lto; then
	run btfenc --btf_encode_detached=more.btf lto
	expect_error "'lto': 'e' has 65536 members, values or parameters; BTF has room for 65535"
fi
[ ! -e more.btf ] || fail "it has written something"

# Offsets have 32 bits, or 24 in a struct with bit fields.
for version in 2 4 5; do
	gcc -g -gdwarf-$version -gstrict-dwarf -c -o far.o -xc - <<-SOURCE || fail "gcc failed"
	struct plain { char x[3000000]; int b; } p;
	struct bits { int a:3; char x[3000000]; int b; } q;
	struct huge { char x[536870908]; int last, beyond; } *r;
	SOURCE
	run_ok btfenc -j1 --btf_encode_detached=far.btf far.o
	expect_stderr <<-END
	btfenc: warning: struct 'bits', member 'b' at bit 24000032: left out, BTF cannot express a member beyond 2 MiB in a struct with bit fields
	btfenc: warning: struct 'huge', member 'beyond': left out, BTF cannot express a member beyond 512 MiB
	END
	run "$TOOLS/btfdump.py" far.btf
	expect_in stdout "3000000 b int"
	expect_in stdout "536870908 last int"
	expect_not_in stdout beyond
done

# A name of 127 bytes is one more than what pahole keeps of a parameter's.
name=$(awk 'BEGIN { for (i = 0; i < 127; i++) printf "n" }')
long=$name$name$name$name
gcc -g -c -o name.o -xc - <<-END || fail "gcc failed"
struct s$long { int m$long; } *v$long;
int f$name(int p$long) { return p$long; }
END
run_ok btfenc --btf_encode_detached=name.btf name.o
run "$TOOLS/btfdump.py" name.btf
for what in s$long m$long p$long f$name; do
	expect_in stdout $what
done

# A function's tags go the same way as its parameters in pahole.
if command -v clang >/dev/null; then
	clang -g -c -o tag.o -xc - <<-END || fail "clang failed"
	__attribute__((btf_decl_tag("f$long"))) int f(int p __attribute__((btf_decl_tag("p$long"))))
	{ return p; }
	END
	run_ok btfenc --btf_encode_detached=tag.btf tag.o
	run "$TOOLS/btfdump.py" tag.btf
	expect_in stdout "f$long"
	expect_in stdout "p$long"
fi

# More sections than the header of ELF can count: 65,280 and up are counted elsewhere.
echo 'struct s { int a; } x __attribute__((section(".data.late"))); int f(struct s *p) { return p->a; }' |
	gcc -g -xc -c -o small.o - || fail "gcc failed"
awk 'BEGIN { for (i = 0; i < 66000; i++) printf ".section .d.%d,\"aw\"\n.byte 0\n", i
	print ".section .note.GNU-stack,\"\",@progbits" }' >many.s
as -o many.o many.s && ld -r -o all.o many.o small.o || fail "as or ld failed"
readelf -hW all.o | grep -q 'Number of section headers: *0 (66' || skip "binutils makes no such file"
vars=--btf_features=default,global_var
run_ok btfenc $vars --btf_encode_detached=small.btf small.o
run_ok btfenc $vars --btf_encode_detached=all.btf all.o
cmp small.btf all.btf || fail "other BTF"
run_ok btfenc $vars -J all.o
readelf -SW all.o 2>/dev/null | grep -q '\[66[0-9]*\] .BTF ' || fail "no .BTF in the file"
run btfenc $vars --btf_encode_detached=again.btf all.o
cmp small.btf again.btf || fail "other BTF after -J"

# A file of 5 GiB, mostly holes: the table of sections is at its end.
table=$(readelf -hW small.o | sed -n 's/ *Start of section headers: *\([0-9]*\) .*/\1/p')
far=$((5 << 30))
cp small.o far.o
dd if=small.o of=far.o bs=8 skip=$((table / 8)) seek=$((far / 8)) conv=notrunc 2>/dev/null &&
	printf '\000\000\000\100\001\000\000\000' |
	dd of=far.o bs=1 seek=40 conv=notrunc 2>/dev/null || skip "no room for 5 GiB of holes"
[ $((table % 8)) = 0 ] || fail "the table is at $table"
run_ok btfenc $vars --btf_encode_detached=far.btf far.o
cmp small.btf far.btf || fail "other BTF in a large file"
run_ok btfenc $vars -J far.o
run btfenc $vars --btf_encode_detached=again.btf far.o
cmp small.btf again.btf || fail "other BTF after -J in a large file"
