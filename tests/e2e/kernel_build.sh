#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel is built with PAHOLE=btfenc, at every place where kbuild calls it, and each
# object of vmlinux is encoded right after its compilation as well.
#
#	KERNEL_SRC=...    a clean source tree, 6.12 or near; nothing is written there
#	KERNEL_CONFIG=... instead of kernel.config beside this script
#	KERNEL_OUT=...    where to build and what to keep; default: the scratch folder
#	PEER=...          the encoder to compare with, default: pahole if that is 1.31
#
# Proves: the version and the flags suit kbuild; no call fails; every object with debug
# information carries BTF after its compilation and links; the .BTF that the linker piles
# up from the objects is replaced by the program's; resolve_btfids takes it; the kernel's
# .BTF is the peer's, byte for byte. With qemu-system-x86 and cpio it is booted, too.

. "${0%/*}/../lib/testlib.sh"

[ -n "${KERNEL_SRC:-}" ] || skip "KERNEL_SRC names no kernel source"
[ -f "$KERNEL_SRC/Kbuild" ] || fail "KERNEL_SRC: '$KERNEL_SRC' is no kernel source"
need make gcc flex bison bc perl objcopy readelf
[ ! -e "$KERNEL_SRC/.config" ] || fail "'$KERNEL_SRC' is not clean: make mrproper"

out=${KERNEL_OUT:-$SCRATCH/kernel}
config=${KERNEL_CONFIG:-$TESTDIR/kernel.config}
jobs=${JOBS:-$(nproc)}
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)
log=$out/calls
: >"$log"

# --- the source, with two lines more -----------------------------------------------------

# A change writes a new file, so links do not reach back into the original.
rm -rf "$out/source"
cp -al "$KERNEL_SRC" "$out/source" 2>/dev/null || {
	rm -rf "$out/source"
	cp -a "$KERNEL_SRC" "$out/source" || fail "cannot copy the source"
}

# edit FILE SED-SCRIPT: it must change something
edit()
{
	sed "$2" "$out/source/$1" >edited || exit 1
	! cmp -s edited "$out/source/$1" || fail "$1: the place to change is not there"
	chmod --reference="$out/source/$1" edited
	mv -f edited "$out/source/$1"
}

# shellcheck disable=SC2016
edit scripts/Makefile.build '/^ *cmd_cc_o_c = \$(CC) /s/-o \$@ \$</& $(if $(part-of-builtin), ; $(PAHOLE) -J $(PAHOLE_FLAGS) $@)/'
# Those of the objects have done their duty once the program's is made, and may not
# stand before it in the image.
# shellcheck disable=SC2016
edit scripts/link-vmlinux.sh '/^if is_enabled CONFIG_KALLSYMS; then$/{
x
s/^/x/
/^xx$/{
i ${OBJCOPY} --remove-section=.BTF vmlinux.o
}
x
}'

# --- the build ----------------------------------------------------------------------------

# Where kbuild expects pahole: keeps what it says, how it ends, and the linker's .BTF.
cat >"$out/pahole" <<END
#!/bin/sh
for last; do :; done
case \$last in
.tmp_vmlinux*) ${OBJCOPY:-objcopy} --dump-section .BTF=$out/piled.btf "\$last" $out/junk 2>>$out/junk.log; rm -f $out/junk ;;
esac
'$BTFENC' "\$@"
status=\$?
printf '%s %s\n' \$status "\$*" >>'$log'
exit \$status
END
chmod +x "$out/pahole"

kmake()
{
	make -C "$out/source" O="$out/build" PAHOLE="$out/pahole" "$@"
}

began=$(date +%s)
{
	kmake -s tinyconfig && cat "$config" >>"$out/build/.config" && kmake -s olddefconfig
} >"$out/config.log" 2>&1 || fail "configuring failed: see $out/config.log ($(tail -n 1 "$out/config.log"))"
grep -q '^CONFIG_DEBUG_INFO_BTF=y' "$out/build/.config" || fail "the configuration lost CONFIG_DEBUG_INFO_BTF"
grep -q '^CONFIG_PAHOLE_VERSION=131$' "$out/build/.config" || fail "kbuild reads another version than 131"

kmake -j"$jobs" bzImage >"$out/build.log" 2>&1 || {
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
for object in $(cd "$out/build" && ar t vmlinux.a); do
	case $object in /*) ;; *) object=$out/build/$object ;; esac
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
if [ -n "${BTFCHECK:-}" ]; then
	"$BTFCHECK" "$out/vmlinux.btf" || fail "vmlinux's .BTF is not accepted"
fi

if command -v bpftool >/dev/null; then
	bpftool btf dump file "$out/build/vmlinux" >dump 2>err || {
		cat err >&2
		fail "bpftool does not read vmlinux"
	}
	# resolve_btfids has put the ids of functions and structs there
	grep -q "^\[[0-9]*\] STRUCT 'task_struct'" dump || fail "no task_struct in vmlinux"
fi

peer=${PEER:-$(command -v pahole || :)}
if [ -n "$peer" ] && [ "$("$peer" --version)" = v1.31 ]; then
	flags=$(sed -n 's/^0 -J \(.*\) \.tmp_vmlinux1$/\1/p' "$log" | tail -n 1)
	[ -n "$flags" ] || fail "no call for vmlinux"
	# pahole takes per-CPU variables for part of a .BTF that is not loaded
	objcopy --remove-section=.BTF "$out/build/.tmp_vmlinux1" linked || fail "objcopy failed"
	# shellcheck disable=SC2086
	"$peer" $flags --btf_encode_detached=peer.btf linked || fail "$peer failed"
	cmp "$out/vmlinux.btf" peer.btf || fail "vmlinux's .BTF is not that of $peer"
	echo "vmlinux: .BTF is that of $peer"
else
	echo "no pahole 1.31 to compare with (PEER=...)"
fi

# --- does it boot, and believe its BTF? ------------------------------------------------------

# The first process asks the kernel for its BTF, then for a program at the entry of a
# function, which it gives only if it has read all of the BTF and found the function there.
boot()
{
	cat >init.c <<'END'
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	const struct bpf_insn insns[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K },
					  { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr;
	struct stat st;
	int fd;

	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	fd = open("/dev/console", O_RDWR);
	dup2(fd, 1);
	memset(&st, 0, sizeof(st));
	stat("/sys/kernel/btf/vmlinux", &st);
	printf("BTF: %ld bytes\n", (long)st.st_size);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FENTRY;
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = 2;
	attr.license = (unsigned long)"GPL";
	attr.attach_btf_id = atoi(getenv("attach_id") ?: "0");
	fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	printf("fentry: %s\n", fd >= 0 ? "accepted" : strerror(-fd));
	fflush(stdout);
	reboot(RB_AUTOBOOT);
	return 0;
}
END
	gcc -O2 -static -w -o init init.c || fail "gcc makes no init"
	echo init | cpio -o -H newc --quiet >initrd || fail "cpio failed"
	id=$(bpftool btf dump file "$out/vmlinux.btf" | sed -n "s/^\[\([0-9]*\)\] FUNC 'vfs_read' .*/\1/p")
	[ -n "$id" ] || fail "no vfs_read in vmlinux"
	# no KVM: it is not to be relied on inside another virtual machine, and this takes seconds
	timeout 180 qemu-system-x86_64 -accel tcg -cpu max -m 256 -nographic -no-reboot -kernel "$out/build/arch/x86/boot/bzImage" \
		-initrd initrd -append "console=ttyS0 panic=-1 attach_id=$id" </dev/null >"$out/boot.log" 2>&1
	tr -d '\r' <"$out/boot.log" >booted
	grep -q "BTF: $(wc -c <"$out/vmlinux.btf") bytes" booted || fail "the kernel does not boot, or shows another BTF: $(tail -n 1 booted)"
	grep -q 'fentry: accepted' booted || fail "the kernel refuses a program at vfs_read: $(grep fentry: booted)"
	! grep -i 'btf.*\(invalid\|malformed\|missing\)' booted || fail "the kernel complains of its BTF"
	echo "booted: shows its BTF and takes a program at the entry of vfs_read"
}

if command -v qemu-system-x86_64 >/dev/null && command -v cpio >/dev/null && command -v bpftool >/dev/null &&
	[ -e "$out/build/arch/x86/boot/bzImage" ]; then
	boot
else
	echo "not booted: needs qemu-system-x86_64, cpio and bpftool"
fi

# --- modules -------------------------------------------------------------------------------

grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$out/build/.config" || exit 0
status=0
kmake -j"$jobs" modules >"$out/modules.log" 2>&1 || status=$?
if grep -q -- '^btfenc: error: --btf_base: .*split BTF' "$out/modules.log"; then
	echo "modules: no --btf_base yet; make modules ended with $status"
	exit 0
fi
[ $status = 0 ] || {
	tail -n 20 "$out/modules.log" >&2
	fail "make modules failed"
}
for module in $(sed 's/\.o$/.ko/' "$out/build/modules.order"); do
	has_section "$out/build/$module" .BTF || fail "$module has no .BTF"
	"${BPFTOOL:-bpftool}" btf -B "$out/build/vmlinux" dump file "$out/build/$module" >/dev/null ||
		fail "bpftool does not read $module"
	if [ -e peer.btf ]; then
		objcopy --dump-section .BTF=ours.btf --remove-section=.BTF "$out/build/$module" bare.ko ||
			fail "objcopy failed"
		# shellcheck disable=SC2086
		"$peer" $flags --btf_base "$out/build/vmlinux" --btf_encode_detached=theirs.btf bare.ko ||
			fail "$peer failed"
		cmp ours.btf theirs.btf || fail "$module: .BTF is not that of $peer"
	fi
	modules=$((${modules:-0} + 1))
done
echo "modules: ${modules:-0}, each carries BTF$([ ! -e peer.btf ] || echo ", that of $peer")"
