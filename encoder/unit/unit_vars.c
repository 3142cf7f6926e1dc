/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_vars.c - the variables of a unit that are in a section (docs/spec/encoding.md 9) */
#include "encoder/unit/unit_encoder.h"
#include "encoder/unit/var_name.h"

#include <elf.h>

static void report_var(const struct unit_encoder *m, enum omission_rule rule,
		       const struct var_facts *v)
{
	omission_report(&m->log, (struct omission){ rule, .name = v->name, .number = v->addr });
}

/* A kernel has 12,000 of these: they are only counted. */
static void report_of_macro(const struct unit_encoder *m, const struct var_facts *v)
{
	if (likely(!m->log.list))
		return;
	if (omissions_asked(m->log.list, v->name, v->addr))
		report_var(m, OMIT_VAR_OF_MACRO, v);
	omission_report(&m->log, (struct omission){ OMIT_VARS_OF_MACRO, .number = 1 });
}

/* Is the variable, which is at the start of @section, there? A discarded one has this address, but no symbol. */
static bool is_confirmed(const struct run *run, const struct var_facts *v, uint32_t section)
{
	const struct str_entry *name = str_pool_at(run->strings, v->name);

	return object_symbols_have(&run->syms->objects, name->text, name->len, section) ||
	       (v->size && compat_get(run->opts->compat)->whole_vars &&
		object_symbols_have_prefixed(&run->syms->objects, name->text, name->len, section,
					     v->size));
}

/*
 * Find the section of @v; 0 if it is left out, which is reported. The checks are in pahole's order. ERR_UNSUPPORTED for an
 * invalid name.
 */
static struct err *find_section(struct unit_encoder *m, const struct var_facts *v, uint32_t *ret)
{
	const struct run *run = m->run;
	const char *name = str_pool_text(run->strings, v->name);
	bool force = feature_on(run->opts, FEATURE_ENCODE_FORCE);
	uint32_t section = section_map_at(run->section_map, v->addr);

	*ret = 0;
	if (!section) {
		report_var(m,
			   !v->size && section_map_ends(run->section_map, v->addr) ?
				   OMIT_VAR_NO_SIZE :
				   OMIT_VAR_NO_SECTION,
			   v);
		return NULL;
	}
	if (!run->var_sections[section]) {
		if (unlikely(m->log.list) && omissions_asked(m->log.list, v->name, v->addr))
			report_var(m, OMIT_VAR_NOT_ASKED, v);
		return NULL;
	}
	if (!v->name)
		return NULL;
	if (var_name_of_macro(name)) {
		report_of_macro(m, v);
		return NULL;
	}

	size_t len = str_pool_at(run->strings, v->name)->len;
	if (v->addr == run->obj->sections[section].debug_addr && !is_confirmed(run, v, section)) {
		report_var(m, OMIT_VAR_NO_SYMBOL, v);
		return NULL;
	}
	if (!var_name_valid(name, len)) {
		if (!force)
			return unit_add_context(
				m,
				err_new(ERR_UNSUPPORTED,
					"'%s' is no valid name for a variable; --btf_encode_force leaves it out",
					name));
		report_var(m, OMIT_VAR_INVALID_NAME, v);
		return NULL;
	}
	if (!v->type) {
		report_var(m, OMIT_VAR_NO_TYPE, v);
		return NULL;
	}
	*ret = section;
	return NULL;
}

static struct err *add_var(struct unit_encoder *m, const struct unit_facts *facts,
			   const struct var_facts *v)
{
	const struct run *run = m->run;
	struct unit_btf *btf = m->btf;
	uint32_t section;

	TRY(find_section(m, v, &section));
	if (!section)
		return NULL;

	uint64_t offset = v->addr - run->obj->sections[section].debug_addr;
	if (!v->size || v->size > UINT32_MAX || offset > UINT32_MAX - v->size) {
		report_var(m, !v->size ? OMIT_VAR_NO_SIZE : OMIT_VAR_BEYOND_4G, v);
		return NULL;
	}
	const struct unit_var var = {
		.name = v->name,
		.type = v->type,
		.section = section,
		.offset = (uint32_t)offset,
		.size = (uint32_t)v->size,
		.linkage = v->external ? BTF_LINK_GLOBAL : BTF_LINK_STATIC,
		.apart = run->apart_sections && run->apart_sections[section],
		.tags = (uint32_t)btf->var_tags.nr,
		.nr_tags = v->nr_tags,
	};
	for (uint32_t i = 0; i < v->nr_tags; i++)
		vec_push(&btf->var_tags, facts->tags.items[v->tags + i]);
	vec_push(&btf->vars, var);
	m->step += unit_var_steps(&var);
	return NULL;
}

struct err *unit_add_vars(struct unit_encoder *m, const struct unit_facts *facts)
{
	if (!m->run->var_sections)
		return NULL;
	m->btf->var_step = m->step;
	for (size_t i = 0; i < facts->vars.nr; i++)
		TRY(add_var(m, facts, &facts->vars.items[i]));
	return NULL;
}
