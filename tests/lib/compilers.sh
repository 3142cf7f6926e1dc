# SPDX-License-Identifier: GPL-2.0-only
#
# compilers.sh - the C compilers for other machines
#
#	each_compiler COMMAND	runs COMMAND NAME COMPILER... for each that is installed; prints those that are not

# Machines that gcc compiles Linux for, and those that Debian has a gcc for. The names of other folders in $PATH count, too.
gcc_machines="aarch64-linux-gnu alpha-linux-gnu arc-linux-gnu arm-linux-gnueabihf csky-linux-gnuabiv2 hppa-linux-gnu hppa64-linux-gnu
	i686-linux-gnu loongarch64-linux-gnu m68k-linux-gnu microblaze-linux-gnu mips-linux-gnu mipsel-linux-gnu mips64-linux-gnuabi64
	mips64el-linux-gnuabi64 mipsisa64r6el-linux-gnuabi64 nios2-linux-gnu or1k-elf powerpc-linux-gnu powerpc64-linux-gnu
	powerpc64le-linux-gnu riscv64-linux-gnu s390x-linux-gnu sh4-linux-gnu sparc64-linux-gnu x86_64-linux-gnu
	x86_64-linux-gnux32 xtensa-lx106-elf"
clang_machines="aarch64 aarch64_be arm armeb hexagon i386 loongarch64 m68k mips mipsel mips64 mips64el powerpc powerpc64 powerpc64le
	riscv32 riscv64 s390x sparc sparc64 x86_64 xtensa"

# can_compile COMPILER...
can_compile()
{
	echo 'int compiled(int *a) { return *a; }' >probe.c
	"$@" -O2 -g -c -o probe.o probe.c 2>out/cc
}

each_compiler()
{
	missing=''
	for machine in $gcc_machines; do
		if can_compile "$machine-gcc"; then
			"$1" "$machine-gcc" "$machine-gcc"
		else
			missing="$missing $machine-gcc"
		fi
	done
	for machine in $clang_machines; do
		if can_compile clang --target="$machine-linux-gnu"; then
			"$1" "clang-$machine" clang --target="$machine-linux-gnu"
		else
			missing="$missing clang-$machine"
		fi
	done
	[ -z "$missing" ] || echo "not tried:$missing"
}
