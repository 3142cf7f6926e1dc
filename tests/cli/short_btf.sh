#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a .BTF of 0 to 23 bytes, too few for a header, is an error wherever BTF is read

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy

echo 'struct s { int x; } s;' >a.c
gcc -g -c a.c || exit 1
btfenc --btf_encode_detached=whole a.o || exit 1
for size in 0 1 2 3 4 7 8 12 16 20 23; do
	head -c $size whole >cut
	objcopy --add-section .BTF=cut --set-section-flags .BTF=readonly a.o cut.o 2>/dev/null || exit 1
	for file in cut cut.o; do
		cp $file before
		run_status 1 btfenc --btf_check $file
		run btfenc -F btf -J $file
		# a section without bytes is as good as none
		if [ "$size$file" = 0cut.o ]; then
			expect_status 0
		else
			expect_status 1
			[ "$(wc -l <out/stderr)" = 1 ] || fail "$size bytes: more than one line"
		fi
		cmp $file before || fail "$size bytes: $file was changed"
		run_status 1 btfenc --btf_encode_detached=made --btf_base=$file a.o
		[ ! -e made ] || fail "$size bytes as a base: something was written"
	done
	# what has DWARF is encoded, whatever there was before
	run_ok btfenc -J cut.o
	has_section cut.o .BTF || fail "$size bytes: no .BTF"
done
