#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what can be printed from, and what cannot

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy
gcc_c base.o <<\END
struct shared { int a; };
struct shared s;
END
gcc_c module.o <<\END
struct shared { int a; };
struct own { struct shared *a; double b; _Bool c; };
struct own o;
END
: >empty
btfenc --btf_encode_detached=base.btf base.o || fail "cannot encode"
btfenc --btf_features=default --btf_base=base.btf --btf_encode_detached=split.btf module.o ||
	fail "cannot encode"

# types of the base count, and come first; there is no DWARF over a base
cat >expected <<\END
shared	4	0
own	24	0
END
for input in split.btf "-F btf split.btf"; do
	run_ok btfenc -s --btf_base=base.btf $input
	expect_stdout <expected
done
run_status 1 btfenc -F btf split.btf
expect_no_stdout
expect_in stderr "^btfenc: error: 'split.btf': BTF"
error "'base.o': there is no .BTF section" --btf_base=base.btf base.o

# a module with a base of its own
cp module.o distilled.ko
btfenc -J --btf_features=default,distilled_base --btf_base=base.btf distilled.ko ||
	fail "cannot encode"
strip -g distilled.ko
run_ok btfenc -q -C own distilled.ko
expect_stdout <<\END
struct own {
	struct shared *            a;
	double                     b;
	_Bool                      c;
};

END

run_status 1 btfenc empty
expect_in stderr "^btfenc: error: 'empty': neither an ELF file nor BTF"
run_status 1 btfenc -C own nowhere
expect_in stderr "nowhere"
gcc_c nothing.o -g0 <<\END
int a;
END
error "'nothing.o': there is no DWARF and no BTF" nothing.o
error "'base.o': there is no DWARF and no BTF of the selected units" --lang=rust base.o
head -c 40 base.btf >cut
run_status 1 btfenc -F btf cut
expect_no_stdout

# of an archive, only the members up to the type are read
cp base.btf members
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cat members members >twice
	mv twice members
done
objcopy --add-section .BTF=members nothing.o archive.o || fail "objcopy failed"
run_ok btfenc -q -C shared archive.o
expect_stdout <<\END
struct shared {
	int                        a;
};

END

# a full disk is an error
if [ -w /dev/full ]; then
	btfenc base.o >/dev/full 2>said && fail "a full disk is none"
	grep -q '^btfenc: error: .*No space left on device$' said || fail "$(cat said)"
fi

# printing and encoding do not go together
table usage_error <<\END
-J -E base.o | '-E' and '-J' cannot be combined
-c 0 base.o | --cacheline_size: '0' is not a number from 1 to 65535
-H many base.o | --holes: 'many' is not a number from 0 to 65535
END
