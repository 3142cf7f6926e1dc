#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel whose objects get their BTF from gcc (-gbtf), and vmlinux from these.
#
#	ARCHIVE_LIBBPF=...	a program that does the same with libbpf, to print what it takes:
#				it reads the raw archive from its first argument and writes its second
#
# KERNEL_SRC and the others are in ../lib/kernel.sh.
#
# Proves: the archive of what gcc wrote becomes BTF that the kernel accepts, in which each type
# that a program may ask for by name is there once, as in that of the DWARF beside it. The
# kernel boots with it, and takes programs that name a function, a per-CPU variable, and kfuncs.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

kernel_source
need bpftool
echo 'int probe;' | gcc -gbtf -c -x c -o probe.o - 2>/dev/null
has_section probe.o .BTF || skip "gcc makes no BTF"
kernel_drop_piled_btf

# --- the build ----------------------------------------------------------------------------

# Objects have what they need. The linked file is kept as it is before.
cat >"$out/pahole" <<END
#!/bin/sh
for last; do :; done
case \$last in
.tmp_vmlinux*) cp "\$last" '$out/linked' ;;
*.o) exit 0 ;;
esac
exec '$BTFENC' "\$@" 2>>'$out/said'
END
chmod +x "$out/pahole"
: >"$out/said"

kernel_configure build
began=$(date +%s)
kmake build KCFLAGS=-gbtf -j"$jobs" bzImage >"$out/build.log" 2>&1 || {
	tail -n 20 "$out/build.log" "$out/said" >&2
	fail "the build failed: KERNEL_OUT=... keeps it"
}
echo "bzImage: $(($(date +%s) - began)) s"
expected="^btfenc: warning: '[^']*': .* and [0-9]* others: without .debug.btf, .*\$"
grep -q "$expected" "$out/said" || fail "no warning that gcc's members have no .debug.btf"
! grep -v "$expected" "$out/said" >&2 || fail "unexpected messages of btfenc"

# --- what it must have given ----------------------------------------------------------------

dump()
{
	"${BPFTOOL:-bpftool}" btf dump file "$1" >"$2" || fail "bpftool does not read $1"
}

objcopy --dump-section .BTF="$out/vmlinux.btf" "$out/build/vmlinux" junk || fail "vmlinux has no .BTF"
kernel_check build
flags=--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
run_ok btfenc -F dwarf $flags --btf_encode_detached="$out/dwarf.btf" "$out/linked"
dump "$out/vmlinux.btf" gcc
dump "$out/dwarf.btf" dwarf
[ "$(grep -c "STRUCT 'task_struct' " gcc)" = 1 ] || fail "not one task_struct"

# named KIND FILE: what there is of this kind that has a name, each as often as it is there
named()
{
	sed -n "s/^\[[0-9]*\] $1 '\([^']*\)'.*/\1/p" "$2" | grep -v '^(anon)$' | sort
}

for kind in STRUCT UNION ENUM ENUM64 TYPEDEF VAR; do
	named $kind gcc >one
	named $kind dwarf >other
	comm -23 one other >extra
	comm -13 one other >missing
	echo "$kind: $(wc -l <one) with a name, $(wc -l <missing) of DWARF's are missing"
	! grep . extra >&2 || fail "$kind that DWARF does not have, or more often"
	# those that are local to a function
	[ "$(wc -l <missing)" -le 20 ] || fail "$(wc -l <missing) of $kind are missing: $(head -n 5 missing | tr '\n' ' ')"
done
[ "$(named FUNC gcc | wc -l)" -gt "$(($(named FUNC dwarf | wc -l) * 98 / 100))" ] || fail "too few functions"

if [ -n "${ARCHIVE_LIBBPF:-}" ] && command -v time >/dev/null; then
	objcopy --dump-section .BTF="$out/archive" "$out/linked" junk || fail "the linked file has no .BTF"
	env time -f 'btfenc: %e s, user %U s, %M KiB' "$BTFENC" -j1 $flags --btf_encode_detached=again "$out/linked"
	env time -f 'libbpf: %e s, user %U s, %M KiB' "$ARCHIVE_LIBBPF" "$out/archive" libbpf.btf
	dump libbpf.btf libbpf
	echo "libbpf: $(grep -c "STRUCT 'task_struct' " libbpf) task_struct"
fi

# --- does it boot, and believe its BTF? ------------------------------------------------------

if kernel_can_boot build; then
	kernel_boot build "$out/vmlinux.btf"
else
	echo "not booted: needs qemu-system-x86_64 and cpio"
fi
