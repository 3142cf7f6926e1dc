#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --lang, --lang_exclude and the environment choose units by their language

. "${0%/*}/../lib/testlib.sh"

need gcc g++ python3
echo 'struct in_c { int x; } c;' >c.c
echo 'struct in_cxx { int x; } cxx;' >cxx.cc
gcc -g -std=c11 -c c.c && g++ -g -std=c++14 -c cxx.cc && gcc -nostdlib -r -o both c.o cxx.o ||
	fail "the compilers failed"

# dump OPTION...
dump()
{
	rm -f both.btf
	run_ok btfenc --btf_encode_detached=both.btf "$@" both
	run_ok "$TOOLS/btfdump.py" both.btf
}

dump
expect_in stdout "struct in_c "
expect_in stdout "struct in_cxx "
dump --lang=c11
expect_in stdout "struct in_c "
expect_not_in stdout in_cxx
dump --lang_exclude=c11
expect_not_in stdout "struct in_c "
expect_in stdout in_cxx
PAHOLE_LANG_EXCLUDE=c++14
export PAHOLE_LANG_EXCLUDE
dump
expect_in stdout "struct in_c "
expect_not_in stdout in_cxx
