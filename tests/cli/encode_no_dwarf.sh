#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a file without debug information is left alone: in silence if it is an object, else with a warning

. "${0%/*}/../lib/testlib.sh"

need gcc cmp strip
echo 'int f(int a) { return a; }' | gcc -x c -c -o a.o - || fail "gcc failed"
cp a.o before
run_silent btfenc -J a.o
run_ok btfenc -J -V a.o
expect_no_stdout
expect_stderr <<\END
'a.o' has no debug information: nothing to encode
END
cmp before a.o || fail "the file was changed"
run_ok btfenc --btf_encode_detached=a.btf a.o
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'a.btf' is not written: there is no BTF to write
END
[ ! -e a.btf ] || fail "an output without types"

# A build does not link a program of which it wants BTF without debug information.
gcc -shared -o a.so a.o || fail "gcc failed"
run_ok btfenc -J a.so
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'a.so' has no debug information: nothing to encode
END

# BTF of an earlier run, whose DWARF was stripped
gcc_c stripped.o <<\END
int g(int a) { return a; }
END
btfenc -J stripped.o && strip -g stripped.o || fail "no BTF in stripped.o"
run_ok btfenc --btf_encode_detached=none.btf stripped.o
expect_stderr <<\END
btfenc: warning: 'none.btf' is not written: there is no BTF to write; '-F btf' writes that of the file
END
run_silent btfenc -F btf --btf_encode_detached=none.btf stripped.o

# An output of an earlier run stays, with a warning.
echo old >a.btf
run_ok btfenc --btf_encode_detached=a.btf a.o
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'a.btf' is unchanged: there is no BTF to write
END
[ "$(cat a.btf)" = old ] || fail "the old output was changed"
run_silent btfenc --btf_encode_detached=/dev/null a.o

# DWARF that is not read is not stripped, and there is a warning.
gcc -g -shared -o full.so -x c - <<'END' || fail "gcc failed"
int f(int a) { return a; }
END
cp full.so before
run_ok btfenc -J -F btf --strip_dwarf full.so
expect_stderr <<\END
btfenc: warning: 'full.so' has no BTF to combine: nothing to encode
END
cmp before full.so || fail "DWARF that was not read was stripped"
run_ok btfenc -J --lang=rust full.so
expect_stderr <<\END
btfenc: warning: 'full.so': its units have no types or are excluded: nothing to encode
END
cmp before full.so || fail "the file was changed"
