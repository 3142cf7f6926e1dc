#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# static.sh - the static programs, for this machine and cross-built for arm64: they need no file of the system, they write the BTF
# that btfenc writes, and their archives have the same bytes from two folders
#
#	PACKAGE=1 asks for it: four builds, which take six minutes on two cores. docs/release.md names the packages.

. "${0%/*}/../lib/testlib.sh"

[ -n "${PACKAGE:-}" ] || skip "PACKAGE is not set"
need git xz cmake ninja gcc cmp dpkg-query readelf
git -C "$SRCDIR" rev-parse --git-dir >/dev/null 2>&1 || skip "the source is no git repository"

gcc_c input.o <<\END
struct point { int x, y; };
int sum(struct point *p) { return p->x + p->y; }
END
run_ok btfenc --btf_features=default --btf_encode_detached=expected.btf input.o

tested=
for preset in static static-arm64; do
	for folder in one "some/where else"; do
		[ -d "$folder" ] || git clone -q "$SRCDIR" "$folder"
		(cd "$folder" && cmake --preset $preset) >log 2>&1 || {
			echo "$preset: not built: $(grep -m 1 -A 2 '^CMake Error' log)"
			continue 2
		}
		(cd "$folder" && cmake --build --preset $preset --target dist) >log 2>&1 || {
			tail -n 30 log >&2
			fail "$preset does not build"
		}
		! grep -i warning log >&2 || fail "the build of $preset warns"
	done
	archive=$(cd one/build-$preset/dist && ls ./*.tar.xz)
	cmp "one/build-$preset/dist/$archive" "some/where else/build-$preset/dist/$archive" || fail "the archives differ"
	(cd one/build-$preset/dist && sha256sum --quiet -c "$archive.sha256") || fail "the checksum is not that of the archive"

	tar xf "one/build-$preset/dist/$archive"
	unpacked=$(basename "$archive" .tar.xz)
	for file in bin/btfenc COPYING LIBRARIES licences/glibc licences/LGPL-2.1 share/man/man1/btfenc.1 \
		share/doc/btfenc/README.md share/bash-completion/completions/btfenc; do
		[ -s "$unpacked/$file" ] || fail "$archive lacks $file"
	done
	for library in libbpf.a libc.a libdw.a libelf.a libz.a libzstd.a; do
		grep -qE "^$library +[a-z]+ +[0-9].* [A-Z]" "$unpacked/LIBRARIES" || fail "LIBRARIES lacks $library"
	done
	run_ok readelf -Wld "$unpacked/bin/btfenc"
	expect_not_in stdout 'INTERP\|NEEDED'

	run=
	[ $preset = static ] || run=qemu-aarch64
	run_ok $run "$unpacked/bin/btfenc" --btf_features=default --btf_encode_detached=$preset.btf input.o
	cmp expected.btf $preset.btf || fail "$preset writes other BTF"
	tested="$tested $preset"
done
[ -n "$tested" ] || skip "no static libraries"
echo "tested:$tested"
