/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.c - see wanted_list.h */
#include "cmd/options/wanted_list.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "cmd/options/file_list.h"

#include <stdlib.h>
#include <string.h>

/* Remove "()" from the end of @name. */
static bool cut_parentheses(char *name)
{
	size_t len = strlen(name);
	bool cut = len > 2 && !strcmp(name + len - 2, "()");

	if (cut)
		name[len - 2] = '\0';
	return cut;
}

static bool same(const struct wanted *a, const struct wanted *b)
{
	return a->is_func == b->is_func && !strcmp(a->asked, b->asked);
}

static bool has(const struct wanted_list *l, const struct wanted *w)
{
	uint32_t i = name_list_first(&l->index, w->name);

	while (i && !same(&l->items[i - 1], w))
		i = name_list_next(&l->index, w->name, i);
	return i != 0;
}

/* "page.lru" asks for a member. */
static struct err *split_path(struct wanted_list *l, struct wanted *w)
{
	const char *dot = strchr(w->name, '.');

	if (!dot || dot == w->name || !dot[1] || w->is_func)
		return NULL;
	if (w->is_pattern) {
		CLEANUP(mem_free_text) char *shown = wanted_list_name(w);

		return err_new(ERR_USAGE, "%s: a pattern cannot select members", shown);
	}
	w->whole = w->name;
	w->path = dot + 1;
	w->name = arena_strndup(&l->names, w->name, (size_t)(dot - w->name));
	return NULL;
}

/* @location: where the name is; NULL for the command line. */
static struct err *add(struct wanted_list *l, const char *name, size_t len, enum wanted_what what,
		       const char *location)
{
	char *own = arena_strndup(&l->names, name, len);
	bool is_func = what != WANTED_TYPES && cut_parentheses(own);
	struct wanted w = wanted_read(own);

	w.is_func = is_func;
	w.location = location;
	if (!len)
		return err_new(ERR_USAGE, what == WANTED_NAMES ? "a name is empty" :
								 "the name of a type is empty");
	if (what != WANTED_NAMES && strchr(own, '(') && !strchr(own, '<')) {
		CLEANUP(mem_free_text) char *shown = wanted_list_name(&w);

		return err_new(ERR_USAGE, "%s: btfenc prints types, not functions or data", shown);
	}
	if (what == WANTED_SHOWN)
		TRY(split_path(l, &w));
	if (what == WANTED_NAMES && has(l, &w))
		return NULL;
	vec_push(l, w);
	name_list_add(&l->index, w.name);
	return NULL;
}

static struct err *add_file(struct wanted_list *l, const char *path, enum wanted_what what)
{
	CLEANUP(file_list_release) struct file_list lines = { 0 };

	TRY(file_list_read(path, &lines));
	for (size_t i = 0; i < lines.nr; i++) {
		const char *name = lines.items[i];

		TRY(add(l, name, strlen(name), what,
			arena_printf(&l->names, "'%s', line %zu", path, lines.lines.items[i])));
	}
	return NULL;
}

/* The length of the name at the start of @s: 14 in "Map<int, char>,list_head". */
static size_t name_len(const char *s)
{
	size_t len = 0;
	unsigned int depth = 0;

	for (; s[len] && (s[len] != ',' || depth); len++) {
		depth += s[len] == '<';
		depth -= s[len] == '>' && depth;
	}
	return len;
}

struct err *wanted_list_read(const char *arg, enum wanted_what what, struct wanted_list *ret)
{
	static const char scheme[] = "file://";

	for (const char *p = arg;; p++) {
		size_t len = name_len(p);

		if (starts_with(p, scheme))
			TRY(add_file(ret,
				     arena_strndup(&ret->names, p + sizeof(scheme) - 1,
						   len - (sizeof(scheme) - 1)),
				     what));
		else
			TRY(add(ret, p, len, what, NULL));
		p += len;
		if (!*p)
			return NULL;
	}
}

bool wanted_list_has(const struct wanted_list *l, const char *name, enum btf_kind kind, bool kflag)
{
	for (uint32_t i = name_list_first(&l->index, name); i;
	     i = name_list_next(&l->index, name, i)) {
		const struct wanted *w = &l->items[i - 1];

		if (wanted_takes(w, kind, kflag))
			return true;
	}
	return false;
}

char *wanted_list_name(const struct wanted *w)
{
	if (w->location)
		return mem_strdup(w->location);
	return mem_printf("'%s%s'", w->asked, w->is_func ? "()" : "");
}

void wanted_list_release(struct wanted_list *l)
{
	free(l->items);
	name_list_release(&l->index);
	arena_release(&l->names);
	*l = (struct wanted_list){ 0 };
}
