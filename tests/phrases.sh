#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# phrases.sh - documents, manuals, messages and comments of C have no phrase of phrases.txt
#
# A reader who is not a native speaker must understand each sentence at once (CONTRIBUTING.md). phrases.txt lists phrases that prevent
# this. A sentence that begins with "What" and is no question is a noun clause, and is refused, too; headings and entries of tables may
# have one.

. "${0%/*}/lib/testlib.sh"
. "$SRCDIR/tests/lib/comments.sh"

need awk grep
work=$SCRATCH
list=$SRCDIR/tests/phrases.txt
grep -v '^#' "$list" | sed 's/\t.*//' >"$work/phrases"
[ "$(wc -l <"$work/phrases")" -ge 20 ] || fail "only a few phrases"

# refused FILE: the lines of FILE that have a phrase, or a sentence that begins with "What"
refused()
{
	grep -iwE -f "$work/phrases" "$1"
	grep -E '(^[^:]*:[0-9]*:[ *-]*|[.;:] )What [a-z]' "$1" |
		grep -vE '\?|^[^:]*:[0-9]*:(\||#|\.Ss)'
	true
}

# must_refuse TEXT, must_accept TEXT: the test can fail, and does not always
must_refuse()
{
	echo "file:1:$1" >"$work/line"
	[ -n "$(refused "$work/line")" ] || fail "'$1' is accepted"
}
must_accept()
{
	echo "file:1:$1" >"$work/line"
	[ -z "$(refused "$work/line")" ] || fail "'$1' is refused"
}
must_refuse " Nobody waits for it."
must_refuse "which makes of it a file"
must_refuse " * What is left is a note."
must_refuse "It ends. What remains is a note."
must_accept "What remains?"
must_accept "| What the linker does |"
must_accept "nobody_inside() is a name"
sed -n 's/^\([a-z ]*\)\t.*/\1/p' "$list" | while read -r phrase; do
	must_refuse "text with $phrase in it"
done || exit 1

cd "$SRCDIR" || exit 1
{
	# shellcheck disable=SC2046
	comments_of_c $(find base btf check cmd contrib dedup encoder loader show tests -name '*.[ch]')
	find README.md CHANGELOG.md CONTRIBUTING.md docs man contrib tests -maxdepth 3 \( -name '*.md' -o -name '*.[157]' \) \
		! -path 'docs/spec/*' -exec grep -n '' /dev/null {} +
	grep -n '' tests/messages.txt tests/diff/quirks.txt tests/diff/known.txt
	[ -z "${BTFENC:-}" ] || "$BTFENC" --help=all | sed 's/^/--help:0:/'
} >"$work/lines"
[ "$(wc -l <"$work/lines")" -ge 9000 ] || fail "only $(wc -l <"$work/lines") lines were found"
for where in README.md docs/design.md man/btfenc.1 tests/messages.txt tests/diff/quirks.txt tests/diff/known.txt encoder/encode.c tests/lib/testlib.h; do
	grep -q "^$where:" "$work/lines" || fail "$where is not searched"
done
refused "$work/lines" >"$work/found"
[ ! -s "$work/found" ] || fail "phrases that tests/phrases.txt refuses:
$(cat "$work/found")"
