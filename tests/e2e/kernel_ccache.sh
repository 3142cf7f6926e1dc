#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel through the launcher and ccache, twice: the second time nothing is compiled, and it is the same.
#
# KERNEL_SRC and the others are in ../lib/kernel.sh. What kbuild calls as pahole makes vmlinux's BTF of that
# of the objects, and those of modules, in place.
#
# The date and the number of the build are in init/version-timestamp.c; unless they are given, as here, that
# one is compiled each time, with and without us.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

kernel_source
need ccache
kernel_drop_piled_btf
unset CCACHE_PREFIX CCACHE_EXTRAFILES CCACHE_CONFIGPATH CCACHE_DISABLE CCACHE_RECACHE
export CCACHE_DIR="$out/ccache"
export KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_VERSION=1
# what kbuild asks for, too
features='--btf_features=default --lang_exclude=rust'
launcher="btfenc $features --launch -- ccache gcc"

make_with()
{
	kmake build -s CC="$launcher" "$@"
}

# What the compiler under test made, and what was linked of it.
of_kernel()
{
	(cd "$out/build" && find . -name '*.o' -o -name '*.ko' -o -name vmlinux) | grep -v -e '^./scripts/' -e '^./tools/' | sort
}

# hits_and_misses FILE: build everything, and keep the hashes in the file
hits_and_misses()
{
	make_with clean >>"$out/build.log" 2>&1 || fail "cannot clean: see $out/build.log"
	ccache -z >/dev/null
	make_with -j"$jobs" bzImage modules >>"$out/build.log" 2>&1 || fail "the build failed: see $out/build.log"
	ccache --print-stats >counts
	hits=$(awk '/^(direct|preprocessed)_cache_hit\t/ { n += $2 } END { print n + 0 }' counts)
	misses=$(awk '$1 == "cache_miss" { print $2 }' counts)
	of_kernel | (cd "$out/build" && xargs sha256sum) >"$1"
	echo "$1: $hits hits, $misses misses"
}

rm -rf "$out/build" "$CCACHE_DIR"
ln -sf "$BTFENC" "$out/pahole"
: >"$out/build.log"
kernel_configure build CC="$launcher"

hits_and_misses first
[ "$misses" -gt 10 ] || fail "nothing was compiled"
hits_and_misses second
[ "$misses" = 0 ] || fail "the second build compiles"
diff first second >difference || fail "the second build is another: $(head -n 3 difference)"
of_kernel | while read -r object; do
	has_section "$out/build/$object" .BTF && echo "$object"
done >with_btf
echo "$(wc -l <with_btf) of $(wc -l <first) files have BTF"
[ -s with_btf ] || fail "no file has BTF"

# what was linked first still has the DWARF
objcopy --dump-section .BTF=vmlinux.btf "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
run_ok btfenc -F dwarf $features --btf_encode_detached=dwarf.btf "$out/build/.tmp_vmlinux1"
cmp vmlinux.btf dwarf.btf || fail "what the objects give is not what DWARF gives"
