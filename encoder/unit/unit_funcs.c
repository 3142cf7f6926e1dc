/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_funcs.c - list the functions of a unit; all units decide which are described */
#include "encoder/unit/unit_encoder.h"

#include <stdio.h>
#include <stdlib.h>

bool unit_func_named(const struct unit_encoder *m, const struct cu_func *f)
{
	const struct cu_param *params = func_params(m, f);

	for (uint32_t i = 0; i < f->nr_params; i++) {
		if (!params[i].name)
			return false;
	}
	return f->name != 0;
}

static void report_unwanted(struct unit_encoder *m, const struct cu_func *f)
{
	if (!f->name || !omission_wanted_at(&m->log, f->name, f->addr))
		return;
	enum omission_rule rule = run_func(m->run, f->name) ? OMIT_FUNC_UNNAMED_PARAMETER :
				  m->run->syms->have_symtab ? OMIT_FUNC_NO_SYMBOL :
							      OMIT_FUNC_NO_SYMTAB;

	omission_report(&m->log, (struct omission){ rule, .name = f->name, .number = f->addr });
}

bool unit_func_wanted(const struct unit_encoder *m, const struct cu_func *f)
{
	return run_func(m->run, f->name) && unit_func_named(m, f);
}

/*
 * Is a packed struct passed on the stack? Its place there depends on the compiler
 * (docs/spec/encoding.md 8.6).
 */
static bool uncertain(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate)
{
	const struct cu_param *params = func_params(m, f);

	for (uint32_t i = m->run->regs->nr; i < f->nr_params; i++) {
		unit_tid type = param_type(m, &params[i], fate[i]);
		const struct cu_type *t = &m->cu->types.items[type];

		if (t->kind == BTF_STRUCT && t->name &&
		    packed_struct(m->cu, type, m->run->regs->max_align))
			return true;
	}
	return false;
}

/*
 * A parameter that is not passed is left out of the prototype of a reordered function, and, with
 * true_signature, of a function whose signature the compiler changed.
 */
static bool param_kept(const struct unit_encoder *m, const struct cu_func *f,
		       const struct cu_param *p, uint8_t fate)
{
	bool gone = fate & PARAM_OPTIMIZED;

	if (f->flags & CU_FUNC_REORDERED)
		return (p->flags & CU_PARAM_HAS_LOC) && !gone;
	return !gone || !(f->flags & CU_FUNC_CHANGED) || !m->true_signature;
}

/* The name of a parameter of which one member is left: parameter__member. */
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
	const struct cu_param *params = func_params(m, f);
	bool vararg = f->flags & CU_FUNC_VARARG;
	size_t start = w->nr;
	uint32_t vlen = 0;

	vec_reserve(w, BTF_REC_WORDS + 2 * ((size_t)f->nr_params + 1));
	w->nr += BTF_REC_WORDS;
	for (uint32_t i = 0; i < f->nr_params; i++) {
		const struct cu_param *p = &params[i];

		if (!param_kept(m, f, p, fate[i]))
			continue;
		w->items[w->nr++] = unlikely(fate[i] & PARAM_MEMBER_NAME) ? member_name(m, p) :
									    p->name;
		w->items[w->nr++] = param_type(m, p, fate[i]);
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
	const struct cu_param *params = func_params(m, f);
	int32_t place = 0;

	for (uint32_t i = 0; i < f->nr_params; i++) {
		bool kept = param_kept(m, f, &params[i], fate[i]);

		if ((int32_t)i == *component) {
			*component = place;
			return kept;
		}
		place += kept;
	}
	return true;
}

/*
 * Append the tags of @f to @ret, with the numbers that parameters have in its prototype. Returns
 * their number.
 */
static uint32_t add_tags(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
			 struct unit_tags *ret)
{
	uint32_t nr = unit_copy_tags(m, f->tags_of, ret);

	for (size_t i = ret->nr - nr; i < ret->nr; i++) {
		int32_t *component = &ret->items[i].component;

		if (!param_place(m, f, fate, component))
			*component = UNIT_TAG_STRING_ONLY;
	}
	return nr;
}

/* Determine what the compiler did to @f and to each of its parameters. */
static uint32_t judge(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate)
{
	uint32_t flags = param_flags(m, f, fate);

	if (f->flags & CU_FUNC_REORDERED)
		flags |= UNIT_FUNC_REORDERED;
	if (f->flags & CU_FUNC_CHANGED)
		flags |= UNIT_FUNC_CHANGED;
	if (uncertain(m, f, fate))
		flags |= UNIT_FUNC_UNCERTAIN;
	return flags;
}

uint32_t unit_func_judge(const struct unit_encoder *m, const struct cu_func *f,
			 struct record_words *w, struct unit_tags *tags)
{
	uint8_t *fate = mem_alloc(f->nr_params);
	uint32_t flags = judge(m, f, fate);

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
	uint8_t few[16], *fate = f->nr_params <= ARRAY_SIZE(few) ? few : mem_alloc(f->nr_params);
	uint32_t func = run_func(m->run, f->name) - 1;
	bool true_signature = m->true_signature;

	m->true_signature &= !run_keeps(m->run, func);
	struct unit_func ff = {
		.addr = f->addr,
		.func = func,
		.unit = m->btf->unit,
		.file = m->run->file,
		.ordinal = ordinal,
		.flags = judge(m, f, fate),
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
	m->true_signature = true_signature;
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
