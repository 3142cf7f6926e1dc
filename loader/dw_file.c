/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_file.c - see dw_file.h */
#include "loader/dw_file.h"

#include "base/cleanup.h"
#include "loader/dw_abbrev.h"

#include <elf.h>
#include <stdlib.h>

static struct err *read_header(const struct object *obj, uint64_t start, struct dw_unit *u)
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
		u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
		if (u->type == DW_UT_type || u->type == DW_UT_split_type)
			dw_cursor_uint(&c, 8), dw_cursor_uint(&c, u->enc.off_size);
		else if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
			dw_cursor_uint(&c, 8);
	} else {
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

/* Between two returns of pages: rare enough to cost nothing, small enough not to add up. */
enum { STRIDE = 4 * 1024 * 1024 };

static struct err *read_headers(struct dw_file *f)
{
	size_t len = f->obj->debug[DEBUG_INFO].len;
	uint64_t forgotten = 0;

	for (uint64_t pos = 0; pos < len;) {
		struct dw_unit u;

		/* a fault brings in the pages around it, too, and nobody wants them yet */
		if (pos - forgotten > STRIDE) {
			object_forget_info(f->obj, forgotten, pos);
			forgotten = pos;
		}

		TRY(err_at(read_header(f->obj, pos, &u), ".debug_info+%#llx",
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

/* The id that is guessed for the string at @s, which ends after @room bytes; 0 if it is another. */
static uint32_t try_guess(const struct dw_file *f, const struct dw_name_guess *g, const char *s,
			  size_t room)
{
	uint32_t id = g->last < g->nr ? g->items[g->last] : 0;

	if (!id)
		return 0;

	const struct str_entry *e = str_pool_at(f->strings, id);
	return e->len < room && !s[e->len] && !memcmp(s, e->text, e->len) ? id : 0;
}

static void learn(struct dw_name_guess *g, uint32_t id)
{
	if (g->last >= g->nr) {
		size_t nr = g->nr;

		vec_reserve(g, g->last + 1 - nr);
		g->nr = g->cap;
		memset(g->items + nr, 0, (g->nr - nr) * sizeof(g->items[0]));
	}
	g->items[g->last] = id;
}

uint32_t dw_file_str_slow(const struct dw_file *f, uint64_t off, struct dw_name_guess *guess)
{
	struct bytes str = f->obj->debug[DEBUG_STR];

	if (off >= str.len)
		return 0;

	uint32_t guessed = guess ? try_guess(f, guess, (const char *)str.ptr + off,
					     str.len - (size_t)off) :
				   0;
	if (guessed) {
		guess->last = guessed;
		atomic_store_explicit(&f->str_ids[off], guessed, memory_order_release);
		return guessed;
	}

	const char *s = (const char *)str.ptr + off;
	size_t len = strnlen(s, str.len - off);
	if (len == str.len - off)
		return 0; /* no zero up to the end of the section */

	uint32_t id = dw_file_name(f, s, len);
	if (guess && id) {
		learn(guess, id);
		guess->last = id;
	}
	atomic_store_explicit(&f->str_ids[off], id, memory_order_release);
	return id;
}
