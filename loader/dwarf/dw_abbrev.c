/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_abbrev.c - see dw_abbrev.h */
#include "loader/dwarf/dw_abbrev.h"

#include "base/hash.h"

#include <stdlib.h>

/* By tag; 0 means DK_UNKNOWN. */
static const uint8_t kinds[] = {
	[DW_TAG_array_type] = DK_ARRAY,
	[DW_TAG_class_type] = DK_CLASS,
	[DW_TAG_enumeration_type] = DK_ENUM,
	[DW_TAG_formal_parameter] = DK_PARAMETER,
	[DW_TAG_imported_declaration] = DK_DROPPED,
	[DW_TAG_label] = DK_DROPPED,
	[DW_TAG_lexical_block] = DK_BLOCK,
	[DW_TAG_member] = DK_MEMBER,
	[DW_TAG_pointer_type] = DK_POINTER,
	[DW_TAG_reference_type] = DK_REFERENCE,
	[DW_TAG_compile_unit] = DK_UNIT,
	[DW_TAG_string_type] = DK_STRING_TYPE,
	[DW_TAG_structure_type] = DK_STRUCT,
	[DW_TAG_subroutine_type] = DK_SUBROUTINE,
	[DW_TAG_typedef] = DK_TYPEDEF,
	[DW_TAG_union_type] = DK_UNION,
	[DW_TAG_unspecified_parameters] = DK_VARARGS,
	[DW_TAG_inheritance] = DK_INHERITANCE,
	[DW_TAG_inlined_subroutine] = DK_INLINED,
	[DW_TAG_module] = DK_NAMESPACE, /* of Fortran */
	[DW_TAG_ptr_to_member_type] = DK_PTR_TO_MEMBER,
	[DW_TAG_subrange_type] = DK_SUBRANGE,
	[DW_TAG_base_type] = DK_BASE,
	[DW_TAG_const_type] = DK_CONST,
	[DW_TAG_set_type] = DK_SET,
	[DW_TAG_file_type] = DK_SET,
	[DW_TAG_constant] = DK_DROPPED,
	[DW_TAG_enumerator] = DK_ENUMERATOR,
	[DW_TAG_subprogram] = DK_FUNCTION,
	[DW_TAG_template_type_parameter] = DK_DROPPED,
	[DW_TAG_template_value_parameter] = DK_DROPPED,
	[DW_TAG_variant] = DK_VARIANT,
	[DW_TAG_variable] = DK_VARIABLE,
	[DW_TAG_variant_part] = DK_VARIANT_PART,
	[DW_TAG_volatile_type] = DK_VOLATILE,
	[DW_TAG_dwarf_procedure] = DK_DROPPED,
	[DW_TAG_restrict_type] = DK_RESTRICT,
	[DW_TAG_interface_type] = DK_CLASS,
	[DW_TAG_namespace] = DK_NAMESPACE,
	[DW_TAG_imported_module] = DK_DROPPED,
	[DW_TAG_unspecified_type] = DK_UNSPECIFIED,
	[DW_TAG_partial_unit] = DK_UNIT,
	[DW_TAG_imported_unit] = DK_IMPORTED_UNIT,
	[DW_TAG_type_unit] = DK_UNIT,
	[DW_TAG_rvalue_reference_type] = DK_REFERENCE,
	[DW_TAG_generic_subrange] = DK_SUBRANGE,
	[DW_TAG_atomic_type] = DK_ATOMIC,
	[DW_TAG_call_site] = DK_DROPPED,
	[DW_TAG_call_site_parameter] = DK_DROPPED,
	[DW_TAG_skeleton_unit] = DK_UNIT,
};

static enum dw_kind kind_of_tag(uint64_t tag)
{
	if (tag < ARRAY_SIZE(kinds) && kinds[tag])
		return kinds[tag];
	switch (tag) {
	case TAG_LLVM_ANNOTATION:
		return DK_ANNOTATION;
	case TAG_GNU_ANNOTATION:
		return DK_GNU_ANNOTATION;
	case DW_TAG_GNU_template_template_param ... DW_TAG_GNU_call_site_parameter:
		return DK_DROPPED;
	default:
		return DK_UNKNOWN;
	}
}

#define KIND(name) ((uint64_t)1 << DK_##name)
#define ALL_KINDS UINT64_MAX

/*
 * The effect of an attribute. It fills @column if the DIE is of one of @kinds and the form of the
 * attribute belongs to one of the classes @forms. The flags are enum dw_abbrev_flags.
 */
struct attr_rule {
	uint64_t kinds; /* a bit for each enum dw_kind */
	uint8_t column;
	uint8_t forms;    /* enum dw_form_class */
	uint16_t present; /* set if the DIE has the attribute */
	uint16_t fits;    /* set if its form belongs to @forms */
	uint16_t misfits; /* set if it does not */
};

static const struct attr_rule attr_rules[] = {
	[DW_AT_name] = { ALL_KINDS, COL_NAME, FORM_STRING, 0, 0, 0 },
	[DW_AT_type] = { ALL_KINDS, COL_TYPE, FORM_REF, 0, 0, DA_FOREIGN },
	[DW_AT_byte_size] = { ~KIND(FUNCTION), COL_SIZE, FORM_NUMBER, 0, 0, DA_OPEN_SIZE },
	[DW_AT_calling_convention] = { KIND(FUNCTION), COL_CALL, FORM_NUMBER, 0, 0, 0 },
	[DW_AT_encoding] = { KIND(BASE), COL_ENCODING, FORM_NUMBER, 0, 0, 0 },
	[DW_AT_data_member_location] = { KIND(MEMBER) | KIND(INHERITANCE), COL_VALUE,
					 FORM_NUMBER | FORM_BLOCK, DA_HAS_VALUE, 0, 0 },
	[DW_AT_const_value] = { KIND(ENUMERATOR) | KIND(PARAMETER), COL_VALUE,
				FORM_NUMBER | FORM_BLOCK, DA_HAS_CONST, 0, 0 },
	[DW_AT_upper_bound] = { KIND(SUBRANGE), COL_UPPER, FORM_NUMBER, DA_HAS_VALUE, 0, 0 },
	[DW_AT_lower_bound] = { KIND(SUBRANGE), COL_LOWER, FORM_NUMBER, DA_LOWER, 0, 0 },
	[DW_AT_low_pc] = { KIND(FUNCTION) | KIND(INLINED), COL_LOW_PC, FORM_ADDR, 0, 0, 0 },
	[DW_AT_entry_pc] = { KIND(INLINED), COL_ENTRY_PC, FORM_ADDR | FORM_NUMBER, 0, 0, 0 },
	[DW_AT_ranges] = { KIND(INLINED), COL_RANGES, FORM_LIST, 0, 0, 0 },
	[DW_AT_bit_size] = { KIND(MEMBER), COL_BITS, FORM_NUMBER, DA_BITFIELD, 0, 0 },
	[DW_AT_count] = { KIND(SUBRANGE), COL_COUNT, FORM_NUMBER, 0, 0, 0 },
	[DW_AT_location] = { KIND(PARAMETER) | KIND(VARIABLE), COL_LOCATION, FORM_BLOCK | FORM_LIST,
			     DA_HAS_LOC, 0, 0 },
	[DW_AT_inline] = { KIND(FUNCTION), COL_INLINE, FORM_NUMBER, 0, 0, 0 },
	[DW_AT_data_bit_offset] = { KIND(MEMBER), COL_DATA_BIT_OFFSET, FORM_NUMBER, DA_HAS_VALUE,
				    DA_BIT_OFFSET, 0 },
	[DW_AT_abstract_origin] = { KIND(FUNCTION) | KIND(INLINED) | KIND(PARAMETER) |
					    KIND(VARIABLE),
				    COL_ORIGIN, FORM_REF, DA_HAS_ORIGIN, 0, 0 },
	[DW_AT_bit_offset] = { KIND(MEMBER), COL_BIT_OFFSET, FORM_NUMBER, 0, 0, 0 },
	[DW_AT_specification] = { ~KIND(MEMBER), COL_SPEC, FORM_REF, 0, 0, 0 },
	[DW_AT_external] = { .present = DA_EXTERNAL },
	[DW_AT_artificial] = { .present = DA_ARTIFICIAL },
	[DW_AT_virtuality] = { .present = DA_VIRTUAL },
};

/* Set the flags of @a for the attribute @s. Returns the column that @s fills, or NR_COLUMNS. */
static enum dw_column apply_rule(struct dw_abbrev *a, const struct dw_spec *s)
{
	const struct attr_rule *rule = &attr_rules[s->attr < ARRAY_SIZE(attr_rules) ? s->attr : 0];
	unsigned int forms = rule->forms;

	a->flags |= rule->present;
	if (s->attr == ATTR_GNU_ANNOTATION)
		a->annotated = true;
	else if (s->attr == DW_AT_signature && s->form == DW_FORM_ref_sig8)
		a->flags |= DA_SIGNATURE;
	else if (s->attr == DW_AT_declaration && s->form == DW_FORM_implicit_const)
		a->flags |= s->constant ? DA_DECL | DA_DECL_TRUE : DA_DECL;
	else if (s->attr == DW_AT_declaration)
		a->flags |= DA_DECL |
			    (s->form == DW_FORM_flag_present ? DA_DECL_TRUE : DA_DECL_FORM);

	/*
	 * A location expression of a base class can be evaluated only for an object in memory. An enumerator has no
	 * value that is a block.
	 */
	if (a->kind == DK_INHERITANCE || a->kind == DK_ENUMERATOR)
		forms &= ~(unsigned int)FORM_BLOCK;
	if (!dw_form_is(s->form, forms)) {
		a->flags |= rule->misfits;
		return NR_COLUMNS;
	}
	a->flags |= rule->fits;
	return rule->kinds >> a->kind & 1 ? rule->column : NR_COLUMNS;
}

/* The state of compiling an abbreviation. */
struct position {
	unsigned int prefix;
	bool in_tail;
	size_t first_op;
};

static void add_op(struct dw_abbrevs *t, struct position *pos, struct dw_op op)
{
	struct dw_op *last = t->ops.nr > pos->first_op ? &t->ops.items[t->ops.nr - 1] : NULL;

	/* join neighbouring attributes that fill no column */
	if (last && op.shape == SHAPE_SKIP && last->shape == SHAPE_SKIP &&
	    (unsigned int)last->skip + op.skip <= UINT16_MAX) {
		last->skip = (uint16_t)(last->skip + op.skip);
		return;
	}
	assert(t->ops.items); // operation 0 is there from the start
	vec_push(&t->ops, op);
}

/* Is @shape a width in bytes? */
static bool is_fixed_width(unsigned int shape)
{
	return shape < SHAPE_ULEB;
}

static void add_attribute(struct dw_abbrevs *t, struct dw_abbrev *a, struct position *pos,
			  const struct dw_spec *s, unsigned int shape)
{
	enum dw_column column = apply_rule(a, s);

	if (column < NR_COLUMNS)
		a->form[column] = dw_form_short(s->form);

	if (s->form == DW_FORM_implicit_const) {
		if (column == NR_COLUMNS || column < COL_SIZE)
			return;
		if (s->constant >= INT32_MIN && s->constant <= INT32_MAX) {
			a->constant[column - COL_SIZE] = (int32_t)s->constant;
			return;
		}
		/* too wide for dw_abbrev.constant: an operation that reads no bytes */
		pos->in_tail = true;
		add_op(t, pos,
		       (struct dw_op){ SHAPE_CONST, (uint8_t)column,
				       (uint16_t)(s - &t->specs.items[a->specs]) });
		return;
	}
	if (s->form == DW_FORM_flag_present && column >= COL_SIZE && column < NR_COLUMNS)
		a->constant[column - COL_SIZE] = 1;

	if (is_fixed_width(shape) && !pos->in_tail && pos->prefix + shape <= UINT8_MAX) {
		if (column < NR_COLUMNS && shape <= 8) {
			a->off[column] = (uint8_t)pos->prefix;
			a->width[column] = (uint8_t)shape;
		}
		pos->prefix += shape;
		return;
	}
	if (shape == SHAPE_STRING && column == COL_NAME && !pos->in_tail && !pos->prefix &&
	    !a->lead) {
		a->lead = true;
		return;
	}
	pos->in_tail = true;
	if (is_fixed_width(shape) && column == NR_COLUMNS)
		add_op(t, pos, (struct dw_op){ SHAPE_SKIP, NR_COLUMNS, (uint16_t)shape });
	else
		add_op(t, pos, (struct dw_op){ (uint8_t)shape, (uint8_t)column, 0 });
}

static enum dw_fast_path member_fast_path(struct dw_abbrev *a)
{
	int32_t constant = a->constant[COL_VALUE - COL_SIZE];
	uint8_t width = a->width[COL_VALUE];

	if (a->form[COL_TYPE] != DW_FORM_ref4)
		return FAST_NONE;
	if ((a->flags & ~DA_ARTIFICIAL) == (DA_HAS_VALUE | DA_BITFIELD | DA_BIT_OFFSET) &&
	    !a->form[COL_VALUE])
		return FAST_BITS;
	if (a->flags & ~(DA_HAS_VALUE | DA_ARTIFICIAL))
		return FAST_NONE;
	if (!(a->flags & DA_HAS_VALUE))
		return FAST_MEMBER_AT_0;
	if (!dw_form_is(a->form[COL_VALUE], FORM_NUMBER) || width > 2 || constant < 0 ||
	    constant > UINT16_MAX)
		return FAST_NONE;
	a->location_mask = (uint16_t)((1u << 8 * width) - 1);
	return FAST_MEMBER;
}

static enum dw_fast_path struct_fast_path(const struct dw_abbrev *a)
{
	const uint16_t rare = DA_DECL_FORM | DA_SIGNATURE | DA_OPEN_SIZE;

	return a->form[COL_SPEC] || a->flags & rare ? FAST_NONE : FAST_STRUCT;
}

static enum dw_fast_path child_fast_path(struct dw_abbrev *a)
{
	switch (a->kind) {
	case DK_MEMBER:
		return member_fast_path(a);
	case DK_ENUMERATOR:
		return dw_form_is(a->form[COL_VALUE], FORM_NUMBER) ? FAST_ENUMERATOR : FAST_NONE;
	case DK_PARAMETER:
		return a->form[COL_TYPE] == DW_FORM_ref4 && !a->form[COL_NAME] ? FAST_PARAMETER :
										 FAST_NONE;
	case DK_SUBRANGE:
		return a->flags & DA_LOWER ? FAST_NONE : FAST_SUBRANGE;
	case DK_POINTER:
	case DK_REFERENCE:
	case DK_CONST:
	case DK_VOLATILE:
	case DK_RESTRICT:
	case DK_TYPEDEF:
		return FAST_REFERENCE;
	default:
		return FAST_NONE;
	}
}

/* Of an enumerator whose operations are @tail. */
static enum dw_fast_path leb_fast_path(const struct dw_op *tail)
{
	if (tail[0].column != COL_VALUE || tail[1].shape != SHAPE_END)
		return FAST_NONE;
	return tail[0].shape == SHAPE_ULEB ? FAST_ULEB_ENUMERATOR :
	       tail[0].shape == SHAPE_SLEB ? FAST_SLEB_ENUMERATOR :
					     FAST_NONE;
}

static enum dw_fast_path fast_path_of(const struct dw_abbrevs *t, struct dw_abbrev *a)
{
	uint8_t type = a->form[COL_TYPE], name_width = a->width[COL_NAME];
	bool short_name = a->lead || !a->form[COL_NAME] || (name_width && name_width <= 4);

	if (a->annotated || !short_name || a->flags & DA_FOREIGN || (type && type != DW_FORM_ref4))
		return FAST_NONE;
	if (a->tail)
		return a->kind == DK_ENUMERATOR && !a->children ?
			       leb_fast_path(&t->ops.items[a->tail]) :
			       FAST_NONE;
	switch (a->kind) {
	case DK_STRUCT:
	case DK_CLASS:
	case DK_UNION:
		return struct_fast_path(a);
	case DK_ENUM:
		return a->flags & DA_SIGNATURE ? FAST_NONE : FAST_ENUM;
	case DK_ARRAY:
		return FAST_ARRAY;
	case DK_SUBROUTINE:
		return FAST_PROTO;
	default:
		return a->children ? FAST_NONE : child_fast_path(a);
	}
}

static enum dw_in_body in_body(const struct dw_abbrev *a)
{
	switch (a->kind) {
	case DK_VARIABLE:
		/* a declaration may be that of a variable which the unit defines */
		return a->flags & DA_DECL || a->children ? BODY_READ : BODY_SKIP;
	case DK_PARAMETER:
		return a->children ? BODY_READ : BODY_PARAM;
	case DK_DROPPED:
		return BODY_SKIP;
	case DK_BLOCK:
	case DK_INLINED:
		return BODY_BLOCK;
	default:
		return BODY_READ;
	}
}

/*
 * Compilers write far fewer. The limit bounds the time for a DIE in a malformed file: an attribute
 * whose form takes no bytes still costs an operation in each DIE.
 */
enum { MAX_ATTRIBUTES = 256 };

/* Read the attribute specifications of abbreviation @code into t->specs, with a zero at the end. */
static struct err *read_specs(struct dw_abbrevs *t, struct dw_cursor *c, uint64_t code)
{
	size_t start = t->specs.nr;
	struct dw_spec s;

	do {
		if (t->specs.nr - start > MAX_ATTRIBUTES)
			return err_new(ERR_UNSUPPORTED,
				       "abbreviation %llu has more than %d attributes",
				       (unsigned long long)code, MAX_ATTRIBUTES);

		uint64_t attr = dw_cursor_uleb(c), form = dw_cursor_uleb(c);
		int64_t constant = form == DW_FORM_implicit_const ? dw_cursor_sleb(c) : 0;

		/* larger numbers become 0xffff, which is no known attribute or form either */
		s = (struct dw_spec){ .attr = attr > UINT16_MAX ? UINT16_MAX : (uint16_t)attr,
				      .form = form > UINT16_MAX ? UINT16_MAX : (uint16_t)form,
				      .constant = constant };
		if (c->failed)
			s = (struct dw_spec){ 0 };
		vec_push(&t->specs, s);
	} while (s.attr || s.form);
	return NULL;
}

/* Returns abbreviation @code. Grows the table up to it; those added are DK_NONE. */
static struct dw_abbrev *abbrev_at(struct dw_abbrevs *t, size_t code)
{
	if (code >= t->by_code.cap) {
		size_t cap = code + code / 2 + 64;
		struct dw_abbrev *wider = aligned_alloc(64, cap * sizeof(*wider));

		if (!wider)
			mem_die();
		if (t->by_code.nr)
			memcpy(wider, t->by_code.items, t->by_code.nr * sizeof(*wider));
		free(t->by_code.items);
		t->by_code.items = wider;
		t->by_code.cap = cap;
	}
	if (likely(code == t->by_code.nr)) {
		t->by_code.items[code] = (struct dw_abbrev){ 0 };
		t->by_code.nr++;
	} else if (code > t->by_code.nr) {
		memset(&t->by_code.items[t->by_code.nr], 0,
		       (code + 1 - t->by_code.nr) * sizeof(t->by_code.items[0]));
		t->by_code.nr = code + 1;
	}
	return &t->by_code.items[code];
}

static struct err *compile_abbrev(struct dw_abbrevs *t, struct dw_cursor *c, uint64_t code,
				  struct dw_encoding enc)
{
	struct dw_abbrev *a = abbrev_at(t, (size_t)code);
	size_t specs = t->specs.nr, ops = t->ops.nr;
	uint64_t tag = dw_cursor_uleb(c);

	*a = (struct dw_abbrev){ .kind = (uint8_t)kind_of_tag(tag),
				 .children = dw_cursor_uint(c, 1) != 0,
				 .tag = tag > UINT16_MAX ? UINT16_MAX : (uint16_t)tag,
				 .specs = (uint32_t)specs };
	TRY(read_specs(t, c, code));

	struct position pos = { .first_op = ops };
	for (size_t i = specs; t->specs.items[i].attr || t->specs.items[i].form; i++) {
		const struct dw_spec *s = &t->specs.items[i];
		unsigned int shape = dw_form_shape(s->form, enc);

		if (shape == SHAPE_UNKNOWN)
			return err_new(ERR_FORMAT, "abbreviation %llu has an unknown form %#x",
				       (unsigned long long)code, s->form);
		add_attribute(t, a, &pos, s, shape);
	}
	a->prefix = (uint8_t)pos.prefix;
	if (pos.in_tail) {
		vec_push(&t->ops, ((struct dw_op){ .shape = SHAPE_END }));
		a->tail = (uint32_t)ops;
	}
	a->fast_path = (uint8_t)fast_path_of(t, a);
	a->in_body = (uint8_t)in_body(a);
	return NULL;
}

/* An attribute and its form, as in the table. */
struct pair {
	uint64_t attr, form;
};

/* Read a pair. Past the end of the section the cursor returns zeros, which end an abbreviation. */
ALWAYS_INLINE struct pair next_pair(struct dw_cursor *c)
{
	struct pair s;

	if (likely(c->end - c->p >= 2 && !((c->p[0] | c->p[1]) & 0x80))) {
		s = (struct pair){ c->p[0], c->p[1] };
		c->p += 2;
	} else {
		s.attr = dw_cursor_uleb(c);
		s.form = dw_cursor_uleb(c);
	}
	if (s.form == DW_FORM_implicit_const)
		dw_cursor_sleb(c);
	return s;
}

/* Limit of abbreviations that are kept from table to table; compilers write a few hundred. */
enum { MAX_KNOWN = 3072 };

/* Limit of codes: a compiled abbreviation takes many times its size in the file. Compilers write a few hundred. */
enum { MAX_CODE = 1 << 18 };

/* The bytes of the abbreviation that starts at @c, behind its code; empty if the section ends before it does. */
static struct bytes abbrev_text(struct dw_cursor c)
{
	const uint8_t *start = c.p;
	struct pair s;

	dw_cursor_uleb(&c);
	dw_cursor_uint(&c, 1);
	do
		s = next_pair(&c);
	while (s.attr | s.form);
	return (struct bytes){ start, c.failed ? 0 : (size_t)(c.p - start) };
}

static void forget_known(struct dw_abbrevs *t)
{
	t->specs.nr = t->ops.nr = t->texts.nr = t->known.nr = 0;
	hash_table_clear(&t->by_text);
	/* operation 0 means "no tail" */
	vec_push(&t->ops, ((struct dw_op){ .shape = SHAPE_END }));
}

static bool is_known_as(const struct dw_abbrevs *t, uint32_t nr, struct bytes text)
{
	const struct dw_known_abbrev *k = &t->known.items[nr - 1];

	return k->len == text.len && !memcmp(t->texts.items + k->text, text.ptr, text.len);
}

/* Copy the abbreviation if the same bytes were compiled before, else compile it. */
static struct err *add_abbrev(struct dw_abbrevs *t, struct dw_cursor *c, uint64_t code,
			      struct dw_encoding enc)
{
	struct bytes text = abbrev_text(*c);
	uint64_t hash;
	uint32_t nr;

	if (!text.len || text.len > UINT32_MAX || t->known.nr > (size_t)2 * MAX_KNOWN)
		return compile_abbrev(t, c, code, enc);
	hash = hash_bytes((const char *)text.ptr, text.len);
	nr = HASH_FIND(&t->by_text, hash, i, is_known_as(t, i, text));
	if (likely(nr)) {
		memcpy(abbrev_at(t, (size_t)code), t->known.items[nr - 1].compiled,
		       sizeof(struct dw_abbrev));
		c->p += text.len;
		return NULL;
	}
	TRY(compile_abbrev(t, c, code, enc));
	vec_push(&t->known, ((struct dw_known_abbrev){ t->texts.nr, (uint32_t)text.len, { 0 } }));
	memcpy(t->known.items[t->known.nr - 1].compiled, &t->by_code.items[code],
	       sizeof(struct dw_abbrev));
	hash_table_add(&t->by_text, hash, (uint32_t)t->known.nr);
	vec_reserve(&t->texts, text.len);
	memcpy(t->texts.items + t->texts.nr, text.ptr, text.len);
	t->texts.nr += text.len;
	return NULL;
}

struct err *dw_abbrevs_compile(struct dw_abbrevs *t, struct bytes abbrev, uint64_t table,
			       struct dw_encoding enc)
{
	bool same = !memcmp(&t->enc, &enc, sizeof(enc));

	if (t->filled && t->table == table && t->section == abbrev.ptr && same)
		return NULL;

	t->filled = false;
	t->by_code.nr = 0;
	if (!same || !t->ops.nr || t->known.nr > MAX_KNOWN)
		forget_known(t);
	t->enc = enc;

	struct dw_cursor c = dw_cursor_at(abbrev, table, false);
	abbrev_at(t, 0); /* DK_NONE */
	for (;;) {
		size_t pos = (size_t)(c.p - abbrev.ptr);
		uint64_t code = dw_cursor_uleb(&c);

		if (c.failed)
			return err_new(ERR_FORMAT, ".debug_abbrev+%#llx: the table does not end",
				       (unsigned long long)table);
		if (!code)
			break;
		/* compilers count from 1; an abbreviation takes five bytes at least */
		if (code > abbrev.len / 5 + 1 || code > MAX_CODE)
			return err_new(ERR_UNSUPPORTED,
				       ".debug_abbrev+%#zx: code %llu is too large for this table",
				       pos, (unsigned long long)code);
		TRY(err_at(add_abbrev(t, &c, code, enc), ".debug_abbrev+%#zx", pos));
	}
	t->table = table;
	t->len = (size_t)(c.p - abbrev.ptr) - (size_t)table;
	t->section = abbrev.ptr;
	t->filled = true;
	return NULL;
}

void dw_abbrevs_release(struct dw_abbrevs *t)
{
	free(t->by_code.items);
	free(t->known.items);
	hash_table_release(&t->by_text);
	FREE_ALL(t->texts.items, t->ops.items, t->specs.items);
	*t = (struct dw_abbrevs){ 0 };
}

unsigned int dw_abbrevs_use(struct bytes abbrev, uint64_t table, size_t *ret_len)
{
	struct dw_cursor c = dw_cursor_at(abbrev, table, false);
	const uint8_t *start = c.p;
	unsigned int uses = 0;

	while (dw_cursor_uleb(&c)) {
		struct pair s;

		if (dw_cursor_uleb(&c) == DW_TAG_partial_unit)
			uses |= USES_PARTIAL_UNIT;
		dw_cursor_uint(&c, 1);
		do {
			s = next_pair(&c);
			if (unlikely(s.form == DW_FORM_ref_addr))
				uses |= USES_REF_ADDR;
			if (unlikely(s.attr == DW_AT_dwo_name || s.attr == DW_AT_GNU_dwo_name))
				uses |= USES_SKELETON;
		} while (s.attr | s.form);
	}
	*ret_len = (size_t)(c.p - start);
	return uses;
}
