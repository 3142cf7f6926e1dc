/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_regs.c - does a function still take its parameters as the source says?
 *
 * An optimizer may drop a parameter, or pass it in another register, and a BPF program
 * that attaches to the function would then read the wrong one. DWARF tells where each
 * parameter arrives, the ABI where it should (docs/spec/encoding.md 8.4). The rule is
 * pahole's to the letter, including that it takes no floating point register for right
 * (quirk Q12) and that one struct among the parameters makes it silent.
 *
 * clang says when it has changed a signature, and gcc when it gives the function's symbol
 * a suffix. With the feature true_signature the first is described as it has become
 * (docs/spec/encoding.md 8.9).
 */
#include "encoder/unit/unit_encoder.h"

/* What follows a parameter to its struct looks through these only. */
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

/* Registers that a parameter takes. */
static unsigned int slots(const struct unit_encoder *m, const struct cu_param *p)
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
static bool unexpected_in_clang(const struct unit_encoder *m, const struct cu_func *f)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *p = func_params(m, f), *end = p + f->nr_params;
	unsigned int i = 0;
	bool unexpected = false;

	for (; p < end; p++) {
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

/* Walk the parameters; set the fate of each that is gone, and say if one is elsewhere. */
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
 * A parameter that arrives in register @i as it should, though maybe not all of it. Returns
 * how many registers it takes.
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
 * The same for a function that takes other parameters than its source says: which ones? A
 * parameter that is no longer passed takes no register, unless the next one is where it
 * would be behind it.
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

		/* wherever it is found, it is called by what is left of it */
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
	else if (changed && feature_on(m->run->opts, FEATURE_TRUE_SIGNATURE))
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
