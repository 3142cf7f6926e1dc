#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# package.sh - Debian's packages, built twice in folders of other names, have the same bytes; their files and dependencies
#
#	PACKAGE=1 asks for it: two builds, which take six minutes on two cores.

. "${0%/*}/../lib/testlib.sh"

[ -n "${PACKAGE:-}" ] || skip "PACKAGE is not set"
need git xz dh dpkg-buildpackage cmake ninja gcc cmp
git -C "$SRCDIR" rev-parse --git-dir >/dev/null 2>&1 || skip "the source is no git repository"
git clone -q "$SRCDIR" clone && sh clone/contrib/dist.sh out/dist >/dev/null || fail "no release tarball"

for folder in one some/where/else; do
	DEB_BUILD_OPTIONS=nocheck DEB_BUILD_PROFILES=nocheck run sh clone/contrib/deb/build.sh out/dist/*.tar.xz $folder -b
	expect_status 0
done
for package in one/*.deb; do
	cmp "$package" "some/where/else/${package#one/}" || fail "the packages differ"
done

run_ok dpkg-deb -c one/btfenc_*.deb
expect_in stdout '^-rwxr-xr-x root/root .* ./usr/bin/btfenc$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/man/man1/btfenc.1.gz$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/man/man5/btfenc-report.5.gz$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/doc/btfenc/copyright$'
expect_in stdout ' ./usr/share/zsh/vendor-completions/_btfenc$'
expect_not_in stdout '/pahole'
# The libraries that are loaded with it, and not those that it loads when a file needs them.
run dpkg-deb -f one/btfenc_*.deb Depends
expect_in stdout '^libc6 (>= [0-9.]*), libelf1[t64]* (>= [0-9.]*), libzstd1 (>= [0-9.]*), zlib1g (>= [0-9:.a-z]*)$'

run_ok dpkg-deb -c one/btfenc-pahole_*.deb
expect_in stdout ' ./usr/bin/pahole -> btfenc$'
expect_in stdout ' ./usr/share/man/man1/pahole.1.gz -> btfenc.1.gz$'
run dpkg-deb -f one/btfenc-pahole_*.deb Conflicts
echo 'pahole' | expect_stdout
