#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --strip_dwarf: the file is smaller, has BTF and no DWARF, and links and runs as before

. "${0%/*}/../lib/testlib.sh"

need readelf objcopy cmp strip ld
cat >main.c <<\END
#include <stdio.h>
#include "shared.h"

static int twice(int x) { return 2 * x; }
int main(void) { struct s s = { twice(20), 2 }; return printf("%d\n", sum(&s)) != 3; }
END
cat >shared.h <<\END
struct s { int a, b; };
int sum(const struct s *s);
__attribute__((weak)) int shared(const struct s *s) { return s->a + s->b; }
END
cat >sum.c <<\END
#include "shared.h"
static int (*volatile table[])(const struct s *) = { shared };
int sum(const struct s *s) { return table[0](s); }
END

no_dwarf()
{
	! readelf -SWs "$1" | grep -q -e '\.debug_' -e wm4 -e "wt\." || fail "$1 still has DWARF"
}

# Sections that have no numbers in them, by name and content, and symbols without their numbers.
tell()
{
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \([^ ]*\) .*/\1/p' |
		grep -v -e '^NULL$' -e debug_ -e '^\.debug\.btf$' -e '^\.rela' -e tab$ -e '^\.group' -e addrsig -e '^\.BTF$' |
		sort -u >sections
	while read -r section; do
		objcopy -O binary --only-section="$section" --set-section-flags "$section=alloc" "$1" part \
			2>>out/objcopy || : >part
		echo "$section $(cksum <part)"
	done <sections
	readelf -sW "$1" | awk '$4 != "SECTION" && $8 !~ /^w[mt]/ { print $2, $3, $4, $5, $6, $8 }' | tail -n +4
}

# check NAME OPTIONS...: an object and what becomes of it
check()
{
	name=$1
	shift
	for unit in main sum; do
		"$compiler" -g "$@" -c -o $unit.o $unit.c || fail "$compiler $* failed"
		cp $unit.o $unit.full.o
		tell $unit.o >before
		run_ok btfenc -J $unit.full.o
		run_silent btfenc -J --strip_dwarf $unit.o

		no_dwarf $unit.o
		tell $unit.o >after
		diff before after >&2 || fail "$name: something else of $unit.o changed"
		for o in $unit $unit.full; do
			section $o.o .BTF $o.btf
		done
		cmp $unit.btf $unit.full.btf || fail "$name: other BTF in $unit.o"

		# as small as others get it, and nothing they would do is left undone
		cp $unit.full.o theirs.o
		strip -g --keep-section=.debug.btf theirs.o
		has_section $unit.o .debug.btf || fail "$name: $unit.o lost .debug.btf"
		[ "$(wc -c <$unit.o)" -lt $(($(wc -c <theirs.o) + 200)) ] || fail "$name: $unit.o is large"
		cp $unit.o ours.o
		# binutils leaves the numbers of symbols in .llvm_addrsig as they were
		strip -g -R .llvm_addrsig ours.o
		strip -R .llvm_addrsig -g theirs.o
		cmp ours.o theirs.o || fail "$name: strip makes something else of $unit.o"

		cp $unit.o again.o
		run_silent btfenc -J --strip_dwarf again.o
		cmp $unit.o again.o || fail "$name: a second run changes $unit.o"
	done
	for ld in ld ld.lld; do
		command -v $ld >/dev/null 2>&1 || continue
		use=bfd
		[ $ld = ld ] || use=lld
		$ld -r -o all.o main.o sum.o 2>out/ld || fail "$name: $ld -r fails: $(cat out/ld)"
		[ -s out/ld ] && fail "$name: $ld says: $(cat out/ld)"
		for objects in "main.o sum.o" all.o; do
			"$compiler" -fuse-ld="$use" -o program $objects 2>out/ld ||
				fail "$name: $ld fails: $(cat out/ld)"
			[ -s out/ld ] && fail "$name: $ld says: $(cat out/ld)"
			run_ok ./program
			expect_stdout <<\END
42
END
		done
	done
}

all_kinds()
{
	compiler=$1
	check plain
	check sections -O2 -ffunction-sections -fdata-sections
	check macros -g3
	check types -gdwarf-4 -fdebug-types-section
	check compressed -gz
}

each_compiler all_kinds

# a linked file
"$compiler" -g -o program main.c sum.c || fail "no program"
"$compiler" -g -fPIC -shared -o library.so sum.c || fail "no library"
for file in program library.so; do
	cp $file theirs
	tell $file >before
	run_silent btfenc -J --strip_dwarf $file
	no_dwarf $file
	has_section $file .BTF || fail "$file has no BTF"
	tell $file >after
	diff before after >&2 || fail "something else of $file changed"
	[ "$(wc -c <$file)" -lt "$(wc -c <theirs)" ] || fail "$file is no smaller"
done
run_ok ./program
"$compiler" -o program main.o ./library.so || fail "the library cannot be linked"
run_ok ./program

# what gcc's intermediate code refers to is still there when the linker asks for the code
for more in -fno-fat-lto-objects -ffat-lto-objects; do
	command -v gcc >/dev/null 2>&1 || break
	for unit in main sum; do
		gcc -g -O2 -flto $more -c -o $unit.o $unit.c || fail "gcc -flto failed"
		run_silent btfenc -J --strip_dwarf $unit.o
		! readelf -SWs $unit.o | grep -q ' \.debug_' || fail "$more: $unit.o still has DWARF"
	done
	run_ok gcc -g -O2 -flto -o program main.o sum.o
	run_ok ./program
done
