#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The rules of the series for Linux 7.2 (contrib/linux/v7.2): when make generates BTF again, which builds must fail, and which
# must work without pahole.
#
#	KERNEL_BUILT=1	go on in $KERNEL_OUT, where this test has built before
#
# KERNEL_SRC and the others are in ../lib/kernel.sh. Builds a small kernel twice, in $out/strip with
# CONFIG_DEBUG_INFO_BTF_STRIP_DWARF, and in $out/objects with CONFIG_DEBUG_INFO_BTF_PER_OBJECT, too.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

need patch objcopy readelf
if [ -z "${KERNEL_BUILT:-}" ]; then
	kernel_source
	cat "$SRCDIR"/contrib/linux/v7.2/strip/000[1-9]-*.patch "$SRCDIR"/contrib/linux/v7.2/per-object/000[1-9]-*.patch |
		patch -p1 -s -d "$out/source" || fail "the patches do not apply"
	# an object that the source has, without its own source
	kernel_edit kernel/Makefile '$a obj-$(CONFIG_SHIPPED_OBJECT) += shipped_object.o'
	kernel_edit init/Kconfig '$a config SHIPPED_OBJECT\n\tbool "Shipped object"'
else
	out=$(cd "${KERNEL_OUT:?}" && pwd) jobs=${JOBS:-$(nproc)}
fi
cp "$BTFENC" "$out/pahole"

# --- builds -------------------------------------------------------------------------------

# kbuild FOLDER ARGUMENT...: make, with its output in the file log
kbuild()
{
	kmake "$@" >log 2>&1 || {
		tail -n 20 log >&2
		fail "make $* failed"
	}
}

# kbuild_fails FOLDER ARGUMENT...
kbuild_fails()
{
	! kmake "$@" >log 2>&1 || fail "make $* succeeded"
}

# made PATTERN / made_nothing: what make says in the file log
made()
{
	grep -q "^ *\(CC\|LD\|AS\|BTF\) .*$1" log || {
		cat log >&2
		fail "make did not make $1"
	}
}

made_nothing()
{
	! grep '^ *\(CC\|AS\|LD\|BTF\|KSYMS\) ' log >&2 || fail "make made this again"
}

configure()
{
	[ -e "$out/$1/vmlinux" ] && return
	KERNEL_CONFIG_MORE=$out/$1.more
	{
		echo CONFIG_DEBUG_INFO_BTF_STRIP_DWARF=y
		[ "$1" = strip ] || echo CONFIG_DEBUG_INFO_BTF_PER_OBJECT=y
	} >"$KERNEL_CONFIG_MORE"
	kernel_configure "$1"
	while read -r line; do
		grep -q "^$line\$" "$out/$1/.config" || fail "the configuration lost $line"
	done <"$KERNEL_CONFIG_MORE"
	kbuild "$1" -j"$jobs" vmlinux modules
}

configure strip
configure objects
for folder in strip objects; do
	kbuild $folder vmlinux modules
	made_nothing
done
echo "nothing changed: nothing is made again"

# --- when BTF is generated again ------------------------------------------------------------

# another way to name the program, another number of jobs
for folder in strip objects; do
	kmake $folder PAHOLE="$out/../$(basename "$out")/pahole" -j1 vmlinux modules >log 2>&1 ||
		fail "make failed: $(tail -n 3 log)"
	made_nothing
done
echo "another name of the program, other -j: nothing is made again"

# the program is newer
sleep 1
touch "$out/pahole"
kbuild strip -j"$jobs" vmlinux
made 'vmlinux\.o'
made '\.vmlinux\.export\.o'
! grep -q '^ *CC .*kernel/bpf/syscall\.o' log || fail "make compiled objects that have no BTF again"
kbuild objects kernel/bpf/syscall.o
made 'kernel/bpf/syscall\.o'
kbuild objects kernel/bpf/syscall.o
! grep '^ *CC .*syscall' log || fail "make compiled it twice"
echo "a newer program: what it encoded is made again"

# the program is of another version, and older
cat >"$out/other" <<END
#!/bin/sh
case " \$* " in
*" --verbose --version "*) '$out/pahole' "\$@" | sed 's/^btfenc .*/btfenc 9.8.7/' ;;
*) exec '$out/pahole' "\$@" ;;
esac
END
chmod +x "$out/other"
touch -d '2 days ago' "$out/other"
kmake objects PAHOLE="$out/other" kernel/bpf/syscall.o >log 2>&1 || fail "make failed: $(tail -n 3 log)"
made 'kernel/bpf/syscall\.o'
grep -q '^CONFIG_BTFENC_VERSION=90807$' "$out/objects/.config" || fail "the version is not in the configuration"
kbuild objects kernel/bpf/syscall.o
made 'kernel/bpf/syscall\.o'
echo "another version: what it encoded is made again"

# not_offered PROGRAM NAME: Kconfig does not offer the options for it
not_offered()
{
	cp "$out/objects/.config" "$out/saved.config"
	kmake objects PAHOLE="$1" olddefconfig >log 2>&1 || fail "olddefconfig failed"
	! grep 'CONFIG_DEBUG_INFO_BTF_\(PER_OBJECT\|STRIP_DWARF\)=' "$out/objects/.config" >&2 || fail "the options are offered for $2"
	mv "$out/saved.config" "$out/objects/.config"
	echo "$2: the options are not offered"
}

sed -i 's/9\.8\.7/0.2.99/' "$out/other"
not_offered "$out/other" 'a btfenc before 0.3'
if command -v pahole >/dev/null && ! pahole --verbose --version | grep -q ^btfenc; then
	not_offered pahole pahole
fi

# --- which builds must fail ---------------------------------------------------------------------

kbuild objects -j"$jobs" vmlinux modules

# broken WHY COMMAND: change a copy of kernel/bpf/syscall.o by COMMAND; the build fails and says WHY
broken()
{
	object=$out/objects/kernel/bpf/syscall.o
	cp -p "$object" saved.o
	sleep 1
	sh -c "$2" "$object" || fail "the command failed"
	touch "$object"
	kbuild_fails objects vmlinux
	grep -q "$1" log || {
		tail -n 20 log >&2
		fail "the error does not name $1"
	}
	[ ! -e "$out/objects/vmlinux" ] || [ "$out/objects/vmlinux" -ot "$object" ] || fail "the build made vmlinux"
	cp saved.o "$object"
	echo "$1: the build fails"
}

flags=$(sed -n 's/.*-J \$\$BTF_OBJECT_JOBS \(.*\) kernel\/bpf\/syscall\.o.*/\1/p' "$out/objects/kernel/bpf/.syscall.o.cmd")
[ -n "$flags" ] || fail "no flags in kernel/bpf/.syscall.o.cmd"

# The version is the third byte of a block.
broken 'a block of version 127' '
	objcopy --dump-section .debug.btf=facts "$0" junk.o &&
	printf "\177" | dd of=facts bs=1 seek=2 conv=notrunc status=none &&
	objcopy --update-section .debug.btf=facts "$0"'
broken unit_no_btf 'objcopy --remove-section=.debug.btf "$0"'

# an object of which only the result is in the source
printf '#include <stddef.h>\nstruct shipped { int member; };\nint shipped_function(struct shipped *s);\nint shipped_function(struct shipped *s) { return s->member; }\nstatic int shipped_static = 1;\nint *shipped_pointer(void);\nint *shipped_pointer(void) { return &shipped_static; }\n' >shipped_object.c
${CROSS_COMPILE:-}gcc -g -O2 -mcmodel=kernel -fno-pic -fcf-protection=none -fno-asynchronous-unwind-tables -c shipped_object.c -o shipped_object.o || fail "gcc failed"
cp shipped_object.o "$out/source/kernel/shipped_object.o_shipped"
for folder in strip objects; do
	cp "$out/$folder/.config" "$out/saved.config"
	sed -i 's/^# CONFIG_SHIPPED_OBJECT is not set$/CONFIG_SHIPPED_OBJECT=y/' "$out/$folder/.config"
	case $folder in
	strip)
		kbuild strip -j"$jobs" vmlinux
		run_ok btfenc -C shipped "$out/strip/vmlinux"
		expect_in stdout 'int  *member;'
		;;
	objects)
		kbuild_fails objects -j"$jobs" vmlinux
		grep -q 'unit_no_btf.*shipped_object\.c' log || fail "the error does not name the object: $(tail -n 5 log)"
		;;
	esac
	mv "$out/saved.config" "$out/$folder/.config"
	touch "$out/$folder/.config" # make compares it with what it read last
done
rm "$out/source/kernel/shipped_object.o_shipped"
echo "a shipped object: has BTF with STRIP_DWARF alone; the build with PER_OBJECT fails"

# --- external modules ----------------------------------------------------------------------------

for folder in strip objects; do
	kbuild $folder -j"$jobs" vmlinux modules
	rm -rf "$out/external"
	mkdir "$out/external"
	printf 'obj-m := external.o\nexternal-y := main.o lib.a\nlib-y := part.o\n' >"$out/external/Makefile"
	printf 'struct part_type { int member; };\nint part_function(struct part_type *p);\nint part_function(struct part_type *p) { return p->member; }\n' \
		>"$out/external/part.c"
	printf '#include <linux/module.h>\nstruct external_type { int member; };\nint part_function(void *p);\nint external_function(struct external_type *e);\nint external_function(struct external_type *e) { return part_function(e) + e->member; }\nMODULE_LICENSE("GPL");\n' \
		>"$out/external/main.c"
	# pahole has no such option, and no version that the kernel was built with
	cat >"$out/other" <<-END
		#!/bin/sh
		case " \$* " in *" --fatal"*) echo "unrecognized option" >&2; exit 64 ;; esac
		exec '$out/pahole' "\$@"
	END
	chmod +x "$out/other"
	kmake $folder PAHOLE="$out/other" M="$out/external" >log 2>&1 ||
		fail "the module does not build with pahole: $(tail -n 5 log)"
	readelf -SW "$out/external/external.ko" >sections
	grep -q ' \.BTF ' sections || fail "the external module has no BTF"
	! grep ' \.debug' sections >&2 || fail "the external module has debugging sections"
	btfenc --btf_base="$out/$folder/vmlinux" -C external_type,part_type "$out/external/external.ko" >stdout ||
		fail "the external module lacks its types"

	# as with a package of headers, on a machine without pahole
	kbuild $folder M="$out/external" clean
	mv "$out/$folder/vmlinux" "$out/vmlinux.saved"
	kmake $folder PAHOLE=/nonexistent/pahole M="$out/external" >log 2>&1 ||
		fail "the module does not build without vmlinux and pahole: $(tail -n 5 log)"
	grep -q 'Skipping BTF generation' log || fail "make does not say that it skips BTF"
	[ -e "$out/external/external.ko" ] || fail "no module"
	mv "$out/vmlinux.saved" "$out/$folder/vmlinux"
done
echo "external modules: BTF and no DWARF; without vmlinux, they need no pahole"
