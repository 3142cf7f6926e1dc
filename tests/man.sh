#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# man.sh - mandoc finds nothing to say of the manual

. "${0%/*}/lib/testlib.sh"

need mandoc
for page in "$SRCDIR"/man/*.[0-9]; do
	run mandoc -Tlint -W style "$page"
	# Manuals of other projects are not installed here. EXAMPLES come first, because users read them first.
	grep -v -e 'mandoc\.db' -e 'referenced manual not found' \
		-e 'sections out of conventional order' out/stdout out/stderr |
		sed 's/^[^:]*://' >found
	[ ! -s found ] || fail "$(cat found)"
done
