#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# dist.sh FOLDER [BUILD MACHINE] - write a release archive of the current commit to FOLDER, and its SHA-256 checksum
#
# The archive is btfenc-VERSION.tar.xz with the source, or, with the folder of a static build, btfenc-VERSION-linux-MACHINE.tar.xz
# with what that build installs and the licences of the libraries in the program. "cmake --build BUILD --target dist" runs it
# for the folder BUILD/dist.
#
# One commit always gives the same bytes, whatever the user, the folder and the configuration are: the files have the time of the
# commit and belong to root. xz compresses in one thread, because more threads write other bytes. The program also depends on the
# compiler and the libraries.

set -eu
umask 022
unset XZ_OPT XZ_DEFAULTS TAR_OPTIONS
export GIT_ATTR_NOSYSTEM=1
mkdir -p "$1"
folder=$(cd "$1" && pwd)
build=${2:+$(cd "$2" && pwd)}
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
name=btfenc-$version${build:+-linux-$3}

# The licence under which the program contains a library of Debian's source package $1. All are compatible with GPL-2.0-only.
licence_of()
{
	case $1 in
	bzip2) echo bzip2-1.0.6 ;;
	elfutils) echo GPL-2.0-or-later ;;
	gcc-[0-9]*) echo 'GPL-3.0-or-later WITH GCC-exception-3.1' ;;
	glibc) echo LGPL-2.1-or-later ;;
	libbpf) echo BSD-2-Clause ;;
	libzstd) echo BSD-3-Clause ;;
	xz-utils) echo '0BSD or public domain' ;;
	zlib) echo Zlib ;;
	*)
		echo "dist: this script does not know the licence of '$1', which the linker used" >&2
		return 1
		;;
	esac
}

# Which libraries the linker took code from, by its map. Each belongs to a package of Debian, which has its licence.
libraries()
{
	mkdir licences
	cp /usr/share/common-licenses/GPL-3 /usr/share/common-licenses/LGPL-2.1 licences
	echo "bin/btfenc is linked statically. It contains btfenc (GPL-2.0-only, COPYING), whose source is btfenc-$version.tar.xz, and code of"
	echo "these libraries of Debian. The command to fetch the source of a library is \"apt-get source SOURCE=VERSION\"; all versions are on"
	echo "https://snapshot.debian.org/package/SOURCE/VERSION/. If you distribute this program, offer these sources, too: its licence asks for them,"
	echo "except for those of gcc, which has an exception."
	echo
	format='%-14s %-14s %-18s %s\n'
	# shellcheck disable=SC2059
	printf "$format" library source version licence
	sed -n 's|^\(/.*\.a\)(.*|\1|p' "$build/btfenc.map" | xargs -r realpath | LC_ALL=C sort -u >used
	[ -s used ] || {
		echo "dist: $build/btfenc.map has no libraries; link with GNU ld" >&2
		return 1
	}
	while read -r library; do
		package=$(dpkg-query -S "$library" | sed 's/: .*//')
		dpkg-query -W -f '${source:Package} ${source:Version}\n' "$package" >source
		read -r source source_version <source
		licence=$(licence_of "$source")
		cp "/usr/share/doc/${package%:*}/copyright" "licences/$source"
		# shellcheck disable=SC2059
		printf "$format" "${library##*/}" "$source" "$source_version" "$licence"
	done <used
	rm used source
}

if [ -z "$build" ]; then
	git -c tar.umask=0022 -c core.attributesFile=/dev/null archive --format=tar --prefix="$name/" HEAD >"$folder/$name.tar"
else
	files=$(mktemp -d)
	trap 'rm -rf "$files"' EXIT
	cmake --install "$build" --prefix "$files/$name" --strip >/dev/null
	cp COPYING "$files/$name"
	(cd "$files/$name" && libraries >LIBRARIES)
	tar -c -C "$files" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--mtime="@$(git show -s --no-show-signature --format=%ct HEAD)" "$name" >"$folder/$name.tar"
fi
xz -9 -T1 -f "$folder/$name.tar"
cd "$folder"
sha256sum "$name.tar.xz" >"$name.tar.xz.sha256"
cat "$name.tar.xz.sha256"
