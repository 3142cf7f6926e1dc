/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_die.c - walk the DIEs of a unit: the hot loop
 *
 * A kernel has 18 million DIEs, and this loop sees each of them once. It may rely on
 * abbreviations being one cache line (dw_abbrev.h) and on OBJECT_PADDING behind the
 * section, so that a slot is one load without a question; it asks once per DIE whether
 * the fixed part is inside the unit. What comes rarely is in functions of its own.
 *
 * A DIE enters its table when its subtree is complete (spec pahole-encoder 4.2): a struct
 * that is declared inside another comes before it. So a DIE with children is kept in a
 * frame until its end. Children count only where they mean something (4.3); what lies
 * below a DIE that means nothing is stepped over in the same loop.
 */
#include "loader/dw_reader.h"

struct slots {
	uint64_t v[NR_DW_SLOTS];
};

/* The slot from the fixed part; 0, or the constant of the line, if it is not there. */
ALWAYS_INLINE uint64_t fixed_slot(const struct dw_abbrev *a, const uint8_t *p, enum dw_slot slot,
				  bool swap)
{
	static const uint64_t masks[9] = { 0,          0xff, 0xffff, 0xffffff, 0xffffffff, 0, 0, 0,
					   UINT64_MAX };
	unsigned int width = a->width[slot];
	uint64_t v = load64(p + a->off[slot]);

	/* the file's least significant bytes come first, or last */
	if (swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		v = width ? swap64(v, swap) >> (64 - 8 * width) : 0;
	else
		v = swap64(v, swap) & masks[width];
	if (slot >= SLOT_SIZE)
		v += (uint64_t)(int64_t)a->constant[slot - SLOT_SIZE];
	return v;
}

/*
 * Step over the tail. Slots found there get their value; of strings and blocks it is
 * where they start, from the unit's base. NULL if it leaves the unit.
 */
static NOINLINE const uint8_t *walk_tail(const struct dw_reader *r, const struct dw_abbrev *a,
					 const uint8_t *p, const uint8_t *end, struct slots *s)
{
	struct dw_cursor c = { p, end, r->file->obj->swap, false };

	for (const struct dw_step *st = &r->abbrevs.steps.items[a->tail];; st++) {
		uint64_t v = (uint64_t)(c.p - r->base);
		unsigned int shape = st->shape;

		if (shape == DW_SHAPE_INDIRECT)
			shape = dw_form_shape(dw_cursor_uleb(&c), r->unit->enc);
		switch (shape) {
		case DW_STEP_END:
			return c.failed ? NULL : c.p;
		case DW_STEP_SKIP:
			dw_cursor_bytes(&c, st->skip);
			break;
		case DW_STEP_CONST:
			v = (uint64_t)r->abbrevs.specs.items[a->specs + st->skip].constant;
			break;
		case DW_SHAPE_ULEB:
			v = dw_cursor_uleb(&c);
			break;
		case DW_SHAPE_SLEB:
			v = (uint64_t)dw_cursor_sleb(&c);
			break;
		case DW_SHAPE_BLOCK1:
			dw_cursor_block(&c, DW_FORM_block1);
			break;
		case DW_SHAPE_BLOCK2:
			dw_cursor_block(&c, DW_FORM_block2);
			break;
		case DW_SHAPE_BLOCK4:
			dw_cursor_block(&c, DW_FORM_block4);
			break;
		case DW_SHAPE_BLOCK:
			dw_cursor_block(&c, DW_FORM_block);
			break;
		case DW_SHAPE_STRING:
			dw_cursor_string(&c);
			break;
		case DW_SHAPE_INDIRECT:
		case DW_SHAPE_UNKNOWN:
			return NULL;
		default:
			if (shape > 8)
				dw_cursor_bytes(&c, shape);
			else
				v = dw_cursor_uint(&c, shape);
			break;
		}
		if (st->slot < NR_DW_SLOTS)
			s->v[st->slot] = v;
	}
}

/* Load the slots @which (a constant set) and step over the DIE's values. */
ALWAYS_INLINE const uint8_t *load(const struct dw_reader *r, const struct dw_abbrev *a,
				  const uint8_t *p, const uint8_t *end, bool swap,
				  unsigned int which, struct slots *s)
{
	for (unsigned int slot = 0; slot < NR_DW_SLOTS; slot++) {
		if (which & 1u << slot)
			s->v[slot] = fixed_slot(a, p, slot, swap);
	}
	p += a->prefix;
	if (unlikely(a->tail))
		p = walk_tail(r, a, p, end, s);
	return p;
}

/* The name that the slot holds, by its form. */
ALWAYS_INLINE uint32_t name_of(struct dw_reader *r, const struct dw_abbrev *a,
			       const struct slots *s)
{
	uint64_t v = s->v[SLOT_NAME];

	switch (a->form[SLOT_NAME]) {
	case DW_FORM_strp:
		return dw_file_str(r->file, v);
	case 0:
		return 0;
	case DW_FORM_string:
	{
		const uint8_t *text = r->base + v;

		return dw_inline_string(r, text, strlen((const char *)text));
	}
	case DW_FORM_line_strp:
	{
		struct bytes b = r->file->obj->debug[DEBUG_LINE_STR];
		struct dw_cursor c = dw_cursor_at(b, v, false);
		struct bytes text = dw_cursor_string(&c);

		return dw_file_name(r->file, (const char *)text.ptr, text.len);
	}
	default:
		return dw_strx(r, v);
	}
}

/* A reference in @slot as an offset from the base; 0 for none. */
ALWAYS_INLINE die_off ref_of(const struct dw_reader *r, const struct dw_abbrev *a,
			     const struct slots *s, enum dw_slot slot)
{
	uint8_t form = a->form[slot];
	uint64_t v = s->v[slot];

	if (!form)
		return slot == SLOT_TYPE && unlikely(a->flags & DA_FOREIGN) ? DIE_FOREIGN : 0;
	if (likely(form != DW_FORM_ref_addr))
		v += r->ref_bias;
	return likely(v && v < DIE_FOREIGN) ? (die_off)v : DIE_FOREIGN;
}

/* --- entries: which DIE became what -------------------------------------------- */

ALWAYS_INLINE uint32_t open_entry(struct dw_reader *r, const uint8_t *die)
{
	die_off off = (die_off)(die - r->base);
	size_t nr = r->entries.nr;

	/* the first of its block, unless the one before is in it, too */
	if (!nr || r->entries.items[nr - 1].off >> 3 != off >> 3)
		r->blocks[off >> 3] = (uint32_t)nr;
	vec_push(&r->entries, ((struct entry){ .off = off, .sort = ENTRY_OPEN }));
	return (uint32_t)nr;
}

ALWAYS_INLINE void close_entry(struct dw_reader *r, uint32_t entry, enum entry_sort sort,
			       size_t index)
{
	r->entries.items[entry].sort = sort;
	r->entries.items[entry].index = (uint32_t)index & 0x1fffffff;
}

ALWAYS_INLINE void add_type(struct dw_reader *r, uint32_t entry, const struct cu_type *t)
{
	close_entry(r, entry, ENTRY_TYPE, r->cu->types.nr);
	vec_push(&r->cu->types, *t);
}

static void add_alias(struct dw_reader *r, uint32_t entry, die_off to)
{
	close_entry(r, entry, ENTRY_ALIAS, r->aliases.nr);
	vec_push(&r->aliases, to);
}

/* --- frames ----------------------------------------------------------------------- */

/*
 * A container that is opened inside another would put its members between the other's:
 * what the other has so far is set aside.
 */
static void set_members_aside(struct dw_reader *r)
{
	struct frame *outer = &r->frames.items[r->frames.nr - 1];

	if (outer->ctx != CTX_STRUCT && outer->ctx != CTX_SUBROUTINE)
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

static struct frame *push_frame(struct dw_reader *r, enum frame_ctx ctx)
{
	struct frame *f = vec_add(&r->frames);

	f->ctx = (uint8_t)ctx;
	f->split = false;
	f->annotation = 0;
	return f;
}

static struct frame *push_type(struct dw_reader *r, enum frame_ctx ctx, uint32_t entry,
			       const struct cu_type *t)
{
	set_members_aside(r);

	struct frame *f = push_frame(r, ctx);
	f->entry = entry;
	f->type = *t;
	f->first = ctx == CTX_ENUM ? r->cu->enumerators.nr : r->cu->members.nr;
	f->tags = r->cu->tags.nr;
	f->component = 0;
	f->spec = 0;
	return f;
}

/* The members of @f become one run again: those set aside, then those since. */
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
	/* unions keep theirs to themselves (spec pahole-encoder 6.12) */
	if (f->annotation && f->type.kind == BTF_STRUCT)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_TYPE, -1);
	own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
	if (!f->type.name && f->spec)
		vec_push(&r->borrowed_names,
			 ((struct borrowed_name){ (uint32_t)r->cu->types.nr, f->spec }));
	add_type(r, f->entry, &f->type);
}

static void close_func(struct dw_reader *r, struct frame *f)
{
	if (f->annotation)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_FUNC, -1);
	own_tags(r, f->tags, (uint32_t)r->raw_funcs.nr);
	close_entry(r, f->entry, ENTRY_FUNC, r->raw_funcs.nr);
	vec_push(&r->raw_funcs, f->func);
}

/* The children of the innermost frame are complete. */
static void close_frame(struct dw_reader *r)
{
	/* nothing is pushed while it is being closed, so its place stays as it is */
	struct frame *f = &r->frames.items[--r->frames.nr];

	switch (f->ctx) {
	case CTX_STRUCT:
		close_struct(r, f);
		break;
	case CTX_SUBROUTINE:
		if (f->split)
			join_members(r, f);
		f->type.first = (uint32_t)f->first;
		add_type(r, f->entry, &f->type);
		break;
	case CTX_ENUM:
		f->type.first = (uint32_t)f->first;
		f->type.nr = (uint32_t)(r->cu->enumerators.nr - f->first);
		add_type(r, f->entry, &f->type);
		break;
	case CTX_ARRAY:
		add_type(r, f->entry, &f->type);
		break;
	case CTX_POINTER:
	case CTX_TYPEDEF:
		/* gcc's annotations count where clang's are not there */
		if (f->annotation && f->ctx == CTX_POINTER && !(f->type.flags & CU_TYPE_REF_DONE))
			dw_type_tag_chain(r, f->annotation, &f->type);
		own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
		add_type(r, f->entry, &f->type);
		break;
	case CTX_FUNC:
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
	case CTX_VAR:
		own_tags(r, f->tags, f->entry);
		break;
	default:
		return;
	}
	/* the members of what is around it go on behind what came in between */
	if (r->frames.nr && f->ctx < CTX_MEMBER)
		r->frames.items[r->frames.nr - 1].first = r->cu->members.nr;
}

/* --- one function per sort of DIE that is not read in the loop itself ------------- */

/* Numeric value of DW_AT_declaration, for types (spec pahole-encoder 5.1). */
static bool is_declaration(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	if (likely(!(a->flags & DA_DECL_FORM)))
		return a->flags & DA_DECL_TRUE;
	return dw_attr(r, a, p, DW_AT_declaration, &v) && dw_value_number(&v);
}

/* A GNU annotation chain starts at a DIE, which is rare enough to ask the table. */
static die_off annotation_of(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	return dw_attr(r, a, p, DW_AT_GNU_annotation_, &v) ? dw_value_ref(r, &v) : 0;
}

static uint32_t block_constant(const struct dw_reader *r, const struct dw_abbrev *a, uint64_t at,
			       const uint8_t *end)
{
	struct dw_cursor c = { r->base + at, end, r->file->obj->swap, false };
	struct bytes expr = dw_cursor_block(&c, a->form[SLOT_VALUE]);
	uint64_t v;

	return dw_location_offset(&r->locs, expr, &v) ? (uint32_t)v : UINT32_MAX;
}

/* The rarer ways to say where a member is. */
static NOINLINE void odd_member(struct dw_reader *r, const struct dw_abbrev *a,
				const struct slots *s, const uint8_t *end, struct cu_member *m)
{
	if (a->flags & DA_BIT_OFFSET) {
		m->offset = (uint32_t)s->v[SLOT_ORIGIN];
		m->bits = (uint8_t)s->v[SLOT_BITS];
		return;
	}
	if (dw_form_is_block(a->form[SLOT_VALUE]))
		m->offset = block_constant(r, a, s->v[SLOT_VALUE], end) * 8;
	/* the other slots were loaded only where there are bits */
	if (!(a->flags & DA_BITFIELD))
		return;
	m->bits = (uint8_t)s->v[SLOT_BITS];
	if (m->bits) {
		m->flags |= CU_MEMBER_OLD_BITS;
		m->old_size = (uint8_t)s->v[SLOT_SIZE];
		m->old_offset = (int8_t)s->v[SLOT_SPEC];
		r->old_bits = true;
	}
}

/* How many elements a subrange has (spec pahole-encoder 6.6). */
static uint32_t subrange_count(const struct dw_abbrev *a, const struct slots *s)
{
	if (a->flags & DA_HAS_VALUE)
		return a->form[SLOT_VALUE] ? (uint32_t)s->v[SLOT_VALUE] + 1 : 0;
	return a->form[SLOT_BITS] ? (uint32_t)s->v[SLOT_BITS] : 0;
}

static struct dw_location location_of(const struct dw_reader *r, const struct dw_abbrev *a,
				      const struct slots *s, const uint8_t *end)
{
	struct dw_location loc = { .form = a->form[SLOT_BITS], .list = s->v[SLOT_BITS] };

	if (dw_form_is_block(loc.form)) {
		struct dw_cursor c = { r->base + s->v[SLOT_BITS], end, r->file->obj->swap, false };

		loc.expr = dw_cursor_block(&c, loc.form);
	}
	return loc;
}

static NOINLINE void func_param(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
				const struct slots *s, const uint8_t *end)
{
	struct frame *f = &r->frames.items[r->frames.nr - 1];
	size_t nr = r->raw_params.nr;

	/* nobody will ask for the parameters of a function that no symbol has the name of */
	if (f->func.name >= r->opts.func_names_end)
		return;

	uint32_t entry = open_entry(r, die);
	close_entry(r, entry, ENTRY_PARAM, nr);

	struct raw_param *p = vec_add(&r->raw_params);
	*p = (struct raw_param){
		.name = name_of(r, a, s),
		.type = ref_of(r, a, s, SLOT_TYPE),
		.origin = ref_of(r, a, s, SLOT_ORIGIN),
		.has_type = a->form[SLOT_TYPE] || (a->flags & DA_FOREIGN),
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

static NOINLINE void open_func(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
			       const struct slots *s, const uint8_t *values)
{
	struct raw_func func = {
		.name = name_of(r, a, s),
		.ret = ref_of(r, a, s, SLOT_TYPE),
		.origin = ref_of(r, a, s, SLOT_ORIGIN),
		.spec = ref_of(r, a, s, SLOT_SPEC),
		.params = CU_NO_PARAM,
		.inlined = s->v[SLOT_BITS] != 0,
		.nocall = s->v[SLOT_SIZE] == DW_CC_nocall,
		.has_origin = a->flags & DA_HAS_ORIGIN,
		.flags = a->flags & DA_DECL ? CU_FUNC_DECL : 0,
	};

	if (a->form[SLOT_VALUE] == DW_FORM_addr)
		func.addr = s->v[SLOT_VALUE];
	else if (a->form[SLOT_VALUE] &&
		 !dw_indexed_addr(&r->locs, s->v[SLOT_VALUE], &func.addr))
		func.addr = 0;

	uint32_t entry = open_entry(r, die);
	set_members_aside(r);
	struct frame *f = push_frame(r, CTX_FUNC);
	f->entry = entry;
	f->func = func;
	f->last_param = CU_NO_PARAM;
	f->nr_params = 0;
	f->tags = r->cu->tags.nr;
	if (r->opts.decl_tags)
		f->annotation = annotation_of(r, a, values);
	if (!a->children)
		close_frame(r);
}

static NOINLINE void open_var(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
			      const struct slots *s, const uint8_t *end)
{
	bool top = r->frames.items[r->frames.nr - 1].ctx == CTX_UNIT;
	size_t nr = r->raw_vars.nr;

	/* what is inside something is of interest only as what a definition refers to */
	if (!r->opts.vars || (!top && !(a->flags & DA_DECL))) {
		if (a->children)
			push_frame(r, CTX_DROP);
		return;
	}

	struct raw_var v = {
		.name = name_of(r, a, s),
		.type = ref_of(r, a, s, SLOT_TYPE),
		.spec = ref_of(r, a, s, SLOT_SPEC),
		.flags = top ? RAW_VAR_TOP : 0,
	};
	if (a->flags & DA_DECL)
		v.flags |= RAW_VAR_DECL;
	if (a->flags & DA_EXTERNAL)
		v.flags |= RAW_VAR_EXTERNAL;
	if (a->flags & DA_ARTIFICIAL)
		v.flags |= RAW_VAR_ARTIFICIAL;
	if (a->form[SLOT_BITS] && !(a->flags & DA_DECL)) {
		struct dw_location loc = location_of(r, a, s, end);

		if (dw_location_addr(&r->locs, &loc, &v.addr))
			v.flags |= RAW_VAR_ADDR;
	}
	close_entry(r, open_entry(r, die), ENTRY_VAR, nr);
	vec_push(&r->raw_vars, v);
	if (a->children) {
		struct frame *f = push_frame(r, r->opts.decl_tags ? CTX_VAR : CTX_DROP);

		f->entry = (uint32_t)nr;
		f->tags = r->cu->tags.nr;
	}
}

/* Annotations, imports, and what is not understood. */
static NOINLINE void odd_die(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values)
{
	struct frame *f = &r->frames.items[r->frames.nr - 1];

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
	} else if (a->kind == DK_IMPORTED_UNIT || a->kind == DK_UNKNOWN) {
		r->nr_dropped++;
	}
	if (a->children)
		push_frame(r, CTX_DROP);
}

/* --- the loop -------------------------------------------------------------------- */

#define SLOT(name) (1u << SLOT_##name)

/* A type without members: complete at once, unless annotations hang on it. */
ALWAYS_INLINE void simple_type(struct dw_reader *r, const struct dw_abbrev *a, uint32_t entry,
			       const struct cu_type *t, const uint8_t *values)
{
	die_off chain = 0;

	if (unlikely(r->opts.type_tags) && t->kind == BTF_PTR && a->annotated)
		chain = annotation_of(r, a, values);
	if (likely(!a->children && !chain)) {
		add_type(r, entry, t);
		return;
	}

	struct frame *f = push_type(r, CTX_DROP, entry, t);
	if (t->kind == BTF_PTR)
		f->ctx = CTX_POINTER;
	else if (t->kind == BTF_TYPEDEF)
		f->ctx = CTX_TYPEDEF;
	else
		add_type(r, entry, t);
	f->annotation = chain;
	if (!a->children)
		close_frame(r);
}

/* What comes with a member; the innermost frame is a struct's. */
ALWAYS_INLINE const uint8_t *member(struct dw_reader *r, const struct dw_abbrev *a,
				    const uint8_t *p, const uint8_t *end, bool swap)
{
	const uint8_t *values = p;
	struct slots s;

	p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(TYPE) | SLOT(VALUE), &s);
	if (unlikely(a->flags & (DA_BITFIELD | DA_BIT_OFFSET)))
		p = load(r, a, values, end, swap, (1u << NR_DW_SLOTS) - 1, &s);
	if (unlikely(!p))
		return NULL;

	struct frame *f = &r->frames.items[r->frames.nr - 1];
	struct cu_member m = {
		.name = name_of(r, a, &s),
		.type = ref_of(r, a, &s, SLOT_TYPE),
		.offset = (uint32_t)s.v[SLOT_VALUE] * 8,
	};
	if (unlikely(a->flags & (DA_BITFIELD | DA_BIT_OFFSET) ||
		     dw_form_is_block(a->form[SLOT_VALUE])))
		odd_member(r, a, &s, end, &m);
	if (unlikely(!(a->flags & DA_HAS_VALUE)))
		m.flags |= CU_MEMBER_STATIC;
	if (unlikely(a->kind == DK_INHERITANCE)) {
		m.flags |= CU_MEMBER_INHERITANCE;
		if (a->flags & DA_VIRTUAL)
			m.flags |= CU_MEMBER_VIRTUAL;
	}
	vec_push(&r->cu->members, m);

	int32_t component = (int32_t)f->type.nr++;
	if (unlikely(a->children || (a->annotated && r->opts.decl_tags))) {
		die_off chain = r->opts.decl_tags ? annotation_of(r, a, values) : 0;
		struct frame *inner = push_frame(r, r->opts.decl_tags ? CTX_MEMBER : CTX_DROP);

		inner->component = component;
		inner->annotation = chain;
		if (!a->children)
			close_frame(r);
	}
	return p;
}

/*
 * One DIE whose code has been read, @values behind it. Returns the end of its values,
 * NULL if they leave the unit.
 */
ALWAYS_INLINE const uint8_t *one_die(struct dw_reader *r, const struct dw_abbrev *a,
				     const uint8_t *die, const uint8_t *p, const uint8_t *end,
				     bool swap)
{
	const uint8_t *values = p;
	struct frame *f = &r->frames.items[r->frames.nr - 1];
	enum frame_ctx ctx = f->ctx;
	struct cu_type t = { 0 };
	uint32_t entry;
	struct slots s;

	/* what stands where it has no meaning is dropped, with all below it */
	static const uint32_t wanted[] = {
		[CTX_UNIT] = 1, [CTX_NAMESPACE] = 1, [CTX_STRUCT] = 1, [CTX_SUBROUTINE] = 1,
		[CTX_FUNC] = 1, [CTX_BLOCK] = 1, [CTX_INLINED] = 1, [CTX_VAR] = 0,
	};
	enum dw_kind kind = a->kind;
	if (kind <= DK_SUBROUTINE && !wanted[ctx])
		kind = DK_DROPPED;

	switch (kind) {
	case DK_POINTER:
	case DK_CONST:
	case DK_VOLATILE:
	case DK_RESTRICT:
	case DK_REFERENCE:
	case DK_PTR_TO_MEMBER:
		p = load(r, a, p, end, swap, SLOT(TYPE), &s);
		t.kind = kind == DK_CONST    ? BTF_CONST :
			 kind == DK_VOLATILE ? BTF_VOLATILE :
			 kind == DK_RESTRICT ? BTF_RESTRICT :
					       BTF_PTR;
		/* a pointer to a member is no more than some bytes to C */
		t.ref = kind == DK_PTR_TO_MEMBER ? 0 : ref_of(r, a, &s, SLOT_TYPE);
		simple_type(r, a, open_entry(r, die), &t, values);
		return p;
	case DK_TYPEDEF:
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(TYPE), &s);
		if (unlikely(!p))
			return NULL;
		t.kind = BTF_TYPEDEF;
		t.name = name_of(r, a, &s);
		t.ref = ref_of(r, a, &s, SLOT_TYPE);
		simple_type(r, a, open_entry(r, die), &t, values);
		return p;
	case DK_BASE:
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(SIZE) | SLOT(VALUE), &s);
		if (unlikely(!p))
			return NULL;
		t.kind = BTF_INT;
		t.name = name_of(r, a, &s);
		t.size = (uint32_t)s.v[SLOT_SIZE];
		t.encoding = (uint16_t)s.v[SLOT_VALUE];
		simple_type(r, a, open_entry(r, die), &t, values);
		return p;
	case DK_STRUCT:
	case DK_CLASS:
	case DK_UNION:
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(SIZE) | SLOT(SPEC), &s);
		if (unlikely(!p))
			return NULL;
		t.kind = kind == DK_UNION ? BTF_UNION : BTF_STRUCT;
		t.flags = (kind == DK_CLASS ? CU_TYPE_CLASS : 0) |
			  (is_declaration(r, a, values) ? CU_TYPE_FWD : 0);
		t.name = name_of(r, a, &s);
		t.size = (uint32_t)s.v[SLOT_SIZE];
		entry = open_entry(r, die);
		f = push_type(r, CTX_STRUCT, entry, &t);
		f->spec = ref_of(r, a, &s, SLOT_SPEC);
		if (unlikely(a->annotated) && r->opts.decl_tags)
			f->annotation = annotation_of(r, a, values);
		if (!a->children)
			close_frame(r);
		return p;
	case DK_MEMBER:
	case DK_INHERITANCE:
		if (ctx != CTX_STRUCT)
			break;
		return member(r, a, p, end, swap);
	case DK_ENUM:
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(SIZE) | SLOT(TYPE), &s);
		if (unlikely(!p))
			return NULL;
		t.kind = BTF_ENUM;
		t.name = name_of(r, a, &s);
		t.size = s.v[SLOT_SIZE] ? (uint32_t)s.v[SLOT_SIZE] : 4;
		t.ref = ref_of(r, a, &s, SLOT_TYPE);
		entry = open_entry(r, die);
		push_type(r, CTX_ENUM, entry, &t);
		if (!a->children)
			close_frame(r);
		return p;
	case DK_ENUMERATOR:
		if (ctx != CTX_ENUM)
			break;
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(VALUE), &s);
		if (unlikely(!p))
			return NULL;
		vec_push(&r->cu->enumerators,
			 ((struct cu_enumerator){ name_of(r, a, &s), (int64_t)s.v[SLOT_VALUE] }));
		if (unlikely(a->children))
			push_frame(r, CTX_DROP);
		return p;
	case DK_ARRAY:
		p = load(r, a, p, end, swap, SLOT(TYPE), &s);
		t.kind = BTF_ARRAY;
		t.ref = ref_of(r, a, &s, SLOT_TYPE);
		t.size = 1;
		entry = open_entry(r, die);
		push_type(r, CTX_ARRAY, entry, &t);
		if (!a->children)
			close_frame(r);
		return p;
	case DK_SUBRANGE:
		if (ctx != CTX_ARRAY)
			break;
		p = load(r, a, p, end, swap, SLOT(VALUE) | SLOT(BITS), &s);
		f->type.size *= subrange_count(a, &s);
		if (unlikely(a->children))
			push_frame(r, CTX_DROP);
		return p;
	case DK_SUBROUTINE:
		p = load(r, a, p, end, swap, SLOT(TYPE), &s);
		t.kind = BTF_FUNC_PROTO;
		t.ref = ref_of(r, a, &s, SLOT_TYPE);
		entry = open_entry(r, die);
		push_type(r, CTX_SUBROUTINE, entry, &t);
		if (!a->children)
			close_frame(r);
		return p;
	case DK_PARAMETER:
		if (ctx == CTX_SUBROUTINE) {
			p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(TYPE), &s);
			if (unlikely(!p))
				return NULL;
			vec_push(&r->cu->members,
				 ((struct cu_member){ .name = name_of(r, a, &s),
						      .type = ref_of(r, a, &s, SLOT_TYPE) }));
			f->type.nr++;
			if (unlikely(a->children))
				push_frame(r, CTX_DROP);
			return p;
		}
		if (ctx != CTX_FUNC)
			break;
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(TYPE) | SLOT(BITS) | SLOT(ORIGIN),
			 &s);
		if (unlikely(!p))
			return NULL;
		func_param(r, a, die, &s, end);
		if (unlikely(a->children || (a->annotated && r->opts.decl_tags))) {
			int32_t component = (int32_t)r->frames.items[r->frames.nr - 1].nr_params;
			die_off chain = r->opts.decl_tags ? annotation_of(r, a, values) : 0;

			f = push_frame(r, r->opts.decl_tags ? CTX_PARAM : CTX_DROP);
			f->component = component - 1;
			f->annotation = chain;
			if (!a->children)
				close_frame(r);
		}
		return p;
	case DK_VARARGS:
		if (ctx == CTX_SUBROUTINE)
			f->type.flags |= CU_TYPE_VARARG;
		else if (ctx == CTX_FUNC)
			f->func.flags |= CU_FUNC_VARARG;
		break;
	case DK_FUNCTION:
		if (!wanted[ctx])
			break;
		p = load(r, a, p, end, swap, (1u << NR_DW_SLOTS) - 1, &s);
		if (unlikely(!p))
			return NULL;
		open_func(r, a, die, &s, values);
		return p;
	case DK_VARIABLE:
		if (!wanted[ctx])
			break;
		p = load(r, a, p, end, swap, SLOT(NAME) | SLOT(TYPE) | SLOT(BITS) | SLOT(SPEC),
			 &s);
		if (unlikely(!p))
			return NULL;
		open_var(r, a, die, &s, end);
		return p;
	case DK_BLOCK:
	case DK_INLINED:
		p = load(r, a, p, end, swap, 0, &s);
		if (a->children)
			push_frame(r, ctx == CTX_FUNC || ctx == CTX_BLOCK || ctx == CTX_INLINED ?
					      (kind == DK_BLOCK ? CTX_BLOCK : CTX_INLINED) :
					      CTX_DROP);
		return p;
	case DK_NAMESPACE:
		p = load(r, a, p, end, swap, 0, &s);
		if (a->children) {
			set_members_aside(r);
			push_frame(r, wanted[ctx] ? CTX_NAMESPACE : CTX_DROP);
		}
		return p;
	case DK_ATOMIC:
		p = load(r, a, p, end, swap, SLOT(TYPE), &s);
		add_alias(r, open_entry(r, die), ref_of(r, a, &s, SLOT_TYPE));
		if (a->children)
			push_frame(r, CTX_DROP);
		return p;
	case DK_UNSPECIFIED:
	case DK_STRING_TYPE:
		p = load(r, a, p, end, swap, 0, &s);
		add_alias(r, open_entry(r, die), 0);
		if (a->children)
			push_frame(r, CTX_DROP);
		return p;
	case DK_NONE:
		return NULL;
	case DK_ANNOTATION:
	case DK_GNU_ANNOTATION:
	case DK_IMPORTED_UNIT:
	case DK_UNKNOWN:
		p = load(r, a, p, end, swap, 0, &s);
		if (p)
			odd_die(r, a, values);
		return p;
	default:
		break;
	}
	p = load(r, a, p, end, swap, 0, &s);
	if (a->children)
		push_frame(r, CTX_DROP);
	return p;
}

/* Below a DIE that means nothing: step, and count how deep it is. */
ALWAYS_INLINE const uint8_t *skip_die(struct dw_reader *r, const struct dw_abbrev *a,
				      const uint8_t *p, const uint8_t *end)
{
	struct slots s;

	p += a->prefix;
	if (unlikely(a->tail))
		p = walk_tail(r, a, p, end, &s);
	if (a->children)
		push_frame(r, CTX_DROP);
	return a->kind == DK_NONE ? NULL : p;
}

static struct err *bad_die(const struct dw_reader *r, const uint8_t *die, uint64_t code)
{
	size_t at = (size_t)(die - r->file->obj->debug[DEBUG_INFO].ptr);

	if (code >= r->abbrevs.lines.nr || r->abbrevs.lines.items[code].kind == DK_NONE)
		return err_new(ERR_FORMAT, ".debug_info+%#zx: no abbreviation has the code %llu", at,
			       (unsigned long long)code);
	return err_new(ERR_FORMAT, ".debug_info+%#zx: the entry leaves its unit, which ends at %#llx",
		       at, (unsigned long long)r->unit->end);
}

ALWAYS_INLINE struct err *walk(struct dw_reader *r, const uint8_t *p, const uint8_t *end, bool swap)
{
	size_t outer = r->frames.nr;

	push_frame(r, CTX_UNIT);
	while (p < end && r->frames.nr > outer) {
		const uint8_t *die = p;
		uint64_t code = *p++;

		if (unlikely(code & 0x80)) {
			struct dw_cursor c = { die, end, swap, false };

			code = dw_cursor_uleb(&c);
			if (c.failed)
				return bad_die(r, die, code);
			p = c.p;
		}
		if (!code) {
			close_frame(r);
			continue;
		}
		if (unlikely(code >= r->abbrevs.lines.nr))
			return bad_die(r, die, code);

		const struct dw_abbrev *a = &r->abbrevs.lines.items[code];
		if (unlikely(a->prefix > end - p))
			return bad_die(r, die, code);
		if (r->frames.items[r->frames.nr - 1].ctx == CTX_DROP)
			p = skip_die(r, a, p, end);
		else
			p = one_die(r, a, die, p, end, swap);
		if (unlikely(!p))
			return bad_die(r, die, code);
	}
	/* some producers save the zeros at the end */
	while (r->frames.nr > outer)
		close_frame(r);
	return NULL;
}

static NOINLINE struct err *walk_native(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	return walk(r, p, end, false);
}

static NOINLINE struct err *walk_swapped(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	return walk(r, p, end, true);
}

struct err *dw_walk(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	return r->file->obj->swap ? walk_swapped(r, p, end) : walk_native(r, p, end);
}
