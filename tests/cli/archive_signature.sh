#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an archive has both forms of a function whose signature the compiler changed, whatever the features of the object

. "${0%/*}/../lib/testlib.sh"

need clang cmp ld bpftool
cat >one.c <<'END'
static __attribute__((noinline)) int changed(int unused, int used) { return used + 1; }
int one(int n) { return changed(n, n + 1); }
END
echo 'int one(int n); int start(void) { return one(3); }' >two.c
plain=--btf_features=default
true=$plain,true_signature

# objects FEATURES: encode both with these, and link them
objects()
{
	for name in one two; do
		clang -g -O2 -c $name.c || fail "clang failed"
		run_ok btfenc -J "$1" $name.o
	done
	ld -e start -o program one.o two.o || fail "ld failed"
}

objects $true
run_ok btfenc $true -F dwarf --btf_encode_detached=dwarf.btf program
run_ok btfenc $plain -F dwarf --btf_encode_detached=plain.btf program
cmp -s dwarf.btf plain.btf && skip "this clang does not tell which functions it has changed"
archive_as_dwarf $true program
bpftool btf dump file archive.btf >out/dump || fail "bpftool failed"
expect_in dump "FUNC 'changed'"

# the facts have both forms of the function, whatever the features of the object
objects $plain
archive_as_dwarf $plain program
archive_as_dwarf $true program
objects $true
archive_as_dwarf $plain program
