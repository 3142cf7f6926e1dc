/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_func.c - put functions together from the DIEs that describe them
 *
 * An out-of-line copy of an inline function has neither names nor types: it refers to the abstract
 * function. The abstract one in turn takes the locations of its parameters from the copies. The
 * result depends on the order, which is pahole's (docs/spec/encoding.md 8.3).
 */
#include "loader/dwarf/dw_reader.h"

#include <elf.h>

/*
 * Bytes that a parameter of type @type takes, by DW_AT_byte_size along its chain
 * (docs/spec/encoding.md 8.1).
 */
static uint16_t param_bytes(const struct dw_reader *r, unit_tid type)
{
	const struct cu *cu = r->cu;

	for (size_t steps = 0; type && steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *t = &cu->types.items[type];

		switch (btf_ctype(t->kind)) {
		case BTF_C_POINTER:
			return r->unit.header->enc.addr_size;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_STRUCT:
		case BTF_C_ENUM:
			return (uint16_t)t->size;
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
		case BTF_C_ARRAY:
		case BTF_C_FUNCTION:
		case BTF_C_FORWARD:
		case BTF_C_VOID:
		case BTF_C_NONE:
			type = t->ref;
			break;
		}
	}
	return 0;
}

static struct raw_param *param_at(struct dw_reader *r, die_off off)
{
	const struct die_map_entry *e = die_map_find(r, off);

	return e && e->sort == ENTRY_PARAM ? &r->raw.params.items[e->index] : NULL;
}

static struct raw_func *func_at(struct dw_reader *r, die_off off)
{
	const struct die_map_entry *e = off ? die_map_find(r, off) : NULL;

	return e && e->sort == ENTRY_FUNC ? &r->raw.funcs.items[e->index] : NULL;
}

/* The type that determines the size of a parameter: that of its last origin. */
static unit_tid size_type(struct dw_reader *r, const struct raw_param *p)
{
	for (size_t n = 0; n < CU_MAX_CHAIN; n++) {
		const struct raw_param *origin = p->has_origin ? param_at(r, p->origin) : NULL;

		if (!origin)
			break;
		p = origin;
	}
	return dw_resolve_type(r, p->type);
}

/* The first member that starts at byte @at of @type, as cu_param.member has it. */
static uint32_t member_at(const struct dw_reader *r, unit_tid type, uint32_t at)
{
	const struct cu *cu = r->cu;

	for (size_t steps = 0; type && steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *t = &cu->types.items[type];

		if (t->kind != BTF_STRUCT) {
			bool sized = t->kind == BTF_INT || t->kind == BTF_UNION ||
				     t->kind == BTF_ENUM || t->kind == BTF_PTR;

			type = sized ? 0 : t->ref;
			continue;
		}
		for (uint32_t i = t->first; !(t->flags & CU_TYPE_CLASS) && i < t->first + t->nr;
		     i++) {
			const struct cu_member *m = &cu->members.items[i];
			/* with DW_AT_bit_offset a bit field is at its storage unit */
			bool old_bits = (m->flags & CU_MEMBER_OLD_BITS) && m->old_size;
			int64_t bits = (int64_t)m->offset - (old_bits ? m->old_offset : 0);

			if (bits == (int64_t)at * 8 &&
			    !(m->flags & (CU_MEMBER_STATIC | CU_MEMBER_INHERITANCE)))
				return m->name && m->type ? i + 1 : 0;
		}
		return 0;
	}
	return 0;
}

/* The member that is all that arrives of the parameter, as cu_param.member has it; 0: none. */
static uint32_t only_member(const struct dw_reader *r, const struct cu_param *p)
{
	uint64_t first = p->first_fields, later = p->later_fields;

	if (!p->name || (first && later) || (first & (first - 1)) || (later & (later - 1)))
		return 0;
	return member_at(r, p->type,
			 first ? (uint32_t)__builtin_ctzll(first) :
				 r->unit.header->enc.addr_size + (uint32_t)__builtin_ctzll(later));
}

/* Fill in each parameter from its own DIE. */
static void read_locations(struct dw_reader *r)
{
	const struct ref_unit *u = r->ref_units.items, *last = u + r->ref_units.nr - 1;
	bool s390 = r->unit.file->obj->machine == EM_S390;
	unsigned int addr_size = r->unit.header->enc.addr_size;

	for (size_t i = 0; i < r->raw.params.nr; i++) {
		struct raw_param *p = &r->raw.params.items[i];

		while (unlikely(u < last && i >= u[1].first_param))
			u++;
		p->p.bytes = param_bytes(r, size_type(r, p));
		if (p->p.bytes > (s390 ? addr_size : 2 * addr_size))
			p->p.flags |= CU_PARAM_IN_MEMORY;
		p->p.type = dw_resolve_type(r, p->type);
		p->p.name = p->name;
		if (p->loc.form)
			dw_location_param(&u->locs, &p->loc, &p->p);
		if (unlikely(p->p.first_fields || p->p.later_fields) && r->cu->clang)
			p->p.member = only_member(r, &p->p);
	}
}

/* Copy the location of a parameter to its origin. */
static void tell_origin(struct cu_param *origin, const struct cu_param *copy)
{
	origin->flags |= copy->flags & (CU_PARAM_HAS_LOC | CU_PARAM_HAS_CONST | CU_PARAM_STACK |
					CU_PARAM_LITERAL | CU_PARAM_IN_MEMORY | CU_PARAM_LATE);
	if (copy->reg != CU_NO_REG)
		origin->reg = copy->reg;
	if (copy->bytes)
		origin->bytes = copy->bytes;
	origin->first_fields |= copy->first_fields;
	origin->later_fields |= copy->later_fields;
}

static void resolve_func(struct dw_reader *r, struct raw_func *f)
{
	if (!f->name) {
		const struct raw_func *origin = func_at(r, f->origin);

		if (!origin)
			origin = func_at(r, f->spec);
		if (origin)
			f->name = origin->name;
	}
	for (int32_t i = f->params; i != NO_PARAM; i = r->raw.params.items[i].next) {
		struct raw_param *p = &r->raw.params.items[i];

		if (p->has_type || !p->has_origin)
			continue;
		struct raw_param *origin = param_at(r, p->origin);
		if (!origin)
			continue;
		p->p.name = origin->p.name;
		p->p.type = origin->p.type;
		if (p->position != origin->position)
			f->flags |= CU_FUNC_REORDERED;
		tell_origin(&origin->p, &p->p);
	}
}

/* Only clang marks this (DW_CC_nocall), and never in an abstract function. */
static bool signature_changed(struct dw_reader *r, const struct raw_func *f)
{
	if (!r->cu->clang || f->inlined)
		return false;

	const struct raw_func *origin = func_at(r, f->origin);
	return f->has_origin && origin ? origin->nocall : f->nocall;
}

struct cu_func dw_make_func(struct dw_reader *r, uint32_t i)
{
	const struct raw_func *f = &r->raw.funcs.items[i];
	struct cu *cu = r->cu;
	struct cu_func func = {
		.name = f->name,
		.ret = f->ret,
		.addr = f->addr,
		.addr_slot = f->addr_slot,
		.first_param = (uint32_t)cu->params.nr,
		.flags = f->flags | (signature_changed(r, f) ? CU_FUNC_CHANGED : 0),
		.tags_of = i,
	};

	for (int32_t n = f->params; n != NO_PARAM; n = r->raw.params.items[n].next)
		vec_push(&cu->params, r->raw.params.items[n].p);
	func.nr_params = (uint32_t)cu->params.nr - func.first_param;
	return func;
}

/* Tell each parameter which its function is, and each location where that starts. */
static void set_funcs(struct dw_reader *r)
{
	for (size_t i = 0; i < r->raw.funcs.nr; i++) {
		const struct raw_func *f = &r->raw.funcs.items[i];

		for (int32_t n = f->params; n != NO_PARAM; n = r->raw.params.items[n].next) {
			r->raw.params.items[n].func = (uint32_t)i;
			r->raw.params.items[n].loc.entry = f->addr;
		}
	}
}

void dw_resolve_funcs(struct dw_reader *r)
{
	set_funcs(r);
	read_locations(r);
	for (size_t i = 0; i < r->raw.funcs.nr; i++)
		resolve_func(r, &r->raw.funcs.items[i]);

	/*
	 * A copy takes the return type of its origin, a definition that of its declaration, which
	 * may have taken it from its own one before. So @ret has types, not offsets, from here on.
	 */
	for (size_t i = 0; i < r->raw.funcs.nr; i++)
		r->raw.funcs.items[i].ret = dw_resolve_type(r, r->raw.funcs.items[i].ret);
	for (size_t i = 0; i < r->raw.funcs.nr; i++) {
		struct raw_func *f = &r->raw.funcs.items[i];
		const struct raw_func *said = NULL;

		if (!f->ret && (f->has_origin || f->spec))
			said = func_at(r, f->has_origin ? f->origin : f->spec);
		if (said)
			f->ret = said->ret;
		if (f->name && f->name < r->opts.func_names_end && !(f->flags & CU_FUNC_DECL))
			vec_push(&r->cu->funcs, dw_make_func(r, (uint32_t)i));
	}
}
