/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decl.c - declarations of members, parameters and typedefs
 *
 * A type without a name is printed as its body, and so is every struct, union and enum with
 * print_style.expand. The declared name then follows the body, as the suffix of its frame.
 */
#include "show/print_internal.h"

#include "base/cleanup.h"
#include "btf/print/type_text.h"

#include <inttypes.h>

/* The type column of a body is narrower by this. */
enum { BODY_NARROWER = 8 };

static struct err *check_limits(const struct printer *p, uint32_t steps)
{
	const struct print_limits *l = p->limits;
	uint64_t at = text_pos(p->text);

	if (at - l->type_start > l->type_bytes)
		return err_new(ERR_LIMIT, "type %u: its text has more than %" PRIu64 " bytes",
			       l->type, l->type_bytes);
	if (at - l->start > l->bytes)
		return err_new(ERR_LIMIT,
			       "type %u: the text of the types up to it has more than %" PRIu64
			       " bytes",
			       l->type, l->bytes);
	if (steps > l->steps)
		return err_new(ERR_LIMIT,
			       "type %u: the types that it leads to nest in too many ways",
			       l->type);
	return text_flush(p->text, false);
}

bool print_may_go_on(struct printer *p, uint32_t steps)
{
	struct err *e = p->types->failure ? NULL : check_limits(p, steps);

	if (e)
		types_fail(p->types, e);
	p->limits->steps -= e ? 0 : steps;
	return !p->types->failure;
}

bool print_enter(struct printer *p, uint32_t id)
{
	if (!print_may_go_on(p, 0))
		return false;
	if (p->depth >= TYPES_CHAIN_MAX) {
		types_fail_nesting(p->types, id);
		return false;
	}
	p->depth++;
	return true;
}

void print_leave(struct printer *p)
{
	p->depth--;
}

/* NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit */

/*
 * "unsigned int             bar": the name of type @id, in @width columns from its byte @skip on, and @name.
 */
static void print_column(struct printer *p, uint32_t id, const char *name, size_t skip, int width)
{
	uint64_t start = text_pos(p->text) + skip;

	print_name(p, id);
	text_pad(p->text, start, width);
	text_char(p->text, ' ');
	text_str(p->text, name ? name : "");
}

/* A struct, union or enum by its name, or by its body if it has none or is to be expanded. */
static void print_tagged_decl(struct printer *p, uint32_t id, const char *name,
			      const struct frame *f)
{
	bool is_union = types_is_union(p->types, id);
	struct frame inner = *f;

	if (types_name(p->types, id) && !p->style->expand && !f->expand) {
		size_t keyword = strlen(type_text_keyword(types_kind(p->types, id), is_union));

		print_column(p, id, name, keyword, f->type_width - (int)keyword);
		return;
	}
	inner.suffix = name;
	inner.expand = false;
	if (!is_union && !types_is_struct(p->types, id)) {
		print_enum(p, id, &inner);
		return;
	}
	inner.type_width -= BODY_NARROWER;
	if (is_union)
		print_union(p, id, &inner);
	else
		print_struct(p, id, &inner);
}

/* A pointer @id to @to, which is not a function. */
static void print_pointer_decl(struct printer *p, uint32_t id, uint32_t to, const char *name,
			       const struct frame *f)
{
	CLEANUP(mem_free_text) char *starred = NULL;
	struct frame inner = *f;

	if (!types_is_tagged(p->types, to) || types_name(p->types, to)) {
		print_column(p, id, name, 0, f->type_width);
		return;
	}
	starred = mem_printf("* %s", name ? name : "");
	inner.relative = true;
	inner.stats = false;
	inner.type_width -= BODY_NARROWER;
	print_tagged_decl(p, to, starred, &inner);
}

/*
 * Does C write the length of an array of @elem directly after the name, before the rest of the declaration?
 * It does for arrays of arrays, where the outer length comes first, and of functions.
 */
static bool is_around_name(struct printer *p, uint32_t elem)
{
	const struct show_types *t = p->types;
	CLEANUP(mem_free_text) char *inner = NULL;

	if (p->style->expand && types_kind(t, elem) == BTF_TYPEDEF)
		elem = types_bare(p->types, elem);
	elem = types_untagged(p->types, elem);
	return types_kind(t, elem) == BTF_ARRAY || print_pointed_proto(t, elem, "", &inner) != 0;
}

/* The elements of an array of @elem, if that is an array itself; *nr is multiplied by their number. */
static uint32_t flat_element(const struct show_types *t, uint32_t elem, uint64_t *nr)
{
	for (size_t i = 0; i < TYPES_CHAIN_MAX && types_kind(t, elem) == BTF_ARRAY; i++) {
		const uint32_t *data = types_rec(t, elem) + BTF_REC_WORDS;

		elem = data[0];
		*nr *= data[2];
	}
	return elem;
}

static void print_array(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	const uint32_t *data = types_rec(p->types, id) + BTF_REC_WORDS;
	uint32_t elem = data[0];
	uint64_t nr = data[2];
	bool only = f->first && f->last;
	CLEANUP(mem_free_text) char *inner = NULL;

	if (p->style->flat_arrays)
		elem = flat_element(p->types, elem, &nr);
	/* an array without a length is not const */
	if (!nr && types_kind(p->types, elem) == BTF_CONST)
		elem = types_rec(p->types, elem)[BTF_REC_SIZE_TYPE];
	if (nr || !f->last || only || f->in_union)
		inner = mem_printf("[%" PRIu64 "]", nr);
	else
		inner = mem_printf("[]");
	if (is_around_name(p, elem)) {
		CLEANUP(mem_free_text) char *both = mem_printf("%s%s", name ? name : "", inner);

		print_decl(p, elem, both, f);
		return;
	}
	print_decl(p, elem, name, f);
	text_str(p->text, inner);
}

/* All the typedefs that @id is, in a comment; returns what they stand for. */
static uint32_t print_expanded_typedefs(struct printer *p, uint32_t id)
{
	struct show_types *t = p->types;
	const char *before = "typedef ";

	if (types_kind(t, id) != BTF_TYPEDEF)
		return id;
	print_comment(p, COLOR_COMMENT);
	for (size_t i = 0; types_kind(t, id) == BTF_TYPEDEF && i < TYPES_CHAIN_MAX; i++) {
		const char *name = types_name(t, id);

		text_str(p->text, before);
		text_str(p->text, name ? name : "");
		before = " -> ";
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
	print_comment_end(p);
	text_char(p->text, ' ');
	return id;
}

/* Is @id an array, or a qualified one? */
static bool leads_to_array(const struct show_types *t, uint32_t id)
{
	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (types_ctype(t, id) != BTF_C_QUALIFIER || types_kind(t, id) == BTF_RESTRICT)
			return types_kind(t, id) == BTF_ARRAY;
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
	return false;
}

static void print_bare_decl(struct printer *p, uint32_t id, const char *name,
			    const struct frame *f);

static void print_qualified_decl(struct printer *p, const char *qualifier, uint32_t id,
				 const char *name, const struct frame *f)
{
	struct frame inner = *f;

	text_str(p->text, qualifier);
	inner.type_width -= (int)strlen(qualifier);
	print_bare_decl(p, id, name, &inner);
}

/* A declaration whose typedefs keep their names, with the comments of @f for a body. */
static void print_bare_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	CLEANUP(mem_free_text) char *starred = NULL;
	struct show_types *t = p->types;
	uint32_t to, proto = 0;

	if (!print_enter(p, id))
		return;
	id = types_untagged(t, id);
	to = id ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0;
	if (types_kind(t, id) != BTF_CONST)
		proto = print_pointed_proto(t, id, name, &starred);
	if (proto) {
		print_proto(p, proto, starred, true, f->type_width);
		print_leave(p);
		return;
	}
	switch (types_ctype(t, id)) {
	case BTF_C_POINTER:
		print_pointer_decl(p, id, types_untagged(t, to), name, f);
		break;
	case BTF_C_FUNCTION:
		print_proto(p, id, name, false, f->type_width);
		break;
	case BTF_C_ARRAY:
		print_array(p, id, name, f);
		break;
	case BTF_C_STRUCT:
	case BTF_C_FORWARD:
	case BTF_C_ENUM:
		print_tagged_decl(p, id, name, f);
		break;
	case BTF_C_QUALIFIER:
		if (types_kind(t, id) == BTF_CONST ||
		    (types_kind(t, id) == BTF_VOLATILE && leads_to_array(t, to)))
			print_qualified_decl(p, btf_kind_layout(types_kind(t, id))->keyword, to,
					     name, f);
		else
			print_column(p, id, name, 0, f->type_width);
		break;
	case BTF_C_NONE:
	case BTF_C_VOID:
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_TYPEDEF:
		print_column(p, id, name, 0, f->type_width);
		break;
	}
	print_leave(p);
}

/* --expand_pointers: print a pointer as its stars before @name, and the body of what it points to unless that is open. */
static void print_expanded_pointer(struct printer *p, uint32_t id, const char *name,
				   const struct frame *f)
{
	CLEANUP(text_release) struct text starred = { 0 };
	const struct show_types *t = p->types;
	struct frame inner = *f;
	bool *expanding;

	for (size_t i = 0; types_kind(t, id) == BTF_PTR && types_rec(t, id)[BTF_REC_SIZE_TYPE] &&
			   i < TYPES_CHAIN_MAX;
	     i++) {
		text_char(&starred, '*');
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
	expanding = &t->facts[types_bare(p->types, id)].expanding;
	inner.expand = starred.nr && !*expanding;
	if (starred.nr) {
		inner.pointed = true;
		inner.stats = false;
		text_str(&starred, name ? name : "");
		name = text_string(&starred);
	}
	if (inner.expand) {
		id = print_expanded_typedefs(p, id);
		*expanding = true;
	}
	print_bare_decl(p, id, name, &inner);
	if (inner.expand)
		*expanding = false;
}

void print_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	struct frame inner = *f;

	if (p->style->expand_pointers) {
		if (types_is_tagged(p->types, id))
			inner.stats = false;
		print_expanded_pointer(p, id, name, &inner);
		return;
	}
	if (p->style->expand)
		id = print_expanded_typedefs(p, id);
	if (types_is_tagged(p->types, id))
		inner.stats = false;
	print_bare_decl(p, id, name, &inner);
}

void print_typedef(struct printer *p, uint32_t id, const struct frame *f)
{
	struct show_types *t = p->types;
	const char *name = types_name(t, id);
	CLEANUP(mem_free_text) char *inner = NULL;
	uint32_t of = types_rec(t, id)[BTF_REC_SIZE_TYPE], to;

	name = name ? name : "";
	text_str(p->text, "typedef ");
	to = print_pointed_proto(t, of, name, &inner);
	if (types_kind(t, of) == BTF_ARRAY)
		print_array(p, of, name, f);
	else if (to)
		print_proto(p, to, inner, true, 0);
	else if (types_kind(t, of) == BTF_FUNC_PROTO)
		print_proto(p, of, name, false, 0);
	/* only the name of a union stands in a column, and no enum with a name is expanded */
	else if (types_is_union(t, of) || (types_is_tagged(t, of) && !types_name(t, of)) ||
		 (types_is_struct(t, of) && p->style->expand))
		print_tagged_decl(p, of, name, f);
	else
		print_column(p, of, name, 0, 0);
}

/* NOLINTEND(misc-no-recursion) */
