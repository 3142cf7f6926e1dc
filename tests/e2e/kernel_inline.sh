#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Are the parameters of inlined functions where the BTF says, in a booted kernel whose address is random?
#
#	KERNEL_BUILT=DIR	a folder with vmlinux, arch/x86/boot/bzImage and fs/inline_module.ko that this test has
#				built before (KERNEL_OUT), instead of a build
#	BPFTRACE=...		the program; default: that of this machine, if there is one; empty: none
#	BPFTRACE_ROOT=DIR	take it and its libraries from a chroot
#
# KERNEL_SRC and the others are in ../lib/kernel.sh.
#
# Builds a small kernel and a module, encodes both with the feature "inline", and puts a kprobe at each site of functions
# whose arguments are known: the guest makes system calls with known arguments, and the module calls its own functions
# (tools/inline_probes.py, inline_guest.c, inline_module.c). Each argument that a probe reads must be right, at 20 sites of
# vmlinux at least. Each address constant must be the address that the kernel's own table of symbols has. If there is a bpftrace, it
# runs the program that --inline_sites=class_fd_raw_constructor --bpftrace prints, which must print the file descriptor of the calls.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

need gcc python3 readelf nm cpio qemu-system-x86_64

if [ -z "${KERNEL_BUILT:-}" ]; then
	kernel_source
	# no probe may be in most other folders of common code
	cp "$SRCDIR/tests/e2e/inline_module.c" "$out/source/fs/" || exit 1
	kernel_edit fs/Makefile '$a obj-m += inline_module.o'
	more=$out/config.more
	cat ${KERNEL_CONFIG_MORE:+"$KERNEL_CONFIG_MORE"} - >"$more" <<END || exit 1
CONFIG_RELOCATABLE=y
CONFIG_RANDOMIZE_BASE=y
CONFIG_KPROBE_EVENTS=y
CONFIG_DEBUG_FS=y
# CONFIG_PCI is not set
# CONFIG_ACPI is not set
# CONFIG_INET is not set
# CONFIG_BLOCK is not set
END
	KERNEL_CONFIG_MORE=$more
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$BTFENC" >"$out/pahole"
	chmod +x "$out/pahole"
	kernel_configure build
	grep -q '^CONFIG_KPROBE_EVENTS=y' "$out/build/.config" || fail "the configuration lost CONFIG_KPROBE_EVENTS"
	kmake build -j"$jobs" bzImage modules >"$out/build.log" 2>&1 || {
		tail -n 20 "$out/build.log" >&2
		fail "the build failed: KERNEL_OUT=... keeps it"
	}
	KERNEL_BUILT=$out/build
fi
vmlinux=$KERNEL_BUILT/vmlinux
[ -e "$vmlinux" ] && [ -e "$KERNEL_BUILT/fs/inline_module.ko" ] || fail "KERNEL_BUILT: '$KERNEL_BUILT' lacks files"

# --- sites -----------------------------------------------------------------------------------

run_ok btfenc --btf_features=default,inline --btf_encode_detached=vmlinux.btf "$vmlinux"
cp "$KERNEL_BUILT/fs/inline_module.ko" inline_module.ko
run_ok btfenc -J --btf_features=default,inline --btf_base="$vmlinux" inline_module.ko
btfenc --inline_sites --json "$vmlinux,vmlinux.btf" >sites || fail "--inline_sites failed"
btfenc --inline_sites --json --btf_base="$vmlinux" inline_module.ko >>sites || fail "--inline_sites failed"
python3 "$SRCDIR/tests/tools/inline_probes.py" make . "$vmlinux" inline_module.ko || fail "no probes"

# --- boot ------------------------------------------------------------------------------------

mkdir root
gcc -O2 -static -w -o root/init "$SRCDIR/tests/e2e/inline_guest.c" || fail "gcc makes no init"
cp "$KERNEL_BUILT/fs/inline_module.ko" probes places root/

memory=512
bpftrace=${BPFTRACE-$(command -v "${BPFTRACE_ROOT:-}/usr/bin/bpftrace" || :)}
if [ -n "$bpftrace" ]; then
	btfenc --inline_sites=class_fd_raw_constructor --bpftrace "$vmlinux,vmlinux.btf" >root/program.bt || fail "--bpftrace failed"
	memory=2048
	if [ -n "${BPFTRACE_ROOT:-}" ]; then
		chroot "$BPFTRACE_ROOT" ldd "${bpftrace#"$BPFTRACE_ROOT"}"
	else
		ldd "$bpftrace"
	fi | sed -n 's|^[^/]*\(/[^ ]*\).*|\1|p' | while read -r library; do
		mkdir -p "root${library%/*}" && cp -L "${BPFTRACE_ROOT:-}$library" "root$library" || exit 1
	done || fail "the libraries of $bpftrace cannot be copied"
	cp -L "$bpftrace" root/bpftrace
fi
(cd root && find . -print | cpio -o -H newc --quiet) >initrd || fail "cpio failed"

# "-cpu max" has the instruction from which the kernel takes its random address.
timeout "${KERNEL_SECONDS:-400}" qemu-system-x86_64 -accel tcg -cpu max -smp 2,sockets=2 -m $memory -nographic \
	-no-reboot -kernel "$KERNEL_BUILT/arch/x86/boot/bzImage" -initrd initrd \
	-append 'console=ttyS0 panic=-1 quiet' </dev/null >boot.log 2>&1
tr -d '\r' <boot.log >booted
[ -z "${KERNEL_OUT:-}" ] || cp boot.log plan sites "$KERNEL_OUT"
grep -q '^guest: trace: end' booted || {
	tail -n 40 booted >&2
	fail "the guest did not finish"
}
python3 "$SRCDIR/tests/tools/inline_probes.py" check . || {
	grep '^guest: refused' booted | head -n 5 >&2
	fail "arguments are wrong or missing"
}

if [ -n "$bpftrace" ]; then
	# 0x7f010203
	grep 'guest: bpftrace: probed(.*class_fd_raw_constructor(.*fd=2130772483' booted | head -n 3
	grep -q 'guest: bpftrace: probed(.*class_fd_raw_constructor(.*fd=2130772483' booted || {
		grep 'guest: bpftrace' booted | head -n 20 >&2
		fail "bpftrace did not print the file descriptor"
	}
else
	echo "no bpftrace to run (BPFTRACE=...)"
fi
