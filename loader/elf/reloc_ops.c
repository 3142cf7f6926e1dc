/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc_ops.c - see reloc_ops.h
 *
 * Types of thread-local storage are skipped, because such a variable has no address. R_386_GOTOFF is
 * skipped, because gcc -m32 -fPIC has it only in expressions that add the address of the GOT, and no
 * variable is placed by such an expression. A type that is in no table is an error, because the
 * bytes at its place would be wrong.
 *
 * Types and machines that an elf.h lacks are numbers: glibc 2.36 lacks some of RISC-V and all of
 * LoongArch, glibc 2.43 R_AARCH64_P32_ABS32.
 */
#include "loader/elf/reloc_ops.h"

#include "base/bytes.h"

#include <elf.h>
#include <stddef.h>

#define SKIP RELOC_SKIP
#define ABS(width) RELOC_OP(ACT_ABS, width)
#define ADD(width) RELOC_OP(ACT_ADD, width)
#define SUB(width) RELOC_OP(ACT_SUB, width)
#define OP(action, width) RELOC_OP(action, width)

static const uint8_t x86_64_ops[] = {
	[R_X86_64_NONE] = SKIP,     [R_X86_64_64] = ABS(8),     [R_X86_64_32] = ABS(4),
	[R_X86_64_32S] = ABS(4),    [R_X86_64_16] = ABS(2),     [R_X86_64_8] = ABS(1),
	[R_X86_64_DTPOFF64] = SKIP, [R_X86_64_DTPOFF32] = SKIP,
};

static const uint8_t i386_ops[] = {
	[R_386_NONE] = SKIP, [R_386_32] = ABS(4),       [R_386_16] = ABS(2),
	[R_386_8] = ABS(1),  [R_386_TLS_LDO_32] = SKIP, [R_386_GOTOFF] = SKIP,
};

static const uint8_t aarch64_ops[] = {
	[R_AARCH64_NONE] = SKIP,
	[1] = ABS(4), /* R_AARCH64_P32_ABS32 */
	[256] = SKIP, /* the number that NONE had in drafts */
	[R_AARCH64_ABS64] = ABS(8),
	[R_AARCH64_ABS32] = ABS(4),
	[R_AARCH64_ABS16] = ABS(2),
	[R_AARCH64_TLS_DTPREL] = SKIP,
};

static const uint8_t arm_ops[] = {
	[R_ARM_NONE] = SKIP,   [R_ARM_ABS32] = ABS(4),   [R_ARM_ABS16] = ABS(2),
	[R_ARM_ABS8] = ABS(1), [R_ARM_TLS_LDO32] = SKIP,
};

static const uint8_t s390_ops[] = {
	[R_390_NONE] = SKIP,      [R_390_8] = ABS(1),  [R_390_16] = ABS(2),
	[R_390_32] = ABS(4),      [R_390_64] = ABS(8), [R_390_TLS_LDO32] = SKIP,
	[R_390_TLS_LDO64] = SKIP,
};

static const uint8_t ppc64_ops[] = {
	[R_PPC64_NONE] = SKIP,      [R_PPC64_ADDR64] = ABS(8),  [R_PPC64_UADDR64] = ABS(8),
	[R_PPC64_ADDR32] = ABS(4),  [R_PPC64_UADDR32] = ABS(4), [R_PPC64_ADDR16] = ABS(2),
	[R_PPC64_UADDR16] = ABS(2), [R_PPC64_DTPREL64] = SKIP,
};

static const uint8_t ppc_ops[] = {
	[R_PPC_NONE] = SKIP,     [R_PPC_ADDR32] = ABS(4),  [R_PPC_UADDR32] = ABS(4),
	[R_PPC_ADDR16] = ABS(2), [R_PPC_UADDR16] = ABS(2), [R_PPC_DTPREL32] = SKIP,
};

static const uint8_t riscv_ops[] = {
	[R_RISCV_NONE] = SKIP,
	[R_RISCV_32] = ABS(4),
	[R_RISCV_64] = ABS(8),
	[R_RISCV_TLS_DTPREL32] = SKIP,
	[R_RISCV_TLS_DTPREL64] = SKIP,
	[R_RISCV_ADD8] = ADD(1),
	[R_RISCV_ADD16] = ADD(2),
	[R_RISCV_ADD32] = ADD(4),
	[R_RISCV_ADD64] = ADD(8),
	[R_RISCV_SUB8] = SUB(1),
	[R_RISCV_SUB16] = SUB(2),
	[R_RISCV_SUB32] = SUB(4),
	[R_RISCV_SUB64] = SUB(8),
	[R_RISCV_ALIGN] = SKIP,
	[R_RISCV_RELAX] = SKIP,
	[R_RISCV_SUB6] = OP(ACT_SUB6, 1),
	[R_RISCV_SET6] = OP(ACT_SET6, 1),
	[R_RISCV_SET8] = ABS(1),
	[R_RISCV_SET16] = ABS(2),
	[R_RISCV_SET32] = ABS(4),
	[60] = OP(ACT_SET_ULEB, 0), /* R_RISCV_SET_ULEB128 */
	[61] = OP(ACT_SUB_ULEB, 0), /* R_RISCV_SUB_ULEB128 */
};

static const uint8_t mips_ops[] = {
	[R_MIPS_NONE] = SKIP, [R_MIPS_16] = ABS(2),         [R_MIPS_32] = ABS(4),
	[R_MIPS_64] = ABS(8), [R_MIPS_TLS_DTPREL32] = SKIP, [R_MIPS_TLS_DTPREL64] = SKIP,
};

static const uint8_t sparc_ops[] = {
	[R_SPARC_NONE] = SKIP,         [R_SPARC_8] = ABS(1),    [R_SPARC_16] = ABS(2),
	[R_SPARC_32] = ABS(4),         [R_SPARC_64] = ABS(8),   [R_SPARC_UA16] = ABS(2),
	[R_SPARC_UA32] = ABS(4),       [R_SPARC_UA64] = ABS(8), [R_SPARC_TLS_DTPOFF32] = SKIP,
	[R_SPARC_TLS_DTPOFF64] = SKIP,
};

/* LoongArch ELF psABI, table "Relocations". */
static const uint8_t loongarch_ops[] = {
	[0] = SKIP,    /* R_LARCH_NONE */
	[1] = ABS(4),  /* R_LARCH_32 */
	[2] = ABS(8),  /* R_LARCH_64 */
	[8] = SKIP,    /* R_LARCH_TLS_DTPREL32 */
	[9] = SKIP,    /* R_LARCH_TLS_DTPREL64 */
	[47] = ADD(1), /* R_LARCH_ADD8 */
	[48] = ADD(2),
	[49] = ADD(3),
	[50] = ADD(4),
	[51] = ADD(8),
	[52] = SUB(1), /* R_LARCH_SUB8 */
	[53] = SUB(2),
	[54] = SUB(3),
	[55] = SUB(4),
	[56] = SUB(8),
	[100] = SKIP, /* R_LARCH_RELAX */
	[102] = SKIP, /* R_LARCH_ALIGN */
	[105] = OP(ACT_ADD6, 1),
	[106] = OP(ACT_SUB6, 1),
	[107] = OP(ACT_ADD_ULEB, 0),
	[108] = OP(ACT_SUB_ULEB, 0),
};

/* Documentation/bpf/llvm_reloc.rst of the kernel. */
static const uint8_t bpf_ops[] = {
	[0] = SKIP,   /* R_BPF_NONE */
	[2] = ABS(8), /* R_BPF_64_ABS64 */
	[3] = ABS(4), /* R_BPF_64_ABS32 */
	[4] = ABS(4), /* R_BPF_64_NODYLD32 */
};

#define MACHINE(number, table)                   \
	{                                        \
		number, ARRAY_SIZE(table), table \
	}

static const struct reloc_ops machines[] = {
	MACHINE(EM_X86_64, x86_64_ops),
	MACHINE(EM_386, i386_ops),
	MACHINE(EM_AARCH64, aarch64_ops),
	MACHINE(EM_ARM, arm_ops),
	MACHINE(EM_S390, s390_ops),
	MACHINE(EM_PPC64, ppc64_ops),
	MACHINE(EM_PPC, ppc_ops),
	MACHINE(EM_RISCV, riscv_ops),
	MACHINE(EM_MIPS, mips_ops),
	MACHINE(EM_SPARC, sparc_ops),
	MACHINE(EM_SPARC32PLUS, sparc_ops),
	MACHINE(EM_SPARCV9, sparc_ops),
	MACHINE(258 /* EM_LOONGARCH */, loongarch_ops),
	MACHINE(EM_BPF, bpf_ops),
};

const struct reloc_ops *reloc_ops_of(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return NULL;
}
