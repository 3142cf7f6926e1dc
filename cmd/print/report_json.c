/* SPDX-License-Identifier: GPL-2.0-only */
/* report_json.c - --btf_report, see outputs.h */
#include "base/cleanup.h"
#include "cmd/print/json.h"
#include "cmd/print/outputs.h"

#include <inttypes.h>

enum { REPORT_VERSION = 2 };

static const char *const subjects[] = {
	[SUBJECT_FUNC] = "func",       [SUBJECT_VAR] = "var",       [SUBJECT_SITE] = "site",
	[SUBJECT_TYPE] = "type",       [SUBJECT_MEMBER] = "member", [SUBJECT_UNIT] = "unit",
	[SUBJECT_ARCHIVE] = "archive", [SUBJECT_ID] = "btf_id",
};

static const char *const results[] = {
	[RESULT_LEFT_OUT] = "left_out",
	[RESULT_CHANGED] = "changed",
	[RESULT_LOST] = "lost",
	[RESULT_SEVERAL] = "several",
};

/* Nothing for an empty text. */
static void put_text(struct text *out, const char *key, const char *value)
{
	if (value && *value)
		json_text(out, key, value);
}

void report_json_location(struct text *out, const struct report_location *at)
{
	CLEANUP(mem_free_text) char *addr = mem_printf("0x%" PRIx64, at->addr);

	if (!at->known)
		return;
	put_text(out, "section", at->section);
	if (*at->section)
		json_number(out, "offset", at->addr);
	else /* a number of JSON need not have 64 bits */
		json_text(out, "address", addr);
}

static void put_location(struct text *out, const struct report *r, uint32_t unit, uint64_t addr)
{
	const struct report_location at = report_location(r, addr);

	put_text(out, "unit", report_text(r, unit));
	report_json_location(out, &at);
}

static void put_units(struct text *out, uint32_t nr)
{
	if (nr > 1)
		json_number(out, "units", nr);
}

static void put_number(struct text *out, const struct omission *o)
{
	static const char *const keys[] = {
		[NUMBER_BIT] = "bit", [NUMBER_BYTES] = "bytes", [NUMBER_COUNT] = "count"
	};
	enum omission_number number = omission_rules[o->rule].number;

	if (number < ARRAY_SIZE(keys) && keys[number])
		json_number(out, keys[number], o->number);
}

static void put_also(struct text *out, uint32_t rules)
{
	if (!rules)
		return;
	json_open(out, "also", '[');
	for (uint32_t rule = 0; rule < 32; rule++) {
		if (rules >> rule & 1)
			json_text(out, NULL, omission_rules[rule].id);
	}
	json_close(out, ']');
}

static void put_proto(struct text *out, const struct report *r, const struct omission_proto *p)
{
	json_open(out, NULL, '{');
	json_text(out, "prototype", report_text(r, p->text));
	put_location(out, r, p->unit, p->addr);
	json_close(out, '}');
}

static void put_clash(struct text *out, const struct report *r, const struct omission *o)
{
	static const char *const parts[] = { [PROTO_NR_PARAMS] = "parameter count",
					     [PROTO_RETURN] = "result",
					     [PROTO_PARAM] = "parameter" };

	if (!o->clash)
		return;

	const struct omission_clash *c = &r->omissions.clashes.items[o->clash - 1];
	json_text(out, "differs", parts[c->part]);
	if (c->part == PROTO_PARAM)
		json_number(out, "parameter", c->param);
	json_open(out, "prototypes", '[');
	put_proto(out, r, &c->a);
	put_proto(out, r, &c->b);
	json_close(out, ']');
}

/* The key for omission.part, which depends on the rule. */
static const char *part_key(enum omission_rule rule)
{
	if (rule == OMIT_VAR_IN_FUNCTION)
		return "function";
	switch (omission_rules[rule].subject) {
	case SUBJECT_FUNC:
		return "symbol";
	case SUBJECT_VAR:
		return "kept";
	case SUBJECT_TYPE:
		return "enumerator";
	default:
		return "member";
	}
}

static void put_definitions(struct text *out, const struct report *r, const struct omission *o)
{
	const struct omission_definition *d = r->omissions.definitions.items + o->definitions;

	if (!o->nr_definitions)
		return;
	json_open(out, "definitions", '[');
	for (size_t i = 0; i < o->nr_definitions; i++) {
		json_open(out, NULL, '{');
		json_text(out, "in", d[i].in_base ? "base" : "btf");
		if (d[i].bytes)
			json_number(out, "bytes", d[i].bytes);
		put_text(out, "unit", report_text(r, d[i].unit));
		put_units(out, d[i].nr_units);
		put_text(out, "difference", report_text(r, d[i].difference));
		json_close(out, '}');
	}
	json_close(out, ']');
}

/* @file: NULL if the report is about several files, and the BTF about the program that they are. */
static void put_omission(struct text *out, const char *file, const struct report *r,
			 const struct omission *o)
{
	const struct omission_rule_def *rule = &omission_rules[o->rule];

	json_open(out, NULL, '{');
	put_text(out, "file", file);
	json_text(out, "rule", rule->id);
	json_text(out, "subject", subjects[rule->subject]);
	json_text(out, "result", results[rule->result]);
	json_text(out, "name", report_text(r, o->name));
	put_text(out, "keyword", o->keyword);
	put_text(out, part_key(o->rule), report_text(r, o->part));
	put_text(out, "kept_unit", report_text(r, o->other_unit));
	put_location(out, r, o->unit, omission_addr(o));
	put_units(out, o->nr_units);
	put_number(out, o);
	put_also(out, o->also);
	put_clash(out, r, o);
	put_definitions(out, r, o);
	json_end_line(out);
}

void report_json_omission(struct text *out, const struct report *r, const struct omission *o)
{
	CLEANUP(text_release) struct text line = { 0 };

	put_omission(&line, NULL, r, o);
	/* without its end, "}\n" */
	line.nr -= 2;
	put_text(&line, "prototype", report_text(r, o->proto));
	json_close(&line, '}');
	text_str(out, out->nr ? "," : "");
	text_mem(out, line.items, line.nr);
}

static void put_first_line(struct text *out, const struct report_frame *f)
{
	json_begin_first_line(out, "report", REPORT_VERSION, f->inputs);
	put_text(out, "base", f->base);
	put_text(out, "output", f->output);
	json_end_line(out);
}

/* The numbers of @c, in the last line of a report and of several. */
static void put_counts(struct text *out, const struct report_counts *c)
{
	uint64_t nr[NR_OMISSION_RESULTS] = { 0 };

	for (int i = 0; i < NR_OMISSION_RULES; i++)
		nr[omission_rules[i].result] += c->nr[i];
	for (size_t i = 0; i < NR_OMISSION_RESULTS; i++)
		json_number(out, results[i], nr[i]);
	json_number(out, "listed", c->nr_listed);
	json_open(out, "rules", '{');
	for (int i = 0; i < NR_OMISSION_RULES; i++) {
		if (c->nr[i])
			json_number(out, omission_rules[i].id, c->nr[i]);
	}
	json_close(out, '}');
	json_number(out, "kfuncs_lost", c->nr[OMIT_KFUNC_LOST]);
}

void report_json(struct text *out, const struct report_frame *f, const struct report *r)
{
	const char *file = f->inputs->nr == 1 ? f->inputs->items[0].name : NULL;
	struct report_counts counts = { 0 };

	put_first_line(out, f);
	for (size_t i = 0; i < r->omissions.nr; i++) {
		const struct omission *o = &r->omissions.items[i];

		if (f->rules & omission_rule_bit(o->rule))
			put_omission(out, file, r, o);
	}
	report_count(r, f->rules, &counts);
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
	put_counts(out, &counts);
	put_text(out, "error", f->error);
	json_end_line(out);
}

void report_json_failed(struct text *out, const struct report_frame *f, const char *error)
{
	put_first_line(out, f);
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
	json_text(out, "error", error);
	json_end_line(out);
}

void report_json_total(struct text *out, const struct report_counts *c)
{
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
	json_number(out, "files", c->nr_files);
	json_number(out, "failures", c->nr_failed);
	put_counts(out, c);
	json_end_line(out);
}
