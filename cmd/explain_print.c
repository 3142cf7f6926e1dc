/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain_print.c - see explain_print.h
 *
 *	vmlinux: 'foo'
 *	  in the BTF: STRUCT [12]
 *	  func_inconsistent_prototype: left out: units do not agree on its prototype
 *	    in a.c at 0xffffffff81000010 (2 units)
 *	    a.c at 0xffffffff81000010: int (int a)
 *	    b.c: int (int a, int b)
 */
#include "cmd/explain_print.h"

#include "base/cleanup.h"
#include "cmd/name_print.h"

#include <inttypes.h>
#include <string.h>

static void put_place(FILE *out, const struct report_place *at)
{
	name_print(out, *at->unit ? at->unit : "(no unit)");
	if (!at->has_addr)
		return;
	fputs(" at ", out);
	if (*at->section) {
		name_print(out, at->section);
		putc('+', out);
	}
	fprintf(out, "0x%" PRIx64, at->addr);
}

static void put_units(FILE *out, uint32_t nr)
{
	if (nr > 1)
		fprintf(out, " (%" PRIu32 " units)", nr);
}

static void put_proto(FILE *out, const struct report_proto *p)
{
	fputs("    ", out);
	put_place(out, &p->at);
	fputs(": ", out);
	text_print(out, p->text);
	putc('\n', out);
}

static void put_number(FILE *out, const struct report_entry *e)
{
	switch (omission_rules[e->rule].number) {
	case NUMBER_BIT:
		fprintf(out, " (bit %" PRIu64 ")", e->number);
		return;
	case NUMBER_BYTES:
		fprintf(out, " (%" PRIu64 " bytes)", e->number);
		return;
	case NUMBER_COUNT:
		fprintf(out, " (%" PRIu64 ")", e->number);
		return;
	default:
		return;
	}
}

static const char *const results[] = {
	[RESULT_LEFT_OUT] = "left out",
	[RESULT_CHANGED] = "changed",
	[RESULT_LOST] = "lost",
	[RESULT_SEVERAL] = "several",
};

static void put_definition(FILE *out, const struct report_definition *d)
{
	fputs(d->in_base ? "    in the base" : "    in ", out);
	if (!d->in_base)
		name_print(out, *d->unit ? d->unit : "(no unit)");
	put_units(out, d->nr_units);
	if (d->bytes)
		fprintf(out, ", %" PRIu32 " bytes", d->bytes);
	if (*d->difference)
		fputs(": ", out);
	text_print(out, d->difference);
	putc('\n', out);
}

static void put_entry(FILE *out, const struct report_entry *e)
{
	const struct omission_rule_def *rule = &omission_rules[e->rule];

	fprintf(out, "  %s: %s: %s", rule->id, results[rule->result], rule->why);
	if (*e->part) {
		fputs(": '", out);
		name_print(out, e->part);
		fputs("'", out);
	}
	if (*e->other_unit) {
		fputs(" of ", out);
		name_print(out, e->other_unit);
	}
	put_number(out, e);
	putc('\n', out);
	for (uint32_t i = 0; i < 32; i++) {
		if (e->also >> i & 1)
			fprintf(out, "    and by %s: %s\n", omission_rules[i].id,
				omission_rules[i].why);
	}
	if (*e->at.unit && rule->subject != SUBJECT_UNIT) {
		fputs("    in ", out);
		put_place(out, &e->at);
		put_units(out, e->nr_units);
		putc('\n', out);
	}
	if (e->clash) {
		put_proto(out, &e->clash->a);
		put_proto(out, &e->clash->b);
	}
	for (size_t i = 0; i < e->nr_definitions; i++)
		put_definition(out, &e->definitions[i]);
}

/* --- one name ------------------------------------------------------------------------ */

/* Returns how many types of @v are called @name; @where says what it is. */
static size_t put_types(FILE *out, const struct btf_view *v, const char *name, const char *where)
{
	size_t nr = 0;

	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (strcmp(btf_view_str(v, v->base, rec[BTF_REC_NAME]), name) != 0)
			continue;
		fprintf(out, "  in %s: %s [%" PRIu32 "]\n", where,
			btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]))->name, id);
		nr++;
	}
	return nr;
}

static struct err *put_made(FILE *out, const struct btf_input *base, const struct encoded *made,
			    const char *name, size_t *ret_nr)
{
	CLEANUP(btf_view_release) struct btf_view below = { 0 };
	CLEANUP(btf_view_release) struct btf_view btf = { 0 };
	CLEANUP(btf_view_release) struct btf_view vars = { 0 };
	const struct btf_view *over = base ? &base->view : NULL;

	*ret_nr = base ? put_types(out, &base->view, name, "the base") : 0;
	if (!made->btf)
		return NULL;
	if (made->base) {
		TRY(btf_view_open((struct bytes){ made->base, made->base_len }, NULL, &below));
		over = &below;
	}
	TRY(btf_view_open((struct bytes){ made->btf, made->btf_len }, over, &btf));
	*ret_nr += put_types(out, &btf, name, "the BTF");
	if (!made->vars)
		return NULL;
	TRY(btf_view_open((struct bytes){ made->vars, made->vars_len }, &btf, &vars));
	*ret_nr += put_types(out, &vars, name, "the BTF of variables");
	return NULL;
}

static struct err *explain_name(FILE *out, const char *name, const struct btf_input *base,
				const struct encoded *made, const struct report *found)
{
	size_t nr;

	fputs(": '", out);
	name_print(out, name);
	fputs("'\n", out);
	TRY(put_made(out, base, made, name, &nr));
	for (size_t i = 0; i < found->entries.nr; i++) {
		if (strcmp(found->entries.items[i].name, name) != 0)
			continue;
		put_entry(out, &found->entries.items[i]);
		nr++;
	}
	if (!nr)
		fputs("  nothing of this name is defined in the input\n", out);
	return NULL;
}

/* --- all of them --------------------------------------------------------------------- */

/* Of each rule. */
enum { NAMES_LISTED = 10 };

static void explain_rule(FILE *out, enum omission_rule rule, const struct report *found, bool all)
{
	const char *between = "   ";
	size_t nr = 0, listed = 0;

	for (size_t i = 0; i < found->entries.nr; i++)
		nr += found->entries.items[i].rule == rule;
	if (!nr)
		return;
	fprintf(out, "%7zu %s %s: %s\n", nr, results[omission_rules[rule].result],
		omission_rules[rule].id, omission_rules[rule].why);
	for (size_t i = 0; i < found->entries.nr; i++) {
		const struct report_entry *e = &found->entries.items[i];

		if (e->rule != rule)
			continue;
		if (listed++ == NAMES_LISTED && !all) {
			fprintf(out, ", and %zu more", nr - NAMES_LISTED);
			break;
		}
		fputs(between, out);
		putc(' ', out);
		name_print(out, *e->name ? e->name : "(anon)");
		if (omission_rules[rule].subject == SUBJECT_MEMBER) {
			putc('.', out);
			name_print(out, *e->part ? e->part : "(anon)");
		}
		between = ",";
	}
	putc('\n', out);
}

struct err *explain_print(FILE *out, const struct options *opt, const char *path,
			  const struct btf_input *base, const struct encoded *made,
			  const struct report *found)
{
	name_print(out, path);
	if (opt->explain_name)
		return explain_name(out, opt->explain_name, base, made, found);
	fputs(found->entries.nr ? ":\n" : ": nothing was left out\n", out);
	for (int rule = 0; rule < NR_OMISSION_RULES; rule++)
		explain_rule(out, (enum omission_rule)rule, found, opt->encode.verbose);
	return NULL;
}
