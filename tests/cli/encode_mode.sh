#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the mode of the file stays; a new output gets what the umask leaves

. "${0%/*}/../lib/testlib.sh"

need stat
gcc_c a.o <<\END
struct s { int x; } s;
END
cp a.o b.o
for mode in 640 755 600; do
	cp b.o a.o
	chmod $mode a.o
	run_ok btfenc -J a.o
	[ "$(stat -c %a a.o)" = $mode ] || fail "mode $(stat -c %a a.o), not $mode"
done
umask 027
run_ok btfenc --btf_encode_detached=a.btf b.o
[ "$(stat -c %a a.btf)" = 640 ] || fail "a new file of mode $(stat -c %a a.btf)"
