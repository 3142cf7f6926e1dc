/* SPDX-License-Identifier: GPL-2.0-only */
/* frag_funcs.c - the functions of a unit, remembered until all units are known */
#include "encoder/frag_maker.h"
#include "encoder/packed.h"

#include <stdlib.h>

bool frag_func_wanted(const struct frag_maker *m, const struct cu_func *f)
{
	if (!m->run->func_by_name[f->name])
		return false;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next) {
		if (!m->cu->params.items[at].name)
			return false;
	}
	return true;
}

static size_t count_params(const struct frag_maker *m, const struct cu_func *f)
{
	size_t nr = 0;

	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next)
		nr++;
	return nr;
}

/* A packed struct is passed on the stack, where nobody can tell (spec pahole-encoder 8.6). */
static bool uncertain(const struct frag_maker *m, const struct cu_func *f, size_t nr_params)
{
	uint32_t n = 0;

	if (nr_params < m->run->regs->nr)
		return false;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next) {
		const struct cu_param *p = &m->cu->params.items[at];
		const struct cu_type *t = &m->cu->types.items[p->type];

		if (n++ >= m->run->regs->nr && t->kind == BTF_STRUCT && t->name &&
		    packed_struct(m->cu, p->type))
			return true;
	}
	return false;
}

/* Parameters that are not passed disappear from a function that was reordered. */
static bool param_kept(const struct cu_func *f, const struct cu_param *p, bool optimized)
{
	return !(f->flags & CU_FUNC_REORDERED) || ((p->flags & CU_PARAM_HAS_LOC) && !optimized);
}

static void proto(const struct frag_maker *m, const struct cu_func *f, const bool *optimized,
		  struct record_words *w)
{
	bool vararg = f->flags & CU_FUNC_VARARG;
	size_t start = w->nr, n = 0;
	uint32_t vlen = 0;

	vec_reserve(w, BTF_REC_WORDS + 2 * (count_params(m, f) + 1));
	w->nr += BTF_REC_WORDS;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next) {
		const struct cu_param *p = &m->cu->params.items[at];

		if (!param_kept(f, p, optimized[n++]))
			continue;
		w->items[w->nr++] = p->name;
		w->items[w->nr++] = p->type;
		vlen++;
	}
	if (vararg) {
		w->items[w->nr++] = 0;
		w->items[w->nr++] = 0;
		vlen++;
	}
	w->items[start + BTF_REC_NAME] = 0;
	w->items[start + BTF_REC_INFO] = btf_info(BTF_FUNC_PROTO, vlen, false);
	w->items[start + BTF_REC_SIZE_TYPE] = f->ret;
}

void frag_proto(const struct frag_maker *m, const struct cu_func *f, struct record_words *w)
{
	bool *optimized = mem_alloc(count_params(m, f) * sizeof(*optimized));

	frag_param_flags(m, f, optimized);
	proto(m, f, optimized, w);
	free(optimized);
}

static void add_func(struct frag_maker *m, const struct cu_func *f, uint32_t ordinal)
{
	size_t nr_params = count_params(m, f);
	bool few[16], *optimized = nr_params <= ARRAY_SIZE(few) ? few : mem_alloc(nr_params);
	struct frag_func ff = {
		.addr = f->addr,
		.func = m->run->func_by_name[f->name] - 1,
		.unit = m->frag->unit,
		.file = m->run->file,
		.ordinal = ordinal,
		.flags = frag_param_flags(m, f, optimized),
	};

	if (f->flags & CU_FUNC_REORDERED)
		ff.flags |= FRAG_FUNC_REORDERED;
	if (f->flags & CU_FUNC_CHANGED)
		ff.flags |= FRAG_FUNC_CHANGED;
	if (uncertain(m, f, nr_params))
		ff.flags |= FRAG_FUNC_UNCERTAIN;

	m->words.nr = 0;
	proto(m, f, optimized, &m->words);
	uint32_t *rec = m->words.items;
	rec[BTF_REC_SIZE_TYPE] = frag_ref(m, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++) {
		uint32_t *elem = rec + BTF_REC_WORDS + (size_t)i * 2;

		str_pool_use(m->run->strings, elem[0], frag_now(m));
		elem[1] = frag_ref(m, elem[1]);
	}
	struct pool_type *p;
	ff.proto = type_pool_add(m->run->types, rec, m->words.nr, &p);
	ff.tags = (uint32_t)m->frag->func_tags.nr;
	ff.nr_tags = frag_add_tags(m, f->tags_of, &m->frag->func_tags);
	vec_push(&m->frag->funcs, ff);
	if (optimized != few)
		free(optimized);
}

void frag_add_funcs(struct frag_maker *m)
{
	frag_sort_tags(m->cu, CU_TAG_FUNC, &m->tags);
	for (size_t i = 0; i < m->cu->funcs.nr; i++) {
		const struct cu_func *f = &m->cu->funcs.items[i];

		if (frag_func_wanted(m, f))
			add_func(m, f, (uint32_t)i);
	}
}
