#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --version is one line that scripts of the kernel parse; -V adds our own

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --version
expect_no_stderr
expect_stdout <<\END
v1.32
END

# scripts/pahole-version.sh
[ "$(btfenc --version | sed -E 's/v([0-9]+)\.([0-9]+)/\1\2/')" = 132 ] || fail "not parsed as 132"

# pahole 1.32 prints "git describe", or v1.32-tarball-gfa725d687ce3 if a package built it
for args in '' --compat=1.32 --bogus; do
	run_ok btfenc --devel_version $args
	expect_no_stderr
	grep -qxE 'v1\.32(-btfenc-g[0-9a-f]{12})?' out/stdout || fail "$(cat out/stdout)"
done

for args in '-V --version' '--version -V' '--version --verbose'; do
	run_ok btfenc $args
	[ "$(sed -n 1p out/stdout)" = v1.32 ] || fail "$args: v1.32 is not the first line"
	sed -n 2p out/stdout | grep -qxE 'btfenc [0-9]+(\.[0-9]+)+' || fail "$args: no own version"
done
