/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reg_names.c - see reg_names.h
 *
 * Numbers are those of the ABI documents in docs/spec/encoding.md 8.11; vector registers, which no integer or
 * pointer is in, are left out where several sets of them overlap. bpftrace reads struct pt_regs of the kernel, which
 * has general registers only.
 */
#include "loader/elf/reg_names.h"

#include "base/compiler.h"

#include <elf.h>

enum { LOONGARCH = 258 };

static const char *const x86_64_names[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"
};
static const char *const i386_names[] = { "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi" };
static const char *const riscv_names[] = { "zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
					   "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
					   "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
					   "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6" };
static const char *const arm_names[] = { "sp", "lr", "pc" };
static const char *const aarch64_names[] = { "sp" };
static const char *const s390_floats[] = { "f0", "f2",  "f4",  "f6",  "f1", "f3",  "f5",  "f7",
					   "f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15" };
static const char *const sparc_names[] = {
	"g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "o0", "o1", "o2",
	"o3", "o4", "o5", "sp", "o7", "l0", "l1", "l2", "l3", "l4", "l5",
	"l6", "l7", "i0", "i1", "i2", "i3", "i4", "i5", "fp", "i7",
};
static const char *const bpftrace_x86_64[] = { "ax", "dx", "cx", "bx", "si", "di", "bp", "sp" };
static const char *const bpftrace_arm[] = { "fp", "ip", "sp", "lr", "pc" };

/* Registers with consecutive numbers: their names, or what they begin with, followed by numbers. */
struct reg_range {
	uint16_t machine;
	uint16_t first, nr;
	const char *const *names; /* NULL: @prefix and a number from @from on */
	const char *prefix;
	uint8_t from;
};

#define NAMED(machine, first, names)                              \
	{                                                         \
		machine, first, ARRAY_SIZE(names), names, NULL, 0 \
	}
#define NUMBERED(machine, first, nr, prefix, from)     \
	{                                              \
		machine, first, nr, NULL, prefix, from \
	}

static const struct reg_range ranges[] = {
	NAMED(EM_X86_64, 0, x86_64_names),     NUMBERED(EM_X86_64, 8, 8, "r", 8),
	NUMBERED(EM_X86_64, 17, 16, "xmm", 0), NAMED(EM_386, 0, i386_names),
	NUMBERED(EM_386, 21, 8, "xmm", 0),     NUMBERED(EM_AARCH64, 0, 31, "x", 0),
	NAMED(EM_AARCH64, 31, aarch64_names),  NUMBERED(EM_AARCH64, 64, 32, "v", 0),
	NUMBERED(EM_ARM, 0, 13, "r", 0),       NAMED(EM_ARM, 13, arm_names),
	NUMBERED(EM_ARM, 256, 32, "d", 0),     NAMED(EM_RISCV, 0, riscv_names),
	NUMBERED(EM_RISCV, 32, 32, "f", 0),    NUMBERED(EM_S390, 0, 16, "r", 0),
	NAMED(EM_S390, 16, s390_floats),       NUMBERED(EM_PPC64, 0, 32, "r", 0),
	NUMBERED(EM_PPC64, 32, 32, "f", 0),    NUMBERED(EM_PPC, 0, 32, "r", 0),
	NUMBERED(EM_PPC, 32, 32, "f", 0),      NUMBERED(LOONGARCH, 0, 32, "r", 0),
	NUMBERED(LOONGARCH, 32, 32, "f", 0),   NUMBERED(EM_MIPS, 0, 32, "r", 0),
	NUMBERED(EM_MIPS, 32, 32, "f", 0),     NAMED(EM_SPARC, 0, sparc_names),
	NAMED(EM_SPARC32PLUS, 0, sparc_names), NAMED(EM_SPARCV9, 0, sparc_names),
};

static const struct reg_range bpftrace_ranges[] = {
	NAMED(EM_X86_64, 0, bpftrace_x86_64), NUMBERED(EM_X86_64, 8, 8, "r", 8),
	NUMBERED(EM_AARCH64, 0, 31, "r", 0),  NAMED(EM_AARCH64, 31, aarch64_names),
	NUMBERED(EM_ARM, 0, 11, "r", 0),      NAMED(EM_ARM, 11, bpftrace_arm),
	NAMED(EM_RISCV, 0, riscv_names),      NUMBERED(EM_S390, 0, 16, "r", 0),
	NUMBERED(EM_PPC64, 0, 32, "r", 0),    NUMBERED(LOONGARCH, 0, 32, "r", 0),
};

static bool put(struct text *out, const struct reg_range *table, size_t nr, uint16_t machine,
		uint32_t number)
{
	for (const struct reg_range *r = table; r < table + nr; r++) {
		if (r->machine != machine || number < r->first || number - r->first >= r->nr)
			continue;
		if (r->names)
			text_str(out, r->names[number - r->first]);
		else
			text_printf(out, "%s%u", r->prefix, number - r->first + r->from);
		return true;
	}
	return false;
}

void reg_name(struct text *out, uint16_t machine, uint32_t number)
{
	if (!put(out, ranges, ARRAY_SIZE(ranges), machine, number))
		text_printf(out, "reg%u", number);
}

bool reg_name_bpftrace(struct text *out, uint16_t machine, uint32_t number)
{
	/* RISC-V has no zero register in struct pt_regs */
	if (machine == EM_RISCV && !number)
		return false;
	return put(out, bpftrace_ranges, ARRAY_SIZE(bpftrace_ranges), machine, number);
}
