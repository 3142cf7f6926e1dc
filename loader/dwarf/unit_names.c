/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_names.c - the objects that a program was linked from, by the names of its units */
#include "base/cleanup.h"
#include "loader/dwarf/dw_read_cu.h"

#include <stdlib.h>

void unit_names_release(struct unit_names *u)
{
	for (size_t i = 0; i < u->nr; i++)
		free(u->items[i]);
	free(u->items);
	*u = (struct unit_names){ 0 };
}

struct source {
	struct object obj;
	bool opened;
	struct str_pool strings;
	struct dw_file dwarf;
	struct dw_reader *reader;
};

static void source_release(struct source *s)
{
	dw_reader_free(s->reader);
	dw_file_close(&s->dwarf);
	str_pool_release(&s->strings);
	if (s->opened)
		object_close(&s->obj);
}

/* "fs/open.c" in "/build" is from "/build/fs/open.o"; @folder NULL if the name is whole. */
static char *object_of(const char *folder, const char *source)
{
	const char *base = strrchr(source, '/'), *dot = strrchr(base ? base : source, '.');
	int len = dot ? (int)(dot - source) : (int)strlen(source);

	if (folder)
		return mem_printf("%s/%.*s.o", folder, len, source);
	return mem_printf("%.*s.o", len, source);
}

static void add_object(struct unit_names *u, const char *folder, const char *source)
{
	char *object = object_of(source[0] == '/' ? NULL : folder, source);

	if (u->nr && !strcmp(u->items[u->nr - 1], object))
		free(object); /* an object may have several */
	else
		vec_push(u, object);
}

struct err *unit_names_read(const char *path, struct unit_names *ret)
{
	CLEANUP(unit_names_release) struct unit_names u = { 0 };
	CLEANUP(diag_release) struct diagnostics diags = {
		0
	}; /* of files that are not needed here */
	CLEANUP(source_release) struct source s = { 0 };
	const struct dw_open_opts open = { 0 };
	const struct dw_read_opts opts = { 0 };

	str_pool_init(&s.strings);
	TRY(object_open(path, &s.obj));
	s.opened = true;
	if (!s.obj.debug[DEBUG_INFO].len)
		return NULL;
	TRY(err_at(dw_file_open(&s.obj, &s.strings, &open, &diags, &s.dwarf), "'%s'", path));
	s.reader = dw_reader_new(&s.dwarf, &opts);
	for (size_t i = 0; i < s.dwarf.units.nr; i++) {
		const char *folder = NULL, *source = NULL;

		TRY(err_at(dw_read_unit_source(s.reader, i, &folder, &source), "'%s'", path));
		if (source)
			add_object(&u, folder, source);
	}
	*ret = TAKE(u);
	return NULL;
}
