/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regs.c - see regs.h
 *
 * The register numbers are from the DWARF ABI of each machine. For some machines pahole 1.31 knows only
 * the number of registers for parameters. For these the table has no register numbers either: with
 * them, btfenc would omit functions that pahole encodes.
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
	struct regs regs;
};

static const struct machine_regs machines[] = {
	/* rdi, rsi, rdx, rcx, r8, r9 */
	{ EM_X86_64, { .nr = 6, .reg = { 5, 4, 1, 2, 8, 9, -1, -1 } } },
	/* larger ones are passed by reference */
	{ EM_S390, { .nr = 5, .one_slot = true, .reg = { 2, 3, 4, 5, 6, -1, -1, -1 } } },
	{ EM_AARCH64, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 } } },
	{ EM_ARM, { .nr = 8, .reg = { 0, 1, 2, 3, 4, 5, 6, 7 } } },
	{ EM_SPARC, { .nr = 6, .reg = NOT_KNOWN } },
	{ EM_SPARCV9, { .nr = 6, .reg = NOT_KNOWN } },
	{ EM_ARC, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_MIPS, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_PPC, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_PPC64, { .nr = 8, .reg = NOT_KNOWN } },
	{ EM_RISCV, { .nr = 8, .reg = NOT_KNOWN } },
};

static const struct regs none = { .reg = NOT_KNOWN };

const struct regs *regs_for_machine(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return &machines[i].regs;
	return &none;
}
