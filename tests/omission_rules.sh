#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# encoder/report/omission_rules.c and btfenc-report(5) have the same rules, and a test expects each in a report

. "${0%/*}/lib/testlib.sh"

# sed, not a parser: a line of the table is [OMIT_SUBJECT_...] = SUBJECT("rest of the id", ...
sed -n -e 's/^\[OMIT_.*\] = \(FUNC\|VAR\|SITES\|TYPE\|MEMBER\|UNIT\|ARCHIVE\)("\([a-z0-9_]*\)".*/\1_\2/p' \
	-e 's/^\[OMIT_.*\] = BTF_ID("\([a-z_]*\)".*/\1/p' \
	-e 's/^\[OMIT_.*\] = { \.id = "\([a-z_]*\)".*/\1/p' \
	"$SRCDIR/encoder/report/omission_rules.c" | tr '[:upper:]' '[:lower:]' | sort >rules
[ "$(grep -c . rules)" = "$(grep -c '^\[OMIT_' "$SRCDIR/encoder/report/omission_rules.c")" ] ||
	fail "not every line of the table is understood"
sed -n '/^\.Sh RULES/,/^\.Sh EXAMPLES/s/^\.It Li //p' "$SRCDIR/man/btfenc-report.5" | sed 's/ , /\n/g' | sort |
	diff rules - || fail "these rules are only in omission_rules.c (<) or only in btfenc-report(5) (>)"
# those that reports do not list by default
sed -n -e 's/^\[OMIT_.*\] = \(FUNC\|VAR\|SITES\|TYPE\|MEMBER\|UNIT\|ARCHIVE\)("\([a-z0-9_]*\)",.* NO_LOSS,$/\1_\2/p' \
	-e 's/^\[OMIT_.*\] = { \.id = "\([a-z_]*\)".* NO_LOSS,$/\1/p' \
	"$SRCDIR/encoder/report/omission_rules.c" | tr '[:upper:]' '[:lower:]' | sort >no_loss
[ "$(grep -c . no_loss)" = "$(grep -c 'NO_LOSS,$' "$SRCDIR/encoder/report/omission_rules.c")" ] || fail "not every NO_LOSS is understood"
awk '/^\.It Li /{ rule = $3 } /^No loss\.$/{ print rule }' "$SRCDIR/man/btfenc-report.5" | sort |
	diff no_loss - || fail "these rules are NO_LOSS only in omission_rules.c (<) or only in btfenc-report(5) (>)"
while read -r rule; do
	grep -q -e "\"rule\":\"$rule\"" -e "^$rule " -e "^  $rule: " -e "'^  $rule: " "$SRCDIR"/tests/cli/*.sh ||
		fail "no test has a report that says $rule"
done <rules
