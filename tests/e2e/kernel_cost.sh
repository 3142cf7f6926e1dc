#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What does BTF cost a kernel's build? Prints a table, asserts nothing but that it builds.
#
#	KERNEL_COST=1 KERNEL_SRC=... PEER=pahole sh tests/e2e/kernel_cost.sh
#
#	KERNEL_COST	must be set: this takes a quarter of an hour and wants the machine for itself
#	PEER		the pahole of (a); default: pahole in PATH
#	RUNS		builds of each; default 1
#	CASES		default: "a b c"
#	BTFENC		default: the one in build/
#
# KERNEL_SRC and the others are in ../lib/kernel.sh. The three builds are of one source, with
# contrib/linux applied, and one configuration:
#
#	a  DWARF, and PEER at the end
#	b  DWARF, and btfenc at the end
#	c  BTF_PER_OBJECT=1: btfenc after each cc, DWARF dropped
#
# CPU and wall time are of "make bzImage" in a configured folder, CPU with all that it starts. Each
# goes into an empty folder. Objects are all *.o and *.a files of it, by size; thin archives count
# as what they are. Memory is the largest that any one process of the kind had. Needs
# /usr/bin/time (Debian's package "time").

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/kernel.sh"

[ -n "${KERNEL_COST:-}" ] || skip "KERNEL_COST is not set"
[ -x /usr/bin/time ] || skip "no /usr/bin/time"
BTFENC=${BTFENC:-$SRCDIR/build/btfenc}
peer=$(command -v "${PEER:-pahole}") || skip "no ${PEER:-pahole}"
need patch "$BTFENC"
kernel_source
cat "$SRCDIR"/contrib/linux/*.patch | patch -p1 -s -d "$out/source" || fail "the patch does not apply"

# The linker is started so seldom that a shell around it does not count. What follows each
# compilation is called as it is, so the last encoding is measured from kbuild's own script.
linker=$(command -v "${LD:-ld}")
cat >"$out/ld" <<END
#!/bin/sh
exec /usr/bin/time -q -a -o '$out/ld.memory' -f %M $linker "\$@"
END
chmod +x "$out/ld"

# shellcheck disable=SC2016
kernel_edit scripts/link-vmlinux.sh '/\${PAHOLE} -J/s|\${PAHOLE}|/usr/bin/time -q -a -o "${BTF_COST}" -f "%M %U %S %e" &|'
export BTF_COST="$out/last"

# bytes FOLDER FIND-EXPRESSION...
bytes()
{
	folder=$1
	shift
	find "$folder" -type f \( "$@" \) -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'
}

# build CASE PAHOLE ARGUMENT...: appends a line to CASE.results
build()
{
	name=$1
	ln -sf "$2" "$out/pahole"
	shift 2
	rm -rf "${out:?}/$name"
	kernel_configure "$name" LD="$out/ld"
	sync
	: >"$out/ld.memory"
	: >"$out/last"
	/usr/bin/time -q -o "$out/time" -f '%U %S %e' make -C "$out/source" O="$out/$name" PAHOLE="$out/pahole" LD="$out/ld" \
		-j"$jobs" "$@" bzImage >"$out/$name.log" 2>&1 || {
		tail -n 20 "$out/$name.log" >&2
		fail "$name: the build failed"
	}
	objcopy --dump-section .BTF="$out/$name.btf" "$out/$name/vmlinux" junk || fail "$name: vmlinux has no .BTF"
	tail -n 1 "$out/time" | awk -v o="$(bytes "$out/$name" -name '*.o' -o -name '*.a')" \
		-v v="$(bytes "$out/$name" -name vmlinux -path "$out/$name/vmlinux")" \
		-v t="$(bytes "$out/$name" -name '.tmp_vmlinux[0-9]')" \
		-v m="$(sort -n "$out/ld.memory" | tail -n 1)" -v last="$(tail -n 1 "$out/last")" '
		{ split(last, l); print $1 + $2, $3, o / 1e6, v / 1e6, t / 1e6, m / 1e3, l[1] / 1e3, l[2] + l[3], l[4] }' >>"$out/$name.results"
	echo "$name: $(tail -n 1 "$out/$name.results")" >&2
}

rm -f "$out"/*.results
run=0
while [ $run -lt "${RUNS:-1}" ]; do
	for case in ${CASES:-a b c}; do
		case $case in
		a) build a "$peer" ;;
		b) build b "$BTFENC" ;;
		c) build c "$BTFENC" BTF_PER_OBJECT=1 ;;
		esac
	done
	run=$((run + 1))
done

row()
{
	printf '| %s |' "$1"
	for case in ${CASES:-a b c}; do
		cut -d ' ' -f "$2" "$out/$case.results" | sort -n |
			awk -v unit="$3" '{ v[NR] = $1 } END { printf " %.1f %s |", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, unit }'
	done
	echo
}

head1='| |' head2='| --- |'
for case in ${CASES:-a b c}; do
	case $case in
	a) head1="$head1 (a) DWARF, pahole $("$peer" --version) at the end |" ;;
	b) head1="$head1 (b) DWARF, btfenc at the end |" ;;
	c) head1="$head1 (c) btfenc after each cc, no DWARF |" ;;
	esac
	head2="$head2 --- |"
done
echo "$head1"
echo "$head2"
row 'CPU time' 1 s
row 'wall time' 2 s
row 'object files' 3 MB
row vmlinux 4 MB
row 'the links before it' 5 MB
row 'memory of the linker' 6 MB
row 'memory of the last encoding' 7 MB
row 'CPU time of the last encoding' 8 s
row 'wall time of the last encoding' 9 s
for case in ${CASES:-a b c}; do
	cmp -s "$out/$case.btf" "$out/${first:=$case}.btf" || echo "the BTF of ($case) is another than that of ($first)"
done
echo
echo "make -j$jobs, ${RUNS:-1} runs, $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
