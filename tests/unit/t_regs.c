/* SPDX-License-Identifier: GPL-2.0-only */
/* t_regs.c - argument registers per machine */
#include "encoder/unit/regs.h"

#include "tests/lib/testlib.h"

#include <elf.h>

static void check_machine(const struct regs *r, uint8_t nr, bool one_slot, const int8_t *known)
{
	CHECK_EQ(r->nr, nr);
	CHECK_EQ(r->one_slot, one_slot);
	for (size_t i = 0; i < REGS_MAX; i++)
		CHECK_EQ(r->reg[i], known && i < nr ? known[i] : -1);
}

TEST(pahole_knows_registers_of_four_machines)
{
	static const int8_t x86[] = { 5, 4, 1, 2, 8, 9 }, s390[] = { 2, 3, 4, 5, 6 };
	static const int8_t arm[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	check_machine(regs_of_pahole(EM_X86_64), 6, false, x86);
	check_machine(regs_of_pahole(EM_S390), 5, true, s390);
	check_machine(regs_of_pahole(EM_AARCH64), 8, false, arm);
	check_machine(regs_of_pahole(EM_ARM), 8, false, arm);
}

TEST(pahole_knows_only_the_number_for_others)
{
	static const uint16_t eight[] = { EM_ARC, EM_MIPS, EM_PPC, EM_PPC64, EM_RISCV };

	for (size_t i = 0; i < ARRAY_SIZE(eight); i++)
		check_machine(regs_of_pahole(eight[i]), 8, false, NULL);
	check_machine(regs_of_pahole(EM_SPARC), 6, false, NULL);
	check_machine(regs_of_pahole(EM_SPARCV9), 6, false, NULL);
	check_machine(regs_of_pahole(EM_386), 0, false, NULL);
	check_machine(regs_of_pahole(258), 0, false, NULL);
}

/* The first and the last register of each machine, which follow each other but on x86-64. */
TEST(registers_of_every_machine_are_known)
{
	static const struct {
		uint16_t machine;
		uint8_t addr_size, nr, first, last;
	} rows[] = {
		{ EM_X86_64, 8, 6, 5, 9 },       { EM_X86_64, 4, 6, 5, 9 },
		{ EM_S390, 8, 5, 2, 6 },         { EM_AARCH64, 8, 8, 0, 7 },
		{ EM_ARM, 4, 4, 0, 3 },          { EM_RISCV, 4, 8, 10, 17 },
		{ EM_RISCV, 8, 8, 10, 17 },      { 258 /* LoongArch */, 8, 8, 4, 11 },
		{ EM_PPC, 4, 8, 3, 10 },         { EM_PPC64, 8, 8, 3, 10 },
		{ EM_MIPS, 4, 4, 4, 7 },         { EM_MIPS, 8, 8, 4, 11 },
		{ EM_SPARC, 4, 6, 24, 29 },      { EM_SPARC32PLUS, 4, 6, 24, 29 },
		{ EM_SPARCV9, 8, 6, 24, 29 },    { EM_PARISC, 4, 4, 26, 23 },
		{ EM_PARISC, 8, 8, 26, 19 },     { EM_ALPHA, 8, 6, 16, 21 },
		{ EM_SH, 4, 4, 4, 7 },           { EM_ARC_COMPACT, 4, 8, 0, 7 },
		{ EM_ARCV2, 4, 8, 0, 7 },        { EM_MICROBLAZE, 4, 6, 5, 10 },
		{ EM_ALTERA_NIOS2, 4, 4, 4, 7 }, { EM_OPENRISC, 4, 6, 3, 8 },
		{ EM_XTENSA, 4, 6, 2, 7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct regs *r = regs_for_machine(rows[i].machine, rows[i].addr_size);

		CHECK_EQ(r->nr, rows[i].nr);
		CHECK_EQ(r->reg[0], rows[i].first);
		CHECK_EQ(r->reg[r->nr - 1], rows[i].last);
		for (size_t k = r->nr; k < REGS_MAX; k++)
			CHECK_EQ(r->reg[k], -1);
		CHECK_EQ(r->window, r->reg[0] == 24 ? 16 : 0);
	}
}

TEST(a_machine_without_a_rule_has_none)
{
	static const uint16_t others[] = { EM_386, EM_68K, EM_CSKY, EM_IA_64, EM_QDSP6, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		check_machine(regs_for_machine(others[i], 4), 0, false, NULL);
}
