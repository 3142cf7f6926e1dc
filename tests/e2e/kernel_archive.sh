#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel built with PAHOLE=btfenc, without patches or with those of contrib/linux, from the patches to
# programs that the booted kernel takes. Linux 7.2; without patches, 5.10 or later.
#
#	KERNEL_SERIES=none		no patches: btfenc at the places where kbuild calls pahole
#	KERNEL_SERIES=strip		vmlinux.o gets its BTF when it is linked, and loses its DWARF
#	KERNEL_SERIES=per-object	default: each object gets its BTF when it is compiled, and loses its DWARF
#	PEER=...			the encoder to compare with, default: pahole if that is 1.31 or 1.32
#	NO_MODULES=1			leave out the modules
#	KERNEL_BUILT=1			continue the build in KERNEL_OUT, of another series for example
#
# KERNEL_SRC, KERNEL_ARCH and the others are in ../lib/kernel.sh.
#
# Proves: the patches apply; no call of btfenc fails or prints something; nothing warns of BTF. Each object that is
# encoded before a link has BTF, if it had DWARF that BTF can describe, and no DWARF. vmlinux and modules have DWARF with
# "none" only. With the series, their BTF is byte for byte that of the DWARF of the same objects: each object is kept as it
# was before it was encoded, and all is linked from these once more. The kernel boots, shows that BTF, loads the modules,
# and takes programs that name a function, a per-CPU variable, and kfuncs by their ids.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

kernel_source
need patch
log=$out/calls
: >"$log"
series=${KERNEL_SERIES:-per-object}
case $series in
none) folders='' options='' ;;
strip) folders=strip options=STRIP_DWARF ;;
per-object) folders='strip per-object' options='PER_OBJECT STRIP_DWARF' ;;
*) fail "KERNEL_SERIES: '$series' is unknown" ;;
esac
[ -z "$folders" ] || [ -e "$out/source/scripts/gen-btf.sh" ] || skip "the patches are for Linux 7.2"
for folder in $folders; do
	cat "$SRCDIR/contrib/linux/v7.2/$folder"/000[1-9]-*.patch | patch -p1 -s -d "$out/source" ||
		fail "the patches in contrib/linux/v7.2/$folder do not apply"
done
if [ -n "$options" ]; then
	printf 'CONFIG_DEBUG_INFO_BTF_%s=y\n' $options |
		cat ${KERNEL_CONFIG_MORE:+"$KERNEL_CONFIG_MORE"} - >"$out/config.more" || exit 1
	KERNEL_CONFIG_MORE=$out/config.more
fi

phase()
{
	now=$(date +%s)
	echo "$1: $((now - ${began:-now})) s"
	began=$now
}
began=$(date +%s)

# --- the build ----------------------------------------------------------------------------

# Where kbuild expects pahole: keeps each object as it comes from the compiler, what btfenc says, and how it ends. The second
# time, the objects are to have their DWARF, and nothing else.
if [ -z "${KERNEL_BUILT:-}" ]; then
	rm -rf "$out/build"
else
	rm -f "$out/build/vmlinux" "$out/build/vmlinux.unstripped" "$out/build/vmlinux.o"
fi
rm -rf "$out/dwarf" "$out/again"
mkdir "$out/dwarf"
: >"$out/said"
cat >"$out/pahole" <<END
#!/bin/sh
for last; do :; done
case " \$* " in
*" --version "* | *" --supported_btf_features "*)
	exec '$BTFENC' "\$@"
	;;
*" --btf_for_link "* | *" --strip_dwarf "*)
	[ ! -e '$out/again' ] || exit 0
	mkdir -p "$out/dwarf/\$(dirname "\$last")"
	cp "\$last" "$out/dwarf/\$last" || exit 1
	;;
esac
[ ! -e '$out/again' ] || set -- -F dwarf "\$@"
'$BTFENC' "\$@" 2>>'$out/said'
status=\$?
printf '%s %s\n' \$status "\$*" >>'$log'
exit \$status
END
chmod +x "$out/pahole"

kernel_configure build
for each in $options; do
	grep -q "^CONFIG_DEBUG_INFO_BTF_$each=y" "$out/build/.config" || fail "the configuration lost CONFIG_DEBUG_INFO_BTF_$each"
done
kmake build -j"$jobs" "$target" >"$out/build.log" 2>&1 || {
	tail -n 20 "$out/build.log" "$out/said" >&2
	fail "the build failed: KERNEL_OUT=... keeps it"
}
phase "$arch, $series: $target, $(wc -l <"$log") calls"

# --- what it must have given ----------------------------------------------------------------

# quiet LOG...: no call failed, and neither btfenc nor a log has a message on BTF
quiet()
{
	! grep -v '^0 ' "$log" >&2 || fail "calls failed"
	! grep . "$out/said" >&2 || fail "btfenc said something"
	! grep -i 'warning.*btf' "$@" >&2 || fail "the build warns of BTF"
}

# dwarf_of FILE: the number of bytes in its .debug_ sections
dwarf_of()
{
	readelf -SW "$1" | awk '{ sub(/^ *\[ *[0-9]*\] /, "") } $1 ~ /^\.debug_/ { print "0x" $5 }' >sizes
	sum=0
	while read -r size; do
		sum=$((sum + size))
	done <sizes
	echo $sum
}

quiet "$out/build.log"
# All that the compiler gave DWARF, and all of vmlinux but what it is not asked for.
objects=0 carry=0
for object in $(cd "$out/dwarf" && find . -name '*.o' | sort); do
	objects=$((objects + 1))
	readelf -SW "$out/build/$object" >sections 2>&1 || fail "no object $object"
	if grep -q ' \(\.rela\?\)\?\.debug_' sections; then
		echo "$object keeps DWARF" >>wrong
	fi
	if grep -q ' \.BTF ' sections; then
		echo "$object has .BTF" >>wrong
	fi
	if grep -q ' \.debug\.btf ' sections; then
		carry=$((carry + 1))
	elif has_section "$out/dwarf/$object" .debug_info; then
		echo "$object" >>without
	fi
done
[ ! -e wrong ] || {
	head wrong >&2
	fail "$(wc -l <wrong) of $objects objects are wrong"
}
[ $objects -gt 0 ] || [ "$series" = none ] || fail "no object was encoded"
# Assembly that defines no function describes nothing, and the build excludes Rust.
touch without
while read -r object; do
	readelf --debug-dump=info "$out/dwarf/$object" 2>/dev/null | awk '
		/DW_AT_language/ { rust = /Rust/ }
		/DW_TAG_(subprogram|base_type)/ && !rust { found = 1 }
		END { exit !found }' && fail "$object carries no BTF"
done <without
if [ "$series" = per-object ]; then
	for object in $(kernel_objects build); do
		[ -e "$out/dwarf/${object#"$out/build/"}" ] || ! has_section "$object" .debug_info ||
			fail "$object was not encoded"
	done
fi
echo "objects: $objects encoded, $carry of them have BTF; $(kernel_objects build | wc -l) in vmlinux"

"$objcopy" --dump-section .BTF="$out/vmlinux.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
! has_section "$out/build/vmlinux" .debug.btf || fail "vmlinux has .debug.btf"
left=$(dwarf_of "$out/build/vmlinux")
case $series in
none)
	[ "$left" -gt 4096 ] || fail "vmlinux has no DWARF"
	;;
*)
	[ "$left" = 0 ] || fail "vmlinux has $left bytes of DWARF"
	;;
esac
echo "vmlinux: $(wc -c <"$out/build/vmlinux") bytes, of these BTF $(wc -c <"$out/vmlinux.btf"), DWARF $left"
phase checks

# --- modules -------------------------------------------------------------------------------

# $modules are those with BTF; Linux before 5.11 loads modules without.
modules='' to_load=''
if [ -z "${NO_MODULES:-}" ]; then
	kmake build -j"$jobs" modules >"$out/modules.log" 2>&1 || {
		tail -n 20 "$out/modules.log" "$out/said" >&2
		fail "make modules failed"
	}
	quiet "$out/modules.log"
	to_load=$(kernel_modules_to_load build)
	! kernel_has_btf_of_modules build || modules=$(kernel_modules build)
	for module in $modules; do
		! has_section "$module" .debug.btf || fail "$module has .debug.btf"
		case $series in
		none) has_section "$module" .debug_info || fail "$module has no DWARF" ;;
		*) ! has_section "$module" .debug_info || fail "$module has DWARF" ;;
		esac
		"$objcopy" --dump-section .BTF="$module.btf" "$module" junk || fail "$module has no .BTF"
		"${BPFTOOL:-bpftool}" btf -B "$out/vmlinux.btf" dump file "$module" >/dev/null ||
			fail "bpftool does not read $module"
	done
	phase "$(kernel_modules build | wc -l) modules, $(echo "$modules" | grep -c .) with BTF"
fi

kernel_check build $modules

# --- does it boot, and believe its BTF? ------------------------------------------------------

if kernel_can_boot build; then
	kernel_boot build "$out/vmlinux.btf" $to_load
	phase boot
else
	echo "not booted: needs ${emulator%% *} and cpio"
fi

# --- is it what DWARF gives? -----------------------------------------------------------------

# link_again: link vmlinux and modules from the objects as the compiler wrote them, and compare
link_again()
{
	touch "$out/again"
	cp -R "$out/dwarf/." "$out/build/" || fail "cannot put the objects back"
	# objtool changes it after it is encoded
	rm -f "$out/build/vmlinux.o" $modules
	kmake build -j"$jobs" vmlinux ${modules:+modules} >"$out/again.log" 2>&1 || {
		tail -n 20 "$out/again.log" >&2
		fail "the link with DWARF failed"
	}
	# Rust objects are made of each other, so putting them back makes most of them anew.
	! grep '^ *\(CC\|AS\) ' "$out/again.log" |
		grep -v -e ' \.vmlinux\.export\.o' -e ' init/version' -e '\.kallsyms\.o' -e ' rust/' >&2 ||
		fail "the link with DWARF compiled anew"
	"$objcopy" --dump-section .BTF="$out/dwarf.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
	cmp "$out/vmlinux.btf" "$out/dwarf.btf" || fail "vmlinux's .BTF is not that of its DWARF"
	for module in $modules; do
		"$objcopy" --dump-section .BTF=module.btf "$module" junk || fail "$module has no .BTF"
		cmp "$module.btf" module.btf || fail "$module: .BTF is not that of its DWARF"
	done
}

if [ "$series" != none ]; then
	link_again
	echo "vmlinux${modules:+ and $(echo "$modules" | wc -l) modules}: BTF is that of their DWARF"
fi

kernel_compare_with_peer same_types_and_strings
if [ "$series" = none ] && [ -e peer.btf ] && [ -n "$modules" ]; then
	if [ "$arch" = s390 ] && [ "$(uname -m)" != s390x ]; then
		echo "modules: not compared, because libbpf in pahole does not read a base with a layout in the other byte order"
	else
		for module in $modules; do
			kernel_compare_module_with_peer "$module"
		done
		echo "$(echo "$modules" | wc -l) modules: with --compat=$level, .BTF is that of $peer"
	fi
fi
phase "link with DWARF, comparison"
