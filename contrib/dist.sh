#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# dist.sh FOLDER - write the release tarball btfenc-VERSION.tar.xz of the current commit to FOLDER, and its SHA-256 checksum
#
# "cmake --build build --target dist" runs it for the folder build/dist. One commit always gives the same bytes: the files have
# the time of the commit and belong to root. xz compresses in one thread, because more threads write other bytes.

set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

if ! git rev-parse --git-dir >/dev/null 2>&1; then
	echo "dist: this is no git repository; the tarball is made of a commit" >&2
	exit 1
fi
if [ -n "$(git status --porcelain)" ]; then
	echo "dist: commit or remove these changes first:" >&2
	git status --short >&2
	exit 1
fi
version=$(sed -n 's/^[[:space:]]*VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
name=btfenc-$version
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$folder/$name.tar"
xz -9 -T1 -f "$folder/$name.tar"
cd "$folder"
sha256sum "$name.tar.xz" >"$name.tar.xz.sha256"
cat "$name.tar.xz.sha256"
