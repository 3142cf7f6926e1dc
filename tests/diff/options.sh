#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# every option that the installed pahole lists is known here, one way or the other

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/inputs.inc"
need pahole

pahole --help | grep -oE '^  (-[A-Za-z?], |    )--[a-z0-9_]+' | sed 's/.*--//' | sort -u >theirs
[ "$(wc -l <theirs)" -ge 60 ] || skip "the help of this pahole cannot be read"
sed -nE 's/^\t[A-Z]+\("([a-z0-9_]+)".*/\1/p' "$SRCDIR/cmd/options/option_table.c" | sort >ours

for option in $(comm -23 theirs ours); do
	is_known "$option" || fail "not in the option table: $option"
done
exit 0
