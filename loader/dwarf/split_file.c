/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * split_file.c - see split_file.h
 *
 * An index of a package is a hash table of ids, and a table with a row for each unit and a column
 * for each section: the offsets at which its contributions start, then their sizes. The units stand
 * one behind the other in the package; the index is read once, to tell each where the rest of it is.
 */
#include "loader/dwarf/split_file.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "loader/elf/image.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

/* --- packages -------------------------------------------------------------------------- */

/* Columns, by the numbers that stand for them (DWARF 5, 7.3.5; GNU's version 2). */
enum indexed_section {
	IN_INFO = 1,
	IN_TYPES,
	IN_ABBREV,
	IN_LINE,
	IN_LOC,
	IN_STR_OFFSETS,
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
static struct err *place_units(const struct index *x, uint32_t row, uint64_t id,
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
		TRY(place_units(&x, row, id, f->units.items, f->units.nr, IN_INFO, f->obj));
		TRY(place_units(&x, row, id, f->types.items, f->types.nr, IN_TYPES, f->obj));
	}
	return NULL;
}

static int by_id(const void *a, const void *b)
{
	const struct dw_unit *x = *(const struct dw_unit *const *)a;
	const struct dw_unit *y = *(const struct dw_unit *const *)b;

	if (x->signature != y->signature)
		return x->signature < y->signature ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

void split_sort_ids(struct dw_file *f)
{
	if (f->ids.nr)
		qsort(f->ids.items, f->ids.nr, sizeof(f->ids.items[0]), by_id);
}

static void add_ids(struct dw_file *f)
{
	for (size_t i = 0; i < f->units.nr; i++)
		if (!dw_unit_is_type(&f->units.items[i]) && f->units.items[i].in_package)
			vec_push(&f->ids, &f->units.items[i]);
	split_sort_ids(f);
}

const struct dw_unit *split_find_unit(const struct dw_file *f, uint64_t id)
{
	size_t at = LOWER_BOUND(0, f->ids.nr, i, f->ids.items[i]->signature < id);

	return at < f->ids.nr && f->ids.items[at]->signature == id ? f->ids.items[at] : NULL;
}

/* --- files ------------------------------------------------------------------------------ */

static void close_it(struct dw_companion **sup)
{
	dw_companion_close(*sup);
}

/* Open @path; *ret is NULL if nothing is there. */
static struct err *open_at(const struct dw_file *f, const char *path, struct dw_companion **ret)
{
	CLEANUP(close_it) struct dw_companion *sup = NULL;

	*ret = NULL;
	if (access(path, F_OK) != 0)
		return NULL;
	sup = mem_zalloc(1, sizeof(*sup));
	TRY(object_open_split(path, &sup->obj));
	if (sup->obj.swap != f->obj->swap || sup->obj.addr_size != f->obj->addr_size ||
	    sup->obj.machine != f->obj->machine)
		return err_new(ERR_FORMAT, "'%s' is for another machine", path);
	TRY(err_at(dw_file_open_part(&sup->obj, f, &sup->file), "'%s'", path));
	*ret = sup;
	sup = NULL;
	return NULL;
}

struct err *split_package_open(const struct dw_file *f, struct dw_companion **ret)
{
	CLEANUP(mem_free_text) char *path = mem_printf("%s.dwp", f->obj->path);
	CLEANUP(close_it) struct dw_companion *sup = NULL;

	TRY(open_at(f, path, &sup));
	if (sup) {
		TRY(err_at(apply_index(&sup->file, ".debug_cu_index"), "'%s'", path));
		TRY(err_at(apply_index(&sup->file, ".debug_tu_index"), "'%s'", path));
		add_ids(&sup->file);
	}
	*ret = sup;
	sup = NULL;
	return NULL;
}

/* The folder that @path is in, with the slash. */
static int folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

struct err *split_file_open(const struct dw_file *f, const char *folder, const char *name,
			    struct dw_companion **ret)
{
	const char *main = f->obj->path, *base = name + folder_len(name);

	if (name[0] == '/' || !folder[0]) {
		TRY(open_at(f, name, ret));
	} else {
		CLEANUP(mem_free_text) char *path = mem_printf("%s/%s", folder, name);

		TRY(open_at(f, path, ret));
	}
	if (!*ret && name[0] != '/') {
		CLEANUP(mem_free_text) char *path = mem_printf("%.*s%s", folder_len(main), main,
							       name);

		TRY(open_at(f, path, ret));
	}
	if (!*ret) {
		CLEANUP(mem_free_text) char *path = mem_printf("%.*s%s", folder_len(main), main,
							       base);

		TRY(open_at(f, path, ret));
	}
	return NULL;
}
