#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# no other program is told a name: any name is a name, and no file beside it is touched
#
# pahole has a shell run llvm-objcopy, with F and F.btf as they are.

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct s { int x; } s;
END
mkdir odd
for name in 'two words.o' 'a;touch pwned;.o' '$(touch pwned).o' "it's.o" '*.o' -- -J; do
	cp -- a.o "odd/$name"
	echo mine >"odd/$name.btf"
	run btfenc -J "odd/$name"
	expect_status 0
	expect_silence
	has_section "odd/$name" .BTF || fail "no .BTF in '$name'"
	[ "$(cat "odd/$name.btf")" = mine ] || fail "'$name.btf' was changed"
done
[ ! -e pwned ] || fail "a name was run"
[ "$(ls odd | wc -l)" = 14 ] || fail "other files: $(ls odd)"
