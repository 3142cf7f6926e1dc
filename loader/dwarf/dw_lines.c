/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_lines.c - see dw_lines.h
 *
 * The header of a line table lists folders and files: up to DWARF 4 as strings, which begin with number 1, and from
 * DWARF 5 on by forms, which begin with number 0. Folder 0 is the one in which the unit was compiled.
 *
 * A table keeps the position of each entry, which is decoded when it is looked up: an entry may have a single byte, so
 * that names and numbers would need many times as much memory as the section.
 */
#include "loader/dwarf/dw_lines.h"

#include "loader/dwarf/dw_const.h"
#include "loader/dwarf/dw_form.h"

#include <limits.h>
#include <stdlib.h>

/* The limit for the bytes of an entry that is looked up: some names, and numbers. */
enum { ENTRY_MAX = 4 * PATH_MAX };

/* The number of formats of an entry is a byte. */
enum { FORMATS_MAX = UINT8_MAX };

/* Folders or files. */
struct line_list {
	size_t first, nr; /* in dw_lines.entries */
	uint32_t formats; /* the position of the formats of DWARF 5, from the start of the table */
};

/* A malformed table has no files. */
struct dw_line_table {
	uint64_t start; /* in the section */
	struct dw_encoding enc;
	struct line_list folders, files;
};

void dw_lines_init(struct dw_lines *l, const struct object *obj, struct bytes section)
{
	*l = (struct dw_lines){ .obj = obj, .section = section, .left = section.len };
}

void dw_lines_release(struct dw_lines *l)
{
	free(l->tables.items);
	free(l->entries.items);
	hash_table_release(&l->by_offset);
	*l = (struct dw_lines){ 0 };
}

/* --- entries --------------------------------------------------------------------------- */

/* A folder or file. */
struct entry {
	const char *path; /* NULL: it has none, or too long a one */
	uint64_t folder;
};

/* The formats of a list of DWARF 5. */
struct formats {
	struct {
		uint64_t content, form;
	} items[FORMATS_MAX];
	size_t nr;
};

static void read_formats(struct dw_cursor *c, struct formats *ret)
{
	ret->nr = dw_cursor_uint(c, 1);
	for (size_t i = 0; i < ret->nr; i++) {
		ret->items[i].content = dw_cursor_uleb(c);
		ret->items[i].form = dw_cursor_uleb(c);
	}
}

/* No compiler can open a file with a longer path. */
static const char *path_of(const char *s)
{
	return strnlen(s, PATH_MAX + 1) > PATH_MAX ? NULL : s;
}

/* The string of a value; NULL for none. */
static const char *text_of(const struct object *obj, const struct dw_value *v)
{
	enum debug_section which = v->form == DW_FORM_line_strp ? DEBUG_LINE_STR : DEBUG_STR;
	struct bytes strings = obj->debug[which];

	if (v->form == DW_FORM_string)
		return path_of((const char *)v->block.ptr);
	if ((v->form != DW_FORM_line_strp && v->form != DW_FORM_strp) || v->number >= strings.len)
		return NULL;
	return path_of((const char *)strings.ptr + v->number);
}

/* Read an entry of DWARF 5. If @ret is NULL, skip it. */
static bool read_entry_5(const struct object *obj, struct dw_cursor *c, const struct formats *f,
			 struct dw_encoding enc, struct entry *ret)
{
	for (size_t i = 0; i < f->nr; i++) {
		const uint8_t *start = c->p;
		struct dw_value v = { 0 };

		/* values without bytes could make few bytes any number of entries */
		if (!dw_value_read(c, f->items[i].form, enc, &v) || c->p == start)
			return false;
		if (ret && f->items[i].content == DW_LNCT_path)
			ret->path = text_of(obj, &v);
		else if (ret && f->items[i].content == DW_LNCT_directory_index)
			ret->folder = v.number;
	}
	return f->nr;
}

/* Read a file of DWARF 2 to 4. The name is empty at the end of the list. */
static bool read_file_4(struct dw_cursor *c, struct entry *ret)
{
	struct bytes name = dw_cursor_string(c);

	if (c->failed || !name.len)
		return false;
	ret->path = path_of((const char *)name.ptr);
	ret->folder = dw_cursor_uleb(c);
	dw_cursor_uleb(c); /* time */
	dw_cursor_uleb(c); /* size */
	return !c->failed;
}

/* --- reading the header of a table ----------------------------------------------------- */

/* Read up to the list of folders. */
static bool open_table(struct dw_cursor *c, struct dw_line_table *t, uint8_t addr_size)
{
	uint64_t len = dw_cursor_uint(c, 4), version, opcodes;

	t->enc = (struct dw_encoding){ .addr_size = addr_size, .off_size = 4 };
	if (len == 0xffffffff) {
		t->enc.off_size = 8;
		len = dw_cursor_uint(c, 8);
	}
	if (len > (uint64_t)(c->end - c->p))
		return false;
	c->end = c->p + len;
	version = dw_cursor_uint(c, 2);
	if (version < 2 || version > 5)
		return false;
	t->enc.version = (uint8_t)version;
	if (version == 5)
		dw_cursor_bytes(c, 2); /* sizes of addresses and segments */
	dw_cursor_bytes(c, t->enc.off_size);
	/* sizes of instructions, a default, and the range of special opcodes */
	dw_cursor_bytes(c, version < 4 ? 4 : 5);
	opcodes = dw_cursor_uint(c, 1);
	dw_cursor_bytes(c, opcodes ? opcodes - 1 : 0);
	return !c->failed;
}

static void add_entry(struct dw_lines *l, struct line_list *list, const uint8_t *table,
		      const uint8_t *at)
{
	vec_push(&l->entries, (uint32_t)(at - table));
	list->nr++;
}

static bool read_list_5(struct dw_lines *l, struct dw_cursor *c, const struct dw_line_table *t,
			const uint8_t *table, struct line_list *ret)
{
	struct formats f;
	uint64_t nr;

	*ret = (struct line_list){ l->entries.nr, 0, (uint32_t)(c->p - table) };
	read_formats(c, &f);
	nr = dw_cursor_uleb(c);
	for (uint64_t i = 0; i < nr; i++) {
		const uint8_t *at = c->p;

		if (!read_entry_5(l->obj, c, &f, t->enc, NULL))
			return false;
		add_entry(l, ret, table, at);
	}
	return !c->failed;
}

static bool read_lists_4(struct dw_lines *l, struct dw_cursor *c, const uint8_t *table,
			 struct dw_line_table *ret)
{
	const uint8_t *at = c->p;
	struct entry file;

	ret->folders.first = l->entries.nr;
	for (; dw_cursor_string(c).len && !c->failed; at = c->p)
		add_entry(l, &ret->folders, table, at);
	ret->files.first = l->entries.nr;
	for (at = c->p; !c->failed && read_file_4(c, &file); at = c->p)
		add_entry(l, &ret->files, table, at);
	return !c->failed;
}

/* Read the table at @off into *ret, whose start is set. */
static bool read_table(struct dw_lines *l, struct dw_cursor *c, struct dw_line_table *ret)
{
	const uint8_t *table = c->p;

	if (!open_table(c, ret, l->obj->addr_size))
		return false;
	return ret->enc.version < 5 ? read_lists_4(l, c, table, ret) :
				      read_list_5(l, c, ret, table, &ret->folders) &&
					      read_list_5(l, c, ret, table, &ret->files);
}

/* The table at @off, which is in the section. */
static const struct dw_line_table *table_at(struct dw_lines *l, uint64_t off)
{
	uint64_t hash = hash_word(off);
	uint32_t found = HASH_FIND(&l->by_offset, hash, i, l->tables.items[i - 1].start == off);
	struct dw_line_table t = { .start = off };
	struct dw_cursor c = dw_cursor_at(l->section, off, l->obj->swap);
	const uint8_t *start = c.p;
	size_t nr = l->entries.nr;

	if (found)
		return &l->tables.items[found - 1];
	if ((uint64_t)(c.end - c.p) > l->left)
		c.end = c.p + l->left;
	/* positions have 32 bits */
	if ((uint64_t)(c.end - c.p) > UINT32_MAX)
		c.end = c.p + UINT32_MAX;
	if (!read_table(l, &c, &t)) {
		t = (struct dw_line_table){ .start = off };
		l->entries.nr = nr;
	}
	/* a string without an end was searched to the end */
	l->left -= (uint64_t)((c.failed ? c.end : c.p) - start);
	vec_push(&l->tables, t);
	hash_table_add(&l->by_offset, hash, (uint32_t)l->tables.nr);
	return &l->tables.items[l->tables.nr - 1];
}

/* --- looking up ------------------------------------------------------------------------ */

/* A cursor at @pos of the table @t. The table was read up to the end of all entries, so the section has them. */
static struct dw_cursor cursor_at(const struct dw_lines *l, const struct dw_line_table *t,
				  uint32_t pos)
{
	struct dw_cursor c = dw_cursor_at(l->section, t->start + pos, l->obj->swap);

	if (c.end - c.p > ENTRY_MAX)
		c.end = c.p + ENTRY_MAX;
	return c;
}

/* Entry @i, from 0 on, of @list. */
static struct entry entry_of(const struct dw_lines *l, const struct dw_line_table *t,
			     const struct line_list *list, uint64_t i)
{
	struct entry ret = { 0 };
	struct dw_cursor c;
	struct formats f;
	bool ok;

	if (i >= list->nr)
		return ret;
	c = cursor_at(l, t, l->entries.items[list->first + i]);
	if (t->enc.version == 5) {
		struct dw_cursor formats = cursor_at(l, t, list->formats);

		read_formats(&formats, &f);
		ok = !formats.failed && read_entry_5(l->obj, &c, &f, t->enc, &ret);
	} else if (list == &t->files) {
		ok = read_file_4(&c, &ret);
	} else {
		struct bytes name = dw_cursor_string(&c);

		ok = !c.failed;
		ret.path = ok ? path_of((const char *)name.ptr) : NULL;
	}
	return ok ? ret : (struct entry){ 0 };
}

char *dw_lines_file(struct dw_lines *l, uint64_t off, uint64_t number, const char *folder)
{
	const struct dw_line_table *t = off < l->section.len ? table_at(l, off) : NULL;
	struct entry file;
	uint64_t first;

	if (!t)
		return NULL;
	/* the number of the first entry; below 0 there is none */
	first = t->enc.version < 5;
	file = entry_of(l, t, &t->files, number - first);
	if (!file.path || file.path[0] == '/')
		return file.path ? mem_strdup(file.path) : NULL;
	if (!first || file.folder)
		folder = entry_of(l, t, &t->folders, file.folder - first).path;
	else
		folder = folder ? path_of(folder) : NULL;
	return folder ? mem_printf("%s/%s", folder, file.path) : mem_strdup(file.path);
}
