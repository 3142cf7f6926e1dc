/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_name.c - the name of a type, without anything of that type
 *
 * Pointers have a blank before each star, qualifiers one behind them ("const char  *"): this is how
 * pahole spells them, and what scripts that read it expect.
 */
#include "show/print_internal.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"

#include <inttypes.h>
#include <stdlib.h>

/* NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit */

static void print_pointer(struct printer *p, uint32_t to)
{
	const struct show_types *t = p->types;
	bool fixed = false;

	/* a pointer to a pointer that is const: the word goes between the stars */
	if (types_kind(t, to) == BTF_CONST) {
		uint32_t next = types_rec(t, to)[BTF_REC_SIZE_TYPE];

		fixed = types_kind(t, next) == BTF_PTR;
		to = fixed ? next : to;
	}
	print_name(p, to);
	text_str(p->text, fixed ? " const *" : " *");
}

static void print_qualified(struct printer *p, const char *before, uint32_t id, const char *behind)
{
	text_str(p->text, before);
	print_name(p, id);
	text_str(p->text, behind);
}

static void print_plain(struct printer *p, const char *keyword, uint32_t id, const char *nameless)
{
	const char *name = types_name(p->types, id);

	text_str(p->text, keyword);
	text_str(p->text, name ? name : nameless);
}

void print_name(struct printer *p, uint32_t id)
{
	struct show_types *t = p->types;
	uint32_t to = id ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0;

	if (!print_enter(p, id))
		return;
	switch (types_kind(t, id)) {
	case BTF_UNKN:
		text_str(p->text, "void");
		break;
	case BTF_INT:
	case BTF_FLOAT:
		print_plain(p, "", id, "nameless base type!");
		break;
	case BTF_PTR:
		print_pointer(p, to);
		break;
	case BTF_CONST:
		print_qualified(p, "const ", to, " ");
		break;
	case BTF_VOLATILE:
		print_qualified(p, "volatile ", to, " ");
		break;
	case BTF_RESTRICT:
		print_qualified(p, "", to, " restrict ");
		break;
	case BTF_ARRAY:
		print_name(p, types_rec(t, id)[BTF_REC_WORDS]);
		break;
	case BTF_TYPE_TAG:
		print_name(p, to);
		break;
	case BTF_FUNC_PROTO:
		print_proto(p, id, NULL, false, 0);
		break;
	case BTF_STRUCT:
		print_plain(p, "struct ", id, "");
		break;
	case BTF_UNION:
		print_plain(p, "union ", id, "");
		break;
	case BTF_FWD:
		print_plain(p, types_is_union(t, id) ? "union " : "struct ", id, "");
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		print_plain(p, "enum ", id, "");
		break;
	case BTF_TYPEDEF:
		print_plain(p, "", id, "");
		break;
	default:
		types_fail(t, err_new(ERR_FORMAT, "type %" PRIu32 ": %s is used as a type", id,
				      btf_kind_layout(types_kind(t, id))->name));
		break;
	}
	print_leave(p);
}

/* The word of a qualifier or star, what it is of in *ret; NULL for what ends a chain of pointers. */
static const char *pointer_word(const struct show_types *t, uint32_t id, uint32_t *ret)
{
	*ret = id ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0;
	switch (types_kind(t, id)) {
	case BTF_PTR:
		return "*";
	case BTF_CONST:
		return "const ";
	case BTF_VOLATILE:
		return "volatile ";
	case BTF_RESTRICT:
		return "restrict ";
	case BTF_TYPE_TAG:
		return "";
	default:
		return NULL;
	}
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
		/* void is what "..." stands as */
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

/* "(*NAME)(PARAMETERS)" or "(NAME)(PARAMETERS)", on the heap. */
static char *function_text(const struct printer *p, uint32_t id, const char *name, bool pointer)
{
	CLEANUP(text_release) struct text text = { 0 };
	struct printer inner = *p;

	inner.text = &text;
	text_str(&text, pointer ? "(*" : "(");
	text_str(&text, name ? name : "");
	text_char(&text, ')');
	print_parameters(&inner, id);
	text_char(&text, '\0');
	return mem_strdup(text.items);
}

/* A function that returns a pointer to a function; false if @id does not. */
static bool print_proto_of_proto(struct printer *p, uint32_t id, const char *name, bool pointer,
				 int width)
{
	uint32_t type = types_rec(p->types, id)[BTF_REC_SIZE_TYPE];
	CLEANUP(mem_free_text) char *none = NULL;
	CLEANUP(mem_free_text) char *function = NULL;
	CLEANUP(mem_free_text) char *around = NULL;
	uint32_t returned;

	if (!print_pointed_proto(p->types, type, "", &none))
		return false;
	function = function_text(p, id, name, pointer);
	returned = print_pointed_proto(p->types, type, function, &around);
	print_proto(p, returned, around, true, width);
	return true;
}

void print_proto(struct printer *p, uint32_t id, const char *name, bool pointer, int width)
{
	size_t start = p->text->nr;

	if (!print_enter(p, id))
		return;
	if (print_proto_of_proto(p, id, name, pointer, width)) {
		print_leave(p);
		return;
	}
	print_name(p, types_rec(p->types, id)[BTF_REC_SIZE_TYPE]);
	text_pad(p->text, start, width);
	text_str(p->text, pointer ? " (*" : " (");
	text_str(p->text, name ? name : "");
	text_char(p->text, ')');
	print_parameters(p, id);
	print_leave(p);
}

/* NOLINTEND(misc-no-recursion) */
