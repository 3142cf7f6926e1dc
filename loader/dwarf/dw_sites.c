/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_sites.c - copies of inlined functions: where they are, and where their parameters are
 *
 * A DW_TAG_inlined_subroutine refers to the abstract function. It is in the body of a function, or below another one,
 * and has a child for each parameter that has a location. A kernel has 400,000 of them with a million parameters,
 * so they have a loop of their own. Names and types are those of the abstract function (docs/spec/encoding.md 15).
 */
#include "loader/dwarf/dw_walk.h"

#include "btf/btf_wire.h"
#include "loader/elf/reloc.h"

/* --- addresses --- */

/* As in struct cu_site. */
struct site_addr {
	uint64_t value, added;
	cu_addr_slot slot, added_slot;
};

/* The operands of the entries of .debug_rnglists. */
static const struct {
	uint8_t first, second;
} rnglists_entries[] = {
	[DW_RLE_base_addressx] = { SHAPE_ULEB, 0 },
	[DW_RLE_startx_endx] = { SHAPE_ULEB, SHAPE_ULEB },
	[DW_RLE_startx_length] = { SHAPE_ULEB, SHAPE_ULEB },
	[DW_RLE_offset_pair] = { SHAPE_ULEB, SHAPE_ULEB },
	[DW_RLE_base_address] = { SHAPE_ADDR, 0 },
	[DW_RLE_start_end] = { SHAPE_ADDR, SHAPE_ADDR },
	[DW_RLE_start_length] = { SHAPE_ADDR, SHAPE_ULEB },
};

/* More entries of a list are not read: many inlined subroutines may refer to one list. */
enum { MAX_RANGES = 256 };

static struct site_addr unit_base(const struct dw_reader *r)
{
	return (struct site_addr){ r->unit.locs.base, 0, r->unit.base_slot, CU_NO_SLOT };
}

/* @slot: where @offset is stored. */
static struct site_addr offset_from(struct site_addr base, uint64_t offset, cu_addr_slot slot)
{
	return (struct site_addr){ base.value + offset, base.added + offset, base.slot, slot };
}

static bool addr_at_index(const struct dw_reader *r, uint64_t index, struct site_addr *ret)
{
	*ret = (struct site_addr){ .slot = dw_slot_in_addrs(r, index), .added_slot = CU_NO_SLOT };
	return dw_indexed_addr(&r->unit.locs, index, &ret->value);
}

static cu_addr_slot slot_in(const struct dw_reader *r, const struct object *o,
			    enum cu_slot_section section, uint64_t off)
{
	return o == r->root->obj ? cu_slot(section, off) : CU_NO_SLOT;
}

/* The address @value, which is stored in @slot. */
static struct site_addr stored_addr(uint64_t value, cu_addr_slot slot)
{
	return (struct site_addr){ value, 0, slot, CU_NO_SLOT };
}

/* The start of the first range of .debug_rnglists at @off that is not empty. */
static bool first_range(const struct dw_reader *r, uint64_t off, struct site_addr *ret)
{
	const struct object *obj = r->unit.file->obj;
	struct bytes section = obj->debug[DEBUG_RNGLISTS];
	struct dw_encoding enc = r->unit.header->enc;
	struct dw_cursor c = dw_cursor_at(section, off, obj->swap);
	struct site_addr base = unit_base(r), start, end;

	for (int n = 0; n < MAX_RANGES; n++) {
		uint64_t kind = dw_cursor_uint(&c, 1);
		uint64_t at = c.failed ? 0 : (uint64_t)(c.p - section.ptr);
		cu_addr_slot slot = slot_in(r, obj, CU_SLOT_RNGLISTS, at);
		struct dw_value first = { 0 }, second = { 0 };

		if (c.failed || !kind || kind >= ARRAY_SIZE(rnglists_entries))
			return false;
		dw_value_read_shape(&c, dw_shape_in(rnglists_entries[kind].first, enc), &first);
		dw_value_read_shape(&c, dw_shape_in(rnglists_entries[kind].second, enc), &second);
		if (c.failed)
			return false;
		start = stored_addr(first.number, slot);
		end = (struct site_addr){ .value = second.number };
		switch (kind) {
		case DW_RLE_base_address:
			base = start;
			continue;
		case DW_RLE_base_addressx:
			if (!addr_at_index(r, first.number, &base))
				return false;
			continue;
		case DW_RLE_startx_endx:
			if (!addr_at_index(r, second.number, &end))
				return false;
			/* fallthrough */
		case DW_RLE_startx_length:
			if (!addr_at_index(r, first.number, &start))
				return false;
			break;
		case DW_RLE_offset_pair:
			start = offset_from(base, first.number, slot);
			end = offset_from(base, second.number, CU_NO_SLOT);
			break;
		}
		bool is_length = kind == DW_RLE_startx_length || kind == DW_RLE_start_length;
		if (is_length ? second.number : start.value != end.value) {
			*ret = start;
			return true;
		}
	}
	return false;
}

/* The same for .debug_ranges. */
static bool first_old_range(const struct dw_reader *r, uint64_t off, struct site_addr *ret)
{
	const struct object *obj = r->skeleton ? r->skeleton : r->unit.file->obj;
	struct bytes section = obj->debug[DEBUG_RANGES];
	unsigned int size = r->unit.header->enc.addr_size;
	struct dw_cursor c = dw_cursor_at(section, off, obj->swap);
	struct site_addr base = unit_base(r);

	for (int n = 0; n < MAX_RANGES; n++) {
		uint64_t at = (uint64_t)(c.p - section.ptr);
		cu_addr_slot slot = slot_in(r, obj, CU_SLOT_RANGES, at);
		uint64_t begin = dw_cursor_uint(&c, size), end = dw_cursor_uint(&c, size);

		if (c.failed || (!begin && !end))
			return false;
		if (begin == (size == 8 ? UINT64_MAX : UINT32_MAX)) {
			base = stored_addr(end, slot_in(r, obj, CU_SLOT_RANGES, at + size));
			continue;
		}
		if (begin == end)
			continue;
		/* without a base, the list has addresses */
		*ret = base.value ? offset_from(base, begin, slot) : stored_addr(begin, slot);
		return true;
	}
	return false;
}

static bool range_addr(const struct dw_reader *r, uint8_t form, uint64_t v, struct site_addr *ret)
{
	const struct dw_unit_view *u = &r->unit;
	struct bytes section = u->file->obj->debug[DEBUG_RNGLISTS];
	unsigned int size = u->header->enc.off_size;

	if (u->header->enc.version < 5)
		return first_old_range(r, u->ranges + v, ret);
	if (form != DW_FORM_rnglistx)
		return first_range(r, u->ranges + v, ret);

	const uint8_t *p = dw_table_entry(section, u->rnglists_base, v, size);
	if (!p)
		return false;
	struct dw_cursor c = { p, p + size, u->file->obj->swap, false };
	return first_range(r, u->rnglists_base + dw_cursor_uint(&c, size), ret);
}

static bool addr_of(const struct dw_reader *r, struct die d, const struct columns *s,
		    enum dw_column column, uint16_t attr, struct site_addr *ret)
{
	bool indexed = d.a->form[column] != DW_FORM_addr;

	*ret = stored_addr(s->v[column], CU_NO_SLOT);
	if (indexed && !dw_indexed_addr(&r->unit.locs, s->v[column], &ret->value))
		return false;
	if (r->opts.addr_slots)
		ret->slot = dw_addr_slot(r, d, s, column, attr);
	return true;
}

/*
 * The program enters code that starts at *@addr at @offset. If the linker may move what is between, no linker
 * sets the sum.
 */
static void add_entry(const struct dw_reader *r, uint64_t offset, struct site_addr *addr)
{
	*addr = offset_from(*addr, offset, CU_NO_SLOT);
	if (reloc_has_differences(r->root->obj))
		addr->slot = CU_NO_SLOT;
}

/*
 * The address of @d: where the program enters it. Not all compilers say that. Then it is the start of the code; an
 * empty range has none.
 */
static bool entry_of(const struct dw_reader *r, struct die d, const struct columns *s,
		     struct site_addr *ret)
{
	uint8_t entry = d.a->form[COL_ENTRY_PC];

	if (dw_form_is(entry, FORM_ADDR))
		return addr_of(r, d, s, COL_ENTRY_PC, DW_AT_entry_pc, ret);
	if (d.a->form[COL_LOW_PC] ? !addr_of(r, d, s, COL_LOW_PC, DW_AT_low_pc, ret) :
				    !d.a->form[COL_RANGES] || !range_addr(r, d.a->form[COL_RANGES],
									  s->v[COL_RANGES], ret))
		return false;
	if (entry)
		add_entry(r, s->v[COL_ENTRY_PC], ret);
	return true;
}

/* --- reading --- */

/* A DIE that is open in a CTX_SITE is a site, with its number in raw.sites, or one of these. */
#define OPEN_CODE UINT32_C(0xfffffffe)  /* a block, or an inlined subroutine without an address */
#define OPEN_OTHER UINT32_C(0xffffffff) /* nothing below it counts */

/* The function that the innermost frame is part of. */
static const struct frame *func_frame(const struct dw_reader *r)
{
	const struct frame *f = top_frame(r);

	while (f->ctx == CTX_BLOCK || f->ctx == CTX_INLINED || f->ctx == CTX_SITE)
		f--;
	return f;
}

/* Read the values of the inlined subroutine @d. Returns their end; *ret_open is what it is. */
static const uint8_t *read_site(struct dw_reader *r, struct die d, uint32_t *ret_open)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(ORIGIN) | COL(SIZE) | COL(VALUE) | COL(BITS));
	bool has_code = d.a->form[COL_ENTRY_PC] || d.a->form[COL_LOW_PC] || d.a->form[COL_RANGES];
	struct site_addr addr;

	*ret_open = OPEN_CODE;
	if (!p)
		return NULL;
	if (!entry_of(r, d, &s, &addr)) {
		r->raw.nr_unplaced += has_code;
		return p;
	}
	*ret_open = (uint32_t)r->raw.sites.nr;
	vec_push(&r->raw.sites, ((struct raw_site){
					.origin = ref_of(r, d.a, &s, COL_ORIGIN),
					.unit = r->unit.number,
					.addr = addr.value,
					.added = addr.added,
					.slot = addr.slot,
					.added_slot = addr.added_slot,
					.frame_base = func_frame(r)->frame_base,
				}));
	return p;
}

/* The same for a parameter of site @site. */
static const uint8_t *read_param(struct dw_reader *r, struct die d, uint32_t site)
{
	struct columns s;
	const uint8_t *p = LOAD(COL(ORIGIN) | COL(VALUE) | COL(BITS));
	bool located = d.a->form[COL_LOCATION];
	uint8_t constant = d.a->form[COL_CONST];

	if (!p || !(d.a->flags & DA_HAS_ORIGIN))
		return p;
	if (!located && (!constant || constant == DW_FORM_addr))
		return p;

	struct raw_site_param *param = vec_add(&r->raw.site_params);
	param->site = site;
	param->origin = ref_of(r, d.a, &s, COL_ORIGIN);
	param->is_constant = !located;
	if (located) {
		param->loc = dw_location_of(r, d, &s);
		return p;
	}
	param->loc = (struct dw_location){ .form = constant, .list = s.v[COL_CONST] };
	if (dw_form_is(constant, FORM_BLOCK))
		param->loc.expr = dw_block_at(r, s.v[COL_CONST], constant);
	return p;
}

const uint8_t *dw_inlined(struct dw_reader *r, struct die d)
{
	uint32_t open;
	const uint8_t *p = read_site(r, d, &open);

	if (!p || !d.a->children)
		return p;
	push_frame(r, CTX_SITE);
	r->open_sites.nr = 0;
	vec_push(&r->open_sites, open);
	return p;
}

const uint8_t *dw_site_children(struct dw_reader *r, const uint8_t *p, const uint8_t *end,
				bool swap)
{
	while (p < end) {
		const uint8_t *die = p;
		uint64_t code;

		p = read_code(p, end, &code);
		if (unlikely(!p || code >= r->abbrevs.by_code.nr))
			return die;
		if (!code) {
			if (--r->open_sites.nr)
				continue;
			pop_frame(r);
			return p;
		}

		const struct dw_abbrev *a = &r->abbrevs.by_code.items[code];
		const struct die d = { a, die, p, end, CTX_SITE, swap };
		uint32_t in = r->open_sites.items[r->open_sites.nr - 1], open = OPEN_OTHER;
		struct columns s;

		if (unlikely(a->prefix > end - p || a->kind == DK_NONE))
			return die;
		if (a->kind == DK_INLINED && in != OPEN_OTHER) {
			p = read_site(r, d, &open);
		} else if (a->kind == DK_PARAMETER && in < OPEN_CODE) {
			p = read_param(r, d, in);
		} else {
			p = LOAD(0);
			if (a->kind == DK_BLOCK && in != OPEN_OTHER)
				open = OPEN_CODE;
		}
		if (unlikely(!p))
			return die;
		if (a->children)
			vec_push(&r->open_sites, open);
	}
	return p;
}

/* --- resolving --- */

static bool is_signed_type(const struct cu *cu, unit_tid type)
{
	const struct cu_type *t = cu_bare_type(cu, type);

	if (t->kind == BTF_ENUM)
		return t->flags & CU_TYPE_SIGNED;
	return t->kind == BTF_INT && !(t->flags & CU_TYPE_OPAQUE) &&
	       (t->encoding == DW_ATE_signed || t->encoding == DW_ATE_signed_char);
}

/* The function whose DIE is at @off, as its index in raw.funcs; UINT32_MAX for none. */
static uint32_t func_at(struct dw_reader *r, die_off off)
{
	size_t slot = (off ^ off >> 8) % ARRAY_SIZE(r->found_funcs);

	if (r->found_funcs[slot].off != off) {
		const struct die_map_entry *e = die_map_find(r, off);

		r->found_funcs[slot].off = off;
		r->found_funcs[slot].func = e && e->sort == ENTRY_FUNC ? e->index : UINT32_MAX;
	}
	return r->found_funcs[slot].func;
}

/* Append function @i of raw.funcs to cu.inlined, unless it is there. Returns its index. */
static uint32_t add_inlined(struct dw_reader *r, uint32_t i)
{
	struct raw_func *f = &r->raw.funcs.items[i];

	if (f->inlined_as)
		return f->inlined_as - 1;
	for (int32_t n = f->params; n != NO_PARAM; n = r->raw.params.items[n].next) {
		struct raw_param *p = &r->raw.params.items[n];
		uint64_t size = cu_type_size(r->cu, p->p.type);

		p->size = size <= BTF_LOC_MAX_SIZE ? (uint8_t)size : 0;
		p->is_signed = is_signed_type(r->cu, p->p.type);
	}
	vec_push(&r->cu->inlined, dw_make_func(r, i));
	f->inlined_as = (uint32_t)r->cu->inlined.nr;
	return f->inlined_as - 1;
}

/* Append the site of @s, with a place for each parameter. Without the function or its name, there is none. */
static struct err *add_site(struct dw_reader *r, struct raw_site *s)
{
	uint32_t i = s->origin ? func_at(r, s->origin) : UINT32_MAX;
	struct cu *cu = r->cu;

	if (i == UINT32_MAX || !r->raw.funcs.items[i].name)
		return NULL;

	uint32_t func = add_inlined(r, i);
	bool vararg = cu->inlined.items[func].flags & CU_FUNC_VARARG;
	size_t nr = (size_t)cu->inlined.items[func].nr_params + vararg;
	vec_push(&cu->sites, ((struct cu_site){
				     .addr = s->addr,
				     .added = s->added,
				     .slot = s->slot,
				     .added_slot = s->added_slot,
				     .func = func,
				     .first_place = (uint32_t)cu->places.nr,
			     }));
	s->site = (uint32_t)cu->sites.nr;
	s->next = r->raw.funcs.items[i].params;
	if (!nr)
		return NULL;
	/* a function with a million parameters can have a million copies: compilers write a DIE for most of them */
	if (cu->places.nr + nr > r->ref_units.end)
		return err_new(
			ERR_LIMIT,
			"%s+%#llx: the copies of inlined functions have more parameters than the unit has bytes",
			dw_unit_section(r->unit.header), (unsigned long long)r->unit.header->start);
	vec_reserve(&cu->places, nr);
	memset(cu->places.items + cu->places.nr, 0, nr * sizeof(cu->places.items[0]));
	cu->places.nr += nr;
	return NULL;
}

/* Parameters without a location are left out. */
enum { FEW_PARAMS = 8 };

/* The parameter that is the origin of @param of @s. They mostly come in order. */
static const struct raw_param *origin_of(const struct dw_reader *r, struct raw_site *s,
					 const struct raw_site_param *param)
{
	const struct raw_param *params = r->raw.params.items;
	int32_t i = s->next;

	for (int n = 0; n < FEW_PARAMS && i != NO_PARAM && params[i].off != param->origin; n++)
		i = params[i].next;
	if (i == NO_PARAM || params[i].off != param->origin) {
		const struct die_map_entry *e = die_map_find(r, param->origin);

		if (!e || e->sort != ENTRY_PARAM)
			return NULL;
		i = (int32_t)e->index;
	}
	s->next = params[i].next;
	return &params[i];
}

/* Where the address that @addr has is stored. */
static cu_addr_slot place_slot(struct dw_reader *r, const struct ref_unit *u,
			       const struct dw_addr *addr)
{
	const struct object *obj = u->file->obj;
	bool v5 = u->locs.enc.version >= 5;
	struct bytes lists = obj->debug[v5 ? DEBUG_LOCLISTS : DEBUG_LOC];

	r->unit.file = u->file;
	r->unit.header = u->unit;
	r->unit.base = u->base;
	r->unit.locs = u->locs;
	if (!addr->ptr)
		return dw_slot_in_addrs(r, addr->index);
	if (lists.ptr && addr->ptr >= lists.ptr && addr->ptr < lists.ptr + lists.len)
		return slot_in(r, obj, v5 ? CU_SLOT_LOCLISTS : CU_SLOT_LOC,
			       (uint64_t)(addr->ptr - lists.ptr));
	return dw_slot_in_info(r, addr->ptr);
}

static void add_place(struct dw_reader *r, const struct raw_site_param *param)
{
	struct raw_site *s = &r->raw.sites.items[param->site];
	const struct ref_unit *u = &r->ref_units.items[s->unit];
	const struct raw_param *origin = s->site ? origin_of(r, s, param) : NULL;
	struct cu *cu = r->cu;
	struct dw_addr addr = { 0 };

	if (!origin)
		return;
	const struct cu_site *site = &cu->sites.items[s->site - 1];
	const struct dw_placed placed = {
		.addr = s->addr,
		.size = origin->size,
		.is_signed = origin->is_signed,
		.frame_base = s->frame_base,
	};
	if (r->raw.funcs.items[origin->func].inlined_as != site->func + 1 || !origin->size)
		return;

	uint32_t i = site->first_place + origin->position;
	struct cu_place place = !param->is_constant ?
					dw_location_place(&u->locs, &param->loc, &placed, &addr) :
				dw_form_is(param->loc.form, FORM_BLOCK) ?
					dw_block_place(&u->locs, &placed, param->loc.expr) :
					dw_constant_place(&placed, param->loc.list);
	cu->places.items[i] = place;
	if (unlikely(place.flags & BTF_LOC_ADDR) && r->opts.addr_slots)
		vec_push(&cu->place_slots,
			 ((struct cu_place_slot){ i, addr.added, place_slot(r, u, &addr) }));
}

static int by_place(const void *a, const void *b)
{
	const struct cu_place_slot *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

struct err *dw_resolve_sites(struct dw_reader *r)
{
	memset(r->found_funcs, 0, sizeof(r->found_funcs));
	for (size_t i = 0; i < r->raw.sites.nr; i++)
		TRY(add_site(r, &r->raw.sites.items[i]));
	for (size_t i = 0; i < r->raw.site_params.nr; i++)
		add_place(r, &r->raw.site_params.items[i]);
	vec_sort(&r->cu->place_slots, by_place);
	r->cu->nr_unplaced = r->raw.nr_unplaced;
	return NULL;
}
