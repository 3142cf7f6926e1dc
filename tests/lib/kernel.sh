# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh - what the tests that build a kernel have in common. After testlib.sh:
#
#	kernel_source				a copy of $KERNEL_SRC in $out/source
#	kernel_edit FILE SED-SCRIPT		change a file of the copy
#	kernel_drop_piled_btf			let the link drop the .BTF of objects when vmlinux's is made
#	kmake FOLDER ARGUMENT...		make, with that build folder under $out
#	kernel_configure FOLDER [ARGUMENT...]	tinyconfig with the small configuration
#	kernel_objects FOLDER			the objects of vmlinux, one path a line
#	kernel_modules FOLDER			the modules, one path a line
#	kernel_modules_to_load FOLDER		those of them that a machine without devices takes
#	kernel_check FOLDER [MODULE...]		--btf_check must pass vmlinux and these
#	kernel_compare_with_peer SAME		the .BTF of vmlinux is that of pahole 1.32 by the function SAME A B
#	kernel_can_boot FOLDER, kernel_boot FOLDER BTF [MODULE...]
#
# From the environment:
#
#	KERNEL_SRC=...		a clean source tree, 6.12 or near; nothing is written there
#	KERNEL_CONFIG=...	instead of e2e/kernel.config
#	KERNEL_CONFIG_MORE=...	a file with lines that change it
#	KERNEL_OUT=...		where to build and what to keep; default: the scratch folder
#	KERNEL_MAKE=...		arguments for make, LLVM=1 for one
#	JOBS=...		for make -j; default: as many as there are processors

# Sets $out and $jobs; skips the test without a source or a tool.
kernel_source()
{
	[ -n "${KERNEL_SRC:-}" ] || skip "KERNEL_SRC names no kernel source"
	[ -f "$KERNEL_SRC/Kbuild" ] || fail "KERNEL_SRC: '$KERNEL_SRC' is no kernel source"
	need make gcc flex bison bc perl objcopy readelf
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
	make -C "$out/source" O="$out/$folder" PAHOLE="$out/pahole" ${KERNEL_MAKE:-} "$@"
}

kernel_configure()
{
	{
		kmake "$@" -s tinyconfig &&
			cat "${KERNEL_CONFIG:-$SRCDIR/tests/e2e/kernel.config}" >>"$out/$1/.config" &&
			{ [ -z "${KERNEL_CONFIG_MORE:-}" ] || cat "$KERNEL_CONFIG_MORE" >>"$out/$1/.config"; } &&
			kmake "$@" -s olddefconfig
	} >"$out/config.log" 2>&1 ||
		fail "configuring failed: see $out/config.log ($(tail -n 1 "$out/config.log"))"
	grep -q '^CONFIG_DEBUG_INFO_BTF=y' "$out/$1/.config" || fail "the configuration lost CONFIG_DEBUG_INFO_BTF"
	grep -q '^CONFIG_PAHOLE_VERSION=13[12]$' "$out/$1/.config" || fail "kbuild reads another version than 131"
}

kernel_objects()
{
	(cd "$out/$1" && ar t vmlinux.a) | sed "s|^[^/]|$out/$1/&|"
}

kernel_modules()
{
	sed "s|^\(.*\)\.o\$|$out/$1/\1.ko|" "$out/$1/modules.order"
}

kernel_modules_to_load()
{
	kernel_modules "$1" | grep -v '/drivers/'
}

# The flags are those of the last call in $log. Sets $peer and $flags, and makes peer.btf; without pahole 1.32 ($PEER, or
# the installed one) it makes nothing.
kernel_compare_with_peer()
{
	peer=${PEER:-$(command -v pahole || :)}
	if [ -z "$peer" ] || [ "$("$peer" --version)" != v1.32 ]; then
		echo "no pahole 1.32 to compare with (PEER=...)"
		return
	fi
	flags=$(sed -n 's/^0 -J \(.*\) \.tmp_vmlinux1$/\1/p' "$log" | tail -n 1 | sed 's/--btf_encode_detached=[^ ]*//')
	[ -n "$flags" ] || fail "no call for vmlinux"
	# pahole takes per-CPU variables for part of a .BTF that is not loaded
	objcopy --remove-section=.BTF "$out/build/.tmp_vmlinux1" linked || fail "objcopy failed"
	"$peer" $flags --btf_encode_detached=peer.btf linked || fail "$peer failed"
	btfenc --compat=1.32 $flags --btf_encode_detached=own.btf linked || fail "btfenc failed"
	"$1" own.btf peer.btf || fail "vmlinux's .BTF is not that of $peer"
	echo "vmlinux: .BTF is that of $peer ($1)"
}

kernel_can_boot()
{
	command -v qemu-system-x86_64 >/dev/null && command -v cpio >/dev/null &&
		[ -e "$out/$1/arch/x86/boot/bzImage" ]
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
	version=$(sed 's/^\([0-9]*\.[0-9]*\).*/\1/' "$out/$folder/include/config/kernel.release")
	run_silent btfenc --btf_check="$version" "$out/$folder/vmlinux"
	[ $# -gt 0 ] || return 0
	run_ok btfenc --btf_check="$version" --btf_base="$out/$folder/vmlinux" "$@"
	expect_no_stderr
}

# The kernel must show just that BTF, and take programs that only right BTF lets it take:
# e2e/guest.c says which. It must load the modules and show the .BTF of each. bpftool reads what
# is shown there, if it is installed.
kernel_boot()
{
	folder=$1
	rm -rf root
	mkdir root root/modules
	gcc -O2 -static -w -o root/init "$SRCDIR/tests/e2e/guest.c" || fail "gcc makes no init"
	cp "$2" root/vmlinux.btf
	shift 2
	printf '%s\n' btf do_unlinkat runqueues kfunc >questions
	for module; do
		name=$(basename "$module" .ko)
		cp "$module" root/modules
		objcopy --dump-section .BTF="root/modules/$name.btf" "$module" junk || fail "$module has no .BTF"
		echo "module $name" >>questions
	done
	bpftool=$(command -v "${BPFTOOL:-bpftool}")
	if [ -n "$bpftool" ]; then
		kernel_take "$bpftool" bpftool
		echo bpftool >>questions
	fi
	if [ -x "${BUILDDIR:-.}/tests/unit_tests" ]; then
		kernel_take "$BUILDDIR/tests/unit_tests" unit_tests
		echo btf_check >>questions
	fi
	(cd root && find . -print | cpio -o -H newc --quiet) >initrd || fail "cpio failed"

	# no KVM: it is not to be relied on inside another virtual machine, and this takes seconds.
	# Two sockets: without ACPI, the kernel finds one processor of each.
	timeout 180 qemu-system-x86_64 -accel tcg -cpu max -smp 2,sockets=2 -m 512 -nographic -no-reboot \
		-kernel "$out/$folder/arch/x86/boot/bzImage" -initrd initrd \
		-append 'console=ttyS0 panic=-1' </dev/null >"$out/boot.log" 2>&1
	tr -d '\r' <"$out/boot.log" >booted
	while read -r question; do
		grep -q "^guest: $question: accepted\$" booted || {
			sed -n '/^guest: /,$p' booted | tail -n 60 >&2
			fail "$question is not accepted, see $out/boot.log: $(tail -n 1 booted)"
		}
	done <questions
	! grep -i -e 'btf.*\(invalid\|malformed\|missing\)' -e 'failed to validate.*btf' booted ||
		fail "the kernel complains of its BTF"
	sed -n 's/^guest: /booted: /p' booted
}
