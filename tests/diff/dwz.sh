#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# dwz changes nothing: what it moved into partial units, or into a file of its own, is found again

. "${0%/*}/../lib/testlib.sh"
. "${0%/*}/../lib/split_types.sh"

need gcc dwz readelf
write_sources

# The program in several sizes: two small units, and some of our own sources.
program()
{
	output=$1 compiler=$2
	shift 2
	objects=
	for source in one.c two.c $SRCDIR/btf/btf_view.c $SRCDIR/btf/btf_kind.c \
		$SRCDIR/base/err.c $SRCDIR/base/diagnostics.c $SRCDIR/base/arena.c; do
		object=$output.$(basename "$source" .c).o
		$compiler -g -O2 -D_GNU_SOURCE -ffunction-sections "$@" -I"$SRCDIR" -c \
			-o "$object" "$source" || fail "$compiler failed on $source"
		objects="$objects $object"
	done
	gcc -no-pie -Wl,--gc-sections,--undefined=h -Wl,--build-id -o "$output" $objects ||
		fail "gcc does not link"
}

# expect_pahole FILE: pahole 1.32 describes the types of FILE.btf in another order
expect_pahole()
{
	[ "$(pahole --version 2>/dev/null)" = v1.32 ] || return 0
	pahole --btf_features=$features --btf_encode_detached=theirs.btf "$1" || fail "pahole fails on $1"
	run_ok btfenc --compat=1.32 --btf_features=$features --btf_encode_detached=ours.btf "$1"
	! same_behind_header theirs.btf ours.btf || fail "$1: in the same order, but quirks.txt has Q62"
	run_ok btfenc --btf_diff theirs.btf ours.btf
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		program plain $compiler -gdwarf-$version
		cp plain alone
		# it does not know all of what clang makes of DWARF 5
		dwz alone 2>/dev/null || continue
		readelf -wi alone | grep -q DW_TAG_partial_unit || fail "dwz has moved nothing"
		expect_same_types plain alone
		expect_pahole alone

		program other $compiler -gdwarf-$version -O1
		cp plain a && cp other b && rm -rf sub common && mkdir sub || exit 1
		dwz -m common a b || fail "dwz -m failed"
		readelf -wi a | grep -q "alt " || fail "dwz has shared nothing"
		expect_same_types plain a
		expect_pahole a
		expect_same_types other b

		# looked for beside the file, not where we are
		mkdir elsewhere && mv a common elsewhere || exit 1
		expect_same_types plain elsewhere/a
		ln -s elsewhere/a link
		expect_same_types plain link

		# by its id, not by its name
		mv elsewhere/common sub
		cp b elsewhere/common
		run_ok btfenc --btf_encode_detached=missing.btf elsewhere/a
		expect_in stderr "'elsewhere/a': its supplementary file '$(pwd -P)/elsewhere/common' is of another build, and /usr/lib/debug has no copy: types in it become void, and functions whose names it has are left out"
		# what becomes void may be what no kernel takes, which depends on the compiler
		if btfenc --btf_check missing.btf >out/refused 2>&1; then
			expect_not_in stderr 'the kernel will not load this BTF'
		else
			expect_in stderr "'elsewhere/a': the kernel will not load this BTF: .*btfenc --btf_check lists them$"
		fi
		cp elsewhere/a elsewhere/common
		run_ok btfenc --btf_encode_detached=missing.btf elsewhere/a
		expect_in stderr "is of another build"
		rm elsewhere/common
		run_ok btfenc --btf_encode_detached=missing.btf elsewhere/a
		expect_in stderr "'$(pwd -P)/elsewhere/common' is missing"
		mv sub/common elsewhere/common

		# one that is damaged is refused, by its name
		poke elsewhere/common "$(section_at elsewhere/common .debug_info)" '\377\377\377\177'
		run_status 1 btfenc --btf_encode_detached=missing.btf elsewhere/a
		expect_in stderr "/elsewhere/common': .debug_info+0: the unit's length 0x7fffffff leaves"
		rm -rf elsewhere link
	done
done

# Without the supplementary file, types are all that these have: the error names that file
cat >types.c <<\END
struct first { int a, b, c, d; struct first *next; char name[100]; };
struct second { struct first first; long long y; struct second *z; unsigned short u[77]; } second;
int main(void) { return 0; }
END
rm -f common
gcc -g -O1 -o types.1 types.c && gcc -g -O1 -o types.2 types.c && dwz -m common types.1 types.2 || fail "dwz -m failed"
readelf -S types.1 | grep -q gnu_debugaltlink || fail "dwz has shared nothing"
mv common sub/common
for options in "-C second" "-F dwarf" -J --btf_encode_detached=out.btf --explain --btf_report=report; do
	run_status 1 btfenc $options types.1
	expect_in stderr "^btfenc: warning: 'types.1': its supplementary file '$(pwd -P)/common' is missing, and /usr/lib/debug has no copy: "
	expect_in stderr "^btfenc: error: 'types.1': nothing can be read without '$(pwd -P)/common'$"
	expect_not_in stderr 'no DWARF'
done

# Separate debug information, as distributions have it: both are found from the program.
if command -v objcopy >/dev/null; then
	program plain gcc -gdwarf-5
	program other gcc -gdwarf-5 -O1
	for name in plain other; do
		cp $name $name.debug && objcopy --only-keep-debug $name.debug || exit 1
	done
	rm -f common && dwz -m common plain.debug other.debug || fail "dwz -m failed"
	for option in --strip-debug --strip-all; do
		objcopy $option plain plain.stripped &&
			objcopy --add-gnu-debuglink=plain.debug plain.stripped || exit 1
		expect_same_types plain plain.stripped
	done
fi

# a supplementary file that only has strings
for type in int long; do
	echo "$type a_function_of_both($type x) { return x; } int main(void) { return a_function_of_both(1); }" >both.c
	gcc -g -Wl,--build-id -o $type both.c && cp $type $type.before || fail "gcc failed"
done
dwz -m strings int long || fail "dwz -m failed"
readelf -SW strings | grep -q debug_str && ! readelf -SW strings | grep -q debug_info ||
	skip "this dwz also shares types"
for type in int long; do
	expect_same_types $type.before $type
done
