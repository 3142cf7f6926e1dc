/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frag_regs.c - does a function still take its parameters as the source says?
 *
 * An optimizer may drop a parameter, or pass it in another register, and a BPF program
 * that attaches to the function would then read the wrong one. DWARF tells where each
 * parameter arrives, the ABI where it should (spec pahole-encoder 8.4). The rule is
 * pahole's to the letter, including that it takes no floating point register for right
 * (Q12) and that one struct among the parameters makes it silent.
 */
#include "encoder/frag_maker.h"

/* What follows a parameter to its struct looks through these only. */
static bool is_struct(const struct cu *cu, cu_tid t)
{
	for (size_t steps = 0; steps < cu->types.nr; steps++) {
		const struct cu_type *type = &cu->types.items[t];

		if (type->kind == BTF_STRUCT)
			return true;
		if (type->kind != BTF_CONST && type->kind != BTF_TYPEDEF)
			return false;
		t = type->ref;
	}
	return false;
}

/* Registers that a parameter takes. */
static unsigned int slots(const struct frag_maker *m, const struct cu_param *p)
{
	unsigned int addr_size = m->cu->addr_size;

	if (p->bytes <= addr_size || m->run->regs->one_slot)
		return 1;
	return (p->bytes + addr_size - 1u) / addr_size;
}

/* The register of argument slot @i, CU_NO_REG if nobody knows. */
static int expected_reg(const struct regs *regs, unsigned int i)
{
	return i < regs->nr ? regs->reg[i] : CU_NO_REG;
}

/* clang keeps the signature unless it says otherwise, so a wrong register is enough. */
static bool unexpected_in_clang(const struct frag_maker *m, const struct cu_func *f)
{
	const struct regs *regs = m->run->regs;
	unsigned int i = 0;
	bool unexpected = false;

	for (int32_t n = f->params; n != CU_NO_PARAM; n = m->cu->params.items[n].next) {
		const struct cu_param *p = &m->cu->params.items[n];
		unsigned int nr = slots(m, p);
		bool found = false;

		if (p->flags & CU_PARAM_IN_MEMORY)
			continue;
		if (i >= regs->nr)
			break;
		for (unsigned int s = i; s < i + nr; s++)
			found |= expected_reg(regs, s) == p->reg;
		unexpected |= p->reg != CU_NO_REG && !found;
		i += nr;
	}
	return unexpected;
}

/* Walk the parameters; set @optimized for each that is gone, and say if one is elsewhere. */
static bool walk_params(const struct frag_maker *m, const struct cu_func *f, bool *optimized)
{
	const struct regs *regs = m->run->regs;
	unsigned int i = 0, n = 0;
	bool unexpected = false;

	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next, n++) {
		const struct cu_param *p = &m->cu->params.items[at];
		unsigned int step = p->flags & CU_PARAM_IN_MEMORY ? 1 : slots(m, p);

		optimized[n] = false;
		if (p->flags & CU_PARAM_HAS_LOC) {
			int expected = expected_reg(regs, i);

			if (i >= regs->nr)
				continue;
			if (p->reg == CU_NO_REG)
				optimized[n] = true;
			else if (expected != CU_NO_REG && expected != p->reg)
				unexpected = true;
		} else if ((p->flags & CU_PARAM_HAS_CONST) && !m->cu->clang) {
			optimized[n] = true;
		}
		i += step;
	}
	return unexpected;
}

uint32_t frag_param_flags(const struct frag_maker *m, const struct cu_func *f, bool *optimized)
{
	bool changed = f->flags & CU_FUNC_CHANGED, unexpected;
	bool has_struct = false;
	uint32_t flags = 0;
	unsigned int n = 0;

	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next)
		optimized[n++] = false;
	if (m->cu->clang && !changed)
		unexpected = unexpected_in_clang(m, f);
	else
		unexpected = walk_params(m, f, optimized);

	n = 0;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next, n++) {
		const struct cu_param *p = &m->cu->params.items[at];

		has_struct |= is_struct(m->cu, p->type);
		if (optimized[n] || !(p->flags & CU_PARAM_HAS_LOC))
			flags |= FRAG_FUNC_OPTIMIZED;
	}
	if (unexpected && !has_struct)
		flags |= FRAG_FUNC_UNEXPECTED;
	return flags;
}
