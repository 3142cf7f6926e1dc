/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.c - see wanted_list.h */
#include "cmd/jobs/wanted_list.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/elf/raw_file.h"

#include <stdlib.h>
#include <string.h>

static void free_bytes(uint8_t **bytes)
{
	free(*bytes);
}

static struct err *add(struct wanted_list *l, const char *name, size_t len)
{
	if (!len)
		return err_new(ERR_USAGE, "an empty name cannot be that of a type");
	if (memchr(name, '(', len) && !memchr(name, '<', len))
		return err_new(ERR_USAGE, "'%.*s': btfenc prints types, not data", (int)len, name);
	vec_push(l, wanted_read(arena_strndup(&l->names, name, len)));
	return NULL;
}

static struct err *add_file(struct wanted_list *l, const char *path)
{
	CLEANUP(free_bytes) uint8_t *bytes = NULL;
	size_t size = 0, len;

	TRY(raw_file_read(path, &bytes, &size));
	for (const char *p = (const char *)bytes, *end = p + size; p < end; p += len + 1) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		len = (size_t)((line_end ? line_end : end) - p);
		if (len)
			TRY(err_at(add(l, p, len), "'%s'", path));
	}
	return NULL;
}

/* How long the name at the start of @s is. In "Map<int, char>,list_head" it is 14. */
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

		if (!strncmp(p, scheme, sizeof(scheme) - 1))
			TRY(add_file(ret, arena_strndup(&ret->names, p + sizeof(scheme) - 1,
							len - (sizeof(scheme) - 1))));
		else
			TRY(add(ret, p, len));
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
