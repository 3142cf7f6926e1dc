/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_from_cu.c - see facts_from_cu.h */
#include "encoder/unit/facts_from_cu.h"

#include "encoder/unit/unit_encoder.h"
#include "encoder/unit/var_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- functions ------------------------------------------------------------------------------ */

static bool is_named(const struct unit_encoder *m, const struct cu_func *f)
{
	const struct cu_param *params = func_params(m, f);

	for (uint32_t i = 0; i < f->nr_params; i++) {
		if (!params[i].name)
			return false;
	}
	return f->name != 0;
}

/* It has no name, or no symbol has its name, or a parameter lacks one. */
static void report_unwanted(struct unit_encoder *m, const struct cu_func *f)
{
	if (!f->name || !omission_wanted_at(&m->log, f->name, f->addr))
		return;
	if (!unit_wants_func(m, f->name, f->addr))
		return;
	enum omission_rule rule = run_func(m->run, f->name) ? OMIT_FUNC_UNNAMED_PARAMETER :
				  m->run->syms->have_symtab ? OMIT_FUNC_NO_SYMBOL :
							      OMIT_FUNC_NO_SYMTAB;

	omission_report(&m->log, (struct omission){ rule, .name = f->name, .number = f->addr });
}

/*
 * Is a packed struct passed on the stack? Its offset there depends on the compiler
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

/* Without @fate, all parameters are there as declared. */
static void func_proto(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
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

		uint8_t its = fate ? fate[i] : 0;

		if (fate && !param_kept(m, f, p, its))
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
 * Find the index of parameter *@component in the prototype of @f. Returns false if the prototype
 * leaves that parameter out.
 */
static bool param_index(const struct unit_encoder *m, const struct cu_func *f, const uint8_t *fate,
			int32_t *component)
{
	const struct cu_param *params = func_params(m, f);
	int32_t index = 0;

	for (uint32_t i = 0; i < f->nr_params; i++) {
		bool kept = param_kept(m, f, &params[i], fate[i]);

		if ((int32_t)i == *component) {
			*component = index;
			return kept;
		}
		index += kept;
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

		if (!param_index(m, f, fate, component))
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

static void add_form(struct unit_encoder *m, const struct cu_func *f, bool true_signature,
		     bool second, struct unit_facts *facts)
{
	uint8_t few[16], *fate = f->nr_params <= ARRAY_SIZE(few) ? few : mem_alloc(f->nr_params);
	struct func_facts form = {
		.name = f->name,
		.second_form = second,
		.has_addr = f->addr_slot != CU_NO_SLOT,
		.addr = f->addr,
		.slot = f->addr_slot,
		.proto = (uint32_t)facts->words.nr,
		.tags = (uint32_t)facts->tags.nr,
	};

	m->true_signature = true_signature;
	form.flags = judge(m, f, fate);
	func_proto(m, f, fate, &facts->words);
	form.nr_tags = add_tags(m, f, fate, &facts->tags);
	vec_push(&facts->funcs, form);
	if (fate != few)
		free(fate);
}

static void add_func_facts(struct unit_encoder *m, const struct cu_func *f, uint32_t known,
			   bool all, struct unit_facts *facts)
{
	bool asked = feature_on(m->run->opts, FEATURE_TRUE_SIGNATURE);

	if (all) {
		add_form(m, f, asked, false, facts);
		if (f->flags & CU_FUNC_CHANGED)
			add_form(m, f, !asked, true, facts);
	} else {
		add_form(m, f, asked && !run_keeps(m->run, known - 1), false, facts);
	}
}

static void add_funcs(struct unit_encoder *m, bool all, struct unit_facts *facts)
{
	const struct cu *cu = m->cu;

	unit_sort_tags(cu, CU_TAG_FUNC, &m->tags);
	for (size_t i = 0; i < cu->funcs.nr; i++) {
		const struct cu_func *f = &cu->funcs.items[i];
		uint32_t known = run_func(m->run, f->name);
		bool named = is_named(m, f);

		if (!known || !named)
			report_unwanted(m, f);
		if (named && (known || all))
			add_func_facts(m, f, known, all, facts);
	}
}

/* --- inlined functions ---------------------------------------------------------------------- */

static void add_inlined(const struct unit_encoder *m, struct unit_facts *facts)
{
	const struct cu *cu = m->cu;

	for (size_t i = 0; i < cu->inlined.nr; i++) {
		const struct cu_func *f = &cu->inlined.items[i];

		vec_push(&facts->inlined,
			 ((struct inlined_facts){ f->name, (uint32_t)facts->words.nr }));
		func_proto(m, f, NULL, &facts->words);
	}
}

static void add_sites(const struct unit_encoder *m, struct unit_facts *facts)
{
	const struct cu *cu = m->cu;

	vec_append(&facts->sites, cu->sites.items, cu->sites.nr);
	vec_append(&facts->places, cu->places.items, cu->places.nr);
	vec_append(&facts->place_slots, cu->place_slots.items, cu->place_slots.nr);
	if (cu->nr_unplaced)
		omission_report(&m->log, (struct omission){ OMIT_SITES_NO_ADDRESS,
							    .number = cu->nr_unplaced });
}

/* --- variables ------------------------------------------------------------------------------ */

/*
 * The size of the variable, which lies in @section. If its type is an array without a length, it is that of
 * its symbol (docs/spec/encoding.md 9.3).
 */
static uint64_t var_size(const struct unit_encoder *m, const struct cu_var *v, uint32_t section)
{
	const struct run *run = m->run;
	const struct str_entry *name = str_pool_at(run->strings, v->name);
	uint64_t size = cu_type_size(m->cu, v->type);
	uint64_t element = size ? 0 : cu_open_element(m->cu, v->type);

	if (!element || !section || !compat_get(run->opts->compat)->whole_vars)
		return size;

	/* the value of symbols for the address of debug information */
	const struct object_section *s = &run->obj->sections[section];
	uint64_t value = v->addr - s->debug_addr + (run->obj->is_rel ? 0 : s->addr);
	size = object_symbols_size(&run->syms->objects, name->text, name->len, section, value);
	return size % element ? 0 : size;
}

/* BTF has no scopes. */
static void report_local(const struct unit_encoder *m, const struct cu_var *v)
{
	uint32_t section = v->name ? section_map_at(m->run->section_map, v->addr) : 0;
	const struct omissions *list = m->log.list;

	if (section && (m->run->var_sections[section] || omissions_asked(list, v->name, v->addr) ||
			omissions_asked(list, v->func, 0)))
		omission_report(&m->log, (struct omission){ OMIT_VAR_IN_FUNCTION, .name = v->name,
							    .part = v->func, .number = v->addr });
}

static void add_var_facts(struct unit_encoder *m, const struct cu_var *v, struct unit_facts *facts)
{
	struct var_facts var = {
		.name = v->name,
		.type = v->type,
		.size = var_size(m, v, section_map_at(m->run->section_map, v->addr)),
		.external = v->flags & CU_VAR_EXTERNAL,
		.addr = v->addr,
		.added = v->addr_added,
		.slot = v->addr_slot,
		.tags = (uint32_t)facts->tags.nr,
	};

	var.nr_tags = unit_copy_tags(m, v->tags_of, &facts->tags);
	vec_push(&facts->vars, var);
}

static void add_vars(struct unit_encoder *m, struct unit_facts *facts)
{
	const struct cu *cu = m->cu;

	unit_sort_tags(cu, CU_TAG_VAR, &m->tags);
	for (size_t i = 0; i < cu->vars.nr; i++) {
		const struct cu_var *v = &cu->vars.items[i];

		if (likely(!(v->flags & CU_VAR_LOCAL)))
			add_var_facts(m, v, facts);
		else if (m->run->var_sections)
			report_local(m, v);
	}
}

/* --- units ---------------------------------------------------------------------------------- */

static bool has_lto_code(const struct object *obj)
{
	for (size_t i = 1; i < obj->nr_sections; i++) {
		if (!strncmp(obj->sections[i].name, ".gnu.lto_", 9))
			return true;
	}
	return false;
}

static void set_head(const struct unit_encoder *m, struct facts_head *h)
{
	const struct encode_opts *o = m->run->opts;
	const char *kabi = o->kabi_prefix;

	*h = (struct facts_head){
		.name = m->cu->name,
		.lang = m->cu->lang + UINT32_C(1),
		.kabi = kabi ? str_pool_add(m->run->strings, kabi, strlen(kabi)) : 0,
		.features = (o->features & FACTS_FEATURES) |
			    (encode_wants_sites(o) ? FEATURE_INLINE : 0u),
		.level = compat_get(o->compat)->stored,
		.incomplete = m->cu->incomplete,
		.recompiled = has_lto_code(m->run->obj),
	};
}

void facts_from_cu(struct unit_encoder *m, bool all, struct unit_facts *ret)
{
	func_facts_from_cu(m, all, ret);
	if (all)
		set_head(m, &ret->head);
	if (all || m->run->var_sections)
		add_vars(m, ret);
	add_sites(m, ret);
}

void func_facts_from_cu(struct unit_encoder *m, bool all, struct unit_facts *ret)
{
	unit_facts_clear(ret);
	ret->addr_size = m->cu->addr_size;
	ret->head = (struct facts_head){ .features = m->run->opts->features };
	add_funcs(m, all, ret);
	add_inlined(m, ret);
}

/* An address in a .dwo file has no relocation, so there is no slot for it. */
static void keep_stored_sites(struct unit_facts *f)
{
	size_t nr = 0, nr_slots = 0;

	for (size_t i = 0; i < f->sites.nr; i++) {
		if (f->sites.items[i].slot != CU_NO_SLOT)
			f->sites.items[nr++] = f->sites.items[i];
	}
	f->sites.nr = nr;
	for (size_t i = 0; i < f->place_slots.nr; i++) {
		const struct cu_place_slot *s = &f->place_slots.items[i];

		if (s->slot != CU_NO_SLOT)
			f->place_slots.items[nr_slots++] = *s;
		else
			f->places.items[s->place] = (struct cu_place){ 0 };
	}
	f->place_slots.nr = nr_slots;
}

void facts_keep_stored(const struct str_pool *strings, struct unit_facts *f)
{
	size_t nr = 0;

	keep_stored_sites(f);

	for (size_t i = 0; i < f->vars.nr; i++) {
		const struct var_facts *v = &f->vars.items[i];

		if (v->name && v->slot != CU_NO_SLOT && v->added <= UINT32_MAX &&
		    !var_name_of_macro(str_pool_text(strings, v->name)))
			f->vars.items[nr++] = *v;
	}
	f->vars.nr = nr;
}
