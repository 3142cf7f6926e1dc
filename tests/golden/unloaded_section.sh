#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A section that is not loaded begins at address 0, where a kernel for x86 has its per-CPU
# variables as well. It holds no variable all the same, even if it stands first: as the
# .BTF of the objects does, when each of them was encoded on its own.
. "${0%/*}/../lib/testlib.sh"

need bpftool ld

unloaded()
{
	"${1}_c" a.o -O2 -fno-pic <<-\END
	__asm__(".pushsection .early,\"\",%progbits\n.zero 4096\n.popsection");
	int first __attribute__((section(".data..percpu"))) = 1;
	long second __attribute__((section(".data..percpu"))) = 2;
	END
	cat >script.ld <<-\END
	SECTIONS {
		. = 0x100000;
		.text : { *(.text) }
		.early 0 (INFO) : { *(.early) }
		.data..percpu 0 : { *(.data..percpu) }
	}
	END
	ld -e 0 -T script.ld -o linked a.o || fail "ld fails"
	readelf -SW linked | grep -A99 ' \.early ' | grep -q ' \.data\.\.percpu ' ||
		fail "the linker has put the sections in another order"
	for features in default default,global_var; do
		run_ok btfenc --btf_features=$features --btf_encode_detached=linked.btf linked
		run bpftool btf dump file linked.btf
		expect_in stdout "DATASEC '.data..percpu' size=[0-9]* vlen=2"
		expect_not_in stdout "early"
	done
}

each_compiler unloaded
