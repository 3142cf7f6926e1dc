#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Members without .debug.btf give what DWARF gives as far as BTF has it, with a warning.

. "${0%/*}/../lib/testlib.sh"

need clang gcc ld objcopy bpftool

# --- tags of functions and variables
clang -g -c -o tagged.o "$SRCDIR/tests/golden/decl_tags/in.c" || fail "clang failed"
echo 'int other(int a) { return a; }' | gcc_c other.o
features=--btf_features=default,global_var
for unit in tagged other; do
	run_ok btfenc -J $features $unit.o
	strip_facts $unit.o
done
ld -e f -o program tagged.o other.o || fail "ld failed"
run_ok btfenc -F dwarf $features --btf_encode_detached=dwarf.btf program
run_ok btfenc $features --btf_encode_detached=archive.btf program
expect_stderr <<'END'
btfenc: warning: 'program': .BTF+0 (member 1) and 1 other: without .debug.btf, so functions may be inconsistent and static variables missing
END
cmp dwarf.btf archive.btf || fail "the archive does not give what DWARF gives"

# --- what is not linked
section program .BTF piled.btf
run_silent btfenc -F btf $features --btf_encode_detached=raw.btf --btf_report=report piled.btf
bpftool btf dump file raw.btf | sed -n "s/.*DECL_TAG '\([a-z]*\)'.*/\1/p" | sort >tags
printf '%s\n' function member parameter struct typedef union x y >wanted
diff -u wanted tags || fail "other tags"
grep -q '"rule":"vars_not_linked","subject":"var","result":"left_out","name":"","count":2}' report ||
	fail "nobody tells of the variables: $(cat report)"
run_ok btfenc -V -F btf $features --btf_encode_detached=raw.btf piled.btf
expect_in stderr "^2 variables left out: the unit is not linked, so they have no address$"
# but who asks for none misses none
run_ok btfenc -F btf --btf_features=decl_tag --btf_report=report piled.btf
! grep vars_not_linked report || fail "variables were not asked for"

# --- kfuncs are read from the linked file, where there is one, and not twice
gcc -g -O1 -o kfuncs -nostdlib -static -e 0 "$SRCDIR/tests/golden/kfuncs/in.c" 2>err || fail "$(cat err)"
run_ok btfenc -J --btf_features=default kfuncs
section kfuncs .BTF kfuncs.btf
bpftool btf dump file kfuncs.btf | grep -c "DECL_TAG 'bpf_" >once
[ "$(cat once)" -gt 1 ] || fail "no kfuncs"
for file in kfuncs kfuncs.btf; do
	run_ok btfenc -F btf --btf_features=default --btf_encode_detached=again.btf $file
	bpftool btf dump file again.btf | grep -c "DECL_TAG 'bpf_" >again
	cmp once again || fail "$file: $(cat once) tags of kfuncs became $(cat again)"
done

# --- units of one object that do not agree on a function that others describe
echo 'static inline int f(int a) { return a; } int use_a(int a) { return f(a); }' | gcc_c a.o -O2
echo 'static inline int f(char *s) { return *s; } int use_b(char *s) { return f(s); }' | gcc_c b.o -O2
echo 'int f(int a) { return a; } int main(void) { return f(2); }' | gcc_c main.o -O2
ld -r -o several.o a.o b.o || fail "ld failed"
for list in default encode_force; do
	for unit in several main; do
		run_silent btfenc -J --btf_features=$list $unit.o
	done
	ld -e main -o program several.o main.o || fail "ld failed"
	archive_as_dwarf --btf_features=$list program
	strip_facts several.o
	ld -e main -o program several.o main.o || fail "ld failed"
	run_ok btfenc --btf_features=$list --btf_encode_detached=archive.btf program
	expect_in stderr "^btfenc: warning: 'program': .BTF+0 (member 1): without .debug.btf, .*$"
done
# by itself it is whole
run_silent btfenc -F btf --btf_features=default --btf_encode_detached=several.btf several.o
exit 0
