#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# types on which libbpf is quadratic or exponential, or recurses, cost time and no stack
#
# No times are compared: what grows with the square of so many takes minutes, what is exponential
# never ends, and what recurses on them takes tens of megabytes of stack. Here all of it takes a second.

. "${0%/*}/../lib/testlib.sh"

need python3

# few of them: DWARF and BTF say the same
for shape in enums unions chain clash pointers copies types; do
	for form in dwarf btf; do
		"$TOOLS/btfhard.py" $shape 9 $form $shape.$form || exit 1
		run_silent btfenc --btf_features=default -F $form --btf_encode_detached=made $shape.$form
		"$TOOLS/btfdump.py" made >$shape.$form.txt || exit 1
	done
	[ -s $shape.dwarf.txt ] || fail "$shape: nothing in it"
	diff -u $shape.dwarf.txt $shape.btf.txt || fail "$shape: DWARF and BTF differ"
done

# many: seconds of CPU, kilobytes of stack of each thread
ulimit -t 30
ulimit -s 1024
for shape in enums:100000 unions:50000 chain:50000 clash:50000 pointers:50000 copies:15 types:100000 blocks:100000; do
	for form in dwarf btf; do
		"$TOOLS/btfhard.py" "${shape%:*}" "${shape#*:}" $form hard || exit 1
		for jobs in 1 16; do
			run_silent btfenc --btf_features=default -j$jobs -F $form --btf_encode_detached=$jobs.btf hard
		done
		cmp 1.btf 16.btf || fail "$shape: -j16 differs from -j1"
	done
done
