#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All files that name the version of btfenc name the same one.

. "${0%/*}/lib/testlib.sh"

version=$(sed -n 's/^[[:space:]]*VERSION \([0-9.]*\)$/\1/p' "$SRCDIR/CMakeLists.txt")
echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || fail "CMakeLists.txt has no version: '$version'"

# names FILE EXPRESSION: the first line that sed prints for it is the version
names()
{
	found=$(sed -n "$2" "$SRCDIR/$1" | head -n 1)
	[ "$found" = "$version" ] || fail "$1 has version '$found', CMakeLists.txt has $version"
}

names CHANGELOG.md 's/^## \[\(.*\)\] - .*/\1/p'
names README.md 's/.* Status: \([0-9.]*\), .*/\1/p'
names contrib/deb/debian/changelog 's/^btfenc (\(.*\)-[0-9]*) .*/\1/p'
names contrib/rpm/btfenc.spec 's/^Version: *//p'
names contrib/rpm/btfenc.spec 's/^\* .* \([0-9.]*\)-[0-9]*$/\1/p'
names contrib/nix/default.nix 's/^ *version = "\(.*\)";/\1/p'

# All files that name its date name the same one. Before the release, CHANGELOG.md has "unreleased".
date=$(sed -n 's/^## \[.*\] - //p' "$SRCDIR/CHANGELOG.md" | head -n 1)
if [ "$date" = unreleased ]; then
	status='not released yet'
else
	status="released on $date"
	for found in "$(sed -n 's/^ -- .*>  //p' "$SRCDIR/contrib/deb/debian/changelog" | head -n 1)" \
		"$(sed -n 's/^\* \(.* [0-9]\{4\}\) .*/\1/p' "$SRCDIR/contrib/rpm/btfenc.spec" | head -n 1)"; do
		[ "$(date -u -d "$found" +%F)" = "$date" ] || fail "a package has the date '$found', CHANGELOG.md has $date"
	done
fi
grep -q " Status: $version, $status\. " "$SRCDIR/README.md" || fail "README.md lacks 'Status: $version, $status.'"

# the format of .debug.btf, which a change of struct unit_facts changes
facts=$(sed -n 's/.*FACTS_VERSION = \([0-9]*\).*/\1/p' "$SRCDIR/encoder/member/facts_block.h")
documented=$(sed -n 's/^| 2 | 1 | version: \([0-9]*\) |$/\1/p' "$SRCDIR/docs/archive-metadata.md")
[ -n "$facts" ] && [ "$facts" = "$documented" ] || fail "docs/archive-metadata.md has version '$documented' of .debug.btf, facts_block.h has '$facts'"
