/* SPDX-License-Identifier: GPL-2.0-only */
/* t_regs.c - argument registers per machine */
#include "encoder/unit/regs.h"

#include "tests/lib/testlib.h"

#include <elf.h>

static void check_machine(uint16_t machine, uint8_t nr, bool one_slot, const int8_t *known)
{
	const struct regs *r = regs_for_machine(machine);

	CHECK_EQ(r->nr, nr);
	CHECK_EQ(r->one_slot, one_slot);
	for (size_t i = 0; i < REGS_MAX; i++)
		CHECK_EQ(r->reg[i], known && i < nr ? known[i] : -1);
}

TEST(registers_are_known_for_four_machines)
{
	static const int8_t x86[] = { 5, 4, 1, 2, 8, 9 }, s390[] = { 2, 3, 4, 5, 6 };
	static const int8_t arm[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	check_machine(EM_X86_64, 6, false, x86);
	check_machine(EM_S390, 5, true, s390);
	check_machine(EM_AARCH64, 8, false, arm);
	check_machine(EM_ARM, 8, false, arm);
}

TEST(only_their_number_is_known_for_others)
{
	static const uint16_t eight[] = { EM_ARC, EM_MIPS, EM_PPC, EM_PPC64, EM_RISCV };

	for (size_t i = 0; i < ARRAY_SIZE(eight); i++)
		check_machine(eight[i], 8, false, NULL);
	check_machine(EM_SPARC, 6, false, NULL);
	check_machine(EM_SPARCV9, 6, false, NULL);
}

TEST(an_unknown_machine_has_none)
{
	check_machine(EM_386, 0, false, NULL);
	check_machine(258, 0, false, NULL);
	check_machine(0xffff, 0, false, NULL);
}
