/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_read_cu.c - see dw_read_cu.h */
#include "loader/dw_read_cu.h"

#include "loader/dw_reader.h"

#include <stdlib.h>

struct dw_reader *dw_reader_new(const struct dw_file *file, const struct dw_read_opts *opts)
{
	struct dw_reader *r = mem_zalloc(1, sizeof(*r));

	r->file = file;
	r->opts = *opts;
	return r;
}

void dw_reader_free(struct dw_reader *r)
{
	if (!r)
		return;
	dw_abbrevs_release(&r->abbrevs);
	object_room_release(&r->room);
	dw_names_release(&r->names);
	free(r->entries.items);
	free(r->blocks);
	free(r->frames.items);
	free(r->saved.items);
	free(r->aliases.items);
	free(r->raw_funcs.items);
	free(r->raw_params.items);
	free(r->merged_locs.items);
	free(r->raw_vars.items);
	free(r->borrowed_names.items);
	free(r);
}

/* Forget the last unit; what comes now is in [@start, @end) of .debug_info. */
static struct err *reset(struct dw_reader *r, struct cu *cu, struct notes *notes, uint64_t start,
			 uint64_t end)
{
	size_t blocks = (size_t)((end - start) >> 3) + 1;
	struct bytes info;

	TRY(object_info(r->file->obj, (size_t)start, (size_t)end, &r->room, &info));
	r->base = info.ptr;
	r->base_off = start;

	if (blocks > r->blocks_cap) {
		free(r->blocks);
		r->blocks = mem_zalloc(blocks, sizeof(r->blocks[0]));
		r->blocks_cap = blocks;
	}
	cu_reset(cu);
	r->cu = cu;
	r->notes = notes;
	r->entries.nr = r->frames.nr = r->saved.nr = r->aliases.nr = 0;
	r->raw_funcs.nr = r->raw_params.nr = r->raw_vars.nr = r->borrowed_names.nr = 0;
	r->merged_locs.nr = 0;
	r->old_bits = false;
	r->nr_unresolved = r->nr_dropped = 0;
	return NULL;
}

/* The outermost DIE of a unit: where it is and what its attributes say. */
struct unit_die {
	const struct dw_abbrev *abbrev;
	const uint8_t *values;
	uint32_t name;
	uint16_t lang;
	bool clang;
};

static uint64_t number_of(const struct dw_reader *r, const struct unit_die *d, uint16_t attr,
			  uint64_t otherwise)
{
	struct dw_value v;

	return dw_attr(r, d->abbrev, d->values, attr, &v) ? v.number : otherwise;
}

/* Compile the unit's abbreviations and read its outermost DIE. */
static struct err *open_unit(struct dw_reader *r, const struct dw_unit *u, struct unit_die *d)
{
	const struct object *obj = r->file->obj;
	struct dw_cursor c = { r->base + (u->die - r->base_off), NULL, obj->swap, false };
	struct dw_value v;

	r->unit = u;
	c.end = r->end = r->base + (u->end - r->base_off);
	TRY(err_at(dw_abbrevs_compile(&r->abbrevs, obj->debug[DEBUG_ABBREV], u->abbrev, u->enc),
		   ".debug_info+%#llx", (unsigned long long)u->start));

	*d = (struct unit_die){ 0 };
	if (u->die == u->end)
		return NULL;
	uint64_t code = dw_cursor_uleb(&c);
	if (c.failed || (code && code >= r->abbrevs.lines.nr))
		return err_new(ERR_FORMAT, ".debug_info+%#llx: no abbreviation has the code %llu",
			       (unsigned long long)u->die, (unsigned long long)code);
	if (!code)
		return NULL;
	d->abbrev = &r->abbrevs.lines.items[code];
	d->values = c.p;
	if (d->abbrev->kind != DK_UNIT)
		return err_new(ERR_FORMAT,
			       ".debug_info+%#llx: the unit starts with an entry of tag %#x",
			       (unsigned long long)u->die, d->abbrev->tag);

	/* without a base attribute the tables start behind one header (DWARF 5, 7.26 to 7.29) */
	bool v5 = u->enc.version >= 5;
	uint64_t header = u->enc.off_size == 8 ? 16 : 8;
	r->str_offsets_base = number_of(r, d, DW_AT_str_offsets_base, v5 ? header : 0);
	r->locs = (struct dw_locations){
		.obj = obj,
		.enc = u->enc,
		.addr_base = number_of(r, d, v5 ? DW_AT_addr_base : DW_AT_GNU_addr_base,
				       v5 ? header : 0),
		.loclists_base = number_of(r, d, DW_AT_loclists_base, header + 4),
	};
	if (dw_attr(r, d->abbrev, d->values, DW_AT_name, &v))
		d->name = dw_value_string(r, &v);
	if (dw_attr(r, d->abbrev, d->values, DW_AT_language, &v))
		d->lang = (uint16_t)dw_value_number(&v);
	if (dw_attr(r, d->abbrev, d->values, DW_AT_producer, &v))
		d->clang = strstr(str_pool_text(r->file->strings, dw_value_string(r, &v)), "clang");
	return NULL;
}

/* Language and name decide whether a unit counts. */
static bool unit_wanted(const struct dw_reader *r, const struct unit_die *d)
{
	const struct dw_read_opts *o = &r->opts;
	const char *name = str_pool_text(r->file->strings, d->name);

	for (size_t i = 0; i < o->nr_exclude; i++) {
		if (!strncmp(name, o->exclude[i], strlen(o->exclude[i])))
			return false;
	}
	if (!o->nr_langs)
		return true;
	for (size_t i = 0; i < o->nr_langs; i++) {
		if (o->langs[i] == d->lang)
			return o->lang_only;
	}
	return !o->lang_only;
}

/* Step over the values of the outermost DIE and walk its children. */
static struct err *walk_unit(struct dw_reader *r, const struct dw_unit *u, const struct unit_die *d)
{
	if (!d->abbrev || !d->abbrev->children)
		return NULL;

	const uint8_t *values_end = dw_skip_values(r, d->abbrev, d->values);
	if (!values_end)
		return err_new(ERR_FORMAT,
			       ".debug_info+%#llx: the entry leaves its unit, which ends at %#llx",
			       (unsigned long long)u->die, (unsigned long long)u->end);
	return dw_walk(r, values_end, r->end);
}

static void finish(struct dw_reader *r)
{
	dw_resolve(r);
	dw_resolve_funcs(r);
	if (r->nr_unresolved)
		notes_add(r->notes, NOTE_VERBOSE,
			  "unit '%s': %zu references to types that are not there became void",
			  str_pool_text(r->file->strings, r->cu->name), r->nr_unresolved);
	if (r->nr_dropped)
		notes_add(r->notes, NOTE_VERBOSE,
			  "unit '%s': %zu entries of a kind that BTF does not have",
			  str_pool_text(r->file->strings, r->cu->name), r->nr_dropped);
}

struct err *dw_read_cu(struct dw_reader *r, size_t i, struct cu *cu, struct notes *notes,
		       bool *wanted)
{
	const struct dw_unit *u = &r->file->units.items[i];
	struct unit_die d;

	if (u->end - u->start >= DIE_FOREIGN)
		return err_new(ERR_LIMIT, ".debug_info+%#llx: a unit of over 4 GiB",
			       (unsigned long long)u->start);
	TRY(reset(r, cu, notes, u->start, u->end));
	r->ref_bias = 0;
	TRY(open_unit(r, u, &d));

	*wanted = d.abbrev && unit_wanted(r, &d);
	if (!*wanted)
		return NULL;
	cu->name = d.name;
	cu->lang = d.lang;
	cu->clang = d.clang;
	cu->addr_size = u->enc.addr_size;
	if (d.abbrev->tag == DW_TAG_skeleton_unit) {
		notes_add(notes, NOTE_WARNING,
			  "unit '%s' is a skeleton: its types are in a .dwo file",
			  str_pool_text(r->file->strings, d.name));
		return NULL;
	}
	if (d.abbrev->tag == DW_TAG_partial_unit)
		return NULL; /* says nothing by itself */
	TRY(walk_unit(r, u, &d));
	finish(r);
	return NULL;
}

struct err *dw_read_merged(struct dw_reader *r, struct cu *cu, struct notes *notes, bool *wanted)
{
	size_t len = r->file->obj->debug[DEBUG_INFO].len;
	bool first = true;

	if (len >= DIE_FOREIGN)
		return err_new(
			ERR_LIMIT,
			".debug_info of %zu bytes in units that refer to one another; at most 4 GiB",
			len);
	TRY(reset(r, cu, notes, 0, len));
	*wanted = false;
	for (size_t i = 0; i < r->file->units.nr; i++) {
		const struct dw_unit *u = &r->file->units.items[i];
		struct unit_die d;

		r->ref_bias = (uint32_t)u->start;
		TRY(open_unit(r, u, &d));
		if (!d.abbrev || !unit_wanted(r, &d))
			continue;
		if (first) {
			cu->lang = d.lang;
			cu->clang = d.clang;
			cu->addr_size = u->enc.addr_size;
			first = false;
		}
		*wanted = true;
		TRY(walk_unit(r, u, &d));
		/* the optimizer of gcc writes DWARF 5 whatever its units have */
		vec_add(&r->merged_locs)->end = r->raw_params.nr;
		r->merged_locs.items[r->merged_locs.nr - 1].locs = r->locs;
	}
	if (*wanted)
		finish(r);
	return NULL;
}
