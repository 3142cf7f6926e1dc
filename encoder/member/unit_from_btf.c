/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_from_btf.c - see unit_from_btf.h */
#include "encoder/member/unit_from_btf.h"

#include "base/cleanup.h"
#include "encoder/member/member_reader.h"
#include "loader/dwarf/dw_read_cu.h"

/*
 * Gcc 12 also writes what a unit only declares. A function that is not in the symbol table is no
 * loss, nor are variables unless those of all sections are wanted.
 */
static bool is_expected(struct member_reader *r, const struct gcc_member_loss *loss)
{
	switch (omission_rules[loss->rule].subject) {
	case SUBJECT_FUNC:
		return member_known_func(r, loss->name);
	case SUBJECT_VAR:
		return feature_on(r->encoder->run->opts, FEATURE_GLOBAL_VAR);
	default:
		return true;
	}
}

static void report_losses(struct member_reader *r)
{
	for (size_t i = 0; i < r->gcc.losses.nr; i++) {
		const struct gcc_member_loss *loss = &r->gcc.losses.items[i];

		if (is_expected(r, loss))
			omission_report(&r->encoder->log,
					(struct omission){ loss->rule,
							   .name = member_string(r, loss->name),
							   .part = member_string(r, loss->part),
							   .keyword = loss->keyword });
	}
}

static struct err *make_unit(struct member_reader *r)
{
	report_losses(r);
	TRY(member_number(r));
	r->encoder->step = 0;
	member_add_types(r);
	TRY(member_check_lost(r));
	member_read_facts(r);
	TRY(err_at(unit_add_funcs(r->encoder, &r->facts), "%s", r->member->where));
	TRY(member_add_vars(r));
	return err_at(unit_add_sites(r->encoder, &r->facts), "%s", r->member->where);
}

/*
 * Do the options exclude the unit of the member? check_members() warns of members that lack
 * the name or language of their unit.
 */
static bool excluded(const struct member_reader *r, enum omission_rule *ret_rule)
{
	const struct encode_opts *o = r->encoder->run->opts;
	const struct dw_read_opts choice = {
		.langs = o->langs,
		.nr_langs = o->nr_langs,
		.lang_only = o->lang_only,
		.exclude = o->exclude_units,
		.nr_exclude = o->nr_exclude_units,
	};

	/* gcc also writes a source, but not under the name that DWARF has */
	if (!r->have_facts || !r->start.lang)
		return false;
	*ret_rule = OMIT_UNIT_EXCLUDED;
	if (!dw_unit_name_wanted(&choice, member_text(r, r->source)))
		return true;
	*ret_rule = OMIT_UNIT_LANGUAGE;
	return !dw_unit_lang_wanted(&choice, (uint16_t)(r->start.lang - 1));
}

struct err *unit_from_btf(struct member_reader *r, const struct member *member, uint32_t unit,
			  struct unit_btf *ret)
{
	CLEANUP(unit_btf_release) struct unit_btf f = { .unit = unit };
	enum omission_rule rule;

	f.diags.verbose = r->encoder->run->opts->verbose;
	r->encoder->btf = &f;
	TRY(member_open(r, member, &f.diags));
	if (r->view.nr_unknown)
		f.origin.unknown_kind = r->view.first_unknown;
	f.origin.damaged = member->block.body.len && !r->have_facts;
	f.name = r->source ? member_string(r, r->source) : 0;
	unit_listen(r->encoder);
	if (excluded(r, &rule)) {
		omission_report(&r->encoder->log, (struct omission){ rule, .name = f.name });
		f.origin.excluded = true;
	} else {
		TRY(make_unit(r));
		f.origin.producer = r->producer;
		f.origin.source = !r->have_facts ? SOURCE_BTF :
				  member->linked ? SOURCE_LINKED :
						   SOURCE_FACTS;
		f.origin.head = r->facts.head;
		f.incomplete = r->facts.head.incomplete;
	}
	/* the pools have copies of the strings */
	member_forget(r);
	*ret = TAKE(f);
	return NULL;
}

struct err *raw_unit_from_btf(struct member_reader *r, const struct member *member,
			      struct raw_unit *ret)
{
	CLEANUP(raw_unit_release) struct raw_unit raw = { 0 };
	CLEANUP(diag_release) struct diagnostics diags = { 0 }; /* they were reported before */

	/* cppcheck-suppress autoVariables ; the next unit sets it */
	r->encoder->log = (struct omission_log){ .diags = &diags,
						 .strings = r->encoder->run->strings };
	TRY(member_open(r, member, &diags));
	TRY(member_number(r));
	member_raw_types(r, &raw);
	TRY(member_check_lost(r));
	member_read_facts(r);
	unit_raw_protos(r->encoder->run, &r->facts, &raw);
	member_forget(r);
	*ret = TAKE(raw);
	return NULL;
}
