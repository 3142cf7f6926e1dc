#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Do real programs get pahole's bytes? Encodes whatever was built in some folders with both, and
# prints how many results are equal, explained, and different.
#
#	PAHOLE=... sh tests/e2e/packages.sh FOLDER...
#
#	PAHOLE   pahole 1.31
#	LISTS    lists of features, by their names in gen/compare.inc;
#	         default: plain kernel default global all types
#	EVERY    of objects (*.o), every how many-th to look at; all linked files are; default 1
#	FOUND    a folder for the two results of each difference
#	BTFENC   default: the one in build/
#
# Every ELF file with debug information below FOLDER is encoded with every list. Of btfenc alone:
# the number of threads leaves no trace, and what the kernel's rules say of the result is
# counted as "breaches" (of C++ and Rust names break them).
#
# A difference is explained where pahole's own result shows why nobody can want its bytes: it
# said that it gives up, and wrote nothing (that is known.txt's atomic, complex, references), or
# the kernel would refuse it for variables on top of one another, and nothing else differs
# (same-place). Anything else is told, and makes for status 1.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/gen/compare.inc"

[ -n "${PAHOLE:-}" ] || skip "PAHOLE names no pahole"
[ $# -gt 0 ] || skip "no folders"
BTFENC=${BTFENC:-$SRCDIR/build/btfenc}
BTFDUMP=${BTFDUMP:-$SRCDIR/build/tests/btfdump}
need "$PAHOLE" "$BTFENC" "$BTFDUMP" readelf
lists=${LISTS:-plain kernel default global all types}
here=$OLDPWD
found=0

# Files of folder $1 with debug information, one of each.
elf_files()
{
	find "$1" -type f ! -name '*.dwo' ! -name '*.dwp' -size +0 -printf '%i %p\n' | sort -u -k 1,1 |
		cut -d ' ' -f 2- | sort | while IFS= read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
		has_section "$file" .debug_info && echo "$file"
	done | awk -v every="${EVERY:-1}" '!/\.o$/ || ++n % every == 0'
}

# The types of a BTF, and no variables
types_of()
{
	"$BTFDUMP" "$1" >dump || return 1
	sed '/^datasec /,/^}/d; /^var /d' dump
}

# Why do ours and theirs differ? Fails if there is no reason that is good enough.
reason()
{
	if [ ! -e theirs ]; then
		grep -q -e '^Unsupported DW_TAG' -e 'Error while encoding BTF' said.peer
		return
	fi
	[ -e ours ] || return 1
	"$BTFENC" --btf_check theirs 2>&1 | grep -q 'before the end of the variable before' || return 1
	types_of ours >ours.types && types_of theirs >theirs.types &&
		cmp -s ours.types theirs.types
}

# encode_both LIST FILE
encode_both()
{
	option_of "$1"
	rm -f ours theirs
	# shellcheck disable=SC2086
	"$BTFENC" -j1 --btf_encode_detached=ours $OPTION "$2" >said 2>&1 || {
		echo "$2, $1: btfenc fails: $(head -n 1 said)"
		bad=$((bad + 1))
	}
	# shellcheck disable=SC2086
	"$PAHOLE" -j1 --btf_encode_detached=theirs $OPTION "$2" >said.peer 2>&1
}

compare()
{
	encode_both "$1" "$2"
	results=$((results + 1))
	if { [ ! -e ours ] && [ ! -e theirs ]; } || cmp -s ours theirs; then
		equal=$((equal + 1))
	elif reason; then
		explained=$((explained + 1))
	else
		bad=$((bad + 1))
		echo "$2, $1: another result than pahole's: $(head -n 1 said.peer)"
		[ -z "${FOUND:-}" ] || for who in ours theirs; do
			[ ! -e $who ] || cp $who "$FOUND/$((found + bad)).$who"
		done
	fi
	[ -e ours ] || return 0
	for jobs in 2 8; do
		# shellcheck disable=SC2086
		"$BTFENC" -j$jobs --btf_encode_detached=again $OPTION "$2" >said 2>&1
		cmp -s ours again || {
			echo "$2, $1: -j$jobs gives other bytes"
			bad=$((bad + 1))
		}
	done
	# Linux 6.12 does not know what the others ask for
	[ "$1" = all ] || "$BTFENC" --btf_check ours >said 2>&1 || breaches=$((breaches + 1))
}

echo "| folder | files | results | equal | explained | different | breaches |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for folder; do
	results=0 equal=0 explained=0 bad=0 breaches=0 nr=0
	elf_files "$(cd "$here" && readlink -e "$folder")" >files
	while IFS= read -r file; do
		nr=$((nr + 1))
		for list in $lists; do
			compare "$list" "$file" </dev/null
		done
	done <files
	echo "| $folder | $nr | $results | $equal | $explained | $bad | $breaches |"
	found=$((found + bad))
done
[ $found = 0 ]
