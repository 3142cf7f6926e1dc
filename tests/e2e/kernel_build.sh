#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel is built with PAHOLE=btfenc, at every place where kbuild calls it, and each
# object of vmlinux is encoded right after its compilation as well.
#
#	PEER=...	the encoder to compare with, default: pahole if that is 1.31 or 1.32
#
# KERNEL_SRC and the others are in ../lib/kernel.sh.
#
# Proves: the version and the flags suit kbuild; no call fails; every object with debug
# information carries BTF after its compilation and links; the .BTF that the linker piles
# up from the objects is replaced by the program's; resolve_btfids takes it; with --compat=1.32
# the .BTF of the kernel and of its modules is the peer's, byte for byte. With qemu-system-x86 and cpio
# it is booted, and loads them, too.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

kernel_source
log=$out/calls
: >"$log"

# --- the source, with two lines more -----------------------------------------------------

# shellcheck disable=SC2016
kernel_edit scripts/Makefile.build '/^ *cmd_cc_o_c = \$(CC) /s/-o \$@ \$</& $(if $(part-of-builtin), ; $(PAHOLE) -J $(PAHOLE_FLAGS) $@)/'
kernel_drop_piled_btf

# --- the build ----------------------------------------------------------------------------

# Where kbuild expects pahole: keeps what it says, how it ends, and the linker's .BTF. That has
# only what the rule changed above compiles, so the program is encoded from DWARF: kernel_archive.sh
# has all of them.
cat >"$out/pahole" <<END
#!/bin/sh
for last; do :; done
from=
case \$last in
.tmp_vmlinux*)
	from='-F dwarf'
	${OBJCOPY:-objcopy} --dump-section .BTF=$out/piled.btf "\$last" $out/junk 2>>$out/junk.log; rm -f $out/junk ;;
esac
'$BTFENC' \$from "\$@"
status=\$?
printf '%s %s\n' \$status "\$*" >>'$log'
exit \$status
END
chmod +x "$out/pahole"

began=$(date +%s)
kernel_configure build

kmake build -j"$jobs" bzImage >"$out/build.log" 2>&1 || {
	tail -n 20 "$out/build.log" >&2
	fail "the build failed: KERNEL_OUT=... keeps it"
}
echo "bzImage: $(($(date +%s) - began)) s, $(wc -l <"$log") calls"

# --- what it must have given ----------------------------------------------------------------

grep -v '^0 ' "$log" >failed && {
	cat failed >&2
	fail "calls failed"
}

# Everything but assembly, which has no types; and what kbuild copies from elsewhere.
objects=0 carry=0
for object in $(kernel_objects build); do
	objects=$((objects + 1))
	grep -q "DW_AT_language.*\(C11\|C99\|ANSI C\)" <<-END || continue
		$(readelf --debug-dump=info --dwarf-depth=1 "$object" 2>/dev/null | head -n 40)
	END
	if has_section "$object" .BTF; then
		carry=$((carry + 1))
	else
		echo "$object" >>without
	fi
done
[ ! -e without ] || {
	head without >&2
	fail "$(wc -l <without) of $objects objects carry no BTF"
}
[ $carry -gt 0 ] || fail "no object of $objects is from C"
echo "objects: $objects, $carry of them from C, each with BTF"

# Each member begins with the magic number, which may well stand elsewhere, too.
objcopy --dump-section .BTF="$out/vmlinux.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
[ -s "$out/piled.btf" ] || fail "the linker did not pile up the objects' BTF"
members=$(grep -o -a -P '\x9f\xeb\x01\x00' "$out/piled.btf" | wc -l)
[ "$members" -ge $carry ] || fail "the linker's pile has $members members, not $carry"
echo "the linker's pile: $(wc -c <"$out/piled.btf") bytes; vmlinux: $(wc -c <"$out/vmlinux.btf") bytes"

if command -v bpftool >/dev/null; then
	bpftool btf dump file "$out/build/vmlinux" >dump 2>err || {
		cat err >&2
		fail "bpftool does not read vmlinux"
	}
	# resolve_btfids has put the ids of functions and structs there
	grep -q "^\[[0-9]*\] STRUCT 'task_struct'" dump || fail "no task_struct in vmlinux"
fi

kernel_compare_with_peer same_behind_header

# --- modules -------------------------------------------------------------------------------

kmake build -j"$jobs" modules >"$out/modules.log" 2>&1 || {
	tail -n 20 "$out/modules.log" >&2
	fail "make modules failed"
}
for module in $(kernel_modules build); do
	has_section "$module" .BTF || fail "$module has no .BTF"
	"${BPFTOOL:-bpftool}" btf -B "$out/build/vmlinux" dump file "$module" >/dev/null ||
		fail "bpftool does not read $module"
	[ ! -e peer.btf ] || kernel_compare_module_with_peer "$module"
	modules=$((${modules:-0} + 1))
done
echo "modules: ${modules:-0}, each carries BTF$([ ! -e peer.btf ] || echo ", that of $peer")"

kernel_check build $(kernel_modules build)

# --- does it boot, and believe its BTF? ------------------------------------------------------

if kernel_can_boot build; then
	kernel_boot build "$out/vmlinux.btf" $(kernel_modules_to_load build)
else
	echo "not booted: needs qemu-system-x86_64 and cpio"
fi
