/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_from_cu.c - see unit_from_cu.h */
#include "encoder/unit/unit_from_cu.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "encoder/unit/facts_from_cu.h"
#include "encoder/unit/unit_encoder.h"

#include <stdlib.h>

struct unit_encoder *unit_encoder_new(const struct run *run)
{
	struct unit_encoder *m = mem_zalloc(1, sizeof(*m));

	m->run = run;
	m->true_signature = feature_on(run->opts, FEATURE_TRUE_SIGNATURE);
	m->arena = type_pool_arena(run->types);
	return m;
}

void unit_encoder_free(struct unit_encoder *m)
{
	if (!m)
		return;
	type_pool_give_arena_back(m->run->types, m->arena);
	unit_facts_release(&m->facts);
	FREE_ALL(m->words.items, m->refs, m->state, m->stack.items, m->tags.items,
		 m->first_seen.items, m->seen, m->entered, m->known, m->list_words.items,
		 m->lists.items, m);
}

uint32_t unit_copy_tags(const struct unit_encoder *m, uint32_t of, struct unit_tags *ret)
{
	size_t first = LOWER_BOUND(0, m->tags.nr, i, m->tags.items[i]->of < of);
	uint32_t nr = 0;

	for (size_t i = first; i < m->tags.nr && m->tags.items[i]->of == of; i++, nr++)
		vec_push(ret, ((struct unit_tag){ m->tags.items[i]->value,
						  m->tags.items[i]->component }));
	return nr;
}

struct err *unit_add_context(const struct unit_encoder *m, struct err *e)
{
	uint32_t name = m->btf->name;

	return name ? err_add_context(e, "unit '%s'", str_pool_text(m->run->strings, name)) : e;
}

void unit_listen(struct unit_encoder *m)
{
	struct unit_btf *f = m->btf;

	f->diags.verbose = m->run->opts->verbose;
	m->log = (struct omission_log){
		.diags = &f->diags,
		.strings = m->run->strings,
		.unit = f->name,
		.unit_number = f->unit,
	};
	if (m->run->omissions) {
		f->omissions = omissions_like(m->run->omissions);
		m->log.list = &f->omissions;
	}
}

/* Report what concerns the unit and not one of its types, functions and variables. */
static void report_unit(struct unit_encoder *m)
{
	const struct cu *cu = m->cu;

	if (cu->nr_void)
		omission_report(&m->log,
				(struct omission){ OMIT_UNIT_VOID_REFERENCES, .name = cu->name,
						   .number = cu->nr_void });
	if (cu->nr_unknown)
		omission_report(&m->log,
				(struct omission){ OMIT_UNIT_UNKNOWN_ENTRIES, .name = cu->name,
						   .number = cu->nr_unknown });
	for (size_t i = 0; i < cu->excluded.nr; i++) {
		const struct cu_excluded *x = &cu->excluded.items[i];

		omission_report(&m->log, (struct omission){ x->by_name ? OMIT_UNIT_EXCLUDED :
									 OMIT_UNIT_LANGUAGE,
							    .name = x->name });
	}
	if (cu->missing)
		omission_report(&m->log,
				(struct omission){ OMIT_UNIT_NO_DWO, .name = cu->missing });
}

void unit_left_out(struct unit_encoder *m, const struct cu *cu, uint32_t unit, struct unit_btf *ret)
{
	*ret = (struct unit_btf){ .unit = unit };
	m->cu = cu;
	m->btf = ret;
	unit_listen(m);
	report_unit(m);
}

struct err *unit_from_cu(struct unit_encoder *m, const struct cu *cu, uint32_t unit,
			 struct unit_btf *ret, struct unit_facts *ret_facts)
{
	struct unit_facts *facts = ret_facts ? ret_facts : &m->facts;
	CLEANUP(unit_btf_release) struct unit_btf f = {
		.unit = unit,
		.name = cu->name,
		.incomplete = cu->incomplete,
	};

	m->cu = cu;
	/* cppcheck-suppress autoVariables ; not used before the next call sets it */
	m->btf = &f;
	unit_listen(m);
	m->step = 0;
	report_unit(m);
	TRY(unit_add_types(m));
	facts_from_cu(m, ret_facts, facts);
	TRY(unit_add_funcs(m, facts));
	TRY(unit_add_vars(m, facts));
	TRY(unit_add_sites(m, facts));
	if (ret_facts)
		facts_keep_stored(m->run->strings, ret_facts);
	*ret = TAKE(f);
	return NULL;
}

void raw_unit_from_cu(struct unit_encoder *m, const struct cu *cu, struct raw_unit *ret)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 }; /* they were reported before */

	m->cu = cu;
	/* cppcheck-suppress autoVariables ; the next unit sets it */
	m->log = (struct omission_log){ .diags = &diags, .strings = m->run->strings };
	unit_raw_types(m, ret);
	func_facts_from_cu(m, false, &m->facts);
	unit_raw_protos(m->run, &m->facts, ret);
}
