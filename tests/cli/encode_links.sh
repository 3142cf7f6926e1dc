#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a symbolic link is followed; of several names only the given one changes

. "${0%/*}/../lib/testlib.sh"

need cmp
gcc_c a.o <<\END
struct s { int x; } s;
END
cp a.o before
ln -s a.o symbolic
run_silent btfenc -J symbolic
[ -L symbolic ] || fail "the link became a file"
has_section a.o .BTF || fail "its target has no .BTF"

cp before b.o
ln b.o other_name
run_ok btfenc -J b.o
has_section b.o .BTF || fail "no .BTF"
cmp before other_name || fail "the other name changed, too"
