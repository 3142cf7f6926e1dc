#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh - the examples of README.md print what it shows
#
# In its ```console blocks, a line that begins with "$ " is a command and the lines below are its output. This test runs the commands in
# a copy of docs/example, writes README.md anew with the outputs that it gets, and compares the two. Addresses and type ids depend on the
# compiler and do not count. BLESS=1 replaces README.md.

. "${0%/*}/../lib/testlib.sh"

need gcc
cp "$SRCDIR"/docs/example/* . || exit 1

in_console=false
while IFS= read -r line; do
	case $line in
	'```console')
		in_console=true
		printf '%s\n' "$line"
		;;
	'```'*)
		in_console=false
		printf '%s\n' "$line"
		;;
	'$ '*)
		printf '%s\n' "$line"
		! $in_console || sh -c "${line#??}" 2>&1 </dev/null
		;;
	*)
		$in_console || printf '%s\n' "$line"
		;;
	esac
done <"$SRCDIR/README.md" >README.new

[ "$(grep -c '^\$ ' README.new)" -ge 12 ] || fail "README.md has hardly any examples"
if [ "${BLESS:-0}" = 1 ]; then
	cp README.new "$SRCDIR/README.md"
	exit
fi
for version in "$SRCDIR/README.md" README.new; do
	sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/\[[0-9]+\]$/[ID]/' "$version" >"${version##*/}.plain"
done
diff -u README.md.plain README.new.plain || fail "the outputs in README.md are not those of its examples"
