/* SPDX-License-Identifier: GPL-2.0-only */
/* report_json.c - see report_json.h */
#include "cmd/print/report_json.h"

#include "cmd/print/json_string.h"

#include <inttypes.h>

static const char *const subjects[] = {
	[SUBJECT_FUNC] = "func",     [SUBJECT_VAR] = "var",   [SUBJECT_TYPE] = "type",
	[SUBJECT_MEMBER] = "member", [SUBJECT_UNIT] = "unit", [SUBJECT_ID] = "btf_id",
};

static const char *const results[] = {
	[RESULT_LEFT_OUT] = "left_out",
	[RESULT_CHANGED] = "changed",
	[RESULT_LOST] = "lost",
	[RESULT_SEVERAL] = "several",
};

/* ,"KEY":"TEXT"; nothing for an empty one */
static void put_text(FILE *out, const char *key, const char *text)
{
	if (!*text)
		return;
	fprintf(out, ",\"%s\":", key);
	json_string(out, text);
}

static void put_place(FILE *out, const struct report_place *at)
{
	put_text(out, "unit", at->unit);
	if (!at->has_addr)
		return;
	put_text(out, "section", at->section);
	if (*at->section)
		fprintf(out, ",\"offset\":%" PRIu64, at->addr);
	else /* a number of JSON need not have 64 bits */
		fprintf(out, ",\"address\":\"0x%" PRIx64 "\"", at->addr);
}

static void put_units(FILE *out, uint32_t nr)
{
	if (nr > 1)
		fprintf(out, ",\"units\":%" PRIu32, nr);
}

static void put_number(FILE *out, const struct report_entry *e)
{
	static const char *const keys[] = {
		[NUMBER_BIT] = "bit", [NUMBER_BYTES] = "bytes", [NUMBER_COUNT] = "count"
	};
	enum omission_number number = omission_rules[e->rule].number;

	if (number < ARRAY_SIZE(keys) && keys[number])
		fprintf(out, ",\"%s\":%" PRIu64, keys[number], e->number);
}

static void put_also(FILE *out, uint32_t rules)
{
	const char *between = ",\"also\":[";

	if (!rules)
		return;
	for (uint32_t rule = 0; rule < 32; rule++) {
		if (!(rules >> rule & 1))
			continue;
		fprintf(out, "%s\"%s\"", between, omission_rules[rule].id);
		between = ",";
	}
	putc(']', out);
}

static void put_proto(FILE *out, const struct report_proto *p)
{
	fputs("{\"prototype\":", out);
	json_string(out, p->text);
	put_place(out, &p->at);
	putc('}', out);
}

static void put_clash(FILE *out, const struct report_clash *c)
{
	static const char *const parts[] = { [PROTO_NR_PARAMS] = "parameter count",
					     [PROTO_RETURN] = "result",
					     [PROTO_PARAM] = "parameter" };

	if (!c)
		return;
	fprintf(out, ",\"differs\":\"%s\"", parts[c->how->part]);
	if (c->how->part == PROTO_PARAM)
		fprintf(out, ",\"parameter\":%" PRIu32, c->how->param);
	fputs(",\"prototypes\":[", out);
	put_proto(out, &c->a);
	putc(',', out);
	put_proto(out, &c->b);
	putc(']', out);
}

/* What omission.part is, by what the rule is about. */
static const char *part_key(const struct omission_rule_def *rule)
{
	switch (rule->subject) {
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

static void put_definitions(FILE *out, const struct report_definition *d, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		fprintf(out, "%s{\"in\":\"%s\"", i ? "," : ",\"definitions\":[",
			d[i].in_base ? "base" : "btf");
		if (d[i].bytes)
			fprintf(out, ",\"bytes\":%" PRIu32, d[i].bytes);
		put_text(out, "unit", d[i].unit);
		put_units(out, d[i].nr_units);
		put_text(out, "difference", d[i].difference);
		putc('}', out);
	}
	if (nr)
		putc(']', out);
}

static void put_entry(FILE *out, const struct report_entry *e)
{
	const struct omission_rule_def *rule = &omission_rules[e->rule];

	fprintf(out, "{\"rule\":\"%s\",\"subject\":\"%s\",\"result\":\"%s\",\"name\":", rule->id,
		subjects[rule->subject], results[rule->result]);
	json_string(out, e->name);
	put_text(out, "keyword", e->keyword);
	put_text(out, part_key(rule), e->part);
	put_text(out, "kept_unit", e->other_unit);
	put_place(out, &e->at);
	put_units(out, e->nr_units);
	put_number(out, e);
	put_also(out, e->also);
	put_clash(out, e->clash);
	put_definitions(out, e->definitions, e->nr_definitions);
	fputs("}\n", out);
}

static void put_first_line(FILE *out, const struct report_frame *f)
{
	fprintf(out,
		"{\"schema\":\"btfenc-report\",\"version\":%d,\"tool\":\"btfenc %s\",\"inputs\":[",
		REPORT_VERSION, BTFENC_VERSION);
	for (size_t i = 0; i < f->inputs->nr; i++) {
		if (i)
			putc(',', out);
		json_string(out, f->inputs->items[i]);
	}
	putc(']', out);
	put_text(out, "base", f->base ? f->base : "");
	put_text(out, "output", f->output ? f->output : "");
	fputs("}\n", out);
}

void report_json(FILE *out, const struct report_frame *f, const struct report *r)
{
	size_t nr[NR_OMISSION_RESULTS] = { 0 }, kfuncs = 0;

	put_first_line(out, f);
	for (size_t i = 0; i < r->entries.nr; i++) {
		const struct report_entry *e = &r->entries.items[i];

		put_entry(out, e);
		nr[omission_rules[e->rule].result]++;
		kfuncs += e->rule == RULE_KFUNC_LOST;
	}
	fputs("{\"end\":true", out);
	for (size_t i = 0; i < NR_OMISSION_RESULTS; i++)
		fprintf(out, ",\"%s\":%zu", results[i], nr[i]);
	fprintf(out, ",\"kfuncs_lost\":%zu}\n", kfuncs);
}

void report_json_failed(FILE *out, const struct report_frame *f, const char *error)
{
	put_first_line(out, f);
	fputs("{\"end\":true,\"error\":", out);
	json_string(out, error);
	fputs("}\n", out);
}
