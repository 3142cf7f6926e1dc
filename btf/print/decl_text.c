/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decl_text.c - see decl_text.h
 *
 * A declaration of C grows from its name to both sides: a pointer stands before what there is, an array or a parameter list
 * behind it, and in parentheses what a pointer has before it. The base of the chain comes first of all.
 */
#include "btf/print/decl_text.h"

#include "base/cleanup.h"

#include <stdarg.h>
#include <string.h>

/* More than any C has. */
enum { LINKS_MAX = 32, DEPTH_MAX = 8, BYTES_MAX = 64 * 1024 };

/* A declaration that grows. */
struct decl {
	const struct btf_view *view;
	char *text;
	bool is_pointer; /* a pointer was added last */
	unsigned int depth;
	size_t *left; /* bytes, of the whole */
};

static const char *name_of(const struct btf_view *v, const uint32_t *rec)
{
	return btf_view_str(v, v->base, rec[BTF_REC_NAME]);
}

static PRINTF_LIKE(2, 3) void set_text(struct decl *d, const char *fmt, ...)
{
	CLEANUP(text_release) struct text text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vprintf(&text, fmt, ap);
	va_end(ap);
	free(d->text);
	d->text = text_take(&text);
}

/* The qualifiers in the set @quals, a bit for each kind, with a blank behind each. */
static char *quals_text(uint32_t quals)
{
	static const enum btf_kind order[] = { BTF_CONST, BTF_VOLATILE, BTF_RESTRICT };
	CLEANUP(text_release) struct text text = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (quals >> order[i] & 1)
			text_str(&text, btf_kind_layout(order[i])->keyword);
	}
	return text_take(&text);
}

/* @quals: of the pointer. */
static void add_pointer(struct decl *d, uint32_t quals)
{
	CLEANUP(mem_free_text) char *words = quals_text(quals);
	size_t len = strlen(words);

	set_text(d, "*%.*s%s", (int)(len && !*d->text ? len - 1 : len), words, d->text);
	d->is_pointer = true;
}

/* Array or function. */
static void add_behind(struct decl *d, const char *behind)
{
	set_text(d, d->is_pointer ? "(%s)%s" : "%s%s", d->text, behind);
	d->is_pointer = false;
}

static void add_length(struct decl *d, uint32_t nr)
{
	CLEANUP(mem_free_text) char *length = mem_printf("[%u]", nr);

	add_behind(d, length);
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEPTH_MAX */

static char *declare(struct decl *d, uint32_t id);

static char *parameter(const struct decl *d, uint32_t id, const char *name)
{
	struct decl inner = { .view = d->view, .depth = d->depth + 1, .left = d->left };

	inner.text = mem_strdup(name);
	return declare(&inner, id);
}

static void add_parameters(struct decl *d, const uint32_t *rec)
{
	CLEANUP(text_release) struct text text = { 0 };
	const uint32_t *param = rec + BTF_REC_WORDS;
	uint32_t nr = btf_rec_vlen(rec);

	text_char(&text, '(');
	for (uint32_t i = 0; i < nr; i++, param += 2) {
		CLEANUP(mem_free_text) char *one = NULL;

		text_str(&text, i ? ", " : "");
		if (!param[1] || d->depth == DEPTH_MAX || !*d->left) {
			text_str(&text, "...");
			break;
		}
		one = parameter(d, param[1], btf_view_str(d->view, d->view->base, param[0]));
		text_str(&text, one);
	}
	text_str(&text, nr ? ")" : "void)");
	add_behind(d, text_string(&text));
}

/* The base @id of the chain, and before it the qualifiers @set. */
static char *finish(struct decl *d, uint32_t set, uint32_t id)
{
	CLEANUP(mem_free_text) char *quals = quals_text(set);
	const uint32_t *rec = id ? btf_types_rec(&d->view->types, id) : NULL;
	enum btf_kind kind = rec ? btf_rec_kind(rec) : BTF_UNKN;
	const char *name = rec ? name_of(d->view, rec) : "void";
	const char *keyword = btf_kind_layout(kind)->keyword;
	const char *blank = *d->text ? " " : "";
	size_t len;

	if (kind == BTF_FWD && btf_rec_kflag(rec))
		keyword = btf_kind_layout(BTF_UNION)->keyword;
	if (!rec)
		set_text(d, "%svoid%s%s", quals, blank, d->text);
	else if (btf_ctype(kind) == BTF_C_NONE || btf_ctype(kind) == BTF_C_QUALIFIER ||
		 btf_ctype(kind) == BTF_C_POINTER || btf_ctype(kind) == BTF_C_ARRAY ||
		 btf_ctype(kind) == BTF_C_FUNCTION)
		set_text(d, "...%s%s", blank, d->text);
	else
		set_text(d, "%s%s%s%s%s", quals, keyword, *name ? name : "{...}", blank, d->text);
	len = strlen(d->text);
	*d->left -= len < *d->left ? len : *d->left;
	return d->text;
}

/* The declaration of @d->text with type @id; the caller frees the result. */
static char *declare(struct decl *d, uint32_t id)
{
	uint32_t quals = 0;

	for (size_t links = 0; id && links < LINKS_MAX; links++) {
		const uint32_t *rec = btf_types_rec(&d->view->types, id);

		switch (btf_ctype(btf_rec_kind(rec))) {
		case BTF_C_POINTER:
			add_pointer(d, quals);
			quals = 0;
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_QUALIFIER:
			quals |= 1u << btf_rec_kind(rec);
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_ARRAY:
			add_length(d, rec[BTF_REC_WORDS + 2]);
			id = rec[BTF_REC_WORDS];
			break;
		case BTF_C_FUNCTION:
			add_parameters(d, rec);
			quals = 0;
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_NONE:
		case BTF_C_VOID:
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_STRUCT:
		case BTF_C_ENUM:
		case BTF_C_FORWARD:
		case BTF_C_TYPEDEF:
			return finish(d, quals, id);
		}
	}
	return finish(d, quals, id);
}

/* NOLINTEND(misc-no-recursion) */

void decl_text(struct text *out, const struct btf_view *v, uint32_t id, const char *name)
{
	size_t left = BYTES_MAX;
	struct decl d = { .view = v, .text = mem_strdup(name), .left = &left };
	CLEANUP(mem_free_text) char *text = declare(&d, id);

	text_str(out, text);
}

void decl_text_symbol(struct text *out, const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec = btf_types_rec(&v->types, id);

	decl_text(out, v, rec[BTF_REC_SIZE_TYPE], name_of(v, rec));
}
