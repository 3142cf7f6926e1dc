/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * object.c - choose, inflate and relocate the debug sections of an image
 *
 * A section is used as it lies in the mapped file where possible, for the debug
 * information of a kernel is larger than everything that is read from it, and pages of the file
 * can be given back. Only what is compressed or wants relocations is copied.
 */
#include "loader/elf/object.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "base/vec.h"
#include "loader/elf/debug_file.h"
#include "loader/elf/image.h"
#include "loader/elf/inflate.h"
#include "loader/elf/reloc.h"
#include "loader/elf/type_sections.h"

#include <stdlib.h>
#include <unistd.h>

/* Behind ".debug_", ".zdebug_" and their relatives. */
static const char *const stems[NR_DEBUG_SECTIONS] = {
	[DEBUG_INFO] = "info",
	[DEBUG_ABBREV] = "abbrev",
	[DEBUG_STR] = "str",
	[DEBUG_LINE_STR] = "line_str",
	[DEBUG_STR_OFFSETS] = "str_offsets",
	[DEBUG_ADDR] = "addr",
	[DEBUG_LOC] = "loc",
	[DEBUG_LOCLISTS] = "loclists",
	[DEBUG_RANGES] = "ranges",
	[DEBUG_RNGLISTS] = "rnglists",
	[DEBUG_TYPES] = "types",
};

/*
 * A file may hold debug information of several sorts: its own, that of split DWARF
 * (a .dwo file has no other) and that of the unfinished code which gcc keeps for link
 * time optimization. The first sort that is there counts alone.
 */
struct sort {
	const char *prefix, *suffix;
};

enum { SORT_SPLIT = 1 };

static const struct sort sorts[] = {
	{ ".debug_", "" },
	[SORT_SPLIT] = { ".debug_", ".dwo" },
	{ ".gnu.debuglto_.debug_", "" },
};

/* Which sections of the file are the debug sections; 0 for none. */
struct choice {
	size_t index[NR_DEBUG_SECTIONS];
};

/* The enum debug_section that @name is in @sort, or NR_DEBUG_SECTIONS. */
static size_t debug_section(const char *name, const struct sort *sort)
{
	if (starts_with(name, sort->prefix))
		name += strlen(sort->prefix);
	else if (starts_with(name, ".z") && starts_with(name + 2, sort->prefix + 1))
		name += strlen(sort->prefix) + 1;
	else
		return NR_DEBUG_SECTIONS;

	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++) {
		size_t len = strlen(stems[i]);

		if (strncmp(name, stems[i], len) == 0 && strcmp(name + len, sort->suffix) == 0)
			return i;
	}
	return NR_DEBUG_SECTIONS;
}

/*
 * The first of several counts, as for libdw. Members of section groups are macros, and
 * type units, which join_types() takes.
 */
static struct choice choose_sections(const struct object *o, const struct sort *sort)
{
	struct choice c = { 0 };

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->name[0] != '.' || !s->data.len || (s->flags & SHF_GROUP))
			continue;
		size_t which = debug_section(s->name, sort);
		if (which < NR_DEBUG_SECTIONS && !c.index[which])
			c.index[which] = i;
	}
	return c;
}

static bool chosen(const struct choice *c, size_t section)
{
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
		if (c->index[i] == section)
			return true;
	return false;
}

static bool is_relocs(const struct object_section *s)
{
	return (s->type == SHT_REL || s->type == SHT_RELA) && s->data.len;
}

static bool has_relocs(const struct object *o, size_t section)
{
	if (!o->is_rel)
		return false; /* --emit-relocs: what a linker has already applied */
	for (size_t i = 1; i < o->nr_sections; i++)
		if (is_relocs(&o->sections[i]) && o->sections[i].info == section)
			return true;
	return false;
}

/* "--crel" of LLVM packs relocations. */
static struct err *packed_relocs(const struct object *o, size_t index)
{
	return err_new(ERR_UNSUPPORTED, "section %zu ('%s'): relocations of type SHT_CREL", index,
		       o->sections[index].name);
}

/* Without them each unit would begin with the types of the first one. */
static struct err *refuse_packed_relocs(const struct object *o, const struct sort *sort)
{
	for (size_t i = 1; o->is_rel && i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->type == SECTION_CREL && s->data.len && s->info && s->info < o->nr_sections &&
		    debug_section(o->sections[s->info].name, sort) < NR_DEBUG_SECTIONS)
			return packed_relocs(o, i);
	}
	return NULL;
}

static bool is_strings(size_t which)
{
	return which == DEBUG_STR || which == DEBUG_LINE_STR;
}

/* May @data be used where it lies? */
static bool fits_in_place(const struct object *o, size_t which, struct bytes data)
{
	size_t end = (size_t)(data.ptr - o->impl->map) + data.len;

	if (is_strings(which) && data.ptr[data.len - 1] != '\0')
		return false;
	return end + OBJECT_PADDING <= o->impl->readable;
}

/* Below this it costs more than it brings. */
enum { WORTH_GIVING_BACK = 256 * 1024 };

/* @b of the file has been read for good. */
static void done_with(struct bytes b)
{
	if (b.len >= WORTH_GIVING_BACK)
		pages_give_back(b.ptr, b.len);
}

/* Take section @index of @o as debug section @which; @writable for relocations. */
static struct err *load_section(struct object *o, size_t which, size_t index, bool writable)
{
	const struct object_section *s = &o->sections[index];
	struct bytes data;

	TRY(inflate_section(o, s, &data, &o->impl->copies[which]));
	if (!o->impl->copies[which] && (writable || !fits_in_place(o, which, data))) {
		uint8_t *copy = mem_alloc(data.len + OBJECT_PADDING);

		memcpy(copy, data.ptr, data.len);
		memset(copy + data.len, 0, OBJECT_PADDING);
		done_with(data);
		o->impl->copies[which] = copy;
		data.ptr = copy;
	}
	o->debug[which] = data;
	return NULL;
}

/*
 * May the section of units be relocated part by part? Then it need not be copied as a whole.
 * Fills info_relocs of @o if so.
 */
static struct err *relocate_in_parts(struct object *o, size_t index)
{
	const struct object_section *s = &o->sections[index];
	size_t relocs = 0;

	for (size_t i = 1; i < o->nr_sections; i++) {
		if (!is_relocs(&o->sections[i]) || o->sections[i].info != index)
			continue;
		if (relocs)
			return NULL; /* one after the other changes the same bytes */
		relocs = i;
	}
	if (!relocs || inflate_needed(s))
		return NULL;
	TRY(reloc_table_open(o, relocs, &o->impl->info_relocs));
	done_with(o->sections[relocs].data);
	return NULL;
}

static void release_symbols(struct reloc_symbols *syms)
{
	reloc_symbols_release(syms);
}

static struct err *relocate(struct object *o, const struct choice *c)
{
	CLEANUP(release_symbols) struct reloc_symbols syms = { 0 };

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (!is_relocs(s) || s->info == 0 || !chosen(c, s->info))
			continue;
		if (s->info == c->index[DEBUG_INFO] && o->impl->info_relocs.in_order)
			continue; /* object_info() does it */
		for (size_t k = 0; k < NR_DEBUG_SECTIONS; k++)
			if (c->index[k] == s->info)
				TRY(reloc_apply(o, i, &syms, o->impl->copies[k], o->debug[k].len));
		done_with(s->data);
	}
	return NULL;
}

struct indexes {
	size_t *items;
	size_t nr, cap;
};

/* Make the sections @x one, debug section @which. */
static struct err *join(struct object *o, const struct indexes *x, enum debug_section which,
			struct choice *c)
{
	c->index[which] = 0;
	TRY(type_sections_join(o, x->items, x->nr, &o->impl->copies[which], &o->debug[which].len));
	o->debug[which].ptr = o->impl->copies[which];
	return NULL;
}

/*
 * In what is not linked yet each type unit has a section and a group of its own, called .debug_types
 * or, from DWARF 5 on, .debug_info. They become one debug section, with what @c has of it.
 */
static struct err *join_types(struct object *o, const struct sort *sort, struct choice *c)
{
	CLEANUP(vec_release) struct indexes x = { 0 };

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->name[0] != '.' || !s->data.len || !(s->flags & SHF_GROUP) || is_relocs(s))
			continue;
		size_t which = debug_section(s->name, sort);
		if (which == DEBUG_INFO || which == DEBUG_TYPES)
			vec_push(&x, i);
	}
	if (!x.nr)
		return NULL;
	if (c->index[DEBUG_TYPES])
		vec_push(&x, c->index[DEBUG_TYPES]);
	return join(o, &x, DEBUG_TYPES, c);
}

/* For a .dwo file, which has no groups, so @which occurs many times. */
static struct err *join_split(struct object *o, enum debug_section which, struct choice *c)
{
	CLEANUP(vec_release) struct indexes x = { 0 };

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->name[0] == '.' && s->data.len && !is_relocs(s) &&
		    debug_section(s->name, &sorts[SORT_SPLIT]) == which)
			vec_push(&x, i);
	}
	return x.nr > 1 ? join(o, &x, which, c) : NULL;
}

/* Of the first of @sorts that is there. */
static struct err *load_debug(struct object *o, const struct sort *sort, size_t nr_sorts)
{
	struct choice c = choose_sections(o, sort);

	for (size_t i = 1; i < nr_sorts && !c.index[DEBUG_INFO]; i++)
		c = choose_sections(o, ++sort);
	/* without units and strings the others mean nothing */
	if (!c.index[DEBUG_INFO] && !c.index[DEBUG_STR])
		return NULL;
	TRY(refuse_packed_relocs(o, sort));
	o->is_split = sort == &sorts[SORT_SPLIT];
	if (o->is_split) {
		TRY(join_split(o, DEBUG_INFO, &c));
		TRY(join_split(o, DEBUG_TYPES, &c));
	} else if (o->is_rel) {
		TRY(join_types(o, sort, &c));
		TRY(relocate_in_parts(o, c.index[DEBUG_INFO]));
	}
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++) {
		bool copy = has_relocs(o, c.index[i]);

		if (i == DEBUG_INFO && o->impl->info_relocs.in_order)
			copy = false;
		if (c.index[i])
			TRY(load_section(o, i, c.index[i], copy));
	}
	memcpy(o->impl->debug_index, c.index, sizeof(c.index));
	return o->is_rel ? relocate(o, &c) : NULL;
}

/* The file that the debug sections of @o come from; NULL for those of a test. */
static const struct object *debug_object(const struct object *o)
{
	return o->impl && o->impl->debug_file ? o->impl->debug_file : o;
}

bool object_info_is_copied(const struct object *o)
{
	const struct object *from = debug_object(o);

	return from->impl && from->impl->info_relocs.in_order;
}

struct err *object_info(const struct object *o, size_t start, size_t end, struct object_room *room,
			struct bytes *ret)
{
	const struct object *from = debug_object(o);
	struct bytes part = { o->debug[DEBUG_INFO].ptr + start, end - start };

	if (!object_info_is_copied(o)) {
		*ret = part;
		return NULL;
	}
	if (room->cap < part.len + OBJECT_PADDING) {
		size_t cap = part.len + part.len / 2 + OBJECT_PADDING;

		free(room->items);
		*room = (struct object_room){ mem_alloc(cap), cap };
	}
	memcpy(room->items, part.ptr, part.len);
	memset(room->items + part.len, 0, OBJECT_PADDING);
	*ret = (struct bytes){ room->items, part.len };
	TRY(reloc_table_apply(&from->impl->info_relocs, from, start, room->items, part.len));
	if (part.len >= WORTH_GIVING_BACK)
		object_forget_info(o, start, end);
	return NULL;
}

void object_room_release(struct object_room *room)
{
	free(room->items);
	*room = (struct object_room){ 0 };
}

void object_find_debug_file(struct object *o)
{
	o->impl->debug_file = debug_file_find(o);
}

const struct object *object_debug_file(const struct object *o)
{
	return o->impl->debug_file;
}

size_t object_debug_index(const struct object *o, enum debug_section which)
{
	return o->impl ? o->impl->debug_index[which] : 0;
}

static struct err *read_section(const struct object *o, size_t index, struct bytes *ret,
				uint8_t **own)
{
	CLEANUP(release_symbols) struct reloc_symbols syms = { 0 };

	TRY(inflate_section(o, &o->sections[index], ret, own));
	for (size_t i = 1; o->is_rel && i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->info != index || !s->data.len)
			continue;
		if (s->type == SECTION_CREL)
			return packed_relocs(o, i);
		if (!is_relocs(s))
			continue;
		if (!*own) {
			*own = mem_dup(ret->ptr, ret->len);
			done_with(*ret);
			ret->ptr = *own;
		}
		TRY(reloc_apply(o, i, &syms, *own, ret->len));
	}
	return NULL;
}

struct err *object_read_section(const struct object *o, size_t index, struct bytes *ret,
				uint8_t **ret_own)
{
	CLEANUP(mem_free) uint8_t *own = NULL;

	TRY(err_at(read_section(o, index, ret, &own), "'%s'", o->path));
	*ret_own = TAKE(own);
	return NULL;
}

const char *object_refused_debug_file(const struct object *o)
{
	return o->impl->debug_file ? NULL : o->impl->refused_debug;
}

/* From another file if it has none itself. */
struct err *object_load_debug(struct object *o)
{
	TRY(err_at(load_debug(o, sorts, ARRAY_SIZE(sorts)), "'%s'", o->path));
	if (o->debug[DEBUG_INFO].len)
		return NULL;

	object_find_debug_file(o);
	struct object *other = o->impl->debug_file;
	if (!other)
		return NULL;
	TRY(err_at(load_debug(other, sorts, ARRAY_SIZE(sorts)), "'%s'", other->path));
	memcpy(o->debug, other->debug, sizeof(o->debug));
	o->is_split = other->is_split;
	return NULL;
}

struct err *object_load_supplement(struct object *o)
{
	return err_at(load_debug(o, sorts, 1), "'%s'", o->path);
}

struct err *object_open(const char *path, struct object *ret)
{
	CLEANUP(object_close) struct object o = { 0 };

	TRY(object_open_bare(path, &o));
	TRY(object_load_debug(&o));
	*ret = TAKE(o);
	return NULL;
}

struct err *object_open_split(const char *path, struct object *ret)
{
	CLEANUP(object_close) struct object o = { 0 };

	TRY(object_open_bare(path, &o));
	TRY(err_at(load_debug(&o, &sorts[SORT_SPLIT], 1), "'%s'", path));
	*ret = TAKE(o);
	return NULL;
}

void object_close(struct object *o)
{
	if (o->impl && o->impl->debug_file) {
		image_close(o->impl->debug_file);
		free(o->impl->debug_file);
	}
	image_close(o);
}

static void forget_bytes(const struct object_impl *impl, struct bytes b)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t start = (size_t)(b.ptr - impl->map), end = (start + b.len) / page * page;

	start = start > PAGES_AROUND ? start - PAGES_AROUND : 0;
	if (start < end)
		pages_give_back(impl->map + start, end - start);
}

static void forget(const struct object *o, enum debug_section which, size_t start, size_t end)
{
	const struct object_impl *impl = debug_object(o)->impl;
	struct bytes b = o->debug[which];

	if (end > b.len)
		end = b.len;
	if (start < end && !impl->copies[which])
		forget_bytes(impl, (struct bytes){ b.ptr + start, end - start });
}

void object_forget_info(const struct object *o, size_t start, size_t end)
{
	const struct object *from = debug_object(o);
	const struct reloc_table *relocs = &from->impl->info_relocs;
	size_t len = o->debug[DEBUG_INFO].len;

	forget(o, DEBUG_INFO, start, end);
	if (end > len)
		end = len;
	if (relocs->in_order && start < end)
		forget_bytes(from->impl, reloc_table_part(relocs, from, start, end - start));
}

void object_forget_section(const struct object *o, const struct object_section *section)
{
	if (o->impl && section->data.len)
		forget_bytes(o->impl, section->data);
}

enum { MANY_STRINGS = 4 * 1024 * 1024 };

bool object_strings_pass(const struct object *o)
{
	/* "ld -r" merges none */
	return o->is_rel && o->debug[DEBUG_STR].len > MANY_STRINGS;
}

void object_forget_lookups(const struct object *o)
{
	static const enum debug_section which[] = { DEBUG_ABBREV,  DEBUG_STR_OFFSETS, DEBUG_ADDR,
						    DEBUG_LOC,     DEBUG_LOCLISTS,    DEBUG_RANGES,
						    DEBUG_RNGLISTS };

	for (size_t i = 0; i < ARRAY_SIZE(which); i++)
		forget(o, which[i], 0, SIZE_MAX);
	if (object_strings_pass(o))
		forget(o, DEBUG_STR, 0, SIZE_MAX);
}
