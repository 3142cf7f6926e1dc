/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_funcs.c - list the functions of a unit; all units decide which are described */
#include "encoder/unit/unit_encoder.h"

/* Of a function in two forms, is @i the one that this run does not want? @known: its entry in run_func(). */
static bool is_other_form(const struct run *run, const struct unit_facts *facts, size_t i,
			  uint32_t known)
{
	const struct func_facts *f = &facts->funcs.items[i];
	uint32_t features = run->opts->features &
			    ~(run_keeps(run, known - 1) ? FEATURE_TRUE_SIGNATURE : 0u);
	bool wants_second = (facts->head.features ^ features) & FEATURE_TRUE_SIGNATURE;

	if (f->second_form)
		return !wants_second;
	return wants_second && i + 1 < facts->funcs.nr && f[1].second_form;
}

bool unit_wants_func(struct unit_encoder *m, uint32_t name, uint64_t addr)
{
	if (encode_wants_func(m->run->opts, str_pool_text(m->run->strings, name)))
		return true;
	if (omissions_asked(m->log.list, name, addr))
		omission_report(&m->log, (struct omission){ OMIT_FUNC_NOT_ASKED, .name = name,
							    .number = addr });
	return false;
}

/* The index in symbols.funcs of function @i, plus 1; 0 if this run does not need it. */
static uint32_t wanted_func(const struct run *run, const struct unit_facts *facts, size_t i)
{
	uint32_t known = run_func(run, facts->funcs.items[i].name);

	return known && !is_other_form(run, facts, i, known) ? known : 0;
}

static void use_string(struct unit_encoder *m, uint32_t id)
{
	str_pool_use(m->run->strings, id, unit_next_place(m) | m->run->funcs_place);
}

size_t unit_convert_proto(struct unit_encoder *m, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);

	m->words.nr = 0;
	vec_reserve(&m->words, nr);
	memcpy(m->words.items, rec, nr * sizeof(*rec));
	btf_rec_each_type(m->words.items, ref) *ref = unit_ref(m, *ref);
	return nr;
}

/* The pool id of the prototype at @rec. */
static uint32_t add_proto(struct unit_encoder *m, const uint32_t *rec)
{
	size_t nr = unit_convert_proto(m, rec);
	struct pool_type *p;

	btf_rec_each_name(m->words.items, name) use_string(m, *name);
	return type_pool_add(m->run->types, m->arena, m->words.items, nr, &p);
}

static void add_func(struct unit_encoder *m, const struct unit_facts *facts,
		     const struct func_facts *f, uint32_t func)
{
	struct unit_btf *btf = m->btf;
	const struct unit_func ff = {
		.addr = f->addr,
		.func = func,
		.proto = add_proto(m, facts->words.items + f->proto),
		.unit = btf->unit,
		.file = m->run->file,
		.ordinal = (uint32_t)btf->funcs.nr,
		.flags = f->flags,
		.tags = (uint32_t)btf->func_tags.nr,
		.nr_tags = f->nr_tags,
	};

	for (uint32_t i = 0; i < f->nr_tags; i++) {
		const struct unit_tag *tag = &facts->tags.items[f->tags + i];

		use_string(m, tag->value);
		vec_push(&btf->func_tags, *tag);
	}
	vec_push(&btf->funcs, ff);
}

struct err *unit_add_funcs(struct unit_encoder *m, const struct unit_facts *facts)
{
	for (size_t i = 0; i < facts->funcs.nr; i++) {
		const struct func_facts *f = &facts->funcs.items[i];
		uint32_t known = wanted_func(m->run, facts, i);

		if (!known)
			continue;
		if (!f->proto)
			return err_new(ERR_FORMAT,
				       "function '%s' refers to a record that is not a type",
				       str_pool_text(m->run->strings, f->name));
		add_func(m, facts, f, known - 1);
	}
	return NULL;
}

/* Append the record at @rec. Returns where it starts. */
static uint32_t copy_record(struct record_words *words, const uint32_t *rec)
{
	uint32_t start = (uint32_t)words->nr;

	vec_append(words, (uint32_t *)rec, btf_rec_words(rec));
	return start;
}

void unit_raw_protos(const struct run *run, const struct unit_facts *facts, struct raw_unit *ret)
{
	for (size_t i = 0; i < facts->funcs.nr; i++) {
		const uint32_t *rec = facts->words.items + facts->funcs.items[i].proto;

		if (wanted_func(run, facts, i))
			vec_push(&ret->protos, copy_record(&ret->words, rec));
	}
	for (size_t i = 0; i < facts->inlined.nr; i++) {
		const uint32_t *rec = facts->words.items + facts->inlined.items[i].proto;

		vec_push(&ret->inlined, copy_record(&ret->words, rec));
	}
}
