/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_file.c - see dw_file.h */
#include "loader/dw_file.h"

#include "base/cleanup.h"
#include "loader/dw_abbrev.h"

#include <elf.h>
#include <stdlib.h>

/*
 * Read the header at @start of .debug_info. Of what stands in it only @abbrev is ever relocated: it
 * is at *abbrev_at from there on.
 */
static struct err *read_header(const struct object *obj, uint64_t start, struct dw_unit *u,
			       size_t *abbrev_at)
{
	struct bytes info = obj->debug[DEBUG_INFO];
	struct dw_cursor c = dw_cursor_at(info, start, obj->swap);
	uint64_t len = dw_cursor_uint(&c, 4);

	*u = (struct dw_unit){ .start = start, .type = DW_UT_compile, .enc.off_size = 4 };
	if (len == 0xffffffff) {
		len = dw_cursor_uint(&c, 8);
		u->enc.off_size = 8;
	} else if (len >= 0xfffffff0) {
		return err_new(ERR_FORMAT, "unit length %#llx is a reserved value",
			       (unsigned long long)len);
	}
	uint64_t pos = (uint64_t)(c.p - info.ptr);
	if (c.failed || !bytes_have(info, pos, len))
		return err_new(ERR_FORMAT,
			       "the unit's length %#llx leaves the section of %#zx bytes",
			       (unsigned long long)len, info.len);
	u->end = pos + len;

	unsigned int version = (unsigned int)dw_cursor_uint(&c, 2);
	if (!c.failed && (version < 2 || version > 5))
		return err_new(ERR_UNSUPPORTED, "DWARF version %u; 2 to 5 are known", version);
	u->enc.version = (uint8_t)version;
	if (version >= 5) {
		u->type = (uint8_t)dw_cursor_uint(&c, 1);
		u->enc.addr_size = (uint8_t)dw_cursor_uint(&c, 1);
		*abbrev_at = (size_t)((uint64_t)(c.p - info.ptr) - start);
		u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
		if (u->type == DW_UT_type || u->type == DW_UT_split_type)
			dw_cursor_uint(&c, 8), dw_cursor_uint(&c, u->enc.off_size);
		else if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
			dw_cursor_uint(&c, 8);
	} else {
		*abbrev_at = (size_t)((uint64_t)(c.p - info.ptr) - start);
		u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
		u->enc.addr_size = (uint8_t)dw_cursor_uint(&c, 1);
	}
	u->die = (uint64_t)(c.p - info.ptr);
	if (c.failed || u->die > u->end)
		return err_new(ERR_FORMAT, "the unit's header does not fit into its length");
	if (u->enc.addr_size != 4 && u->enc.addr_size != 8)
		return err_new(ERR_UNSUPPORTED, "addresses of %u bytes; 4 and 8 are known",
			       u->enc.addr_size);
	return NULL;
}

/* The same, relocated. */
static struct err *read_unit(const struct object *obj, uint64_t start, struct object_room *room,
			     struct dw_unit *u)
{
	struct bytes header;
	size_t abbrev_at;

	TRY(read_header(obj, start, u, &abbrev_at));
	TRY(object_info(obj, (size_t)start, (size_t)u->die, room, &header));

	struct dw_cursor c = dw_cursor_at(header, abbrev_at, obj->swap);
	u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
	return NULL;
}

/* Between two returns of pages: rare enough to cost nothing, small enough not to add up. */
enum { STRIDE = 4 * 1024 * 1024 };

static struct err *read_headers(struct dw_file *f)
{
	CLEANUP(object_room_release) struct object_room room = { 0 };
	size_t len = f->obj->debug[DEBUG_INFO].len;
	uint64_t forgotten = 0;

	for (uint64_t pos = 0; pos < len;) {
		struct dw_unit u;

		/* a fault brings in the pages around it, too, and nobody wants them yet */
		if (pos - forgotten > STRIDE) {
			object_forget_info(f->obj, forgotten, pos);
			forgotten = pos;
		}

		TRY(err_at(read_unit(f->obj, pos, &room, &u), ".debug_info+%#llx",
			   (unsigned long long)pos));
		vec_push(&f->units, u);
		pos = u.end;
	}
	if (forgotten)
		object_forget_info(f->obj, forgotten, len);
	return NULL;
}

/* The first note of type 0x101 by "Linux" says whether the kernel was linked with LTO. */
static bool find_lto_note(const struct object *obj, bool *ret)
{
	enum { LINUX_ELFNOTE_LTO_INFO = 0x101 };

	for (size_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if (s->type != SHT_NOTE)
			continue;

		uint64_t align = s->align == 8 ? 8 : 4;
		struct dw_cursor c = dw_cursor_at(s->data, 0, obj->swap);
		while (c.p < c.end && !c.failed) {
			uint64_t namesz = dw_cursor_uint(&c, 4), descsz = dw_cursor_uint(&c, 4);
			uint64_t type = dw_cursor_uint(&c, 4);
			struct bytes name = dw_cursor_bytes(&c, namesz);
			dw_cursor_bytes(&c, -namesz & (align - 1));
			struct bytes desc = dw_cursor_bytes(&c, descsz);
			if (c.failed)
				break;
			dw_cursor_bytes(&c, -descsz & (align - 1));
			if (type == LINUX_ELFNOTE_LTO_INFO && name.len == 6 &&
			    !memcmp(name.ptr, "Linux", 6) && desc.len >= 4) {
				*ret = load32(desc.ptr) != 0;
				return true;
			}
		}
	}
	return false;
}

static bool units_refer_to_one_another(const struct dw_file *f)
{
	uint64_t last = UINT64_MAX;
	bool merged;

	if (find_lto_note(f->obj, &merged))
		return merged;
	for (size_t i = 0; i < f->units.nr; i++) {
		uint64_t table = f->units.items[i].abbrev;

		if (table != last && dw_abbrevs_cross_units(f->obj->debug[DEBUG_ABBREV], table))
			return true;
		last = table;
	}
	return false;
}

struct err *dw_file_open(const struct object *obj, struct str_pool *strings,
			 const char *kabi_prefix, struct dw_file *ret)
{
	CLEANUP(dw_file_close) struct dw_file f = {
		.obj = obj,
		.strings = strings,
		.kabi_prefix = kabi_prefix,
		.kabi_len = kabi_prefix ? strlen(kabi_prefix) : 0,
	};

	TRY(read_headers(&f));
	f.merged = units_refer_to_one_another(&f);
	f.strings_pass = object_strings_pass(obj);
	if (!obj->is_rel)
		f.str_ids = mem_zalloc_table(obj->debug[DEBUG_STR].len, sizeof(f.str_ids[0]));
	*ret = TAKE(f);
	return NULL;
}

void dw_file_close(struct dw_file *f)
{
	free(f->units.items);
	free((void *)f->str_ids);
	*f = (struct dw_file){ 0 };
}

uint32_t dw_file_name(const struct dw_file *f, const char *s, size_t len)
{
	if (f->kabi_len && len >= f->kabi_len && !memcmp(s, f->kabi_prefix, f->kabi_len))
		return str_pool_add(f->strings, f->kabi_prefix, f->kabi_len);
	return str_pool_add(f->strings, s, len);
}

void dw_names_release(struct dw_names *n)
{
	free(n->next);
	free(n->recent);
	*n = (struct dw_names){ 0 };
}

uint32_t dw_file_passing_name(const struct dw_file *f, const char *s, size_t len)
{
	if (f->kabi_len && len >= f->kabi_len && !memcmp(s, f->kabi_prefix, f->kabi_len))
		return str_pool_add(f->strings, f->kabi_prefix, f->kabi_len);
	return str_pool_add_copy(f->strings, s, len);
}

/* The id that is guessed for the string at @s, which ends after @room bytes; 0 if it is another. */
static uint32_t try_guess(const struct dw_file *f, const struct dw_names *n, const char *s,
			  size_t room)
{
	uint32_t id = n->last < n->nr ? n->next[n->last] : 0;

	if (!id)
		return 0;

	const struct str_entry *e = str_pool_at(f->strings, id);
	return e->len < room && !s[e->len] && !memcmp(s, e->text, e->len) ? id : 0;
}

static void learn(struct dw_names *n, uint32_t id)
{
	if (n->last >= n->nr) {
		size_t nr = n->nr;

		n->next = mem_grow(n->next, &n->nr, n->last + 1, sizeof(n->next[0]));
		memset(n->next + nr, 0, (n->nr - nr) * sizeof(n->next[0]));
	}
	n->next[n->last] = id;
}

/* The string at @off is @id. */
static void remember(const struct dw_file *f, struct dw_names *n, uint64_t off, uint32_t id)
{
	if (f->str_ids) {
		atomic_store_explicit(&f->str_ids[off], id, memory_order_release);
	} else if (n && off <= UINT32_MAX) {
		if (!n->recent)
			n->recent = mem_zalloc(DW_RECENT_NAMES, sizeof(n->recent[0]));
		*dw_recent_name(n, off) = (struct dw_recent_name){ (uint32_t)off, id };
	}
}

uint32_t dw_file_str_slow(const struct dw_file *f, uint64_t off, struct dw_names *n)
{
	struct bytes str = f->obj->debug[DEBUG_STR];

	if (off >= str.len)
		return 0;

	const char *s = (const char *)str.ptr + off;
	uint32_t id = n ? try_guess(f, n, s, str.len - (size_t)off) : 0;
	if (!id) {
		size_t len = strnlen(s, str.len - off);

		if (len == str.len - off)
			return 0; /* no zero up to the end of the section */
		id = f->strings_pass ? dw_file_passing_name(f, s, len) : dw_file_name(f, s, len);
		if (n && id)
			learn(n, id);
	}
	if (n && id)
		n->last = id;
	remember(f, n, off, id);
	return id;
}
