#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the release tarball from two clones, which must give the same bytes. With PACKAGE=1, it builds the tarball, where there is
# no git, and runs its unit tests: three minutes.

. "${0%/*}/../lib/testlib.sh"

need git xz sha256sum
git -C "$SRCDIR" rev-parse --git-dir >/dev/null 2>&1 || skip "the source is no git repository"
version=$(sed -n 's/^[[:space:]]*VERSION \([0-9.]*\)$/\1/p' "$SRCDIR/CMakeLists.txt")
name=btfenc-$version

# Two users: the second has another name if root runs this test, other paths, and a configuration of git, xz and tar that changes
# the bytes of an archive.
umask 022
git clone -q "$SRCDIR" one && sh one/contrib/dist.sh out/one >/dev/null || fail "no tarball from the first clone"
mkdir -p "home of two/.config/git" out/two
cat >"home of two/.gitconfig" <<END
[core]
	autocrlf = true
	abbrev = 5
[log]
	showSignature = true
	date = relative
[status]
	short = true
[tar]
	umask = user
[user]
	name = Two
	email = two@example.com
END
printf '*.md export-ignore\n*.c eol=crlf ident\n' >"home of two/.config/git/attributes"
cat >as_two <<'END'
#!/bin/sh
umask 077
exec env -u XDG_CONFIG_HOME HOME="$PWD/home of two" USER=two LOGNAME=two TZ=Asia/Kathmandu LC_ALL=C.UTF-8 \
	XZ_OPT='-e --check=crc32' XZ_DEFAULTS='-T2 --block-size=65536' TAR_OPTIONS=--owner=two GIT_COMMITTER_NAME=Two "$@"
END
sh as_two git clone -q one "some other name" || fail "no second clone"
two='sh as_two'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 711 . # this user may pass
	chown -R 65534:65534 "some other name" "home of two" out/two
	two='setpriv --reuid=65534 --regid=65534 --clear-groups sh as_two'
fi
$two sh "some other name/contrib/dist.sh" out/two >/dev/null || fail "no tarball from the second clone"
cmp "out/one/$name.tar.xz" "out/two/$name.tar.xz" || fail "the tarballs differ"
(cd out/two && sha256sum --quiet -c "$name.tar.xz.sha256") || fail "the checksum is not that of the tarball"

# the files of the commit, all in one folder
tar tf "out/one/$name.tar.xz" | grep -v '/$' | sed "s|^$name/||" | sort >listed
git -C one ls-files | sort | cmp - listed || fail "the tarball does not have the files of the commit"

# a change that is not committed
echo >>one/README.md
run_status 1 sh one/contrib/dist.sh out/three
expect_in stderr 'commit or remove these changes first'

[ -n "${PACKAGE:-}" ] || exit 0
need cmake ninja gcc
tar xf "out/one/$name.tar.xz"
cd "$name" || exit 1
rm -rf ../one "../some other name"
GIT_CEILING_DIRECTORIES=$SCRATCH
export GIT_CEILING_DIRECTORIES
unset SRCDIR BUILDDIR BTFENC
{ cmake --preset dev && cmake --build --preset dev && ctest --test-dir build-dev -L unit -j2; } >build.log 2>&1 || {
	tail -n 30 build.log >&2
	fail "the tarball does not build or pass"
}
