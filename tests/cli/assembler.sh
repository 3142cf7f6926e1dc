#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a function of an assembler's unit takes and returns nothing, as in pahole 1.31; --lang_exclude=asm

. "${0%/*}/../lib/testlib.sh"

need gcc python3
cat >f.S <<\END
	.text
	.globl asm_function
	.type asm_function, %function
asm_function:
	nop
	.size asm_function, . - asm_function
END
gcc -gdwarf-5 -c f.S || fail "gcc failed"
readelf --debug-dump=info f.o 2>/dev/null | grep -q DW_TAG_subprogram || skip "as tells no functions"
run_silent btfenc --btf_encode_detached=f.btf f.o
run "$TOOLS/btfdump.py" f.btf
expect_stdout <<\END
func static asm_function() -> void
END
run_ok btfenc --btf_encode_detached=no.btf --lang_exclude=asm f.o
[ ! -e no.btf ] || fail "an assembler's unit although these are excluded"
