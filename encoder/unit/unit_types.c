/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_types.c - enter the types of a unit in the type pool
 *
 * A record can be looked up when all records that it refers to by id have been entered. Until then the
 * type waits on a stack. A type with a name is referred to by name, so others need not wait for
 * it; this ends the recursion of structs with pointers to themselves. A cycle without a name, which
 * C cannot express but DWARF can, gets a placeholder that is equal to no other record.
 */
#include "encoder/unit/unit_encoder.h"

#include <stdlib.h>

static void want(struct unit_encoder *m, unit_tid t)
{
	vec_push(&m->stack, t);
}

/* Enter a record of three words. Its targets have been entered. */
ALWAYS_INLINE void enter_reference(struct unit_encoder *m, unit_tid t, const struct cu_type *type)
{
	/* a typedef without a name: see record_append() */
	bool nameless = type->kind == BTF_TYPEDEF && unlikely(!type->name);
	enum btf_kind kind = nameless ? BTF_CONST : (enum btf_kind)type->kind;
	const uint32_t rec[] = { type->name, btf_info(kind, 0, false), m->refs[type->ref] };

	unit_enter(m, t, rec, ARRAY_SIZE(rec));
}

ALWAYS_INLINE bool is_simple_reference(const struct cu_type *t)
{
	return t->kind == BTF_PTR || btf_kind_is_modifier(t->kind);
}

/*
 * Enter @t, if it is a short chain of pointers, qualifiers and typedefs to an entered type, and return
 * its reference. Otherwise push it on the stack and return NO_REF.
 */
static NOINLINE pool_ref enter_now(struct unit_encoder *m, unit_tid t)
{
	unit_tid chain[8];
	unsigned int nr = 0;

	for (unit_tid next = t; m->refs[next] == NO_REF; next = m->cu->types.items[next].ref) {
		if (nr == ARRAY_SIZE(chain) || !is_simple_reference(&m->cu->types.items[next])) {
			want(m, t);
			return NO_REF;
		}
		chain[nr++] = next;
	}
	while (nr--)
		enter_reference(m, chain[nr], &m->cu->types.items[chain[nr]]);
	return m->refs[t];
}

ALWAYS_INLINE pool_ref ref_of(struct unit_encoder *m, unit_tid t)
{
	pool_ref ref = m->refs[t];

	return unlikely(ref == NO_REF) ? enter_now(m, t) : ref;
}

/*
 * In most units the same type follows the one before (type_pool.h). So a type is first compared with
 * that guess, without building its record. The record is built only if the guess is wrong, or if
 * DWARF and BTF differ. The comparison enters the types that the type refers to.
 */
ALWAYS_INLINE bool same_members(struct unit_encoder *m, const struct cu_type *t,
				const uint32_t *elem)
{
	const struct cu_member *member = m->cu->members.items + t->first, *end = member + t->nr;
	uint32_t differs = 0;

	for (; member < end; elem += 3, member++)
		differs |= (elem[0] ^ member->name) | (elem[1] ^ ref_of(m, member->type)) |
			   (elem[2] ^ (member->offset | (uint32_t)member->bits << 24));
	return !differs;
}

ALWAYS_INLINE bool same_params(struct unit_encoder *m, const struct cu_type *t,
			       const uint32_t *elem)
{
	const struct cu_member *param = m->cu->members.items + t->first, *end = param + t->nr;
	uint32_t differs = 0;

	for (; param < end; elem += 2, param++)
		differs |= (elem[0] ^ param->name) | (elem[1] ^ ref_of(m, param->type));
	/* the element of "..." has neither name nor type */
	return !(differs || (t->flags & CU_TYPE_VARARG && (elem[0] | elem[1])));
}

/* Is type @t of the unit equal to @p? False also means: build the record and look it up. */
ALWAYS_INLINE bool is_type(struct unit_encoder *m, const struct cu_type *t,
			   const struct pool_type *p)
{
	const uint32_t *rec, *elem;
	uint32_t info;

	if (unlikely(!p))
		return false;
	rec = p->rec;
	elem = rec + BTF_REC_WORDS;
	info = btf_info((enum btf_kind)t->kind, t->nr, false);
	switch (t->kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		if (rec[BTF_REC_NAME] != t->name)
			return false;
		if (t->flags & CU_TYPE_FWD)
			return t->name &&
			       rec[BTF_REC_INFO] == btf_info(BTF_FWD, 0, t->kind == BTF_UNION);
		if (t->flags & CU_TYPE_BITS)
			info |= btf_info(BTF_UNKN, 0, true);
		return (t->flags & CU_TYPE_PLAIN) && rec[BTF_REC_INFO] == info &&
		       rec[BTF_REC_SIZE_TYPE] == t->size && same_members(m, t, elem);
	case BTF_FUNC_PROTO:
		return rec[BTF_REC_INFO] == info + !!(t->flags & CU_TYPE_VARARG) &&
		       rec[BTF_REC_SIZE_TYPE] == ref_of(m, t->ref) && same_params(m, t, elem);
	case BTF_ARRAY:
		return rec[BTF_REC_INFO] == btf_info(BTF_ARRAY, 0, false) &&
		       elem[0] == ref_of(m, t->ref) && elem[2] == t->size;
	default:
		return false;
	}
}

/* Enter the types that @type refers to, or push them on the stack. */
static void enter_targets(struct unit_encoder *m, const struct cu_type *type)
{
	const struct cu_member *member = m->cu->members.items;

	switch (type->kind) {
	case BTF_FUNC_PROTO:
		ref_of(m, type->ref);
		__attribute__((fallthrough));
	case BTF_STRUCT:
	case BTF_UNION:
		for (uint32_t i = 0; i < type->nr; i++)
			ref_of(m, member[type->first + i].type);
		break;
	case BTF_ARRAY:
		ref_of(m, type->ref);
		break;
	default:
		break;
	}
}

/* Replace the unit's type numbers in @rec by pool references. All have been entered. */
static void refs_to_pool(const struct unit_encoder *m, uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint32_t *elem = rec + BTF_REC_WORDS;

	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_STRUCT:
	case BTF_UNION:
		for (uint32_t i = 0; i < vlen; i++)
			elem[i * 3 + 1] = m->refs[elem[i * 3 + 1]];
		break;
	case BTF_FUNC_PROTO:
		rec[BTF_REC_SIZE_TYPE] = m->refs[rec[BTF_REC_SIZE_TYPE]];
		for (uint32_t i = 0; i < vlen; i++)
			elem[i * 2 + 1] = m->refs[elem[i * 2 + 1]];
		break;
	case BTF_ARRAY:
		elem[0] = m->refs[elem[0]];
		break;
	default:
		break;
	}
}

/* Enter a type that no guess was equal to. */
static NOINLINE void enter_record(struct unit_encoder *m, unit_tid t)
{
	m->words.nr = 0;
	record_append(&m->run->record, m->cu, t, &m->words, &m->log);
	refs_to_pool(m, m->words.items);
	unit_enter(m, t, m->words.items, m->words.nr);
}

/* The type that follows the last one in other units, if it is equal to @type; else NULL. */
ALWAYS_INLINE struct pool_type *guess(struct unit_encoder *m, const struct cu_type *type)
{
	struct pool_type *p = atomic_load_explicit(&m->last->next, memory_order_acquire);

	if (likely(is_type(m, type, p)))
		return p;
	p = atomic_load_explicit(&m->last->next_before, memory_order_acquire);
	return is_type(m, type, p) ? p : NULL;
}

/* Enter @type. Returns false if it has to wait. */
ALWAYS_INLINE bool enter_type(struct unit_encoder *m, unit_tid t, const struct cu_type *type)
{
	size_t wanted = m->stack.nr;
	struct pool_type *p = guess(m, type);

	if (likely(p)) {
		type_pool_follows(m->last, p);
		__builtin_prefetch(atomic_load_explicit(&p->next, memory_order_relaxed));
		unit_entered(m, t, p);
	} else {
		enter_targets(m, type);
		if (m->stack.nr > wanted)
			return false;
		enter_record(m, t);
	}
	if (type->kind == BTF_ARRAY)
		m->btf->has_arrays = true;
	else if (pool_ref_is_named(m->refs[t]))
		unit_check_owner(m, m->refs[t]);
	return true;
}

/* Enter type @t, or push on the stack what it waits for. */
ALWAYS_INLINE void intern(struct unit_encoder *m, unit_tid t)
{
	const struct cu_type *type = &m->cu->types.items[t];
	size_t asked = m->stack.nr;

	if (!is_simple_reference(type)) {
		if (likely(enter_type(m, t, type)))
			return;
	} else if (likely(m->refs[type->ref] != NO_REF)) {
		enter_reference(m, t, type);
		return;
	} else {
		want(m, type->ref);
	}
	for (size_t i = asked; i < m->stack.nr; i++) {
		/* a type on the stack waits for @t: a cycle */
		if (m->state[m->stack.items[i]] != TYPE_WAITS && m->stack.items[i] != t)
			continue;
		m->stack.nr = asked;
		unit_entered(m, t, unit_add_placeholder(m, t));
		return;
	}
	m->state[t] = TYPE_WAITS;
}

static void intern_all(struct unit_encoder *m)
{
	const uint32_t *done = m->btf->types.items;
	size_t nr = m->cu->types.nr;

	for (unit_tid t = 1; t < nr; t++) {
		if (done[t])
			continue;
		intern(m, t);
		if (likely(done[t]))
			continue;
		/* enter what it waits for, then @t */
		while (m->stack.nr) {
			unit_tid top = m->stack.items[m->stack.nr - 1];

			if (done[top])
				m->stack.nr--;
			else
				intern(m, top);
		}
		intern(m, t);
	}
}

/* The unit is the first one with the record @rec: note the first use of its strings. */
static void use_strings(struct unit_encoder *m, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));

	str_pool_use(m->run->strings, rec[BTF_REC_NAME], unit_next_place(m));
	if (!l || l->elem_name < 0)
		return;

	const uint32_t *elem = rec + BTF_REC_WORDS + l->fixed + l->elem_name;
	for (uint32_t i = 0; i < vlen; i++)
		str_pool_use(m->run->strings, elem[(size_t)i * l->elem], unit_next_place(m));
}

/* List what each type refers to, for the walk over references. */
static void list_refs(const struct unit_encoder *m, struct walk_refs *refs)
{
	for (unit_tid t = 0; t < m->cu->types.nr; t++) {
		const struct cu_type *type = &m->cu->types.items[t];

		walk_refs_next(refs, dedup_in_ref_pass(type->kind));
		if (!dedup_in_ref_pass(type->kind))
			continue;
		vec_push(&refs->to, type->ref);
		for (uint32_t i = 0; type->kind == BTF_FUNC_PROTO && i < type->nr; i++)
			vec_push(&refs->to, m->cu->members.items[type->first + i].type);
	}
}

static bool is_placeholder(const struct pool_type *p)
{
	return btf_info_kind(p->rec[BTF_REC_INFO]) == BTF_UNKN;
}

/* The record of a type that has a placeholder in the pool. Valid until the next one. */
static const uint32_t *unpooled_record(struct unit_encoder *m, unit_tid t)
{
	m->words.nr = 0;
	record_append(&m->run->record, m->cu, t, &m->words, &m->log);
	return m->words.items;
}

/* Place the strings of the types of which this may be the first unit. */
static void use_first_seen(struct unit_encoder *m)
{
	struct walk_refs refs = { 0 };

	unit_sort_first_seen(m);
	for (size_t i = 0; i < m->first_seen.nr; i++) {
		const struct first_seen_type *f = &m->first_seen.items[i];

		use_strings(m, is_placeholder(f->p) ? unpooled_record(m, f->type) : f->p->rec);
		unit_list_enum(m->btf, f->p);
	}
	if (unit_fresh_twice(m)) {
		list_refs(m, &refs);
		unit_place_in_walk_order(m, &refs);
		walk_refs_release(&refs);
	}
}

/* Find the first base type called "int", the index type of arrays. */
static void find_int(struct unit_encoder *m)
{
	for (unit_tid t = 1; t < m->cu->types.nr; t++) {
		const struct cu_type *type = &m->cu->types.items[t];

		if (type->kind == BTF_INT && type->name == m->run->int_name) {
			m->btf->first_int = t;
			return;
		}
	}
}

static void add_tag(struct unit_encoder *m, const struct cu_tag *tag)
{
	const uint32_t rec[] = { tag->value, btf_info(BTF_DECL_TAG, 0, false), unit_ref(m, tag->of),
				 (uint32_t)tag->component };
	struct pool_type *p;
	uint32_t id = type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &p);

	pool_type_place_at(p, m->btf->unit, (uint32_t)m->btf->types.nr);
	str_pool_use(m->run->strings, tag->value, unit_next_place(m));
	vec_push(&m->btf->types, id);
}

static struct err *too_many(const struct unit_encoder *m, const struct cu_type *type)
{
	return unit_add_place(
		m,
		err_new(ERR_LIMIT, "'%s' has %u members, values or parameters; BTF has room for %u",
			type->name ? str_pool_text(m->run->strings, type->name) : "(anon)",
			type->nr, encode_max_vlen(m->run->opts)));
}

/* pahole puts tags on structures, unions and typedefs of DWARF, not on classes and enums. */
static bool type_is_tagged(const struct cu_type *t)
{
	switch (t->kind) {
	case BTF_STRUCT:
		return !(t->flags & CU_TYPE_CLASS);
	case BTF_UNION:
	case BTF_TYPEDEF:
		return true;
	default:
		return false;
	}
}

static int by_owner(const void *a, const void *b)
{
	const struct cu_tag *x = *(const struct cu_tag *const *)a;
	const struct cu_tag *y = *(const struct cu_tag *const *)b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x > y) - (x < y); /* both are in cu.tags, in the order of DWARF */
}

void unit_sort_tags(const struct cu *cu, enum cu_tag_owner owner, struct unit_sorted_tags *ret)
{
	ret->nr = 0;
	vec_reserve(ret, cu->tags.nr);
	for (size_t i = 0; i < cu->tags.nr; i++) {
		const struct cu_tag *tag = &cu->tags.items[i];

		if (tag->owner == owner &&
		    (owner != CU_TAG_TYPE || type_is_tagged(&cu->types.items[tag->of])))
			ret->items[ret->nr++] = tag;
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_owner);
}

/* Refer to types with a name by name. Other types have no reference until they are entered. */
static struct err *name_refs(struct unit_encoder *m)
{
	size_t nr = m->cu->types.nr;
	uint32_t max_vlen = encode_max_vlen(m->run->opts);

	m->refs = mem_grow(m->refs, &m->refs_cap, nr, sizeof(m->refs[0]));
	m->refs[0] = 0; /* void */
	for (unit_tid t = 1; t < nr; t++) {
		const struct cu_type *type = &m->cu->types.items[t];
		pool_ref ref = NO_REF;

		if (type->kind == BTF_STRUCT)
			ref = pool_ref_named(POOL_STRUCT, type->name);
		else if (type->kind == BTF_UNION)
			ref = pool_ref_named(POOL_UNION, type->name);
		else if (type->kind == BTF_ENUM)
			ref = pool_ref_named(POOL_ENUM, type->name);
		m->refs[t] = type->name ? ref : NO_REF;
		if (unlikely(type->nr > max_vlen))
			return too_many(m, type);
	}
	return NULL;
}

struct err *unit_add_types(struct unit_encoder *m)
{
	size_t nr = m->cu->types.nr;

	TRY(name_refs(m));
	vec_reserve(&m->btf->types, nr + 1);
	memset(m->btf->types.items, 0, (nr + 1) * sizeof(m->btf->types.items[0]));
	m->btf->types.nr = nr + 1;
	m->btf->index_place = (unit_tid)nr;
	m->state = mem_grow(m->state, &m->state_cap, nr, sizeof(m->state[0]));
	memset(m->state, TYPE_NEW, nr);

	m->first_seen.nr = 0;
	m->last = &m->before_first;
	unit_prepare_owners(m);
	intern_all(m);
	use_first_seen(m);
	find_int(m);
	m->btf->index_step = m->step++;

	unit_sort_tags(m->cu, CU_TAG_TYPE, &m->tags);
	for (size_t i = 0; i < m->tags.nr; i++)
		add_tag(m, m->tags.items[i]);
	return NULL;
}
