/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regs.c - see regs.h
 *
 * docs/spec/encoding.md 8.11 names the ABI document of each machine. The file does not show
 * the convention of i386 (stack, or with regparm up to three registers) and of csky (two ABIs with different registers).
 * m68k passes all arguments on the stack. The numbers of ia64 are too large for the operations that 8.2 reads. On hexagon,
 * clang gives a parameter the register to which the first packet of instructions moves it.
 */
#include "encoder/unit/regs.h"

#include "base/compiler.h"

#include <elf.h>
#include <stddef.h>

#define NOT_KNOWN                              \
	{                                      \
		-1, -1, -1, -1, -1, -1, -1, -1 \
	}

struct machine_regs {
	uint16_t machine;
	uint8_t addr_size; /* 0: any */
	struct regs regs;
};

enum { LOONGARCH = 258 };

static const struct machine_regs machines[] = {
	/* rdi, rsi, rdx, rcx, r8, r9 */
	{ EM_X86_64, 0, { .nr = 6, .reg = { 5, 4, 1, 2, 8, 9, -1, -1 } } },
	/* larger ones are passed by reference */
	{ EM_S390,
	  0,
	  { .nr = 5, .one_slot = true, .reg = { 2, 3, 4, 5, 6, -1, -1, -1 }, .max_align = 8 } },
	{ EM_AARCH64, 0, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 } } },
	{ EM_ARM, 0, { .nr = 4, .reg = { 0, 1, 2, 3, -1, -1, -1, -1 } } },
	/* a0 to a7 */
	{ EM_RISCV, 0, { .nr = 8, .reg = { 10, 11, 12, 13, 14, 15, 16, 17 } } },
	{ LOONGARCH, 0, { .nr = 8, .reg = { 4, 5, 6, 7, 8, 9, 10, 11 } } },
	{ EM_PPC, 0, { .nr = 8, .reg = { 3, 4, 5, 6, 7, 8, 9, 10 } } },
	{ EM_PPC64, 0, { .nr = 8, .reg = { 3, 4, 5, 6, 7, 8, 9, 10 } } },
	/* o32 has four, n32 another four behind them: what is there proves nothing */
	{ EM_MIPS, 4, { .nr = 4, .reg = { 4, 5, 6, 7, -1, -1, -1, -1 } } },
	{ EM_MIPS, 8, { .nr = 8, .reg = { 4, 5, 6, 7, 8, 9, 10, 11 } } },
	/* %i0 to %i5. In a function without a window of its own these are %o0 to %o5. */
	{ EM_SPARC, 0, { .nr = 6, .reg = { 24, 25, 26, 27, 28, 29, -1, -1 }, .window = 16 } },
	{ EM_SPARC32PLUS, 0, { .nr = 6, .reg = { 24, 25, 26, 27, 28, 29, -1, -1 }, .window = 16 } },
	{ EM_SPARCV9, 0, { .nr = 6, .reg = { 24, 25, 26, 27, 28, 29, -1, -1 }, .window = 16 } },
	{ EM_PARISC, 4, { .nr = 4, .reg = { 26, 25, 24, 23, -1, -1, -1, -1 } } },
	{ EM_PARISC, 8, { .nr = 8, .reg = { 26, 25, 24, 23, 22, 21, 20, 19 } } },
	{ EM_ALPHA, 0, { .nr = 6, .reg = { 16, 17, 18, 19, 20, 21, -1, -1 } } },
	{ EM_SH, 0, { .nr = 4, .reg = { 4, 5, 6, 7, -1, -1, -1, -1 }, .max_align = 4 } },
	{ EM_ARC_COMPACT, 0, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 }, .max_align = 4 } },
	{ EM_ARCV2, 0, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 }, .max_align = 4 } },
	{ EM_MICROBLAZE, 0, { .nr = 6, .reg = { 5, 6, 7, 8, 9, 10, -1, -1 }, .max_align = 4 } },
	{ EM_ALTERA_NIOS2, 0, { .nr = 4, .reg = { 4, 5, 6, 7, -1, -1, -1, -1 }, .max_align = 4 } },
	{ EM_OPENRISC, 0, { .nr = 6, .reg = { 3, 4, 5, 6, 7, 8, -1, -1 }, .max_align = 4 } },
	/* a2 to a7, whether the function has a register window or not */
	{ EM_XTENSA, 0, { .nr = 6, .reg = { 2, 3, 4, 5, 6, 7, -1, -1 } } },
	/* arguments on the stack, or in registers that are not known */
	{ EM_386, 0, { .reg = NOT_KNOWN, .max_align = 4 } },
	{ EM_CSKY, 0, { .reg = NOT_KNOWN, .max_align = 4 } },
	{ EM_68K, 0, { .reg = NOT_KNOWN, .max_align = 2 } },
};

/* For some machines pahole 1.31 and 1.32 know only the number of registers. */
static const struct machine_regs pahole_machines[] = {
	{ EM_X86_64, 0, { .nr = 6, .reg = { 5, 4, 1, 2, 8, 9, -1, -1 } } },
	{ EM_S390, 0, { .nr = 5, .one_slot = true, .reg = { 2, 3, 4, 5, 6, -1, -1, -1 } } },
	{ EM_AARCH64, 0, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 } } },
	{ EM_ARM, 0, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 } } },
	{ EM_SPARC, 0, { .nr = 6, .reg = NOT_KNOWN } },
	{ EM_SPARCV9, 0, { .nr = 6, .reg = NOT_KNOWN } },
	{ EM_ARC, 0, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_MIPS, 0, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_PPC, 0, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_PPC64, 0, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_RISCV, 0, { .nr = 8, .reg = NOT_KNOWN } },
};

static const struct regs *find_machine(const struct machine_regs *table, size_t nr,
				       uint16_t machine, unsigned int addr_size)
{
	static const struct regs none = { .reg = NOT_KNOWN };

	for (size_t i = 0; i < nr; i++) {
		if (table[i].machine == machine &&
		    (!table[i].addr_size || table[i].addr_size == addr_size))
			return &table[i].regs;
	}
	return &none;
}

const struct regs *regs_for_machine(uint16_t machine, unsigned int addr_size)
{
	return find_machine(machines, ARRAY_SIZE(machines), machine, addr_size);
}

const struct regs *regs_of_pahole(uint16_t machine)
{
	return find_machine(pahole_machines, ARRAY_SIZE(pahole_machines), machine, 0);
}
