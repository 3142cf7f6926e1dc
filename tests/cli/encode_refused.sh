#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what C cannot say becomes no BTF: the kernel would refuse it all, when it boots

. "${0%/*}/../lib/testlib.sh"

need objdump

# the member's type refers to nothing: it is void
refused="the kernel would refuse its BTF: type 1 's' (STRUCT): element 0 'a': it is void [btf_struct_check_meta]"
break_type()
{
	cp "$1.o" "$1.bad"
	# the last reference to "int", of DW_FORM_ref4
	at=$(objdump --dwarf=info "$1.o" | sed -n 's/^ *<\([0-9a-f]*\)><\([0-9a-f]*\)>: Abbrev Number: .*DW_TAG_member.*/\2/p')
	[ -n "$at" ] || fail "no member in $1.o"
	# code, one-letter name, file, line and column come before the type
	poke "$1.bad" "$(section_at "$1.o" .debug_info) + 0x$at + 6" '\0\0\0\0'
}

gcc_c c.o -gdwarf-5 <<\END
struct s { int a; } s;
END
break_type c
cp c.bad kept
error "'c.bad': $refused" -J c.bad
cmp c.bad kept || fail "it was changed"

# who wants it all the same gets it
run_silent btfenc -J --skip_encoding_btf_check c.bad
run_status 1 btfenc --btf_check c.bad
expect_in stdout 'it is void'

# so it is where variables and inlined functions are apart: the name of their section cannot be printed
gcc_c apart.o -O2 <<\C
static inline __attribute__((always_inline)) int f(int x) { return x * 3; }
__attribute__((section("NAME"))) int g(int x) { return f(x); }
int v __attribute__((section("NAMF"))) = 1;
C
at=$(grep -abo 'NAM[EF]' apart.o | cut -d : -f 1) || fail "no name of a section"
for offset in $at; do
	poke apart.o "$offset" '\001'
done
refused="the name is empty, too long, or cannot be printed"
error "'apart.o': the kernel would refuse its BTF: type 5 '\x01AMF' (DATASEC): $refused [btf_datasec_check_meta]" \
	--btf_encode_detached=core --btf_vars_detached=vars apart.o
error "'apart.o': the kernel would refuse its BTF: type 6 'inline\x01AME' (LOCSEC): $refused [btf_locsec_check_meta]" \
	--btf_encode_detached=core --btf_inline_detached=sites apart.o
[ ! -e core ] && [ ! -e vars ] && [ ! -e sites ] || fail "a file was written"
