/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_vars.c - the variables of a unit that have a place in a section (docs/spec/encoding.md 9) */
#include "encoder/unit/unit_encoder.h"
#include "encoder/unit/var_name.h"

#include <elf.h>

static void report(const struct unit_encoder *m, enum omission_rule rule, const struct cu_var *v)
{
	omission_report(&m->log, (struct omission){ rule, .name = v->name, .number = v->addr });
}

/* A kernel has 12,000 of these: they are only counted. */
static void report_of_macro(const struct unit_encoder *m, const struct cu_var *v)
{
	if (likely(!m->log.list))
		return;
	if (omissions_asked(m->log.list, v->name, v->addr))
		report(m, OMIT_VAR_OF_MACRO, v);
	omission_report(&m->log, (struct omission){ OMIT_VARS_OF_MACRO, .number = 1 });
}

/* The value of symbols for @addr, an address of debug information in @section. */
static uint64_t symbol_value(const struct run *run, uint32_t section, uint64_t addr)
{
	const struct object_section *s = &run->obj->sections[section];

	return addr - s->debug_addr + (run->obj->is_rel ? 0 : s->addr);
}

uint64_t unit_var_size(const struct unit_encoder *m, const struct cu_var *v, uint32_t section)
{
	const struct str_entry *name = str_pool_at(m->run->strings, v->name);
	uint64_t size = cu_type_size(m->cu, v->type);
	uint64_t element = size ? 0 : cu_open_element(m->cu, v->type);

	if (!element || !section || !compat_get(m->run->opts->compat)->whole_vars)
		return size;
	size = object_symbols_size(&m->run->syms->objects, name->text, name->len, section,
				   symbol_value(m->run, section, v->addr));
	return size % element ? 0 : size;
}

/* Is the variable, which is at the start of @section, there? A discarded one has this address, but no symbol. */
static bool is_confirmed(const struct run *run, const struct cu_var *v, uint64_t size,
			 uint32_t section)
{
	const struct str_entry *name = str_pool_at(run->strings, v->name);

	return object_symbols_have(&run->syms->objects, name->text, name->len, section) ||
	       (size && compat_get(run->opts->compat)->whole_vars &&
		object_symbols_have_prefixed(&run->syms->objects, name->text, name->len, section,
					     size));
}

struct err *unit_var_section(struct unit_encoder *m, const struct cu_var *v, uint64_t size,
			     uint32_t *ret)
{
	const struct run *run = m->run;
	const char *name = str_pool_text(run->strings, v->name);
	bool force = feature_on(run->opts, FEATURE_ENCODE_FORCE);
	uint32_t section = section_map_at(run->places, v->addr);

	*ret = 0;
	if (!section) {
		report(m,
		       !size && section_map_ends(run->places, v->addr) ? OMIT_VAR_NO_SIZE :
									 OMIT_VAR_NO_SECTION,
		       v);
		return NULL;
	}
	if (!run->var_sections[section]) {
		if (unlikely(m->log.list) && omissions_asked(m->log.list, v->name, v->addr))
			report(m, OMIT_VAR_NOT_ASKED, v);
		return NULL;
	}
	if (!v->name)
		return NULL;
	if (var_name_of_macro(name)) {
		report_of_macro(m, v);
		return NULL;
	}

	size_t len = str_pool_at(run->strings, v->name)->len;
	if (v->addr == run->obj->sections[section].debug_addr &&
	    !is_confirmed(run, v, size, section)) {
		report(m, OMIT_VAR_NO_SYMBOL, v);
		return NULL;
	}
	if (!var_name_valid(name, len)) {
		if (!force)
			return unit_add_place(
				m,
				err_new(ERR_UNSUPPORTED,
					"'%s' is no valid name for a variable; --btf_encode_force leaves it out",
					name));
		report(m, OMIT_VAR_INVALID_NAME, v);
		return NULL;
	}
	if (!v->type) {
		report(m, OMIT_VAR_NO_TYPE, v);
		return NULL;
	}
	*ret = section;
	return NULL;
}

struct unit_var *unit_var_add(struct unit_encoder *m, const struct cu_var *v, uint32_t section,
			      uint64_t size)
{
	uint64_t offset = v->addr - m->run->obj->sections[section].debug_addr;

	if (!size || size > UINT32_MAX || offset > UINT32_MAX - size) {
		report(m, !size ? OMIT_VAR_NO_SIZE : OMIT_VAR_BEYOND_4G, v);
		return NULL;
	}
	vec_push(&m->btf->vars,
		 ((struct unit_var){
			 .name = v->name,
			 .type = v->type,
			 .section = section,
			 .offset = (uint32_t)offset,
			 .size = (uint32_t)size,
			 .linkage = v->flags & CU_VAR_EXTERNAL ? BTF_LINK_GLOBAL : BTF_LINK_STATIC,
			 .apart = m->run->apart_sections && m->run->apart_sections[section],
			 .tags = (uint32_t)m->btf->var_tags.nr,
		 }));
	return &m->btf->vars.items[m->btf->vars.nr - 1];
}

/* BTF has no scopes. */
static void report_local(const struct unit_encoder *m, const struct cu_var *v)
{
	uint32_t section = v->name ? section_map_at(m->run->places, v->addr) : 0;
	const struct omissions *list = m->log.list;

	if (section && (m->run->var_sections[section] || omissions_asked(list, v->name, v->addr) ||
			omissions_asked(list, v->func, 0)))
		omission_report(&m->log, (struct omission){ OMIT_VAR_IN_FUNCTION, .name = v->name,
							    .part = v->func, .number = v->addr });
}

static struct err *add_var(struct unit_encoder *m, const struct cu_var *v)
{
	uint32_t section;

	if (unlikely(v->flags & CU_VAR_LOCAL)) {
		report_local(m, v);
		return NULL;
	}

	TRY(unit_var_section(m, v, cu_type_size(m->cu, v->type), &section));
	if (!section)
		return NULL;

	struct unit_var *var = unit_var_add(m, v, section, unit_var_size(m, v, section));
	if (var) {
		var->nr_tags = unit_copy_tags(m, v->tags_of, &m->btf->var_tags);
		m->step += unit_var_steps(var);
	}
	return NULL;
}

struct err *unit_add_vars(struct unit_encoder *m)
{
	if (!m->run->var_sections)
		return NULL;
	unit_sort_tags(m->cu, CU_TAG_VAR, &m->tags);
	m->btf->var_step = m->step;
	for (size_t i = 0; i < m->cu->vars.nr; i++)
		TRY(add_var(m, &m->cu->vars.items[i]));
	return NULL;
}
