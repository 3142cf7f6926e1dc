/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_walk.c - walk the DIEs of a unit
 *
 * This loop reads a DIE at a time; dw_fast_path.c reads most of a kernel's 18 million DIEs.
 * OBJECT_PADDING bytes follow the section, so a column is read by one load without a check; one check
 * per DIE ensures that its fixed part is inside the unit. Rare cases are in NOINLINE functions.
 *
 * A type is appended when its subtree is complete (docs/spec/encoding.md 4.2): a struct that is declared
 * inside another precedes it. A frame keeps a DIE until then. A child counts only in the contexts
 * of docs/spec/encoding.md 4.3. A DIE that does not count is skipped with all below it.
 */
#include "loader/dwarf/dw_walk.h"

#include <elf.h>

static void add_alias(struct dw_reader *r, const uint8_t *die, die_off to)
{
	die_map_add(r, die, ENTRY_ALIAS, r->raw.aliases.nr);
	vec_push(&r->raw.aliases, to);
}

/*
 * A type without members. It is complete at once, unless it is a pointer or typedef that may have
 * annotations.
 */
ALWAYS_INLINE void simple_type(struct dw_reader *r, struct die d, const struct cu_type *t)
{
	die_off chain = 0;

	if (unlikely(r->opts.type_tags) && t->kind == BTF_PTR && d.a->annotated)
		chain = dw_attr_ref(r, d.a, d.values, ATTR_GNU_ANNOTATION);
	if (likely(!d.a->children && !chain) || (t->kind != BTF_PTR && t->kind != BTF_TYPEDEF)) {
		add_type(r, off_of(r, d.start), t);
		return;
	}

	struct frame *f = dw_push_type(r, t->kind == BTF_PTR ? CTX_POINTER : CTX_TYPEDEF,
				       off_of(r, d.start), t);
	f->annotation = chain;
	if (!d.a->children)
		dw_close_frame(r);
}

/* Does @v need more than @bits? A negative offset does not count as far. */
static bool is_far(uint64_t v, unsigned int bits)
{
	return v >> bits && v <= INT64_MAX;
}

static void set_far(struct cu_member *m)
{
	m->flags |= CU_MEMBER_FAR;
	m->offset = UINT32_MAX;
}

/* Members that are bit fields, far from the start, or at an offset that an expression gives. */
static NOINLINE void rare_member(struct dw_reader *r, const struct dw_abbrev *a,
				 const struct columns *s, struct cu_member *m)
{
	if (a->flags & DA_BIT_OFFSET) {
		m->offset = (uint32_t)s->v[COL_DATA_BIT_OFFSET];
		if (is_far(s->v[COL_DATA_BIT_OFFSET], 32))
			set_far(m);
		m->bits = (uint8_t)s->v[COL_BITS];
		return;
	}
	uint64_t at = s->v[COL_VALUE];
	if (dw_form_is(a->form[COL_VALUE], FORM_BLOCK)) {
		struct bytes expr = dw_block_at(r, at, a->form[COL_VALUE]);

		if (!dw_location_offset(&r->unit.locs, expr, &at)) {
			at = UINT64_MAX;
			if (r->unit.foreign)
				cu_member_lose(m, CU_LOST_LOCATION);
		}
		m->offset = (uint32_t)at * 8;
	}
	if (is_far(at, 29))
		set_far(m);
	/* the other columns are loaded only for bit fields; a lost one has its reason in @old_size */
	if (!(a->flags & DA_BITFIELD) || (m->flags & CU_MEMBER_LOST))
		return;
	m->bits = (uint8_t)s->v[COL_BITS];
	if (m->bits) {
		m->flags |= CU_MEMBER_OLD_BITS;
		m->old_size = (uint8_t)s->v[COL_SIZE];
		m->old_offset = (int8_t)s->v[COL_BIT_OFFSET];
		r->raw.old_bits = true;
	}
}

/*
 * A member of the struct or union in the innermost frame. dw_fast_path.c reads the simple members and
 * types; this and the functions below read the others.
 */
static NOINLINE const uint8_t *member(struct dw_reader *r, const struct dw_abbrev *a,
				      const uint8_t *p, const uint8_t *end, bool swap)
{
	const uint8_t *values = p;
	struct columns s;

	p = load(r, a, p, end, swap, COL(NAME) | COL(TYPE) | COL(VALUE), &s);
	if (unlikely(a->flags & (DA_BITFIELD | DA_BIT_OFFSET)))
		p = load(r, a, values, end, swap, ALL_COLUMNS, &s);
	if (unlikely(!p))
		return NULL;

	/* C++ declares a static variable; from DWARF 5 on it has the tag of one */
	if (unlikely(!(a->flags & DA_HAS_VALUE) && (a->flags & (DA_EXTERNAL | DA_DECL))))
		return p;

	struct frame *f = top_frame(r);
	struct cu_member m = {
		.name = name_of(r, a, &s),
		.type = ref_of(r, a, &s, COL_TYPE),
		.offset = (uint32_t)s.v[COL_VALUE] * 8,
	};
	if (unlikely(a->flags & (DA_BITFIELD | DA_BIT_OFFSET) ||
		     dw_form_is(a->form[COL_VALUE], FORM_BLOCK) || s.v[COL_VALUE] >> 29))
		rare_member(r, a, &s, &m);
	/* gcc writes no location for members of a union */
	if (unlikely(!(a->flags & DA_HAS_VALUE)) && f->type.kind != BTF_UNION)
		m.flags |= CU_MEMBER_STATIC;
	if (unlikely(a->kind == DK_INHERITANCE)) {
		m.flags |= CU_MEMBER_INHERITANCE;
		if (a->flags & DA_VIRTUAL)
			m.flags |= CU_MEMBER_VIRTUAL;
	}
	if (m.bits)
		f->type.flags |= CU_TYPE_BITS;
	if (unlikely(m.flags || (m.offset % 8 && !m.bits) || m.offset > 0xffffff ||
		     (m.offset && f->type.kind == BTF_UNION)))
		f->type.flags &= (uint16_t)~CU_TYPE_PLAIN;
	vec_push(&r->cu->members, m);

	int32_t component = (int32_t)f->type.nr++;
	if (unlikely(r->opts.decl_tags && (a->children || a->annotated)))
		dw_push_component(r, a, values, CTX_MEMBER, component);
	return p;
}

/* Skip the DIE. walk() then skips its children. */
ALWAYS_INLINE const uint8_t *drop(struct dw_reader *r, struct die d)
{
	struct columns s;

	return LOAD(0);
}

ALWAYS_INLINE const uint8_t *reference(struct dw_reader *r, struct die d, enum btf_kind kind)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(TYPE));
	struct cu_type t = { .kind = (uint8_t)kind, .ref = ref_of(r, d.a, &s, COL_TYPE) };

	/* for C a pointer to a member is a pointer to void */
	if (unlikely(d.a->kind == DK_PTR_TO_MEMBER))
		t.ref = 0;
	simple_type(r, d, &t);
	return p;
}

/*
 * GCC for PowerPC describes an IEEE long double as a typedef of _Float128. No typedef in C has
 * such a name, and the kernel refuses it.
 */
static bool is_long_double(const struct dw_reader *r, uint32_t name)
{
	const char *text = str_pool_text(r->unit.file->strings, name);

	return !strcmp(text, "long double") || !strcmp(text, "complex long double");
}

ALWAYS_INLINE const uint8_t *type_def(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE));

	if (unlikely(!p))
		return NULL;
	struct cu_type t = {
		.kind = BTF_TYPEDEF,
		.name = name_of(r, d.a, &s),
		.ref = ref_of(r, d.a, &s, COL_TYPE),
	};
	if (unlikely(r->unit.file->obj->machine == EM_PPC64) && is_long_double(r, t.name)) {
		add_alias(r, d.start, t.ref);
		return p;
	}
	simple_type(r, d, &t);
	return p;
}

static NOINLINE const uint8_t *base_type(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(SIZE) | COL(VALUE));

	if (unlikely(!p))
		return NULL;
	struct cu_type t = {
		.kind = BTF_INT,
		.name = name_of(r, d.a, &s),
		.size = (uint32_t)s.v[COL_SIZE],
		.encoding = s.v[COL_ENCODING] > UINT8_MAX ? DW_ATE_hi_user :
							    (uint8_t)s.v[COL_ENCODING],
	};
	simple_type(r, d, &t);
	return p;
}

/*
 * A declaration of a type that a type unit describes. Its children are declarations of types nested in
 * it.
 */
static NOINLINE void add_signature(struct dw_reader *r, struct die d)
{
	add_alias(r, d.start, dw_attr_ref(r, d.a, d.values, DW_AT_signature));
	if (!d.a->children)
		return;
	dw_set_members_aside(r);
	push_frame(r, CTX_NAMESPACE);
}

/* A type that may have children. */
ALWAYS_INLINE void container(struct dw_reader *r, struct die d, enum frame_ctx ctx,
			     const struct cu_type *t)
{
	if (d.a->children)
		dw_push_type(r, ctx, off_of(r, d.start), t);
	else
		add_type(r, off_of(r, d.start), t);
}

/* Numeric value of DW_AT_declaration (docs/spec/encoding.md 5.1). */
ALWAYS_INLINE bool is_declaration(const struct dw_reader *r, struct die d)
{
	if (likely(!(d.a->flags & DA_DECL_FORM)))
		return d.a->flags & DA_DECL_TRUE;
	return dw_attr_number(r, d.a, d.values, DW_AT_declaration);
}

ALWAYS_INLINE const uint8_t *composite(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(SIZE) | COL(SPEC));

	if (unlikely(!p))
		return NULL;
	if (unlikely(d.a->flags & DA_SIGNATURE)) {
		add_signature(r, d);
		return p;
	}
	struct cu_type t = {
		.kind = d.a->kind == DK_UNION ? BTF_UNION : BTF_STRUCT,
		.flags = (d.a->kind == DK_CLASS ? CU_TYPE_CLASS : 0) |
			 (is_declaration(r, d) ? CU_TYPE_FWD : CU_TYPE_PLAIN) |
			 (d.a->flags & DA_OPEN_SIZE ? CU_TYPE_OPEN : 0),
		.name = name_of(r, d.a, &s),
		.size = (uint32_t)s.v[COL_SIZE],
	};
	r->raw.open_sizes |= t.flags & CU_TYPE_OPEN;

	die_off spec = ref_of(r, d.a, &s, COL_SPEC);
	if (!d.a->children && likely(!spec && !d.a->annotated)) {
		t.flags |= CU_TYPE_NO_MEMBERS;
		add_type(r, off_of(r, d.start), &t);
		return p;
	}

	struct frame *f = dw_push_type(r, CTX_STRUCT, off_of(r, d.start), &t);
	f->spec = spec;
	if (unlikely(d.a->annotated) && r->opts.decl_tags)
		f->annotation = dw_attr_ref(r, d.a, d.values, ATTR_GNU_ANNOTATION);
	if (!d.a->children)
		dw_close_frame(r);
	return p;
}

ALWAYS_INLINE const uint8_t *enumeration(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(SIZE) | COL(TYPE));

	if (unlikely(!p))
		return NULL;
	if (unlikely(d.a->flags & DA_SIGNATURE)) {
		add_signature(r, d);
		return p;
	}
	struct cu_type t = {
		.kind = BTF_ENUM,
		.name = name_of(r, d.a, &s),
		.size = s.v[COL_SIZE] ? (uint32_t)s.v[COL_SIZE] : 4,
		.ref = ref_of(r, d.a, &s, COL_TYPE),
	};
	container(r, d, CTX_ENUM, &t);
	return p;
}

static NOINLINE const uint8_t *enumerator(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(VALUE));

	if (unlikely(!p))
		return NULL;
	vec_push(&r->cu->enumerators,
		 ((struct cu_enumerator){ name_of(r, d.a, &s), (int64_t)s.v[COL_VALUE] }));
	return p;
}

/* An array of a language that may have other arrays than C. */
static NOINLINE void foreign_array(struct dw_reader *r, struct die d, struct cu_type *t)
{
	uint64_t bytes = dw_attr_number(r, d.a, d.values, DW_AT_byte_stride);
	uint64_t bits = dw_attr_number(r, d.a, d.values, DW_AT_bit_stride);
	struct dw_value v;

	r->array.name = dw_attr_string(r, d.a, d.values, DW_AT_name);
	r->array.stride = bits ? bits : bytes * 8;
	r->array.by_column = dw_attr_number(r, d.a, d.values, DW_AT_ordering) == DW_ORD_col_major;
	if (dw_attr(r, d.a, d.values, DW_AT_data_location, &v))
		t->flags |= CU_TYPE_ELSEWHERE;
}

ALWAYS_INLINE const uint8_t *array(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(TYPE));
	struct cu_type t = { .kind = BTF_ARRAY, .size = 1, .ref = ref_of(r, d.a, &s, COL_TYPE) };

	r->dimensions.nr = 0;
	if (unlikely(r->unit.foreign))
		foreign_array(r, d, &t);
	container(r, d, CTX_ARRAY, &t);
	return p;
}

/* The dimension of a subrange whose upper bound is a constant, and whose lower bound may not be 0. */
static NOINLINE void bounds(struct dw_reader *r, const struct dw_abbrev *a, const struct columns *s,
			    struct dimension *ret)
{
	ret->lower = r->unit.lower_bound;
	ret->upper = (int64_t)s->v[COL_UPPER];
	ret->count = 0;
	if (a->flags & DA_LOWER) {
		if (!a->form[COL_LOWER])
			return;
		ret->lower = (int64_t)s->v[COL_LOWER];
	}
	/* a range that ends before it begins is empty */
	if (ret->upper < ret->lower)
		return;
	ret->count = (uint32_t)((uint64_t)ret->upper - (uint64_t)ret->lower + 1);
	if (r->unit.foreign)
		ret->type = ref_of(r, a, s, COL_TYPE);
}

ALWAYS_INLINE const uint8_t *subrange(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(TYPE) | COL(VALUE) | COL(BITS) | COL(ORIGIN));
	struct dimension dim = { .count = subrange_count(d.a, &s) };

	if (unlikely(d.a->flags & DA_LOWER || r->unit.foreign) && !r->opts.c_types &&
	    d.a->form[COL_UPPER])
		bounds(r, d.a, &s, &dim);
	vec_push(&r->dimensions, dim);
	return p;
}

ALWAYS_INLINE const uint8_t *subroutine(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(TYPE) | COL(SIZE));
	struct cu_type t = { .kind = BTF_FUNC_PROTO, .ref = ref_of(r, d.a, &s, COL_TYPE) };

	/* see dw_add_subroutine() */
	if (unlikely(r->unit.foreign))
		t.size = r->unit.pascal ? r->unit.header->enc.addr_size : (uint32_t)s.v[COL_SIZE];
	if (d.a->children)
		dw_push_type(r, CTX_SUBROUTINE, off_of(r, d.start), &t);
	else
		dw_add_subroutine(r, off_of(r, d.start), &t);
	return p;
}

/* A parameter of a subroutine type. */
static NOINLINE const uint8_t *type_param(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE));

	if (unlikely(!p))
		return NULL;
	vec_push(&r->cu->members, ((struct cu_member){ .name = name_of(r, d.a, &s),
						       .type = ref_of(r, d.a, &s, COL_TYPE) }));
	top_frame(r)->type.nr++;
	return p;
}

ALWAYS_INLINE const uint8_t *varargs(struct dw_reader *r, struct die d)
{
	struct frame *f = top_frame(r);

	if (d.ctx == CTX_SUBROUTINE)
		f->type.flags |= CU_TYPE_VARARG;
	else if (d.ctx == CTX_FUNC || d.ctx == CTX_METHOD)
		f->func.flags |= CU_FUNC_VARARG;
	return drop(r, d);
}

/* A scope in which types may be declared. */
ALWAYS_INLINE const uint8_t *scope(struct dw_reader *r, struct die d, enum frame_ctx ctx)
{
	struct columns s;
	const uint8_t *p = LOAD(0);

	if (!d.a->children)
		return p;
	if (ctx == CTX_NAMESPACE)
		dw_set_members_aside(r);
	push_frame(r, ctx);
	return p;
}

/* A Fortran string is an array of characters, of 0 if its length is not fixed. */
static NOINLINE const uint8_t *string_type(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(SIZE));

	if (!p)
		return NULL;

	const struct cu_type byte = {
		.kind = BTF_INT,
		.name = dw_file_name(r->unit.file, "char", strlen("char"), true),
		.size = 1,
		.encoding = DW_ATE_unsigned_char,
	};
	const struct cu_type chars = {
		.kind = BTF_ARRAY,
		.size = (uint32_t)s.v[COL_SIZE],
		.ref = (unit_tid)r->cu->types.nr,
		.flags = CU_TYPE_REF_DONE,
	};
	vec_push(&r->cu->types, byte);
	add_type(r, off_of(r, d.start), &chars);
	return p;
}

/* The type of nullptr: clang and C++ call it decltype(nullptr), gcc's C23 typeof (nullptr). */
static bool is_nullptr_name(const char *name)
{
	return !strcmp(name, "decltype(nullptr)") || !strcmp(name, "typeof (nullptr)");
}

/* A type that BTF cannot express: an alias of another type or of void. */
static NOINLINE const uint8_t *add_inexpressible(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(TYPE));

	if (!p)
		return NULL;
	/* gas uses other unspecified types for the return values of functions */
	if (d.a->kind == DK_UNSPECIFIED &&
	    is_nullptr_name(str_pool_text(r->unit.file->strings, name_of(r, d.a, &s)))) {
		const struct cu_type t = { .kind = BTF_PTR };

		simple_type(r, d, &t);
		return p;
	}
	add_alias(r, d.start, d.a->kind == DK_ATOMIC ? ref_of(r, d.a, &s, COL_TYPE) : 0);
	return p;
}

/*
 * A subrange type (Ada): with a name a typedef of its base type, without one an alias. BTF cannot
 * express the bounds.
 */
static NOINLINE const uint8_t *range_type(struct dw_reader *r, struct die d)
{
	struct columns s;

	if (d.a->form[COL_NAME])
		return type_def(r, d);

	const uint8_t *p = LOAD(COL(TYPE));
	add_alias(r, d.start, ref_of(r, d.a, &s, COL_TYPE));
	return p;
}

/* A type of which BTF has only the size. */
static NOINLINE const uint8_t *opaque(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(SIZE));

	if (p)
		add_type(r, off_of(r, d.start),
			 &(struct cu_type){ .kind = BTF_INT,
					    .encoding = (uint8_t)d.a->tag,
					    .flags = CU_TYPE_OPAQUE,
					    .name = name_of(r, d.a, &s),
					    .size = (uint32_t)s.v[COL_SIZE] });
	return p;
}

/* Annotations, imports of units, and DIEs of an unknown tag. */
static NOINLINE const uint8_t *other_die(struct dw_reader *r, struct die d)
{
	struct columns s;
	const uint8_t *p = LOAD(0);

	if (!p)
		return NULL;
	if (d.a->kind == DK_ANNOTATION) {
		dw_annotation(r, d.a, d.values);
	} else if (d.a->kind == DK_IMPORTED_UNIT) {
		/* a reference to a unit has it read */
		die_off unit = dw_attr_ref(r, d.a, d.values, DW_AT_import);

		if (!unit || unit == DIE_FOREIGN)
			r->raw.nr_dropped++;
	} else if (d.a->kind == DK_UNKNOWN || d.a->kind == DK_VARIANT_PART || d.a->kind == DK_SET) {
		r->raw.nr_dropped++;
	}
	return p;
}

/* The contexts in which types, functions and variables count. */
static const bool is_scope[] = {
	[CTX_UNIT] = true, [CTX_NAMESPACE] = true, [CTX_STRUCT] = true,  [CTX_SUBROUTINE] = true,
	[CTX_FUNC] = true, [CTX_BLOCK] = true,     [CTX_INLINED] = true, [CTX_CASES] = false,
};

static bool is_code(enum frame_ctx ctx)
{
	return ctx == CTX_FUNC || ctx == CTX_BLOCK || ctx == CTX_INLINED;
}

/* Read the DIE @d in its context. Returns the end of its values, NULL if they leave the unit. */
ALWAYS_INLINE const uint8_t *one_die(struct dw_reader *r, struct die d)
{
	enum dw_kind kind = d.a->kind;

	if (unlikely(!is_scope[d.ctx]) && kind <= DK_LAST_TYPE)
		return kind == DK_NONE ? NULL : drop(r, d);
	switch (kind) {
	case DK_NONE:
		return NULL;
	case DK_CONST:
		return reference(r, d, BTF_CONST);
	case DK_VOLATILE:
		return reference(r, d, BTF_VOLATILE);
	case DK_RESTRICT:
		return reference(r, d, BTF_RESTRICT);
	case DK_POINTER:
	case DK_REFERENCE:
	case DK_PTR_TO_MEMBER:
		return reference(r, d, BTF_PTR);
	case DK_TYPEDEF:
		return type_def(r, d);
	case DK_BASE:
		return base_type(r, d);
	case DK_STRUCT:
	case DK_CLASS:
	case DK_UNION:
		return composite(r, d);
	case DK_ENUM:
		return enumeration(r, d);
	case DK_ARRAY:
		return array(r, d);
	case DK_SUBROUTINE:
		return subroutine(r, d);
	case DK_ATOMIC:
	case DK_UNSPECIFIED:
		return add_inexpressible(r, d);
	case DK_STRING_TYPE:
		return string_type(r, d);
	case DK_MEMBER:
		if (unlikely(d.ctx == CTX_VARIANT || d.ctx == CTX_VARIANT_PART))
			return dw_variant_member(r, d);
		/* no compiler puts a discriminant there */
		r->raw.nr_dropped += d.ctx == CTX_CASES;
		/* fallthrough */
	case DK_INHERITANCE:
		return d.ctx == CTX_STRUCT ? member(r, d.a, d.values, d.end, d.swap) : drop(r, d);
	case DK_ENUMERATOR:
		return d.ctx == CTX_ENUM ? enumerator(r, d) : drop(r, d);
	case DK_SUBRANGE:
		return d.ctx == CTX_ARRAY ? subrange(r, d) :
		       is_scope[d.ctx]    ? range_type(r, d) :
					    drop(r, d);
	case DK_PARAMETER:
		if (d.ctx == CTX_SUBROUTINE)
			return type_param(r, d);
		return d.ctx == CTX_FUNC || d.ctx == CTX_METHOD ? dw_func_param(r, d) : drop(r, d);
	case DK_VARARGS:
		return varargs(r, d);
	case DK_FUNCTION:
		return is_scope[d.ctx] || (d.ctx == CTX_ENUM && r->opts.enum_funcs) ?
			       dw_function(r, d) :
			       drop(r, d);
	case DK_VARIABLE:
		return is_scope[d.ctx] ? dw_variable(r, d) : drop(r, d);
	case DK_BLOCK:
		return scope(r, d, is_code(d.ctx) ? CTX_BLOCK : CTX_DROP);
	case DK_INLINED:
		if (r->opts.sites && is_code(d.ctx))
			return dw_inlined(r, d);
		return scope(r, d,
			     is_code(d.ctx) && !r->opts.skip_inlined ? CTX_INLINED : CTX_DROP);
	case DK_NAMESPACE:
		return scope(r, d, is_scope[d.ctx] ? CTX_NAMESPACE : CTX_DROP);
	case DK_VARIANT:
		return d.ctx == CTX_VARIANT_PART ? dw_variant(r, d) :
		       d.ctx == CTX_CASES        ? dw_case(r, d) :
						   drop(r, d);
	case DK_SET:
		return r->opts.c_types ? other_die(r, d) : opaque(r, d);
	case DK_VARIANT_PART:
		if (r->cu->lang == DW_LANG_Rust ? r->opts.variants : !r->opts.c_types)
			return r->cu->lang == DW_LANG_Rust ? dw_variant_part(r, d) : dw_cases(r, d);
		/* fallthrough */
	case DK_ANNOTATION:
	case DK_GNU_ANNOTATION:
	case DK_IMPORTED_UNIT:
	case DK_UNKNOWN:
		return other_die(r, d);
	default:
		return drop(r, d);
	}
}

static struct err *bad_die(const struct dw_reader *r, const uint8_t *die, uint64_t code)
{
	size_t at = (size_t)(r->unit.header->start + (uint64_t)(die - r->unit.base));
	const char *section = dw_unit_section(r->unit.header);

	if (code >= r->abbrevs.by_code.nr || r->abbrevs.by_code.items[code].kind == DK_NONE)
		return err_new(ERR_FORMAT, "%s+%#zx: no abbreviation has the code %llu", section,
			       at, (unsigned long long)code);
	return err_new(ERR_FORMAT, "%s+%#zx: the entry leaves its unit, which ends at %#llx",
		       section, at, (unsigned long long)r->unit.header->end);
}

static NOINLINE struct err *too_deep(const struct dw_reader *r, const uint8_t *die)
{
	return err_new(ERR_LIMIT, "%s+%#zx: the entry is more than %d deep in others",
		       dw_unit_section(r->unit.header),
		       (size_t)(r->unit.header->start + (uint64_t)(die - r->unit.base)),
		       MAX_FRAMES);
}

/*
 * Skip all below the innermost frame, without opening frames. Returns the position after its end, a DIE
 * that is malformed, or @end.
 */
ALWAYS_INLINE const uint8_t *drop_children(struct dw_reader *r, const uint8_t *p,
					   const uint8_t *end, bool swap)
{
	size_t depth = 1;

	while (p < end) {
		const uint8_t *die = p;
		struct columns none;
		uint64_t code;

		p = read_code(p, end, &code);
		if (unlikely(!p || code >= r->abbrevs.by_code.nr))
			return die;
		if (!code) {
			if (--depth)
				continue;
			pop_frame(r);
			return p;
		}

		const struct dw_abbrev *a = &r->abbrevs.by_code.items[code];
		if (unlikely(a->prefix > end - p || a->kind == DK_NONE))
			return die;
		p = load(r, a, p, end, swap, 0, &none);
		if (unlikely(!p))
			return die;
		depth += a->children;
	}
	return p;
}

ALWAYS_INLINE struct err *walk(struct dw_reader *r, const uint8_t *p, const uint8_t *end, bool swap)
{
	const struct dw_abbrev *abbrevs = r->abbrevs.by_code.items;
	size_t nr_abbrevs = r->abbrevs.by_code.nr, outer = r->frames.nr;
	const bool fast = !swap && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	push_frame(r, CTX_UNIT);
	while (p < end) {
		enum frame_ctx ctx = top_frame(r)->ctx;

		if (ctx <= CTX_INLINED) {
			if (ctx == CTX_DROP)
				p = drop_children(r, p, end, swap);
			else if (ctx == CTX_SITE)
				p = dw_site_children(r, p, end, swap);
			else if (fast)
				p = dw_fast_path(r, ctx, p, end);
			if (p >= end)
				break;
			ctx = top_frame(r)->ctx;
		}
		if (unlikely(r->frames.nr > MAX_FRAMES))
			return too_deep(r, p);

		const uint8_t *die = p;
		uint64_t code;

		p = read_code(p, end, &code);
		if (unlikely(!p))
			return bad_die(r, die, code);
		if (!code) {
			if (ctx == CTX_BLOCK || ctx == CTX_INLINED)
				pop_frame(r);
			else
				dw_close_frame(r);
			if (unlikely(r->frames.nr == outer))
				return NULL;
			continue;
		}
		if (unlikely(code >= nr_abbrevs || abbrevs[code].prefix > end - p))
			return bad_die(r, die, code);
		size_t nr_frames = r->frames.nr;
		p = one_die(r, (struct die){ &abbrevs[code], die, p, end, ctx, swap });
		if (unlikely(!p))
			return bad_die(r, die, code);
		/* the DIE opened no frame, so its children are skipped */
		if (abbrevs[code].children && r->frames.nr == nr_frames)
			push_frame(r, CTX_DROP);
	}
	/* some producers omit the zeros at the end of the unit */
	while (r->frames.nr > outer)
		dw_close_frame(r);
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

/* The end of the values of the unit's own DIE, NULL if it is outside of the unit. */
static const uint8_t *skip_values(struct dw_reader *r, const struct dw_abbrev *a,
				  const uint8_t *values)
{
	const uint8_t *start = r->unit.base + (r->unit.header->die - r->unit.header->start);
	struct die d = { a, start, values, r->unit.end, CTX_UNIT, r->unit.file->obj->swap };

	return a->prefix > d.end - values ? NULL : drop(r, d);
}

static struct err *bad_unit_die(const struct dw_reader *r, const struct dw_abbrev *a)
{
	return bad_die(r, r->unit.base + (r->unit.header->die - r->unit.header->start),
		       (uint64_t)(a - r->abbrevs.by_code.items));
}

struct err *dw_check_values(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values)
{
	return skip_values(r, a, values) ? NULL : bad_unit_die(r, a);
}

struct err *dw_walk(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values)
{
	const uint8_t *p = skip_values(r, a, values);

	if (!p)
		return bad_unit_die(r, a);
	return r->unit.file->obj->swap ? walk_swapped(r, p, r->unit.end) :
					 walk_native(r, p, r->unit.end);
}
