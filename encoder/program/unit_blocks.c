/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_blocks.c - see unit_blocks.h
 *
 * Each slot gets the relocation by which the debug information has its address: the same symbol, type
 * and addend. So a linker gives both the same value, whatever it does with the section or symbol.
 */
#include "encoder/program/unit_blocks.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "btf/btf_serialize.h"
#include "loader/elf/elf_fields.h"

#include <elf.h>
#include <stdlib.h>

/* How the types of a unit are numbered in BTF of its own. */
struct own_ids {
	unit_tid index_tid; /* its number has no record, unless @index */
	uint32_t index;     /* the index type that was made up; 0: none was needed */
	uint32_t end;       /* one past the last */
};

struct blocks {
	struct program *p;
	const struct object *obj;
	struct encode_result *out;
	struct facts_key key;
	struct reloc_finder slots_of[CU_NR_SLOT_SECTIONS]; /* by enum cu_slot_section */
	/* of the block at hand */
	const uint32_t *ids;    /* by unit_tid: id in .BTF; NULL: the block has BTF of its own */
	struct own_ids own_ids; /* then */
	struct byte_vec text;   /* strings of its BTF */
	struct byte_vec own;    /* strings behind these */
	size_t text_len;        /* where @own begins */
	struct byte_vec slots, body;
	uint32_t *offsets;  /* by string id: offset in @text and @own; 0: not there yet */
	VEC(uint32_t) used; /* the ids in @offsets that are not 0 */
	size_t nr_unset;    /* sites whose addresses no linker sets */
};

static void blocks_release(struct blocks *b)
{
	for (size_t i = 0; i < CU_NR_SLOT_SECTIONS; i++)
		reloc_finder_release(&b->slots_of[i]);
	FREE_ALL(b->text.items, b->own.items, b->slots.items, b->body.items, b->offsets,
		 b->used.items);
}

static void begin_block(struct blocks *b)
{
	for (size_t i = 0; i < b->used.nr; i++)
		b->offsets[b->used.items[i]] = 0;
	b->used.nr = b->text.nr = b->own.nr = b->slots.nr = b->body.nr = b->text_len = 0;
}

static uint32_t add_string(struct blocks *b, uint32_t id, struct byte_vec *to, size_t start)
{
	const struct str_entry *s = str_pool_at(&b->p->strings, id);
	size_t len = s->len + (size_t)1; /* with its end */

	b->offsets[id] = (uint32_t)(start + to->nr);
	vec_push(&b->used, id);
	vec_reserve(to, len);
	memcpy(to->items + to->nr, s->text, len);
	to->nr += len;
	return b->offsets[id];
}

/* The offset of string @id in the BTF that is being made. */
static uint32_t text_offset(struct blocks *b, uint32_t id)
{
	if (!id || b->offsets[id])
		return id ? b->offsets[id] : 0;
	return add_string(b, id, &b->text, 0);
}

/* The offset of string @id in the strings of the unit's BTF, or behind them. */
static uint32_t fact_offset(struct blocks *b, uint32_t id)
{
	uint32_t offset = b->ids ? str_pool_at(&b->p->strings, id)->offset : 0;

	if (!id || b->offsets[id])
		return id ? b->offsets[id] : 0;
	/* strings that only the split BTF of variables has are behind those of .BTF */
	if (offset && offset < b->text_len)
		return offset;
	return add_string(b, id, &b->own, b->text_len);
}

/* --- the BTF of a unit -------------------------------------------------------------------- */

static uint32_t own_id(const struct own_ids *ids, uint32_t t)
{
	return t > ids->index_tid && !ids->index ? t - 1 : t;
}

static void add_own_record(struct blocks *b, const struct program_unit *u,
			   const struct own_ids *ids, const uint32_t *from, struct btf_types *to)
{
	size_t nr = btf_rec_words(from);
	uint32_t *rec = btf_types_add(to, nr);

	memcpy(rec, from, nr * sizeof(*rec));
	btf_rec_each_name(rec, name) *name = text_offset(b, *name);
	btf_rec_each_type(rec, type)
	{
		if (*type != POOL_REF_INDEX)
			*type = own_id(ids, *type);
		else
			*type = ids->index ? ids->index : u->btf.first_int;
	}
}

/* Make the BTF of @u, without functions and variables, and without deduplication: its ids are in *ids. */
static struct err *make_own_btf(struct blocks *b, const struct program_unit *u, struct own_ids *ids,
				uint8_t **ret_ptr, size_t *ret_len)
{
	CLEANUP(btf_types_release) struct btf_types types = { 0 };
	const struct raw_unit *raw = u->own_types;
	const struct btf_serialize_opts opts = { .swap = b->obj->swap, .wide = true };

	btf_types_init(&types, NULL);
	vec_push(&b->text, 0);
	ids->index_tid = u->btf.index_tid;
	ids->index = u->btf.has_arrays && !u->btf.first_int ? u->btf.index_tid : 0;
	for (size_t t = 1; t < raw->start.nr; t++) {
		const uint32_t index[] = { b->p->int_name, btf_info(BTF_INT, 0, false), 4,
					   (uint32_t)BTF_ENC_SIGNED << 24 | 32 };

		if (raw->start.items[t])
			add_own_record(b, u, ids, raw->words.items + raw->start.items[t], &types);
		else if (ids->index)
			add_own_record(b, u, ids, index, &types);
	}
	ids->end = btf_types_end(&types);
	return btf_serialize(&types, (struct bytes){ b->text.items, b->text.nr }, &opts, ret_ptr,
			     ret_len);
}

/* --- facts ---------------------------------------------------------------------------------- */

/* The ids of the block at hand, for facts_body_append(). */
static uint32_t string_in_block(void *ctx, uint32_t id)
{
	return fact_offset(ctx, id);
}

static uint32_t type_in_block(void *ctx, uint32_t t)
{
	const struct blocks *b = ctx;

	return b->ids ? b->ids[t] : own_id(&b->own_ids, t);
}

static void list_name_and_params(struct blocks *b, const struct unit_facts *f, uint32_t name,
				 uint32_t start)
{
	uint32_t *proto = f->words.items + start;

	fact_offset(b, name);
	btf_rec_each_name(proto, param) fact_offset(b, *param);
}

static void list_tags(struct blocks *b, const struct unit_facts *f, uint32_t first, uint32_t nr)
{
	for (uint32_t i = first; i < first + nr; i++)
		fact_offset(b, f->tags.items[i].value);
}

/* Strings that the BTF lacks follow in this order. */
static void list_strings(struct blocks *b, const struct unit_facts *f)
{
	fact_offset(b, f->head.name);
	fact_offset(b, f->head.kabi);
	for (size_t i = 0; i < f->funcs.nr; i++)
		list_name_and_params(b, f, f->funcs.items[i].name, f->funcs.items[i].proto);
	for (size_t i = 0; i < f->vars.nr; i++)
		fact_offset(b, f->vars.items[i].name);
	for (size_t i = 0; i < f->funcs.nr; i++)
		list_tags(b, f, f->funcs.items[i].tags, f->funcs.items[i].nr_tags);
	for (size_t i = 0; i < f->vars.nr; i++)
		list_tags(b, f, f->vars.items[i].tags, f->vars.items[i].nr_tags);
	for (size_t i = 0; i < f->inlined.nr; i++)
		list_name_and_params(b, f, f->inlined.items[i].name, f->inlined.items[i].proto);
}

static void add_slot(struct blocks *b, const struct reloc_finder *from, uint64_t offset,
		     uint64_t value, uint64_t at, uint8_t width)
{
	struct reloc_entry e;
	uint64_t minuend;

	if (reloc_finder_at(from, offset, width, value, &e) ||
	    reloc_finder_minuend(from, offset, width, &e, &minuend)) {
		bool rela = reloc_finder_is_rela(from);

		/* linkers for SuperH ignore r_addend there */
		value = 0;
		if (reloc_addend_in_place(from->o, e.type, rela)) {
			value = e.addend;
			e.addend = 0;
		}
		e.offset = at + b->slots.nr;
		b->out->relocs_rela = rela;
		vec_push(&b->out->relocs, e);
	}
	vec_reserve(&b->slots, width);
	field_put(b->slots.items + b->slots.nr, width, b->obj->swap, value);
	b->slots.nr += width;
}

static struct err *append(struct blocks *b, struct facts_parts parts)
{
	parts.key = b->key;
	parts.swap = b->obj->swap;
	parts.slots = (struct bytes){ b->slots.items, b->slots.nr };
	return facts_block_append(&parts, &b->out->facts);
}

static void add_slot_of(struct blocks *b, const struct unit_facts *f, cu_addr_slot slot,
			uint64_t value)
{
	uint64_t at = b->out->facts.nr + FACTS_HEADER_LEN;

	add_slot(b, &b->slots_of[cu_slot_section(slot)], cu_slot_offset(slot), value, at,
		 f->addr_size);
}

/*
 * Determine what the linker must set: the stored address, if what @s is beyond that is a constant. A field of its own with
 * a relocation is the address itself, in .debug_ranges, or the difference of the address and another one.
 */
static bool settle_site(const struct blocks *b, const struct unit_facts *f, struct cu_site *s)
{
	const struct reloc_finder *from;
	struct reloc_entry e;
	uint64_t value = s->addr;

	if (s->added_slot == CU_NO_SLOT)
		return true;
	from = &b->slots_of[cu_slot_section(s->added_slot)];
	if (reloc_finder_at(from, cu_slot_offset(s->added_slot), f->addr_size, s->addr, &e) ||
	    reloc_finder_minuend(from, cu_slot_offset(s->added_slot), f->addr_size, &e, &value)) {
		s->slot = s->added_slot;
		s->added = 0;
	}
	return value == s->addr;
}

/* Drop the sites that no linker would set. */
static void settle_sites(struct blocks *b, struct unit_facts *f)
{
	size_t nr = 0;

	for (size_t i = 0; i < f->sites.nr; i++) {
		if (settle_site(b, f, &f->sites.items[i]))
			f->sites.items[nr++] = f->sites.items[i];
	}
	b->nr_unset += f->sites.nr - nr;
	f->sites.nr = nr;
}

static void add_slots_of_sites(struct blocks *b, const struct unit_facts *f)
{
	size_t next = 0;

	for (size_t i = 0; i < f->sites.nr; i++) {
		const struct cu_site *s = &f->sites.items[i];
		uint32_t *proto = f->words.items + f->inlined.items[s->func].proto;
		uint32_t end = s->first_place + btf_rec_vlen(proto);

		add_slot_of(b, f, s->slot, s->addr - s->added);
		for (uint32_t place = s->first_place; place < end; place++) {
			const struct cu_place *p = &f->places.items[place];
			const struct cu_place_slot *slot = facts_place_slot(f, &next, place);

			if (slot && (p->flags & BTF_LOC_ADDR))
				add_slot_of(b, f, slot->slot, cu_place_number(p) - slot->added);
		}
	}
}

static void add_slots(struct blocks *b, const struct unit_facts *f)
{
	for (size_t i = 0; i < f->funcs.nr; i++) {
		const struct func_facts *func = &f->funcs.items[i];

		if (func->has_addr && !func->second_form)
			add_slot_of(b, f, func->slot, func->addr);
	}
	for (size_t i = 0; i < f->vars.nr; i++) {
		const struct var_facts *v = &f->vars.items[i];

		add_slot_of(b, f, v->slot, v->addr - v->added);
	}
	add_slots_of_sites(b, f);
}

static struct err *add_block(struct blocks *b, const struct program_unit *u,
			     const struct unit_ids *ids)
{
	const struct facts_ids in_block = { .ctx = b,
					    .string = string_in_block,
					    .type = type_in_block };
	struct unit_facts *f = u->facts;
	struct facts_start start = { .func_start = ids->func_start, .index = ids->index };
	CLEANUP(mem_free) uint8_t *btf = NULL;
	size_t btf_len = 0;

	begin_block(b);
	b->ids = u->own_types ? NULL : ids->ids;
	b->text_len = ids->strings_len;
	if (u->own_types) {
		TRY(make_own_btf(b, u, &b->own_ids, &btf, &btf_len));
		b->text_len = b->text.nr;
		start.func_start = b->own_ids.end;
		start.index = b->own_ids.index;
	}
	list_strings(b, f);
	settle_sites(b, f);
	add_slots(b, f);
	facts_body_append(f, &start, &in_block, &b->body);

	const struct facts_parts parts = {
		.addr_size = f->addr_size,
		.nr_slots = (uint32_t)(b->slots.nr / f->addr_size),
		.btf = { btf, btf_len },
		.strings = { b->own.items, b->own.nr },
		.body = { b->body.items, b->body.nr },
	};
	return append(b, parts);
}

/* @alone: the blocks belong to no .BTF. */
static void begin(struct blocks *b, size_t nr_blocks, bool alone)
{
	const struct bytes btf = { b->out->btf, alone ? 0 : b->out->btf_len };

	b->key = (struct facts_key){
		.len = (uint32_t)btf.len,
		.nr_blocks = (uint32_t)nr_blocks,
		.sum = facts_sum(btf),
	};
}

static struct err *open_slots(struct blocks *b)
{
	static const enum debug_section sections[CU_NR_SLOT_SECTIONS] = {
		[CU_SLOT_INFO] = DEBUG_INFO,     [CU_SLOT_ADDR] = DEBUG_ADDR,
		[CU_SLOT_RANGES] = DEBUG_RANGES, [CU_SLOT_RNGLISTS] = DEBUG_RNGLISTS,
		[CU_SLOT_LOC] = DEBUG_LOC,       [CU_SLOT_LOCLISTS] = DEBUG_LOCLISTS,
	};

	/* only sites have addresses in lists of ranges and locations */
	size_t nr = encode_wants_sites(b->p->opts) ? CU_NR_SLOT_SECTIONS : CU_SLOT_ADDR + 1;

	for (size_t i = 0; i < nr; i++) {
		size_t index = object_debug_index(b->obj, sections[i]);

		if (index)
			TRY(reloc_finder_open(b->obj, index, &b->slots_of[i]));
	}
	return NULL;
}

struct err *unit_blocks_make(struct program *p, const struct unit_ids *ids,
			     struct encode_result *ret)
{
	const struct object *obj = &p->inputs[0].obj;
	CLEANUP(blocks_release) struct blocks b = { .p = p, .obj = obj, .out = ret };
	size_t info = object_debug_index(obj, DEBUG_INFO), nr = 0;

	for (size_t i = 0; i < p->units.nr; i++)
		nr += p->units.items[i].facts != NULL;
	if (!nr || !info)
		return NULL;
	ret->facts_type = obj->sections[info].type;
	TRY(open_slots(&b));
	begin(&b, nr, p->opts->for_link);
	b.offsets = mem_zalloc(atomic_load(&p->strings.end), sizeof(b.offsets[0]));
	for (size_t i = 0; i < p->units.nr; i++) {
		if (p->units.items[i].facts)
			TRY(add_block(&b, &p->units.items[i], ids));
	}
	if (b.nr_unset)
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': no linker sets the addresses of %zu sites of inlined functions, so %s lacks them",
			obj->path, b.nr_unset, FACTS_SECTION);
	return NULL;
}

/* Without valid facts, or without relocations for their slots, the block has only the BTF. */
static struct err *copy_block(struct blocks *b, const struct member *m, const struct unit_btf *unit)
{
	const struct facts_block none = { .addr_size = b->obj->addr_size };
	const struct facts_block *block = unit->origin.source == SOURCE_LINKED ? &m->block : &none;
	const uint8_t width = block->addr_size;
	uint64_t at = b->out->facts.nr + FACTS_HEADER_LEN;
	const struct facts_parts parts = {
		.addr_size = width,
		.nr_slots = block->nr_slots,
		.btf = m->bytes,
		.strings = block->strings,
		.body = block->body,
	};

	begin_block(b);
	for (uint32_t i = 0; i < block->nr_slots; i++)
		add_slot(b, &b->slots_of[CU_SLOT_INFO],
			 m->block_at + FACTS_HEADER_LEN + (uint64_t)i * width,
			 facts_block_addr(block, i + 1), at, width);
	return append(b, parts);
}

struct err *unit_blocks_copy(const struct program *p, size_t index, const struct member *members,
			     struct encode_result *ret)
{
	const struct object *obj = &p->inputs[0].obj;
	CLEANUP(blocks_release) struct blocks b = { .obj = obj, .out = ret };
	size_t nr = 0;

	for (size_t i = 0; i < p->units.nr; i++)
		nr += !p->units.items[i].btf.origin.excluded;
	ret->facts_type = index ? obj->sections[index].type : SHT_PROGBITS;
	TRY(reloc_finder_open(obj, index, &b.slots_of[CU_SLOT_INFO]));
	begin(&b, nr, p->opts->for_link);
	for (size_t i = 0; i < p->units.nr; i++) {
		if (!p->units.items[i].btf.origin.excluded)
			TRY(copy_block(&b, &members[i], &p->units.items[i].btf));
	}
	return NULL;
}
