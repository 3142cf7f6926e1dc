#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel whose objects get their BTF right after their compilation and lose their DWARF:
# contrib/linux, from the patches to programs that the booted kernel takes. Linux 6.12, or 7.2
# with scripts/gen-btf.sh.
#
#	PEER=...	the encoder to compare with, default: pahole if that is 1.32
#	NO_MODULES=1	leave out the modules
#
# KERNEL_SRC and the others are in ../lib/kernel.sh.
#
# Proves: the patch applies; nothing warns of .BTF; after its compilation no object of
# vmlinux has DWARF and each has BTF that had DWARF; vmlinux has no DWARF from them, and
# its BTF, made of that of the objects, is byte for byte what the DWARF of the same objects
# gives: for that, each object is put aside just before, and vmlinux linked from these once
# more. The kernel boots, shows that BTF, and takes programs that name a function, a per-CPU
# variable, and kfuncs by their ids. All the same holds for modules, which it loads.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

kernel_source
need patch
log=$out/calls
: >"$log"
option=
if [ -e "$out/source/scripts/gen-btf.sh" ]; then
	patches=$SRCDIR/contrib/linux/v7.2
	more=$out/config.more
	printf 'CONFIG_DEBUG_INFO_BTF_PER_OBJECT=y\nCONFIG_DEBUG_INFO_BTF_STRIP_DWARF=y\n' |
		cat ${KERNEL_CONFIG_MORE:+"$KERNEL_CONFIG_MORE"} - >"$more" || exit 1
	KERNEL_CONFIG_MORE=$more
else
	patches=$SRCDIR/contrib/linux
	option=BTF_PER_OBJECT=1
fi
cat "$patches"/000[1-9]-*.patch | patch -p1 -s -d "$out/source" || fail "the patches do not apply"

phase()
{
	now=$(date +%s)
	echo "$1: $((now - ${began:-now})) s"
	began=$now
}
began=$(date +%s)

# --- the build ----------------------------------------------------------------------------

# Where kbuild expects pahole: keeps the object as it comes from the compiler, what btfenc
# says, and how it ends. The second time vmlinux is to have the DWARF.
rm -rf "$out/build" "$out/dwarf" "$out/again"
cat >"$out/pahole" <<END
#!/bin/sh
for last; do
	case \$last in --btf_encode_detached=*) detached=\${last#*=} ;; esac
done
case " \$* " in
*" --version "* | *" --supported_btf_features "*)
	exec '$BTFENC' "\$@"
	;;
*" --strip_dwarf "*)
	[ ! -e '$out/again' ] || exit 0
	case \$last in */*) mkdir -p "$out/dwarf/\${last%/*}" ;; *) mkdir -p '$out/dwarf' ;; esac
	cp "\$last" "$out/dwarf/\$last" || exit 1
	;;
esac
'$BTFENC' "\$@" 2>>'$out/said'
status=\$?
printf '%s %s\n' \$status "\$*" >>'$log'
# gen-btf.sh removes it
[ -z "\$detached" ] || cp "\$detached" "$out/detached/\${detached##*/}"
exit \$status
END
chmod +x "$out/pahole"
: >"$out/said"
rm -rf "$out/detached"
mkdir "$out/detached"

kernel_configure build
if [ -z "$option" ]; then
	grep -q '^CONFIG_DEBUG_INFO_BTF_STRIP_DWARF=y' "$out/build/.config" ||
		fail "the configuration lost CONFIG_DEBUG_INFO_BTF_STRIP_DWARF"
fi
kmake build $option -j"$jobs" bzImage >"$out/build.log" 2>&1 || {
	tail -n 20 "$out/build.log" "$out/said" >&2
	fail "the build failed: KERNEL_OUT=... keeps it"
}
phase "bzImage with BTF of each object, $(wc -l <"$log") calls"

# --- what it must have given ----------------------------------------------------------------

! grep -v '^0 ' "$log" >&2 || fail "calls failed"
! grep . "$out/said" >&2 || fail "btfenc said something"
! grep -i 'warning.*btf' "$out/build.log" >&2 || fail "the build warns of BTF"

# All that the compiler gave DWARF, and all of vmlinux but what it is not asked for.
objects=0 carry=0
for object in $(cd "$out/dwarf" && find . -name '*.o' | sort); do
	objects=$((objects + 1))
	readelf -SW "$out/build/$object" >sections 2>&1 || fail "no object $object"
	if grep -q ' \(\.rela\?\)\?\.debug_' sections; then
		echo "$object keeps DWARF" >>wrong
	fi
	if grep -q ' \.BTF ' sections; then
		carry=$((carry + 1))
	elif has_section "$out/dwarf/$object" .debug_info; then
		echo "$object" >>without
	fi
done
[ ! -e wrong ] || {
	head wrong >&2
	fail "$(wc -l <wrong) of $objects objects keep DWARF"
}
# Assembly that defines no function describes nothing, and the build excludes Rust.
touch without
while read -r object; do
	readelf --debug-dump=info "$out/dwarf/$object" 2>/dev/null | awk '
		/DW_AT_language/ { rust = /Rust/ }
		/DW_TAG_(subprogram|base_type)/ && !rust { found = 1 }
		END { exit !found }' && fail "$object carries no BTF"
done <without
# With LTO, vmlinux.o has the BTF of all of them.
lto=
! grep -q '^CONFIG_LTO_CLANG=y' "$out/build/.config" || lto=1
for object in $(kernel_objects build); do
	[ -n "$lto" ] || [ -e "$out/dwarf/${object#"$out/build/"}" ] || ! has_section "$object" .debug_info ||
		fail "$object was not encoded"
done
echo "objects: $objects without DWARF, $carry of them with BTF"

objcopy --dump-section .BTF="$out/vmlinux.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
# What is left is from the table of symbols, assembled in the last step.
left=$(size -A -d "$out/build/vmlinux" | awk '/^\.debug_/ { n += $2 } END { print n + 0 }')
[ "$left" -lt 4096 ] || fail "vmlinux has $left bytes of DWARF"
echo "vmlinux: $(wc -c <"$out/build/vmlinux") bytes, of these BTF $(wc -c <"$out/vmlinux.btf"), DWARF $left"
phase checks

# --- modules -------------------------------------------------------------------------------

# Their objects lost their DWARF, too.
modules=
if [ -z "${NO_MODULES:-}" ] && grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$out/build/.config"; then
	kmake build $option -j"$jobs" modules >"$out/modules.log" 2>&1 || {
		tail -n 20 "$out/modules.log" "$out/said" >&2
		fail "make modules failed"
	}
	! grep -v '^0 ' "$log" >&2 || fail "calls failed"
	! grep . "$out/said" >&2 || fail "btfenc said something"
	modules=$(kernel_modules build)
	for module in $modules; do
		! has_section "$module" .debug_info || fail "$module has DWARF"
		objcopy --dump-section .BTF="$module.btf" "$module" junk || fail "$module has no .BTF"
		"${BPFTOOL:-bpftool}" btf -B "$out/vmlinux.btf" dump file "$module" >/dev/null ||
			fail "bpftool does not read $module"
	done
	phase "$(echo "$modules" | wc -l) modules"
fi

kernel_check build $modules

# --- does it boot, and believe its BTF? ------------------------------------------------------

if kernel_can_boot build; then
	kernel_boot build "$out/vmlinux.btf" ${modules:+$(kernel_modules_to_load build)}
	phase boot
else
	echo "not booted: needs qemu-system-x86_64 and cpio"
fi

# --- is it what DWARF gives? -----------------------------------------------------------------

touch "$out/again"
cp -R "$out/dwarf/." "$out/build/" || fail "cannot put the objects back"
kmake build $option -j"$jobs" vmlinux ${modules:+modules} >"$out/again.log" 2>&1 || {
	tail -n 20 "$out/again.log" >&2
	fail "the link with DWARF failed"
}
# Rust objects are made of each other, so putting them back makes most of them anew.
! grep '^ *\(CC\|AS\) ' "$out/again.log" |
	grep -v -e ' \.vmlinux\.export\.o' -e ' init/version' -e '\.kallsyms\.o' -e ' rust/' >&2 ||
	fail "the link with DWARF compiled anew"
objcopy --dump-section .BTF="$out/dwarf.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
cmp "$out/vmlinux.btf" "$out/dwarf.btf" || fail "vmlinux's .BTF is not that of its DWARF"
echo "vmlinux: .BTF is that of its DWARF"
for module in $modules; do
	has_section "$module" .debug_info || fail "$module was not linked with DWARF"
	objcopy --dump-section .BTF=module.btf "$module" junk || fail "$module has no .BTF"
	cmp "$module.btf" module.btf || fail "$module: .BTF is not that of its DWARF"
done
[ -z "$modules" ] || echo "$(echo "$modules" | wc -l) modules: .BTF is that of their DWARF"

kernel_compare_with_peer same_types_and_strings
phase "link with DWARF, comparison"
