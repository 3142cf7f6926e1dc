/* SPDX-License-Identifier: GPL-2.0-only */
/* finish_vars.c - append the variables, and the sections that list them */
#include "encoder/emit/finish.h"

#include <stdlib.h>
#include <string.h>

/* Omitted variables do not count in the order of strings, because an archive lacks them, too. */
static void use_strings(struct finish *f)
{
	struct str_pool *strings = &f->a->strings;
	str_place behind = f->a->as_one ? STR_PLACE_VARS : 0;

	for (size_t i = 0; i < f->a->units.nr; i++) {
		const struct unit_btf *btf = &f->a->units.items[i].btf;
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

void finish_choose_vars(struct finish *f, const struct omission_log *log)
{
	struct assembly *a = f->a;
	struct var_drops drops = { 0 };

	var_select_init(&f->vars, a->files.items[0].obj->nr_sections);
	for (size_t i = 0; i < a->units.nr; i++)
		var_select_add(&f->vars, &a->units.items[i].btf);
	var_select_choose(&f->vars, a->files.items[0].obj, a->files.items[0].syms, &a->strings,
			  &drops);
	for (size_t i = 0; i < drops.nr; i++) {
		const struct var_place *d = &drops.items[i].dropped, *by = &drops.items[i].by;
		const struct object_section *s = &a->files.items[0].obj->sections[d->var->section];

		bool same = d->var->name == by->var->name && d->offset == by->offset &&
			    d->size == by->size;

		omission_report(log,
				(struct omission){ same ? OMIT_VAR_SEVERAL_DEFINITIONS :
							  OMIT_VAR_OVERLAPS,
						   .name = d->var->name, .part = by->var->name,
						   .other_unit = a->units.items[by->unit].btf.name,
						   .unit = a->units.items[d->unit].btf.name,
						   .unit_number = d->unit, .nr_units = 1,
						   .number = s->debug_addr + d->offset });
	}
	use_strings(f);
	free(drops.items);
}

/* Either all variables of a section are in the split BTF, or none. */
static const struct unit_var *first_of(const struct var_section *s)
{
	return s->items[0].var;
}

void finish_name_sections(struct finish *f)
{
	const struct object *obj = f->a->files.items[0].obj;
	struct str_pool *strings = &f->a->strings;

	f->section_names = mem_zalloc(f->vars.nr_sections + 1, sizeof(f->section_names[0]));
	for (size_t i = 0; i < f->vars.nr_sections; i++) {
		const char *name = obj->sections[i].name;

		if (!f->vars.sections[i].nr)
			continue;
		f->section_names[i] = str_pool_add(strings, name, strlen(name));
		str_pool_use(strings, f->section_names[i],
			     unit_var_place(first_of(&f->vars.sections[i]), f->end_unit,
					    f->step++));
	}
}

/* Bytes of a value of record @id; 0 for what has no size and for circles. */
static uint64_t size_of(const struct finish *f, const struct btf_types *types, uint32_t id)
{
	uint64_t times = 1;

	for (size_t steps = 0; id && steps < CU_MAX_CHAIN && times <= UINT32_MAX; steps++) {
		const uint32_t *rec = btf_types_rec(types, id);
		uint32_t kind = btf_rec_kind(rec);

		if (kind == BTF_PTR)
			return times * f->a->files.items[0].obj->addr_size;
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

	return finish_add(to, rec, ARRAY_SIZE(rec));
}

/*
 * A variable may have a size and a type that is an array without a length, for example "static int x[];" of gcc, which
 * is defined later. Append the array with the length to @to, with the qualifiers; a typedef of the array without a
 * length does not apply. Returns the id of @type if there is nothing to add (docs/spec/encoding.md 9.3).
 */
static uint32_t with_length(struct finish *f, struct btf_types *to, const struct unit_var *v,
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

	uint64_t element = size_of(f, to, rec[BTF_REC_WORDS]);
	if (!element || v->size % element)
		return type;
	const uint32_t array[] = { 0,
				   btf_info(BTF_ARRAY, 0, false),
				   0,
				   rec[BTF_REC_WORDS],
				   rec[BTF_REC_WORDS + 1],
				   (uint32_t)(v->size / element) };
	type = finish_add(to, array, ARRAY_SIZE(array));
	if (is_volatile)
		type = add_modifier(to, BTF_VOLATILE, type);
	if (is_const)
		type = add_modifier(to, BTF_CONST, type);
	f->lengths = true;
	return type;
}

/* The records of the units are numbered before, so the arrays follow the functions. */
static void add_lengths(struct finish *f)
{
	if (!compat_get(f->a->opts->compat)->whole_vars)
		return;
	for (size_t i = 0; i < f->a->units.nr; i++) {
		const struct unit_btf *btf = &f->a->units.items[i].btf;

		for (size_t k = 0; k < btf->vars.nr; k++) {
			const struct unit_var *v = &btf->vars.items[k];

			if (v->dropped || v->apart)
				continue;
			uint32_t type = btf_types_rec(&f->out, v->id)[BTF_REC_SIZE_TYPE];
			type = with_length(f, &f->out, v, type);
			btf_types_rec(&f->out, v->id)[BTF_REC_SIZE_TYPE] = type;
		}
	}
}

static void emit_var(const struct finish *f, struct btf_types *to, struct unit_var *v,
		     uint32_t type)
{
	const uint32_t rec[] = { finish_offset(f, v->name), btf_info(BTF_VAR, 0, false), type,
				 v->linkage };

	v->id = finish_add(to, rec, ARRAY_SIZE(rec));
}

void finish_vars(const struct finish *f, struct assembly_unit *u, struct btf_types *to)
{
	for (size_t i = 0; i < u->btf.vars.nr; i++) {
		struct unit_var *v = &u->btf.vars.items[i];

		if (v->dropped || v->apart)
			continue;
		emit_var(f, to, v, finish_unit_ref(f, u, v->type));
		for (uint32_t t = 0; t < v->nr_tags; t++) {
			const struct unit_tag *tag = &u->btf.var_tags.items[v->tags + t];

			finish_tag(f, to, tag->value, v->id, tag->component);
		}
	}
}

static struct err *emit_section(struct finish *f, struct btf_types *to, const struct var_section *s,
				uint32_t name)
{
	if (s->nr > encode_max_vlen(f->a->opts))
		return err_new(ERR_LIMIT, "section '%s' has %zu variables; BTF has room for %u",
			       str_pool_text(&f->a->strings, name), s->nr,
			       encode_max_vlen(f->a->opts));

	const struct var_place *last = &s->items[s->nr - 1];
	uint32_t *rec = btf_types_add(to, BTF_REC_WORDS + s->nr * 3);
	rec[BTF_REC_NAME] = finish_offset(f, name);
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

static struct err *emit_sections(struct finish *f, struct btf_types *to, bool apart)
{
	for (size_t i = 0; i < f->vars.nr_sections; i++) {
		const struct var_section *s = &f->vars.sections[i];

		if (s->nr && first_of(s)->apart == apart)
			TRY(emit_section(f, to, s, f->section_names[i]));
	}
	return NULL;
}

struct err *finish_sections(struct finish *f)
{
	add_lengths(f);
	return emit_sections(f, &f->out, false);
}

/* The split BTF is not deduplicated. Only tags could be there twice. */
static void emit_tags_once(struct finish *f, const struct unit_var *v, const struct unit_btf *btf)
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
			finish_tag(f, &f->apart, tags[t].value, v->id, tags[t].component);
	}
}

struct err *finish_apart(struct finish *f)
{
	btf_types_init(&f->apart, &f->out);
	for (size_t i = 0; i < f->a->units.nr; i++) {
		struct assembly_unit *u = &f->a->units.items[i];

		for (size_t k = 0; k < u->btf.vars.nr; k++) {
			struct unit_var *v = &u->btf.vars.items[k];

			if (v->dropped || !v->apart)
				continue;
			uint32_t type = f->ids[finish_unit_ref(f, u, v->type)];

			if (compat_get(f->a->opts->compat)->whole_vars)
				type = with_length(f, &f->apart, v, type);
			emit_var(f, &f->apart, v, type);
			emit_tags_once(f, v, &u->btf);
		}
	}
	return emit_sections(f, &f->apart, true);
}

void finish_apart_move(struct finish *f, uint32_t by)
{
	for (uint32_t id = f->apart.first; by && id < btf_types_end(&f->apart); id++) {
		btf_rec_each_name(btf_types_rec(&f->apart, id), name)
		{
			if (*name >= f->apart_names)
				*name += by;
		}
	}
}
