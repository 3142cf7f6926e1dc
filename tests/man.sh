#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# man.sh - mandoc finds nothing to say of the manual

. "${0%/*}/lib/testlib.sh"

need mandoc
for page in "$SRCDIR"/man/*.[0-9]; do
	run mandoc -Tlint -W style "$page"
	# that other manuals are not installed is no fault of ours
	grep -v -e 'mandoc\.db' -e 'referenced manual not found' out/stdout out/stderr |
		sed 's/^[^:]*://' >found
	[ ! -s found ] || fail "$(cat found)"
done
