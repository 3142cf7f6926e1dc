#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Does --btf_check=VERSION give the verdict of Linux VERSION? Boots kernels.
#
#	KERNEL_IMAGES='FILE...' BUILDDIR=build sh tests/e2e/kernel_images.sh
#
#	KERNEL_IMAGES	bootable images for x86-64, such as boot/vmlinuz-* of Debian's linux-image-*-cloud-amd64, or
#			User Mode Linux: the program that "make ARCH=um linux" builds. It judges a million damaged
#			pieces in minutes; qemu without KVM takes hours. Its configuration is made by
#			"make ARCH=um tinyconfig", tests/e2e/um.config appended to .config, and
#			"make ARCH=um olddefconfig".
#	BTF_MUTANTS	damaged pieces of BTF that each kernel has to judge; default 2000
#	BTF_SEED	a number, for other ones
#
# In each, the tests the_kernel_agrees and the_kernel_agrees_about_damaged_cases of unit/t_btf_check.c run.

. "${0%/*}/../lib/testlib.sh"
. "$TESTDIR/../lib/kernel.sh"

[ -n "${KERNEL_IMAGES:-}" ] || skip "KERNEL_IMAGES names no kernels"
need gcc cpio
[ -x "${BUILDDIR:-.}/tests/unit_tests" ] || skip "no unit_tests in '${BUILDDIR:-.}'"

mkdir root root/modules
gcc -O2 -static -w -o root/init "$SRCDIR/tests/e2e/guest.c" || fail "gcc makes no init"
kernel_take "$BUILDDIR/tests/unit_tests" unit_tests
: >root/vmlinux.btf
(cd root && find . -print | cpio -o -H newc --quiet) >initrd || fail "cpio failed"

# Boots FILE; its console goes to stdout.
boot()
{
	if is_program "$1"; then
		timeout "${KERNEL_SECONDS:-600}" "$1" mem=1024M initrd=initrd quiet POWER_OFF=1 $settings
	else
		timeout "${KERNEL_SECONDS:-600}" qemu-system-x86_64 -accel tcg -cpu max -m 1024 -nographic -no-reboot \
			-kernel "$1" -initrd initrd -append "console=ttyS0 panic=-1 quiet $settings"
	fi
}

# Is FILE an ELF file? Then it is User Mode Linux.
is_program()
{
	[ "$(head -c 4 "$1" | od -An -tx1)" = " 7f 45 4c 46" ]
}

settings=${BTF_MUTANTS:+BTF_MUTANTS=$BTF_MUTANTS}${BTF_SEED:+ BTF_SEED=$BTF_SEED}
status=0
for image in $KERNEL_IMAGES; do
	is_program "$image" || need qemu-system-x86_64
	boot "$image" </dev/null >log 2>&1
	tr -d '\r' <log >booted
	if grep -q '^guest: btf_check: accepted$' booted; then
		echo "$image: the same verdicts"
	else
		echo "$image: $(sed -n 's/^guest: btf_check: //p' booted | tail -n 1)" >&2
		status=1
	fi
done
exit $status
