/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_funcs.c - the functions of a unit, remembered until all units are known */
#include "encoder/unit/packed_struct.h"
#include "encoder/unit/unit_encoder.h"

#include <stdio.h>
#include <stdlib.h>

bool unit_func_named(const struct unit_encoder *m, const struct cu_func *f)
{
	if (!f->name)
		return false;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next) {
		if (!m->cu->params.items[at].name)
			return false;
	}
	return true;
}

static void report_unwanted(struct unit_encoder *m, const struct cu_func *f)
{
	if (!f->name || !omission_wanted(&m->log, f->name))
		return;
	enum omission_rule rule = run_func(m->run, f->name) ? RULE_FUNC_UNNAMED_PARAMETER :
				  m->run->syms->have_symtab ? RULE_FUNC_NO_SYMBOL :
							      RULE_FUNC_NO_SYMTAB;

	omission_report(&m->log, (struct omission){ rule, .name = f->name, .number = f->addr });
}

bool unit_func_wanted(const struct unit_encoder *m, const struct cu_func *f)
{
	return run_func(m->run, f->name) && unit_func_named(m, f);
}

static size_t count_params(const struct unit_encoder *m, const struct cu_func *f)
{
	size_t nr = 0;

	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next)
		nr++;
	return nr;
}

/* A packed struct is passed on the stack, where nobody can tell (docs/spec/encoding.md 8.6). */
static bool uncertain(const struct unit_encoder *m, const struct cu_func *f, size_t nr_params,
		      const uint8_t *fate)
{
	uint32_t n = 0;

	if (nr_params < m->run->regs->nr)
		return false;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next, n++) {
		if (n < m->run->regs->nr)
			continue;

		unit_tid type = param_type(m, &m->cu->params.items[at], fate[n]);
		const struct cu_type *t = &m->cu->types.items[type];

		if (t->kind == BTF_STRUCT && t->name && packed_struct(m->cu, type))
			return true;
	}
	return false;
}

/*
 * Parameters that are not passed disappear from a function that was reordered, and from one
 * that is described as it has become.
 */
static bool param_kept(const struct unit_encoder *m, const struct cu_func *f,
		       const struct cu_param *p, uint8_t fate)
{
	bool gone = fate & PARAM_OPTIMIZED;

	if (f->flags & CU_FUNC_REORDERED)
		return (p->flags & CU_PARAM_HAS_LOC) && !gone;
	return !gone || !(f->flags & CU_FUNC_CHANGED) ||
	       !feature_on(m->run->opts, FEATURE_TRUE_SIGNATURE);
}

/* parameter__member, for the only member of it that is left */
static uint32_t member_name(const struct unit_encoder *m, const struct cu_param *p)
{
	struct str_pool *strings = m->run->strings;
	uint32_t member = m->cu->members.items[p->member - 1].name;
	size_t len = str_pool_at(strings, p->name)->len + str_pool_at(strings, member)->len + 2;
	char *name = mem_alloc(len + 1);

	snprintf(name, len + 1, "%s__%s", str_pool_text(strings, p->name),
		 str_pool_text(strings, member));
	uint32_t id = str_pool_add_copy(strings, name, len);
	free(name);
	return id;
}

static void proto(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
		  struct record_words *w)
{
	bool vararg = f->flags & CU_FUNC_VARARG;
	size_t start = w->nr, n = 0;
	uint32_t vlen = 0;

	vec_reserve(w, BTF_REC_WORDS + 2 * (count_params(m, f) + 1));
	w->nr += BTF_REC_WORDS;
	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next) {
		const struct cu_param *p = &m->cu->params.items[at];
		uint8_t its = fate[n++];

		if (!param_kept(m, f, p, its))
			continue;
		w->items[w->nr++] = unlikely(its & PARAM_MEMBER_NAME) ? member_name(m, p) : p->name;
		w->items[w->nr++] = param_type(m, p, its);
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

/*
 * Find the place of parameter *@component in the prototype of @f. Returns false if the prototype
 * leaves that parameter out.
 */
static bool param_place(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
			int32_t *component)
{
	int32_t n = 0, place = 0;

	for (int32_t at = f->params; at != CU_NO_PARAM; at = m->cu->params.items[at].next, n++) {
		bool kept = param_kept(m, f, &m->cu->params.items[at], fate[n]);

		if (n == *component) {
			*component = place;
			return kept;
		}
		place += kept;
	}
	return true;
}

/*
 * Append the tags of @f to @ret, with the numbers that parameters have in its prototype; tags of
 * parameters that are not there are dropped. Returns their number.
 */
static uint32_t add_tags(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
			 struct unit_tags *ret)
{
	size_t first = ret->nr, kept = first;

	unit_copy_tags(m, f->tags_of, ret);
	for (size_t i = first; i < ret->nr; i++) {
		struct unit_tag tag = ret->items[i];

		if (param_place(m, f, fate, &tag.component))
			ret->items[kept++] = tag;
	}
	ret->nr = kept;
	return (uint32_t)(kept - first);
}

/* What the compiler did to @f, and to each of its parameters. */
static uint32_t judge(const struct unit_encoder *m, const struct cu_func *f, size_t nr_params,
		      uint8_t *fate)
{
	uint32_t flags = param_flags(m, f, fate);

	if (f->flags & CU_FUNC_REORDERED)
		flags |= UNIT_FUNC_REORDERED;
	if (f->flags & CU_FUNC_CHANGED)
		flags |= UNIT_FUNC_CHANGED;
	if (uncertain(m, f, nr_params, fate))
		flags |= UNIT_FUNC_UNCERTAIN;
	return flags;
}

uint32_t unit_func_judge(const struct unit_encoder *m, const struct cu_func *f,
			 struct record_words *w, struct unit_tags *tags)
{
	size_t nr_params = count_params(m, f);
	uint8_t *fate = mem_alloc(nr_params);
	uint32_t flags = judge(m, f, nr_params, fate);

	proto(m, f, fate, w);
	if (tags)
		add_tags(m, f, fate, tags);
	free(fate);
	return flags;
}

void unit_func_proto(const struct unit_encoder *m, const struct cu_func *f, struct record_words *w)
{
	unit_func_judge(m, f, w, NULL);
}

static void add_func(struct unit_encoder *m, const struct cu_func *f, uint32_t ordinal)
{
	size_t nr_params = count_params(m, f);
	uint8_t few[16], *fate = nr_params <= ARRAY_SIZE(few) ? few : mem_alloc(nr_params);
	struct unit_func ff = {
		.addr = f->addr,
		.func = run_func(m->run, f->name) - 1,
		.unit = m->btf->unit,
		.file = m->run->file,
		.ordinal = ordinal,
		.flags = judge(m, f, nr_params, fate),
	};

	m->words.nr = 0;
	proto(m, f, fate, &m->words);
	uint32_t *rec = m->words.items;
	rec[BTF_REC_SIZE_TYPE] = unit_ref(m, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++) {
		uint32_t *elem = rec + BTF_REC_WORDS + (size_t)i * 2;

		str_pool_use(m->run->strings, elem[0], unit_next_place(m));
		elem[1] = unit_ref(m, elem[1]);
	}
	struct pool_type *p;
	ff.proto = type_pool_add(m->run->types, m->arena, rec, m->words.nr, &p);
	ff.tags = (uint32_t)m->btf->func_tags.nr;
	ff.nr_tags = add_tags(m, f, fate, &m->btf->func_tags);
	for (uint32_t i = 0; i < ff.nr_tags; i++)
		str_pool_use(m->run->strings, m->btf->func_tags.items[ff.tags + i].value,
			     unit_next_place(m));
	vec_push(&m->btf->funcs, ff);
	if (fate != few)
		free(fate);
}

void unit_add_funcs(struct unit_encoder *m)
{
	unit_sort_tags(m->cu, CU_TAG_FUNC, &m->tags);
	for (size_t i = 0; i < m->cu->funcs.nr; i++) {
		const struct cu_func *f = &m->cu->funcs.items[i];

		if (unit_func_wanted(m, f))
			add_func(m, f, (uint32_t)i);
		else
			report_unwanted(m, f);
	}
}
