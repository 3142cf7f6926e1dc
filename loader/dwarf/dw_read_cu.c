/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_read_cu.c - read a unit of DWARF into a struct cu
 *
 * The problem: a kernel has 18 million DIEs in 3,000 units. In each unit an abbreviation table tells
 * which attributes a DIE has and in which forms. A reader that looks at this table for every
 * attribute of every DIE spends most of its time there. References are offsets of DIEs, which may
 * come later, lie in another unit, or in another file.
 *
 *  1. Columns (dw_abbrev.c). Each abbreviation is compiled to 64 bytes. For the few
 *     attributes that the encoder needs, the columns, it has the distance from the start of the
 *     DIE and the width. To read a column is one unaligned load and one mask.
 *  2. Decode operations (dw_decode_tail() in dw_attr.c). Behind the first attribute of variable
 *     length distances are not constant. A list of operations, compiled with the abbreviation, reads the
 *     columns that come later.
 *  3. The walk (dw_walk.c) reads each DIE once, in order, with a frame for each open parent
 *     (dw_frame.c). It appends types to cu.types, functions and variables to raw tables, and notes
 *     in the DIE map what the DIE at each offset has become. References stay offsets.
 *  4. The fast path (dw_fast_path.c) reads simple types with their children, and skips the bodies of
 *     functions, in loops of their own. At any DIE that is not simple it returns to the walk.
 *  5. The fallback, dw_attr(), finds any attribute by its name, as other readers do. It reads the
 *     DIEs of units, annotations, and forms that no column can hold.
 *  6. Resolution. When all DIEs are known, dw_resolve.c turns offsets of types into numbers of
 *     types, and dw_func.c puts functions together from the DIEs that describe them.
 *
 * A reference to another unit adds that unit to those that are read (dw_ref_units.c), so a struct cu
 * is complete in itself. A skeleton is replaced by its unit in a .dwo file or package
 * (companion.c). If units refer to one another without partial units, as after link time
 * optimization, all units of the file become one struct cu (docs/spec/encoding.md 3.2).
 *
 * Errors: a DIE that leaves its unit or has an unknown abbreviation ends the file with ERR_FORMAT and
 * its offset, since everything that follows would be misread. A reference to nothing becomes void
 * and is counted (cu.nr_void), a DIE of an unknown tag is skipped and counted (cu.nr_unknown).
 */
#include "loader/dwarf/dw_read_cu.h"

#include "base/cleanup.h"
#include "loader/dwarf/companion.h"
#include "loader/dwarf/dw_lang.h"
#include "loader/dwarf/dw_walk.h"

#include <stdlib.h>

struct dw_reader *dw_reader_new(const struct dw_file *file, const struct dw_read_opts *opts)
{
	struct dw_reader *r = mem_zalloc(1, sizeof(*r));

	r->root = r->unit.file = file;
	r->opts = *opts;
	return r;
}

void dw_reader_free(struct dw_reader *r)
{
	if (!r)
		return;
	dw_abbrevs_release(&r->abbrevs);
	object_room_release(&r->room);
	dw_ref_units_release(r);
	dw_companion_close(r->dwo.open);
	dw_names_release(&r->names);
	hash_table_release(&r->die_map.shared);
	FREE_ALL(r->die_map.items, r->die_map.types, r->frames.items, r->saved.items,
		 r->dimensions.items, r->raw.aliases.items, r->raw.funcs.items, r->raw.params.items,
		 r->raw.vars.items, r->raw.borrowed_names.items, r->raw.ranges.items,
		 r->raw.strides.items, r->raw.sites.items, r->raw.site_params.items, r->cases.items,
		 r->open_sites.items, r);
}

/* Make room in the DIE map for offsets up to @end. */
static void die_map_reserve(struct dw_reader *r, uint64_t end)
{
	size_t nr = (size_t)(end >> r->die_map.shift) + 1, cap = r->die_map.types_cap;

	if (nr > r->die_map.nr_types)
		r->die_map.nr_types = nr;
	if (nr <= cap)
		return;
	r->die_map.types = mem_grow(r->die_map.types, &r->die_map.types_cap, nr,
				    sizeof(r->die_map.types[0]));
	memset(r->die_map.types + cap, 0,
	       (r->die_map.types_cap - cap) * sizeof(r->die_map.types[0]));
}

/* Empty the DIE map. */
static void die_map_clear(struct dw_reader *r)
{
	if (r->die_map.nr_types)
		memset(r->die_map.types, 0, r->die_map.nr_types * sizeof(r->die_map.types[0]));
	r->die_map.nr = r->die_map.nr_types = 0;
	hash_table_clear(&r->die_map.shared);
	/* all units together may be large, so DIEs share more elements */
	r->die_map.shift = r->root->merged ? 3 : 2;
}

/* Begin another struct cu. */
static void reset(struct dw_reader *r, struct cu *cu)
{
	struct raw_cu *raw = &r->raw;

	dw_ref_units_reset(r);
	r->merged = r->from_dwo = false;
	r->skeleton = NULL;
	cu_reset(cu);
	r->cu = cu;
	raw->aliases.nr = raw->funcs.nr = raw->params.nr = raw->vars.nr = 0;
	raw->borrowed_names.nr = 0;
	raw->ranges.nr = raw->strides.nr = 0;
	raw->sites.nr = raw->site_params.nr = raw->nr_unplaced = 0;
	raw->old_bits = raw->open_sizes = raw->foreign = false;
	raw->nr_unresolved = raw->nr_dropped = raw->nr_chained = 0;
	die_map_clear(r);
	r->frames.nr = r->saved.nr = r->cases.nr = 0;
	r->top = vec_add(&r->frames);
	r->top->ctx = CTX_DROP;
}

/* The outermost DIE of a unit, and its attributes. */
struct unit_die {
	const struct dw_abbrev *abbrev;
	const uint8_t *values;
	uint32_t name;
	uint16_t lang;
	bool clang;
};

/* The value of an attribute that is an offset or an id. */
static uint64_t number_of(const struct dw_reader *r, const struct unit_die *d, uint16_t attr,
			  uint64_t otherwise)
{
	struct dw_value v;

	return dw_attr(r, d->abbrev, d->values, attr, &v) ? v.number : otherwise;
}

static uint32_t string_of(struct dw_reader *r, const struct unit_die *d, uint16_t attr)
{
	return dw_attr_string(r, d->abbrev, d->values, attr);
}

/* DW_AT_low_pc, 0 if there is none; and where it is stored. */
static uint64_t address_of(const struct dw_reader *r, const struct unit_die *d,
			   cu_addr_slot *ret_slot)
{
	const uint8_t *end;
	struct dw_value v;
	uint64_t addr;

	*ret_slot = CU_NO_SLOT;
	end = dw_attr(r, d->abbrev, d->values, DW_AT_low_pc, &v);
	if (!end)
		return 0;
	if (v.form == DW_FORM_addr) {
		*ret_slot = dw_slot_in_info(r, end - r->unit.header->enc.addr_size);
		return v.number;
	}
	*ret_slot = dw_slot_in_addrs(r, v.number);
	return dw_indexed_addr(&r->unit.locs, v.number, &addr) ? addr : 0;
}

/* Make @u, which lies at @base, the unit that is walked, and read its outermost DIE. */
static struct err *open_unit(struct dw_reader *r, const struct dw_file *file,
			     const struct dw_unit *u, const uint8_t *base, struct unit_die *d)
{
	const struct object *obj = file->obj;
	/* without a base attribute the tables start behind one header (DWARF 5, 7.26 to 7.29) */
	bool v5 = u->enc.version >= 5;
	uint64_t header = u->enc.off_size == 8 ? 16 : 8;
	uint16_t lang;

	r->unit = (struct dw_unit_view){
		.file = file,
		.header = u,
		.base = base,
		.end = base + (u->end - u->start),
		.str_offsets_base = u->str_offsets + (v5 ? header : 0),
	};
	TRY(err_at(dw_abbrevs_compile(&r->abbrevs, obj->debug[DEBUG_ABBREV], u->abbrev, u->enc),
		   "%s+%#llx", dw_unit_section(u), (unsigned long long)u->start));

	*d = (struct unit_die){ 0 };
	if (u->die == u->end)
		return NULL;
	struct dw_cursor c = { base + (u->die - u->start), r->unit.end, obj->swap, false };
	uint64_t code = dw_cursor_uleb(&c);
	if (c.failed || (code && code >= r->abbrevs.by_code.nr))
		return err_new(ERR_FORMAT, "%s+%#llx: no abbreviation has the code %llu",
			       dw_unit_section(u), (unsigned long long)u->die,
			       (unsigned long long)code);
	if (!code)
		return NULL;
	d->abbrev = &r->abbrevs.by_code.items[code];
	d->values = c.p;
	if (d->abbrev->kind != DK_UNIT)
		return err_new(ERR_FORMAT, "%s+%#llx: the unit starts with an entry of tag %#x",
			       dw_unit_section(u), (unsigned long long)u->die, d->abbrev->tag);

	r->unit.str_offsets_base = u->str_offsets +
				   number_of(r, d, DW_AT_str_offsets_base, v5 ? header : 0);
	r->unit.locs = (struct dw_locations){
		.obj = obj,
		.enc = u->enc,
		.addr_base = number_of(r, d, v5 ? DW_AT_addr_base : DW_AT_GNU_addr_base,
				       v5 ? header : 0),
		.split = obj->is_split,
		.lists = u->lists,
		.loclists_base = u->lists + number_of(r, d, DW_AT_loclists_base, header + 4),
	};
	if (file->is_split) {
		r->unit.locs.addrs = r->skeleton;
		r->unit.locs.addr_base = r->skeleton_addr_base;
	}
	r->unit.locs.base = address_of(r, d, &r->unit.base_slot);
	r->unit.rnglists_base = u->ranges + number_of(r, d, DW_AT_rnglists_base, header + 4);
	r->unit.ranges = v5 ? u->ranges : number_of(r, d, DW_AT_GNU_ranges_base, 0);
	if (file->is_split) {
		r->unit.locs.base = r->skeleton_base;
		r->unit.base_slot = r->skeleton_base_slot;
		r->unit.ranges = v5 ? u->ranges : r->skeleton_ranges;
	}
	d->name = string_of(r, d, DW_AT_name);
	d->lang = (uint16_t)dw_attr_number(r, d->abbrev, d->values, DW_AT_language);
	/* partial units of dwz have no language of their own */
	lang = d->lang || r->merged || !r->cu ? d->lang : r->cu->lang;
	r->unit.lower_bound = dw_lang_lower_bound(lang);
	r->unit.foreign = !r->opts.c_types && dw_lang_is_foreign(lang);
	r->unit.pascal = r->unit.foreign && lang == DW_LANG_Pascal83;
	d->clang = strstr(str_pool_text(file->strings, string_of(r, d, DW_AT_producer)), "clang");
	return NULL;
}

/* Find the bytes of @u of @file, relocated in @room if necessary, and open it. */
static struct err *open_bytes(struct dw_reader *r, const struct dw_file *file,
			      const struct dw_unit *u, struct object_room *room, struct unit_die *d)
{
	const uint8_t *base = file->obj->debug[u->section].ptr + u->start;
	struct bytes b;

	if (u->section == DEBUG_INFO) {
		TRY(object_info(file->obj, (size_t)u->start, (size_t)u->end, room, &b));
		base = b.ptr;
	}
	return open_unit(r, file, u, base, d);
}

/* Unit @i is read, its abbreviations are compiled: add both to the work done for the struct cu. */
static struct err *count_work(struct dw_reader *r, size_t i)
{
	const struct dw_unit *u = r->ref_units.items[i].unit,
			     *last = r->ref_units.items[i - 1].unit;

	r->cu->work += u->end - u->start;
	/* the same table again is not counted, whatever the reader read before */
	if (u->abbrev != last->abbrev)
		r->cu->work += r->abbrevs.len;
	/* a .dwo file is read for one unit only */
	return r->from_dwo ? NULL : dw_file_check_work(r->root, r->cu->work);
}

/* Add to @err the file that is read, if it is not the one that the caller asks for. */
static struct err *where(const struct dw_reader *r, struct err *err)
{
	return r->unit.file == r->root ? err : err_at(err, "'%s'", r->unit.file->obj->path);
}

/* Make unit @i the one that is walked. */
static struct err *open_ref_unit(struct dw_reader *r, size_t i, struct unit_die *d)
{
	struct ref_unit *u = &r->ref_units.items[i];

	/* strings are remembered by their offsets, which mean others in another file */
	if (u->file != r->names_of && r->names.recent && !u->file->str_ids)
		memset(r->names.recent, 0, RECENT_NAMES * sizeof(r->names.recent[0]));
	r->names_of = u->file;
	die_map_reserve(r, u->base_offset + (u->unit->end - u->unit->start));
	TRY(open_bytes(r, u->file, u->unit, i ? &u->room : &r->room, d));
	r->unit.base_offset = u->base_offset;
	r->unit.number = (uint32_t)i;
	u->first_param = r->raw.params.nr;
	u->locs = r->unit.locs;
	u->base = r->unit.base;
	return i && !r->merged ? count_work(r, i) : NULL;
}

bool dw_unit_name_wanted(const struct dw_read_opts *o, const char *name)
{
	for (size_t i = 0; i < o->nr_exclude; i++) {
		if (!strncmp(name, o->exclude[i], strlen(o->exclude[i])))
			return false;
	}
	return true;
}

bool dw_unit_lang_wanted(const struct dw_read_opts *o, uint16_t lang)
{
	if (!o->nr_langs)
		return true;
	for (size_t i = 0; i < o->nr_langs; i++) {
		if (o->langs[i] == lang)
			return o->lang_only;
	}
	return !o->lang_only;
}

/* Do the language and the name of @d permit to read the unit? Notes in @excluded if not. */
static bool unit_wanted(const struct dw_reader *r, const struct unit_die *d, struct cu *excluded)
{
	bool by_name = !dw_unit_name_wanted(&r->opts, str_pool_text(r->root->strings, d->name));

	if (!by_name && dw_unit_lang_wanted(&r->opts, d->lang))
		return true;
	if (excluded)
		vec_push(&excluded->excluded, ((struct cu_excluded){ d->name, by_name }));
	return false;
}

/* Add @unit of @file, the first one of a struct cu. */
static struct err *add_unit(struct dw_reader *r, const struct dw_file *file,
			    const struct dw_unit *unit)
{
	if (!dw_ref_unit_add(r, file, unit))
		return err_new(ERR_LIMIT, ".debug_info+%#llx: a unit of over 4 GiB",
			       (unsigned long long)unit->start);
	return NULL;
}

/* Sort the units of the .dwo file @f by their ids. In DWARF 5 these are in the headers. */
static struct err *read_ids(struct dw_reader *r, struct dw_file *f)
{
	for (size_t i = 0; i < f->units.nr; i++) {
		CLEANUP(object_room_release) struct object_room room = { 0 };
		struct dw_unit *u = &f->units.items[i];
		struct unit_die d = { 0 };
		struct dw_value id;

		if (dw_unit_is_type(u))
			continue;
		if (u->enc.version < 5) {
			TRY(open_bytes(r, f, u, &room, &d));
			if (!d.abbrev || !dw_attr(r, d.abbrev, d.values, DW_AT_GNU_dwo_id, &id))
				continue;
			u->signature = id.number;
		}
		vec_push(&f->ids, u);
	}
	dw_units_sort(&f->ids);
	return NULL;
}

/* Open the .dwo file @name, unless it is open. r->dwo.open is NULL if the file is not there. */
static struct err *open_dwo(struct dw_reader *r, uint32_t folder, uint32_t name)
{
	const struct dw_file *f = r->root;

	if (r->dwo.open && r->dwo.folder == folder && r->dwo.name == name)
		return NULL;
	dw_companion_close(r->dwo.open);
	r->dwo.open = NULL;
	TRY(dwo_open(f, str_pool_text(f->strings, folder), str_pool_text(f->strings, name),
		     &r->dwo.open));
	r->dwo.folder = folder;
	r->dwo.name = name;
	if (!r->dwo.open)
		return NULL;
	return err_at(read_ids(r, &r->dwo.open->file), "'%s'", r->dwo.open->obj.path);
}

/*
 * Replace the unit that is open, number @i of the file, by the unit that it is a skeleton of. *found is
 * false if that is not there. Only a malformed file has a skeleton of a skeleton; the second one
 * is not followed.
 */
static struct err *follow_skeleton(struct dw_reader *r, size_t i, struct unit_die *d, bool *found)
{
	const struct dw_unit *u = r->unit.header, *split = NULL;
	const struct dw_file *f = r->root, *from = NULL;
	bool v5 = u->enc.version >= 5;
	uint32_t name = string_of(r, d, v5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
	uint32_t folder = string_of(r, d, DW_AT_comp_dir);
	uint64_t id = v5 ? u->signature : number_of(r, d, DW_AT_GNU_dwo_id, 0);

	if (!name && d->abbrev->tag != DW_TAG_skeleton_unit)
		return NULL;
	r->skeleton = f->obj;
	r->skeleton_addr_base = r->unit.locs.addr_base;
	r->skeleton_base = r->unit.locs.base;
	r->skeleton_base_slot = r->unit.base_slot;
	r->skeleton_ranges = r->unit.ranges;
	if (f->package) {
		from = &f->package->file;
		split = dw_units_find(&from->ids, id);
	}
	if (!split) {
		TRY(open_dwo(r, folder, name));
		r->from_dwo = r->dwo.open;
		from = r->dwo.open ? &r->dwo.open->file : NULL;
		split = from ? dw_units_find(&from->ids, id) : NULL;
	}
	*found = split != NULL;
	if (!split) {
		/* an empty name is reported, too */
		f->missing[i] = name ? name : str_pool_add_copy(f->strings, "?", 1);
		r->cu->missing = f->missing[i];
		return NULL;
	}
	dw_ref_units_reset(r);
	TRY(add_unit(r, from, split));
	return where(r, open_ref_unit(r, 0, d));
}

/* The struct cu takes its description from @d, the first unit that is wanted. */
static void describe(const struct dw_reader *r, const struct unit_die *d)
{
	struct cu *cu = r->cu;

	cu->lang = d->lang;
	cu->clang = d->clang;
	cu->addr_size = r->unit.header->enc.addr_size;
	cu->incomplete = r->root->missing_sup != NULL;
}

/* Does the unit that is open describe something by itself, unlike those made for other units? */
static bool stands_alone(const struct dw_reader *r, const struct unit_die *d)
{
	return r->merged ||
	       (d->abbrev->tag != DW_TAG_partial_unit && d->abbrev->tag != DW_TAG_skeleton_unit &&
		!dw_unit_is_type(r->unit.header));
}

/* Add all type units of @f, which belong to what is read: it is the only unit, or all units. */
static void add_all_types(struct dw_reader *r, const struct dw_file *f)
{
	for (size_t i = 0; i < f->signatures.nr; i++)
		if (!r->merged || f->signatures.items[i]->section != DEBUG_INFO)
			dw_ref_unit_add(r, f, f->signatures.items[i]);
}

/* A unit of language @lang has added entries. */
static void note_lang(struct cu *cu, uint16_t lang)
{
	uint32_t known = cu->entries_lang, is = lang + UINT32_C(1);

	cu->entries_lang = !known || known == is ? is : CU_LANGS_DIFFER;
}

/* How much of it has been read. */
struct progress {
	size_t funcs, vars, types, sites, site_params, unplaced;
};

static struct progress progress_of(const struct dw_reader *r)
{
	return (struct progress){
		.funcs = r->raw.funcs.nr,
		.vars = r->raw.vars.nr,
		.types = r->cu->types.nr,
		.sites = r->raw.sites.nr,
		.site_params = r->raw.site_params.nr,
		.unplaced = r->raw.nr_unplaced,
	};
}

/* The functions and variables behind @from are those of another struct cu. */
static void only_declare(struct raw_cu *raw, const struct progress *from)
{
	raw->sites.nr = from->sites;
	raw->site_params.nr = from->site_params;
	raw->nr_unplaced = from->unplaced;
	for (size_t i = from->funcs; i < raw->funcs.nr; i++)
		raw->funcs.items[i].flags |= CU_FUNC_DECL;
	for (size_t i = from->vars; i < raw->vars.nr; i++)
		raw->vars.items[i].flags &= (uint8_t)~RAW_VAR_ADDR;
}

/*
 * Read the units that were added, of which the first @nr_own are the struct cu itself, and all that they
 * refer to. @index is the number of the first one in the file. *wanted is set if any of the own
 * units is wanted; otherwise nothing is read.
 */
static struct err *read_units(struct dw_reader *r, size_t nr_own, size_t index, bool *wanted)
{
	for (size_t i = 0; i < r->ref_units.nr; i++) {
		const struct progress before = progress_of(r);
		struct unit_die d = { 0 };
		bool found = true;

		TRY(where(r, open_ref_unit(r, i, &d)));
		if (i < nr_own) {
			if (unlikely(r->root->has_skeletons) && d.abbrev)
				TRY(follow_skeleton(r, index, &d, &found));
			found = found && d.abbrev && stands_alone(r, &d) &&
				unit_wanted(r, &d, r->cu);
			if (found && !*wanted)
				describe(r, &d);
			if (found && !r->merged)
				r->cu->name = d.name;
			r->cu->incomplete |= found && !dw_lang_is_c(d.lang);
			*wanted |= found;
		}
		if (found && d.abbrev && d.abbrev->children) {
			r->raw.foreign |= r->unit.foreign;
			TRY(where(r, dw_walk(r, d.abbrev, d.values)));
		}
		if (r->raw.funcs.nr != before.funcs || r->raw.vars.nr != before.vars ||
		    r->cu->types.nr != before.types)
			note_lang(r->cu, d.lang);
		if (i >= nr_own && d.abbrev && d.abbrev->tag == DW_TAG_compile_unit)
			only_declare(&r->raw, &before);
		if (i + 1 == nr_own) {
			if (!*wanted)
				return NULL;
			if (r->merged || r->unit.file->nr_others == 1)
				add_all_types(r, r->unit.file);
		}
	}
	if (!*wanted)
		return NULL;
	r->unit.file = r->root;
	r->unit.header = r->ref_units.items[0].unit;
	dw_resolve(r);
	dw_resolve_funcs(r);
	TRY(dw_resolve_sites(r));
	r->cu->nr_void = r->raw.nr_unresolved;
	r->cu->nr_unknown = r->raw.nr_dropped;
	return NULL;
}

/* Read the type units that no unit referred to, and what they refer to. */
static struct err *read_left(struct dw_reader *r, bool *wanted)
{
	const struct dw_file *f = r->root;

	/* a type unit does not name the unit that it is of, which may be an excluded one */
	if (r->opts.nr_exclude)
		return NULL;
	for (size_t i = 0; i < f->left.nr; i++) {
		CLEANUP(object_room_release) struct object_room room = { 0 };
		struct unit_die d = { 0 };

		TRY(open_bytes(r, f, f->left.items[i], &room, &d));
		if (!d.abbrev || !unit_wanted(r, &d, NULL))
			continue;
		if (!*wanted)
			describe(r, &d);
		r->cu->incomplete |= !dw_lang_is_c(d.lang);
		*wanted = true;
		dw_ref_unit_add(r, f, f->left.items[i]);
	}
	return read_units(r, 0, 0, wanted);
}

/* Read all units of the file as one. Offsets of DIEs are those in .debug_info. */
static struct err *read_merged(struct dw_reader *r, bool *wanted)
{
	const struct dw_file *f = r->root;
	size_t len = f->obj->debug[DEBUG_INFO].len;

	if (len >= DIE_FOREIGN)
		return err_new(
			ERR_LIMIT,
			".debug_info of %zu bytes in units that refer to one another; at most 4 GiB",
			len);
	r->merged = true;
	for (size_t i = 0; i < f->units.nr; i++)
		vec_push(&r->ref_units,
			 ((struct ref_unit){ .file = f,
					     .unit = &f->units.items[i],
					     .base_offset = (die_off)f->units.items[i].start }));
	r->ref_units.end = ((uint64_t)len + 7) & ~(uint64_t)7;
	return read_units(r, f->units.nr, 0, wanted);
}

struct err *dw_read_cu(struct dw_reader *r, size_t i, struct cu *cu, bool *wanted)
{
	const struct dw_file *f = r->root;

	reset(r, cu);
	*wanted = false;
	if (f->merged)
		return read_merged(r, wanted);
	if (i == f->units.nr)
		return read_left(r, wanted);
	TRY(add_unit(r, f, &f->units.items[i]));
	return read_units(r, 1, i, wanted);
}

struct err *dw_open_unit(struct dw_reader *r, size_t i, const struct dw_abbrev **ret_abbrev,
			 const uint8_t **ret_values)
{
	struct unit_die d = { 0 };

	*ret_abbrev = NULL;
	TRY(open_bytes(r, r->root, &r->root->units.items[i], &r->room, &d));
	if (!d.abbrev || !unit_wanted(r, &d, NULL))
		return NULL;
	TRY(dw_check_values(r, d.abbrev, d.values));
	*ret_abbrev = d.abbrev;
	*ret_values = d.values;
	return NULL;
}

struct err *dw_read_unit_source(struct dw_reader *r, size_t i, const char **folder,
				const char **source)
{
	const struct dw_file *f = r->root;
	const struct dw_unit *u = &f->units.items[i];
	struct unit_die d = { 0 };

	*folder = *source = NULL;
	if (u->type != DW_UT_compile && u->type != DW_UT_partial)
		return NULL;
	TRY(open_bytes(r, f, u, &r->room, &d));
	if (!d.abbrev)
		return NULL;
	TRY(dw_check_values(r, d.abbrev, d.values));

	uint32_t id = string_of(r, &d, DW_AT_comp_dir);
	if (id)
		*folder = str_pool_text(f->strings, id);
	if (d.name)
		*source = str_pool_text(f->strings, d.name);
	return NULL;
}
