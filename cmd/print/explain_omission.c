/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain_omission.c - see explain_omission.h
 *
 *	  func_inconsistent_prototype: left out: units do not agree on its prototype
 *	    in a.c at 0xffffffff81000010 and 1 more unit
 *	    a.c at 0xffffffff81000010: int (int a)
 *	    b.c: int (int a, int b)
 */
#include "cmd/print/explain_omission.h"

#include "cmd/print/print_line.h"

#include <inttypes.h>

/* @before, the name, or "(@none)" if it is empty, and @after. */
void explain_put_name(struct text *out, const char *before, const char *name, const char *none,
		      const char *after)
{
	text_str(out, before);
	if (*name)
		text_escape_name(out, name);
	else
		text_printf(out, "(%s)", none);
	text_str(out, after);
}

void explain_put_address(struct text *out, const struct report_location *at)
{
	if (!at->known)
		return;
	text_str(out, " at ");
	if (*at->section)
		explain_put_name(out, "", at->section, "", "+");
	text_printf(out, "0x%" PRIx64, at->addr);
}

static void put_location(struct text *out, const struct report *r, uint32_t unit, uint64_t addr)
{
	const struct report_location at = report_location(r, addr);

	explain_put_name(out, "", report_text(r, unit), "no unit", "");
	explain_put_address(out, &at);
}

static void put_units(struct text *out, uint32_t nr)
{
	if (nr > 1)
		text_printf(out, " and %u more unit%s", nr - 1, nr > 2 ? "s" : "");
}

static void put_proto(struct text *out, const struct report *r, const struct omission_proto *p)
{
	text_str(out, "    ");
	put_location(out, r, p->unit, p->addr);
	put_line(out, ": ", report_text(r, p->text));
}

static void put_number(struct text *out, const struct omission *o)
{
	enum omission_number number = omission_rules[o->rule].number;

	if (number == NUMBER_BIT || number == NUMBER_BYTES || number == NUMBER_COUNT)
		text_printf(out, " (%s%" PRIu64 "%s)", number == NUMBER_BIT ? "bit " : "",
			    o->number, number == NUMBER_BYTES ? " bytes" : "");
}

const char *const explain_results[] = {
	[RESULT_LEFT_OUT] = "left out",
	[RESULT_CHANGED] = "changed",
	[RESULT_LOST] = "lost",
	[RESULT_SEVERAL] = "", /* the reason is enough */
};

enum color explain_color(enum omission_rule rule)
{
	enum omission_result result = omission_rules[rule].result;

	if (omission_rules[rule].no_loss)
		return COLOR_COMMENT;
	return result == RESULT_LEFT_OUT || result == RESULT_LOST ? COLOR_GONE : COLOR_CHANGED;
}

static void put_definition(struct text *out, const struct report *r,
			   const struct omission_definition *d)
{
	if (d->in_base)
		text_str(out, "    in the base");
	else
		explain_put_name(out, "    in ", report_text(r, d->unit), "no unit", "");
	put_units(out, d->nr_units);
	if (d->bytes)
		text_printf(out, ", %u bytes", d->bytes);
	put_line(out, d->difference ? ": " : "", report_text(r, d->difference));
}

/* The units of a program that is read as one have no name (LTO). */
static void put_where(struct text *out, const struct report *r, const struct omission *o)
{
	const struct report_location at = report_location(r, omission_addr(o));

	if (*report_text(r, o->unit)) {
		text_str(out, "    in ");
		put_location(out, r, o->unit, omission_addr(o));
		put_units(out, o->nr_units);
		text_char(out, '\n');
	} else if (at.known) {
		text_str(out, "   ");
		explain_put_address(out, &at);
		text_char(out, '\n');
	}
}

void explain_put_omission(struct text *out, const struct report *r, const struct omission *o)
{
	const struct omission_rule_def *rule = &omission_rules[o->rule];
	const char *part = report_text(r, o->part), *other_unit = report_text(r, o->other_unit);

	const char *result = explain_results[rule->result];

	text_str(out, "  ");
	text_color(out, explain_color(o->rule));
	text_printf(out, "%s: %s%s", rule->id, result, *result ? ": " : "");
	text_color(out, COLOR_NONE);
	text_str(out, rule->why);
	if (*part)
		explain_put_name(out, ": '", part, "", "'");
	if (*other_unit)
		explain_put_name(out, " of ", other_unit, "", "");
	put_number(out, o);
	text_char(out, '\n');
	for (uint32_t i = 0; i < 32; i++) {
		if (o->also >> i & 1)
			text_printf(out, "    %s %s: %s\n",
				    omission_rules[i].result == rule->result ? "and by" :
									       "although",
				    omission_rules[i].id, omission_rules[i].why);
	}
	if (rule->subject != SUBJECT_UNIT)
		put_where(out, r, o);
	if (o->proto)
		put_line(out, "    prototype: ", report_text(r, o->proto));
	if (o->clash) {
		const struct omission_clash *c = &r->omissions.clashes.items[o->clash - 1];

		put_proto(out, r, &c->a);
		put_proto(out, r, &c->b);
	}
	for (size_t i = 0; i < o->nr_definitions; i++)
		put_definition(out, r, &r->omissions.definitions.items[o->definitions + i]);
}
