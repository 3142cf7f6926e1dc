/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * companion.c - see companion.h
 *
 * The index of a package is a hash table of ids, and a table with a row for each unit and a column for
 * each section: first the offsets of the unit's contributions, then their sizes. btfenc reads the
 * index once, and notes in each unit where the rest of it is.
 */
#include "loader/dwarf/companion.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "loader/elf/debug_file.h"
#include "loader/elf/image.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void close_companion(struct dw_companion **c)
{
	dw_companion_close(*c);
}

/* --- supplementary files --- */

#define DEBUG_ROOT "/usr/lib/debug"

/* The path and the build id in a link. The path is followed by a zero in the file. */
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

/* Open @path. Returns false if it is not there, or not the file that @main was made with. */
static bool try_file(const struct object *main, const char *path, struct bytes id,
		     struct object *ret)
{
	CLEANUP(image_close) struct object o = { 0 };
	struct err *e = object_open_bare(path, &o);

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

/* The path in the link, relative to the folder of @main. The caller frees it. */
static char *linked_path(const struct object *main, const struct link *l)
{
	CLEANUP(mem_free_text) char *real = realpath(main->path, NULL);

	if (l->path[0] == '/' || !real)
		return mem_printf("%s", l->path);
	*strrchr(real, '/') = '\0';
	return mem_printf("%s/%s", real, l->path);
}

/* Try @path, and then those below DEBUG_ROOT. */
static bool find_sup(const struct object *main, const struct link *l, const char *path,
		     struct object *ret)
{
	const char *base = strrchr(l->path, '/');
	CLEANUP(mem_free_text) char *hex = mem_zalloc(2 * l->id.len + 1, 1);

	for (size_t i = 0; i < l->id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", l->id.ptr[i]);

	CLEANUP(mem_free_text) char *by_id = mem_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex,
							hex + 2);
	CLEANUP(mem_free_text) char *by_name = mem_printf(DEBUG_ROOT "/.dwz/%s",
							  base ? base + 1 : l->path);
	return try_file(main, path, l->id, ret) || try_file(main, by_id, l->id, ret) ||
	       try_file(main, by_name, l->id, ret);
}

struct err *sup_open(const struct dw_file *f, struct diagnostics *diags, struct dw_companion **ret,
		     char **ret_missing)
{
	CLEANUP(close_companion) struct dw_companion *sup = mem_zalloc(1, sizeof(*sup));
	const struct object *main = f->obj;
	const struct object *from = main->impl && main->impl->debug_file ? main->impl->debug_file :
									   main;
	struct link l = find_link(from);

	if (!l.path)
		return NULL;
	CLEANUP(mem_free_text) char *path = linked_path(from, &l);
	if (l.id.len < DEBUG_FILE_ID_MIN || l.id.len > DEBUG_FILE_ID_MAX ||
	    !find_sup(from, &l, path, &sup->obj)) {
		diag_add(
			diags, DIAG_WARNING,
			"'%s': its supplementary file '%s' %s, and " DEBUG_ROOT
			" has no copy: types in it become void, and functions whose names it has are left out",
			from->path, path,
			access(path, F_OK) == 0 ? "is of another build" : "is missing");
		*ret_missing = TAKE(path);
		return NULL;
	}
	TRY(object_load_supplement(&sup->obj));
	TRY(err_at(dw_file_open_companion(&sup->obj, f, false, &sup->file), "'%s'", sup->obj.path));
	*ret = TAKE(sup);
	return NULL;
}

/* --- packages --- */

/* Sections, by their numbers in an index (DWARF 5, 7.3.5; GNU's version 2). */
enum indexed_section {
	IN_INFO = 1,
	IN_TYPES,
	IN_ABBREV,
	IN_LINE,
	IN_LOC,
	IN_STR_OFFSETS,
	IN_MACRO,
	IN_RNGLISTS, /* of DWARF 5 */
	NR_INDEXED
};

struct index {
	const char *name; /* of its section */
	bool swap;
	struct bytes slots, rows; /* ids; the row of each, from 1 on, 0 for none */
	struct bytes offsets, sizes;
	uint32_t nr_slots, nr_rows, nr_cols;
	uint32_t col[NR_INDEXED]; /* where it stands, plus 1; 0: nowhere */
};

static uint32_t u32_at(const struct index *x, struct bytes b, uint64_t i)
{
	return swap32(load32(b.ptr + i * 4), x->swap);
}

static struct err *read_index(struct bytes b, const char *name, bool swap, struct index *x)
{
	struct dw_cursor c = dw_cursor_at(b, 0, swap);
	uint32_t version = (uint32_t)dw_cursor_uint(&c, 4);
	uint32_t five = 5u << 16; /* of DWARF 5 it has two bytes, and two of padding behind */

	*x = (struct index){ .name = name, .swap = swap };
	x->nr_cols = (uint32_t)dw_cursor_uint(&c, 4);
	x->nr_rows = (uint32_t)dw_cursor_uint(&c, 4);
	x->nr_slots = (uint32_t)dw_cursor_uint(&c, 4);
	if (!c.failed && version != 2 && version != 5 && version != five)
		return err_new(ERR_UNSUPPORTED, "%s: version %u; 2 and 5 are known", name, version);

	uint64_t cells = (uint64_t)x->nr_rows * x->nr_cols;
	x->slots = dw_cursor_bytes(&c, (uint64_t)x->nr_slots * 8);
	x->rows = dw_cursor_bytes(&c, (uint64_t)x->nr_slots * 4);
	struct bytes columns = dw_cursor_bytes(&c, (uint64_t)x->nr_cols * 4);
	if (cells > b.len)
		c.failed = true;
	x->offsets = dw_cursor_bytes(&c, c.failed ? 0 : cells * 4);
	x->sizes = dw_cursor_bytes(&c, c.failed ? 0 : cells * 4);
	if (c.failed)
		return err_new(ERR_FORMAT,
			       "%s: %u units in %u sections and %u slots do not fit into %zu bytes",
			       name, x->nr_rows, x->nr_cols, x->nr_slots, b.len);
	for (uint32_t i = 0; i < x->nr_cols; i++) {
		uint32_t what = u32_at(x, columns, i);

		if (what && what < NR_INDEXED)
			x->col[what] = i + 1;
	}
	return NULL;
}

/* Where the contribution to @col of @row starts, and its size; 0 if it has none. */
static uint32_t cell(const struct index *x, struct bytes table, uint32_t row,
		     enum indexed_section col)
{
	if (!x->col[col])
		return 0;
	return u32_at(x, table, (uint64_t)(row - 1) * x->nr_cols + x->col[col] - 1);
}

/* The first of @nr units, in order, that starts at @off or behind it. */
static size_t first_at(const struct dw_unit *units, size_t nr, uint64_t off)
{
	return LOWER_BOUND(0, nr, i, units[i].start < off);
}

/* Tell the units of @row where the rest of them is, unless another row has done that. */
static struct err *apply_row(const struct index *x, uint32_t row, uint64_t id,
			     struct dw_unit *units, size_t nr, enum indexed_section col,
			     const struct object *o)
{
	uint64_t start = cell(x, x->offsets, row, col), end = start + cell(x, x->sizes, row, col);

	for (size_t i = first_at(units, nr, start); i < nr && units[i].start < end; i++) {
		struct dw_unit *u = &units[i];

		if (u->in_package)
			break;
		u->in_package = true;
		u->abbrev += cell(x, x->offsets, row, IN_ABBREV);
		u->str_offsets = cell(x, x->offsets, row, IN_STR_OFFSETS);
		u->lists = cell(x, x->offsets, row, IN_LOC);
		u->ranges = cell(x, x->offsets, row, IN_RNGLISTS);
		if (!dw_unit_is_type(u))
			u->signature = id;
		if (u->abbrev > o->debug[DEBUG_ABBREV].len)
			return err_new(ERR_FORMAT, "%s: the abbreviations of row %u are outside",
				       x->name, row);
	}
	return NULL;
}

static struct err *apply_index(struct dw_file *f, const char *name)
{
	const struct object_section *s = object_section(f->obj, name);
	struct index x;

	if (!s || !s->data.len)
		return NULL;
	TRY(read_index(s->data, name, f->obj->swap, &x));
	assert(x.slots.ptr && x.rows.ptr);
	for (uint32_t i = 0; i < x.nr_slots; i++) {
		uint64_t id = swap64(load64(x.slots.ptr + (size_t)i * 8), x.swap);
		uint32_t row = u32_at(&x, x.rows, i);

		if (!row)
			continue;
		if (row > x.nr_rows)
			return err_new(ERR_FORMAT, "%s: slot %u is for row %u of %u", name, i, row,
				       x.nr_rows);
		TRY(apply_row(&x, row, id, f->units.items, f->units.nr, IN_INFO, f->obj));
		TRY(apply_row(&x, row, id, f->types.items, f->types.nr, IN_TYPES, f->obj));
	}
	return NULL;
}

/* --- .dwo files and packages --- */

/* Open @path; *ret stays NULL if nothing is there. */
static struct err *open_at(const struct dw_file *f, const char *path, struct dw_companion **ret)
{
	CLEANUP(close_companion) struct dw_companion *c = NULL;

	if (access(path, F_OK) != 0)
		return NULL;
	c = mem_zalloc(1, sizeof(*c));
	TRY(object_open_split(path, &c->obj));
	if (c->obj.swap != f->obj->swap || c->obj.addr_size != f->obj->addr_size ||
	    c->obj.machine != f->obj->machine)
		return err_new(ERR_FORMAT, "'%s' is for another machine", path);
	TRY(err_at(dw_file_open_companion(&c->obj, f, true, &c->file), "'%s'", path));
	*ret = TAKE(c);
	return NULL;
}

struct err *package_open(const struct dw_file *f, struct dw_companion **ret)
{
	CLEANUP(mem_free_text) char *path = mem_printf("%s.dwp", f->obj->path);
	CLEANUP(close_companion) struct dw_companion *c = NULL;

	TRY(open_at(f, path, &c));
	if (!c)
		return NULL;
	TRY(err_at(apply_index(&c->file, ".debug_cu_index"), "'%s'", path));
	TRY(err_at(apply_index(&c->file, ".debug_tu_index"), "'%s'", path));
	for (size_t i = 0; i < c->file.units.nr; i++) {
		const struct dw_unit *u = &c->file.units.items[i];

		if (!dw_unit_is_type(u) && u->in_package)
			vec_push(&c->file.ids, u);
	}
	dw_units_sort(&c->file.ids);
	*ret = TAKE(c);
	return NULL;
}

/* The length of the folder in @path, with the slash. */
static int folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

struct err *dwo_open(const struct dw_file *f, const char *folder, const char *name,
		     struct dw_companion **ret)
{
	const char *main = f->obj->path;
	bool whole = name[0] == '/';
	int len = folder_len(main);
	CLEANUP(mem_free_text) char *as_named = whole || !folder[0] ?
							mem_printf("%s", name) :
							mem_printf("%s/%s", folder, name);
	CLEANUP(mem_free_text) char *moved = mem_printf("%.*s%s", len, main, name);
	CLEANUP(mem_free_text) char *beside = mem_printf("%.*s%s", len, main,
							 name + folder_len(name));

	TRY(open_at(f, as_named, ret));
	if (!*ret && !whole)
		TRY(open_at(f, moved, ret));
	if (!*ret)
		TRY(open_at(f, beside, ret));
	return NULL;
}
