#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --launch: no object is left that should have BTF and has none, and the build hears of it

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy cmp

# A compiler of which some objects have damaged DWARF: an abbreviation with a form that there is not.
cat >broken-cc <<\END
#!/bin/sh
gcc "$@" || exit
for o in b.o only.o; do
	[ ! -e $o ] || objcopy --update-section .debug_abbrev=damaged $o || exit
done
END
chmod +x broken-cc
printf '\001\021\001\003\177\000\000\000' >damaged
for unit in a b c; do
	echo "struct $unit { int x; } $unit;" >$unit.c
done
cp a.c only.c

run_status 1 btfenc --launch -- ./broken-cc -g -c only.c -o only.o -MD
expect_no_stdout
expect_in stderr "^btfenc: error: 'only.o': .debug_info.*unknown form 0x7f"
[ "$(wc -l <out/stderr)" = 1 ] || fail "more than one line"
[ ! -e only.o ] || fail "the object is left"
[ -e only.d ] || fail "more than the object is gone"

# of several, what is good stays
run_status 1 btfenc --launch -- ./broken-cc -g -c a.c b.c c.c
expect_in stderr "^btfenc: error: 'b.o'"
[ ! -e b.o ] || fail "the object is left"
for o in a.o c.o; do
	has_section $o .BTF || fail "$o has no BTF"
done

# a compiler that fails: nothing of its is touched
rm -f ./*.o
echo 'int f(void) { return }' >b.c
gcc -g -c a.c b.c 2>theirs && fail "gcc takes it"
cp a.o a.theirs
rm -f ./*.o
run_status 1 btfenc --launch -- gcc -g -c a.c b.c
expect_stderr <theirs
cmp a.o a.theirs || fail "a.o is touched"

# the command line
table usage_error <<\END
--launch | '--launch' needs a command
--launch -- | '--launch' needs a command
gcc --launch | '--launch' must stand before the command, not after 'gcc'
END
for option in --btf_base --btf_encode_detached --btf_vars_detached; do
	usage_error "'--launch' and '$option' cannot be combined" --launch $option=x -- gcc
done
for option in --dedup_btf --btf_stats '-F btf'; do
	usage_error "'--launch' and '$option' cannot be combined" --launch $option -- gcc
done
run btfenc --launch --btf_features=distilled_base -- gcc
expect_usage_error "'--launch' and '--btf_features=distilled_base' cannot be combined"
usage_error "'--sizes' and '--launch' cannot be combined" --launch --sizes -- gcc
