/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_regs.c - detect functions that do not take their parameters as in the source
 *
 * An optimizer may drop a parameter or pass it in another register. A BPF program that attaches to the
 * function would then read the wrong one. DWARF has the register in which each parameter arrives,
 * the ABI the one in which it should (docs/spec/encoding.md 8.4). At the levels of pahole the rule is
 * exactly pahole's: it accepts no floating point register, does not count the address of a result in
 * memory (quirk Q12), and knows the registers of four machines (Q63). By default a function is only
 * suspected if the ABI gives the register to another argument, whatever registers the arguments before
 * take. Neither applies if a parameter is a struct.
 *
 * clang marks functions whose signature it changed; gcc gives their symbols a suffix. With the feature
 * true_signature the changed signature is described (docs/spec/encoding.md 8.9).
 */
#include "encoder/unit/unit_encoder.h"

#include "loader/dwarf/dw_const.h"

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

static bool is_integer_encoding(uint8_t encoding)
{
	return encoding == DW_ATE_signed || encoding == DW_ATE_unsigned ||
	       encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char ||
	       encoding == DW_ATE_boolean;
}

/*
 * Is @type an integer, pointer or enumeration? Such arguments take general registers: one if they have at most
 * the size of an address.
 */
static bool is_integer(const struct cu *cu, unit_tid type)
{
	const struct cu_type *t = cu_bare_type(cu, type);

	return t->kind == BTF_PTR || t->kind == BTF_ENUM ||
	       (t->kind == BTF_INT && is_integer_encoding(t->encoding));
}

static bool takes_one_register(const struct cu *cu, unit_tid type)
{
	return is_integer(cu, type) && cu_type_size(cu, type) <= cu->addr_size;
}

/* Is the result certainly not in memory? Its address would take a register of the arguments. */
static bool result_in_register(const struct cu *cu, unit_tid type)
{
	return !type || takes_one_register(cu, type);
}

/* The lowest and the highest number of the register where an argument may start. */
struct span {
	unsigned int first, last;
};

/* Behind an argument of @type (docs/spec/encoding.md 8.11: the bounds hold for every ABI). */
static struct span span_behind(const struct cu *cu, struct span at, unit_tid type, unsigned int nr)
{
	uint64_t words = (cu_type_size(cu, type) + cu->addr_size - 1) / cu->addr_size;

	if (takes_one_register(cu, type))
		return (struct span){ at.first + 1, at.last + 1 };
	/* two registers, whose first may have to be an even one, or its address; on the stack if it does not fit */
	if (is_integer(cu, type) && at.last + 3 <= nr)
		return (struct span){ at.first + 1, at.last + 3 };
	return (struct span){ at.first, at.last + (unsigned int)(words < nr ? words : nr) + 3 };
}

static bool arrives_in(const struct regs *regs, struct span at, int reg)
{
	for (unsigned int i = at.first; i <= at.last && i < regs->nr; i++) {
		if (reg == regs->reg[i] || reg == regs->reg[i] - regs->window)
			return true;
	}
	return false;
}

/* Is @reg for an argument, but not for one in @at? */
static bool is_for_another(const struct regs *regs, struct span at, int reg)
{
	bool for_any = false;

	for (unsigned int i = 0; i < regs->nr; i++)
		for_any |= reg == regs->reg[i];
	return for_any && !arrives_in(regs, at, reg);
}

/* Can @p be argument @i? A register that is for no argument only shows that the function moved it. */
static bool may_arrive_in(const struct regs *regs, unsigned int i, const struct cu_param *p)
{
	return p->reg != CU_NO_REG &&
	       ((p->flags & CU_PARAM_LATE) || !is_for_another(regs, (struct span){ i, i }, p->reg));
}

/* May @p arrive where its location has it? A register that is for no argument does not tell for an integer or struct. */
static bool location_is_known(const struct unit_encoder *m, struct span at,
			      const struct cu_param *p)
{
	const struct regs *regs = m->run->regs;
	const struct cu_type *type = cu_bare_type(m->cu, p->type);

	if (at.first >= regs->nr)
		return true;
	if (p->reg == CU_NO_REG && !(p->flags & (CU_PARAM_STACK | CU_PARAM_IN_MEMORY)))
		return false; /* it is computed from others, or constant */
	if (at.last >= regs->nr)
		return true; /* it may be on the stack, and loaded from there */
	if (takes_one_register(m->cu, p->type))
		return arrives_in(regs, at, p->reg);
	if (type->kind == BTF_INT || (p->flags & CU_PARAM_IN_MEMORY))
		return true;
	at.last = span_behind(m->cu, at, p->type, regs->nr).last;
	return arrives_in(regs, at, p->reg);
}

/*
 * walk_params() and unexpected_in_clang() by the ABI of the machine. A register that is for no argument
 * only shows that the function moved the parameter.
 */
static bool walk_by_abi(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *params = func_params(m, f);
	const uint32_t nr_params = f->nr_params;
	struct span at = { 0, result_in_register(m->cu, f->ret) ? 0 : 1 };
	bool unexpected = false;

	for (uint32_t n = 0; n < nr_params; n++) {
		const struct cu_param *p = &params[n];
		bool gone = p->flags & CU_PARAM_HAS_CONST;

		if (p->flags & CU_PARAM_HAS_LOC) {
			if (at.last < regs->nr && takes_one_register(m->cu, p->type) &&
			    !(p->flags & CU_PARAM_LATE) && is_for_another(regs, at, p->reg))
				unexpected = true;
			gone = !location_is_known(m, at, p);
		}
		if (gone && !m->cu->clang)
			fate[n] = PARAM_OPTIMIZED;
		at = span_behind(m->cu, at, p->type, regs->nr);
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
 * unless the next one is in the register after it. By the ABI, the position of each register has to be known for that.
 */
static bool walk_changed(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct regs *regs = m->run->regs;
	const struct cu_param *params = func_params(m, f);
	const uint32_t nr_params = f->nr_params;
	const bool by_abi = !compat_get(m->run->opts->compat)->registers_in_turn;
	bool known = !by_abi || result_in_register(m->cu, f->ret);
	unsigned int i = 0;
	bool unexpected = false;

	for (uint32_t n = 0; n < nr_params; n++) {
		const struct cu_param *p = &params[n];
		unsigned int nr = slots(m, p);
		int expected = expected_reg(regs, i);
		int behind = n + 1 < nr_params ? p[1].reg : CU_NO_REG;
		bool sized = takes_one_register(m->cu, p->type) || is_struct(m->cu, p->type);
		bool next_fits = behind != CU_NO_REG && behind == expected_reg(regs, i + nr);

		/* a parameter of which one member is left has the name of both */
		fate[n] = p->member ? PARAM_MEMBER_NAME : 0;
		if (!(p->flags & CU_PARAM_HAS_LOC)) {
			if (known && next_fits)
				i += nr;
			else
				fate[n] |= PARAM_OPTIMIZED;
			unexpected |= !known;
		} else if (p->flags & CU_PARAM_LITERAL) {
			fate[n] |= PARAM_OPTIMIZED;
		} else if (i >= regs->nr) {
			continue;
		} else if (p->flags & CU_PARAM_STACK) {
			if ((p->flags & CU_PARAM_IN_MEMORY) || !known)
				continue;
			unexpected = true;
			i += nr;
		} else if (by_abi ? known && sized && !may_arrive_in(regs, i, p) :
				    p->reg == CU_NO_REG ||
					    (expected != CU_NO_REG && expected != p->reg)) {
			unexpected = true;
			i += p->flags & CU_PARAM_IN_MEMORY ? 1 : nr;
		} else {
			i += whole_or_member(m, p, next_fits, &fate[n]);
		}
		known &= !by_abi || sized;
	}
	return unexpected;
}

uint32_t param_flags(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	const struct cu_param *params = func_params(m, f);
	bool changed = f->flags & CU_FUNC_CHANGED, unexpected, has_struct = false;
	uint32_t flags = 0;

	memset(fate, 0, f->nr_params);
	if (changed && m->true_signature)
		unexpected = walk_changed(m, f, fate);
	else if (!compat_get(m->run->opts->compat)->registers_in_turn)
		unexpected = walk_by_abi(m, f, fate);
	else if (m->cu->clang && !changed)
		unexpected = unexpected_in_clang(m, f);
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
