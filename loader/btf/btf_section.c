/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_section.c - see btf_section.h
 *
 * One word of BTF can depend on where things come to lie: the offset of a variable in a
 * DATASEC. clang lets the linker set it (for BPF, by R_BPF_64_NODYLD32 and R_BPF_64_ABS32),
 * others may do so with the absolute relocations of 32 bits that their machine has. They
 * all mean symbol plus addend; an addend that is not in the relocation is the word itself.
 *
 * In a relocatable file sections have no addresses yet, so the result is an offset in the
 * section of the symbol, which is what BTF asks for. A linked file has it from the linker,
 * and relocations that are still there (ld --emit-relocs) are history.
 *
 * pahole replaces .BTF and leaves the relocations of the old one, which then lie anywhere. To
 * take only those that belong here, three things that do not know of each other have to
 * agree: the offset of the relocation, the variable that BTF describes there, and
 * the symbol at the result.
 */
#include "loader/btf/btf_section.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "base/vec.h"
#include "btf/btf_view.h"
#include "loader/btf/archive.h"
#include "loader/elf/inflate.h"
#include "loader/elf/reloc.h"
#include "loader/elf/symbols.h"

#include <elf.h>
#include <stdlib.h>

/* Data that all sections of relocations share. */
struct context {
	const struct object *o;
	struct bytes btf;
	struct archive members;
	struct symbols syms;
	struct {
		const struct symbol **items;
		size_t nr, cap;
	} by_location; /* symbols with a name, by section and value */
	uint8_t *copy; /* of @btf, with what was applied so far; NULL until something is */
};

/* One section of relocations. */
struct table {
	const struct object_section *section;
	struct reloc_entries entries;
	size_t nr_stale;
	uint64_t stale_at; /* the first that does not fit, and why */
	struct err *why;
};

/* The offset of a variable, or of an extern function, in a DATASEC of a member. */
struct slot {
	size_t btf_off; /* in .BTF */
	uint32_t offset, size;
	const char *var, *datasec;
};

/* A word to store in .BTF. */
struct patch {
	size_t btf_off;
	uint32_t word; /* in the byte order of the member */
};

struct patches {
	struct patch *items;
	size_t nr, cap;
};

static void release_context(struct context *c)
{
	archive_release(&c->members);
	symbols_release(&c->syms);
	free(c->by_location.items);
	free(c->copy);
}

static void release_table(struct table *t)
{
	reloc_entries_release(&t->entries);
	err_free(t->why);
}

static void release_patches(struct patches *p)
{
	free(p->items);
}

static int compare_locations(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static void sort_symbols(struct context *c)
{
	for (size_t i = 0; i < c->syms.nr_all; i++) {
		const struct symbol *s = &c->syms.all[i];

		if (s->name[0] && s->type != STT_SECTION && s->type != STT_FILE)
			vec_push(&c->by_location, s);
	}
	if (c->by_location.nr)
		qsort(c->by_location.items, c->by_location.nr, sizeof(c->by_location.items[0]),
		      compare_locations);
}

/* Compilers add a number to a name that they have twice: "count.1". */
static bool is_name_of(const char *symbol, const char *var)
{
	size_t len = strlen(var);

	return strncmp(symbol, var, len) == 0 && (symbol[len] == '\0' || symbol[len] == '.');
}

enum neighbour { NOBODY, SOMEBODY_ELSE, THE_VARIABLE };

/* Who is at @value of section @section: the variable @var? */
static enum neighbour who_is_at(const struct context *c, uint32_t section, uint64_t value,
				const char *var)
{
	const struct symbol want = { .section = section, .value = value }, *key = &want;
	enum neighbour found = NOBODY;
	size_t i = LOWER_BOUND(0, c->by_location.nr, k,
			       compare_locations(&c->by_location.items[k], &key) < 0);

	for (; i < c->by_location.nr && !compare_locations(&c->by_location.items[i], &key); i++) {
		const struct symbol *s = c->by_location.items[i];

		if (is_name_of(s->name, var))
			return THE_VARIABLE;
		if (s->type == STT_OBJECT || s->type == STT_TLS)
			found = SOMEBODY_ELSE;
	}
	return found;
}

/*
 * Nothing is known of what is at the result. That is so where local symbols were thrown
 * away; relocations are then against the section, whose name is all we have to go by.
 */
static bool may_be_nameless(const struct context *c, const struct slot *slot,
			    const struct symbol *sym)
{
	return sym->type == STT_SECTION &&
	       !strcmp(c->o->sections[sym->section].name, slot->datasec) &&
	       !object_symbols_have(&c->syms.objects, slot->var, strlen(slot->var), sym->section);
}

/* Does @value, in the section of @sym, make sense for @slot? */
static struct err *check_value(const struct context *c, const struct slot *slot,
			       const struct symbol *sym, uint64_t value)
{
	const struct object_section *s;

	if (sym->section >= c->o->nr_sections)
		return err_new(ERR_FORMAT, "'%s' would be in section %#x", slot->var, sym->section);
	s = &c->o->sections[sym->section];
	if (value > s->size || slot->size > s->size - value || value > UINT32_MAX)
		return err_new(ERR_FORMAT, "'%s' would be at %s+%#jx, outside of it", slot->var,
			       s->name, (uintmax_t)value);

	enum neighbour who = who_is_at(c, sym->section, value, slot->var);
	if (who == THE_VARIABLE || (who == NOBODY && may_be_nameless(c, slot, sym)))
		return NULL;
	return err_new(ERR_FORMAT, "'%s' would be at %s+%#jx, where it is not", slot->var, s->name,
		       (uintmax_t)value);
}

/*
 * Apply @e, which lies at the offset of @slot, if it belongs there; what is not defined in
 * this object stays as it is.
 */
static struct err *apply_one(const struct context *c, const struct table *t,
			     const struct reloc_entry *e, const struct slot *slot, bool swap,
			     struct patches *patches)
{
	if (reloc_absolute_width(c->o, e->type) != sizeof(uint32_t))
		return err_new(ERR_FORMAT,
			       "relocation type %u of machine %u for an offset of 32 bits", e->type,
			       c->o->machine);
	if (!e->symbol || e->symbol > c->syms.nr_all)
		return err_new(ERR_FORMAT, "relocation against symbol %u of %zu", e->symbol,
			       c->syms.nr_all + 1);

	const struct symbol *sym = &c->syms.all[e->symbol - 1];
	if (sym->section == SHN_UNDEF || sym->section == SYMBOL_RESERVED + SHN_COMMON) {
		if (is_name_of(sym->name, slot->var))
			return NULL;
		return err_new(ERR_FORMAT, "'%s' gets the offset of '%s'", slot->var, sym->name);
	}

	uint64_t value = sym->value + e->addend;
	if (reloc_addend_in_place(c->o, e->type, t->section->type == SHT_RELA))
		value = (uint32_t)(value + slot->offset);
	TRY(check_value(c, slot, sym, value));
	vec_push(patches, ((struct patch){ slot->btf_off, swap32((uint32_t)value, swap) }));
	return NULL;
}

/* Walks the relocations of one member, by offset, along with the slots of its DATASECs. */
struct cursor {
	const struct context *c;
	const struct table *t;
	const struct reloc_entry *e, *end;
	const struct btf_view *view;
	struct patches patches;
};

static struct err *visit_slot(struct cursor *cur, const struct slot *slot)
{
	if (cur->e < cur->end && cur->e->offset < slot->btf_off)
		return err_new(ERR_FORMAT, "there is no offset of a variable");
	if (cur->e == cur->end || cur->e->offset != slot->btf_off)
		return NULL;
	TRY(apply_one(cur->c, cur->t, cur->e, slot, cur->view->swapped, &cur->patches));
	cur->e++;
	return NULL;
}

static struct err *visit_datasec(struct cursor *cur, uint32_t id, size_t btf_off)
{
	const struct btf_types *t = &cur->view->types;
	const uint32_t *rec = btf_types_rec(t, id);
	size_t nr = btf_info_vlen(rec[BTF_REC_INFO]);

	for (size_t i = 0; i < nr; i++) {
		const uint32_t *entry = rec + BTF_REC_WORDS + 3 * i;
		const uint32_t *var = entry[0] ? btf_types_rec(t, entry[0]) : NULL;

		if (!var || (btf_info_kind(var[BTF_REC_INFO]) != BTF_VAR &&
			     btf_info_kind(var[BTF_REC_INFO]) != BTF_FUNC))
			continue;
		TRY(visit_slot(cur,
			       &(struct slot){
				       .btf_off = btf_off +
						  (size_t)(entry + 1 - rec) * sizeof(*rec),
				       .offset = entry[1],
				       .size = entry[2],
				       .var = btf_view_str(cur->view, NULL, var[BTF_REC_NAME]),
				       .datasec = btf_view_str(cur->view, NULL, rec[BTF_REC_NAME]),
			       }));
	}
	return NULL;
}

static struct err *visit_member(struct cursor *cur, struct bytes member, size_t offset)
{
	const struct btf_types *t = &cur->view->types;
	bool swap = cur->view->swapped;
	size_t hdr_len = swap32(load32(member.ptr + 4), swap);
	size_t records = offset + hdr_len + swap32(load32(member.ptr + 8), swap);

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		if (btf_info_kind(btf_types_rec(t, id)[BTF_REC_INFO]) != BTF_DATASEC)
			continue;
		TRY(visit_datasec(cur, id,
				  records + (size_t)t->start.items[id - t->first] *
						    sizeof(uint32_t)));
	}
	if (cur->e < cur->end)
		return err_new(ERR_FORMAT, "there is no offset of a variable");
	return NULL;
}

/* None of the @nr relocations from @first on is applied, because @why. */
static void add_stale(struct table *t, const struct reloc_entry *first, size_t nr, struct err *why)
{
	t->nr_stale += nr;
	if (t->why) {
		err_free(why);
		return;
	}
	t->why = why;
	t->stale_at = first->offset;
}

/* Apply the relocations [@first, @first + @nr), which lie in member @i. */
static void apply_to_member(struct context *c, struct table *t, size_t i,
			    const struct reloc_entry *first, size_t nr)
{
	CLEANUP(btf_view_release) struct btf_view view = { 0 };
	CLEANUP(release_patches) struct patches patches = { 0 };
	struct cursor cur = { .c = c, .t = t, .e = first, .end = first + nr, .view = &view };
	struct bytes member = archive_bytes(&c->members, i);

	struct err *e = btf_view_open(member, NULL, &view);
	if (!e)
		e = visit_member(&cur, member, c->members.members.items[i].offset);
	patches = cur.patches;
	if (e) {
		add_stale(t, cur.e < cur.end ? cur.e : first, nr, e);
		return;
	}
	if (patches.nr && !c->copy)
		c->copy = mem_dup(c->btf.ptr, c->btf.len);
	for (size_t k = 0; k < patches.nr; k++)
		memcpy(c->copy + patches.items[k].btf_off, &patches.items[k].word,
		       sizeof(uint32_t));
}

static int compare_entries(const void *a, const void *b)
{
	const struct reloc_entry *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* In the order of their offsets, without those that do nothing on any machine. */
static void tidy_entries(struct reloc_entries *e)
{
	size_t nr = 0;

	for (size_t i = 0; i < e->nr; i++) {
		if (e->items[i].type)
			e->items[nr++] = e->items[i];
	}
	e->nr = nr;
	if (nr)
		qsort(e->items, nr, sizeof(e->items[0]), compare_entries);
}

static void apply_entries(struct context *c, struct table *t)
{
	const struct reloc_entry *e = t->entries.items, *end = e + t->entries.nr;
	size_t i = 0;

	while (e < end) {
		const struct archive_member *m = c->members.members.items;
		size_t nr = 1;

		while (i < c->members.members.nr && m[i].offset + m[i].size <= e->offset)
			i++;
		if (i == c->members.members.nr || e->offset < m[i].offset) {
			add_stale(t, e, nr, err_new(ERR_FORMAT, "no BTF is there"));
		} else {
			while (e + nr < end && e[nr].offset < m[i].offset + m[i].size)
				nr++;
			apply_to_member(c, t, i, e, nr);
		}
		e += nr;
	}
}

static struct err *apply_table(struct context *c, size_t index, struct diagnostics *diags)
{
	const struct object_section *s = &c->o->sections[index];
	CLEANUP(release_table) struct table t = { .section = s };

	TRY(reloc_read(c->o, index, &t.entries));
	tidy_entries(&t.entries);
	if (!t.entries.nr)
		return NULL;
	if (s->link >= c->o->nr_sections || strcmp(c->o->sections[s->link].name, ".symtab") != 0)
		add_stale(&t, t.entries.items, t.entries.nr,
			  err_new(ERR_FORMAT, "section %u is no symbol table", s->link));
	else
		apply_entries(c, &t);
	if (t.why)
		diag_add(diags, DIAG_WARNING,
			 "'%s': section %zu ('%s') does not belong to this .BTF: %zu of %zu "
			 "relocations are not applied; .BTF+%#jx: %s",
			 c->o->path, index, s->name, t.nr_stale, t.entries.nr,
			 (uintmax_t)t.stale_at, err_text(t.why));
	return NULL;
}

static bool is_table_for(const struct object *o, size_t index, size_t target)
{
	const struct object_section *s = &o->sections[index];

	return (s->type == SHT_REL || s->type == SHT_RELA) && s->info == target && s->data.len;
}

/* Apply all tables for section @btf. *ret_copy stays NULL if that changes nothing. */
static struct err *relocate(const struct object *o, size_t btf, struct bytes bytes,
			    struct diagnostics *diags, uint8_t **ret_copy)
{
	CLEANUP(release_context) struct context c = { .o = o, .btf = bytes };
	bool ready = false;

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->type == SECTION_CREL && s->info == btf && s->data.len)
			return err_new(ERR_UNSUPPORTED,
				       "'%s': section %zu ('%s'): relocations of type SHT_CREL",
				       o->path, i, s->name);
		if (!is_table_for(o, i, btf))
			continue;
		if (!ready) {
			struct err *damaged = archive_walk(bytes, false, &c.members);

			err_free(damaged); /* nothing fits then */
			TRY(symbols_read(o, &c.syms));
			TRY(symbols_index_objects(o, NULL, &c.syms));
			sort_symbols(&c);
			ready = true;
		}
		TRY(err_at(apply_table(&c, i, diags), "'%s'", o->path));
	}
	*ret_copy = TAKE(c.copy);
	return NULL;
}

struct err *btf_section_find(const struct object *o, const struct object_section **ret)
{
	*ret = NULL;
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (!s->data.len || strcmp(s->name, ".BTF") != 0)
			continue;
		if (*ret)
			return err_new(
				ERR_UNSUPPORTED,
				"'%s': sections %zu and %zu are both .BTF: link them into one, or give '-F dwarf'",
				o->path, (size_t)(*ret - o->sections), i);
		*ret = s;
	}
	return NULL;
}

struct err *btf_section_read(const struct object *o, struct diagnostics *diags, struct bytes *ret,
			     uint8_t **ret_own)
{
	CLEANUP(mem_free) uint8_t *inflated = NULL;
	const struct object_section *s;
	struct bytes bytes = { 0 };
	uint8_t *copy = NULL;

	TRY(btf_section_find(o, &s));
	if (s) {
		TRY(err_at(inflate_section(o, s, &bytes, &inflated), "'%s'", o->path));
		if (o->is_rel)
			TRY(relocate(o, (size_t)(s - o->sections), bytes, diags, &copy));
	}
	*ret_own = copy ? copy : TAKE(inflated);
	*ret = (struct bytes){ *ret_own ? *ret_own : bytes.ptr, bytes.len };
	return NULL;
}

struct err *btf_section_missing(const struct object *o)
{
	const struct object_section *info = object_section(o, ".debug_info");
	const char *hint =
		info && info->size ?
			", but DWARF: 'btfenc --btf_encode_detached=OUT' generates BTF from it" :
			"";

	if (object_section(o, ".BTF"))
		return err_new(ERR_FORMAT, "the .BTF section is empty%s", hint);
	return err_new(ERR_FORMAT, "there is no .BTF section%s", hint);
}
