# SPDX-License-Identifier: GPL-2.0-only
#
# skipped.sh BUILD - print why tests were skipped
#
# ctest does not print the output of a test that is skipped. It runs this script after the last
# test (CTestCustom.cmake), which takes the reasons from the log: "SCRIPT: skipped: REASON" of a
# script, "ok N - TEST # SKIP REASON" of one test of a program.

# Until ctest ends, the log has a temporary name, which depends on the version of ctest.
# shellcheck disable=SC2012
log=$(ls -t "$1"/Testing/Temporary/LastTest.log* 2>/dev/null | head -n 1)
[ -n "$log" ] || exit 0
awk '
/^[0-9]+\/[0-9]+ Test: / {
	name = $0
	sub(/^[0-9]+\/[0-9]+ Test: /, "", name)
	next
}
match($0, /^[A-Za-z0-9_.]+: skipped: /) { reason(substr($0, RLENGTH + 1)) }
match($0, /^ok [0-9]+ - .* # SKIP /) { reason($4 ": " substr($0, RLENGTH + 1)) }
function reason(text) {
	if (!nr++)
		print "\nSkipped, and why:"
	printf "\t%s: %s\n", name, text
}' "$log"
