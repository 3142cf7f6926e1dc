#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each rule of encoder/report/omission_rules.c is in the manual and in what a test expects of a report

. "${0%/*}/lib/testlib.sh"

# sed, not a parser: a line of the table is [OMIT_SUBJECT_...] = SUBJECT("rest of the id", ...
sed -n -e 's/^\[OMIT_.*\] = \(FUNC\|VAR\|TYPE\|MEMBER\|UNIT\)("\([a-z0-9_]*\)".*/\1_\2/p' \
	-e 's/^\[OMIT_.*\] = BTF_ID("\([a-z_]*\)".*/\1/p' \
	-e 's/^\[OMIT_.*\] = { \.id = "\([a-z_]*\)".*/\1/p' \
	"$SRCDIR/encoder/report/omission_rules.c" | tr '[:upper:]' '[:lower:]' >rules
[ "$(grep -c . rules)" = "$(grep -c '^\[OMIT_' "$SRCDIR/encoder/report/omission_rules.c")" ] ||
	fail "not every line of the table is understood"
while read -r rule; do
	grep -q "^\.It Li .*\b$rule\b" "$SRCDIR/man/btfenc-report.5" ||
		fail "$rule is not in btfenc-report(5)"
	grep -q -e "\"rule\":\"$rule\"" -e "^  $rule: " -e "'^  $rule: " "$SRCDIR"/tests/cli/*.sh ||
		fail "no test has a report that says $rule"
done <rules
exit 0
