#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# diff/quirks.txt is in order, with tests that there are and reasons that are given

. "${0%/*}/lib/testlib.sh"

tests=$SRCDIR/tests
table=$tests/diff/quirks.txt

# test_exists NAME: as ctest names it, or PROGRAM/TEST of a unit test; TEST may be the row of a table, with
# underscores for blanks
test_exists()
{
	case $1 in
	t_*/*)
		row=$(echo "${1#*/}" | tr _ ' ')
		grep -qiE "^[A-Z_]+\(${1#*/}[,)]|\{ \"$row\"," "$tests/unit/${1%%/*}.c"
		;;
	golden/*) [ -f "$tests/$1/args" ] || [ -f "$tests/$1.sh" ] ;;
	*) [ -f "$tests/$1.sh" ] ;;
	esac
}

# The manuals in one line: a phrase may go over the end of one.
manual=$(cat "$SRCDIR"/man/*.[17] | tr -s '\n' ' ')

# complete: the quirk before has all that it needs
complete()
{
	[ -z "$quirk" ] || [ -n "$has_test" ] || fail "$quirk has no test"
	[ "$verdict" = same ] || [ -n "$has_reason" ] || fail "$quirk tells users nothing"
}

nr=0 quirks=0 quirk= verdict=same has_test= has_reason=
while IFS= read -r line; do
	case $line in
	Q*)
		complete
		last=$nr
		quirk=${line%% *}
		nr=${quirk#Q}
		verdict=${line#* }
		verdict=${verdict%%:*}
		case $verdict in
		*,*)
			only=${verdict#*, }
			verdict=${verdict%%,*}
			[ "$only" = 1.31 ] || [ "$only" = 1.32 ] || fail "$quirk: what is '$only'?"
			;;
		esac
		[ "$nr" -gt $last ] || fail "$quirk stands behind Q$last"
		quirks=$((quirks + 1))
		case $verdict in
		same | better | "better by default") ;;
		*) fail "$quirk is '$verdict'" ;;
		esac
		has_test= has_reason=
		;;
	"	test: "*)
		for name in ${line#*: }; do
			test_exists "$name" || fail "$quirk: there is no test $name"
		done
		has_test=1
		;;
	"	man: "*)
		case $manual in
		*"${line#*: }"*) ;;
		*) fail "$quirk: the manual does not say '${line#*: }'" ;;
		esac
		has_reason=1
		;;
	"	known: "*)
		for name in ${line#*: }; do
			grep -qE "^1\.3[12]-? $name: " "$tests/diff/known.txt" ||
				fail "$quirk: known.txt has no $name"
		done
		has_reason=1
		;;
	"	"*) fail "$quirk: what is '$line'?" ;;
	esac
done <"$table"
complete
[ $quirks -ge 62 ] || fail "only $quirks quirks"
