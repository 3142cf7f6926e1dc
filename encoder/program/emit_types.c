/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_types.c - number the records of the units, and append them
 *
 * Of a unit whose types are exact (dedup/ambiguous/ambiguous.h), all records are appended. Of other
 * units only those that no earlier unit has. So a reference of a unit means the unit's own record of
 * the type if there is one, else the record that all units share. That may be one of the base
 * (dedup/ambiguous/map_to_base.h).
 */
#include "encoder/program/passes.h"

#include "base/os/ordered.h"

#include <stdlib.h>

/* --- numbering ---------------------------------------------------- */

static void collect_placed(struct program *p)
{
	uint32_t end = atomic_load(&p->types.end);

	vec_reserve(&p->placed, end);
	p->final = p->mapped_to_base ? mem_dup(p->mapped_to_base, end * sizeof(p->final[0])) :
				       mem_zalloc(end, sizeof(p->final[0]));
	for (uint32_t id = 1; id < end; id++) {
		const struct pool_type *t = type_pool_at(&p->types, id);

		if (!p->final[id] && atomic_load_explicit(&t->inv_first_use, memory_order_relaxed))
			p->placed.items[p->placed.nr++] = (struct sort_key){ pool_type_place(t),
									     id };
	}
	sort_by_key(p->placed.items, p->placed.nr);
}

bool program_makes_index(const struct program *p, uint32_t unit)
{
	return p->have_index && p->own_index && p->index_unit == unit;
}

/* Is record @tid of @unit the place of the next shared type? */
static bool placed_here(const struct program *p, size_t pos, uint32_t unit, unit_tid tid)
{
	return pos < p->placed.nr && p->placed.items[pos].key == ((uint64_t)unit << 32 | tid);
}

/* Does @unit have a record of its own for pool id @id? */
static bool is_own(const struct program *p, uint32_t unit, uint32_t id)
{
	return !p->resolved.units || needs_exact_dedup(&p->resolved, unit, id);
}

/* Number the records of a unit with exact types. */
static uint32_t number_exact(struct program *p, struct program_unit *u, size_t *pos, uint32_t next)
{
	const struct unit_btf *btf = &u->btf;
	uint32_t start = next;

	u->ids = mem_zalloc(btf->types.nr, sizeof(u->ids[0]));
	for (unit_tid t = 1; t < btf->types.nr; t++) {
		uint32_t id = btf->types.items[t];
		bool here = placed_here(p, *pos, btf->unit, t);
		bool own = id && is_own(p, btf->unit, id);

		if (!id && program_makes_index(p, btf->unit))
			p->index = next++;
		if (here)
			p->final[p->placed.items[(*pos)++].id] = next;
		if (here && !own)
			next++;
		if (own)
			u->ids[t] = next++;
	}
	if (u->raw)
		return next;
	hash_table_reserve(&u->own, next - start);
	for (unit_tid t = 1; t < btf->types.nr; t++) {
		uint32_t id = btf->types.items[t];

		if (!u->ids[t])
			continue;
		uint32_t key = hash_key32(pool_ref_to(type_pool_at(&p->types, id)->rec, id));
		uint64_t *slot = HASH_SLOT(&u->own, key, i, true);
		if (!*slot)
			hash_table_set(&u->own, slot, key, u->ids[t]);
	}
	return next;
}

/* The same for a unit all of whose types are shared. */
static uint32_t number_shared(struct program *p, const struct program_unit *u, size_t *pos,
			      uint32_t next)
{
	uint32_t unit = u->btf.unit;
	bool made = program_makes_index(p, unit);

	for (; *pos < p->placed.nr && pool_place_unit(p->placed.items[*pos].key) == unit; ++*pos) {
		const struct sort_key *k = &p->placed.items[*pos];

		if (made && !p->index && pool_place_index(k->key) > p->index_tid)
			p->index = next++;
		p->final[k->id] = next++;
	}
	if (made && !p->index)
		p->index = next++;
	return next;
}

/* Returns the id behind the variables of @u, which begin at @next. */
static uint32_t number_vars(struct program_unit *u, uint32_t next)
{
	u->vars = next;
	for (size_t i = 0; i < u->btf.vars.nr; i++) {
		const struct unit_var *v = &u->btf.vars.items[i];

		if (!v->dropped && !v->apart)
			next += 1 + v->nr_tags;
	}
	return next;
}

/* Each part has at least so many records, but the last. */
enum { PART_RECORDS = 8192 };

/* Unit @i, whose first record gets id @next, starts a new part if the last one is large enough. */
static void divide(struct program *p, size_t i, size_t pos, uint32_t next)
{
	struct record_part *last = p->parts.nr ? &p->parts.items[p->parts.nr - 1] : NULL;
	uint32_t least = p->opts->small_jobs ? 1 : PART_RECORDS;

	assert(p->parts.items || !p->parts.cap);
	if (!last || next - last->first_id >= least)
		vec_push(&p->parts, ((struct record_part){ i, i + 1, pos, next }));
	else
		last->end_unit = i + 1;
}

/* Give each type of unit @u its id, from @next on, and its variables if they follow. Returns the next one. */
static uint32_t number_unit(struct program *p, struct program_unit *u, size_t *pos, uint32_t next)
{
	next = u->needs_exact ? number_exact(p, u, pos, next) : number_shared(p, u, pos, next);
	return p->as_one ? next : number_vars(u, next);
}

struct err *number_records(struct program *p)
{
	uint32_t next;
	size_t pos = 0;

	btf_types_init(&p->out, p->request->base ? &p->request->base->view.types : NULL);
	next = p->out.first;
	collect_placed(p);
	for (size_t i = 0; i < p->units.nr; i++) {
		if (next > INT32_MAX)
			return err_new(ERR_LIMIT, "over two thousand million types");
		divide(p, i, pos, next);
		next = number_unit(p, &p->units.items[i], &pos, next);
	}
	for (size_t i = 0; p->as_one && i < p->units.nr; i++)
		next = number_vars(&p->units.items[i], next);
	if (p->have_index && !p->own_index)
		p->index = unit_ref_id(p, &p->units.items[p->index_unit], p->index_tid);
	return NULL;
}

/* --- writing records --------------------------------------------------------------- */

/* The record that a reference of the pool means to units without an own one. */
static uint32_t shared_ref(const struct program *p, pool_ref r)
{
	if (!r)
		return 0;
	if (r == POOL_REF_INDEX)
		return p->index;
	if (pool_ref_is_named(r))
		r = p->resolved.named[pool_ref_space(r)][pool_ref_name(r)];
	assert(p->final[r]); /* a shared type has a place */
	return p->final[r];
}

/* The same for unit @u, which may be NULL. */
static uint32_t pooled_ref(const struct program *p, const struct program_unit *u, pool_ref r)
{
	uint32_t own = u ? HASH_FIND(&u->own, hash_key32(r), i, true) : 0;

	return own ? own : shared_ref(p, r);
}

uint32_t unit_ref_id(const struct program *p, const struct program_unit *u, unit_tid tid)
{
	if (tid == POOL_REF_INDEX)
		return p->index;
	if (u->ids && u->ids[tid])
		return u->ids[tid];

	uint32_t id = u->btf.types.items[tid];
	return id ? shared_ref(p, pool_ref_to(type_pool_at(&p->types, id)->rec, id)) : 0;
}

/*
 * Copy record @rec of @nr words to @out, which gets strings and ids of the result. The references
 * in @rec are numbers of unit @u if @raw, else those of the pool.
 */
static void convert(const struct program *p, const uint32_t *rec, size_t nr,
		    const struct program_unit *u, bool raw, uint32_t *out)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	uint32_t vlen = btf_rec_vlen(rec);

	memcpy(out, rec, nr * sizeof(*rec));
	out[BTF_REC_NAME] = string_offset(p, rec[BTF_REC_NAME]);
	btf_rec_each_type(out, ref)
	{
		*ref = raw ? unit_ref_id(p, u, *ref) : pooled_ref(p, u, *ref);
	}
	out += BTF_REC_WORDS + l->fixed;
	for (uint32_t i = 0; l->elem_name >= 0 && i < vlen; i++, out += l->elem)
		out[l->elem_name] = string_offset(p, out[l->elem_name]);
}

static void copy(const struct program *p, const uint32_t *rec, const struct program_unit *u,
		 bool raw, struct btf_types *to)
{
	size_t nr = btf_rec_words(rec);

	/* 0: without a kind, it stands for a type in a cycle, which its unit writes from the raw record */
	if (nr)
		convert(p, rec, nr, u, raw, btf_types_add(to, nr));
}

/* Append the type with pool id @id with the references of unit @u; NULL: of the units that share it. */
static void copy_pooled(const struct program *p, uint32_t id, const struct program_unit *u,
			struct btf_types *to)
{
	copy(p, type_pool_at(&p->types, id)->rec, u, false, to);
}

/* Read @rec as unit @u has it. */
static void read_record(const struct program *p, const uint32_t *rec, const struct program_unit *u,
			bool raw, struct record_words *ret)
{
	size_t nr = btf_rec_words(rec);

	ret->nr = 0;
	vec_reserve(ret, nr);
	ret->nr = nr;
	convert(p, rec, nr, u, raw, ret->items);
}

void read_proto(const struct program *p, const struct unit_func *func, struct record_words *ret)
{
	const struct program_unit *u = &p->units.items[func->unit];
	const uint32_t *rec = u->raw ? u->raw->words.items + u->raw->protos.items[func->ordinal] :
				       type_pool_at(&p->types, func->proto)->rec;

	read_record(p, rec, u, u->raw, ret);
}

void read_inlined_proto(const struct program *p, const struct program_unit *u, uint32_t i,
			struct record_words *ret)
{
	const uint32_t *func = type_pool_at(&p->types, u->btf.inlined.items[i])->rec;
	const uint32_t *rec = u->raw ? u->raw->words.items + u->raw->inlined.items[i] :
				       type_pool_at(&p->types, func[BTF_REC_SIZE_TYPE])->rec;

	read_record(p, rec, u, u->raw, ret);
}

uint32_t append_record(struct btf_types *to, const uint32_t *rec, size_t nr)
{
	uint32_t id = btf_types_end(to);

	memcpy(btf_types_add(to, nr), rec, nr * sizeof(*rec));
	return id;
}

void append_tag(const struct program *p, struct btf_types *to, uint32_t value, uint32_t of,
		int32_t component)
{
	const uint32_t rec[] = { string_offset(p, value), btf_info(BTF_DECL_TAG, 0, false), of,
				 (uint32_t)component };

	append_record(to, rec, ARRAY_SIZE(rec));
}

static void emit_index(const struct program *p, struct btf_types *to)
{
	const uint32_t rec[] = { string_offset(p, p->int_name), btf_info(BTF_INT, 0, false), 4,
				 (uint32_t)BTF_ENC_SIGNED << 24 | 32 };

	append_record(to, rec, ARRAY_SIZE(rec));
}

static void emit_exact(const struct program *p, const struct program_unit *u, size_t *pos,
		       struct btf_types *to)
{
	const struct unit_btf *btf = &u->btf;

	for (unit_tid t = 1; t < btf->types.nr; t++) {
		uint32_t id = btf->types.items[t];
		bool here = placed_here(p, *pos, btf->unit, t);

		if (!id && program_makes_index(p, btf->unit))
			emit_index(p, to);
		if (here && !u->ids[t])
			copy_pooled(p, id, NULL, to);
		if (u->ids[t] && u->raw)
			copy(p, u->raw->words.items + u->raw->start.items[t], u, true, to);
		else if (u->ids[t])
			copy_pooled(p, id, u, to);
		*pos += here;
	}
}

static void emit_shared(const struct program *p, const struct program_unit *u, size_t *pos,
			struct btf_types *to)
{
	uint32_t unit = u->btf.unit;

	for (; *pos < p->placed.nr && pool_place_unit(p->placed.items[*pos].key) == unit; ++*pos) {
		if (btf_types_end(to) == p->index && program_makes_index(p, unit))
			emit_index(p, to);
		copy_pooled(p, p->placed.items[*pos].id, u, to);
	}
	if (btf_types_end(to) == p->index && program_makes_index(p, unit))
		emit_index(p, to);
}

static void emit_vars(const struct program *p, struct program_unit *u, struct btf_types *to)
{
	assert(btf_types_end(to) == u->vars);
	append_unit_vars(p, u, to);
}

static void emit_part(const struct program *p, const struct record_part *part, struct btf_types *to)
{
	size_t pos = part->pos;

	for (size_t i = part->first_unit; i < part->end_unit; i++) {
		struct program_unit *u = &p->units.items[i];

		if (u->needs_exact)
			emit_exact(p, u, &pos, to);
		else
			emit_shared(p, u, &pos, to);
		if (!p->as_one)
			emit_vars(p, u, to);
	}
}

static struct err *make_part(void *ctx, unsigned int worker UNUSED, size_t i, void **ret)
{
	const struct program *p = ctx;
	struct btf_types *made = mem_zalloc(1, sizeof(*made));

	made->first = p->parts.items[i].first_id;
	emit_part(p, &p->parts.items[i], made);
	*ret = made;
	return NULL;
}

static void drop_part(void *ctx UNUSED, void *made)
{
	btf_types_release(made);
	free(made);
}

static struct err *commit_part(void *ctx, size_t i UNUSED, void *made)
{
	struct program *p = ctx;

	btf_types_append(&p->out, made);
	drop_part(p, made);
	return NULL;
}

struct err *convert_records(struct program *p)
{
	static const struct ordered_ops ops = { make_part, commit_part, drop_part };
	unsigned int jobs = program_jobs(p, p->placed.nr);

	if (jobs > 1)
		TRY(ordered_run(p->parts.nr, jobs, &ops, p));
	for (size_t i = 0; jobs <= 1 && i < p->parts.nr; i++)
		emit_part(p, &p->parts.items[i], &p->out);
	for (size_t i = 0; p->as_one && i < p->units.nr; i++)
		emit_vars(p, &p->units.items[i], &p->out);
	return NULL;
}
