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
 * The address of function @func where no slot has it: that of the first symbol of its name. In a relocatable file no
 * address in debug information equals the value of a symbol (docs/spec/encoding.md 8.7).
 */
static uint64_t symbol_addr(const struct run *run, const struct func_entry *func)
{
	if (run->obj->is_rel)
		return UNIT_FUNC_NO_SYMBOL;
	for (uint32_t i = 0; i < func->nr; i++) {
		const struct func_symbol *sym = &run->syms->func_symbols[func->first + i];

		if (!sym->name[func->name_len])
			return sym->value;
	}
	return 0;
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
static void report_no_symbol(struct member_reader *r, uint32_t name)
{
	enum omission_rule rule = r->encoder->run->syms->have_symtab ? OMIT_FUNC_NO_SYMBOL :
								       OMIT_FUNC_NO_SYMTAB;
	const struct omission_log *log = &r->encoder->log;

	if (likely(!log->list))
		return;

	uint32_t id = member_string(r, name);
	if (unit_wants_func(r->encoder, id, 0))
		omission_report(log, (struct omission){ rule, .name = id });
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

/* Append the prototype at @rec. Returns where it starts in the words, 0 if it refers to a record that is no type. */
static uint32_t add_proto(struct member_reader *r, const uint32_t *rec)
{
	uint32_t start = (uint32_t)r->facts.words.nr;
	bool lost = r->lost;

	r->lost = false;
	member_convert(r, rec, &r->facts.words);
	if (r->lost)
		start = 0;
	r->lost = lost;
	return start;
}

static void list_func(struct member_reader *r, uint32_t id, struct member_tags *tags)
{
	const struct run *run = r->encoder->run;
	const uint32_t *rec = member_rec(r, id);
	uint32_t known = member_known_func(r, rec[BTF_REC_NAME]);
	const struct func_entry *func = known ? &run->syms->funcs[known - 1] : NULL;

	if (!known) {
		report_no_symbol(r, rec[BTF_REC_NAME]);
		return;
	}
	if (only_optimized(run->syms, func) && !run_keeps(run, known - 1)) {
		omission_report(&r->encoder->log,
				(struct omission){ OMIT_FUNC_ONLY_COPIES,
						   .name = member_string(r, rec[BTF_REC_NAME]) });
		return;
	}

	struct func_facts f = {
		.name = member_string(r, rec[BTF_REC_NAME]),
		.has_addr = true,
		.addr = symbol_addr(run, func),
		.slot = CU_NO_SLOT,
		.proto = add_proto(r, member_rec(r, rec[BTF_REC_SIZE_TYPE])),
		.tags = (uint32_t)r->facts.tags.nr,
	};
	for (const struct member_tag *t; (t = member_tags_next(tags, id)); f.nr_tags++)
		vec_push(&r->facts.tags,
			 ((struct unit_tag){ member_string(r, t->tag.value), t->tag.component }));
	vec_push(&r->facts.funcs, f);
}

/*
 * Without facts, the functions are those that the member lists. It is unknown then whether an
 * optimized copy still has the parameters of the prototype, so a function that only has optimized
 * copies is omitted.
 */
static void list_funcs(struct member_reader *r)
{
	struct member_tags tags = { 0 };

	list_func_tags(r, &tags);
	unit_facts_clear(&r->facts);
	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++) {
		if (member_kind(r, id) == BTF_FUNC)
			list_func(r, id, &tags);
	}
	free(tags.items);
}

/* --- facts -------------------------------------------------------------------------------- */

static uint32_t fact_string(void *ctx, uint32_t offset)
{
	return member_string(ctx, offset);
}

static uint32_t fact_type(void *ctx, uint32_t id)
{
	return ((struct member_reader *)ctx)->tid[id];
}

/* Most functions of a member are in headers, and the linked file does not have them. */
static bool is_wanted(void *ctx, uint32_t name, bool second_form)
{
	struct member_reader *r = ctx;
	bool known = member_known_func(r, name);

	if (!known && !second_form)
		report_no_symbol(r, name);
	return known;
}

static void facts_from_block(struct member_reader *r)
{
	const struct run *run = r->encoder->run;
	/* only a linked file has the addresses of sites */
	const struct facts_ids ids = { .ctx = r,
				       .string = fact_string,
				       .type = fact_type,
				       .wanted = is_wanted,
				       .sites = run->sites && r->member->linked };

	facts_block_read(&r->member->block, &ids, &r->facts);
	for (size_t i = 0; i < r->facts.funcs.nr && !r->member->linked; i++) {
		struct func_facts *f = &r->facts.funcs.items[i];
		/* 0 if --kabi_prefix has cut a name that begins in the middle of a string */
		uint32_t known = run_func(run, f->name);

		if (f->has_addr && known)
			f->addr = symbol_addr(run, &run->syms->funcs[known - 1]);
	}
}

void member_read_facts(struct member_reader *r)
{
	if (r->have_facts)
		facts_from_block(r);
	else
		list_funcs(r);
}
