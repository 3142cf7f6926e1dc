#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a damaged .debug.btf gives an error, the BTF of DWARF, or a warning; never other BTF in silence
#
# The layout of a block: docs/archive-metadata.md. The values of slots are not damaged: the linker wrote them, and
# DWARF would have the same.

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld objcopy readelf od dd head tail
features=--btf_features=default,global_var,inline
for n in 1 2 3; do
	cat >in$n.c <<-END
	struct shared { int a; struct part$n *part; };
	struct part$n { long x[$n]; };
	static struct part$n same_var = { { $n } };
	int var$n = $n, other_var$n;
	static __attribute__((noinline)) int same(struct part$n *p) { return p->x[0] + same_var.x[0]++; }
	static inline int inlined(struct shared *s, int n) { return s->a + n; }
	static inline int of_table(int *table, int n) { return n > 3 ? table[n] : 0; }
	int func$n(struct shared *s) {
		return same(s->part) + inlined(s, var$n) + other_var$n + of_table(&var$n, s->a);
	}
	END
	gcc -g -O2 -c in$n.c || fail "gcc failed"
	run_silent btfenc -J $features in$n.o
done
link="ld -e func1"
$link -o good in1.o in2.o in3.o || fail "ld failed"

# wrong WHAT...
wrong()
{
	nr_wrong=$((nr_wrong + 1))
	echo "$*: status $STATUS: $(head -n 1 out/stderr)"
}

# encode FILE
encode()
{
	checked=$((checked + 1))
	rm -f archive.btf
	run btfenc $features -F btf --btf_encode_detached=archive.btf "$1"
}

# check WHAT FILE: from the archive in FILE an error, or a warning, or the BTF of DWARF
check()
{
	encode "$2"
	case $STATUS in
	0) [ -s out/stderr ] || cmp -s dwarf.btf archive.btf || wrong "$1: other BTF in silence" ;;
	1) grep -q "^btfenc: error: '$2': " out/stderr || wrong "$1: another error" ;;
	*) wrong "$1: another status" ;;
	esac
}

# equal WHAT FILE: the BTF of DWARF, and no message
equal()
{
	encode "$2"
	[ "$STATUS" = 0 ] && [ ! -s out/stderr ] && cmp -s dwarf.btf archive.btf || wrong "$1: other BTF than from DWARF"
}

# warned WHAT FILE: BTF without the facts, and a warning
warned()
{
	encode "$2"
	[ "$STATUS" = 0 ] && grep -q "^btfenc: warning: '$2': " out/stderr || wrong "$1: no warning"
}

# with_facts: bad is good with the bytes of the file "facts"
with_facts()
{
	objcopy --update-section .debug.btf=facts good bad 2>out/objcopy || fail "objcopy failed: $(cat out/objcopy)"
}

# part FROM TO: these bytes of the section
part()
{
	tail -c +$(($1 + 1)) whole.facts | head -c $(($2 - $1))
}

checked=0 nr_wrong=0
run_ok btfenc $features -F dwarf --btf_encode_detached=dwarf.btf good
section good .debug.btf whole.facts
size=$(wc -c <whole.facts)
ends=0 offset=0
while [ $offset -lt "$size" ]; do
	offset=$((offset + $(u32 whole.facts $((offset + 4)))))
	ends="$ends $offset"
done
set -- $ends
[ $# = 4 ] && [ "$4" = "$size" ] || fail "not three blocks: they end at $ends of $size"
b2=$2 b3=$3
equal "not damaged" good

# --- blocks in another order, missing, twice, with padding, with other bytes behind them ------------------------

rows="2 1 3:2 3 1:3 2 1:1 2:1 3:2 3:1:2:3:1 1 2 3:1 2 2 3:1 2 3 3:1 2 3 1 2 3:1 1 1:2 2 2:"
while [ -n "$rows" ]; do
	blocks=${rows%%:*} rows=${rows#*:}
	for n in $blocks; do
		case $n in
		1) part 0 "$b2" ;;
		2) part "$b2" "$b3" ;;
		3) part "$b3" "$size" ;;
		esac
	done >facts
	with_facts
	check "blocks $blocks" bad
done
for zeros in 1 4 64 5000; do
	{ part 0 "$b2" && head -c $zeros /dev/zero && part "$b2" "$size" && head -c $zeros /dev/zero; } >facts
	with_facts
	equal "$zeros zeros between blocks" bad
done
{ part 0 "$size" && echo text; } >facts
with_facts
warned "text behind" bad
{ part 0 "$b2" && echo text && part "$b2" "$size"; } >facts
with_facts
warned "text between blocks" bad
: >facts
with_facts
warned "empty" bad
objcopy --remove-section=.debug.btf good bad
warned "removed" bad
printf '\333\177' | head -c 1 >facts
with_facts
check "one byte" bad

# --- cut anywhere, and each byte changed ---------------------------------------------------------------------

cut=1
while [ $cut -lt "$size" ]; do
	head -c $cut whole.facts >facts
	with_facts
	check "cut to $cut bytes" bad
	cut=$((cut + 11))
done

# is_slot OFFSET
is_slot()
{
	for block in 0 "$b2" "$b3"; do
		slots=$((block + 40))
		[ "$1" -lt $slots ] || [ "$1" -ge $((slots + $(od -An -tu1 -j$((block + 3)) -N1 whole.facts) * $(u32 whole.facts $((block + 24))))) ] ||
			return 0
	done
	return 1
}

offset=0
while [ $offset -lt "$size" ]; do
	if ! is_slot $offset; then
		byte=$(od -An -tu1 -j$offset -N1 whole.facts)
		for change in 1 128; do
			cp whole.facts facts
			poke facts $offset "\\$(printf %03o $(((byte + change) % 256)))"
			with_facts
			check "byte $offset plus $change" bad
		done
	fi
	offset=$((offset + 5))
done

# --- other BTF above the blocks ---------------------------------------------------------------------------------

for n in 1 2 3; do
	section in$n.o .BTF in$n.btf
	section in$n.o .debug.btf in$n.facts
done
for order in "2 1 3" "3 2 1" "1 1 3" "1 3"; do
	for n in $order; do
		cat "in$n.btf"
	done >btf
	objcopy --update-section .BTF=btf good bad 2>out/objcopy || fail "objcopy failed"
	check ".BTF of $order" bad
done
objcopy --remove-section=.BTF good bad
check "without .BTF" bad
echo 'struct part1 { char other; } same_var; int func1(void) { return same_var.other; }' | gcc_c other.o -O2
run_ok btfenc -J $features other.o
section other.o .BTF other.btf
section other.o .debug.btf other.facts
for change in .BTF=other.btf .debug.btf=other.facts .debug.btf=in2.facts; do
	objcopy --update-section $change in1.o changed.o 2>out/objcopy || fail "objcopy failed"
	$link -o bad changed.o in2.o in3.o || fail "ld failed"
	check "object with $change" bad
done

# --- in objects: no section, two sections -------------------------------------------------------------------------

for change in --remove-section=.debug.btf \
	"--add-section .facts=in2.facts --rename-section .facts=.debug.btf"; do
	objcopy $change in2.o changed.o || fail "objcopy failed"
	$link -o bad in1.o changed.o in3.o || fail "ld failed"
	check "object with $change" bad
done
objcopy --add-section .facts=in1.facts --rename-section .facts=.debug.btf good bad
check "two sections" bad

# --- compressed: the bytes of zlib, damaged ----------------------------------------------------------------------

# GNU ld compresses no section whose name does not begin with .debug_
objcopy --compress-debug-sections=zlib good packed || fail "objcopy failed"
readelf -SW packed | grep -q ' \.debug\.btf .* [A-Z]*C[A-Z]* ' || fail "objcopy does not compress .debug.btf"
equal compressed packed
at=$(section_at packed .debug.btf)
for offset in 0 4 8 16 24 30 50 100 150 200; do
	cp packed bad
	poke bad "$at + $offset" '\377'
	check "compressed, byte $offset" bad
done
[ $nr_wrong = 0 ] || fail "$nr_wrong of $checked are wrong"
[ $checked -gt 200 ] || fail "only $checked files"
