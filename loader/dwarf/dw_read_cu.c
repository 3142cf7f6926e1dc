/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_read_cu.c - see dw_read_cu.h */
#include "loader/dwarf/dw_read_cu.h"

#include "base/cleanup.h"
#include "loader/dwarf/dw_reader.h"
#include "loader/dwarf/split_file.h"

#include <stdlib.h>

struct dw_reader *dw_reader_new(const struct dw_file *file, const struct dw_read_opts *opts)
{
	struct dw_reader *r = mem_zalloc(1, sizeof(*r));

	r->root = r->file = file;
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
	dw_companion_close(r->split_open);
	dw_names_release(&r->names);
	free(r->die_map.items);
	free(r->blocks);
	free(r->frames.items);
	free(r->saved.items);
	free(r->aliases.items);
	free(r->raw_funcs.items);
	free(r->raw_params.items);
	free(r->raw_vars.items);
	free(r->borrowed_names.items);
	free(r);
}

/* Offsets are below @end from now on. */
static void make_blocks(struct dw_reader *r, uint64_t end)
{
	size_t nr = (size_t)(end >> 3) + 1, cap = r->blocks_cap;

	if (nr <= cap)
		return;
	r->blocks = mem_grow(r->blocks, &r->blocks_cap, nr, sizeof(r->blocks[0]));
	memset(r->blocks + cap, 0, (r->blocks_cap - cap) * sizeof(r->blocks[0]));
}

/* Forget what was read before. */
static void reset(struct dw_reader *r, struct cu *cu)
{
	dw_ref_units_reset(r);
	r->split = NULL;
	r->skeleton = NULL;
	r->file = r->root;
	r->merged = false;
	cu_reset(cu);
	r->cu = cu;
	r->die_map.nr = r->frames.nr = r->saved.nr = r->aliases.nr = 0;
	r->top = vec_add(&r->frames);
	r->top->ctx = CTX_DROP;
	r->raw_funcs.nr = r->raw_params.nr = r->raw_vars.nr = r->borrowed_names.nr = 0;
	r->old_bits = r->open_sizes = false;
	r->nr_unresolved = r->nr_dropped = r->nr_chained = 0;
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

static uint32_t string_of(struct dw_reader *r, const struct unit_die *d, uint16_t attr)
{
	return dw_attr_string(r, d->abbrev, d->values, attr);
}

/* Compile the unit's abbreviations and read its outermost DIE. */
static struct err *open_unit(struct dw_reader *r, const struct dw_unit *u, struct unit_die *d)
{
	const struct object *obj = r->file->obj;
	struct dw_cursor c = { r->base + (u->die - u->start), r->end, obj->swap, false };

	TRY(err_at(dw_abbrevs_compile(&r->abbrevs, obj->debug[DEBUG_ABBREV], u->abbrev, u->enc),
		   "%s+%#llx", dw_unit_section(u), (unsigned long long)u->start));

	*d = (struct unit_die){ 0 };
	if (u->die == u->end)
		return NULL;
	uint64_t code = dw_cursor_uleb(&c);
	if (c.failed || (code && code >= r->abbrevs.lines.nr))
		return err_new(ERR_FORMAT, "%s+%#llx: no abbreviation has the code %llu",
			       dw_unit_section(u), (unsigned long long)u->die,
			       (unsigned long long)code);
	if (!code)
		return NULL;
	d->abbrev = &r->abbrevs.lines.items[code];
	d->values = c.p;
	if (d->abbrev->kind != DK_UNIT)
		return err_new(ERR_FORMAT, "%s+%#llx: the unit starts with an entry of tag %#x",
			       dw_unit_section(u), (unsigned long long)u->die, d->abbrev->tag);

	/* without a base attribute the tables start behind one header (DWARF 5, 7.26 to 7.29) */
	bool v5 = u->enc.version >= 5;
	uint64_t header = u->enc.off_size == 8 ? 16 : 8;
	r->str_offsets_base = u->str_offsets +
			      number_of(r, d, DW_AT_str_offsets_base, v5 ? header : 0);
	r->locs = (struct dw_locations){
		.obj = obj,
		.enc = u->enc,
		.addr_base = number_of(r, d, v5 ? DW_AT_addr_base : DW_AT_GNU_addr_base,
				       v5 ? header : 0),
		.split = obj->is_split,
		.lists = u->lists,
		.loclists_base = u->lists + number_of(r, d, DW_AT_loclists_base, header + 4),
	};
	if (r->file->is_split) {
		r->locs.addrs = r->skeleton;
		r->locs.addr_base = r->skeleton_addr_base;
	}
	d->name = string_of(r, d, DW_AT_name);
	d->lang = (uint16_t)dw_attr_number(r, d->abbrev, d->values, DW_AT_language);
	d->clang = strstr(str_pool_text(r->file->strings, string_of(r, d, DW_AT_producer)),
			  "clang");
	return NULL;
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

static bool name_wanted(const struct dw_reader *r, const struct unit_die *d)
{
	return dw_unit_name_wanted(&r->opts, str_pool_text(r->file->strings, d->name));
}

static bool language_wanted(const struct dw_reader *r, const struct unit_die *d)
{
	return dw_unit_lang_wanted(&r->opts, d->lang);
}

/* Language and name decide whether a unit counts. */
static bool unit_wanted(const struct dw_reader *r, const struct unit_die *d)
{
	bool by_name = !name_wanted(r, d);

	if (!by_name && language_wanted(r, d))
		return true;
	vec_push(&r->cu->excluded, ((struct cu_excluded){ d->name, by_name }));
	return false;
}

/* Walk the DIEs below the outermost one. */
static struct err *walk_unit(struct dw_reader *r, const struct unit_die *d)
{
	return d->abbrev && d->abbrev->children ? dw_walk(r, d->abbrev, d->values, r->end) : NULL;
}

/* @err, with the file at hand if that is not the one that was asked for. */
static struct err *where(const struct dw_reader *r, struct err *err)
{
	return r->file == r->root ? err : err_at(err, "'%s'", r->file->obj->path);
}

/* @u, which lies at @base, is what is read from now on. */
static struct err *look_at_unit(struct dw_reader *r, const struct dw_unit *u, const uint8_t *base,
				struct unit_die *d)
{
	r->unit = u;
	r->base = base;
	r->end = base + (u->end - u->start);
	return open_unit(r, u, d);
}

/* Part @i is read, its abbreviations are compiled. What the reader did before must not show here. */
static struct err *count_work(struct dw_reader *r, size_t i)
{
	const struct dw_unit *u = r->ref_units.items[i].unit,
			     *before = r->ref_units.items[i - 1].unit;

	r->cu->work += u->end - u->start;
	if (u->abbrev != before->abbrev)
		r->cu->work += r->abbrevs.len;
	/* a .dwo file is read for one unit */
	return r->split ? NULL : dw_file_check_work(r->root, r->cu->work);
}

static struct err *enter_ref_unit(struct dw_reader *r, size_t i, const uint8_t *base,
				  struct unit_die *d)
{
	struct ref_unit *p = &r->ref_units.items[i];

	/* names are remembered by their offsets, which mean others in another file */
	if (p->file != r->names_of && r->names.recent && !p->file->str_ids)
		memset(r->names.recent, 0, RECENT_NAMES * sizeof(r->names.recent[0]));
	r->names_of = p->file;
	r->file = p->file;
	r->base_offset = p->base_offset;
	TRY(look_at_unit(r, p->unit, base, d));
	if (i && !r->merged)
		TRY(count_work(r, i));
	p->first_param = r->raw_params.nr;
	p->locs = r->locs;
	return NULL;
}

/* All types of the file belong to what is read: it is the only unit, or all units. */
static void add_all_types(struct dw_reader *r, const struct dw_file *f)
{
	for (size_t i = 0; i < f->signatures.nr; i++)
		if (!r->merged || f->signatures.items[i]->section != DEBUG_INFO)
			dw_ref_unit_add(r, f, f->signatures.items[i]);
}

/* The bytes of @u of @file, maybe in @room. */
static struct err *unit_bytes(const struct dw_file *file, const struct dw_unit *u,
			      struct object_room *room, struct bytes *ret)
{
	if (u->section == DEBUG_INFO)
		return object_info(file->obj, (size_t)u->start, (size_t)u->end, room, ret);
	*ret = (struct bytes){ file->obj->debug[u->section].ptr + u->start,
			       (size_t)(u->end - u->start) };
	return NULL;
}

/* A whole unit says by itself what its functions and variables are: here it only lends them. */
static void lend(struct dw_reader *r, size_t funcs, size_t vars)
{
	for (size_t i = funcs; i < r->raw_funcs.nr; i++)
		r->raw_funcs.items[i].flags |= CU_FUNC_DECL;
	for (size_t i = vars; i < r->raw_vars.nr; i++)
		r->raw_vars.items[i].flags &= (uint8_t)~RAW_VAR_TOP;
}

/* Read the parts from @first on, and those that come up meanwhile. */
static struct err *walk_ref_units(struct dw_reader *r, size_t first)
{
	for (size_t i = first; i < r->ref_units.nr; i++) {
		const struct ref_unit p = r->ref_units.items[i];
		size_t funcs = r->raw_funcs.nr, vars = r->raw_vars.nr;
		struct unit_die d = { 0 };
		struct bytes b;

		TRY(unit_bytes(p.file, p.unit, &r->ref_units.items[i].room, &b));
		make_blocks(r, p.base_offset + b.len);
		TRY(where(r, enter_ref_unit(r, i, b.ptr, &d)));
		TRY(where(r, walk_unit(r, &d)));
		if (d.abbrev && d.abbrev->tag == DW_TAG_compile_unit)
			lend(r, funcs, vars);
	}
	r->file = r->root;
	r->unit = r->ref_units.items[0].unit;
	return NULL;
}

static void finish(struct dw_reader *r)
{
	dw_resolve(r);
	dw_resolve_funcs(r);
	r->cu->nr_void = r->nr_unresolved;
	r->cu->nr_unknown = r->nr_dropped;
}

/* Put the units of the .dwo file @f in the order of their ids. Those of DWARF 5 are in the headers. */
static struct err *read_ids(struct dw_reader *r, struct dw_file *f)
{
	r->file = f;
	for (size_t i = 0; i < f->units.nr; i++) {
		CLEANUP(object_room_release) struct object_room room = { 0 };
		struct dw_unit *u = &f->units.items[i];
		struct unit_die d = { 0 };
		struct dw_value id;
		struct bytes b;

		if (dw_unit_is_type(u))
			continue;
		if (u->enc.version < 5) {
			TRY(unit_bytes(f, u, &room, &b));
			TRY(look_at_unit(r, u, b.ptr, &d));
			if (!d.abbrev || !dw_attr(r, d.abbrev, d.values, DW_AT_GNU_dwo_id, &id))
				continue;
			u->signature = id.number;
		}
		vec_push(&f->ids, u);
	}
	split_sort_ids(f);
	return NULL;
}

/* Open the .dwo file @name, or go on with it; r->split_open is NULL if it is not there. */
static struct err *open_split(struct dw_reader *r, uint32_t folder, uint32_t name)
{
	const struct dw_file *f = r->root;

	if (r->split_open && r->split_folder == folder && r->split_name == name)
		return NULL;
	dw_companion_close(r->split_open);
	r->split_open = NULL;
	TRY(split_file_open(f, str_pool_text(f->strings, folder), str_pool_text(f->strings, name),
			    &r->split_open));
	r->split_folder = folder;
	r->split_name = name;
	if (!r->split_open)
		return NULL;
	return err_at(read_ids(r, &r->split_open->file), "'%s'", r->split_open->obj.path);
}

/*
 * If the unit at hand, the @i-th, is a skeleton: go on in its stead with the one that it names.
 * That may be a skeleton itself only if somebody means ill; nobody follows it then.
 */
static struct err *follow_skeleton(struct dw_reader *r, size_t i, struct unit_die *d, bool *found)
{
	const struct dw_unit *u = r->unit, *split = NULL;
	const struct dw_file *f = r->root, *from = NULL;
	bool v5 = u->enc.version >= 5;
	uint32_t name = string_of(r, d, v5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
	uint32_t folder = string_of(r, d, DW_AT_comp_dir);
	uint64_t id = v5 ? u->signature : number_of(r, d, DW_AT_GNU_dwo_id, 0);

	if (!name && d->abbrev->tag != DW_TAG_skeleton_unit)
		return NULL;
	r->skeleton = f->obj;
	r->skeleton_addr_base = r->locs.addr_base;
	if (f->package) {
		from = &f->package->file;
		split = split_find_unit(from, id);
	}
	if (!split) {
		TRY(open_split(r, folder, name));
		r->split = r->split_open;
		from = r->split ? &r->split->file : NULL;
		split = from ? split_find_unit(from, id) : NULL;
	}
	*found = split != NULL;
	if (!split) {
		/* an empty name is told as one, too */
		f->missing[i] = name ? name : str_pool_add_copy(f->strings, "?", 1);
		r->cu->missing = f->missing[i];
		return NULL;
	}

	struct bytes b;
	dw_ref_units_reset(r);
	dw_ref_unit_add(r, from, split);
	make_blocks(r, split->end - split->start);
	TRY(unit_bytes(from, split, &r->room, &b));
	return where(r, enter_ref_unit(r, 0, b.ptr, d));
}

/* What the cu says of itself, in the words of its first unit. */
static void introduce(const struct dw_reader *r, const struct dw_unit *u, const struct unit_die *d)
{
	struct cu *cu = r->cu;

	cu->lang = d->lang;
	cu->clang = d->clang;
	cu->addr_size = u->enc.addr_size;
	cu->incomplete = r->root->lacks_sup;
}

/* The type units that nobody has asked for, and those that they ask for. */
static struct err *read_left(struct dw_reader *r, bool *wanted)
{
	const struct dw_file *f = r->root;

	*wanted = false;
	/* whose they are is not said, so they may be of an excluded one */
	if (r->opts.nr_exclude)
		return NULL;
	for (size_t i = 0; i < f->left.nr; i++) {
		const struct dw_unit *u = f->left.items[i];
		CLEANUP(object_room_release) struct object_room room = { 0 };
		struct unit_die d = { 0 };
		struct bytes b;

		TRY(unit_bytes(f, u, &room, &b));
		TRY(look_at_unit(r, u, b.ptr, &d));
		if (!d.abbrev || !name_wanted(r, &d) || !language_wanted(r, &d))
			continue;
		if (!*wanted)
			introduce(r, u, &d);
		*wanted = true;
		dw_ref_unit_add(r, f, u);
	}
	if (!*wanted)
		return NULL;
	TRY(walk_ref_units(r, 0));
	finish(r);
	return NULL;
}

struct err *dw_read_cu(struct dw_reader *r, size_t i, struct cu *cu, bool *wanted)
{
	const struct dw_file *f = r->root;
	bool found = true;
	struct unit_die d = { 0 };
	struct bytes b;

	reset(r, cu);
	if (i == f->units.nr)
		return read_left(r, wanted);

	const struct dw_unit *u = &f->units.items[i];
	if (u->end - u->start >= DIE_FOREIGN)
		return err_new(ERR_LIMIT, ".debug_info+%#llx: a unit of over 4 GiB",
			       (unsigned long long)u->start);
	dw_ref_unit_add(r, f, u);
	make_blocks(r, u->end - u->start);
	TRY(unit_bytes(f, u, &r->room, &b));
	TRY(enter_ref_unit(r, 0, b.ptr, &d));

	if (unlikely(f->has_skeletons) && d.abbrev) {
		TRY(follow_skeleton(r, i, &d, &found));
		f = r->file;
		u = r->unit;
	}

	/* parts of others say nothing by themselves */
	*wanted = found && d.abbrev && d.abbrev->tag != DW_TAG_partial_unit &&
		  d.abbrev->tag != DW_TAG_skeleton_unit && !dw_unit_is_type(u) &&
		  unit_wanted(r, &d);
	if (!*wanted)
		return NULL;
	cu->name = d.name;
	introduce(r, u, &d);
	TRY(where(r, walk_unit(r, &d)));
	if (f->nr_others == 1)
		add_all_types(r, f);
	TRY(walk_ref_units(r, 1));
	finish(r);
	return NULL;
}

struct err *dw_read_merged(struct dw_reader *r, struct cu *cu, bool *wanted)
{
	size_t nr = r->root->units.nr, len = r->root->obj->debug[DEBUG_INFO].len;
	struct bytes info;
	bool first = true;

	if (len >= DIE_FOREIGN)
		return err_new(
			ERR_LIMIT,
			".debug_info of %zu bytes in units that refer to one another; at most 4 GiB",
			len);
	reset(r, cu);
	TRY(object_info(r->root->obj, 0, len, &r->room, &info));
	make_blocks(r, len);
	r->merged = true;
	*wanted = false;
	for (size_t i = 0; i < nr; i++)
		vec_push(&r->ref_units,
			 ((struct ref_unit){
				 .file = r->root,
				 .unit = &r->root->units.items[i],
				 .base_offset = (die_off)r->root->units.items[i].start }));
	r->ref_units_end = ((uint64_t)len + 7) & ~(uint64_t)7;
	for (size_t i = 0; i < nr; i++) {
		const struct dw_unit *u = &r->root->units.items[i];
		struct unit_die d = { 0 };

		TRY(enter_ref_unit(r, i, info.ptr + u->start, &d));
		if (!d.abbrev || !unit_wanted(r, &d))
			continue;
		if (first) {
			introduce(r, u, &d);
			first = false;
		}
		*wanted = true;
		TRY(walk_unit(r, &d));
	}
	if (!*wanted)
		return NULL;
	add_all_types(r, r->root);
	TRY(walk_ref_units(r, nr));
	finish(r);
	return NULL;
}
