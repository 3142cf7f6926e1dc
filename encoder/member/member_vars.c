/* SPDX-License-Identifier: GPL-2.0-only */
/* member_vars.c - the variables of a member; those without addresses are located once all members are known */
#include "encoder/member/member_reader.h"

#include <stdlib.h>
#include <string.h>

/* The entry of a VAR in a DATASEC of the member; zero if no section lists it. */
struct var_source {
	uint32_t section; /* string id of the name */
	uint32_t size;
};

/* Members of gcc have no sections here (gcc_member.c), because gcc writes 0 for all offsets. */
static struct var_source *list_sources(struct member_reader *r)
{
	struct var_source *sources = mem_zalloc(btf_types_end(&r->view.types), sizeof(*sources));

	for (size_t k = 0; k < r->others.nr; k++) {
		const uint32_t *rec = member_rec(r, r->others.items[k]),
			       *entry = rec + BTF_REC_WORDS;

		if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DATASEC)
			continue;
		uint32_t name = member_symbol(r, rec[BTF_REC_NAME]);
		for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, entry += 3)
			sources[entry[0]] = (struct var_source){ name, entry[2] };
	}
	return sources;
}

/* Bytes that a value of number @t takes; 0 for what has no size and for cycles. */
static uint64_t type_size(struct member_reader *r, uint32_t t)
{
	uint64_t times = 1;

	for (size_t steps = 0; t && steps < CU_MAX_CHAIN; steps++) {
		const uint32_t *rec = r->recs.items[t];
		uint64_t size = 0;

		if (!rec)
			return 0; /* the index type */
		switch (btf_ctype(btf_rec_kind(rec))) {
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_STRUCT:
		case BTF_C_ENUM:
			size = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_POINTER:
			size = r->encoder->run->obj->addr_size;
			break;
		case BTF_C_ARRAY:
			times *= rec[BTF_REC_WORDS + 2];
			t = member_number_of(r, rec[BTF_REC_WORDS]);
			if (times > UINT32_MAX)
				return 0;
			continue;
		case BTF_C_FORWARD:
		case BTF_C_FUNCTION:
		case BTF_C_VOID:
		case BTF_C_NONE:
			return 0;
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
			t = member_number_of(r, rec[BTF_REC_SIZE_TYPE]);
			continue;
		}
		return size * times;
	}
	return 0;
}

static struct err *add_var(struct member_reader *r, uint32_t id, const struct var_source *source,
			   struct member_tags *tags)
{
	const uint32_t *rec = member_rec(r, id);
	struct unit_encoder *m = r->encoder;
	struct unit_btf *f = m->btf;
	struct unlocated_var v = {
		.name = member_string(r, rec[BTF_REC_NAME]),
		.type = r->tid[rec[BTF_REC_SIZE_TYPE]],
		.linkage = rec[BTF_REC_WORDS],
		.section = source->section,
		.tags = (uint32_t)f->var_tags.nr,
	};

	if (!v.type)
		return err_new(ERR_FORMAT, "%s: variable '%s' has no type", r->member->where,
			       str_pool_text(m->run->strings, v.name));

	uint64_t size = source->size ? source->size : type_size(r, v.type);
	/* another member has the definition of an extern variable; one without name or size cannot be located */
	if (v.linkage == BTF_LINK_EXTERN || !v.name || !size || size > UINT32_MAX)
		return NULL;
	v.size = (uint32_t)size;
	for (const struct member_tag *t; (t = member_tags_next(tags, id)); v.nr_tags++)
		vec_push(&f->var_tags,
			 ((struct unit_tag){ member_string(r, t->tag.value), t->tag.component }));
	vec_push(&f->unlocated, v);
	return NULL;
}

/* Does the BTF of the member have no variables, but the facts? */
static bool has_vars_in_facts(const struct member_reader *r)
{
	return r->have_facts && r->member->block.btf.len;
}

/* There are no sections. The program that linked the members decided which variables it keeps. */
static void report_not_linked(struct member_reader *r)
{
	const struct run *run = r->encoder->run;
	uint32_t nr = 0;

	if (!run_is_unlinked(run) || !(run->opts->features & (FEATURE_VAR | FEATURE_GLOBAL_VAR)))
		return;
	for (size_t k = 0; k < r->others.nr; k++)
		nr += member_kind(r, r->others.items[k]) == BTF_VAR;
	if (has_vars_in_facts(r))
		nr += (uint32_t)r->facts.vars.nr;
	if (nr)
		omission_report(&r->encoder->log,
				(struct omission){ OMIT_VARS_NOT_LINKED, .number = nr });
}

/* The same from the facts, whose slots have no addresses. */
static void add_from_facts(struct member_reader *r)
{
	struct unit_btf *f = r->encoder->btf;

	for (size_t i = 0; i < r->facts.vars.nr; i++) {
		const struct var_facts *from = &r->facts.vars.items[i];
		struct unlocated_var v = {
			.name = from->name,
			.type = from->type,
			.linkage = from->external ? BTF_LINK_GLOBAL : BTF_LINK_STATIC,
			.size = (uint32_t)from->size,
			.tags = (uint32_t)f->var_tags.nr,
			.nr_tags = from->nr_tags,
		};

		if (!v.name || !v.size)
			continue;
		for (uint32_t t = 0; t < from->nr_tags; t++)
			vec_push(&f->var_tags, r->facts.tags.items[from->tags + t]);
		vec_push(&f->unlocated, v);
	}
}

/* Without addresses in its facts, the variables are those that the member lists. */
static struct err *add_listed(struct member_reader *r)
{
	struct var_source *sources = list_sources(r);
	struct member_tags tags = { 0 };
	struct err *e = NULL;

	for (size_t k = 0; k < r->others.nr; k++)
		member_tags_take(r, r->others.items[k], BTF_VAR, &tags);
	member_tags_sort(&tags);
	for (size_t k = 0; !e && k < r->others.nr; k++) {
		uint32_t id = r->others.items[k];

		if (member_kind(r, id) == BTF_VAR)
			e = add_var(r, id, &sources[id], &tags);
	}
	free(sources);
	free(tags.items);
	return e;
}

struct err *member_add_vars(struct member_reader *r)
{
	if (!r->encoder->run->var_sections) {
		report_not_linked(r);
		return NULL;
	}
	if (r->have_facts && r->member->linked)
		return unit_add_vars(r->encoder, &r->facts);
	r->encoder->btf->var_step = r->encoder->step;
	if (has_vars_in_facts(r))
		add_from_facts(r);
	return add_listed(r);
}
