/* SPDX-License-Identifier: GPL-2.0-only */
/* member_funcs.c - the functions of a member, and the declaration tags of functions and variables */
#include "encoder/member/member_reader.h"
#include "encoder/select/kfuncs.h"

#include <elf.h>
#include <stdlib.h>

/* --- declaration tags --------------------------------------------------------------------- */

static int by_owner(const void *a, const void *b)
{
	const struct member_tag *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void member_tags_take(const struct member_reader *r, uint32_t id, uint32_t kind,
		      struct member_tags *to)
{
	const uint32_t *rec = member_rec(r, id);

	if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DECL_TAG ||
	    member_kind(r, rec[BTF_REC_SIZE_TYPE]) != kind)
		return;
	vec_push(to, ((struct member_tag){ .of = rec[BTF_REC_SIZE_TYPE],
					   .id = id,
					   { rec[BTF_REC_NAME], (int32_t)rec[BTF_REC_WORDS] } }));
}

void member_tags_sort(struct member_tags *tags)
{
	if (tags->nr)
		qsort(tags->items, tags->nr, sizeof(tags->items[0]), by_owner);
}

const struct member_tag *member_tags_next(struct member_tags *tags, uint32_t of)
{
	while (tags->at < tags->nr && tags->items[tags->at].of < of)
		tags->at++;
	if (tags->at == tags->nr || tags->items[tags->at].of != of)
		return NULL;
	return &tags->items[tags->at++];
}

/* --- functions ---------------------------------------------------------------------------- */

/*
 * The address of the function, as debug information has it: 0 if it has none, or if the linker left it out. Where no
 * slot has it, that of the first symbol of its name. In a relocatable file no address in debug information equals the
 * value of a symbol (docs/spec/encoding.md 8.7).
 */
static uint64_t func_addr(const struct member_reader *r, const struct func_entry *e, uint32_t slot)
{
	const struct run *run = r->encoder->run;

	if (!slot)
		return 0;
	if (r->have_facts && r->member->placed)
		return facts_block_addr(&r->member->block, slot);
	if (run->obj->is_rel)
		return UNIT_FUNC_NO_SYMBOL;
	for (uint32_t i = 0; i < e->nr; i++) {
		const struct func_symbol *sym = &run->syms->func_symbols[e->first + i];

		if (!sym->name[e->name_len])
			return sym->value;
	}
	return 0;
}

static void use_string(struct unit_encoder *m, uint32_t id)
{
	str_pool_use(m->run->strings, id, unit_next_place(m) | m->run->funcs_place);
}

/* Add function @func of the symbol table, whose facts are @f. */
static void add_func(struct member_reader *r, uint32_t func, const struct func_facts *f,
		     uint32_t slot)
{
	const uint32_t *rec = r->facts.words.items + f->proto;
	struct unit_encoder *m = r->encoder;
	struct unit_func ff = {
		.func = func,
		.unit = m->btf->unit,
		.file = m->run->file,
		.ordinal = (uint32_t)(f - r->facts.funcs.items),
		.flags = f->flags,
		.tags = (uint32_t)m->btf->func_tags.nr,
		.nr_tags = f->nr_tags,
	};

	ff.addr = func_addr(r, &m->run->syms->funcs[func], slot);
	m->words.nr = 0;
	member_convert(r, rec, &m->words);
	uint32_t *out = m->words.items;
	out[BTF_REC_SIZE_TYPE] = unit_ref(m, out[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_rec_vlen(out); i++) {
		uint32_t *elem = out + BTF_REC_WORDS + (size_t)i * 2;

		use_string(m, elem[0]);
		elem[1] = unit_ref(m, elem[1]);
	}
	r->last_proto = type_pool_next(m->run->types, m->arena, r->last_proto, out, m->words.nr);
	ff.proto = r->last_proto->id;
	for (uint32_t i = 0; i < f->nr_tags; i++) {
		struct unit_tag tag = r->facts.tags.items[f->tags + i];

		tag.value = member_string(r, tag.value);
		use_string(m, tag.value);
		vec_push(&m->btf->func_tags, tag);
	}
	vec_push(&m->btf->funcs, ff);
}

uint32_t member_known_func(struct member_reader *r, uint32_t off)
{
	uint32_t id = member_known_string(r, off);

	if (unlikely(id >= STR_POOL_MAX))
		id = str_pool_find(r->encoder->run->strings, member_text(r, off),
				   strlen(member_text(r, off)));
	return run_func(r->encoder->run, id);
}

/* Without a report the pool does not need the name of a function that was not linked. */
static void report_no_symbol(struct member_reader *r, uint32_t name, const struct omission_log *log)
{
	enum omission_rule rule = r->encoder->run->syms->have_symtab ? OMIT_FUNC_NO_SYMBOL :
								       OMIT_FUNC_NO_SYMTAB;

	if (unlikely(log->list))
		omission_report(log, (struct omission){ rule, .name = member_string(r, name) });
}

/* Does the prototype refer to types of the unit only? */
static bool is_of_types(const struct member_reader *r, uint32_t *rec)
{
	btf_rec_each_type(rec, type)
	{
		if (*type && !r->tid[*type])
			return false;
	}
	return true;
}

static bool only_optimized(const struct symbols *syms, const struct func_entry *e)
{
	for (uint32_t i = 0; i < e->nr; i++) {
		if (!syms->func_symbols[e->first + i].optimized)
			return false;
	}
	return e->nr > 0;
}

/*
 * Tags of kfuncs are dropped if there is a linked file, because they are made again from its
 * .BTF_ids.
 */
static bool is_of_kfunc(const struct member_reader *r, const struct unit_tag *tag)
{
	const char *value = member_text(r, tag->value);

	return !run_is_unlinked(r->encoder->run) && tag->component == -1 &&
	       (!strcmp(value, KFUNC_TAG) || !strcmp(value, KFUNC_FASTCALL_TAG));
}

static void list_func_tags(const struct member_reader *r, struct member_tags *tags)
{
	size_t nr = 0;

	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++)
		member_tags_take(r, id, BTF_FUNC, tags);
	for (size_t i = 0; i < tags->nr; i++) {
		if (!is_of_kfunc(r, &tags->items[i].tag))
			tags->items[nr++] = tags->items[i];
	}
	tags->nr = nr;
	member_tags_sort(tags);
}

/*
 * Without facts, the functions are those that the member lists. It is unknown then whether an
 * optimized copy still has the parameters of the prototype, so a function that only has optimized
 * copies is omitted.
 */
void member_list_funcs(struct member_reader *r, const struct omission_log *log)
{
	const struct symbols *syms = r->encoder->run->syms;
	uint32_t end = btf_types_end(&r->view.types);
	struct member_tags tags = { 0 };

	list_func_tags(r, &tags);
	vec_push(&r->facts.words, 0);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = member_rec(r, id);
		if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_FUNC)
			continue;

		uint32_t known = member_known_func(r, rec[BTF_REC_NAME]);
		const uint32_t *proto = member_rec(r, rec[BTF_REC_SIZE_TYPE]);
		if (!known) {
			report_no_symbol(r, rec[BTF_REC_NAME], log);
			continue;
		}
		if (only_optimized(syms, &syms->funcs[known - 1]) &&
		    !run_keeps(r->encoder->run, known - 1)) {
			omission_report(log, (struct omission){
						     OMIT_FUNC_ONLY_COPIES,
						     .name = member_string(r, rec[BTF_REC_NAME]) });
			continue;
		}

		struct func_facts f = {
			.name = rec[BTF_REC_NAME],
			.slot = 1, /* somewhere */
			.proto = (uint32_t)r->facts.words.nr,
			.tags = (uint32_t)r->facts.tags.nr,
		};
		for (const struct member_tag *t; (t = member_tags_next(&tags, id)); f.nr_tags++)
			vec_push(&r->facts.tags, t->tag);
		for (size_t w = 0; w < btf_rec_words(proto); w++)
			vec_push(&r->facts.words, proto[w]);
		vec_push(&r->facts.funcs, f);
	}
	free(tags.items);
}

/* Of a function in two forms, is @i the one that this run does not want? @known: its entry in run_func(). */
static bool is_other_form(const struct member_reader *r, size_t i, uint32_t known)
{
	const struct run *run = r->encoder->run;
	const struct func_facts *f = &r->facts.funcs.items[i];
	bool kept = known && run_keeps(run, known - 1);
	uint32_t features = run->opts->features & ~(kept ? FEATURE_TRUE_SIGNATURE : 0u);
	bool wants_second = (r->facts.features ^ features) & FEATURE_TRUE_SIGNATURE;

	if (f->second_form)
		return !wants_second;
	return wants_second && i + 1 < r->facts.funcs.nr && f[1].second_form;
}

struct err *member_add_funcs(struct member_reader *r)
{
	uint32_t slot = 0;

	/* functions of headers are in the same order in other members */
	r->last_proto = &r->before_funcs;
	for (size_t i = 0; i < r->facts.funcs.nr; i++) {
		const struct func_facts *f = &r->facts.funcs.items[i];

		if (!f->second_form)
			slot = f->slot;

		uint32_t known = member_known_func(r, f->name);
		if (is_other_form(r, i, known))
			continue;
		if (!known) {
			report_no_symbol(r, f->name, &r->encoder->log);
			continue;
		}
		if (!is_of_types(r, r->facts.words.items + f->proto))
			return err_new(ERR_FORMAT,
				       "%s: function '%s' refers to a record that is not a type",
				       r->member->where, member_text(r, f->name));
		add_func(r, known - 1, f, slot);
	}
	return NULL;
}

void member_add_exact_protos(struct member_reader *r, struct raw_unit *raw)
{
	for (size_t i = 0; i < r->facts.funcs.nr; i++) {
		uint32_t *rec = r->facts.words.items + r->facts.funcs.items[i].proto;

		vec_push(&raw->protos, (uint32_t)raw->words.nr);
		if (!member_known_func(r, r->facts.funcs.items[i].name) || !is_of_types(r, rec))
			continue;
		member_convert(r, rec, &raw->words);
	}
}
