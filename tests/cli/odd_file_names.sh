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
	run_silent btfenc -J "odd/$name"
	has_section "odd/$name" .BTF || fail "no .BTF in '$name'"
	[ "$(cat "odd/$name.btf")" = mine ] || fail "'$name.btf' was changed"
done
[ ! -e pwned ] || fail "a name was run"
[ "$(ls odd | wc -l)" = 14 ] || fail "other files: $(ls odd)"

# what a terminal would obey is printed as an escape, and a name of two lines is on one
odd=$(printf 'odd/two\nlines\033[31m\377.btf')
btfenc --btf_encode_detached="$odd" a.o || fail "cannot encode"
run_ok btfenc --btf_stats "$odd"
expect_in stdout '^odd/two\\x0alines\\x1b\[31m\\xff.btf: BTF: '
poke "$odd" 3 '\001'
run_status 1 btfenc --btf_check "$odd"
expect_stdout <<\END
odd/two\x0alines\x1b[31m\xff.btf: error: BTF+0x3: the flags are 1, not 0 [btf_parse_hdr]
END
rm "$odd"
error "'odd/two\\x0alines\\x1b[31m\\xff.btf': No such file or directory" --btf_check "$odd"

# a name as long as a path can be is not cut
long=$(printf '%0200d' 0)
mkdir -p "$long/$long/$long"
btfenc --btf_encode_detached="$long/$long/$long/a.btf" a.o || fail "cannot encode"
run btfenc --btf_stats "$long/$long/$long/a.btf"
expect_in stdout "^$long/$long/$long/a.btf: BTF: "
