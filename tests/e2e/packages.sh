#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Do real programs get pahole's bytes? Encodes whatever was built in some folders with both, and
# prints how many results are equal, explained, and different.
#
#	PAHOLE=... sh tests/e2e/packages.sh FOLDER...
#
#	PAHOLE   pahole 1.31 or 1.32; btfenc encodes at its level
#	LISTS    lists of features, by their names in gen/compare.inc;
#	         default: plain kernel default global all types
#	EVERY    of objects (*.o), every how many-th to look at; all linked files are; default 1
#	FOUND    a folder for the two results of each difference
#	WHOLE    a folder with the same files before dwz, or without -gsplit-dwarf, which pahole 1.31
#	         cannot read: pahole reads the one of the same path there. clang's of DWARF 5 must be
#	         made with -mllvm -dwarf-op-convert=Disable, for with -gsplit-dwarf it has no
#	         DW_OP_convert, and none of the types DW_ATE_... that are there for that alone.
#	BTFENC   default: the one in build/
#
# Every ELF file with debug information below FOLDER is encoded with every list. Of btfenc alone:
# the number of threads leaves no trace, and what the kernel's rules say of the result is
# counted as "breaches": names of C++ and Rust break them, and members of types that are declared only
# or take no room.
#
# A difference is explained where pahole's own result shows why nobody can want its bytes. The table
# says how often which of diff/known.txt it was:
#
#	atomic, references,	pahole said so, gave up, and wrote nothing
#	complex, nameless
#	same-place		the kernel would refuse pahole's for variables on top of one another, and
#				some of those are all that we lack
#	unloaded-sections	the same, or pahole has variables in debug sections
#	nullptr			there is nullptr of C++ or C23 in the file, and the records are the same in
#				another order
#	return-types		functions return nothing for pahole, and nothing else differs
#	order			the records are the same, and pahole read another file, of WHOLE, or
#				dwz has made partial units, and pahole 1.32 reads all units as one
#	merged			of such a file, the records are those of btfenc with force_cu_merging
#	alternate-files		dwz -m hid what has no name and nothing refers to, and no more is missing
#
# Anything else is told, and makes for status 1.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/gen/compare.inc"

[ -n "${PAHOLE:-}" ] || skip "PAHOLE names no pahole"
[ $# -gt 0 ] || skip "no folders"
BTFENC=${BTFENC:-$SRCDIR/build/btfenc}
need "$PAHOLE" "$BTFENC" python3 readelf
use_peer
lists=${LISTS:-plain kernel default global all types}
here=$OLDPWD
whole=$(cd "$here" && readlink -e "${WHOLE:-.}") || fail "there is no folder $WHOLE"
found=0

# Files of folder $1 with debug information, one of each.
elf_files()
{
	find "$1" -type f ! -name '*.dw[opz]' -size +0 -printf '%i %p\n' | sort -u -k 1,1 |
		cut -d ' ' -f 2- | sort | while IFS= read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
		has_section "$file" .debug_info && echo "$file"
	done | awk -v every="${EVERY:-1}" '!/\.o$/ || ++n % every == 0'
}

# What btfdump said, without the variables
types_of()
{
	sed '/^datasec /,/^}/d; /^var /d' "$1"
}

# same_types: are all types the same? One without a name may have lost all that refers to it, a variable.
same_types()
{
	! diff ours.types theirs.types | grep '^[<>]' | grep -qv '^< nameless '
}

# only_overlaps: do we lack variables that are on top of others for pahole, or in debug sections, and have no
# others?
only_overlaps()
{
	sed '/^datasec \.debug_/,/^}/d' theirs.all >theirs.loaded
	unloaded=$(($(wc -l <theirs.all) - $(wc -l <theirs.loaded)))
	overlaps=$("$BTFENC" --btf_check theirs 2>&1 |
		grep -c 'before the end of the previous variable')
	diff ours.all theirs.loaded | awk -v overlaps="$overlaps" -v unloaded=$unloaded '
		/^</ && !/^< nameless / { more = 1 }
		/^> \t/ { lost++ }
		END { exit more || !(lost || unloaded) || lost > overlaps }'
}

# why_nothing: for what did pahole give up?
why_nothing()
{
	sed -n 's/^Unsupported DW_TAG_atomic_type.*/atomic/p
		s/^Unsupported DW_TAG_reference_type.*/references/p
		s/^Unsupported DW_TAG_rvalue_reference_type.*/references/p
		s/^Unsupported DW_TAG_ptr_to_member_type.*/references/p
		s/^Complex, interval and imaginary.*/complex/p
		s/^\[[0-9]*\] FWD (anon) Error emitting.*/nameless/p' said.peer | grep -m 1 .
}

# only_returns: do functions return something that for pahole return nothing?
only_returns()
{
	diff ours.all theirs.all | awk '
		/^< func .* -> / { sub(/^< /, ""); sub(/ -> .*/, ""); ours[$0]++; next }
		/^> func .* -> void$/ { sub(/^> /, ""); sub(/ -> void$/, ""); theirs[$0]++; next }
		/^[<>]/ { other = 1 }
		END {
			for (f in ours)
				other = other || ours[f] != theirs[f]
			for (f in theirs)
				other = other || ours[f] != theirs[f]
			exit other
		}'
}

# only_nameless: do we lack types without a name that nothing refers to?
only_nameless()
{
	! diff ours.all theirs.all | grep '^[<>]' | grep -qv '^> nameless '
}

has_partial_units()
{
	readelf --debug-dump=abbrev "$1" 2>/dev/null | grep -q DW_TAG_partial_unit
}

# is_merged FILE: does pahole describe the units of FILE as one?
is_merged()
{
	has_partial_units "$1" && [ -n "$OPTION" ] &&
		"$BTFENC" --compat="$LEVEL" --btf_encode_detached=merged "$OPTION,force_cu_merging" "$1" &&
		"$TOOLS/btfdump.py" merged >merged.all && cmp -s merged.all theirs.all
}

# reason FILE: why do ours and theirs differ? Fails if there is no reason that is good enough.
reason()
{
	if [ ! -e theirs ]; then
		why_nothing
		return
	fi
	[ -e ours ] || return 1
	"$TOOLS/btfdump.py" ours >ours.all && "$TOOLS/btfdump.py" theirs >theirs.all || return 1
	if cmp -s ours.all theirs.all; then
		{ [ -z "${WHOLE:-}" ] && ! has_partial_units "$1"; } || { echo order && return; }
		grep -qE 'decltype\(nullptr\)|typeof \(nullptr\)' "$1" && echo nullptr
		return
	fi
	is_merged "$1" && echo merged && return
	types_of ours.all >ours.types
	types_of theirs.all >theirs.types
	if same_types; then
		only_overlaps && if [ $unloaded = 0 ]; then echo same-place; else echo unloaded-sections; fi
	elif has_section "$1" .gnu_debugaltlink; then
		[ -n "${WHOLE:-}" ] && only_nameless && echo alternate-files
	else
		only_returns && echo return-types
	fi
}

# twin FILE: which one pahole reads
twin()
{
	echo "${WHOLE:+$whole/}${1#"${WHOLE:+$path/}"}"
}

# encode_both LIST FILE
encode_both()
{
	option_of "$1"
	rm -f ours theirs
	"$BTFENC" --compat="$LEVEL" -j1 --btf_encode_detached=ours $OPTION "$2" >said 2>&1 || {
		echo "$2, $1: btfenc fails: $(head -n 1 said)"
		bad=$((bad + 1))
	}
	"$PAHOLE" -j1 --btf_encode_detached=theirs $OPTION "$(twin "$2")" \
		>said.peer 2>&1
}

# same_result: are ours and theirs equal, or was neither made?
same_result()
{
	if [ -e ours ] && [ -e theirs ]; then
		same_behind_header ours theirs
	else
		[ ! -e ours ] && [ ! -e theirs ]
	fi
}

compare()
{
	encode_both "$1" "$2"
	results=$((results + 1))
	if same_result; then
		equal=$((equal + 1))
	elif reason "$2" >>reasons; then
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
		"$BTFENC" --compat="$LEVEL" -j$jobs --btf_encode_detached=again $OPTION "$2" >said 2>&1
		cmp -s ours again || {
			echo "$2, $1: -j$jobs gives other bytes"
			bad=$((bad + 1))
		}
	done
	# Linux 6.12 does not know what the others ask for
	[ "$1" = all ] || "$BTFENC" --btf_check ours >said 2>&1 || breaches=$((breaches + 1))
}

# counted: how often there was which reason, " (2 atomic, 1 complex)"
counted()
{
	sort reasons | uniq -c | awk '{ said = said (NR > 1 ? ", " : " (") $1 " " $2 }
		END { if (NR) print said ")" }'
}

echo "| folder | files | results | equal | explained | different | breaches |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for folder; do
	results=0 equal=0 explained=0 bad=0 breaches=0 nr=0
	path=$(cd "$here" && readlink -e "$folder") || fail "there is no folder $folder"
	elf_files "$path" >files
	[ -s files ] || fail "nothing in $folder has debug information"
	: >reasons
	while IFS= read -r file; do
		nr=$((nr + 1))
		[ -e "$(twin "$file")" ] || fail "there is no $(twin "$file")"
		for list in $lists; do
			compare "$list" "$file" </dev/null
		done
	done <files
	echo "| $folder | $nr | $results | $equal | $explained$(counted) | $bad | $breaches |"
	found=$((found + bad))
done
[ $found = 0 ]
