/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_odd.c - DIEs and attributes that come rarely, or that take more than a load */
#include "loader/dwarf/dw_walk.h"

/*
 * Step over the tail. Slots found there get their value; of strings and blocks it is
 * where they start, from the unit's base. NULL if it leaves the unit.
 */
const uint8_t *dw_walk_tail(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			    const uint8_t *end, struct columns *s)
{
	struct dw_cursor c = { p, end, r->file->obj->swap, false };

	for (const struct dw_op *op = &r->abbrevs.ops.items[a->tail];; op++) {
		uint64_t v = (uint64_t)(c.p - r->base);
		unsigned int shape = op->shape;
		struct dw_value value = { 0 };

		if (shape == SHAPE_INDIRECT)
			shape = dw_form_shape(dw_cursor_uleb(&c), r->unit->enc);
		switch (shape) {
		case SHAPE_END:
			return c.failed ? NULL : c.p;
		case SHAPE_SKIP:
			dw_cursor_bytes(&c, op->skip);
			break;
		case SHAPE_CONST:
			v = (uint64_t)r->abbrevs.specs.items[a->specs + op->skip].constant;
			break;
		default:
			if (!dw_value_read_shape(&c, shape, &value))
				return NULL;
			/* of strings and blocks the place counts */
			if (!value.block.ptr)
				v = value.number;
			break;
		}
		if (op->column < NR_COLUMNS)
			s->v[op->column] = v;
	}
}

/* Numeric value of DW_AT_declaration, for types (docs/spec/encoding.md 5.1). */
bool dw_is_declaration(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	if (likely(!(a->flags & DA_DECL_FORM)))
		return a->flags & DA_DECL_TRUE;
	return dw_attr(r, a, p, DW_AT_declaration, &v) && dw_value_number(&v);
}

/* A GNU annotation chain starts at a DIE, which is rare enough to ask the table. */
die_off dw_annotation_of(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	return dw_attr(r, a, p, ATTR_GNU_ANNOTATION, &v) ? dw_value_ref(r, &v) : 0;
}

die_off dw_signature_of(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	return dw_attr(r, a, p, DW_AT_signature, &v) ? dw_value_ref(r, &v) : 0;
}

static uint64_t block_constant(const struct dw_reader *r, const struct dw_abbrev *a, uint64_t at,
			       const uint8_t *end)
{
	struct dw_cursor c = { r->base + at, end, r->file->obj->swap, false };
	struct bytes expr = dw_cursor_block(&c, dw_forms[a->form[COL_VALUE]].shape);
	uint64_t v;

	return dw_location_offset(&r->locs, expr, &v) ? v : UINT64_MAX;
}

/* Does @v need more than @bits? What looks negative is no place at all. */
static bool is_far(uint64_t v, unsigned int bits)
{
	return v >> bits && v <= INT64_MAX;
}

static void set_far(struct cu_member *m)
{
	m->flags |= CU_MEMBER_FAR;
	m->offset = UINT32_MAX;
}

/* The rarer ways to say where a member is. */
void dw_odd_member(struct dw_reader *r, const struct dw_abbrev *a, const struct columns *s,
		   const uint8_t *end, struct cu_member *m)
{
	if (a->flags & DA_BIT_OFFSET) {
		m->offset = (uint32_t)s->v[COL_ORIGIN];
		if (is_far(s->v[COL_ORIGIN], 32))
			set_far(m);
		m->bits = (uint8_t)s->v[COL_BITS];
		return;
	}
	uint64_t at = s->v[COL_VALUE];
	if (dw_form_is(a->form[COL_VALUE], FORM_BLOCK)) {
		at = block_constant(r, a, at, end);
		m->offset = (uint32_t)at * 8;
	}
	if (is_far(at, 29))
		set_far(m);
	/* the other slots were loaded only where there are bits */
	if (!(a->flags & DA_BITFIELD))
		return;
	m->bits = (uint8_t)s->v[COL_BITS];
	if (m->bits) {
		m->flags |= CU_MEMBER_OLD_BITS;
		m->old_size = (uint8_t)s->v[COL_SIZE];
		m->old_offset = (int8_t)s->v[COL_SPEC];
		r->old_bits = true;
	}
}

static struct dw_location location_of(const struct dw_reader *r, const struct dw_abbrev *a,
				      const struct columns *s, const uint8_t *end)
{
	struct dw_location loc = { .form = a->form[COL_BITS], .list = s->v[COL_BITS] };

	if (dw_form_is(loc.form, FORM_BLOCK)) {
		struct dw_cursor c = { r->base + s->v[COL_BITS], end, r->file->obj->swap, false };

		loc.expr = dw_cursor_block(&c, dw_forms[loc.form].shape);
	}
	return loc;
}

void dw_func_param(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		   const struct columns *s, const uint8_t *end)
{
	struct frame *f = top_frame(r);
	size_t nr = r->raw_params.nr;

	/* nobody will ask for the parameters of a function that no symbol has the name of */
	if (f->func.name >= r->opts.func_names_end)
		return;

	die_map_add(r, die, ENTRY_PARAM, nr);

	struct raw_param *p = vec_add(&r->raw_params);
	*p = (struct raw_param){
		.name = name_of(r, a, s),
		.type = ref_of(r, a, s, COL_TYPE),
		.origin = ref_of(r, a, s, COL_ORIGIN),
		.has_type = a->form[COL_TYPE] || (a->flags & DA_FOREIGN),
		.has_origin = a->flags & DA_HAS_ORIGIN,
		.next = CU_NO_PARAM,
		.position = f->nr_params++,
		.p.reg = CU_NO_REG,
	};
	if (a->flags & DA_HAS_LOC) {
		p->p.flags |= CU_PARAM_HAS_LOC;
		p->loc = location_of(r, a, s, end);
	}
	if (a->flags & DA_HAS_CONST)
		p->p.flags |= CU_PARAM_HAS_CONST;
	if (f->last_param == CU_NO_PARAM)
		f->func.params = (int32_t)nr;
	else
		r->raw_params.items[f->last_param].next = (int32_t)nr;
	f->last_param = (int32_t)nr;
}

void dw_open_func(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		  const struct columns *s, const uint8_t *values)
{
	struct raw_func func = {
		.name = name_of(r, a, s),
		.ret = ref_of(r, a, s, COL_TYPE),
		.origin = ref_of(r, a, s, COL_ORIGIN),
		.spec = ref_of(r, a, s, COL_SPEC),
		.params = CU_NO_PARAM,
		.inlined = s->v[COL_BITS] != 0,
		.nocall = s->v[COL_SIZE] == DW_CC_nocall,
		.has_origin = a->flags & DA_HAS_ORIGIN,
		.flags = a->flags & DA_DECL ? CU_FUNC_DECL : 0,
	};

	if (a->form[COL_VALUE] == DW_FORM_addr)
		func.addr = s->v[COL_VALUE];
	else if (a->form[COL_VALUE] && !dw_indexed_addr(&r->locs, s->v[COL_VALUE], &func.addr))
		func.addr = 0;

	uint32_t entry = die_map_open(r, die);
	dw_set_members_aside(r);
	struct frame *f = push_frame(r, CTX_FUNC);
	f->entry = entry;
	f->func = func;
	f->last_param = CU_NO_PARAM;
	f->nr_params = 0;
	f->tags = r->cu->tags.nr;
	if (unlikely(a->annotated) && r->opts.decl_tags)
		f->annotation = dw_annotation_of(r, a, values);
	if (!a->children)
		dw_close_frame(r);
}

void dw_open_var(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		 const struct columns *s, const uint8_t *end)
{
	bool top = top_frame(r)->ctx == CTX_UNIT;
	size_t nr = r->raw_vars.nr;

	/* what is inside something is of interest only as what a definition refers to */
	if (!r->opts.vars || (!top && !(a->flags & DA_DECL))) {
		if (a->children)
			push_frame(r, CTX_DROP);
		return;
	}

	struct raw_var v = {
		.name = name_of(r, a, s),
		.type = ref_of(r, a, s, COL_TYPE),
		.spec = ref_of(r, a, s, COL_SPEC),
		.flags = top ? RAW_VAR_TOP : 0,
	};
	if (a->flags & DA_DECL)
		v.flags |= RAW_VAR_DECL;
	if (a->flags & DA_EXTERNAL)
		v.flags |= RAW_VAR_EXTERNAL;
	if (a->flags & DA_ARTIFICIAL)
		v.flags |= RAW_VAR_ARTIFICIAL;
	if (a->form[COL_BITS] && !(a->flags & DA_DECL)) {
		struct dw_location loc = location_of(r, a, s, end);

		if (dw_location_addr(&r->locs, &loc, &v.addr))
			v.flags |= RAW_VAR_ADDR;
	}
	die_map_add(r, die, ENTRY_VAR, nr);
	vec_push(&r->raw_vars, v);
	if (a->children) {
		struct frame *f = push_frame(r, r->opts.decl_tags ? CTX_VAR : CTX_DROP);

		f->entry = (uint32_t)nr;
		f->tags = r->cu->tags.nr;
	}
}

/* Annotations, imports, and what is not understood. */
void dw_odd_die(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values)
{
	struct frame *f = top_frame(r);

	if (a->kind == DK_ANNOTATION) {
		switch (f->ctx) {
		case CTX_STRUCT:
		case CTX_TYPEDEF:
			dw_decl_tag(r, a, values, CU_TAG_TYPE, -1);
			break;
		case CTX_MEMBER:
			dw_decl_tag(r, a, values, CU_TAG_TYPE, f->component);
			break;
		case CTX_FUNC:
		case CTX_BLOCK:
			dw_decl_tag(r, a, values, CU_TAG_FUNC, -1);
			break;
		case CTX_PARAM:
			dw_decl_tag(r, a, values, CU_TAG_FUNC, f->component);
			break;
		case CTX_VAR:
			dw_decl_tag(r, a, values, CU_TAG_VAR, -1);
			break;
		case CTX_POINTER:
			dw_type_tag(r, a, values, &f->type);
			break;
		default:
			break;
		}
	} else if (a->kind == DK_IMPORTED_UNIT) {
		struct dw_value v;

		/* to refer to it is to import it */
		if (!dw_attr(r, a, values, DW_AT_import, &v) || dw_value_ref(r, &v) == DIE_FOREIGN)
			r->nr_dropped++;
	} else if (a->kind == DK_UNKNOWN) {
		r->nr_dropped++;
	}
	if (a->children)
		push_frame(r, CTX_DROP);
}
