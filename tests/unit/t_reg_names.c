/* SPDX-License-Identifier: GPL-2.0-only */
/* t_reg_names.c - registers have the names that gdb and bpftrace have for them */
#include "loader/elf/reg_names.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <elf.h>

static const struct {
	const char *name; /* as gdb has it */
	uint16_t machine;
	uint32_t number;
	const char *bpftrace; /* NULL: none */
} cases[] = {
	{ "rax", EM_X86_64, 0, "ax" },    { "rdx", EM_X86_64, 1, "dx" },
	{ "rdi", EM_X86_64, 5, "di" },    { "rsp", EM_X86_64, 7, "sp" },
	{ "r8", EM_X86_64, 8, "r8" },     { "r15", EM_X86_64, 15, "r15" },
	{ "reg16", EM_X86_64, 16, NULL }, { "xmm0", EM_X86_64, 17, NULL },
	{ "xmm15", EM_X86_64, 32, NULL }, { "ecx", EM_386, 1, NULL },
	{ "edi", EM_386, 7, NULL },       { "x0", EM_AARCH64, 0, "r0" },
	{ "x30", EM_AARCH64, 30, "r30" }, { "sp", EM_AARCH64, 31, "sp" },
	{ "v31", EM_AARCH64, 95, NULL },  { "r11", EM_ARM, 11, "fp" },
	{ "sp", EM_ARM, 13, "sp" },       { "d0", EM_ARM, 256, NULL },
	{ "zero", EM_RISCV, 0, NULL },    { "sp", EM_RISCV, 2, "sp" },
	{ "a0", EM_RISCV, 10, "a0" },     { "t6", EM_RISCV, 31, "t6" },
	{ "r15", EM_S390, 15, "r15" },    { "f2", EM_S390, 17, NULL },
	{ "r3", EM_PPC64, 3, "r3" },      { "f1", EM_PPC64, 33, NULL },
	{ "r4", 258, 4, "r4" },           { "r4", EM_MIPS, 4, NULL },
	{ "i0", EM_SPARCV9, 24, NULL },   { "reg4294967294", EM_X86_64, UINT32_MAX - 1, NULL },
	{ "reg5", EM_NONE, 5, NULL },
};

TEST_EACH(registers_have_names, cases, c)
{
	CLEANUP(text_release) struct text gdb = { 0 };
	CLEANUP(text_release) struct text bpftrace = { 0 };

	reg_name(&gdb, c->machine, c->number);
	CHECK_STR(text_string(&gdb), c->name);
	CHECK_EQ(reg_name_bpftrace(&bpftrace, c->machine, c->number), c->bpftrace != NULL);
	CHECK_STR(text_string(&bpftrace), c->bpftrace ? c->bpftrace : "");
}
