#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# output that does not arrive is an error

. "${0%/*}/../lib/testlib.sh"

[ -c /dev/full ] || skip "no /dev/full"

btfenc --help >/dev/full 2>err
[ $? = 1 ] || fail "a full disk is no error"
grep -qx "btfenc: error: cannot write to standard output: No space left on device" err ||
	fail "wrong message: $(cat err)"

btfenc --version >&- 2>err
[ $? = 1 ] || fail "a closed stdout is no error"
grep -q "^btfenc: error: cannot write to standard output" err || fail "wrong message: $(cat err)"
