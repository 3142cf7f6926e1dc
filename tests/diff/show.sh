#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an installed pahole prints the same, but for what came after it
#
# pahole 1.31 and 1.32 are held to every byte. 1.24 guesses fewer alignments, says less of structs in
# structs, and puts its remarks on other lines; what both say has to be the same. Of neither
# do we follow what quirks.txt says is wrong.

. "${0%/*}/../lib/testlib.sh"

PAHOLE=${PAHOLE:-pahole}
need "$PAHOLE" getconf
[ "$(getconf LONG_BIT)" = 64 ] || skip "longs have not 64 bits"

case $("$PAHOLE" --version) in
v1.31 | v1.32) exact=yes ;;
v1.2[4-9] | v1.30) exact=no ;;
*) skip "$("$PAHOLE" --version) of pahole" ;;
esac

plain()
{
	if [ $exact = yes ]; then
		sed -E 's/^(\t+\}[^;]*) (w|x);/\1;/; s/^(\t+\};) +/\1 /; s/single (double|float)/\1/; /__builtin_va_list/d; /\(\*l(\[3\])?\)/d' "$1"
	else
		sed -E '/XXX last struct has/d; /member types with/d; /flexible array members/d
			/forced alignments/d; /^$/d; s/ __attribute__\(\(__[^)]*(\([0-9]+\))?\)\)//
			s/^(\t+\}[^;]*) (w|x);/\1;/; s/single (double|float)/\1/; s/ +\/\*/ \/*/
			/__builtin_va_list/d; /\(\*l(\[3\])?\)/d' "$1"
	fi
}

# Q56: without structs that have no members
without_empty()
{
	awk '/^struct [^ ]+ \{$/ {
		text = $0
		getline line
		text = text "\n" line
		if (line == "") {
			getline line
			text = text "\n" line
			if (line ~ /size: 0,/) {
				getline
				next
			}
		}
		print text
		next
	} 1' "$1"
}

# same FILE OPTION...: both print FILE alike
same()
{
	file=$1
	shift
	"$PAHOLE" -F btf "$@" "$file" >theirs 2>theirs.err || fail "$PAHOLE $* fails"
	run_ok btfenc -F btf "$@" "$file"
	[ "$(wc -l <theirs)" -ge 10 ] || fail "$PAHOLE $*: prints nothing"
	plain theirs >theirs.full && without_empty theirs.full >theirs.plain
	plain out/stdout >ours.full && without_empty ours.full >ours.plain
	diff theirs.plain ours.plain >difference || {
		head -n 40 difference >&2
		fail "$file $*: differs"
	}
	echo "$file $*: the same $(wc -l <ours.plain) lines"
}

# before 1.32, pahole prints a chain of arrays in the reverse order
level=$(level_of "$PAHOLE")
gcc_c shapes.o <"$SRCDIR/tests/lib/shapes.c"
btfenc --compat="$level" --btf_encode_detached=shapes.btf shapes.o || fail "cannot encode"
if has_section "$BTFENC" .debug_info; then
	# the runtime of a sanitizer can be C++, whose names C does not accept
	btfenc --compat="$level" --lang=c99,c11,c17 --btf_encode_detached=own.btf "$BTFENC" ||
		fail "cannot encode"
	same own.btf
	same own.btf --sizes
	same own.btf --sort
	same own.btf --nr_methods
	[ $exact = no ] || same own.btf --compile
fi
same shapes.btf
[ $exact = no ] || same shapes.btf -E
same shapes.btf --sizes -a
same shapes.btf --sort
[ $exact = no ] || same shapes.btf --flat_arrays
same shapes.btf --hex -c 32
[ $exact = no ] || same shapes.btf --compile
same shapes.btf -C holes,several,spelled,bits,tight
# of the others, pahole makes some larger
[ $exact = no ] || same shapes.btf -R -S -C holes,bits,tight,flexible,embeds,lines,middle,outer
