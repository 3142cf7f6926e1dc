/* SPDX-License-Identifier: GPL-2.0-only */
/* sup_file.c - see sup_file.h */
#include "loader/dwarf/sup_file.h"

#include "base/cleanup.h"
#include "loader/dwarf/dw_form.h"
#include "loader/elf/debug_file.h"
#include "loader/elf/image.h"

#include <stdio.h>
#include <stdlib.h>

#define DEBUG_ROOT "/usr/lib/debug"

/* A path as it stands in the file, with a zero behind, and a build id. */
struct link {
	const char *path;
	struct bytes id;
};

static struct link gnu_link(struct bytes b)
{
	struct dw_cursor c = dw_cursor_at(b, 0, false);
	struct bytes path = dw_cursor_string(&c);

	if (c.failed)
		return (struct link){ 0 };
	return (struct link){ (const char *)path.ptr, { c.p, (size_t)(c.end - c.p) } };
}

/* DWARF 5, 7.3.6. */
static struct link sup_link(const struct object *o, struct bytes b)
{
	struct dw_cursor c = dw_cursor_at(b, 0, o->swap);
	uint64_t version = dw_cursor_uint(&c, 2), is_sup = dw_cursor_uint(&c, 1);
	struct bytes path = dw_cursor_string(&c);
	struct bytes id = dw_cursor_bytes(&c, dw_cursor_uleb(&c));

	if (c.failed || version != 5 || is_sup)
		return (struct link){ 0 };
	return (struct link){ (const char *)path.ptr, id };
}

static struct link find_link(const struct object *o)
{
	const struct object_section *gnu = object_section(o, ".gnu_debugaltlink");
	const struct object_section *sup = object_section(o, ".debug_sup");

	if (gnu && gnu->data.len)
		return gnu_link(gnu->data);
	if (sup && sup->data.len)
		return sup_link(o, sup->data);
	return (struct link){ 0 };
}

/* Open @path if it is the one that @main means; false if it is another, or nothing. */
static bool try_file(const struct object *main, const char *path, struct bytes id,
		     struct object *ret)
{
	CLEANUP(image_close) struct object o = { 0 };
	struct err *e = image_open(path, &o);

	err_free(e);
	if (e || o.machine != main->machine || o.addr_size != main->addr_size ||
	    o.swap != main->swap || debug_file_is_same(main, &o))
		return false;

	struct bytes its = debug_file_build_id(&o);
	if (its.len != id.len || memcmp(its.ptr, id.ptr, id.len) != 0)
		return false;
	*ret = TAKE(o);
	return true;
}

static bool find_beside(const struct object *main, const struct link *l, struct object *ret)
{
	CLEANUP(mem_free_text) char *real = realpath(main->path, NULL);

	if (l->path[0] == '/')
		return try_file(main, l->path, l->id, ret);
	if (!real)
		return false;
	*strrchr(real, '/') = '\0';
	CLEANUP(mem_free_text) char *path = mem_printf("%s/%s", real, l->path);
	return try_file(main, path, l->id, ret);
}

static bool find_installed(const struct object *main, const struct link *l, struct object *ret)
{
	const char *base = strrchr(l->path, '/');
	CLEANUP(mem_free_text) char *hex = mem_zalloc(2 * l->id.len + 1, 1);

	for (size_t i = 0; i < l->id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", l->id.ptr[i]);

	CLEANUP(mem_free_text) char *by_id = mem_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex,
							hex + 2);
	CLEANUP(mem_free_text) char *by_name = mem_printf(DEBUG_ROOT "/.dwz/%s",
							  base ? base + 1 : l->path);
	return try_file(main, by_id, l->id, ret) || try_file(main, by_name, l->id, ret);
}

bool sup_file_is_named(const struct object *main)
{
	return find_link(main->impl && main->impl->debug_file ? main->impl->debug_file : main).path;
}

struct err *sup_file_open(const struct object *main, struct diagnostics *diags, struct object *ret,
			  bool *found)
{
	CLEANUP(object_close) struct object o = { 0 };
	const struct object *from = main->impl && main->impl->debug_file ? main->impl->debug_file :
									   main;
	struct link l = find_link(from);

	*found = false;
	if (!l.path)
		return NULL;
	if (l.id.len < DEBUG_FILE_ID_MIN || l.id.len > DEBUG_FILE_ID_MAX ||
	    (!find_beside(from, &l, &o) && !find_installed(from, &l, &o))) {
		diag_add(
			diags, DIAG_WARNING,
			"'%s': '%s', which holds a part of its types, is not there: they become void",
			from->path, l.path);
		return NULL;
	}
	TRY(object_load_debug(&o));
	*ret = TAKE(o);
	*found = true;
	return NULL;
}
