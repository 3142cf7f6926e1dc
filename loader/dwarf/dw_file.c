/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_file.c - see dw_file.h */
#include "loader/dwarf/dw_file.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "loader/dwarf/companion.h"
#include "loader/dwarf/dw_abbrev.h"

#include <elf.h>
#include <stdlib.h>

/* A type unit's signature, and where its type is. */
static void read_type_header(struct dw_cursor *c, struct dw_unit *u)
{
	u->signature = dw_cursor_uint(c, 8);
	u->type_off = dw_cursor_uint(c, u->enc.off_size);
}

/*
 * Read the header at @start of @section. Its only field that may be relocated is the offset of the
 * abbreviations, at *abbrev_at from @start.
 */
static struct err *read_header(const struct object *obj, enum debug_section section, uint64_t start,
			       struct dw_unit *u, size_t *abbrev_at)
{
	struct bytes info = obj->debug[section];
	struct dw_cursor c = dw_cursor_at(info, start, obj->swap);
	uint64_t len = dw_cursor_uint(&c, 4);

	*u = (struct dw_unit){ .start = start,
			       .type = section == DEBUG_TYPES ? DW_UT_type : DW_UT_compile,
			       .section = (uint8_t)section,
			       .enc.off_size = 4 };
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
		if (dw_unit_is_type(u))
			read_type_header(&c, u);
		else if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
			u->signature = dw_cursor_uint(&c, 8);
	} else {
		*abbrev_at = (size_t)((uint64_t)(c.p - info.ptr) - start);
		u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
		u->enc.addr_size = (uint8_t)dw_cursor_uint(&c, 1);
		if (section == DEBUG_TYPES)
			read_type_header(&c, u);
	}
	u->die = (uint64_t)(c.p - info.ptr);
	if (c.failed || u->die > u->end)
		return err_new(ERR_FORMAT, "the unit's header does not fit into its length");
	if (u->enc.addr_size != 4 && u->enc.addr_size != 8)
		return err_new(ERR_UNSUPPORTED, "addresses of %u bytes; 4 and 8 are known",
			       u->enc.addr_size);
	if (dw_unit_is_type(u) && u->type_off >= u->end - start)
		return err_new(ERR_FORMAT, "the unit's type at %#llx leaves its length",
			       (unsigned long long)u->type_off);
	return NULL;
}

/* The same for .debug_info, with relocations applied. */
static struct err *read_unit(const struct object *obj, uint64_t start, struct object_room *room,
			     struct dw_unit *u)
{
	struct bytes header;
	size_t abbrev_at = 0;

	TRY(read_header(obj, DEBUG_INFO, start, u, &abbrev_at));
	TRY(object_info(obj, (size_t)start, (size_t)u->die, room, &header));

	struct dw_cursor c = dw_cursor_at(header, abbrev_at, obj->swap);
	u->abbrev = dw_cursor_uint(&c, u->enc.off_size);
	return NULL;
}

/* Bytes between two calls that return pages: few calls, and little memory in use. */
enum { STRIDE = 4 * 1024 * 1024 };

static struct err *read_headers(struct dw_file *f)
{
	CLEANUP(object_room_release) struct object_room room = { 0 };
	size_t len = f->obj->debug[DEBUG_INFO].len;
	uint64_t forgotten = 0;

	for (uint64_t pos = 0; pos < len;) {
		struct dw_unit u = { 0 };

		/* a page fault reads pages around it, which are not needed yet */
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

/* The relocations of DEBUG_TYPES have been applied. */
static struct err *read_types(struct dw_file *f)
{
	size_t len = f->obj->debug[DEBUG_TYPES].len, abbrev_at;

	for (uint64_t pos = 0; pos < len;) {
		struct dw_unit u = { 0 };

		TRY(err_at(read_header(f->obj, DEBUG_TYPES, pos, &u, &abbrev_at),
			   ".debug_types+%#llx", (unsigned long long)pos));
		if (dw_unit_is_type(&u))
			vec_push(&f->types, u);
		pos = u.end;
	}
	return NULL;
}

static int by_signature(const void *a, const void *b)
{
	const struct dw_unit *x = *(const struct dw_unit *const *)a;
	const struct dw_unit *y = *(const struct dw_unit *const *)b;

	if (x->signature != y->signature)
		return x->signature < y->signature ? -1 : 1;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

void dw_units_sort(struct dw_units *units)
{
	if (units->nr)
		qsort(units->items, units->nr, sizeof(units->items[0]), by_signature);
}

static size_t signature_index(const struct dw_units *units, uint64_t signature)
{
	return LOWER_BOUND(0, units->nr, i, units->items[i]->signature < signature);
}

const struct dw_unit *dw_units_find(const struct dw_units *units, uint64_t signature)
{
	size_t at = signature_index(units, signature);

	return at < units->nr && units->items[at]->signature == signature ? units->items[at] : NULL;
}

static void index_signatures(struct dw_file *f)
{
	size_t nr = 0;

	for (size_t i = 0; i < f->units.nr; i++) {
		if (dw_unit_is_type(&f->units.items[i]))
			vec_push(&f->signatures, &f->units.items[i]);
		else
			f->nr_others++;
	}
	for (size_t i = 0; i < f->types.nr; i++)
		vec_push(&f->signatures, &f->types.items[i]);
	if (!f->signatures.nr)
		return;
	dw_units_sort(&f->signatures);
	for (size_t i = 0; i < f->signatures.nr; i++) {
		const struct dw_unit *u = f->signatures.items[i];

		if (!nr || f->signatures.items[nr - 1]->signature != u->signature)
			f->signatures.items[nr++] = u;
	}
	f->signatures.nr = nr;
	f->asked_for = mem_zalloc(nr, sizeof(f->asked_for[0]));
}

bool dw_file_has_left(const struct dw_file *f)
{
	return f->signatures.nr && !f->merged && f->nr_others > 1;
}

size_t dw_file_nr_readings(const struct dw_file *f)
{
	return f->merged ? 1 : f->units.nr + dw_file_has_left(f);
}

void dw_file_find_left(struct dw_file *f)
{
	f->left.nr = 0;
	for (size_t i = 0; i < f->signatures.nr; i++)
		if (!atomic_load_explicit(&f->asked_for[i], memory_order_relaxed))
			vec_push(&f->left, f->signatures.items[i]);
}

const struct dw_unit *dw_file_type_unit(const struct dw_file *f, uint64_t signature)
{
	const struct dw_unit *u = dw_units_find(&f->signatures, signature);

	if (u) {
		_Atomic bool *asked_for = &f->asked_for[signature_index(&f->signatures, signature)];

		/* threads share the cache line: write it once only */
		if (!atomic_load_explicit(asked_for, memory_order_relaxed))
			atomic_store_explicit(asked_for, true, memory_order_relaxed);
	}
	return u;
}

const struct dw_unit *dw_file_unit_at(const struct dw_file *f, uint64_t off)
{
	size_t at = LOWER_BOUND(0, f->units.nr, i, f->units.items[i].end <= off);

	return at < f->units.nr && off >= f->units.items[at].die ? &f->units.items[at] : NULL;
}

const char *dw_unit_section(const struct dw_unit *u)
{
	return u->section == DEBUG_TYPES ? ".debug_types" : ".debug_info";
}

/* The notes have the type 0x101 and the name "Linux". */
bool dw_find_lto_note(const struct object *obj, bool first_decides, bool *ret_found)
{
	enum { LINUX_ELFNOTE_LTO_INFO = 0x101 };

	*ret_found = false;
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
				*ret_found = true;
				if (first_decides || load32(desc.ptr))
					return load32(desc.ptr) != 0;
			}
		}
	}
	return false;
}

/*
 * A limit of the bytes of abbreviation tables that are compiled. A table is compiled whenever the next
 * unit has another one. Normal files have .debug_abbrev compiled once or a few times; units that
 * alternate between long tables must not make it thousands of times.
 */
enum { TABLE_FACTOR = 64, TABLE_FREE = 16 << 20 };

static struct err *read_tables(const struct dw_file *f, unsigned int *ret_uses)
{
	const struct object *obj = f->obj;
	uint64_t last = UINT64_MAX, sum = 0;
	uint64_t most = (obj->debug[DEBUG_INFO].len + (uint64_t)obj->debug[DEBUG_ABBREV].len) *
				TABLE_FACTOR +
			TABLE_FREE;

	for (size_t i = 0; i < f->units.nr; i++) {
		const struct dw_unit *u = &f->units.items[i];
		size_t len = 0;

		if (u->abbrev != last)
			*ret_uses |= dw_abbrevs_use(obj->debug[DEBUG_ABBREV], u->abbrev, &len);
		last = u->abbrev;
		sum += len;
		if (sum > most)
			return err_new(
				ERR_LIMIT,
				".debug_info+%#llx: units have tables of %llu bytes in .debug_abbrev of %#zx",
				(unsigned long long)u->start, (unsigned long long)sum,
				obj->debug[DEBUG_ABBREV].len);
	}
	return NULL;
}

/* Determine how units refer to one another. */
static struct err *look_at_tables(struct dw_file *f, const struct dw_open_opts *opts)
{
	unsigned int uses = 0;
	bool has_note;

	TRY(read_tables(f, &uses));
	/* units in a .dwo file may have a DW_AT_dwo_name, too */
	f->has_skeletons = (uses & USES_SKELETON) && !f->obj->is_split;
	f->merged = dw_find_lto_note(f->obj, opts->lto_note_decides, &has_note) || opts->merge;
	if (!has_note || !opts->lto_note_decides)
		f->merged |= (uses & USES_REF_ADDR) && !(uses & USES_PARTIAL_UNIT);
	if (f->has_skeletons) {
		/* each unit is read in its .dwo file */
		f->merged = false;
		f->missing = mem_zalloc(f->units.nr, sizeof(f->missing[0]));
	}
	return NULL;
}

static struct err *open_units(const struct object *obj, struct str_pool *strings,
			      const struct dw_open_opts *opts, bool is_split, struct dw_file *ret)
{
	CLEANUP(dw_file_close) struct dw_file f = {
		.is_split = is_split,
		.obj = obj,
		.strings = strings,
		.kabi_prefix = opts->kabi_prefix,
		.kabi_len = opts->kabi_prefix ? strlen(opts->kabi_prefix) : 0,
	};

	TRY(read_headers(&f));
	TRY(read_types(&f));
	index_signatures(&f);
	/* the tables of a package are found by its index */
	if (!is_split)
		TRY(look_at_tables(&f, opts));
	/* .dwo files are closed after reading */
	f.strings_pass = object_strings_pass(obj) || is_split || opts->copy_names;
	/* "ld -r" merges no strings, so a file of several units has most of them more than once */
	if (!is_split && (!obj->is_rel || f.units.nr == 1))
		f.str_ids = mem_zalloc_table((obj->debug[DEBUG_STR].len >> STR_ID_BITS) + 1,
					     sizeof(f.str_ids[0]));
	*ret = TAKE(f);
	return NULL;
}

struct err *dw_file_open_companion(const struct object *obj, const struct dw_file *f, bool is_split,
				   struct dw_file *ret)
{
	const struct dw_open_opts opts = { .kabi_prefix = f->kabi_prefix,
					   .copy_names = f->strings_pass };

	return open_units(obj, f->strings, &opts, is_split, ret);
}

struct err *dw_file_report_missing(const struct dw_file *f, struct diagnostics *diags)
{
	size_t nr = 0;
	uint32_t first = 0;

	for (size_t i = 0; f->missing && i < f->units.nr; i++) {
		if (!f->missing[i])
			continue;
		if (!nr++)
			first = f->missing[i];
	}
	if (!nr)
		return NULL;
	if (nr == f->nr_others)
		return err_new(
			ERR_IO,
			"its debug information is in %zu .dwo files, and all are missing: '%s' is the first",
			nr, str_pool_text(f->strings, first));
	diag_add(
		diags, DIAG_WARNING,
		"'%s': %zu .dwo files are missing or of another build, '%s' the first: their types are left out",
		f->obj->path, nr, str_pool_text(f->strings, first));
	return NULL;
}

enum { WORK_FACTOR = 32, WORK_FREE = 8 << 20 };

static uint64_t bytes_of_units(const struct dw_file *f)
{
	return (uint64_t)f->obj->debug[DEBUG_INFO].len + f->obj->debug[DEBUG_TYPES].len;
}

uint64_t dw_file_most_work(const struct dw_file *f)
{
	uint64_t own = bytes_of_units(f);

	if (f->sup)
		own += bytes_of_units(&f->sup->file);
	if (f->package)
		own += bytes_of_units(&f->package->file);
	return own * WORK_FACTOR + WORK_FREE;
}

struct err *dw_file_check_work(const struct dw_file *f, uint64_t work)
{
	uint64_t most = dw_file_most_work(f);

	if (work <= most)
		return NULL;
	return err_new(
		ERR_LIMIT,
		"its units refer to one another too often: more than %llu bytes would be read",
		(unsigned long long)most);
}

size_t dw_file_size(const struct dw_file *f)
{
	enum { USUAL = 128 * 1024 };

	if (f->package)
		return f->package->obj.debug[DEBUG_INFO].len;
	return f->obj->debug[DEBUG_INFO].len + (f->has_skeletons ? f->units.nr * USUAL : 0);
}

struct err *dw_file_open(const struct object *obj, struct str_pool *strings,
			 const struct dw_open_opts *opts, struct diagnostics *diags,
			 struct dw_file *ret)
{
	CLEANUP(dw_file_close) struct dw_file f = { 0 };

	TRY(open_units(obj, strings, opts, false, &f));
	TRY(sup_open(&f, diags, &f.sup, &f.missing_sup));
	if (f.has_skeletons)
		TRY(package_open(&f, &f.package));
	*ret = TAKE(f);
	return NULL;
}

void dw_file_forget_lookups(struct dw_file *f)
{
	free((void *)f->str_ids);
	f->str_ids = NULL;
}

static void close_units(struct dw_file *f)
{
	FREE_ALL(f->ids.items, f->missing, f->units.items, f->types.items, f->signatures.items);
	free((void *)f->asked_for);
	FREE_ALL(f->left.items, f->missing_sup);
	dw_file_forget_lookups(f);
	*f = (struct dw_file){ 0 };
}

void dw_companion_close(struct dw_companion *c)
{
	if (!c)
		return;
	close_units(&c->file);
	object_close(&c->obj);
	free(c);
}

void dw_file_close(struct dw_file *f)
{
	dw_companion_close(f->sup);
	dw_companion_close(f->package);
	close_units(f);
}

uint32_t dw_file_name(const struct dw_file *f, const char *s, size_t len, bool stays)
{
	if (f->kabi_len && len >= f->kabi_len && !memcmp(s, f->kabi_prefix, f->kabi_len))
		return str_pool_add(f->strings, f->kabi_prefix, f->kabi_len);
	return stays ? str_pool_add(f->strings, s, len) : str_pool_add_copy(f->strings, s, len);
}

/*
 * Longest name. Strings may share their ends, so without a limit a section could hold as many long
 * names as it has bytes.
 */
enum { MAX_NAME = 65535 };

uint32_t dw_file_line_str(const struct dw_file *f, uint64_t off)
{
	struct bytes all = f->obj->debug[DEBUG_LINE_STR], text = { 0 };

	if (off < all.len) {
		text = bytes_from(all, (size_t)off);
		text.len = text.len < MAX_NAME + 1 ? text.len : MAX_NAME + 1;
	}
	struct dw_cursor c = dw_cursor_at(text, 0, false);
	text = dw_cursor_string(&c);

	return dw_file_name(f, (const char *)text.ptr, text.len, !f->strings_pass);
}

void dw_names_release(struct dw_names *n)
{
	free(n->next);
	free(n->recent);
	*n = (struct dw_names){ 0 };
}

/* The guessed id of the string at @s, within @room bytes; 0 if the guess is wrong. */
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
		atomic_store_explicit(&f->str_ids[off >> STR_ID_BITS], dw_str_id(off, id),
				      memory_order_release);
	} else if (n && off <= UINT32_MAX) {
		if (!n->recent)
			n->recent = mem_zalloc(RECENT_NAMES, sizeof(n->recent[0]));
		*dw_recent_name(n, off) = (struct dw_recent_name){ (uint32_t)off, id };
	}
}

uint32_t dw_file_str_slow(const struct dw_file *f, uint64_t off, struct dw_names *n)
{
	struct bytes str = f->obj->debug[DEBUG_STR];

	if (off >= str.len)
		return 0;

	/* each string of a linked file comes here once, so guesses do not help */
	if (f->str_ids)
		n = NULL;

	const char *s = (const char *)str.ptr + off;
	uint32_t id = n ? try_guess(f, n, s, str.len - (size_t)off) : 0;
	if (!id) {
		size_t room = str.len - (size_t)off < MAX_NAME + 1 ? str.len - (size_t)off :
								     MAX_NAME + 1;
		size_t len = strnlen(s, room);

		if (len == room)
			return 0; /* the string is not terminated, or too long */
		id = dw_file_name(f, s, len, !f->strings_pass);
		if (n && id)
			learn(n, id);
	}
	if (n && id)
		n->last = id;
	remember(f, n, off, id);
	return id;
}
