/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_regs.c - detect functions that do not take their parameters as in the source
 *
 * An optimizer may drop a parameter or pass it in another register. A BPF program that attaches to the
 * function would then read the wrong one. DWARF has the register in which each parameter arrives,
 * the ABI the one in which it should (docs/spec/encoding.md 8.4). The rule is exactly pahole's: it
 * accepts no floating point register, does not count the address of a result in memory (quirk Q12), and
 * does not apply if a parameter is a struct.
 *
 * clang marks functions whose signature it changed; gcc gives their symbols a suffix. With the feature
 * true_signature the changed signature is described (docs/spec/encoding.md 8.9).
 */
#include "encoder/unit/unit_encoder.h"

/* pahole follows only const and typedef to a struct. */
static bool is_struct(const struct cu *cu, unit_tid t)
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

/* The number of registers that a parameter takes. */
static unsigned int slots(const struct unit_encoder *m, const struct cu_param *p)
{
	unsigned int addr_size = m->cu->addr_size;

	if (p->bytes <= addr_size || m->run->regs->one_slot)
		return 1;
	return (p->bytes + addr_size - 1u) / addr_size;
}

/* The register of argument @i, CU_NO_REG if it is not known. */
static int expected_reg(const struct regs *regs, unsigned int i)
{
	return i < regs->nr ? regs->reg[i] : CU_NO_REG;
}

/* clang marks changed signatures, so for others only a wrong register counts. */
static bool unexpected_in_clang(const struct unit_encoder *m, const struct cu_func *f)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *params = func_params(m, f);
	unsigned int i = 0;
	bool unexpected = false;

	for (uint32_t n = 0; n < f->nr_params; n++) {
		const struct cu_param *p = &params[n];
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

/* Set the fate of each parameter that is gone. Returns whether one is in a wrong register. */
static bool walk_params(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *params = func_params(m, f);
	unsigned int i = 0;
	bool unexpected = false;

	for (uint32_t n = 0; n < f->nr_params; n++) {
		const struct cu_param *p = &params[n];
		unsigned int step = p->flags & CU_PARAM_IN_MEMORY ? 1 : slots(m, p);

		if (p->flags & CU_PARAM_HAS_LOC) {
			int expected = expected_reg(regs, i);

			if (i >= regs->nr)
				continue;
			if (p->reg == CU_NO_REG)
				fate[n] = PARAM_OPTIMIZED;
			else if (expected != CU_NO_REG && expected != p->reg)
				unexpected = true;
		} else if ((p->flags & CU_PARAM_HAS_CONST) && !m->cu->clang) {
			fate[n] = PARAM_OPTIMIZED;
		}
		i += step;
	}
	return unexpected;
}

/*
 * A parameter that arrives in the right register, all of it or one member. Returns the number of
 * registers that it takes.
 */
static unsigned int whole_or_member(const struct unit_encoder *m, const struct cu_param *p,
				    bool next_fits, uint8_t *fate)
{
	if (!p->first_fields && !p->later_fields)
		return p->flags & CU_PARAM_IN_MEMORY ? 1 : slots(m, p);
	if (p->first_fields && p->later_fields)
		return slots(m, p);
	if (next_fits) {
		*fate = 0;
		return slots(m, p);
	}
	if (p->member) {
		*fate |= PARAM_MEMBER_TYPE;
		return 1;
	}
	return p->flags & CU_PARAM_IN_MEMORY ? 1 : slots(m, p);
}

/*
 * The same for a function with a changed signature. A parameter that is not passed takes no register,
 * unless the next one is in the register after it.
 */
static bool walk_changed(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *params = func_params(m, f);
	unsigned int i = 0;
	bool unexpected = false;

	for (uint32_t n = 0; n < f->nr_params; n++) {
		const struct cu_param *p = &params[n];
		unsigned int nr = slots(m, p);
		int expected = expected_reg(regs, i);
		int behind = n + 1 < f->nr_params ? p[1].reg : CU_NO_REG;
		bool next_fits = behind != CU_NO_REG && behind == expected_reg(regs, i + nr);

		/* a parameter of which one member is left has the name of both */
		fate[n] = p->member ? PARAM_MEMBER_NAME : 0;
		if (!(p->flags & CU_PARAM_HAS_LOC)) {
			if (next_fits)
				i += nr;
			else
				fate[n] |= PARAM_OPTIMIZED;
		} else if (p->flags & CU_PARAM_LITERAL) {
			fate[n] |= PARAM_OPTIMIZED;
		} else if (i >= regs->nr) {
			continue;
		} else if (p->flags & CU_PARAM_STACK) {
			if (p->flags & CU_PARAM_IN_MEMORY)
				continue;
			unexpected = true;
			i += nr;
		} else if (p->reg == CU_NO_REG || (expected != CU_NO_REG && expected != p->reg)) {
			unexpected = true;
			i += p->flags & CU_PARAM_IN_MEMORY ? 1 : nr;
		} else {
			i += whole_or_member(m, p, next_fits, &fate[n]);
		}
	}
	return unexpected;
}

uint32_t param_flags(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct cu_param *params = func_params(m, f);
	bool changed = f->flags & CU_FUNC_CHANGED, unexpected, has_struct = false;
	uint32_t flags = 0;

	memset(fate, 0, f->nr_params);
	if (m->cu->clang && !changed)
		unexpected = unexpected_in_clang(m, f);
	else if (changed && m->true_signature)
		unexpected = walk_changed(m, f, fate);
	else
		unexpected = walk_params(m, f, fate);

	for (uint32_t i = 0; i < f->nr_params; i++) {
		has_struct |= is_struct(m->cu, param_type(m, &params[i], fate[i]));
		if ((fate[i] & PARAM_OPTIMIZED) || !(params[i].flags & CU_PARAM_HAS_LOC))
			flags |= UNIT_FUNC_OPTIMIZED;
	}
	if (unexpected && !has_struct)
		flags |= UNIT_FUNC_UNEXPECTED;
	return flags;
}
