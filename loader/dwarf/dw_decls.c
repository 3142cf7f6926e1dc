/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_decls.c - see dw_decls.h */
#include "loader/dwarf/dw_decls.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "loader/dwarf/dw_lines.h"
#include "loader/dwarf/dw_walk.h"

#include <stdlib.h>

/* A definition. Names are ids of the string pool. */
struct entry {
	uint8_t ctype; /* enum btf_ctype */
	bool is_union;
	uint32_t name;
	uint64_t size;
	uint32_t first, nr; /* its members in dw_decls.members */
	uint32_t unit;      /* in dw_decls.units */
	uint64_t offset, file, line;
};

struct unit_source {
	const char *name, *folder;
	uint64_t lines; /* offset of the line table; UINT64_MAX: none */
};

/* A DIE whose children are read. */
struct open_die {
	bool wanted; /* it is a definition */
	struct entry entry;
	size_t first; /* its members in dw_decls.names, at the end */
};

struct dw_decls {
	struct object obj;
	bool opened;
	struct str_pool strings;
	struct dw_file dwarf;
	struct dw_reader *reader;
	struct dw_lines lines;
	uint8_t *own_lines; /* the section of @lines; NULL: borrowed */
	size_t next;        /* unit to read */
	VEC(struct unit_source) units;
	VEC(struct entry) entries;
	VEC(uint32_t) members;
	/* numbers of entries, plus 1 */
	struct hash_table by_all, by_name;
	VEC(struct open_die) open;
	VEC(uint32_t) names;
	char *file; /* of the last result */
};

void dw_decls_close(struct dw_decls *d)
{
	if (!d)
		return;
	dw_reader_free(d->reader);
	dw_file_close(&d->dwarf);
	str_pool_release(&d->strings);
	dw_lines_release(&d->lines);
	if (d->opened)
		object_close(&d->obj);
	hash_table_release(&d->by_all);
	hash_table_release(&d->by_name);
	FREE_ALL(d->own_lines, d->units.items, d->entries.items, d->members.items, d->open.items,
		 d->names.items, d->file, d);
}

static struct err *load_lines(struct dw_decls *d)
{
	const struct object *from = object_debug_file(&d->obj);
	const struct object_section *s;
	struct bytes lines = { 0 };

	from = from ? from : &d->obj;
	s = object_section(from, ".debug_line");
	if (!s)
		s = object_section(from, ".zdebug_line");
	if (s && s->data.len)
		TRY(object_read_section(from, (size_t)(s - from->sections), &lines, &d->own_lines));
	dw_lines_init(&d->lines, &d->obj, lines);
	return NULL;
}

static struct err *open_file(struct dw_decls *d, const struct file_ref *file,
			     const char *kabi_prefix, const struct dw_read_opts *opts)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 }; /* the encoding has them */
	const struct dw_open_opts open = { .kabi_prefix = kabi_prefix };

	str_pool_init(&d->strings);
	TRY(object_open_ref(file, &d->obj));
	d->opened = true;
	TRY(object_load_debug(&d->obj));
	if (!d->obj.debug[DEBUG_INFO].len)
		return NULL;
	TRY(dw_file_open(&d->obj, &d->strings, &open, &diags, &d->dwarf));
	d->reader = dw_reader_new(&d->dwarf, opts);
	return load_lines(d);
}

struct err *dw_decls_open(const struct file_ref *file, const char *kabi_prefix,
			  const struct dw_read_opts *opts, struct dw_decls **ret)
{
	struct dw_decls *d = mem_zalloc(1, sizeof(*d));
	struct err *e = err_at(open_file(d, file, kabi_prefix, opts), "'%s'", file->name);

	if (e || !d->reader) {
		dw_decls_close(d);
		d = NULL;
	}
	*ret = d;
	return e;
}

/* --- definitions by what they are ------------------------------------------------------ */

static bool same_name(const struct entry *a, const struct entry *b)
{
	return a->ctype == b->ctype && a->is_union == b->is_union && a->name == b->name;
}

static uint64_t name_hash(const struct entry *e)
{
	return hash_mix(e->name, e->ctype | (uint64_t)e->is_union << 8);
}

static uint64_t hash_of(const struct entry *e, const uint32_t *members)
{
	uint64_t hash = hash_mix(name_hash(e), e->size);

	for (uint32_t i = 0; i < e->nr; i++)
		/* cppcheck-suppress nullPointer ; nr is 0 then */
		hash = hash_mix(hash, members[i]);
	return hash;
}

/* The number of the entry that is the same as @e with @members, plus 1; 0: none */
static uint32_t find_entry(const struct dw_decls *d, const struct entry *e, const uint32_t *members,
			   uint64_t hash)
{
	return HASH_FIND(&d->by_all, hash, i,
			 same_name(&d->entries.items[i - 1], e) &&
				 d->entries.items[i - 1].size == e->size &&
				 d->entries.items[i - 1].nr == e->nr &&
				 (!e->nr ||
				  !memcmp(d->members.items + d->entries.items[i - 1].first, members,
					  e->nr * sizeof(*members))));
}

static uint32_t find_name(const struct dw_decls *d, const struct entry *e)
{
	return HASH_FIND(&d->by_name, name_hash(e), i, same_name(&d->entries.items[i - 1], e));
}

/* Add @e with @members unless it is known. */
static void add_entry(struct dw_decls *d, struct entry *e, uint32_t *members)
{
	uint64_t hash = hash_of(e, members);

	if (find_entry(d, e, members, hash))
		return;
	e->first = (uint32_t)d->members.nr;
	vec_append(&d->members, members, e->nr);
	vec_push(&d->entries, *e);
	hash_table_add(&d->by_all, hash, (uint32_t)d->entries.nr);
	if (!find_name(d, e))
		hash_table_add(&d->by_name, name_hash(e), (uint32_t)d->entries.nr);
}

/* --- reading units --------------------------------------------------------------------- */

/* Is @d the definition of a type? Then fill *ret. */
static bool read_definition(struct dw_reader *r, struct die d, const struct columns *s,
			    struct entry *ret)
{
	static const uint8_t ctypes[] = {
		[DK_STRUCT] = BTF_C_STRUCT,   [DK_CLASS] = BTF_C_STRUCT, [DK_UNION] = BTF_C_STRUCT,
		[DK_TYPEDEF] = BTF_C_TYPEDEF, [DK_ENUM] = BTF_C_ENUM,
	};

	if (d.a->kind >= ARRAY_SIZE(ctypes) || !ctypes[d.a->kind] || d.a->flags & DA_DECL)
		return false;
	*ret = (struct entry){
		.ctype = ctypes[d.a->kind],
		.is_union = d.a->kind == DK_UNION,
		.name = name_of(r, d.a, s),
		.size = d.a->kind == DK_TYPEDEF ? 0 : s->v[COL_SIZE],
		.offset = r->unit.header->start + (uint64_t)(d.start - r->unit.base),
		.file = dw_attr_number(r, d.a, d.values, DW_AT_decl_file),
		.line = dw_attr_number(r, d.a, d.values, DW_AT_decl_line),
	};
	return ret->name;
}

/* Is it a member that BTF has, too? C++ declares static variables as members. */
static bool is_member(const struct dw_abbrev *a)
{
	return a->kind == DK_ENUMERATOR ||
	       (a->kind == DK_MEMBER &&
		(a->flags & DA_HAS_VALUE || !(a->flags & (DA_EXTERNAL | DA_DECL))));
}

static void close_die(struct dw_decls *d)
{
	struct open_die *last = &d->open.items[--d->open.nr];

	if (!last->wanted)
		return;
	last->entry.nr = (uint32_t)(d->names.nr - last->first);
	add_entry(d, &last->entry, d->names.items + last->first);
	d->names.nr = last->first;
}

/* Read the DIE @die. Returns the end of its values, NULL if they leave the unit. */
static const uint8_t *read_die(struct dw_decls *ds, struct die d)
{
	struct dw_reader *r = ds->reader;
	struct open_die *in = ds->open.nr ? &ds->open.items[ds->open.nr - 1] : NULL;
	struct open_die next = { .first = ds->names.nr };
	struct columns s;
	const uint8_t *p = LOAD(COL(NAME) | COL(SIZE));

	if (!p)
		return NULL;
	if (in && in->wanted && is_member(d.a))
		vec_push(&ds->names, name_of(r, d.a, &s));
	next.wanted = read_definition(r, d, &s, &next.entry);
	next.entry.unit = (uint32_t)ds->units.nr - 1;
	if (d.a->children)
		vec_push(&ds->open, next);
	else if (next.wanted)
		add_entry(ds, &next.entry, NULL);
	return p;
}

static struct err *read_dies(struct dw_decls *ds, const uint8_t *p)
{
	struct dw_reader *r = ds->reader;
	const uint8_t *end = r->unit.end;

	ds->open.nr = ds->names.nr = 0;
	while (p < end) {
		const uint8_t *die = p;
		uint64_t code;

		p = read_code(p, end, &code);
		if (p && !code && ds->open.nr)
			close_die(ds);
		if (p && !code)
			continue;
		if (p && code < r->abbrevs.by_code.nr) {
			const struct dw_abbrev *a = &r->abbrevs.by_code.items[code];

			p = a->kind == DK_NONE || a->prefix > end - p ?
				    NULL :
				    read_die(ds, (struct die){ a, die, p, end, CTX_UNIT,
							       r->unit.file->obj->swap });
		} else {
			p = NULL;
		}
		if (!p || ds->open.nr > MAX_FRAMES)
			return err_new(ERR_FORMAT, ".debug_info+%#llx: malformed entry",
				       (unsigned long long)r->unit.header->start +
					       (unsigned long long)(die - r->unit.base));
	}
	return NULL;
}

static const char *string_at(const struct dw_decls *d, struct die unit, uint16_t attr)
{
	uint32_t id = dw_attr_string(d->reader, unit.a, unit.values, attr);

	return id ? str_pool_text(&d->strings, id) : NULL;
}

static struct err *read_unit(struct dw_decls *ds)
{
	struct dw_reader *r = ds->reader;
	struct die d = { .ctx = CTX_UNIT };
	struct columns s;
	struct dw_value lines;

	TRY(dw_open_unit(r, ds->next++, &d.a, &d.values));
	if (!d.a || !d.a->children)
		return NULL;
	d.end = r->unit.end;
	d.swap = r->unit.file->obj->swap;
	vec_push(&ds->units, ((struct unit_source){
				     .name = string_at(ds, d, DW_AT_name),
				     .folder = string_at(ds, d, DW_AT_comp_dir),
				     .lines = dw_attr(r, d.a, d.values, DW_AT_stmt_list, &lines) ?
						      lines.number :
						      UINT64_MAX,
			     }));
	const uint8_t *p = LOAD(0);
	return p ? read_dies(ds, p) : NULL;
}

/* --- results --------------------------------------------------------------------------- */

static void fill(struct dw_decls *d, const struct entry *e, struct dw_decl *ret)
{
	const struct unit_source *u = &d->units.items[e->unit];

	free(d->file);
	d->file = u->lines == UINT64_MAX ? NULL :
					   dw_lines_file(&d->lines, u->lines, e->file, u->folder);
	*ret = (struct dw_decl){ u->name, d->file, e->line, e->offset };
}

static uint32_t id_of(struct dw_decls *d, const char *s)
{
	return s && *s ? str_pool_add_copy(&d->strings, s, strlen(s)) : 0;
}

struct err *dw_decls_find(struct dw_decls *d, const struct dw_decl_query *q, struct dw_decl *ret)
{
	CLEANUP(mem_free) uint32_t *members = mem_alloc(q->nr * sizeof(*members));
	const struct entry e = {
		.ctype = (uint8_t)q->ctype,
		.is_union = q->is_union,
		.name = id_of(d, q->name),
		.size = q->size,
		.nr = (uint32_t)q->nr,
	};
	uint64_t hash;
	uint32_t found;

	*ret = (struct dw_decl){ 0 };
	for (size_t i = 0; i < q->nr; i++)
		members[i] = id_of(d, q->members[i]);
	hash = hash_of(&e, members);
	while (!(found = find_entry(d, &e, members, hash)) && d->next < d->dwarf.units.nr)
		TRY(err_at(read_unit(d), "'%s'", d->obj.path));
	if (!found)
		found = find_name(d, &e);
	if (found)
		fill(d, &d->entries.items[found - 1], ret);
	return NULL;
}
