/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc_ops.c - see reloc_ops.h
 *
 * Types of thread-local storage are skipped, because such a variable has no address. R_386_GOTOFF is
 * skipped, because gcc -m32 -fPIC has it only in expressions that add the address of the GOT, and no
 * variable has its address from such an expression. A type that is in no table is an error, because the
 * bytes that it changes would be wrong.
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
#define SUM(width) RELOC_OP(ACT_SUM, width)
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

static const uint8_t alpha_ops[] = {
	[R_ALPHA_NONE] = SKIP,
	[R_ALPHA_REFLONG] = ABS(4),
	[R_ALPHA_REFQUAD] = ABS(8),
	[R_ALPHA_DTPREL64] = SKIP,
};

/*
 * SECREL counts from the start of the section of the symbol: symbol plus addend, as debug sections have
 * the address 0.
 */
static const uint8_t parisc_ops[] = {
	[R_PARISC_NONE] = SKIP,         [R_PARISC_DIR32] = ABS(4),
	[R_PARISC_SECREL32] = ABS(4),   [R_PARISC_DIR64] = ABS(8),
	[R_PARISC_SECREL64] = ABS(8),   [R_PARISC_TLS_DTPOFF32] = SKIP,
	[R_PARISC_TLS_DTPOFF64] = SKIP,
};

static const uint8_t m68k_ops[] = {
	[R_68K_NONE] = SKIP, [R_68K_32] = ABS(4),      [R_68K_16] = ABS(2),
	[R_68K_8] = ABS(1),  [R_68K_TLS_LDO32] = SKIP,
};

/*
 * The assembler leaves the addend in the field, and r_addend is 0. Linux adds both (arch/sh/kernel/module.c), and GNU
 * ld ignores r_addend for local symbols.
 */
static const uint8_t sh_ops[] = {
	[R_SH_NONE] = SKIP,
	[R_SH_DIR32] = SUM(4),
	[R_SH_TLS_LDO_32] = SKIP,
};

/* Data is in the byte order of the file. Only operands of instructions are "middle-endian" (R_ARC_32_ME). */
static const uint8_t arc_ops[] = {
	[R_ARC_NONE] = SKIP, [R_ARC_8] = ABS(1),        [R_ARC_16] = ABS(2),
	[R_ARC_32] = ABS(4), [R_ARC_TLS_DTPOFF] = SKIP,
};

static const uint8_t microblaze_ops[] = {
	[R_MICROBLAZE_NONE] = SKIP,
	[R_MICROBLAZE_32] = ABS(4),
	[R_MICROBLAZE_64_NONE] = SKIP,
	[R_MICROBLAZE_TLSDTPREL32] = SKIP,
	[33] = SKIP, /* R_MICROBLAZE_32_NONE */
};

static const uint8_t nios2_ops[] = {
	[R_NIOS2_NONE] = SKIP,           [R_NIOS2_BFD_RELOC_32] = ABS(4),
	[R_NIOS2_BFD_RELOC_16] = ABS(2), [R_NIOS2_BFD_RELOC_8] = ABS(1),
	[R_NIOS2_TLS_DTPREL] = SKIP,
};

static const uint8_t or1k_ops[] = {
	[R_OR1K_NONE] = SKIP, [R_OR1K_32] = ABS(4),       [R_OR1K_16] = ABS(2),
	[R_OR1K_8] = ABS(1),  [R_OR1K_TLS_DTPOFF] = SKIP,
};

/*
 * As for SuperH (arch/xtensa/kernel/module.c). The field of a difference has its value; a linker that moves code
 * corrects it by the relocation.
 */
static const uint8_t xtensa_ops[] = {
	[0] = SKIP,         /* R_XTENSA_NONE */
	[1] = SUM(4),       /* R_XTENSA_32 */
	[17 ... 19] = SKIP, /* R_XTENSA_DIFF8, DIFF16, DIFF32 */
	[52] = SKIP,        /* R_XTENSA_TLS_DTPOFF */
	[57 ... 62] = SKIP, /* R_XTENSA_PDIFF8 to NDIFF32 */
};

static const uint8_t csky_ops[] = {
	[R_CKCORE_NONE] = SKIP,
	[R_CKCORE_ADDR32] = ABS(4),
	[R_CKCORE_TLS_LDO32] = SKIP,
	[R_CKCORE_TLS_DTPOFF32] = SKIP,
};

/* Qualcomm Hexagon ABI, table "Relocation types". */
static const uint8_t hexagon_ops[] = {
	[0] = SKIP,   /* R_HEX_NONE */
	[6] = ABS(4), /* R_HEX_32 */
	[7] = ABS(2), /* R_HEX_16 */
	[8] = ABS(1), /* R_HEX_8 */
	[47] = SKIP,  /* R_HEX_DTPREL_32 */
};

/* The name of a relocation gives the byte order. Files of Linux are little-endian. */
static const uint8_t ia64_ops[] = {
	[R_IA64_NONE] = SKIP,          [R_IA64_DIR32LSB] = ABS(4),    [R_IA64_DIR64LSB] = ABS(8),
	[R_IA64_SECREL32LSB] = ABS(4), [R_IA64_SECREL64LSB] = ABS(8), [R_IA64_DTPREL32LSB] = SKIP,
	[R_IA64_DTPREL64LSB] = SKIP,
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
	MACHINE(EM_ALPHA, alpha_ops),
	MACHINE(EM_PARISC, parisc_ops),
	MACHINE(EM_68K, m68k_ops),
	MACHINE(EM_SH, sh_ops),
	MACHINE(EM_ARC_COMPACT, arc_ops),
	MACHINE(EM_ARCV2, arc_ops),
	MACHINE(EM_MICROBLAZE, microblaze_ops),
	MACHINE(EM_ALTERA_NIOS2, nios2_ops),
	MACHINE(EM_OPENRISC, or1k_ops),
	MACHINE(EM_XTENSA, xtensa_ops),
	MACHINE(EM_CSKY, csky_ops),
	MACHINE(EM_QDSP6, hexagon_ops),
	MACHINE(EM_IA_64, ia64_ops),
	MACHINE(EM_BPF, bpf_ops),
};

const struct reloc_ops *reloc_ops_of(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return NULL;
}
