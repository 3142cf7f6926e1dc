/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * finish_types.c - number the records of the units, and append them
 *
 * Of a unit whose types are exact (dedup/ambiguous/ambiguous.h), all records are appended. Of other
 * units only those that no earlier unit has. So a reference of a unit means the unit's own record of
 * the type if there is one, else the record that all units share. That may be one of the base
 * (dedup/ambiguous/map_to_base.h).
 */
#include "encoder/emit/finish.h"

#include "base/os/ordered.h"

#include <stdlib.h>

/* --- numbering ---------------------------------------------------- */

static void collect_placed(struct finish *f)
{
	uint32_t end = atomic_load(&f->a->types.end);

	vec_reserve(&f->placed, end);
	f->final = f->a->mapped_to_base ? mem_dup(f->a->mapped_to_base, end * sizeof(f->final[0])) :
					  mem_zalloc(end, sizeof(f->final[0]));
	for (uint32_t id = 1; id < end; id++) {
		const struct pool_type *t = type_pool_at(&f->a->types, id);

		if (!f->final[id] && atomic_load_explicit(&t->inv_first_use, memory_order_relaxed))
			f->placed.items[f->placed.nr++] = (struct sort_key){ pool_type_place(t),
									     id };
	}
	sort_by_key(f->placed.items, f->placed.nr);
}

bool finish_makes_index(const struct assembly *a, uint32_t unit)
{
	return a->have_index && a->own_index && a->index_unit == unit;
}

/* Is record @tid of @unit the place of the next shared type? */
static bool placed_here(const struct finish *f, size_t pos, uint32_t unit, unit_tid tid)
{
	return pos < f->placed.nr && f->placed.items[pos].key == ((uint64_t)unit << 32 | tid);
}

/* Does @unit have a record of its own for pool id @id? */
static bool is_own(const struct assembly *a, uint32_t unit, uint32_t id)
{
	return !a->resolved.units || needs_exact_dedup(&a->resolved, unit, id);
}

/* Number the records of a unit with exact types. */
static uint32_t number_exact(struct finish *f, struct assembly_unit *u, size_t *pos, uint32_t next)
{
	const struct unit_btf *btf = &u->btf;
	uint32_t start = next;

	u->ids = mem_zalloc(btf->types.nr, sizeof(u->ids[0]));
	for (unit_tid t = 1; t < btf->types.nr; t++) {
		uint32_t id = btf->types.items[t];
		bool here = placed_here(f, *pos, btf->unit, t);
		bool own = id && is_own(f->a, btf->unit, id);

		if (!id && finish_makes_index(f->a, btf->unit))
			f->index = next++;
		if (here)
			f->final[f->placed.items[(*pos)++].id] = next;
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
		uint32_t key = hash_key32(pool_ref_to(type_pool_at(&f->a->types, id)->rec, id));
		uint64_t *slot = HASH_SLOT(&u->own, key, i, true);
		if (!*slot)
			hash_table_set(&u->own, slot, key, u->ids[t]);
	}
	return next;
}

/* The same for a unit all of whose types are shared. */
static uint32_t number_shared(struct finish *f, const struct assembly_unit *u, size_t *pos,
			      uint32_t next)
{
	const struct assembly *a = f->a;
	uint32_t unit = u->btf.unit;
	bool made = finish_makes_index(a, unit);

	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].key) == unit; ++*pos) {
		const struct sort_key *p = &f->placed.items[*pos];

		if (made && !f->index && pool_place_index(p->key) > a->index_tid)
			f->index = next++;
		f->final[p->id] = next++;
	}
	if (made && !f->index)
		f->index = next++;
	return next;
}

/* Returns the id behind the variables of @u, which begin at @next. */
static uint32_t number_vars(struct assembly_unit *u, uint32_t next)
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
static void divide(struct finish *f, size_t i, size_t pos, uint32_t next)
{
	struct finish_part *last = f->parts.nr ? &f->parts.items[f->parts.nr - 1] : NULL;
	uint32_t least = f->a->opts->small_jobs ? 1 : PART_RECORDS;

	assert(f->parts.items || !f->parts.cap);
	if (!last || next - last->first_id >= least)
		vec_push(&f->parts, ((struct finish_part){ i, i + 1, pos, next }));
	else
		last->end_unit = i + 1;
}

/* Give each type of unit @u its id, from @next on, and its variables if they follow. Returns the next one. */
static uint32_t number_unit(struct finish *f, struct assembly_unit *u, size_t *pos, uint32_t next)
{
	next = u->needs_exact ? number_exact(f, u, pos, next) : number_shared(f, u, pos, next);
	return f->a->as_one ? next : number_vars(u, next);
}

struct err *finish_number(struct finish *f)
{
	struct assembly *a = f->a;
	uint32_t next = f->out.first;
	size_t pos = 0;

	collect_placed(f);
	for (size_t i = 0; i < a->units.nr; i++) {
		if (next > INT32_MAX)
			return err_new(ERR_LIMIT, "over two thousand million types");
		divide(f, i, pos, next);
		next = number_unit(f, &a->units.items[i], &pos, next);
	}
	for (size_t i = 0; a->as_one && i < a->units.nr; i++)
		next = number_vars(&a->units.items[i], next);
	if (a->have_index && !a->own_index)
		f->index = finish_unit_ref(f, &a->units.items[a->index_unit], a->index_tid);
	return NULL;
}

/* --- writing records --------------------------------------------------------------- */

/* The record that a reference of the pool means to units without an own one. */
static uint32_t shared_ref(const struct finish *f, pool_ref r)
{
	if (!r)
		return 0;
	if (r == POOL_REF_INDEX)
		return f->index;
	if (pool_ref_is_named(r))
		r = f->a->resolved.named[pool_ref_space(r)][pool_ref_name(r)];
	assert(f->final[r]); /* a shared type has a place */
	return f->final[r];
}

/* The same for unit @u, which may be NULL. */
static uint32_t pooled_ref(const struct finish *f, const struct assembly_unit *u, pool_ref r)
{
	uint32_t own = u ? HASH_FIND(&u->own, hash_key32(r), i, true) : 0;

	return own ? own : shared_ref(f, r);
}

uint32_t finish_unit_ref(const struct finish *f, const struct assembly_unit *u, unit_tid tid)
{
	if (tid == POOL_REF_INDEX)
		return f->index;
	if (u->ids && u->ids[tid])
		return u->ids[tid];

	uint32_t id = u->btf.types.items[tid];
	return id ? shared_ref(f, pool_ref_to(type_pool_at(&f->a->types, id)->rec, id)) : 0;
}

/* The words of a record; 0 for one without a kind, which stands for a type in a circle. */
static size_t nr_words(const uint32_t *rec)
{
	return likely(btf_kind_layout(btf_rec_kind(rec))) ? btf_rec_words(rec) : 0;
}

/*
 * Copy record @rec of @nr words to @out, which gets strings and ids of the result. The references
 * in @rec are numbers of unit @u if @raw, else those of the pool.
 */
static void convert(const struct finish *f, const uint32_t *rec, size_t nr,
		    const struct assembly_unit *u, bool raw, uint32_t *out)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_rec_kind(rec));
	uint32_t vlen = btf_rec_vlen(rec);

	memcpy(out, rec, nr * sizeof(*rec));
	out[BTF_REC_NAME] = finish_offset(f, rec[BTF_REC_NAME]);
	btf_rec_each_type(out, ref)
	{
		*ref = raw ? finish_unit_ref(f, u, *ref) : pooled_ref(f, u, *ref);
	}
	out += BTF_REC_WORDS + l->fixed;
	for (uint32_t i = 0; l->elem_name >= 0 && i < vlen; i++, out += l->elem)
		out[l->elem_name] = finish_offset(f, out[l->elem_name]);
}

static void copy(const struct finish *f, const uint32_t *rec, const struct assembly_unit *u,
		 bool raw, struct btf_types *to)
{
	size_t nr = nr_words(rec);

	/* a type in a circle is written by the unit that has it, from its raw record */
	if (nr)
		convert(f, rec, nr, u, raw, btf_types_add(to, nr));
}

/* Append the type with pool id @id with the references of unit @u; NULL: of the units that share it. */
static void copy_pooled(const struct finish *f, uint32_t id, const struct assembly_unit *u,
			struct btf_types *to)
{
	copy(f, type_pool_at(&f->a->types, id)->rec, u, false, to);
}

void finish_read_proto(const struct finish *f, const struct unit_func *func,
		       struct record_words *ret)
{
	const struct assembly_unit *u = &f->a->units.items[func->unit];
	const uint32_t *rec = u->raw ? u->raw->words.items + u->raw->protos.items[func->ordinal] :
				       type_pool_at(&f->a->types, func->proto)->rec;
	size_t nr = btf_rec_words(rec);

	ret->nr = 0;
	vec_reserve(ret, nr);
	ret->nr = nr;
	convert(f, rec, nr, u, u->raw, ret->items);
}

uint32_t finish_add(struct btf_types *to, const uint32_t *rec, size_t nr)
{
	uint32_t id = btf_types_end(to);

	memcpy(btf_types_add(to, nr), rec, nr * sizeof(*rec));
	return id;
}

void finish_tag(const struct finish *f, struct btf_types *to, uint32_t value, uint32_t of,
		int32_t component)
{
	const uint32_t rec[] = { finish_offset(f, value), btf_info(BTF_DECL_TAG, 0, false), of,
				 (uint32_t)component };

	finish_add(to, rec, ARRAY_SIZE(rec));
}

static void emit_index(const struct finish *f, struct btf_types *to)
{
	const uint32_t rec[] = { finish_offset(f, f->int_name), btf_info(BTF_INT, 0, false), 4,
				 (uint32_t)BTF_ENC_SIGNED << 24 | 32 };

	finish_add(to, rec, ARRAY_SIZE(rec));
}

static void emit_exact(const struct finish *f, const struct assembly_unit *u, size_t *pos,
		       struct btf_types *to)
{
	const struct unit_btf *btf = &u->btf;

	for (unit_tid t = 1; t < btf->types.nr; t++) {
		uint32_t id = btf->types.items[t];
		bool here = placed_here(f, *pos, btf->unit, t);

		if (!id && finish_makes_index(f->a, btf->unit))
			emit_index(f, to);
		if (here && !u->ids[t])
			copy_pooled(f, id, NULL, to);
		if (u->ids[t] && u->raw)
			copy(f, u->raw->words.items + u->raw->start.items[t], u, true, to);
		else if (u->ids[t])
			copy_pooled(f, id, u, to);
		*pos += here;
	}
}

static void emit_shared(const struct finish *f, const struct assembly_unit *u, size_t *pos,
			struct btf_types *to)
{
	uint32_t unit = u->btf.unit;

	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].key) == unit; ++*pos) {
		if (btf_types_end(to) == f->index && finish_makes_index(f->a, unit))
			emit_index(f, to);
		copy_pooled(f, f->placed.items[*pos].id, u, to);
	}
	if (btf_types_end(to) == f->index && finish_makes_index(f->a, unit))
		emit_index(f, to);
}

static void emit_vars(const struct finish *f, struct assembly_unit *u, struct btf_types *to)
{
	assert(btf_types_end(to) == u->vars);
	finish_vars(f, u, to);
}

static void emit_part(const struct finish *f, const struct finish_part *p, struct btf_types *to)
{
	size_t pos = p->pos;

	for (size_t i = p->first_unit; i < p->end_unit; i++) {
		struct assembly_unit *u = &f->a->units.items[i];

		if (u->needs_exact)
			emit_exact(f, u, &pos, to);
		else
			emit_shared(f, u, &pos, to);
		if (!f->a->as_one)
			emit_vars(f, u, to);
	}
}

static struct err *make_part(void *ctx, unsigned int worker UNUSED, size_t i, void **ret)
{
	const struct finish *f = ctx;
	struct btf_types *made = mem_zalloc(1, sizeof(*made));

	made->first = f->parts.items[i].first_id;
	emit_part(f, &f->parts.items[i], made);
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
	struct finish *f = ctx;

	btf_types_append(&f->out, made);
	drop_part(f, made);
	return NULL;
}

struct err *finish_units(struct finish *f)
{
	static const struct ordered_ops ops = { make_part, commit_part, drop_part };
	const struct assembly *a = f->a;
	unsigned int jobs = assembly_jobs(a, f->placed.nr);

	if (jobs > 1)
		TRY(ordered_run(f->parts.nr, jobs, &ops, f));
	for (size_t i = 0; jobs <= 1 && i < f->parts.nr; i++)
		emit_part(f, &f->parts.items[i], &f->out);
	for (size_t i = 0; a->as_one && i < a->units.nr; i++)
		emit_vars(f, &a->units.items[i], &f->out);
	return NULL;
}
