/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.c - see wanted_list.h */
#include "cmd/jobs/wanted_list.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "cmd/options/file_list.h"

#include <stdlib.h>
#include <string.h>

/* @place: where the name is, if it is not on the command line. The file may have any content: print none of it. */
static struct err *add(struct wanted_list *l, const char *name, size_t len, const char *place)
{
	if (!len)
		return err_new(ERR_USAGE, "the name of a type is empty");
	if (memchr(name, '(', len) && !memchr(name, '<', len))
		return err_new(ERR_USAGE, "%s: btfenc prints types, not functions or data",
			       place ? place : arena_printf(&l->names, "'%.*s'", (int)len, name));
	vec_push(l, wanted_read(arena_strndup(&l->names, name, len)));
	l->items[l->nr - 1].place = place;
	return NULL;
}

static struct err *add_file(struct wanted_list *l, const char *path)
{
	CLEANUP(file_list_release) struct file_list lines = { 0 };

	TRY(file_list_read(path, &lines));
	for (size_t i = 0; i < lines.nr; i++) {
		const char *name = lines.items[i];

		TRY(add(l, name, strlen(name),
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

struct err *wanted_list_read(const char *arg, struct wanted_list *ret)
{
	static const char scheme[] = "file://";

	for (const char *p = arg;; p++) {
		size_t len = name_len(p);

		if (starts_with(p, scheme))
			TRY(add_file(ret, arena_strndup(&ret->names, p + sizeof(scheme) - 1,
							len - (sizeof(scheme) - 1))));
		else
			TRY(add(ret, p, len, NULL));
		p += len;
		if (!*p)
			return NULL;
	}
}

void wanted_list_release(struct wanted_list *l)
{
	free(l->items);
	arena_release(&l->names);
	*l = (struct wanted_list){ 0 };
}
