/* SPDX-License-Identifier: GPL-2.0-only */
/* look_json.c - see look_json.h */
#include "cmd/print/look_json.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "btf/compare/diff_text.h"
#include "cmd/print/json_string.h"
#include "cmd/print/stats_print.h"

#include <inttypes.h>

/* A change of what a line means is another version; new keys are not. */
enum { LOOK_VERSION = 1 };

/* ,"KEY":"TEXT" */
static void put_text(const char *key, const char *text)
{
	printf(",\"%s\":", key);
	json_string(stdout, text);
}

static void put_number(const char *key, uint64_t number)
{
	printf(",\"%s\":%" PRIu64, key, number);
}

/* {"KEY":"TEXT" */
static void begin(const char *key, const char *text)
{
	printf("{\"%s\":", key);
	json_string(stdout, text);
}

void look_json_first(const char *schema, const struct options *opt, const char *const *files,
		     size_t nr)
{
	printf("{\"schema\":\"btfenc-%s\",\"version\":%d,\"tool\":\"btfenc %s\",\"inputs\":[",
	       schema, LOOK_VERSION, BTFENC_VERSION);
	for (size_t i = 0; i < nr; i++) {
		if (i)
			putchar(',');
		json_string(stdout, files[i]);
	}
	putchar(']');
	if (opt->base)
		put_text("base", opt->base);
	if (opt->first_base && opt->action == ACTION_DIFF)
		put_text("first_base", opt->first_base);
	if (opt->action == ACTION_CHECK)
		printf(",\"linux\":\"%" PRIu32 ".%" PRIu32 "\"", opt->check_for >> 16,
		       opt->check_for & 0xffff);
	puts("}");
}

/* --- --btf_check --------------------------------------------------------------------------- */

/* The name at @off, unless there is none or it is empty. */
static void put_name(const char *key, const struct btf_view *v, uint32_t off)
{
	const char *name = btf_check_str(v, off);

	if (name && *name)
		put_text(key, name);
}

static void put_element(const struct btf_view *v, const uint32_t *rec, uint32_t i)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	const uint32_t *e = rec + BTF_REC_WORDS + (size_t)i * btf_kind_layout(kind)->elem;

	put_text("element", kind == BTF_STRUCT || kind == BTF_UNION ? "member" :
			    kind == BTF_FUNC_PROTO                  ? "parameter" :
			    kind == BTF_DATASEC                     ? "variable" :
								      "enumerator");
	put_number("index", i);
	if (kind != BTF_DATASEC)
		put_name("element_name", v, e[0]);
}

void look_json_finding(const char *path, const char *section, const struct btf_view *v,
		       const struct btf_finding *f)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);
	bool readable = v && f->id && f->id < btf_types_end(&v->types);

	begin("file", path);
	put_text("result", btf_rule(f->rule)->warning ? "warning" : "error");
	put_text("section", section);
	if (f->id)
		put_number("type", f->id);
	if (readable) {
		const uint32_t *rec = btf_types_rec(&v->types, f->id);

		put_text("kind", btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]))->name);
		put_name("name", v, rec[BTF_REC_NAME]);
		if (f->element != UINT32_MAX)
			put_element(v, rec, f->element);
	} else {
		put_number("offset", f->offset);
	}
	put_text("function", f->function);
	put_text("message", text);
	puts("}");
}

void look_json_other_base(const char *path, const char *message)
{
	begin("file", path);
	put_text("result", "error");
	put_text("message", message);
	puts("}");
}

void look_json_failure(const char *path, const char *message)
{
	begin("file", path);
	put_text("result", "failure");
	put_text("message", message);
	puts("}");
}

void look_json_check_end(const struct look_json_counts *c)
{
	printf("{\"end\":true,\"errors\":%zu,\"warnings\":%zu,\"failures\":%zu}\n", c->errors,
	       c->warnings, c->failed);
}

/* --- --btf_diff ---------------------------------------------------------------------------- */

/* A part of the text form. */
typedef void put_part(struct text *out, const struct btf_comparison *c,
		      const struct btf_difference *d);

static void put_part_text(const char *key, const struct btf_comparison *c,
			  const struct btf_difference *d, put_part *put)
{
	CLEANUP(text_release) struct text text = { 0 };

	put(&text, c, d);
	text_char(&text, '\0');
	put_text(key, text.items);
}

static void put_type(struct text *out, const struct btf_comparison *c,
		     const struct btf_difference *d)
{
	diff_text_type(out, &c->graph, d->a ? d->a : d->b, true);
}

static void put_change(struct text *out, const struct btf_comparison *c,
		       const struct btf_difference *d)
{
	diff_text_what(out, &c->graph, d, &diff_words_changed);
}

static void put_difference(const struct btf_comparison *c, const struct btf_difference *d)
{
	if (d->sort == DIFFERENCE_NUMBER) {
		begin("difference", d->a && d->b ? "copies" : d->a ? "only_a" : "only_b");
		put_part_text("type", c, d, put_type);
	} else {
		begin("difference", d->nr_a || d->nr_b ? "changed" : "changed_in_base");
		put_part_text("at", c, d, diff_text_path);
		put_part_text("change", c, d, put_change);
	}
	put_number("copies_a", d->nr_a);
	put_number("copies_b", d->nr_b);
	puts("}");
}

void look_json_diff(const struct btf_comparison *c)
{
	for (uint32_t kind = 1; kind < BTF_NR_KINDS; kind++) {
		const struct btf_kind_count *k = &c->kinds[kind];

		if (!k->nr_a && !k->nr_b)
			continue;
		begin("kind", btf_kind_layout(kind)->name);
		put_number("a", k->nr_a);
		put_number("b", k->nr_b);
		put_number("only_a", k->only_a);
		put_number("only_b", k->only_b);
		put_number("changed", k->changed);
		puts("}");
	}
	for (size_t i = 0; i < c->differences.nr; i++)
		put_difference(c, &c->differences.items[i]);
	printf("{\"end\":true,\"equal\":%s,\"differences\":%zu,\"through_a\":%" PRIu32
	       ",\"through_b\":%" PRIu32 "}\n",
	       c->equal ? "true" : "false", c->differences.nr, c->through_a, c->through_b);
}

/* --- --btf_stats --------------------------------------------------------------------------- */

/* "types":N,"bytes":N,"string_bytes":N */
static void put_bytes(const struct btf_bytes *b)
{
	printf("\"types\":%" PRIu32 ",\"bytes\":%" PRIu64 ",\"string_bytes\":%" PRIu64, b->nr,
	       b->records, b->strings);
}

static void put_sum(const char *key, const struct btf_bytes *b)
{
	printf(",\"%s\":{", key);
	put_bytes(b);
	putchar('}');
}

static size_t listed(size_t nr, bool all)
{
	return all || nr < STATS_LISTED ? nr : STATS_LISTED;
}

static void put_consumers(const char *key, const struct btf_stats *s,
			  const struct btf_consumer *items, size_t nr)
{
	printf(",\"%s\":[", key);
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(mem_free_text) char *text = diff_type_text(&s->graph, items[i].id, true);

		printf("%s{", i ? "," : "");
		put_bytes(&items[i].bytes);
		put_text("type", text);
		putchar('}');
	}
	putchar(']');
}

static void put_prefixes(const struct btf_stats *s, size_t nr)
{
	fputs(",\"prefixes\":[", stdout);
	for (size_t i = 0; i < nr; i++) {
		const struct btf_prefix *p = &s->prefixes.items[i];
		CLEANUP(mem_free_text) char *text = mem_printf("%.*s", (int)p->len, p->name);

		printf("%s{", i ? "," : "");
		put_bytes(&p->bytes);
		put_text("prefix", text);
		putchar('}');
	}
	putchar(']');
}

void look_json_stats(const char *path, const char *section, const struct btf_view *v,
		     const struct btf_stats *s, bool all)
{
	size_t types = v->types.words.nr * sizeof(uint32_t);
	const char *between = "";

	begin("file", path);
	put_text("section", section);
	put_number("bytes", v->size);
	put_number("header_bytes", v->size - types - v->strings.len);
	put_number("type_bytes", types);
	put_number("string_bytes", v->strings.len);
	fputs(",\"kinds\":{", stdout);
	for (uint32_t kind = 1; kind < BTF_NR_KINDS; kind++) {
		if (!s->kinds[kind].nr)
			continue;
		printf("%s\"%s\":{", between, btf_kind_layout(kind)->name);
		put_bytes(&s->kinds[kind]);
		putchar('}');
		between = ",";
	}
	putchar('}');
	put_sum("total", &s->sum);
	put_number("unused_string_bytes", s->unused);
	put_number("repeated_string_bytes", s->repeated);
	put_sum("copies", &s->copies);
	put_sum("copies_of_base", &s->copies_of_base);
	put_consumers("largest", s, s->consumers.items, listed(s->consumers.nr, all));
	put_prefixes(s, listed(s->prefixes.nr, all));
	put_consumers("copied", s, s->copied.items, listed(s->copied.nr, all));
	puts("}");
}

void look_json_stats_end(void)
{
	puts("{\"end\":true}");
}
