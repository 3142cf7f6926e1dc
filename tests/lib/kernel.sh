# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh - what the tests that build a kernel have in common. After testlib.sh:
#
#	kernel_source				a copy of $KERNEL_SRC in $out/source
#	kernel_edit FILE SED-SCRIPT		change a file of the copy
#	kernel_drop_piled_btf			let the link drop the .BTF of objects when vmlinux's is made
#	kmake FOLDER ARGUMENT...		make, with that build folder under $out
#	kernel_config				prints the small configuration
#	kernel_configure FOLDER [ARGUMENT...]	tinyconfig with the small configuration
#	kernel_objects FOLDER			the objects of vmlinux, one path a line
#	kernel_modules FOLDER			the modules, one path a line
#	kernel_modules_to_load FOLDER		those of them that a machine without devices takes
#	kernel_check FOLDER [MODULE...]		--btf_check must pass vmlinux and these
#	kernel_compare_with_peer SAME		the .BTF of vmlinux is that of pahole by the function SAME A B
#	kernel_compare_module_with_peer MODULE	that of the module, too
#	kernel_can_boot FOLDER, kernel_boot FOLDER BTF [MODULE...]
#
# From the environment:
#
#	KERNEL_SRC=...		a clean source tree, 5.10 or later; nothing is written there
#	KERNEL_ARCH=...		ARCH of the kernel: x86 (default), arm64, riscv, s390, loongarch
#	KERNEL_CC=...		a compiler of programs for that machine; default: gcc with its prefix
#	KERNEL_CONFIG=...	instead of e2e/kernel.config and e2e/kernel_ARCH.config
#	KERNEL_CONFIG_MORE=...	a file with lines that change it
#	KERNEL_OUT=...		where to build and what to keep; default: the scratch folder
#	KERNEL_MAKE=...		arguments for make, LLVM=1 for one
#	JOBS=...		for make -j; default: as many as there are processors

arch=${KERNEL_ARCH:-x86}

# Sets what depends on the machine: the target of make and the image that it makes, the prefix of
# the cross tools, the command of the emulator, and the name of its console.
kernel_machine()
{
	case $arch in
	x86)
		prefix='' target=bzImage image=arch/x86/boot/bzImage console=ttyS0
		# Without ACPI, the kernel finds one processor of each socket.
		emulator='qemu-system-x86_64 -cpu max -smp 2,sockets=2'
		;;
	arm64)
		prefix=aarch64-linux-gnu- target=Image image=arch/arm64/boot/Image console=ttyAMA0
		emulator='qemu-system-aarch64 -M virt -cpu max -smp 2'
		;;
	riscv)
		prefix=riscv64-linux-gnu- target=Image image=arch/riscv/boot/Image console=ttyS0
		emulator='qemu-system-riscv64 -M virt -smp 2'
		;;
	s390)
		prefix=s390x-linux-gnu- target=bzImage image=arch/s390/boot/bzImage console=ttyS0
		# The first serial line is the VT220 console, the second that of SCLP lines.
		emulator='qemu-system-s390x -M s390-ccw-virtio -cpu max -smp 2 -monitor none -serial null -serial stdio'
		;;
	loongarch)
		prefix=loongarch64-linux-gnu- target=vmlinux image=vmlinux console=ttyS0
		emulator='qemu-system-loongarch64 -M virt -cpu la464 -smp 2'
		;;
	*) fail "KERNEL_ARCH: unknown machine '$arch'" ;;
	esac
	cc=${KERNEL_CC:-${prefix}gcc} objcopy=${prefix}objcopy
}

# Sets $out and $jobs, and what kernel_machine sets; skips the test without a source or a tool.
kernel_source()
{
	kernel_machine
	[ -n "${KERNEL_SRC:-}" ] || skip "KERNEL_SRC names no kernel source"
	[ -f "$KERNEL_SRC/Kbuild" ] || fail "KERNEL_SRC: '$KERNEL_SRC' is no kernel source"
	need make gcc flex bison bc perl $objcopy readelf
	[ ! -e "$KERNEL_SRC/.config" ] || fail "'$KERNEL_SRC' is not clean: make mrproper"

	out=${KERNEL_OUT:-$SCRATCH/kernel}
	jobs=${JOBS:-$(nproc)}
	mkdir -p "$out" || exit 1
	out=$(cd "$out" && pwd)

	# A change writes a new file, so links do not reach back into the original.
	rm -rf "$out/source"
	cp -al "$KERNEL_SRC" "$out/source" 2>/dev/null || {
		rm -rf "$out/source"
		cp -a "$KERNEL_SRC" "$out/source" || fail "cannot copy the source"
	}
}

# The script must change something.
kernel_edit()
{
	sed "$2" "$out/source/$1" >edited || exit 1
	! cmp -s edited "$out/source/$1" || fail "$1: the text to change is not there"
	chmod --reference="$out/source/$1" edited
	mv -f edited "$out/source/$1"
}

# Those of the objects have done their duty once the program's is made, and may not
# stand before it in the image.
kernel_drop_piled_btf()
{
	# shellcheck disable=SC2016
	kernel_edit scripts/link-vmlinux.sh '/^if is_enabled CONFIG_KALLSYMS; then$/{
x
s/^/x/
/^xx$/{
i for object in vmlinux.o .vmlinux.export.o init/version-timestamp.o; do ${OBJCOPY} --remove-section=.BTF $object; done
}
x
}'
}

# $out/pahole is what kbuild calls.
kmake()
{
	folder=$1
	shift
	make -C "$out/source" O="$out/$folder" ARCH="$arch" PAHOLE="$out/pahole" ${KERNEL_MAKE:-} "$@"
}

# The small configuration, on top of tinyconfig
kernel_config()
{
	if [ -n "${KERNEL_CONFIG:-}" ]; then
		cat "$KERNEL_CONFIG"
	else
		cat "$SRCDIR/tests/e2e/kernel.config" "$SRCDIR/tests/e2e/kernel_$arch.config"
	fi
}

kernel_configure()
{
	{
		kmake "$@" -s tinyconfig &&
			kernel_config >>"$out/$1/.config" &&
			{ [ -z "${KERNEL_CONFIG_MORE:-}" ] || cat "$KERNEL_CONFIG_MORE" >>"$out/$1/.config"; } &&
			kmake "$@" -s olddefconfig
	} >"$out/config.log" 2>&1 ||
		fail "configuring failed: see $out/config.log ($(tail -n 1 "$out/config.log"))"
	grep -q '^CONFIG_DEBUG_INFO_BTF=y' "$out/$1/.config" || fail "the configuration lost CONFIG_DEBUG_INFO_BTF"
	# Linux before 5.15 has no such option.
	! grep '^CONFIG_PAHOLE_VERSION=' "$out/$1/.config" | grep -v '=13[12]$' >&2 || fail "kbuild reads another version"
}

# Before Linux 6.1, the link has the archive of each folder instead of vmlinux.a.
kernel_objects()
{
	(
		cd "$out/$1" || exit 1
		if [ -e vmlinux.a ]; then
			ar t vmlinux.a
		else
			find . -name built-in.a -exec ar t {} \; | sort -u
		fi
	) | sed "s|^[^/]|$out/$1/&|"
}

kernel_modules()
{
	sed "s|^\(.*\)\.k\?o\$|$out/$1/\1.ko|" "$out/$1/modules.order"
}

# Not before Linux 5.11, nor without this option
kernel_has_btf_of_modules()
{
	grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$out/$1/.config"
}

kernel_modules_to_load()
{
	kernel_modules "$1" | grep -v '/drivers/'
}

# The file that gets the BTF of vmlinux: .tmp_vmlinux1; before Linux 6.10, .tmp_vmlinux.btf
kernel_encoded()
{
	[ -e "$out/$1/.tmp_vmlinux1" ] && echo "$out/$1/.tmp_vmlinux1" || echo "$out/$1/.tmp_vmlinux.btf"
}

# The version of the kernel in FOLDER as MAJOR.MINOR
kernel_version()
{
	sed 's/^\([0-9]*\.[0-9]*\).*/\1/' "$out/$1/include/config/kernel.release"
}

# The flags of the last call for vmlinux in $log, without those that pahole does not have
kernel_flags()
{
	sed -n 's/^0 .*-J \(.*\) \.tmp_vmlinux\(1\|\.btf\)$/\1/p' "$log" | tail -n 1 | sed 's/--\(btf_encode_detached\|fatal\)=[^ ]*//g'
}

# The flags are those of kernel_flags. Sets $peer, $level, $flags and $same, and makes peer.btf. The peer is $PEER or the
# installed pahole. If that is neither 1.31 nor 1.32, the function only prints so.
kernel_compare_with_peer()
{
	peer=${PEER:-$(command -v pahole || :)}
	case $peer${peer:+$("$peer" --version)} in
	*v1.3[12]) level=$(level_of "$peer") ;;
	*)
		echo "no pahole 1.31 or 1.32 to compare with (PEER=...)"
		return
		;;
	esac
	flags=$(kernel_flags)
	[ -n "$flags" ] || fail "no call for vmlinux"
	# pahole takes per-CPU variables for part of a .BTF that is not loaded
	"$objcopy" --remove-section=.BTF "$(kernel_encoded build)" linked || fail "objcopy failed"
	"$peer" $flags --btf_encode_detached=peer.btf linked || fail "$peer failed"
	btfenc --compat="$level" $flags --btf_encode_detached=own.btf linked || fail "btfenc failed"
	same=$1
	"$same" own.btf peer.btf || fail "vmlinux's .BTF is not that of $peer"
	echo "vmlinux: with --compat=$level, .BTF is that of $peer ($same)"
}

# The same for MODULE, over the BTF of vmlinux. Call kernel_compare_with_peer first.
kernel_compare_module_with_peer()
{
	"$objcopy" --remove-section=.BTF "$1" bare.ko || fail "objcopy failed"
	btfenc --compat="$level" $flags --btf_base "$out/build/vmlinux" --btf_encode_detached=ours.btf bare.ko ||
		fail "btfenc failed"
	"$peer" $flags --btf_base "$out/build/vmlinux" --btf_encode_detached=theirs.btf bare.ko || fail "$peer failed"
	"$same" ours.btf theirs.btf || fail "$1: .BTF is not that of $peer"
}

kernel_can_boot()
{
	command -v "${emulator%% *}" >/dev/null && command -v cpio >/dev/null && [ -e "$out/$1/$image" ]
}

# kernel_take PROGRAM NAME: put it into the initrd, with its libraries
kernel_take()
{
	ldd "$1" | sed -n 's|^[^/]*\(/[^ ]*\).*|\1|p' | while read -r library; do
		mkdir -p "root${library%/*}" && cp -L "$library" "root$library" || exit 1
	done || fail "the libraries of $1 cannot be copied"
	cp -L "$1" "root/$2"
}

# By the rules of its own version, --btf_check finds nothing wrong with vmlinux, nor with the
# modules over it, but for warnings: what they have that vmlinux has, too, pahole would have left
# there as well.
kernel_check()
{
	folder=$1
	shift
	version=$(kernel_version "$folder")
	run_silent btfenc --btf_check="$version" "$out/$folder/vmlinux"
	[ $# -gt 0 ] || return 0
	run_ok btfenc --btf_check="$version" --btf_base="$out/$folder/vmlinux" "$@"
	expect_no_stderr
}

# The kernel must show just that BTF, and take programs that only right BTF lets it take:
# e2e/guest.c says which. It must load the modules and show the .BTF of each. bpftool and the unit
# tests ask it, too, if they are installed and the kernel is for this machine.
kernel_boot()
{
	folder=$1
	rm -rf root
	mkdir root root/modules
	"$cc" -O2 -static -w -o root/init "$SRCDIR/tests/e2e/guest.c" || fail "$cc makes no init"
	cp "$2" root/vmlinux.btf
	shift 2
	printf '%s\n' btf do_unlinkat runqueues >questions
	case $(kernel_version "$folder") in
	5.[0-9] | 5.1[0-2]) ;; # no program calls functions of the kernel
	*) echo kfunc >>questions ;;
	esac
	for module; do
		name=$(basename "$module" .ko)
		cp "$module" root/modules
		echo "module $name" >>questions
		kernel_has_btf_of_modules "$folder" || continue
		"$objcopy" --dump-section .BTF="root/modules/$name.btf" "$module" junk || fail "$module has no .BTF"
		[ "$name" != fuse ] || echo fuse_dev_open >>questions
	done
	bpftool=$(command -v "${BPFTOOL:-bpftool}")
	if [ "$arch" = x86 ] && [ -n "$bpftool" ]; then
		kernel_take "$bpftool" bpftool
		echo bpftool >>questions
	fi
	if [ "$arch" = x86 ] && [ -x "${BUILDDIR:-.}/tests/unit_tests" ]; then
		kernel_take "$BUILDDIR/tests/unit_tests" unit_tests
		echo btf_check >>questions
	fi
	(cd root && find . -print | cpio -o -H newc --quiet) >initrd || fail "cpio failed"

	# no KVM: it is not to be relied on inside another virtual machine, and this takes seconds.
	timeout "${KERNEL_SECONDS:-180}" $emulator -accel tcg -m 512 -nographic -no-reboot \
		-kernel "$out/$folder/$image" -initrd initrd \
		-append "console=$console panic=-1" </dev/null >"$out/boot.log" 2>&1
	tr -d '\r' <"$out/boot.log" >booted
	# A machine without direct calls of ftrace has no trampolines, which programs at functions need.
	trampolines='accepted'
	grep -q '^CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS=y' "$out/$folder/.config" || trampolines='\(accepted\|no trampolines\)'
	while read -r question; do
		case $question in
		do_unlinkat | fuse_dev_open) answer=$trampolines ;;
		*) answer=accepted ;;
		esac
		grep -q "^guest: $question: $answer\$" booted || {
			sed -n '/^guest: /,$p' booted | tail -n 60 >&2
			fail "$question is not accepted, see $out/boot.log: $(tail -n 1 booted)"
		}
	done <questions
	! grep -i -e 'btf.*\(invalid\|malformed\|missing\)' -e 'failed to validate.*btf' booted ||
		fail "the kernel complains of its BTF"
	sed -n 's/^guest: /booted: /p' booted
}
