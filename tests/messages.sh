#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# messages.sh - messages.txt lists all errors and warnings
#
# The list makes each change of a text visible in review. BLESS=1 writes it.

. "${0%/*}/lib/testlib.sh"

need python3
cd "$SRCDIR" || exit 1
python3 tests/tools/messages.py base btf check cmd dedup encoder loader show >"$SCRATCH/list" || fail "messages.py fails"
[ "${BLESS:-0}" != 1 ] || cp "$SCRATCH/list" tests/messages.txt
[ "$(wc -l <"$SCRATCH/list")" -ge 300 ] || fail "messages.py finds only a few messages"
diff tests/messages.txt "$SCRATCH/list" || fail "the messages differ from tests/messages.txt (BLESS=1 writes it)"
