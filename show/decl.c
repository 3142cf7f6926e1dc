/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decl.c - something with a name, and its type around it
 *
 * A type that has no name stands here with its body; so does every struct, union and enum if types
 * are to be expanded. The name then comes behind the body, as the suffix of its frame.
 */
#include "show/print_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>

/* A body is as much narrower than what it stands in. */
enum { BODY_NARROWER = 8 };

bool print_enter(struct printer *p, uint32_t id)
{
	if (p->types->failure)
		return false;
	if (p->depth >= TYPES_CHAIN_MAX) {
		types_fail_nesting(p->types, id);
		return false;
	}
	if (p->text->written + p->text->nr > p->room) {
		types_fail(p->types,
			   err_new(ERR_LIMIT,
				   "type %" PRIu32 ": more than %" PRIu64 " bytes of text", id,
				   p->room));
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

/* "unsigned int             bar" */
static void print_named(struct printer *p, uint32_t id, const char *name, int width)
{
	size_t start = p->text->nr;

	print_name(p, id);
	text_pad(p->text, start, width);
	text_char(p->text, ' ');
	text_str(p->text, name ? name : "");
}

/* "struct foo               bar" */
static void print_tagged(struct printer *p, const char *keyword, uint32_t id, const char *name,
			 int width)
{
	size_t start;

	text_str(p->text, keyword);
	start = p->text->nr;
	text_str(p->text, types_name(p->types, id));
	text_pad(p->text, start, width - (int)strlen(keyword));
	text_char(p->text, ' ');
	text_str(p->text, name ? name : "");
}

static bool has_body(const struct printer *p, uint32_t id)
{
	return p->style->expand || !types_name(p->types, id);
}

static void print_struct_decl(struct printer *p, uint32_t id, const char *name,
			      const struct frame *f)
{
	struct frame inner = *f;

	if (!has_body(p, id)) {
		print_tagged(p, "struct ", id, name, f->type_width);
		return;
	}
	inner.type_width -= BODY_NARROWER;
	inner.suffix = name;
	print_struct(p, id, &inner);
}

static void print_union_decl(struct printer *p, uint32_t id, const char *name,
			     const struct frame *f)
{
	struct frame inner = *f;

	if (!has_body(p, id)) {
		print_tagged(p, "union ", id, name, f->type_width);
		return;
	}
	inner.type_width -= BODY_NARROWER;
	inner.suffix = name;
	print_union(p, id, &inner);
}

static void print_enum_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	struct frame inner = *f;

	if (!has_body(p, id)) {
		print_tagged(p, "enum ", id, name, f->type_width);
		return;
	}
	inner.suffix = name;
	print_enum(p, id, &inner);
}

static void print_tagged_decl(struct printer *p, uint32_t id, const char *name,
			      const struct frame *f)
{
	if (types_is_struct(p->types, id))
		print_struct_decl(p, id, name, f);
	else if (types_is_union(p->types, id))
		print_union_decl(p, id, name, f);
	else
		print_enum_decl(p, id, name, f);
}

/* A pointer to @to. */
static void print_pointer_decl(struct printer *p, uint32_t id, uint32_t to, const char *name,
			       const struct frame *f)
{
	CLEANUP(mem_free_text) char *starred = NULL;
	struct frame inner = *f;
	uint32_t proto = print_pointed_proto(p->types, id, name, &starred);

	if (proto) {
		print_proto(p, proto, starred, true, f->type_width);
		return;
	}
	if (types_is_tagged(p->types, to) && !types_name(p->types, to)) {
		starred = mem_printf("* %s", name ? name : "");
		inner.relative = true;
		inner.stats = false;
		inner.type_width -= BODY_NARROWER;
		print_tagged_decl(p, to, starred, &inner);
		return;
	}
	print_named(p, id, name, f->type_width);
}

/*
 * Does the length of an array of @elem stand beside the name, inside of what else belongs to its type?
 * That is so in arrays of arrays, where the outer length comes first, and of functions.
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

void print_array(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	const uint32_t *data = types_rec(p->types, id) + BTF_REC_WORDS;
	uint32_t elem = data[0], nr = data[2];
	bool only = f->first && f->last;
	CLEANUP(mem_free_text) char *inner = NULL;

	/* an array without a length is not const */
	if (!nr && types_kind(p->types, elem) == BTF_CONST)
		elem = types_rec(p->types, elem)[BTF_REC_SIZE_TYPE];
	if (nr || !f->last || only || f->in_union)
		inner = mem_printf("[%" PRIu32 "]", nr);
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
	const char *before = "/* typedef ";

	if (types_kind(t, id) != BTF_TYPEDEF)
		return id;
	for (size_t i = 0; types_kind(t, id) == BTF_TYPEDEF && i < TYPES_CHAIN_MAX; i++) {
		const char *name = types_name(t, id);

		text_str(p->text, before);
		text_str(p->text, name ? name : "");
		before = " -> ";
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
	text_str(p->text, " */ ");
	return id;
}

/* A pointer to a function that has qualifiers itself; false if @id is something else. */
static bool print_qualified_pointer(struct printer *p, uint32_t id, const char *name,
				    const struct frame *f)
{
	CLEANUP(mem_free_text) char *inner = NULL;
	uint32_t proto = print_pointed_proto(p->types, id, name, &inner);

	if (proto)
		print_proto(p, proto, inner, true, f->type_width);
	return proto != 0;
}

/* Is @id an array, or a qualified one? */
static bool leads_to_array(const struct show_types *t, uint32_t id)
{
	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		switch (types_kind(t, id)) {
		case BTF_CONST:
		case BTF_VOLATILE:
		case BTF_TYPE_TAG:
			id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
			break;
		default:
			return types_kind(t, id) == BTF_ARRAY;
		}
	}
	return false;
}

/*
 * What may stand behind "const": its typedefs keep their names, and a body in its place says what a
 * body that stands alone says.
 */
static void print_bare_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	struct show_types *t = p->types;
	struct frame inner = *f;
	uint32_t to;

	if (!print_enter(p, id))
		return;
	id = types_untagged(t, id);
	to = id ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0;
	switch (types_kind(t, id)) {
	case BTF_PTR:
		print_pointer_decl(p, id, types_untagged(t, to), name, f);
		break;
	case BTF_FUNC_PROTO:
		print_proto(p, id, name, false, f->type_width);
		break;
	case BTF_CONST:
		text_str(p->text, "const ");
		inner.type_width -= (int)strlen("const ");
		print_bare_decl(p, to, name, &inner);
		break;
	case BTF_ARRAY:
		print_array(p, id, name, f);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_FWD:
	case BTF_ENUM:
	case BTF_ENUM64:
		print_tagged_decl(p, id, name, f);
		break;
	case BTF_VOLATILE:
		if (print_qualified_pointer(p, id, name, f))
			break;
		if (leads_to_array(t, to)) {
			text_str(p->text, "volatile ");
			inner.type_width -= (int)strlen("volatile ");
			print_bare_decl(p, to, name, &inner);
			break;
		}
		print_named(p, id, name, f->type_width);
		break;
	default:
		if (!print_qualified_pointer(p, id, name, f))
			print_named(p, id, name, f->type_width);
		break;
	}
	print_leave(p);
}

void print_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f)
{
	struct frame inner = *f;

	if (p->style->expand)
		id = print_expanded_typedefs(p, id);
	if (types_is_tagged(p->types, id))
		inner.stats = false;
	print_bare_decl(p, id, name, &inner);
}

static void print_typedef_of_tagged(struct printer *p, uint32_t id, const char *name,
				    const struct frame *f)
{
	const struct show_types *t = p->types;

	/* here only a union's name stands in a column, and no enum with a name is expanded */
	if (types_is_union(t, id))
		print_union_decl(p, id, name, f);
	else if (types_name(t, id) && !(p->style->expand && types_is_struct(t, id)))
		print_named(p, id, name, 0);
	else if (types_is_struct(t, id))
		print_struct_decl(p, id, name, f);
	else
		print_enum_decl(p, id, name, f);
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
	else if (types_is_tagged(t, of))
		print_typedef_of_tagged(p, of, name, f);
	else
		print_named(p, of, name, 0);
}

/* NOLINTEND(misc-no-recursion) */
