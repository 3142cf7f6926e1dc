/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_lines.c - see dw_lines.h
 *
 * The header of a line table lists folders and files: up to DWARF 4 as strings, which begin with number 1, and from
 * DWARF 5 on by forms, which begin with number 0. Folder 0 is the one in which the unit was compiled.
 */
#include "loader/dwarf/dw_lines.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/dwarf/dw_const.h"
#include "loader/dwarf/dw_form.h"

/* The header of a line table. */
struct lines {
	const struct object *obj;
	struct dw_cursor c;
	struct dw_encoding enc;
	VEC(const char *) folders;
};

static void lines_release(struct lines *l)
{
	free(l->folders.items);
}

/* Read up to the list of folders. */
static bool open_lines(struct lines *l)
{
	uint64_t len = dw_cursor_uint(&l->c, 4), version, opcodes;

	l->enc.off_size = 4;
	if (len == 0xffffffff) {
		l->enc.off_size = 8;
		len = dw_cursor_uint(&l->c, 8);
	}
	if (!dw_cursor_has(&l->c, len))
		return false;
	l->c.end = l->c.p + len;
	version = dw_cursor_uint(&l->c, 2);
	l->enc.addr_size = l->obj->addr_size;
	l->enc.version = (uint8_t)version;
	if (version < 2 || version > 5)
		return false;
	if (l->enc.version == 5)
		dw_cursor_bytes(&l->c, 2); /* sizes of addresses and segments */
	dw_cursor_bytes(&l->c, l->enc.off_size);
	/* sizes of instructions, a default, and the range of special opcodes */
	dw_cursor_bytes(&l->c, l->enc.version < 4 ? 4 : 5);
	opcodes = dw_cursor_uint(&l->c, 1);
	dw_cursor_bytes(&l->c, opcodes ? opcodes - 1 : 0);
	return !l->c.failed;
}

static const char *folder_at(const struct lines *l, uint64_t number)
{
	return number < l->folders.nr ? l->folders.items[number] : NULL;
}

/* The string of a value; NULL for none. */
static const char *text_of(const struct lines *l, const struct dw_value *v)
{
	enum debug_section which = v->form == DW_FORM_line_strp ? DEBUG_LINE_STR : DEBUG_STR;
	struct bytes strings = l->obj->debug[which];

	if (v->form == DW_FORM_string)
		return (const char *)v->block.ptr;
	if ((v->form != DW_FORM_line_strp && v->form != DW_FORM_strp) || v->number >= strings.len)
		return NULL;
	return (const char *)strings.ptr + v->number;
}

/* A folder or file. */
struct entry {
	const char *path;
	uint64_t folder;
};

/* The formats of a list of DWARF 5. */
struct format {
	uint64_t content, form;
};

struct formats {
	struct format *items;
	size_t nr, cap;
};

static void read_formats(struct lines *l, struct formats *f)
{
	uint64_t nr = dw_cursor_uint(&l->c, 1);

	f->nr = 0;
	for (uint64_t i = 0; i < nr && !l->c.failed; i++) {
		uint64_t content = dw_cursor_uleb(&l->c), form = dw_cursor_uleb(&l->c);

		vec_push(f, ((struct format){ content, form }));
	}
}

/* The next entry of a list of DWARF 5; false if there is none. */
static bool read_entry(struct lines *l, const struct formats *f, struct entry *ret)
{
	const uint8_t *start = l->c.p;

	*ret = (struct entry){ 0 };
	for (size_t i = 0; i < f->nr; i++) {
		struct dw_value v = { 0 };

		if (!dw_value_read(&l->c, f->items[i].form, l->enc, &v))
			return false;
		if (f->items[i].content == DW_LNCT_path)
			ret->path = text_of(l, &v);
		else if (f->items[i].content == DW_LNCT_directory_index)
			ret->folder = v.number;
	}
	/* an entry without bytes could occur any number of times */
	return !l->c.failed && l->c.p > start;
}

/* File @number from DWARF 5 on. */
static bool find_in_5(struct lines *l, uint64_t number, struct entry *ret)
{
	CLEANUP(vec_release) struct formats f = { 0 };
	uint64_t nr;

	read_formats(l, &f);
	nr = dw_cursor_uleb(&l->c);
	for (uint64_t i = 0; i < nr; i++) {
		if (!read_entry(l, &f, ret))
			return false;
		vec_push(&l->folders, ret->path);
	}
	read_formats(l, &f);
	nr = dw_cursor_uleb(&l->c);
	for (uint64_t i = 0; i < nr && i <= number; i++) {
		if (!read_entry(l, &f, ret))
			return false;
	}
	return number < nr;
}

/* The next string of a list that an empty one ends; NULL at the end. */
static const char *next_string(struct lines *l)
{
	struct bytes s = dw_cursor_string(&l->c);

	return l->c.failed || !s.len ? NULL : (const char *)s.ptr;
}

/* File @number up to DWARF 4. */
static bool find_in_4(struct lines *l, uint64_t number, const char *folder, struct entry *ret)
{
	const char *s;

	vec_push(&l->folders, folder);
	while ((s = next_string(l)))
		vec_push(&l->folders, s);
	for (uint64_t i = 1; (ret->path = next_string(l)); i++) {
		ret->folder = dw_cursor_uleb(&l->c);
		dw_cursor_uleb(&l->c); /* time */
		dw_cursor_uleb(&l->c); /* size */
		if (i == number)
			return !l->c.failed;
	}
	return false;
}

char *dw_line_file(const struct object *obj, struct bytes section, uint64_t off, uint64_t number,
		   const char *folder)
{
	CLEANUP(lines_release)
	struct lines l = { .obj = obj, .c = dw_cursor_at(section, off, obj->swap) };
	struct entry file = { 0 };
	const char *in;

	if (!open_lines(&l) ||
	    !(l.enc.version < 5 ? find_in_4(&l, number, folder, &file) :
				  find_in_5(&l, number, &file)) ||
	    !file.path)
		return NULL;
	in = folder_at(&l, file.folder);
	return file.path[0] == '/' || !in ? mem_strdup(file.path) :
					    mem_printf("%s/%s", in, file.path);
}
