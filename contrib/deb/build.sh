#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh TARBALL FOLDER [OPTION...] - build Debian's packages from a release tarball, in a new folder. The options are those of
# dpkg-buildpackage. "cmake --build build --target deb" runs it for the current commit.

set -eu
[ $# -ge 2 ] || { sed -n 's/^# \(build.sh .*\)/usage: \1/p' "$0" >&2; exit 2; }
tarball=$1 folder=$2
shift 2
contrib=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$tarball" .tar.xz)

rm -rf "${folder:?}/$name"
mkdir -p "$folder"
cp "$tarball" "$folder/btfenc_${name#btfenc-}.orig.tar.xz"
cd "$folder"
tar xf "btfenc_${name#btfenc-}.orig.tar.xz"
cp -r "$contrib/debian" "$name/"
cd "$name"
dpkg-buildpackage -us -uc "$@"
