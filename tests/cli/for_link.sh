#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_for_link writes all into .debug.btf of an object, and the linked file gets the BTF of DWARF from that

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld objcopy strip readelf
cat >common.h <<'END'
struct shared { int a; struct other *o; };
struct other { struct shared s[2]; };
static inline int helper(struct shared *s, int n) { return s->a + n; }
END
cat >one.c <<'END'
#include "common.h"
int count = 3;
static int here = 5;
__attribute__((section(".data..percpu"))) int cpu_one = 1;
static __attribute__((noinline)) int same(int a) { return a + here; }
int one(struct shared *s) { return helper(s, 1) + same(count); }
END
cat >two.c <<'END'
#include "common.h"
struct private { long x; } instance;
static int here = 6;
static __attribute__((noinline)) int same(int a) { return a * here; }
int two(struct other *o, struct private *p) { return same(helper(o->s, p->x)); }
END
cat >main.c <<'END'
#include "common.h"
int one(struct shared *s), two(struct other *o, void *);
int main(void) { struct other o = { 0 }; return one(o.s) + two(&o, 0); }
END
features=--btf_features=default,global_var,inline,true_signature,decl_tag_kfuncs
objects="one.o two.o main.o"
for name in one two main; do
	gcc -g -O2 -fno-pie -c $name.c || fail "gcc failed"
	cp $name.o dwarf-$name.o
	cp $name.o plain-$name.o
	run_silent btfenc -J $features plain-$name.o
	# BTF of an earlier run is replaced
	[ $name = one ] && cp plain-one.o one.o
	run_silent btfenc -J $features --btf_for_link $name.o
	cp $name.o again.o
	run_silent btfenc -J $features --btf_for_link again.o
	cmp $name.o again.o || fail "another run gives another object"
	cp $name.o bare-$name.o
	run_silent btfenc -J $features --btf_for_link --strip_dwarf bare-$name.o
	has_section $name.o .debug_info || fail "no DWARF"
	for file in $name.o bare-$name.o; do
		has_section $file .debug.btf && has_section $file .rela.debug.btf || fail "$file: no .debug.btf"
		readelf -SW $file | grep -F ' .BTF' && fail "$file has .BTF"
	done
	! has_section bare-$name.o .debug_info || fail "DWARF stays"
done
link="ld -e main"
$link -o program $objects || fail "ld failed"
run_ok btfenc -F dwarf $features --btf_encode_detached=dwarf.btf program

# check FILE: its BTF is that of DWARF, without a message; then in place
check()
{
	for jobs in 1 2 8; do
		run_silent btfenc $features -j$jobs --btf_encode_detached=got.btf "$1"
		cmp dwarf.btf got.btf || fail "$1: other BTF than from DWARF with -j$jobs"
	done
	cp "$1" in-place
	run_silent btfenc -J $features in-place
	section in-place .BTF got.btf
	cmp dwarf.btf got.btf || fail "$1: other BTF in place"
	! has_section in-place .debug.btf || fail "$1: .debug.btf stays"
}

check program
$link -o bare bare-one.o bare-two.o bare-main.o || fail "ld failed"
check bare

# ld -r, encoded before or after it, once more, and linked later
ld -r -o joined.o bare-one.o bare-two.o && cp joined.o rewritten.o || fail "ld failed"
run_silent btfenc -J $features --btf_for_link rewritten.o
! has_section rewritten.o .BTF || fail "rewritten.o has .BTF"
ld -r -o both.o dwarf-one.o dwarf-two.o || fail "ld failed"
run_silent btfenc -J $features --btf_for_link --strip_dwarf both.o
for object in joined.o rewritten.o both.o; do
	$link -o later $object bare-main.o || fail "ld failed"
	check later
done

# some objects were encoded without the option
for list in "plain-one.o bare-two.o plain-main.o" "bare-one.o plain-two.o bare-main.o" "plain-one.o bare-two.o bare-main.o"; do
	$link -o mixed $list || fail "ld failed"
	check mixed
done
# or by another program, without .debug.btf
objcopy --remove-section=.debug.btf plain-one.o foreign.o || fail "objcopy failed"
$link -o mixed foreign.o bare-two.o bare-main.o || fail "ld failed"
run_ok btfenc $features --btf_encode_detached=got.btf mixed
expect_in stderr "^btfenc: warning: 'mixed': .BTF+.* (member 1): without .debug.btf, "
run btfenc --btf_diff dwarf.btf got.btf
expect_not_in stdout 'only in .: \(struct\|func\)'

# a result that is loaded, as in a kernel, is replaced
objcopy --add-section .BTF=dwarf.btf --set-section-flags .BTF=alloc,readonly bare loaded 2>out/objcopy || fail "objcopy failed"
run_silent btfenc $features --btf_encode_detached=got.btf loaded
cmp dwarf.btf got.btf || fail "a loaded result is combined"

# the blocks of objects that the command line names
run_silent btfenc --dedup_btf $features --btf_encode_detached=got.btf bare bare-one.o bare-two.o bare-main.o
cmp dwarf.btf got.btf || fail "--dedup_btf differs from DWARF"
run_silent btfenc --dedup_btf $features --btf_encode_detached=got.btf bare bare-one.o bare-main.o
btfenc -F btf dwarf.btf >out/all && btfenc -F btf got.btf >out/some || fail "cannot print"
grep -q '^struct private ' out/all && ! grep -q '^struct private ' out/some || fail "an object that was not named"
strip -g --keep-file-symbols -o stripped bare || fail "strip failed"
run_ok btfenc --dedup_btf --btf_features=default,global_var --btf_encode_detached=got.btf stripped bare-one.o bare-two.o bare-main.o
expect_in stderr "'stripped': member 'one.c' and 2 others: without addresses for .debug.btf"
run_ok btfenc --btf_features=default,global_var -F dwarf --btf_encode_detached=vars.btf program
run btfenc --btf_diff vars.btf got.btf
grep '^only in A: ' out/stdout | grep -v ' var here$' && fail "more is missing than variables of one name"

# objects that are not linked: the functions, as from DWARF
for name in one two; do
	cp dwarf-$name.o btf-$name.o
	cp dwarf-$name.o alone-$name.o
	run_silent btfenc -J --btf_features=default btf-$name.o
	run_silent btfenc -J --btf_features=default --btf_for_link --strip_dwarf alone-$name.o
done
echo 'int last(long x) { return x; }' | gcc_c last.o
run_silent btfenc -J --btf_features=default last.o
ld -r -o alone-joined.o alone-one.o alone-two.o && cp both.o alone-both.o || fail "ld failed"
run_ok btfenc -F btf --btf_features=default --btf_encode_detached=want.btf btf-one.o btf-two.o last.o
for list in "alone-one.o alone-two.o" "btf-one.o alone-two.o" "alone-one.o btf-two.o" alone-joined.o alone-both.o; do
	run_ok btfenc -F btf --btf_features=default --btf_encode_detached=got.btf $list last.o
	cmp want.btf got.btf || fail "$list: other BTF"
done
no_vars=--btf_features=float,decl_tag,type_tag,enum64,consistent_func
run_silent btfenc -F dwarf $no_vars --btf_encode_detached=want.btf dwarf-one.o dwarf-two.o
run_silent btfenc -F btf $no_vars --btf_encode_detached=got.btf alone-one.o alone-two.o
cmp want.btf got.btf || fail "objects: other BTF than from DWARF"

# stripped, it stays as it is
cp bare-one.o again.o
run_ok btfenc -J -V $features --btf_for_link again.o
expect_in stderr "'again.o' has no debug information: nothing to encode; it has BTF already"
cmp bare-one.o again.o || fail "a stripped object was changed"
strip -g -o stripped bare || fail "strip failed"
run_ok btfenc -J $features stripped
expect_stderr <<'END'
btfenc: warning: 'stripped' has no debug information: nothing to encode
END
gcc -o stripped -no-pie -Wl,-S bare-one.o bare-two.o bare-main.o || fail "gcc failed"
run_ok btfenc -J $features stripped
expect_stderr <<'END'
btfenc: warning: 'stripped' has no debug information: nothing to encode
END

# modules
echo 'struct shared { int a; struct other *o; } base;' | gcc_c base.o
run_silent btfenc --btf_features=default --btf_encode_detached=base.btf base.o
for list in "one.o" "one.o two.o"; do
	bare=
	for object in $list; do
		bare="$bare bare-$object"
	done
	ld -r -o dwarf.ko $list && ld -r -o bare.ko $bare || fail "ld failed"
	run_silent btfenc --btf_base=base.btf $features -F dwarf --btf_encode_detached=want.btf dwarf.ko
	run_silent btfenc --btf_base=base.btf $features --btf_encode_detached=got.btf dwarf.ko
	cmp want.btf got.btf || fail "$list: another module with DWARF"
	run_silent btfenc -J --btf_base=base.btf $features bare.ko
	section bare.ko .BTF got.btf
	cmp want.btf got.btf || fail "$list: another module"
	! has_section bare.ko .debug.btf || fail "$list: .debug.btf stays"
done

# with a compiler
cp one.c launched.c
run_ok btfenc $features --launch --btf_for_link --strip_dwarf -- gcc -g -O2 -fno-pie -c launched.c
has_section launched.o .debug.btf && ! has_section launched.o .BTF || fail "--launch ignores --btf_for_link"

# --- damage is an error, or the DWARF is used -----------------------------------------------------------------

section bare .debug.btf facts
size=$(wc -c <facts)
# with_facts FILE: bad is FILE with these bytes
with_facts()
{
	objcopy --update-section .debug.btf=facts "$1" bad 2>out/objcopy || fail "objcopy failed"
}
offset=0
while [ $offset -lt "$size" ]; do
	section bare .debug.btf facts
	byte=$(od -An -tu1 -j$offset -N1 facts)
	poke facts $offset "\\$(printf %03o $(((byte + 1) % 256)))"
	with_facts bare
	rm -f got.btf
	run btfenc $features --btf_encode_detached=got.btf bad
	case $STATUS in
	0) nr_same=$((${nr_same:-0} + 1)) ;; # a slot, which a linker writes
	1) grep -q "^btfenc: error: 'bad': .debug.btf+0x*[0-9a-f]*: " out/stderr || fail "byte $offset: $(cat out/stderr)" ;;
	*) fail "byte $offset: status $STATUS" ;;
	esac
	[ $STATUS = 0 ] || [ ! -e got.btf ] || fail "byte $offset: an error and an output"
	offset=$((offset + 7))
done
[ "$nr_same" -lt $((size / 7 / 2)) ] || fail "half of the damage is unseen"
for cut in 1 39 100 $((size - 1)); do
	section bare .debug.btf facts
	head -c $cut facts >cut && mv cut facts
	with_facts bare
	run_status 1 btfenc $features --btf_encode_detached=got.btf bad
	expect_in stderr "^btfenc: error: 'bad': .debug.btf+0"
done
section program .debug.btf facts
poke facts 2 '\11'
with_facts bare
run_status 1 btfenc -J $features bad
expect_stderr <<'END'
btfenc: error: 'bad': .debug.btf+0: a block of version 9, expected 3
END
with_facts program
run_ok btfenc $features --btf_encode_detached=got.btf bad
expect_stderr <<'END'
btfenc: warning: 'bad': .debug.btf+0: a block of version 9, expected 3: generated again from debug information
END
cmp dwarf.btf got.btf || fail "other BTF than that of DWARF"

# --- where it makes no sense --------------------------------------------------------------------------------------

refused()
{
	message=$1
	shift
	cp dwarf-one.o refused.o
	usage_error "$message" "$@"
	cmp dwarf-one.o refused.o || fail "$*: changed"
}

cp dwarf-one.o one.ko
cp dwarf-one.o one.ko.before
cp program program.before
cp dwarf.btf dwarf.btf.before
for file in one.ko program; do
	run_status 1 btfenc -J --btf_for_link $file
	expect_stderr <<-END
	btfenc: error: '$file': '--btf_for_link' is for objects that are linked further, not for modules and linked files
	END
	cmp $file $file.before || fail "$file was changed"
done
printf 'BC\300\336' >bitcode.o
cp bitcode.o bitcode.o.before
for file in bitcode.o "-F btf dwarf.btf"; do
	run_status 1 btfenc -J --btf_for_link $file
	file=${file##* }
	expect_stderr <<-END
	btfenc: error: '$file': not an ELF file: '--btf_for_link' needs an object with machine code, and 'clang -flto' writes bitcode
	END
	cmp $file $file.before || fail "$file was changed"
done
refused "'--btf_for_link' takes one file: encode each object by itself" -J --btf_for_link refused.o two.o
refused "no output: give '-J' to put BTF into 'refused.o'" --btf_for_link refused.o
for option in --btf_encode_detached=out.btf --btf_vars_detached=out.btf --btf_inline_detached=out.btf --btf_archive=out.btf --dedup_btf; do
	refused "'--btf_for_link' and '${option%=*}' cannot be combined" -J --btf_for_link $option refused.o
done
refused "'--btf_for_link' and '--btf_base' cannot be combined: no later link adds to a file with a base" \
	-J --btf_for_link --btf_base=base.btf refused.o
[ ! -e out.btf ] || fail "there is an output"
objcopy --only-keep-debug dwarf-one.o apart.debug && strip -g -o apart.o dwarf-one.o &&
	objcopy --add-gnu-debuglink=apart.debug apart.o || fail "objcopy failed"
cp apart.o before.o
run_status 1 btfenc -J $features --btf_for_link apart.o
expect_in stderr "'apart.o': its debug information is in another file, so that no linker would set the addresses"
cmp apart.o before.o || fail "apart.o was changed"
