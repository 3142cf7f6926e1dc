/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc.c - see reloc.h
 *
 * All relocations of a section are one run, or those of a part of it, which are found by marks:
 * tables are long, up to 24 bytes for every four that they change, and only a little of one is
 * wanted at a time.
 */
#include "loader/elf/reloc.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "base/vec.h"
#include "loader/elf/image.h"
#include "loader/elf/reloc_ops.h"

#include <assert.h>
#include <stdlib.h>

enum symbol_state {
	SYMBOL_KNOWN,
	SYMBOL_UNDEFINED, /* some other file has it */
	SYMBOL_BROKEN,    /* in a section that does not exist */
};

struct reloc_symbol {
	uint64_t value;
	enum symbol_state state;
};

/* One run over a section of relocations. */
struct reloc_run {
	const struct object *o;
	const struct object_section *relocs, *target;
	const struct reloc_ops *machine;
	const struct reloc_symbols *syms;
	uint64_t start; /* of @data in the section */
	uint8_t *data;
	size_t len;
	bool rela;
};

static struct reloc_symbol value_of(const struct object *o, const struct image_symtab *tab,
				    size_t i)
{
	struct image_symbol sym = image_symbol_at(o, tab->data.ptr + i * image_symbol_size(o));

	if (sym.shndx == SHN_UNDEF)
		return (struct reloc_symbol){ .state = SYMBOL_UNDEFINED };
	/* not allocated yet; what st_value holds is its alignment */
	if (sym.shndx == SHN_COMMON)
		return (struct reloc_symbol){ .value = 0 };
	if (sym.shndx >= SHN_LORESERVE && sym.shndx != SHN_XINDEX)
		return (struct reloc_symbol){ .value = sym.value };

	uint32_t index = image_symbol_section(o, tab, i, sym.shndx);
	if (index >= o->nr_sections)
		return (struct reloc_symbol){ .state = SYMBOL_BROKEN };
	const struct object_section *s = &o->sections[index];
	uint64_t base = s->flags & SHF_ALLOC ? s->debug_addr : 0;
	return (struct reloc_symbol){ .value = base + sym.value };
}

/* A file has one table of symbols. Many that come in turn are there to take time. */
enum { MOST_TABLES = 64 };

static struct err *read_reloc_symbols(const struct object *o, size_t section,
				      struct reloc_symbols *syms)
{
	size_t nr_read = syms->nr_read + 1;
	struct image_symtab tab;

	if (syms->section == section)
		return NULL;
	if (section == 0 || section >= o->nr_sections ||
	    (o->sections[section].type != SHT_SYMTAB && o->sections[section].type != SHT_DYNSYM))
		return err_new(ERR_FORMAT, "section %zu is not a symbol table", section);
	TRY(image_symtab(o, section, &tab));
	if (nr_read > MOST_TABLES)
		return err_new(ERR_LIMIT, "another symbol table than before, for the %zuth time",
			       nr_read - 1);

	reloc_symbols_release(syms);
	syms->nr_read = nr_read;
	syms->items = mem_alloc(tab.nr * sizeof(syms->items[0]));
	syms->nr = tab.nr;
	syms->section = section;
	for (size_t i = 0; i < tab.nr; i++)
		syms->items[i] = value_of(o, &tab, i);
	/* strip leaves relocations against the start of a debug section without a symbol */
	if (tab.nr)
		syms->items[0] = (struct reloc_symbol){ .value = 0 };
	return NULL;
}

/*
 * Numbers wrap at the length they have: of the two relocations that make a difference,
 * the first alone need not fit.
 */
static struct err *change_uleb(uint8_t *p, size_t room, enum reloc_action action, uint64_t value)
{
	uint64_t old = 0;
	size_t len = 0;

	do {
		if (len == room)
			return err_new(ERR_FORMAT, "LEB128 number runs out of the section");
		if (len < 10)
			old |= (uint64_t)(p[len] & 0x7f) << 7 * len;
	} while (p[len++] & 0x80);

	if (action == ACT_ADD_ULEB)
		value = old + value;
	else if (action == ACT_SUB_ULEB)
		value = old - value;
	for (size_t i = 0; i < len; i++) {
		uint64_t part = i < 10 ? value >> 7 * i & 0x7f : 0;

		p[i] = (uint8_t)(part | (i + 1 < len ? 0x80 : 0));
	}
	return NULL;
}

static struct err *change(const struct reloc_run *r, const struct reloc_entry *e, uint8_t op,
			  uint64_t value)
{
	size_t at = (size_t)(e->offset - r->start);
	uint8_t *p = r->data + at;
	unsigned int width = reloc_op_width(op);
	enum reloc_action action = reloc_op_action(op);
	bool swap = r->o->swap;

	switch (action) {
	case ACT_ABS:
	case ACT_SUM:
		field_put(p, width, swap, value);
		break;
	case ACT_ADD:
		field_put(p, width, swap, field_get(p, width, swap) + value);
		break;
	case ACT_SUB:
		field_put(p, width, swap, field_get(p, width, swap) - value);
		break;
	case ACT_SET6:
		*p = (uint8_t)((*p & 0xc0) | (value & 0x3f));
		break;
	case ACT_ADD6:
		*p = (uint8_t)((*p & 0xc0) | ((*p + value) & 0x3f));
		break;
	case ACT_SUB6:
		*p = (uint8_t)((*p & 0xc0) | ((*p - value) & 0x3f));
		break;
	case ACT_SET_ULEB:
	case ACT_ADD_ULEB:
	case ACT_SUB_ULEB:
		return change_uleb(p, r->len - at, action, value);
	case ACT_UNKNOWN:
	case ACT_SKIP:
		break;
	}
	return NULL;
}

static bool addend_in_place(uint8_t op, bool rela)
{
	return reloc_op_action(op) == ACT_SUM || (!rela && reloc_op_action(op) == ACT_ABS);
}

bool reloc_addend_in_place(const struct object *o, uint32_t type, bool rela)
{
	return addend_in_place(reloc_op(reloc_ops_of(o->machine), type), rela);
}

static struct err *apply_one(const struct reloc_run *r, const struct reloc_entry *e)
{
	uint8_t op = reloc_op(r->machine, e->type);
	unsigned int width = reloc_op_width(op);

	if (op == RELOC_SKIP)
		return NULL;
	if (!op)
		return err_new(ERR_UNSUPPORTED, "relocation type %u of machine %u", e->type,
			       r->o->machine);
	if (!bytes_have((struct bytes){ r->data, r->len }, e->offset - r->start, width))
		return err_new(ERR_FORMAT, "relocation lies outside of the %#zx bytes", r->len);
	if (e->symbol >= r->syms->nr)
		return err_new(ERR_FORMAT, "relocation against symbol %u of %zu", e->symbol,
			       r->syms->nr);

	const struct reloc_symbol *sym = &r->syms->items[e->symbol];
	if (sym->state == SYMBOL_BROKEN)
		return err_new(ERR_FORMAT, "relocation against symbol %u, in no section",
			       e->symbol);
	if (sym->state == SYMBOL_UNDEFINED)
		return NULL;

	uint64_t value = sym->value + e->addend;
	if (addend_in_place(op, r->rela))
		value += field_get(r->data + (e->offset - r->start), width, r->o->swap);
	return change(r, e, op, value);
}

/* In 64-bit MIPS up to three types share an entry, in bytes whose order is fixed. */
static void split_mips64_info(const struct reloc_run *r, const uint8_t *p, struct reloc_entry *e)
{
	e->symbol = image_u32(r->o, p);
	e->type = (uint32_t)p[7] | (uint32_t)p[6] << 8 | (uint32_t)p[5] << 16;
}

static void read_entry(const struct reloc_run *r, const uint8_t *p, struct reloc_entry *e)
{
	const struct object *o = r->o;
	uint64_t info = GET(o, Rela, p, r_info);

	e->offset = GET(o, Rela, p, r_offset);
	e->addend = r->rela ? GET(o, Rela, p, r_addend) : 0;
	if (o->addr_size == 4) {
		e->symbol = ELF32_R_SYM((uint32_t)info);
		e->type = ELF32_R_TYPE((uint32_t)info);
		e->addend = (uint64_t)(int32_t)e->addend;
		return;
	}
	e->symbol = (uint32_t)ELF64_R_SYM(info);
	e->type = (uint32_t)ELF64_R_TYPE(info);
	if (o->machine == EM_MIPS)
		split_mips64_info(r, p + offsetof(Elf64_Rela, r_info), e);
	else if (o->machine == EM_SPARCV9)
		e->type &= 0xff; /* the rest is a second addend, of other types */
}

static struct err *at_entry(struct err *e, const struct reloc_run *r, uint64_t offset)
{
	return err_at(e, "%s+%#jx", r->target->name, (uintmax_t)offset);
}

static size_t entry_size(const struct object *o, const struct object_section *s)
{
	return s->type == SHT_RELA ? SIZE(o, Rela) : SIZE(o, Rel);
}

static struct err *apply_any(const struct reloc_run *r, const uint8_t *p, const uint8_t *end)
{
	size_t step = entry_size(r->o, r->relocs);

	for (; p < end; p += step) {
		struct reloc_entry e;

		read_entry(r, p, &e);
		TRY(at_entry(apply_one(r, &e), r, e.offset));
	}
	return NULL;
}

/*
 * Hot: a kernel object has 100,000 of these, nearly all of 4 or 8 absolute bytes.
 * 64-bit RELA in our own byte order, and not MIPS or SPARC; the rest is left to
 * apply_one(), errors included.
 */
static struct err *apply_native(const struct reloc_run *r, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *ops = r->machine->ops;
	const struct reloc_symbol *syms = r->syms->items;
	size_t nr_ops = r->machine->nr, nr_syms = r->syms->nr, len = r->len;
	uint64_t start = r->start;
	uint8_t *data = r->data;

	for (; p < end; p += sizeof(Elf64_Rela)) {
		uint64_t offset = load64(p), info = load64(p + 8), addend = load64(p + 16);
		uint64_t at = offset - start;
		uint32_t sym = (uint32_t)(info >> 32), type = (uint32_t)info;

		if (likely(type < nr_ops && sym < nr_syms && len >= 8 && at <= len - 8 &&
			   syms[sym].state == SYMBOL_KNOWN)) {
			uint64_t value = syms[sym].value + addend;
			uint32_t low = (uint32_t)value;

			if (ops[type] == RELOC_OP(ACT_ABS, 4)) {
				memcpy(data + at, &low, sizeof(low));
				continue;
			}
			if (ops[type] == RELOC_OP(ACT_ABS, 8)) {
				memcpy(data + at, &value, sizeof(value));
				continue;
			}
		}
		struct reloc_entry e = { offset, addend, sym, type };
		TRY(at_entry(apply_one(r, &e), r, offset));
	}
	return NULL;
}

static struct err *check_reloc_table(const struct object *o, const struct object_section *s)
{
	size_t size = entry_size(o, s);

	if (s->flags & SHF_COMPRESSED)
		return err_new(ERR_UNSUPPORTED, "compressed relocations");
	if (s->entsize != size || s->data.len % size)
		return err_new(ERR_FORMAT, "%zu bytes of relocations of %ju bytes instead of %zu",
			       s->data.len, (uintmax_t)s->entsize, size);
	return NULL;
}

static bool is_native(const struct object *o, const struct object_section *s)
{
	return s->type == SHT_RELA && o->addr_size == 8 && !o->swap && o->machine != EM_MIPS &&
	       o->machine != EM_SPARCV9;
}

/* A run over section @index of @o. The caller sets @r->syms. */
static struct err *start_run(const struct object *o, size_t index, struct reloc_run *r)
{
	const struct object_section *s = &o->sections[index];

	*r = (struct reloc_run){
		.o = o,
		.relocs = s,
		.target = &o->sections[s->info],
		.machine = reloc_ops_of(o->machine),
		.rela = s->type == SHT_RELA,
	};
	if (!r->machine)
		return err_new(ERR_UNSUPPORTED, "section %zu ('%s'): relocations of machine %u",
			       index, s->name, o->machine);
	return err_at(check_reloc_table(o, s), "section %zu ('%s')", index, s->name);
}

static struct err *apply(const struct reloc_run *r, const uint8_t *p, const uint8_t *end)
{
	if (is_native(r->o, r->relocs))
		return apply_native(r, p, end);
	return apply_any(r, p, end);
}

struct err *reloc_apply(const struct object *o, size_t index, struct reloc_symbols *syms,
			uint8_t *data, size_t len)
{
	const struct object_section *s = &o->sections[index];
	struct reloc_run r;

	if (s->data.len == 0)
		return NULL;
	TRY(start_run(o, index, &r));
	TRY(err_at(read_reloc_symbols(o, s->link, syms), "section %zu ('%s')", index, s->name));
	r.syms = syms;
	r.data = data;
	r.len = len;
	return apply(&r, s->data.ptr, s->data.ptr + s->data.len);
}

void reloc_symbols_release(struct reloc_symbols *syms)
{
	free(syms->items);
	*syms = (struct reloc_symbols){ 0 };
}

/* --- part by part ---------------------------------------------------------------- */

/* One mark for so many relocations. */
enum { MARK_STRIDE = 1024 };

static uint64_t offset_at(const struct object *o, const uint8_t *p)
{
	return GET(o, Rel, p, r_offset);
}

/* The first relocation that is for @offset, or behind it. */
static size_t first_at(const struct reloc_table *t, const struct object *o, uint64_t offset)
{
	const struct object_section *s = &o->sections[t->index];
	size_t step = entry_size(o, s), nr = s->data.len / step;
	/* behind the last mark below @offset, but not behind the next one */
	size_t mark = LOWER_BOUND(0, t->nr_marks, i, t->marks[i] < offset);
	size_t first = mark ? (mark - 1) * MARK_STRIDE : 0;
	size_t end = mark * MARK_STRIDE < nr ? mark * MARK_STRIDE : nr;

	return LOWER_BOUND(first, end, i, offset_at(o, s->data.ptr + i * step) < offset);
}

/* While entries are only looked at: bytes of them that may be there at a time. */
enum { GIVE_BACK = 1024 * 1024 };

/* reloc_table_open() without a check of offsets; *t is zeroed. */
static struct err *open_table(const struct object *o, size_t index, struct reloc_run *r,
			      struct reloc_table *t)
{
	const struct object_section *s = &o->sections[index];
	size_t step = entry_size(o, s), nr = s->data.len / step, read = 0;
	uint64_t last = 0;

	TRY(start_run(o, index, r));
	TRY(err_at(read_reloc_symbols(o, s->link, &t->syms), "section %zu ('%s')", index, s->name));

	t->index = index;
	t->marks = mem_alloc((nr / MARK_STRIDE + 1) * sizeof(t->marks[0]));
	t->in_order = true;
	for (size_t i = 0; i < nr && t->in_order; i++) {
		uint64_t offset = offset_at(o, s->data.ptr + i * step);

		t->in_order = offset >= last;
		last = offset;
		if (i % MARK_STRIDE)
			continue;
		t->marks[t->nr_marks++] = offset;
		if ((i - read) * step >= GIVE_BACK) {
			pages_give_back(s->data.ptr + read * step, (i - read) * step);
			read = i;
		}
	}
	return NULL;
}

struct err *reloc_table_open(const struct object *o, size_t index, struct reloc_table *ret)
{
	CLEANUP(reloc_table_release) struct reloc_table t = { 0 };
	struct reloc_run r;

	TRY(open_table(o, index, &r, &t));
	if (t.in_order) {
		const struct object_section *s = r.relocs;
		size_t step = entry_size(o, s);
		/* what is for no part; those that do nothing may be anywhere */
		size_t beyond = first_at(&t, o, r.target->data.len);

		r.syms = &t.syms;
		r.len = r.target->data.len;
		TRY(apply(&r, s->data.ptr + beyond * step, s->data.ptr + s->data.len));
	}
	*ret = TAKE(t);
	return NULL;
}

struct bytes reloc_table_part(const struct reloc_table *t, const struct object *o, uint64_t start,
			      size_t len)
{
	const struct object_section *s = &o->sections[t->index];
	size_t step = entry_size(o, s);
	size_t first = first_at(t, o, start), end = first_at(t, o, start + len);

	return (struct bytes){ s->data.ptr + first * step, (end - first) * step };
}

struct err *reloc_table_apply(const struct reloc_table *t, const struct object *o, uint64_t start,
			      uint8_t *data, size_t len)
{
	struct bytes part = reloc_table_part(t, o, start, len);
	struct reloc_run r;

	TRY(start_run(o, t->index, &r));
	r.syms = &t->syms;
	r.start = start;
	r.data = data;
	r.len = len;
	return apply(&r, part.ptr, part.ptr + part.len);
}

void reloc_table_release(struct reloc_table *t)
{
	reloc_symbols_release(&t->syms);
	free(t->marks);
	*t = (struct reloc_table){ 0 };
}

struct err *reloc_read(const struct object *o, size_t index, struct reloc_entries *ret)
{
	const struct object_section *s = &o->sections[index];
	struct reloc_run r = { .o = o, .rela = s->type == SHT_RELA };
	size_t step = entry_size(o, s);

	TRY(err_at(check_reloc_table(o, s), "section %zu ('%s')", index, s->name));
	vec_reserve(ret, s->data.len / step);
	for (size_t at = 0; at < s->data.len; at += step)
		read_entry(&r, s->data.ptr + at, &ret->items[ret->nr++]);
	return NULL;
}

void reloc_entries_release(struct reloc_entries *e)
{
	free(e->items);
	*e = (struct reloc_entries){ 0 };
}

/* --- one by one ------------------------------------------------------------------ */

/* All entries that reloc_finder_open() takes, by offset; of one offset in the order of the file. */
static struct err *sort_entries(struct reloc_finder *f)
{
	const struct object *o = f->o;
	const struct object_section *first = &o->sections[f->table.index];

	for (size_t i = f->table.index; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->type == first->type && s->info == first->info && s->link == first->link)
			TRY(reloc_read(o, i, &f->entries));
	}
	if (f->entries.nr > UINT32_MAX)
		return err_new(ERR_LIMIT, "%zu relocations of one section", f->entries.nr);
	assert(f->entries.items); /* a section without entries is not opened */
	f->sorted = mem_alloc(f->entries.nr * sizeof(f->sorted[0]));
	for (size_t i = 0; i < f->entries.nr; i++)
		f->sorted[i] = (struct sort_key){ f->entries.items[i].offset, (uint32_t)i };
	sort_by_key(f->sorted, f->entries.nr);
	return NULL;
}

struct err *reloc_finder_open(const struct object *o, size_t index, struct reloc_finder *ret)
{
	CLEANUP(reloc_finder_release) struct reloc_finder f = { .o = o };
	struct reloc_run r;
	size_t nr = 0;

	for (size_t i = 1; o->is_rel && i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if ((s->type != SHT_REL && s->type != SHT_RELA) || s->info != index || !s->data.len)
			continue;
		if (nr++)
			continue;
		f.borrowed = o->impl->info_relocs.in_order && o->impl->info_relocs.index == i;
		if (f.borrowed)
			f.table = o->impl->info_relocs;
		else
			TRY(open_table(o, i, &r, &f.table));
	}
	if (nr > 1 || (nr && !f.table.in_order))
		TRY(sort_entries(&f));
	*ret = TAKE(f);
	return NULL;
}

/* Entry @i of all, by offset; false if there are fewer. */
static bool entry_at(const struct reloc_finder *f, size_t i, struct reloc_entry *ret)
{
	const struct object_section *s = &f->o->sections[f->table.index];
	const struct reloc_run r = { .o = f->o, .rela = s->type == SHT_RELA };
	size_t step = entry_size(f->o, s);

	if (f->sorted) {
		if (i < f->entries.nr)
			*ret = f->entries.items[f->sorted[i].id];
		return i < f->entries.nr;
	}
	if (i < s->data.len / step)
		read_entry(&r, s->data.ptr + i * step, ret);
	return i < s->data.len / step;
}

/* The first entry that is for @offset, or behind it. The finder has some. */
static size_t find_offset(const struct reloc_finder *f, uint64_t offset)
{
	if (f->sorted)
		return LOWER_BOUND(0, f->entries.nr, k, f->sorted[k].key < offset);
	return first_at(&f->table, f->o, offset);
}

bool reloc_finder_at(const struct reloc_finder *f, uint64_t offset, unsigned int width,
		     uint64_t value, struct reloc_entry *ret)
{
	const struct reloc_symbols *syms = &f->table.syms;
	struct reloc_entry e;
	size_t nr = 0;

	/* of a section that is not there */
	if (!f->o)
		return false;
	for (size_t i = find_offset(f, offset); entry_at(f, i, &e) && e.offset == offset; i++) {
		uint8_t op = reloc_op(reloc_ops_of(f->o->machine), e.type);

		if (op == RELOC_SKIP)
			continue;
		if (nr++ || reloc_absolute_width(f->o, e.type) != width || e.symbol >= syms->nr ||
		    syms->items[e.symbol].state == SYMBOL_BROKEN)
			return false;
		*ret = e;
		/* an undefined symbol has the value 0 here, and reloc_apply() changes nothing */
		if (addend_in_place(op, reloc_finder_is_rela(f))) {
			const struct reloc_symbol *sym = &syms->items[e.symbol];

			ret->addend = value - sym->value +
				      (sym->state == SYMBOL_UNDEFINED ? e.addend : 0);
		}
	}
	return nr != 0;
}

static bool subtracts(uint8_t op)
{
	return reloc_op_action(op) == ACT_SUB || reloc_op_action(op) == ACT_SUB_ULEB;
}

/* 0 if the machine has none. */
static uint32_t absolute_type(const struct object *o, unsigned int width)
{
	const struct reloc_ops *m = reloc_ops_of(o->machine);

	for (uint32_t type = 0; m && type < m->nr; type++) {
		if (m->ops[type] == RELOC_OP(ACT_ABS, width))
			return type;
	}
	return 0;
}

bool reloc_finder_minuend(const struct reloc_finder *f, uint64_t offset, unsigned int width,
			  struct reloc_entry *ret, uint64_t *ret_value)
{
	const struct reloc_symbols *syms = &f->table.syms;
	struct reloc_entry e;
	size_t nr_subtracted = 0, nr = 0;

	if (!f->o)
		return false;
	uint32_t type = absolute_type(f->o, width);

	for (size_t i = find_offset(f, offset); entry_at(f, i, &e) && e.offset == offset; i++) {
		uint8_t op = reloc_op(reloc_ops_of(f->o->machine), e.type);

		if (op == RELOC_SKIP)
			continue;
		nr++;
		if (subtracts(op))
			nr_subtracted++;
		else
			*ret = e;
	}
	if (nr != 2 || nr_subtracted != 1 || !type || ret->symbol >= syms->nr ||
	    syms->items[ret->symbol].state != SYMBOL_KNOWN)
		return false;
	ret->type = type;
	*ret_value = syms->items[ret->symbol].value + ret->addend;
	return true;
}

bool reloc_finder_is_rela(const struct reloc_finder *f)
{
	return f->table.index && f->o->sections[f->table.index].type == SHT_RELA;
}

void reloc_finder_release(struct reloc_finder *f)
{
	if (!f->borrowed)
		reloc_table_release(&f->table);
	reloc_entries_release(&f->entries);
	free(f->sorted);
	*f = (struct reloc_finder){ 0 };
}

bool reloc_has_differences(const struct object *o)
{
	const struct reloc_ops *m = reloc_ops_of(o->machine);

	for (uint32_t type = 0; m && type < m->nr; type++) {
		if (subtracts(m->ops[type]))
			return true;
	}
	return false;
}

unsigned int reloc_absolute_width(const struct object *o, uint32_t type)
{
	uint8_t op = reloc_op(reloc_ops_of(o->machine), type);

	return reloc_op_action(op) == ACT_ABS || reloc_op_action(op) == ACT_SUM ?
		       reloc_op_width(op) :
		       0;
}
