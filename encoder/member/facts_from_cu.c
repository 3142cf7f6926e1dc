/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_from_cu.c - see facts_from_cu.h */
#include "encoder/member/facts_from_cu.h"

#include "base/cleanup.h"
#include "encoder/unit/unit_encoder.h"
#include "encoder/unit/var_name.h"

#include <stdlib.h>
#include <string.h>

/* A slot for the address @value, which is stored at @place. */
static uint32_t add_slot(struct unit_facts *facts, cu_addr_place place, uint64_t value)
{
	vec_push(&facts->slots, ((struct addr_slot){ value, place }));
	return (uint32_t)facts->slots.nr;
}

static void add_form(struct unit_encoder *m, const struct cu_func *f, bool second,
		     struct record_words *words, struct unit_facts *facts)
{
	bool asked = feature_on(m->run->opts, FEATURE_TRUE_SIGNATURE);
	struct func_facts form = {
		.name = f->name,
		.second_form = second,
		.proto = (uint32_t)words->nr,
		.tags = (uint32_t)facts->tags.nr,
	};

	m->true_signature = asked != second;
	form.flags = unit_func_judge(m, f, words, &facts->tags);
	m->true_signature = asked;
	form.nr_tags = (uint32_t)facts->tags.nr - form.tags;
	if (!second && f->addr_place != CU_NO_PLACE)
		form.slot = add_slot(facts, f->addr_place, f->addr);
	vec_push(&facts->funcs, form);
}

static void add_func(struct unit_encoder *m, const struct cu_func *f, struct record_words *words,
		     struct unit_facts *facts)
{
	add_form(m, f, false, words, facts);
	if (f->flags & CU_FUNC_CHANGED)
		add_form(m, f, true, words, facts);
}

static void add_var(struct unit_encoder *m, const struct cu_var *v, struct unit_facts *facts)
{
	uint64_t size = unit_var_size(m, v, section_map_at(m->run->places, v->addr));
	struct var_facts var = {
		.name = v->name,
		.type = v->type,
		.size = size <= UINT32_MAX ? (uint32_t)size : 0,
		.external = v->flags & CU_VAR_EXTERNAL,
		.added = (uint32_t)v->addr_added,
		.slot = add_slot(facts, v->addr_place, v->addr - v->addr_added),
		.tags = (uint32_t)facts->tags.nr,
	};

	var.nr_tags = unit_copy_tags(m, v->tags_of, &facts->tags);
	vec_push(&facts->vars, var);
}

/* Variables that no feature describes are left out. */
static bool may_be_described(const struct unit_encoder *m, const struct cu_var *v)
{
	return v->name && !(v->flags & CU_VAR_LOCAL) && v->addr_place != CU_NO_PLACE &&
	       v->addr_added <= UINT32_MAX &&
	       !var_name_of_macro(str_pool_text(m->run->strings, v->name));
}

static bool has_lto_code(const struct object *obj)
{
	for (size_t i = 1; i < obj->nr_sections; i++) {
		if (!strncmp(obj->sections[i].name, ".gnu.lto_", 9))
			return true;
	}
	return false;
}

void facts_from_cu(struct unit_encoder *m, const struct cu *cu, const struct unit_btf *f,
		   struct unit_facts *ret)
{
	const char *kabi = m->run->opts->kabi_prefix;
	struct unit_facts facts = {
		.name = cu->name,
		.lang = cu->lang + UINT32_C(1),
		.kabi = kabi ? str_pool_add(m->run->strings, kabi, strlen(kabi)) : 0,
		.features = m->run->opts->features & FACTS_FEATURES,
		.level = compat_get(m->run->opts->compat)->stored,
		.incomplete = f->incomplete,
		.addr_size = cu->addr_size,
		.recompiled = has_lto_code(m->run->obj),
	};
	struct record_words words = { 0 };

	m->cu = cu;
	vec_push(&words, 0);
	unit_sort_tags(cu, CU_TAG_FUNC, &m->tags);
	for (size_t i = 0; i < cu->funcs.nr; i++) {
		if (unit_func_named(m, &cu->funcs.items[i]))
			add_func(m, &cu->funcs.items[i], &words, &facts);
	}
	unit_sort_tags(cu, CU_TAG_VAR, &m->tags);
	for (size_t i = 0; i < cu->vars.nr; i++) {
		if (may_be_described(m, &cu->vars.items[i]))
			add_var(m, &cu->vars.items[i], &facts);
	}
	facts.words.items = words.items;
	facts.words.nr = words.nr;
	facts.words.cap = words.cap;
	*ret = facts;
}
