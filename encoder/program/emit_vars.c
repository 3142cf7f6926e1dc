/* SPDX-License-Identifier: GPL-2.0-only */
/* emit_vars.c - append the variables, and the sections that list them */
#include "encoder/program/passes.h"

#include <stdlib.h>
#include <string.h>

/* Omitted variables do not count in the order of strings, because an archive lacks them, too. */
static void use_strings(struct program *p)
{
	struct str_pool *strings = &p->strings;
	str_place behind = p->as_one ? STR_PLACE_VARS : 0;

	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *btf = &p->units.items[i].btf;
		uint32_t step = btf->var_step;

		for (size_t k = 0; k < btf->vars.nr; k++) {
			const struct unit_var *v = &btf->vars.items[k];

			for (uint32_t n = 0; n < unit_var_steps(v); n++, step++) {
				uint32_t id = n ? btf->var_tags.items[v->tags + n - 1].value :
						  v->name;

				if (!v->dropped)
					str_pool_use(strings, id,
						     unit_var_place(v, btf->unit, step) | behind);
			}
		}
	}
}

void select_vars(struct program *p)
{
	const struct omission_log log = program_log(p, p->diags);
	struct var_drops drops = { 0 };

	var_select_init(&p->vars, p->inputs[0].obj.nr_sections);
	for (size_t i = 0; i < p->units.nr; i++)
		var_select_add(&p->vars, &p->units.items[i].btf);
	var_select_choose(&p->vars, &p->inputs[0].obj, &p->inputs[0].syms, &p->strings, &drops);
	for (size_t i = 0; i < drops.nr; i++) {
		const struct var_range *d = &drops.items[i].dropped, *by = &drops.items[i].by;
		const struct object_section *s = &p->inputs[0].obj.sections[d->var->section];

		bool same = d->var->name == by->var->name && d->offset == by->offset &&
			    d->size == by->size;

		omission_report(&log,
				(struct omission){ same ? OMIT_VAR_SEVERAL_DEFINITIONS :
							  OMIT_VAR_OVERLAPS,
						   .name = d->var->name, .part = by->var->name,
						   .other_unit = p->units.items[by->unit].btf.name,
						   .unit = p->units.items[d->unit].btf.name,
						   .unit_number = d->unit, .nr_units = 1,
						   .number = s->debug_addr + d->offset });
	}
	use_strings(p);
	free(drops.items);
}

/* Either all variables of a section are in the split BTF, or none. */
static const struct unit_var *first_of(const struct var_section *s)
{
	return s->items[0].var;
}

void name_sections(struct program *p)
{
	const struct object *obj = &p->inputs[0].obj;
	struct str_pool *strings = &p->strings;

	p->section_names = mem_zalloc(p->vars.nr_sections, sizeof(p->section_names[0]));
	for (size_t i = 0; i < p->vars.nr_sections; i++) {
		const char *name = obj->sections[i].name;

		if (!p->vars.sections[i].nr)
			continue;
		p->section_names[i] = str_pool_add(strings, name, strlen(name));
		str_pool_use(strings, p->section_names[i],
			     unit_var_place(first_of(&p->vars.sections[i]), program_end_unit(p),
					    p->step++));
	}
}

/* Bytes of a value of record @id; 0 for what has no size and for cycles. */
static uint64_t size_of(const struct program *p, const struct btf_types *types, uint32_t id)
{
	uint64_t times = 1;

	for (size_t steps = 0; id && steps < CU_MAX_CHAIN && times <= UINT32_MAX; steps++) {
		const uint32_t *rec = btf_types_rec(types, id);
		uint32_t kind = btf_rec_kind(rec);

		if (kind == BTF_PTR)
			return times * p->inputs[0].obj.addr_size;
		if (kind == BTF_ARRAY) {
			times *= rec[BTF_REC_WORDS + 2];
			id = rec[BTF_REC_WORDS];
			continue;
		}
		if (!btf_kind_is_modifier(kind)) {
			bool sized = kind == BTF_INT || kind == BTF_FLOAT ||
				     btf_kind_is_struct(kind) || btf_kind_is_enum(kind);

			return sized ? times * rec[BTF_REC_SIZE_TYPE] : 0;
		}
		id = rec[BTF_REC_SIZE_TYPE];
	}
	return 0;
}

static uint32_t add_modifier(struct btf_types *to, enum btf_kind kind, uint32_t of)
{
	const uint32_t rec[] = { 0, btf_info(kind, 0, false), of };

	return append_record(to, rec, ARRAY_SIZE(rec));
}

/*
 * A variable may have a size and a type that is an array without a length, for example "static int x[];" of gcc, which
 * is defined later. Append the array with the length to @to, with the qualifiers; a typedef of the array without a
 * length does not apply. Returns the id of @type if there is nothing to add (docs/spec/encoding.md 9.3).
 */
static uint32_t with_length(struct program *p, struct btf_types *to, const struct unit_var *v,
			    uint32_t type)
{
	bool is_const = false, is_volatile = false;
	const uint32_t *rec = btf_types_rec(to, type);

	for (size_t steps = 0; steps < CU_MAX_CHAIN && btf_kind_is_modifier(btf_rec_kind(rec));
	     steps++) {
		is_const |= btf_rec_kind(rec) == BTF_CONST;
		is_volatile |= btf_rec_kind(rec) == BTF_VOLATILE;
		if (!rec[BTF_REC_SIZE_TYPE])
			return type;
		rec = btf_types_rec(to, rec[BTF_REC_SIZE_TYPE]);
	}
	if (btf_rec_kind(rec) != BTF_ARRAY || rec[BTF_REC_WORDS + 2])
		return type;

	uint64_t element = size_of(p, to, rec[BTF_REC_WORDS]);
	if (!element || v->size % element)
		return type;
	const uint32_t array[] = { 0,
				   btf_info(BTF_ARRAY, 0, false),
				   0,
				   rec[BTF_REC_WORDS],
				   rec[BTF_REC_WORDS + 1],
				   (uint32_t)(v->size / element) };
	type = append_record(to, array, ARRAY_SIZE(array));
	if (is_volatile)
		type = add_modifier(to, BTF_VOLATILE, type);
	if (is_const)
		type = add_modifier(to, BTF_CONST, type);
	p->lengths = true;
	return type;
}

/* The records of the units are numbered before, so the arrays follow the functions. */
static void add_lengths(struct program *p)
{
	if (!compat_get(p->opts->compat)->whole_vars)
		return;
	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *btf = &p->units.items[i].btf;

		for (size_t k = 0; k < btf->vars.nr; k++) {
			const struct unit_var *v = &btf->vars.items[k];

			if (v->dropped || v->apart)
				continue;
			uint32_t type = btf_types_rec(&p->out, v->id)[BTF_REC_SIZE_TYPE];
			type = with_length(p, &p->out, v, type);
			btf_types_rec(&p->out, v->id)[BTF_REC_SIZE_TYPE] = type;
		}
	}
}

static void emit_var(const struct program *p, struct btf_types *to, struct unit_var *v,
		     uint32_t type)
{
	const uint32_t rec[] = { string_offset(p, v->name), btf_info(BTF_VAR, 0, false), type,
				 v->linkage };

	v->id = append_record(to, rec, ARRAY_SIZE(rec));
}

void append_unit_vars(const struct program *p, struct program_unit *u, struct btf_types *to)
{
	for (size_t i = 0; i < u->btf.vars.nr; i++) {
		struct unit_var *v = &u->btf.vars.items[i];

		if (v->dropped || v->apart)
			continue;
		emit_var(p, to, v, unit_ref_id(p, u, v->type));
		for (uint32_t t = 0; t < v->nr_tags; t++) {
			const struct unit_tag *tag = &u->btf.var_tags.items[v->tags + t];

			append_tag(p, to, tag->value, v->id, tag->component);
		}
	}
}

static struct err *emit_section(struct program *p, struct btf_types *to,
				const struct var_section *s, uint32_t name)
{
	if (s->nr > encode_max_vlen(p->opts))
		return err_new(ERR_LIMIT, "section '%s' has %zu variables; BTF has room for %u",
			       str_pool_text(&p->strings, name), s->nr, encode_max_vlen(p->opts));

	const struct var_range *last = &s->items[s->nr - 1];
	uint32_t *rec = btf_types_add(to, BTF_REC_WORDS + s->nr * 3);
	rec[BTF_REC_NAME] = string_offset(p, name);
	rec[BTF_REC_INFO] = btf_info(BTF_DATASEC, (uint32_t)s->nr, false);
	rec[BTF_REC_SIZE_TYPE] = last->offset + last->size;
	rec += BTF_REC_WORDS;
	for (size_t i = 0; i < s->nr; i++, rec += 3) {
		rec[0] = s->items[i].var->id;
		rec[1] = s->items[i].offset;
		rec[2] = s->items[i].size;
	}
	return NULL;
}

static struct err *emit_sections(struct program *p, struct btf_types *to, bool apart)
{
	for (size_t i = 0; i < p->vars.nr_sections; i++) {
		const struct var_section *s = &p->vars.sections[i];

		if (s->nr && first_of(s)->apart == apart)
			TRY(emit_section(p, to, s, p->section_names[i]));
	}
	return NULL;
}

struct err *append_sections(struct program *p)
{
	add_lengths(p);
	return emit_sections(p, &p->out, false);
}

/* The split BTF is not deduplicated. Only tags could be there twice. */
static void emit_tags_once(struct program *p, const struct unit_var *v, const struct unit_btf *btf)
{
	uint32_t nr = v->nr_tags;

	if (!nr)
		return; /* the array may be NULL */
	const struct unit_tag *tags = &btf->var_tags.items[v->tags];
	for (uint32_t t = 0; t < nr; t++) {
		uint32_t i = 0;

		while (tags[i].value != tags[t].value || tags[i].component != tags[t].component)
			i++;
		if (i == t)
			append_tag(p, &p->apart, tags[t].value, v->id, tags[t].component);
	}
}

struct err *append_apart(struct program *p)
{
	if (!feature_on(p->opts, FEATURE_VARS_APART))
		return NULL;
	btf_types_init(&p->apart, &p->out);
	for (size_t i = 0; i < p->units.nr; i++) {
		struct program_unit *u = &p->units.items[i];

		for (size_t k = 0; k < u->btf.vars.nr; k++) {
			struct unit_var *v = &u->btf.vars.items[k];

			if (v->dropped || !v->apart)
				continue;
			uint32_t type = p->ids[unit_ref_id(p, u, v->type)];

			if (compat_get(p->opts->compat)->whole_vars)
				type = with_length(p, &p->apart, v, type);
			emit_var(p, &p->apart, v, type);
			emit_tags_once(p, v, &u->btf);
		}
	}
	return emit_sections(p, &p->apart, true);
}

void move_apart(const struct program *p, struct btf_types *split, uint32_t by)
{
	for (uint32_t id = split->first; by && id < btf_types_end(split); id++) {
		btf_rec_each_name(btf_types_rec(split, id), name)
		{
			if (*name >= p->apart_names)
				*name += by;
		}
	}
}
