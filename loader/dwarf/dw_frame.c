/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_frame.c - DIEs with children: functions, variables, variants, and the closing of every frame
 *
 * A type is appended to cu.types when its frame is closed. The members of a type must be adjacent in
 * cu.members. If a container is nested in another, the members of the outer one are set aside until
 * the inner one is closed.
 */
#include "loader/dwarf/dw_walk.h"

/* --- functions and variables --- */

struct dw_location dw_location_of(const struct dw_reader *r, struct die d, const struct columns *s)
{
	struct dw_location loc = { .form = d.a->form[COL_LOCATION], .list = s->v[COL_LOCATION] };

	if (dw_form_is(loc.form, FORM_BLOCK))
		loc.expr = dw_block_at(r, s->v[COL_LOCATION], loc.form);
	return loc;
}

const uint8_t *dw_func_param(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE) | COL(BITS) | COL(ORIGIN));
	struct frame *f = top_frame(r);
	size_t nr = r->raw.params.nr;

	/* parameters are only needed of functions that are inlined, or whose name is in the symbol table */
	if (!p || (f->func.name >= r->opts.func_names_end && !r->opts.sites))
		return p;

	die_map_add(r, d.start, ENTRY_PARAM, nr);

	struct raw_param *param = vec_add(&r->raw.params);
	*param = (struct raw_param){
		.name = name_of(r, d.a, &s),
		.off = off_of(r, d.start),
		.type = ref_of(r, d.a, &s, COL_TYPE),
		.origin = ref_of(r, d.a, &s, COL_ORIGIN),
		.has_type = d.a->form[COL_TYPE] || (d.a->flags & DA_FOREIGN),
		.has_origin = d.a->flags & DA_HAS_ORIGIN,
		.next = NO_PARAM,
		.position = f->nr_params++,
		.p.reg = CU_NO_REG,
	};
	if (d.a->flags & DA_HAS_LOC) {
		param->p.flags |= CU_PARAM_HAS_LOC;
		param->loc = dw_location_of(r, d, &s);
	}
	if (d.a->flags & DA_HAS_CONST)
		param->p.flags |= CU_PARAM_HAS_CONST;
	if (f->last_param == NO_PARAM)
		f->func.params = (int32_t)nr;
	else
		r->raw.params.items[f->last_param].next = (int32_t)nr;
	f->last_param = (int32_t)nr;
	if (unlikely(r->opts.decl_tags && (d.a->children || d.a->annotated)))
		dw_push_component(r, d.a, d.values, CTX_PARAM, (int32_t)f->nr_params - 1);
	return p;
}

cu_addr_slot dw_slot_in_info(const struct dw_reader *r, const uint8_t *p)
{
	if (r->unit.file != r->root)
		return CU_NO_SLOT;
	return cu_slot(CU_SLOT_INFO, r->unit.header->start + (uint64_t)(p - r->unit.base));
}

cu_addr_slot dw_slot_in_addrs(const struct dw_reader *r, uint64_t index)
{
	const struct dw_locations *l = &r->unit.locs;

	if ((l->addrs ? l->addrs : l->obj) != r->root->obj)
		return CU_NO_SLOT;
	return cu_slot(CU_SLOT_ADDR, l->addr_base + index * l->enc.addr_size);
}

cu_addr_slot dw_addr_slot(const struct dw_reader *r, struct die d, const struct columns *s,
			  enum dw_column column, uint16_t attr)
{
	struct dw_value v;

	if (d.a->form[column] != DW_FORM_addr)
		return dw_slot_in_addrs(r, s->v[column]);
	if (likely(d.a->width[column] && !d.a->lead))
		return dw_slot_in_info(r, d.values + d.a->off[column]);
	const uint8_t *end = dw_attr(r, d.a, d.values, attr, &v);
	return end ? dw_slot_in_info(r, end - r->unit.header->enc.addr_size) : CU_NO_SLOT;
}

/* What DW_OP_fbreg counts from in function @d. */
static struct dw_frame_base frame_base_of(const struct dw_reader *r, struct die d)
{
	struct dw_value v;

	if (!dw_attr(r, d.a, d.values, DW_AT_frame_base, &v) || !dw_form_is(v.form, FORM_BLOCK))
		return (struct dw_frame_base){ 0 };
	return dw_frame_base(&r->unit.locs, v.block);
}

const uint8_t *dw_function(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(ALL_COLUMNS);

	if (unlikely(!p))
		return NULL;
	struct raw_func func = {
		.name = name_of(r, d.a, &s),
		.ret = ref_of(r, d.a, &s, COL_TYPE),
		.origin = ref_of(r, d.a, &s, COL_ORIGIN),
		.spec = ref_of(r, d.a, &s, COL_SPEC),
		.addr_slot = CU_NO_SLOT,
		.params = NO_PARAM,
		.inlined = s.v[COL_INLINE] != 0,
		.nocall = s.v[COL_CALL] == DW_CC_nocall,
		.has_origin = d.a->flags & DA_HAS_ORIGIN,
		.flags = d.a->flags & DA_DECL ? CU_FUNC_DECL : 0,
	};

	if (d.a->form[COL_LOW_PC] == DW_FORM_addr)
		func.addr = s.v[COL_LOW_PC];
	else if (d.a->form[COL_LOW_PC] &&
		 !dw_indexed_addr(&r->unit.locs, s.v[COL_LOW_PC], &func.addr))
		func.addr = 0;
	if (d.a->form[COL_LOW_PC] && r->opts.addr_slots)
		func.addr_slot = dw_addr_slot(r, d, &s, COL_LOW_PC, DW_AT_low_pc);

	uint32_t entry = die_map_open(r, d.start);
	dw_set_members_aside(r);
	struct frame *f = push_frame(r, d.ctx == CTX_ENUM ? CTX_METHOD : CTX_FUNC);
	f->entry = entry;
	f->func = func;
	f->frame_base = (struct dw_frame_base){ 0 };
	if (r->opts.sites && d.a->children)
		f->frame_base = frame_base_of(r, d);
	f->last_param = NO_PARAM;
	f->nr_params = 0;
	f->tags = r->cu->tags.nr;
	if (unlikely(d.a->annotated) && r->opts.decl_tags)
		f->annotation = dw_attr_ref(r, d.a, d.values, ATTR_GNU_ANNOTATION);
	if (!d.a->children)
		dw_close_frame(r);
	return p;
}

/* The entry in the DIE map of the function that the innermost frame, a part of its body, belongs to. */
static uint32_t func_entry(const struct dw_reader *r)
{
	const struct frame *f = top_frame(r);

	while (f->ctx == CTX_BLOCK || f->ctx == CTX_INLINED)
		f--;
	return f->entry;
}

const uint8_t *dw_variable(struct dw_reader *r, struct die d)
{
	bool top = d.ctx == CTX_UNIT, declaration = d.a->flags & DA_DECL;
	bool local = r->opts.local_vars &&
		     (d.ctx == CTX_FUNC || d.ctx == CTX_BLOCK || d.ctx == CTX_INLINED);
	size_t nr = r->raw.vars.nr;
	struct columns s;

	/* a nested variable mostly matters only if a definition refers to it as its declaration */
	if (!r->opts.vars || (!top && !declaration && !local))
		return LOAD(0);

	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE) | COL(BITS) | COL(ORIGIN) | COL(SPEC));

	if (!p)
		return NULL;

	struct raw_var v = {
		.name = name_of(r, d.a, &s),
		.type = ref_of(r, d.a, &s, COL_TYPE),
		.spec = ref_of(r, d.a, &s, COL_SPEC),
		.origin = r->opts.whole_vars ? ref_of(r, d.a, &s, COL_ORIGIN) : 0,
		.flags = (top ? RAW_VAR_TOP : 0) | (declaration ? RAW_VAR_DECL : 0) |
			 (d.a->flags & DA_EXTERNAL ? RAW_VAR_EXTERNAL : 0) |
			 (d.a->flags & DA_ARTIFICIAL ? RAW_VAR_ARTIFICIAL : 0) |
			 (local ? RAW_VAR_LOCAL : 0),
		.func = local ? func_entry(r) : 0,
	};
	if (d.a->form[COL_LOCATION] && !declaration) {
		struct dw_location loc = dw_location_of(r, d, &s);

		struct dw_addr addr;

		if (dw_location_addr(&r->unit.locs, &loc, &addr)) {
			v.flags |= RAW_VAR_ADDR;
			v.addr = addr.value;
			v.addr_added = addr.added;
			v.addr_slot = addr.ptr ? dw_slot_in_info(r, addr.ptr) :
						 dw_slot_in_addrs(r, addr.index);
		}
	}
	die_map_add(r, d.start, ENTRY_VAR, nr);
	vec_push(&r->raw.vars, v);
	if (d.a->children && r->opts.decl_tags) {
		struct frame *f = push_frame(r, CTX_VAR);

		f->entry = (uint32_t)nr;
		f->tags = r->cu->tags.nr;
	}
	return p;
}

/* --- opening and closing --- */

void dw_push_component(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values,
		       enum frame_ctx ctx, int32_t component)
{
	die_off chain = dw_attr_ref(r, a, values, ATTR_GNU_ANNOTATION);
	struct frame *f = push_frame(r, ctx);

	f->component = component;
	f->annotation = chain;
	if (!a->children)
		dw_close_frame(r);
}

void dw_set_members_aside(struct dw_reader *r)
{
	struct frame *outer = top_frame(r);

	if (outer->ctx != CTX_STRUCT && outer->ctx != CTX_SUBROUTINE && outer->ctx != CTX_CASES)
		return;

	size_t nr = r->cu->members.nr - outer->first;
	if (!nr)
		return;
	if (!outer->split) {
		outer->split = true;
		outer->saved = r->saved.nr;
	}
	vec_reserve(&r->saved, nr);
	memcpy(r->saved.items + r->saved.nr, r->cu->members.items + outer->first,
	       nr * sizeof(r->saved.items[0]));
	r->saved.nr += nr;
	r->cu->members.nr = outer->first;
}

struct frame *dw_push_type(struct dw_reader *r, enum frame_ctx ctx, die_off off,
			   const struct cu_type *t)
{
	dw_set_members_aside(r);
	return dw_push_partial_type(r, ctx, off, t,
				    ctx == CTX_ENUM ? r->cu->enumerators.nr : r->cu->members.nr);
}

struct frame *dw_push_partial_type(struct dw_reader *r, enum frame_ctx ctx, die_off off,
				   const struct cu_type *t, size_t first)
{
	struct frame *f = push_frame(r, ctx);

	f->off = off;
	f->type = *t;
	f->first = first;
	f->tags = r->cu->tags.nr;
	f->component = 0;
	f->spec = 0;
	return f;
}

/* Put the members of @f that were set aside in front of those that came later. */
static void join_members(struct dw_reader *r, struct frame *f)
{
	size_t aside = r->saved.nr - f->saved, since = r->cu->members.nr - f->first;

	vec_reserve(&r->cu->members, aside);
	memmove(r->cu->members.items + f->first + aside, r->cu->members.items + f->first,
		since * sizeof(r->cu->members.items[0]));
	memcpy(r->cu->members.items + f->first, r->saved.items + f->saved,
	       aside * sizeof(r->saved.items[0]));
	r->cu->members.nr += aside;
	r->saved.nr = f->saved;
}

/* Tags that were found below @f belong to @of. */
static void own_tags(struct dw_reader *r, size_t first, uint32_t of)
{
	for (size_t i = first; i < r->cu->tags.nr; i++) {
		if (r->cu->tags.items[i].of == UINT32_MAX)
			r->cu->tags.items[i].of = of;
	}
}

static void close_struct(struct dw_reader *r, struct frame *f)
{
	if (f->split)
		join_members(r, f);
	f->type.first = (uint32_t)f->first;
	if (!f->type.nr)
		f->type.flags |= CU_TYPE_NO_MEMBERS;
	/* not of unions: docs/spec/encoding.md 6.12 */
	if (f->annotation && f->type.kind == BTF_STRUCT)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_TYPE, -1);
	own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
	if (unlikely(f->type.flags & CU_TYPE_CASE))
		vec_push(&r->cases, (unit_tid)r->cu->types.nr);
	if (!f->type.name && f->spec)
		vec_push(&r->raw.borrowed_names,
			 ((struct borrowed_name){ (uint32_t)r->cu->types.nr, f->spec }));
	add_type(r, f->off, &f->type);
}

/* Of an array of Fortran, elements of the first dimension touch. */
static void reverse_dimensions(struct dw_reader *r)
{
	struct dimension *dims = r->dimensions.items;

	for (size_t i = 0, k = r->dimensions.nr; i + 1 < k; i++) {
		struct dimension dim = dims[--k];

		dims[k] = dims[i];
		dims[i] = dim;
	}
}

/*
 * An array of several dimensions becomes a chain, the innermost array first, or one array of all elements.
 * References to the DIE mean the outermost array (docs/spec/encoding.md 6.6).
 */
void dw_add_array(struct dw_reader *r, die_off off, struct cu_type *t)
{
	if (unlikely(r->unit.foreign && r->array.by_column))
		reverse_dimensions(r);
	for (size_t i = r->dimensions.nr; i-- > 0;) {
		const struct dimension *dim = &r->dimensions.items[i];

		t->size *= dim->count;
		if (unlikely(dim->type))
			vec_push(&r->raw.ranges,
				 ((struct index_range){ (unit_tid)r->cu->types.nr, dim->type,
							dim->lower, dim->upper }));
		if (!i || r->opts.flat_arrays)
			continue;
		vec_push(&r->cu->types, *t);
		t->ref = (unit_tid)r->cu->types.nr - 1;
		t->flags |= CU_TYPE_REF_DONE;
		t->size = 1;
	}
	if (unlikely(r->unit.foreign && r->array.stride))
		vec_push(&r->raw.strides,
			 ((struct array_stride){ (unit_tid)r->cu->types.nr, r->array.name,
						 r->dimensions.nr, r->array.stride }));
	add_type(r, off, t);
}

/* A subroutine type with a size, in Go and Pascal, is the type of a variable, and this is a pointer. */
void dw_add_subroutine(struct dw_reader *r, die_off off, const struct cu_type *t)
{
	struct cu_type proto = *t;
	const struct cu_type pointer = {
		.kind = BTF_PTR,
		.flags = CU_TYPE_REF_DONE,
		.ref = (unit_tid)r->cu->types.nr,
	};

	if (likely(!t->size)) {
		add_type(r, off, t);
		return;
	}
	proto.size = 0;
	vec_push(&r->cu->types, proto);
	add_type(r, off, &pointer);
}

static void close_func(struct dw_reader *r, struct frame *f)
{
	if (f->annotation)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_FUNC, -1);
	own_tags(r, f->tags, (uint32_t)r->raw.funcs.nr);
	die_map_close(r, f->entry, ENTRY_FUNC, r->raw.funcs.nr);
	vec_push(&r->raw.funcs, f->func);
}

/* --- variants of Rust --- */

/*
 * An enum with data is a struct with a variant part (docs/spec/encoding.md 6.13). The part has a member without a
 * name for the discriminant, and for each variant a member whose type is a struct, all at offset 0. It becomes an
 * anonymous union:
 *
 *	struct Shape {
 *		union {
 *			struct {
 *				enum { Circle = 0, Rect = 1 } __discr;
 *			};
 *			struct Circle Circle;
 *			struct Rect Rect;
 *		};
 *	};
 *
 * The discriminant may be in the middle of another variant's data. Members of a union have no offset, so it
 * needs the struct around it. References to these three types are offsets of DIEs as all others: the variant part
 * stands for the union, the discriminant for the struct, and the first variant with a value for the enum.
 */
const uint8_t *dw_variant_part(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(0);
	const struct frame *outer = top_frame(r);

	if (!p || !d.a->children || outer->ctx != CTX_STRUCT)
		return p;

	const struct cu_type t = {
		.kind = BTF_UNION,
		.flags = CU_TYPE_PLAIN,
		.size = outer->type.size,
	};
	struct frame *f = dw_push_type(r, CTX_VARIANT_PART, off_of(r, d.start), &t);
	f->variants = (struct frame_variants){ .first_value = r->cu->enumerators.nr };
	return p;
}

const uint8_t *dw_variant(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(0);
	struct frame_variants *part = &top_frame(r)->variants;
	struct dw_value v;

	if (!p || !d.a->children)
		return p;

	bool has_value = dw_attr(r, d.a, d.values, DW_AT_discr_value, &v) &&
			 dw_form_is(v.form, FORM_NUMBER);
	if (has_value && !part->values)
		part->values = off_of(r, d.start);

	struct frame *f = push_frame(r, CTX_VARIANT);
	f->variants = (struct frame_variants){
		.has_value = has_value,
		.value = has_value ? (int64_t)v.number : 0,
	};
	return p;
}

const uint8_t *dw_variant_member(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE) | COL(VALUE));
	const struct frame_variants *variant = &top_frame(r)->variants;
	uint64_t at = s.v[COL_VALUE];

	if (!p)
		return NULL;
	if (dw_form_is(d.a->form[COL_VALUE], FORM_BLOCK) || at >= 1u << 21) {
		r->raw.nr_dropped++;
		return p;
	}
	if (d.ctx == CTX_VARIANT_PART) {
		struct frame_variants *part = &top_frame(r)->variants;

		if (!part->discr) {
			part->discr = off_of(r, d.start);
			part->discr_type = ref_of(r, d.a, &s, COL_TYPE);
			part->discr_offset = (uint32_t)at * 8;
		}
		return p;
	}

	struct frame *part = top_frame(r) - 1;
	const uint32_t name = name_of(r, d.a, &s);
	if (at) {
		r->raw.nr_dropped++;
		return p;
	}
	vec_push(&r->cu->members,
		 ((struct cu_member){ .name = name, .type = ref_of(r, d.a, &s, COL_TYPE) }));
	part->type.nr++;
	if (variant->has_value)
		vec_push(&r->cu->enumerators, ((struct cu_enumerator){ name, variant->value }));
	return p;
}

/* Append the enum of the discriminants. Its size is that of the type @ref, when types are known. */
static void add_discriminants(struct dw_reader *r, const struct frame_variants *part)
{
	const struct cu_type t = {
		.kind = BTF_ENUM,
		.ref = part->discr_type,
		.first = (uint32_t)part->first_value,
		.nr = (uint32_t)(r->cu->enumerators.nr - part->first_value),
	};

	add_type(r, part->values, &t);
}

static void close_variant_part(struct dw_reader *r, struct frame *f)
{
	const struct frame_variants *part = &f->variants;

	/* an enum without variants has no value */
	if (!f->type.nr) {
		r->top->first = r->cu->members.nr;
		return;
	}
	f->type.first = (uint32_t)f->first;
	if (part->values)
		add_discriminants(r, part);
	if (part->discr && part->discr_type) {
		struct cu_type t = {
			.kind = BTF_STRUCT,
			.flags = CU_TYPE_PLAIN,
			.size = f->type.size,
			.first = (uint32_t)r->cu->members.nr,
			.nr = 1,
		};

		vec_push(&r->cu->members,
			 ((struct cu_member){
				 .name = dw_file_name(r->unit.file, "__discr", 7, true),
				 .type = part->values ? part->values : part->discr_type,
				 .offset = part->discr_offset }));
		add_type(r, part->discr, &t);
		/* the members of a type are adjacent: the union's come again, behind it */
		f->type.first = (uint32_t)r->cu->members.nr;
		vec_push(&r->cu->members, ((struct cu_member){ .type = part->discr }));
		for (size_t i = f->first; i < t.first; i++)
			vec_push(&r->cu->members, r->cu->members.items[i]);
		f->type.nr++;
	}
	add_type(r, f->off, &f->type);
	/* the outer struct */
	r->top->first = r->cu->members.nr;
	vec_push(&r->cu->members, ((struct cu_member){ .type = f->off }));
	r->top->type.nr++;
}

/* --- variants of other languages --- */

/*
 * The members of a variant have offsets in the record around it (docs/spec/encoding.md 6.14). The part becomes a union
 * without a name where the first of them is, with a struct without a name for each variant:
 *
 *	struct shape {
 *		enum color kind;
 *		union {
 *			struct { float radius; };
 *			struct { int width; int height; };
 *		};
 *	};
 */
const uint8_t *dw_cases(struct dw_reader *r, struct die d)
{
	static const struct cu_type t = { .kind = BTF_UNION,
					  .flags = CU_TYPE_PLAIN | CU_TYPE_OPEN };
	struct columns s;
	const uint8_t *p = LOAD(0);

	if (!p || !d.a->children || top_frame(r)->ctx != CTX_STRUCT)
		return p;
	dw_push_type(r, CTX_CASES, off_of(r, d.start), &t)->variants.first_case = r->cases.nr;
	r->raw.open_sizes = true;
	return p;
}

const uint8_t *dw_case(struct dw_reader *r, struct die d)
{
	static const struct cu_type t = { .kind = BTF_STRUCT,
					  .flags = CU_TYPE_PLAIN | CU_TYPE_OPEN | CU_TYPE_CASE };
	struct columns s;
	const uint8_t *p = LOAD(0);

	if (!p || !d.a->children)
		return p;
	vec_push(&r->cu->members, ((struct cu_member){ .type = off_of(r, d.start) }));
	top_frame(r)->type.nr++;
	dw_push_type(r, CTX_STRUCT, off_of(r, d.start), &t);
	return p;
}

/* Move the members of the variants from r->cases[@first] on to the start of their union. Returns where it is, in bits. */
static uint32_t rebase_cases(struct dw_reader *r, size_t first)
{
	struct cu *cu = r->cu;
	uint32_t start = UINT32_MAX;

	for (int move = 0; move <= 1; move++) {
		for (size_t i = first; i < r->cases.nr; i++) {
			const struct cu_type *t = &cu->types.items[r->cases.items[i]];

			for (uint32_t k = t->first; k < t->first + t->nr; k++) {
				struct cu_member *m = &cu->members.items[k];

				if (m->flags & (CU_MEMBER_FAR | CU_MEMBER_STATIC | CU_MEMBER_LOST))
					continue;
				if (move)
					m->offset -= start;
				else if (m->offset / 8 * 8 < start)
					start = m->offset / 8 * 8;
			}
		}
	}
	r->cases.nr = first;
	return start;
}

static void close_cases(struct dw_reader *r, struct frame *f)
{
	uint32_t start = rebase_cases(r, f->variants.first_case);

	if (f->split)
		join_members(r, f);
	r->top->first = r->cu->members.nr;
	/* variants without members add nothing */
	if (start == UINT32_MAX)
		return;
	f->type.first = (uint32_t)f->first;
	add_type(r, f->off, &f->type);
	vec_push(&r->cu->members, ((struct cu_member){ .type = f->off, .offset = start }));
	r->top->type.nr++;
	if (start > 0xffffff || r->top->type.kind == BTF_UNION)
		r->top->type.flags &= (uint16_t)~CU_TYPE_PLAIN;
}

/* The children of the innermost frame are complete. */
void dw_close_frame(struct dw_reader *r)
{
	/* closing pushes no frame, so @f stays valid */
	struct frame *f = pop_frame(r);
	switch (f->ctx) {
	case CTX_STRUCT:
		close_struct(r, f);
		break;
	case CTX_SUBROUTINE:
		if (f->split)
			join_members(r, f);
		f->type.first = (uint32_t)f->first;
		dw_add_subroutine(r, f->off, &f->type);
		break;
	case CTX_ENUM:
		f->type.first = (uint32_t)f->first;
		f->type.nr = (uint32_t)(r->cu->enumerators.nr - f->first);
		add_type(r, f->off, &f->type);
		break;
	case CTX_ARRAY:
		dw_add_array(r, f->off, &f->type);
		break;
	case CTX_POINTER:
	case CTX_TYPEDEF:
		/* gcc's annotations count if there are none of clang's */
		if (f->annotation && f->ctx == CTX_POINTER && !(f->type.flags & CU_TYPE_REF_DONE))
			dw_type_tag_chain(r, f->annotation, &f->type);
		own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
		add_type(r, f->off, &f->type);
		break;
	case CTX_FUNC:
	case CTX_METHOD:
		close_func(r, f);
		break;
	case CTX_MEMBER:
		if (f->annotation)
			dw_decl_tag_chain(r, f->annotation, CU_TAG_TYPE, f->component);
		break;
	case CTX_PARAM:
		if (f->annotation)
			dw_decl_tag_chain(r, f->annotation, CU_TAG_FUNC, f->component);
		break;
	case CTX_VARIANT_PART:
		close_variant_part(r, f);
		break;
	case CTX_CASES:
		close_cases(r, f);
		return;
	case CTX_VAR:
		own_tags(r, f->tags, f->entry);
		break;
	default:
		return;
	}
	/* further members of the outer frame follow what was read in between */
	if (f->ctx < CTX_MEMBER)
		r->top->first = r->cu->members.nr;
}
