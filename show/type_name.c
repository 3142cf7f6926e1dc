/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_name.c - names and prototypes of types in the spelling of pahole, which scripts parse
 */
#include "show/print_internal.h"

#include "base/cleanup.h"
#include "btf/print/type_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit */

static void describe(const void *types, uint32_t id, struct type_part *ret)
{
	const struct show_types *t = types;

	*ret = (struct type_part){ .kind = types_kind(t, id) };
	if (ret->kind == BTF_ARRAY)
		ret->target = types_rec(t, id)[BTF_REC_WORDS];
	else if (type_text_is_link(ret->kind))
		ret->target = types_rec(t, id)[BTF_REC_SIZE_TYPE];
}

/* The type @id without its pointers and qualifiers. */
static void print_base_name(struct text *out, void *ctx, uint32_t id)
{
	struct printer *p = ctx;
	struct show_types *t = p->types;
	enum btf_kind kind = types_kind(t, id);
	const char *name = id ? types_name(t, id) : NULL;

	switch (btf_ctype(kind)) {
	case BTF_C_VOID:
		text_str(out, "void");
		break;
	case BTF_C_INT:
	case BTF_C_FLOAT:
		text_str(out, name ? name : "nameless base type!");
		break;
	case BTF_C_FUNCTION:
		print_proto(p, id, NULL, false, 0);
		break;
	case BTF_C_STRUCT:
	case BTF_C_FORWARD:
	case BTF_C_ENUM:
	case BTF_C_TYPEDEF:
		text_str(out, type_text_keyword(kind, types_is_union(t, id)));
		text_str(out, name ? name : "");
		break;
	case BTF_C_POINTER:
	case BTF_C_ARRAY:
	case BTF_C_QUALIFIER:
		types_fail_nesting(t, id);
		break;
	case BTF_C_NONE:
		types_fail_kind(t, id);
		break;
	}
}

void print_name(struct printer *p, uint32_t id)
{
	const struct type_source source = {
		.types = p->types,
		.part = describe,
		.base = print_base_name,
		.ctx = p,
		.as_pahole = true,
	};

	if (!print_enter(p, id))
		return;
	type_text(p->text, &source, id);
	print_leave(p);
}

/* The word for a pointer or qualifier, its target in *ret; NULL at the end of the chain. */
static const char *pointer_word(const struct show_types *t, uint32_t id, uint32_t *ret)
{
	enum btf_ctype c = types_ctype(t, id);

	*ret = id ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0;
	return c == BTF_C_POINTER   ? "*" :
	       c == BTF_C_QUALIFIER ? btf_kind_layout(types_kind(t, id))->keyword :
				      NULL;
}

uint32_t print_pointed_proto(const struct show_types *t, uint32_t id, const char *name,
			     char **ret_name)
{
	uint32_t end = id, next, last = 0; /* the last pointer */
	char *text;

	for (size_t i = 0; i < TYPES_CHAIN_MAX && pointer_word(t, end, &next); i++) {
		if (types_kind(t, end) == BTF_PTR)
			last = end;
		end = next;
	}
	if (!last || types_kind(t, end) != BTF_FUNC_PROTO)
		return 0;
	/* in C the first pointer is next to the name; the last one is the star of the caller */
	text = mem_strdup(name ? name : "");
	for (; id != last; id = next) {
		char *longer = mem_printf("%s%s", pointer_word(t, id, &next), text);

		free(text);
		text = longer;
	}
	*ret_name = text;
	return end;
}

static void print_parameter(struct printer *p, uint32_t type, const char *name)
{
	CLEANUP(mem_free_text) char *inner = NULL;
	uint32_t proto = print_pointed_proto(p->types, type, name, &inner);

	if (proto) {
		print_proto(p, proto, inner, true, 0);
		return;
	}
	print_name(p, type);
	if (name) {
		text_char(p->text, ' ');
		text_str(p->text, name);
	}
}

static void print_parameters(struct printer *p, uint32_t id)
{
	const uint32_t *params = types_rec(p->types, id) + BTF_REC_WORDS;
	uint32_t nr = types_vlen(p->types, id);
	bool any = false, more = false;

	text_char(p->text, '(');
	for (size_t i = 0; i < nr && !p->types->failure; i++) {
		/* a parameter of type void is "..." */
		if (!params[2 * i + 1]) {
			more = true;
			continue;
		}
		if (any)
			text_str(p->text, ", ");
		print_parameter(p, params[2 * i + 1], types_str(p->types, params[2 * i]));
		any = true;
	}
	text_str(p->text, !any ? "void)" : more ? ", ...)" : ")");
}

/* A function, the function that it returns a pointer to, and so on. */
struct returned {
	VEC(uint32_t) protos;
};

static void returned_release(struct returned *r)
{
	free(r->protos.items);
}

/* Enter @id and the others. */
static bool enter_returned(struct printer *p, uint32_t id, struct returned *ret)
{
	do {
		CLEANUP(mem_free_text) char *none = NULL;

		if (!print_enter(p, id))
			return false;
		vec_push(&ret->protos, id);
		id = print_pointed_proto(p->types, types_rec(p->types, id)[BTF_REC_SIZE_TYPE], "",
					 &none);
	} while (id);
	return true;
}

/* The stars and qualifiers between the function @id and the one that it returns a pointer to, but for the last star. */
static void print_stars(struct printer *p, uint32_t id)
{
	CLEANUP(mem_free_text) char *stars = NULL;

	if (print_pointed_proto(p->types, types_rec(p->types, id)[BTF_REC_SIZE_TYPE], "", &stars))
		text_str(p->text, stars);
}

/* C writes what the last function returns, then from the last to the first what is before the name, then parameters. */
static void print_returned(struct printer *p, const struct returned *r, const char *name,
			   bool pointer, int width)
{
	uint64_t start = text_pos(p->text);
	size_t last = r->protos.nr - 1;

	print_name(p, types_rec(p->types, r->protos.items[last])[BTF_REC_SIZE_TYPE]);
	text_pad(p->text, start, width);
	text_char(p->text, ' ');
	for (size_t i = last; i; i--) {
		text_str(p->text, "(*");
		print_stars(p, r->protos.items[i - 1]);
	}
	text_str(p->text, pointer ? "(*" : "(");
	text_str(p->text, name ? name : "");
	p->depth -= (unsigned int)last;
	for (size_t i = 0; i <= last && !p->types->failure; i++, p->depth++) {
		text_char(p->text, ')');
		print_parameters(p, r->protos.items[i]);
	}
}

void print_proto(struct printer *p, uint32_t id, const char *name, bool pointer, int width)
{
	CLEANUP(returned_release) struct returned r = { 0 };
	unsigned int depth = p->depth;

	if (enter_returned(p, id, &r))
		print_returned(p, &r, name, pointer, width);
	p->depth = depth;
}

/* NOLINTEND(misc-no-recursion) */
