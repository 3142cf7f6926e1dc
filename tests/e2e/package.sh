#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# package.sh - the package for Debian, made twice, in folders of other names, is the same to the byte; what is in
# it, and what it depends on
#
#	PACKAGE=1 asks for it: two builds, some four minutes on two cores.

. "${0%/*}/../lib/testlib.sh"

[ -n "${PACKAGE:-}" ] || skip "PACKAGE is not set"
need cmake ninja gcc dpkg-deb dpkg-shlibdeps gzip tar cmp
export SOURCE_DATE_EPOCH=1700000000

# package FOLDER OPTION...: a copy of the source there, made into a package
package()
{
	folder=$1
	shift
	mkdir -p "$folder"
	(cd "$SRCDIR" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C "$folder" ||
		fail "no copy of the source"
	(
		cd "$folder" || exit 1
		umask 022 # CPack's ar keeps it
		cmake --preset deb "$@" && cmake --build --preset deb && cpack --preset deb
	) >out/build 2>&1 || {
		tail -n 20 out/build >&2
		fail "it does not build in $folder"
	}
}

package one
package some/where/else
cmp one/build-deb/btfenc some/where/else/build-deb/btfenc || fail "the binaries differ"
cmp one/build-deb/*.deb some/where/else/build-deb/*.deb || fail "the packages differ"

run_ok dpkg-deb -c one/build-deb/*.deb
expect_in stdout '^-rwxr-xr-x root/root .* ./usr/bin/btfenc$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/man/man1/btfenc.1.gz$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/man/man5/btfenc-report.5.gz$'
expect_in stdout '^-rw-r--r-- root/root .* ./usr/share/doc/btfenc/copyright$'
expect_in stdout ' ./usr/share/zsh/vendor-completions/_btfenc$'
expect_not_in stdout pahole
# what loads it, and no library for what it does not do each time
run dpkg-deb -f one/build-deb/*.deb Depends
expect_in stdout '^libc6 (>= [0-9.]*), libzstd1 (>= [0-9.]*), zlib1g (>= [0-9:.a-z]*)$'

# in the place of pahole
package one -DBTFENC_PAHOLE=ON
run dpkg-deb -c one/build-deb/*.deb
expect_in stdout ' ./usr/bin/pahole -> btfenc$'
expect_in stdout ' ./usr/share/man/man1/pahole.1.gz$'
run dpkg-deb -f one/build-deb/*.deb Conflicts
echo 'pahole, dwarves' | expect_stdout
