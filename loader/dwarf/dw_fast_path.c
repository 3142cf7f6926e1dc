/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_fast_path.c - read simple DIEs, which are nearly all of a kernel, in loops of their own
 *
 * dw_walk.c reads any DIE in any context: it opens a frame for a parent, takes the DIE's columns, switches on
 * its sort, and closes the frame at the end of the children. Here are loops for what follows one another:
 *
 *   - types at the outermost level, each with its members, enumerators, parameters or dimensions;
 *   - members and so on of a type that dw_walk.c has opened;
 *   - the body of a function, of which only types and declarations count.
 *
 * A loop knows its context and has its state in registers. It opens no frame for a type that it reads to the end.
 * dw_abbrev.c marks the abbreviations that the loops read (enum dw_fast_path, enum dw_in_body), so one comparison replaces
 * the checks of dw_walk.c: a simple DIE has no annotations, names and references of a fixed width, and numbers at
 * fixed distances. A DIE that is not marked, is malformed, or leaves the unit ends the loop, before anything of that
 * DIE is stored. dw_walk.c then reads it, or reports the error. If the DIE is in a type or block, the loop opens its
 * frame first, as dw_walk.c would have.
 */
#include "loader/dwarf/dw_walk.h"

#include <elf.h>

/*
 * Fields of the reader that a loop needs. A copy stays in registers, since the compiler cannot know that
 * the loop's stores do not change the reader.
 */
struct row {
	struct dw_reader *r;
	const struct dw_abbrev *abbrevs;
	size_t nr_abbrevs;
	const uint8_t *end; /* of the unit */
	die_off base_offset;
};

/* A DIE on the fast path. */
struct item {
	const struct dw_abbrev *a;
	const uint8_t *start;
	const uint8_t *values; /* after a name that precedes the columns */
	const uint8_t *next;   /* what follows the fixed part */
};

static struct row row_of(struct dw_reader *r, const uint8_t *end)
{
	return (struct row){ r, r->abbrevs.by_code.items, r->abbrevs.by_code.nr, end,
			     r->unit.base_offset };
}

/* Read the code of the DIE at @p. Returns false if it is unknown or leaves the unit. */
ALWAYS_INLINE bool next_item(struct row row, const uint8_t *p, struct item *it)
{
	uint64_t code;

	if (unlikely(p >= row.end))
		return false;
	p = read_code(p, row.end, &code);
	if (unlikely(!p || code >= row.nr_abbrevs))
		return false;
	it->a = &row.abbrevs[code];
	it->start = it->values = p;
	if (unlikely(it->a->lead)) {
		it->values = skip_lead(p, row.end, it->a->prefix);
		if (unlikely(!it->values))
			return false;
	} else if (unlikely(it->a->prefix > row.end - p)) {
		return false;
	}
	it->next = it->values + it->a->prefix;
	return true;
}

/* Is @it the code that ends a list of children? It is one byte. */
ALWAYS_INLINE bool is_end(struct row row, const struct item *it)
{
	return it->a == row.abbrevs;
}

/* A name of another form than DW_FORM_strp. */
static NOINLINE uint32_t other_name(struct dw_reader *r, const struct item *it)
{
	if (it->a->lead)
		return dw_inline_string(r, it->start, (size_t)(it->values - it->start) - 1);
	if (!it->a->form[COL_NAME])
		return 0;
	return dw_string(r, it->a->form[COL_NAME],
			 fixed_column(it->a, it->values, COL_NAME, false));
}

ALWAYS_INLINE uint32_t item_name(struct row row, const struct item *it)
{
	if (unlikely(it->a->form[COL_NAME] != DW_FORM_strp))
		return other_name(row.r, it);
	return dw_file_str(row.r->unit.file, load32(it->values + it->a->off[COL_NAME]),
			   &row.r->names);
}

/* False for a reference that is not to this unit. */
ALWAYS_INLINE bool item_type(struct row row, const struct item *it, die_off *ret)
{
	uint64_t off = (uint64_t)load32(it->values + it->a->off[COL_TYPE]) + row.base_offset;

	*ret = (die_off)off;
	return likely(off - 1 < DIE_FOREIGN - 1);
}

/* The same for a DIE that may have no type. */
ALWAYS_INLINE bool item_ref(struct row row, const struct item *it, die_off *ret)
{
	*ret = 0;
	return !it->a->form[COL_TYPE] || item_type(row, it, ret);
}

ALWAYS_INLINE uint32_t item_location(const struct item *it)
{
	return (load16(it->values + it->a->off[COL_VALUE]) & it->a->location_mask) +
	       (uint32_t)it->a->constant[COL_VALUE - COL_SIZE];
}

/* Read a bit field of @t into *ret. False if it is not plain (CU_TYPE_PLAIN). */
static NOINLINE bool bits(const struct item *it, struct cu_type *t, struct cu_member *ret)
{
	uint64_t offset = fixed_column(it->a, it->values, COL_DATA_BIT_OFFSET, false);
	uint64_t width = fixed_column(it->a, it->values, COL_BITS, false);

	if (t->kind == BTF_UNION ? offset : offset > 0xffffff)
		return false;
	if (!width || width > UINT8_MAX)
		return false;
	ret->offset = (uint32_t)offset;
	ret->bits = (uint8_t)width;
	t->flags |= CU_TYPE_BITS;
	return true;
}

/* The children of a type: those from @p on belong to @t, which is in the innermost frame or in none yet. */
ALWAYS_INLINE const uint8_t *members(struct dw_reader *r, const uint8_t *p, const uint8_t *end,
				     struct cu_type *t, bool of_union)
{
	const struct row row = row_of(r, end);
	struct cu *cu = r->cu;
	struct cu_member *m = cu->members.items + cu->members.nr;
	const struct cu_member *full = cu->members.items + cu->members.cap;
	size_t before = cu->members.nr;
	struct item it;

	for (; next_item(row, p, &it); p = it.next) {
		uint32_t location = 0;
		die_off type;

		if (likely(it.a->fast_path == FAST_MEMBER))
			location = item_location(&it);
		else if (it.a->fast_path != FAST_BITS &&
			 (!of_union || it.a->fast_path != FAST_MEMBER_AT_0))
			break;
		if (!item_type(row, &it, &type) || unlikely(of_union && location))
			break;
		if (unlikely(m == full)) {
			cu->members.nr = (size_t)(m - cu->members.items);
			vec_reserve(&cu->members, 1);
			m = cu->members.items + cu->members.nr;
			full = cu->members.items + cu->members.cap;
		}
		*m = (struct cu_member){ .type = type, .offset = location * 8 };
		if (unlikely(it.a->fast_path == FAST_BITS) && !bits(&it, t, m))
			break;
		m->name = item_name(row, &it);
		m++;
	}
	cu->members.nr = (size_t)(m - cu->members.items);
	t->nr += (uint32_t)(cu->members.nr - before);
	return p;
}

static NOINLINE const uint8_t *struct_members(struct dw_reader *r, const uint8_t *p,
					      const uint8_t *end, struct cu_type *t)
{
	return members(r, p, end, t, false);
}

static NOINLINE const uint8_t *union_members(struct dw_reader *r, const uint8_t *p,
					     const uint8_t *end, struct cu_type *t)
{
	return members(r, p, end, t, true);
}

/* The value of an enumerator. False if @it is none, or if the value leaves the unit. */
ALWAYS_INLINE bool enumerator_value(struct row row, struct item *it, int64_t *ret)
{
	struct dw_cursor c = { it->next, row.end, false, false };

	switch (it->a->fast_path) {
	case FAST_ENUMERATOR:
		*ret = (int64_t)fixed_column(it->a, it->values, COL_VALUE, false);
		return true;
	case FAST_ULEB_ENUMERATOR:
		*ret = (int64_t)dw_cursor_uleb(&c);
		break;
	case FAST_SLEB_ENUMERATOR:
		*ret = dw_cursor_sleb(&c);
		break;
	default:
		return false;
	}
	it->next = c.p;
	return !c.failed;
}

static NOINLINE const uint8_t *enumerators(struct dw_reader *r, const uint8_t *p,
					   const uint8_t *end)
{
	const struct row row = row_of(r, end);
	struct item it;
	int64_t value;

	for (; next_item(row, p, &it) && enumerator_value(row, &it, &value); p = it.next)
		vec_push(&r->cu->enumerators,
			 ((struct cu_enumerator){ item_name(row, &it), value }));
	return p;
}

ALWAYS_INLINE const uint8_t *parameters(struct row row, const uint8_t *p, struct cu_type *t)
{
	struct dw_reader *r = row.r;
	size_t before = r->cu->members.nr;
	struct item it;
	die_off type;

	for (; next_item(row, p, &it) && it.a->fast_path == FAST_PARAMETER; p = it.next) {
		if (!item_type(row, &it, &type))
			break;
		vec_push(&r->cu->members, ((struct cu_member){ .type = type }));
	}
	t->nr += (uint32_t)(r->cu->members.nr - before);
	return p;
}

ALWAYS_INLINE const uint8_t *dimensions(struct row row, const uint8_t *p)
{
	struct item it;

	for (; next_item(row, p, &it) && it.a->fast_path == FAST_SUBRANGE; p = it.next) {
		const struct columns s = { .v = {
						   [COL_UPPER] = fixed_column(it.a, it.values,
									      COL_UPPER, false),
						   [COL_COUNT] = fixed_column(it.a, it.values,
									      COL_COUNT, false),
					   } };

		vec_push(&row.r->dimensions,
			 ((struct dimension){ .count = subrange_count(it.a, &s) }));
	}
	return p;
}

/* Begin the type @it, as the functions of dw_walk.c do. Returns the context of its children. */
ALWAYS_INLINE enum frame_ctx begin_type(struct row row, const struct item *it, struct cu_type *t)
{
	switch (it->a->fast_path) {
	case FAST_STRUCT:
		t->kind = it->a->kind == DK_UNION ? BTF_UNION : BTF_STRUCT;
		t->flags = (it->a->kind == DK_CLASS ? CU_TYPE_CLASS : 0) |
			   (it->a->flags & DA_DECL_TRUE ? CU_TYPE_FWD : CU_TYPE_PLAIN) |
			   (it->a->children ? 0 : CU_TYPE_NO_MEMBERS);
		t->name = item_name(row, it);
		t->size = (uint32_t)fixed_column(it->a, it->values, COL_SIZE, false);
		return CTX_STRUCT;
	case FAST_ENUM:
		t->kind = BTF_ENUM;
		t->name = item_name(row, it);
		t->size = (uint32_t)fixed_column(it->a, it->values, COL_SIZE, false);
		if (!t->size)
			t->size = 4;
		return CTX_ENUM;
	case FAST_ARRAY:
		t->kind = BTF_ARRAY;
		t->size = 1;
		row.r->dimensions.nr = 0;
		return CTX_ARRAY;
	default:
		t->kind = BTF_FUNC_PROTO;
		return CTX_SUBROUTINE;
	}
}

/* Read the children of @t, from @p on. @off is the offset of @t. */
ALWAYS_INLINE const uint8_t *children(struct row row, const uint8_t *p, enum frame_ctx ctx,
				      die_off off, struct cu_type *t)
{
	struct dw_reader *r = row.r;
	size_t first = ctx == CTX_ENUM ? r->cu->enumerators.nr : r->cu->members.nr;

	if (ctx == CTX_STRUCT)
		p = t->kind == BTF_UNION ? union_members(r, p, row.end, t) :
					   struct_members(r, p, row.end, t);
	else if (ctx == CTX_ENUM)
		p = enumerators(r, p, row.end);
	else if (ctx == CTX_ARRAY)
		p = dimensions(row, p);
	else
		p = parameters(row, p, t);
	if (unlikely(p >= row.end || *p)) {
		dw_push_partial_type(r, ctx, off, t, first);
		return p;
	}
	if (ctx == CTX_ARRAY) {
		dw_add_array(r, off, t);
		return p + 1;
	}
	t->first = (uint32_t)first;
	if (ctx == CTX_ENUM)
		t->nr = (uint32_t)(r->cu->enumerators.nr - first);
	if (ctx == CTX_STRUCT && !t->nr)
		t->flags |= CU_TYPE_NO_MEMBERS;
	add_type(r, off, t);
	return p + 1;
}

static const enum btf_kind reference_kinds[] = {
	[DK_POINTER] = BTF_PTR,       [DK_REFERENCE] = BTF_PTR,     [DK_CONST] = BTF_CONST,
	[DK_VOLATILE] = BTF_VOLATILE, [DK_RESTRICT] = BTF_RESTRICT, [DK_TYPEDEF] = BTF_TYPEDEF,
};

/* Types that are not inside another. Returns at the first DIE that is none, or in a type that is not simple. */
static const uint8_t *types(struct dw_reader *r, const uint8_t *p, const uint8_t *end)
{
	const struct row row = row_of(r, end);
	size_t nr_frames = r->frames.nr;
	bool is_ppc64 = r->unit.file->obj->machine == EM_PPC64;
	bool foreign = r->unit.foreign;
	struct item it;

	while (next_item(row, p, &it) && it.a->fast_path >= FAST_REFERENCE) {
		struct cu_type t = { 0 };

		/* dw_walk.c knows arrays and functions that C does not have */
		if (!item_ref(row, &it, &t.ref) ||
		    (unlikely(foreign) &&
		     (it.a->fast_path == FAST_ARRAY || it.a->fast_path == FAST_PROTO)))
			break;
		if (it.a->fast_path == FAST_REFERENCE) {
			/* see is_long_double() in dw_walk.c */
			if (unlikely(is_ppc64) && it.a->kind == DK_TYPEDEF)
				break;
			t.kind = (uint8_t)reference_kinds[it.a->kind];
			if (it.a->kind == DK_TYPEDEF)
				t.name = item_name(row, &it);
			add_type(r, off_of(r, p), &t);
			p = it.next;
			continue;
		}
		enum frame_ctx ctx = begin_type(row, &it, &t);

		if (it.a->children) {
			p = children(row, it.next, ctx, off_of(r, p), &t);
			if (unlikely(r->frames.nr != nr_frames))
				break;
		} else {
			add_type(r, off_of(r, p), &t);
			p = it.next;
		}
	}
	return p;
}

/* The end of the values of @it, NULL if they leave the unit. */
ALWAYS_INLINE const uint8_t *item_end(struct row row, const struct item *it)
{
	return unlikely(it->a->tail) ? dw_skip_tail(row.r, it->a, it->next, row.end) : it->next;
}

/* The end of the DIEs below one that ends at @p; NULL if they are malformed or do not end in the unit. */
static const uint8_t *skip_children(struct row row, const uint8_t *p)
{
	size_t depth = 1;
	struct item it;

	while (next_item(row, p, &it)) {
		if (is_end(row, &it)) {
			p = it.next;
			if (!--depth)
				return p;
			continue;
		}
		p = item_end(row, &it);
		if (it.a->kind == DK_NONE || !p)
			return NULL;
		depth += it.a->children;
	}
	return NULL;
}

/*
 * The body of a function, or of a block in it if @ctx is not CTX_FUNC. Blocks count only as the parents of types and
 * declarations, so their frames are opened only if one of these is found.
 */
static const uint8_t *body(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p,
			   const uint8_t *end)
{
	const struct row row = row_of(r, end);
	const bool locals = r->opts.local_vars;
	size_t depth = 0;
	struct item it;

	while (next_item(row, p, &it)) {
		const uint8_t *next = it.next;

		if (is_end(row, &it)) {
			if (!depth)
				break;
			depth--;
			p = next;
			continue;
		}
		enum dw_in_body what = it.a->in_body;
		if (what == BODY_READ || (locals && it.a->kind == DK_VARIABLE) ||
		    (what == BODY_BLOCK && (r->frames.nr + depth > MAX_FRAMES ||
					    (it.a->kind == DK_INLINED && r->opts.skip_inlined))))
			break;
		if (what == BODY_PARAM && !depth && ctx == CTX_FUNC) {
			next = dw_func_param(r, (struct die){ it.a, p, it.start, end, ctx, false });
			if (unlikely(!next || top_frame(r)->ctx != CTX_FUNC))
				return next ? next : p;
			p = next;
			continue;
		}
		next = item_end(row, &it);
		if (next && what == BODY_SKIP && it.a->children)
			next = skip_children(row, next);
		if (unlikely(!next))
			break;
		p = next;
		depth += what == BODY_BLOCK && it.a->children;
	}
	while (depth--)
		push_frame(r, CTX_BLOCK);
	return p;
}

const uint8_t *dw_fast_path(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p,
			    const uint8_t *end)
{
	struct cu_type *t = &top_frame(r)->type;

	switch (ctx) {
	case CTX_UNIT:
	case CTX_NAMESPACE:
		return types(r, p, end);
	case CTX_FUNC:
	case CTX_BLOCK:
	case CTX_INLINED:
		return body(r, ctx, p, end);
	case CTX_STRUCT:
		return t->kind == BTF_UNION ? union_members(r, p, end, t) :
					      struct_members(r, p, end, t);
	case CTX_ENUM:
		return enumerators(r, p, end);
	case CTX_SUBROUTINE:
		return parameters(row_of(r, end), p, t);
	default:
		return p;
	}
}
