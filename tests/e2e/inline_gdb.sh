#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# at the sites of inlined functions of programs that run, the places of parameters have the values that gdb prints
#
# Random programs by gcc and clang for the machine of the host, and for arm64 and riscv64 under qemu's user mode emulation, if their
# compilers, qemu-user and gdb-multiarch are there. SEEDS='1 2' are the seeds, LEVELS the flags of the compiler.
# With FEATURE=inline.extra, the sites are those of .BTF.inline.

. "${0%/*}/../lib/testlib.sh"

need gdb python3
export INLINE_TOOLS="$TOOLS"
FEATURE=${FEATURE:-inline}
[ "$FEATURE" = inline ] || export INLINE_SECTION=.BTF.inline
flags='-w -ffreestanding -fno-stack-protector -fno-pic -nostdlib -static'
gdb -batch -ex 'python import ctypes' >out/gdb 2>&1 && [ ! -s out/gdb ] || skip "gdb has no Python"

# under GDB EMULATOR PROGRAM: compare, where the emulator may be empty
under()
{
	debugger=$1 emulator=$2 program=$3
	unset INLINE_SOCKET
	if [ -n "$emulator" ]; then
		export INLINE_SOCKET="$SCRATCH/socket"
		rm -f socket
		timeout "$TEST_SECONDS" "$emulator" -g "$INLINE_SOCKET" "$program" >out/emulator 2>&1 &
		while [ ! -S socket ] && kill -0 $! 2>/dev/null; do
			sleep 0.05
		done
	fi
	run timeout "$TEST_SECONDS" "$debugger" -nx -batch -x "$TOOLS/inline_gdb.py" "$program"
	[ -z "$emulator" ] || wait
	[ "$STATUS" = 0 ] || { show; fail "$what"; }
	grep -q 'places compared$' out/stdout || { show; fail "$what: nothing compared"; }
	grep '^ *[0-9]* [a-z]' out/stdout >>"$3.counts"
}

# programs NAME GDB EMULATOR COMPILER...
programs()
{
	name=$1 debugger=$2 emulator=$3
	shift 3
	command -v "$1" >/dev/null 2>&1 && command -v "$debugger" >/dev/null 2>&1 &&
		{ [ -z "$emulator" ] || command -v "$emulator" >/dev/null 2>&1; } || { untried="$untried $name"; return; }
	for seed in ${SEEDS:-1 2}; do
		for level in ${LEVELS:--O2 -O3:-gdwarf-4 -Og}; do
			what="$name $level, seed $seed"
			# shellcheck disable=SC2046,SC2086
			"$@" $flags -g $(echo "$level" | tr : ' ') -o "$name" "$seed.c" 2>out/cc || { untried="$untried $name"; return; }
			run_ok btfenc -J --btf_features=default,"$FEATURE" "$name"
			under "$debugger" "$emulator" "./$name"
		done
	done
	sum "$name" "$name.counts"
}

# sum NAME FILE...: the sums of the numbers
sum()
{
	name=$1
	shift
	awk -v name="$name" '
		{ n = $1; $1 = ""; sum[$0] += n }
		END { for (what in sum) print name ":" what ": " sum[what] }' "$@" | LC_ALL=C sort
}

for seed in ${SEEDS:-1 2}; do
	python3 "$SRCDIR/tests/gen/inlinegen.py" "$seed" >"$seed.c" || fail "inlinegen.py $seed"
done
untried=
case $(uname -m) in
x86_64 | aarch64)
	programs gcc gdb '' gcc
	programs clang gdb '' clang -fuse-ld=lld
	;;
esac
programs gcc-arm64 gdb-multiarch qemu-aarch64 aarch64-linux-gnu-gcc
programs clang-arm64 gdb-multiarch qemu-aarch64 clang -fuse-ld=lld --target=aarch64-linux-gnu
programs gcc-riscv64 gdb-multiarch qemu-riscv64 riscv64-linux-gnu-gcc
programs clang-riscv64 gdb-multiarch qemu-riscv64 clang -fuse-ld=lld --target=riscv64-linux-gnu -mno-relax
[ -z "$untried" ] || echo "not tried:$untried"
[ "$(echo ./*.counts)" != './*.counts' ] || skip "no compiler, or no emulator"
sum all ./*.counts
hit=$(sum all ./*.counts | sed -n 's/^all: sites hit: //p')
[ -n "${SEEDS:-}" ] || [ "$hit" -ge 300 ] || fail "only $hit sites hit"
