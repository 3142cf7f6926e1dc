#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what an installation consists of

. "${0%/*}/../lib/testlib.sh"

need cmake
[ -e "$BUILDDIR/btfenc" ] && [ -e "$BUILDDIR/completions/btfenc" ] || skip "not all of it is built"
run_ok cmake --install "$BUILDDIR" --prefix "$SCRATCH/root"
expect_no_stderr
for file in bin/btfenc share/man/man1/btfenc.1 share/doc/btfenc/README.md share/doc/btfenc/docs/SECURITY.md \
	share/bash-completion/completions/btfenc share/fish/vendor_completions.d/btfenc.fish; do
	[ -s "root/$file" ] || fail "no $file"
done
for page in "$SRCDIR"/man/*.[0-9]; do
	[ -s "root/share/man/man${page##*.}/${page##*/}" ] || fail "no ${page##*/}"
done
grep -ohE '^\.Pa (docs|tests)/[^ ]*[a-z]' "$SRCDIR"/man/*.[0-9] | sort -u >named
[ "$(wc -l <named)" -ge 5 ] || fail "the manual names only a few documents"
while read -r _ file; do
	[ -s "root/share/doc/btfenc/$file" ] || fail "the manual names $file, which is not installed"
done <named
[ -n "$(find root/share/zsh -name _btfenc)" ] || fail "no completions for zsh"
run_ok root/bin/btfenc --version

# the name of pahole is only taken by who asks for it
! grep -q '^BTFENC_PAHOLE:BOOL=OFF' "$BUILDDIR/CMakeCache.txt" || [ -z "$(find root -name 'pahole*')" ] ||
	fail "pahole is installed"
