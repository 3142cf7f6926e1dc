/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_resolve.c - turn references into numbers of types, when all DIEs are read */
#include "base/sort.h"
#include "loader/dwarf/dw_reader.h"

#include <stdlib.h>

const struct die_map_entry *die_map_find(const struct dw_reader *r, die_off off)
{
	size_t nr = r->die_map.nr;
	size_t i = LOWER_BOUND(0, nr, k, r->die_map.items[k].off < off);

	return i < nr && r->die_map.items[i].off == off ? &r->die_map.items[i] : NULL;
}

/* The hash of an offset is unique, so the table needs no comparison. */
void die_map_share(struct dw_reader *r, die_off off, unit_tid t)
{
	hash_table_add(&r->die_map.shared, hash_key32(off), t);
}

static unit_tid shared_type(const struct dw_reader *r, die_off off)
{
	return HASH_FIND(&r->die_map.shared, hash_key32(off), i, true);
}

/* The types of the DIE map in registers. */
struct die_types {
	const uint32_t *elements;
	size_t nr;
	unsigned int shift;
};

ALWAYS_INLINE struct die_types die_types_of(const struct dw_reader *r)
{
	return (struct die_types){ r->die_map.types, r->die_map.nr_types, r->die_map.shift };
}

/* The type at @off, 0 if that is no type. Most have an element of their own. */
ALWAYS_INLINE unit_tid type_at(const struct dw_reader *r, struct die_types types, die_off off)
{
	size_t i = off >> types.shift;
	uint32_t element;

	if (unlikely(i >= types.nr))
		return 0;
	element = types.elements[i];
	if (likely(!((element ^ off) & ((1u << types.shift) - 1)) && element >> types.shift))
		return element >> types.shift;
	return element ? shared_type(r, off) : 0;
}

/* The end of the chain of aliases that starts with @e: another entry, 0, or DIE_FOREIGN. */
static die_off end_of_aliases(const struct dw_reader *r, const struct die_map_entry *e)
{
	/* a chain with more steps than aliases is a cycle */
	for (size_t n = 0; n <= r->raw.aliases.nr; n++) {
		die_off to = r->raw.aliases.items[e->index];

		e = to ? die_map_find(r, to) : NULL;
		if (!e || e->sort != ENTRY_ALIAS)
			return to;
	}
	return DIE_FOREIGN;
}

/* Resolve an alias. All aliases of the chain then refer to its end (path compression). */
static NOINLINE unit_tid resolve_alias(struct dw_reader *r, const struct die_map_entry *first)
{
	const die_off end = end_of_aliases(r, first);
	const struct die_map_entry *e = first;

	while (r->raw.aliases.items[e->index] != end) {
		die_off to = r->raw.aliases.items[e->index];

		r->raw.aliases.items[e->index] = end;
		e = die_map_find(r, to);
		assert(e && e->sort == ENTRY_ALIAS);
	}
	if (!end)
		return 0;

	unit_tid t = type_at(r, die_types_of(r), end);
	r->raw.nr_unresolved += !t;
	return t;
}

unit_tid dw_resolve_type(struct dw_reader *r, die_off off)
{
	unit_tid t = type_at(r, die_types_of(r), off);
	const struct die_map_entry *e;

	if (likely(t || !off))
		return t;
	e = die_map_find(r, off);
	if (e && e->sort == ENTRY_ALIAS)
		return resolve_alias(r, e);
	r->raw.nr_unresolved++;
	return 0;
}

/* The same for an @off that is not 0. */
ALWAYS_INLINE unit_tid resolve(struct dw_reader *r, struct die_types types, die_off off)
{
	unit_tid t = type_at(r, types, off);

	return likely(t) ? t : dw_resolve_type(r, off);
}

/* Bytes of the storage unit of a bit field without DW_AT_byte_size. */
static uint32_t storage_size(const struct cu *cu, unit_tid type)
{
	for (size_t steps = 0; steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *t = &cu->types.items[type];

		switch (btf_ctype(t->kind)) {
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
			type = t->ref;
			break;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_ENUM:
		case BTF_C_STRUCT:
			return t->size;
		case BTF_C_POINTER:
		case BTF_C_ARRAY:
		case BTF_C_FUNCTION:
		case BTF_C_FORWARD:
		case BTF_C_VOID:
		case BTF_C_NONE:
			return 0;
		}
	}
	return 0;
}

/* Bit fields of DWARF 2 and 3 count from the other end (docs/spec/encoding.md 6.4). */
static void convert_old_bits(struct dw_reader *r)
{
	for (size_t i = 0; i < r->cu->members.nr; i++) {
		struct cu_member *m = &r->cu->members.items[i];

		if (!(m->flags & CU_MEMBER_OLD_BITS) || (m->flags & CU_MEMBER_FAR))
			continue;

		uint32_t bytes = m->old_size ? m->old_size : storage_size(r->cu, m->type);
		bool file_is_big = r->unit.file->obj->swap ==
				   (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
		int64_t shift = file_is_big ? m->old_offset :
					      8 * (int64_t)bytes - m->old_offset - m->bits;
		if (!bytes)
			continue;
		m->offset = (uint32_t)(m->offset + shift);
		m->old_size = (uint8_t)bytes;
		m->old_offset = (int8_t)shift;
	}
}

/* The variable at @off; @otherwise if there is none. */
static const struct raw_var *var_at(const struct dw_reader *r, die_off off,
				    const struct raw_var *otherwise)
{
	const struct die_map_entry *e = off ? die_map_find(r, off) : NULL;

	return e && e->sort == ENTRY_VAR ? &r->raw.vars.items[e->index] : otherwise;
}

/* The name of the function whose entry in the DIE map is @entry; 0 if it is unknown. */
static uint32_t func_name(const struct dw_reader *r, uint32_t entry)
{
	const struct die_map_entry *e = &r->die_map.items[entry];
	const struct raw_func *f = e->sort == ENTRY_FUNC ? &r->raw.funcs.items[e->index] : NULL;

	if (f && !f->name && f->origin) {
		e = die_map_find(r, f->origin);
		f = e && e->sort == ENTRY_FUNC ? &r->raw.funcs.items[e->index] : NULL;
	}
	return f ? f->name : 0;
}

/* It is only for reports, so its type does not count. @said has the name. */
static void add_local_var(struct dw_reader *r, const struct raw_var *v, const struct raw_var *said)
{
	const struct raw_var *in = v->flags & RAW_VAR_LOCAL ? v : said;

	vec_push(&r->cu->vars, ((struct cu_var){
				       .name = said->name,
				       .addr = v->addr,
				       .addr_slot = CU_NO_SLOT,
				       .flags = CU_VAR_LOCAL,
				       .func = func_name(r, in->func),
			       }));
}

/*
 * A definition refers to its declaration, and with LTO of gcc a DIE with an address to an abstract variable, which may
 * be such a definition. The last of them has name, linkage and tags. The type of the first that has one is the most
 * complete; pahole takes that of the declaration (docs/spec/encoding.md 9.2).
 */
static void resolve_vars(struct dw_reader *r)
{
	for (size_t i = 0; i < r->raw.vars.nr; i++) {
		const struct raw_var *v = &r->raw.vars.items[i];
		const struct raw_var *origin = var_at(r, v->origin, v);
		const struct raw_var *said = var_at(r, origin->spec, origin), *typed = said;

		if (r->opts.whole_vars)
			typed = v->type ? v : origin->type ? origin : said;
		if ((v->flags & RAW_VAR_DECL) && said == v)
			continue;
		if (!(v->flags & RAW_VAR_ADDR))
			continue;
		if (v->flags & RAW_VAR_LOCAL || said->flags & RAW_VAR_LOCAL) {
			add_local_var(r, v, said);
			continue;
		}
		if (!(v->flags & RAW_VAR_TOP) || (v->flags & RAW_VAR_ARTIFICIAL))
			continue;
		vec_push(&r->cu->vars,
			 ((struct cu_var){
				 .name = said->name,
				 .type = dw_resolve_type(r, typed->type),
				 .addr = v->addr,
				 .addr_added = v->addr_added,
				 .addr_slot = v->addr_slot,
				 .flags = said->flags & RAW_VAR_EXTERNAL ? CU_VAR_EXTERNAL : 0,
				 .tags_of = (uint32_t)(said - r->raw.vars.items),
			 }));
	}
}

/*
 * A struct whose size depends on its values (Ada) gets the size up to the end of the last member that
 * has a fixed offset. The types of its members precede it.
 */
static void close_open_structs(struct cu *cu)
{
	for (size_t i = 1; i < cu->types.nr; i++) {
		struct cu_type *t = &cu->types.items[i];
		uint64_t end = 0;

		if (!(t->flags & CU_TYPE_OPEN) || t->size)
			continue;
		for (uint32_t k = t->first; k < t->first + t->nr; k++) {
			const struct cu_member *m = &cu->members.items[k];
			uint64_t bits = m->bits ? m->bits : cu_type_size(cu, m->type) * 8;

			if (!(m->flags & (CU_MEMBER_STATIC | CU_MEMBER_FAR | CU_MEMBER_LOST)) &&
			    m->offset + bits > end)
				end = m->offset + bits;
		}
		if (end / 8 < UINT32_MAX)
			t->size = (uint32_t)((end + 7) / 8);
	}
}

/* --- types that C does not have -------------------------------------------------- */

/*
 * In BTF, as in C, an array is indexed from 0, its elements touch, and a bit field is an integer. Ada, Fortran and Pascal
 * have more (docs/spec/encoding.md 6.14). The size of a type has to be right, since it decides whether the kernel accepts
 * the structs that contain it. A member whose size BTF cannot express is left out; the encoder reports it by name.
 */

/* The type behind typedefs and qualifiers, NULL for a cycle. */
static const struct cu_type *behind(const struct cu *cu, unit_tid t)
{
	for (size_t steps = 0; steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *type = &cu->types.items[t];

		if (type->kind != BTF_TYPEDEF &&
		    (!btf_kind_is_modifier(type->kind) || type->kind == BTF_TYPE_TAG))
			return type;
		t = type->ref;
	}
	return NULL;
}

/*
 * An index of an enumeration has as many values as that has from @range->lower to @range->upper. In Ada, where the
 * values may have gaps, they are in ascending order.
 */
static void count_enumerators(struct cu *cu, const struct index_range *range, unit_tid index)
{
	const struct cu_type *e = behind(cu, index);

	if (!e || e->kind != BTF_ENUM || !e->nr)
		return;

	const struct cu_enumerator *values = cu->enumerators.items + e->first;
	size_t first = LOWER_BOUND(0, e->nr, i, values[i].value < range->lower);
	size_t end = LOWER_BOUND(first, e->nr, i, values[i].value <= range->upper);
	cu->types.items[range->array].size = (uint32_t)(end - first);
}

/* If the elements of an array do not touch, only its size is right. */
static void apply_stride(struct cu *cu, const struct array_stride *stride)
{
	struct cu_type *array = &cu->types.items[stride->array];
	unit_tid t = stride->array;
	uint64_t count = 1, bits;

	for (size_t i = 0; i < stride->nr; i++) {
		count *= cu->types.items[t].size;
		t = cu->types.items[t].ref;
	}
	if (cu_type_size(cu, t) * 8 == stride->bits ||
	    __builtin_mul_overflow(count, stride->bits, &bits) || bits / 8 >= UINT32_MAX)
		return;
	*array = (struct cu_type){
		.kind = BTF_INT,
		.encoding = DW_TAG_array_type,
		.flags = CU_TYPE_OPAQUE,
		.name = stride->name,
		.size = (uint32_t)((bits + 7) / 8),
	};
}

static void fit_arrays(struct dw_reader *r)
{
	size_t nr_unresolved = r->raw.nr_unresolved;

	for (size_t i = 0; i < r->raw.ranges.nr; i++) {
		const struct index_range *range = &r->raw.ranges.items[i];

		count_enumerators(r->cu, range, dw_resolve_type(r, range->type));
	}
	for (size_t i = 0; i < r->raw.strides.nr; i++)
		apply_stride(r->cu, &r->raw.strides.items[i]);
	/* the BTF does not refer to index types */
	r->raw.nr_unresolved = nr_unresolved;
}

static bool is_integer(const struct cu_type *t)
{
	return t && (t->kind == BTF_ENUM || (t->kind == BTF_INT && !(t->flags & CU_TYPE_OPAQUE) &&
					     t->encoding != DW_ATE_float));
}

/* A bit field that has all bits of its type, and starts at a byte, is a plain member. */
static void fit_bits(const struct cu *cu, struct cu_member *m)
{
	if (is_integer(behind(cu, m->type)))
		return;
	if (!(m->offset % 8) && cu_type_size(cu, m->type) * 8 == m->bits)
		m->bits = 0;
	else
		cu_member_lose(m, CU_LOST_BITS);
}

static void fit_member(const struct cu *cu, const struct cu_type *t, struct cu_member *m)
{
	const struct cu_type *type = behind(cu, m->type);

	if (type && type->flags & CU_TYPE_ELSEWHERE)
		cu_member_lose(m, CU_LOST_ELSEWHERE);
	else if (m->bits)
		fit_bits(cu, m);
	else if (m->offset + cu_type_size(cu, m->type) * 8 > (uint64_t)t->size * 8)
		cu_member_lose(m, CU_LOST_OUTSIDE);
}

static void fit_members(struct cu *cu)
{
	for (size_t i = 1; i < cu->types.nr; i++) {
		struct cu_type *t = &cu->types.items[i];

		if (!btf_kind_is_struct(t->kind) || t->flags & CU_TYPE_FWD)
			continue;
		for (uint32_t k = t->first; k < t->first + t->nr; k++) {
			struct cu_member *m = &cu->members.items[k];
			const struct cu_member before = *m;

			if (!(m->flags & ~CU_MEMBER_OLD_BITS))
				fit_member(cu, t, m);
			if (m->flags != before.flags || m->bits != before.bits)
				t->flags &= (uint16_t)~CU_TYPE_PLAIN;
		}
	}
}

/* --- the order of members ------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sort members by their bytes; members in one byte keep their order. */
static void sort_members(struct cu_member *members, uint32_t nr)
{
	uint64_t *keys = mem_alloc(nr * sizeof(keys[0]));
	struct cu_member *old = mem_dup(members, nr * sizeof(old[0]));

	for (uint32_t i = 0; i < nr; i++)
		keys[i] = (uint64_t)(old[i].offset / 8) << 32 | i;
	qsort(keys, nr, sizeof(keys[0]), by_number);
	for (uint32_t i = 0; i < nr; i++)
		members[i] = old[(uint32_t)keys[i]];
	free(old);
	free(keys);
}

/* Rust reorders members, but its DWARF has the order of the source. pahole sorts them. */
static void sort_all_members(struct cu *cu)
{
	for (size_t i = 1; i < cu->types.nr; i++) {
		const struct cu_type *t = &cu->types.items[i];
		uint32_t end = t->first + t->nr;

		if (!btf_kind_is_struct(t->kind))
			continue;
		for (uint32_t k = t->first + 1; k < end; k++) {
			if (cu->members.items[k].offset / 8 >= cu->members.items[k - 1].offset / 8)
				continue;
			sort_members(cu->members.items + t->first, t->nr);
			break;
		}
	}
}

static bool is_signed(const struct cu_type *t)
{
	return t->kind == BTF_INT &&
	       (t->encoding == DW_ATE_signed || t->encoding == DW_ATE_signed_char);
}

void dw_resolve(struct dw_reader *r)
{
	struct cu *cu = r->cu;
	const struct die_types dies = die_types_of(r);
	struct cu_type *types = cu->types.items, *types_end = types + cu->types.nr;
	struct cu_member *members = cu->members.items, *members_end = members;

	/* NULL + 0 is undefined in C */
	if (cu->members.nr)
		members_end += cu->members.nr;

	for (struct cu_type *t = types + 1; t < types_end; t++) {
		if (!t->ref)
			continue;
		if (!(t->flags & CU_TYPE_REF_DONE))
			t->ref = resolve(r, dies, t->ref);
		if (unlikely(t->kind == BTF_ENUM)) {
			if (is_signed(&types[t->ref]))
				t->flags |= CU_TYPE_SIGNED;
			/* only an enum of discriminants (dw_frame.c) has no size of its own */
			if (!t->size)
				t->size = types[t->ref].size;
		}
	}
	for (struct cu_member *m = members; m < members_end; m++) {
		if (likely(m->type))
			m->type = resolve(r, dies, m->type);
	}
	for (size_t i = 0; i < r->raw.borrowed_names.nr; i++) {
		const struct borrowed_name *b = &r->raw.borrowed_names.items[i];
		unit_tid from = dw_resolve_type(r, b->spec);

		cu->types.items[b->type].name = cu->types.items[from].name;
	}
	if (r->raw.old_bits)
		convert_old_bits(r);
	if (unlikely(r->raw.foreign))
		fit_arrays(r);
	if (unlikely(r->raw.open_sizes))
		close_open_structs(cu);
	if (unlikely(r->raw.foreign))
		fit_members(cu);
	if (unlikely(cu->lang == DW_LANG_Rust || r->raw.foreign))
		sort_all_members(cu);
	resolve_vars(r);
}
