/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check.c - everything that is wrong with bytes that should be BTF
 *
 * In the order of the kernel: header and sections, records as such, what each says of itself
 * and where its references lead (btf_verify.h). Then what the kernel does not ask:
 * definitions that are there twice.
 *
 * A record with a reference that leads nowhere has its finding and is not looked at any further;
 * for whatever refers to it, it is a type that nothing is known of. If a record cannot be read,
 * neither can those behind it, and references to them mean nothing; what stands before it is
 * checked record by record.
 */
#include "check/btf_check_internal.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "check/btf_verify.h"

#include <stdlib.h>

void btf_check_release(struct btf_check *c)
{
	btf_findings_release(&c->findings);
	btf_view_release(&c->view);
	*c = (struct btf_check){ 0 };
}

const char *btf_check_str(const struct btf_view *v, uint32_t off)
{
	while (v && off < v->str_base)
		v = v->base;
	if (!v || off - v->str_base >= v->strings.len)
		return NULL;
	return (const char *)v->strings.ptr + (off - v->str_base);
}

/* The record of @id, at @pos words, cannot be read. */
static void found_unreadable(struct btf_check *c, const struct check_frame *f, uint32_t id,
			     size_t pos, enum btf_rule_id rule, const char *function,
			     uint64_t value)
{
	vec_push(&c->findings, ((struct btf_finding){
				       .rule = rule,
				       .id = id,
				       .element = UINT32_MAX,
				       .function = function,
				       .offset = f->types_offset + pos * sizeof(uint32_t),
				       .value = value,
			       }));
}

static void load_words(const struct check_frame *f, struct btf_types *t)
{
	size_t nr = f->types.len / sizeof(uint32_t);

	vec_reserve(&t->words, nr);
	t->words.nr = nr;
	if (nr)
		memcpy(t->words.items, f->types.ptr, nr * sizeof(uint32_t));
	for (size_t i = 0; f->swap && i < nr; i++)
		t->words.items[i] = swap32(t->words.items[i], true);
}

/* How many words the record at @pos takes; 0, with a finding, if it cannot be read. */
static size_t measure_record(struct btf_check *c, const struct check_frame *f,
			     const struct btf_types *t, size_t pos)
{
	struct btf_view *v = &c->view;
	size_t left = t->words.nr - pos, words = 0;
	uint32_t kind = BTF_UNKN;

	if (left >= BTF_REC_WORDS) {
		const uint32_t *rec = t->words.items + pos;

		kind = btf_rec_kind(rec);
		words = btf_file_rec_words(rec, btf_view_layout(v));
		if (words && kind >= BTF_NR_KINDS && words <= left) {
			if (!v->nr_unknown++) {
				v->first_unknown = kind;
				found_unreadable(c, f, btf_types_end(t), pos, RULE_KIND,
						 btf_rule(RULE_KIND)->function, kind);
			}
		} else if (!words) {
			found_unreadable(c, f, btf_types_end(t), pos, RULE_KIND,
					 btf_rule(RULE_KIND)->function, kind);
			return 0;
		}
	}
	if (words && words <= left)
		return words;
	found_unreadable(c, f, btf_types_end(t), pos, RULE_RECORD_CUT,
			 btf_rule_function(kind, PHASE_META),
			 f->types.len - pos * sizeof(uint32_t));
	return 0;
}

/* Find where each record starts; false if one is damaged, and the rest cannot be found. */
static bool split_records(struct btf_check *c, const struct check_frame *f, struct btf_types *t)
{
	for (size_t pos = 0; pos * sizeof(uint32_t) < f->types.len;) {
		size_t words = measure_record(c, f, t, pos);

		if (!words)
			return false;
		vec_push(&t->start, (uint32_t)pos);
		pos += words;
	}
	return true;
}

/* The kernel looks at names of parameters later than at all others. */
static const char *function_of_name(uint32_t kind, size_t i)
{
	if (i == 0)
		return "btf_check_meta";
	return btf_rule_function(kind, kind == BTF_FUNC_PROTO ? PHASE_RESOLVE : PHASE_META);
}

/* Which element the @i-th reference of @rec belongs to. */
static uint32_t element_of_type(const uint32_t *rec, size_t i)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	size_t before = btf_kind_types_before(l);

	return i < before ? UINT32_MAX : (uint32_t)(i - before) / l->elem_types;
}

/* Does every reference of @id lead somewhere? @clean: let those that do not lead to void. */
static bool check_refs(struct btf_check *c, uint32_t id, bool cut, bool clean)
{
	uint32_t *rec = btf_types_rec(&c->view.types, id);
	uint32_t kind = btf_rec_kind(rec), end = btf_types_end(&c->view.types);
	bool ok = true;
	size_t i = 0;

	btf_rec_each_name(rec, name)
	{
		if (!btf_check_str(&c->view, *name)) {
			ok = false;
			if (clean)
				*name = 0;
			else
				btf_findings_add(&c->findings, id, i ? (uint32_t)i - 1 : UINT32_MAX,
						 RULE_STRING_OUTSIDE, function_of_name(kind, i),
						 *name);
		}
		i++;
	}
	i = 0;
	btf_rec_each_type(rec, type)
	{
		if (*type >= end) {
			ok &= cut;
			if (clean)
				*type = 0;
			else if (!cut)
				btf_findings_add(&c->findings, id, element_of_type(rec, i),
						 RULE_TYPE_MISSING,
						 btf_rule_function(kind, PHASE_RESOLVE), *type);
		}
		i++;
	}
	return ok;
}

static void verify_copy(struct btf_check *c, const struct btf_verify_opts *opts)
{
	struct btf_types original = c->view.types;
	struct btf_types *t = &c->view.types;

	/* the findings are about the file's records, and so is the view that the caller gets */
	t->words.items = mem_dup(original.words.items, original.words.nr * sizeof(uint32_t));
	for (uint32_t id = t->first; id < btf_types_end(t); id++)
		check_refs(c, id, opts->cut, true);
	btf_verify(&c->view, opts, &c->findings);
	free(t->words.items);
	*t = original;
}

/* @spoilt: own records that are not checked. Adds those with a bad reference. */
static void check_records(struct btf_check *c, const struct btf_check_opts *opts, bool cut,
			  bool *spoilt)
{
	const struct btf_types *t = &c->view.types;
	bool any = cut;

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		bool good = check_refs(c, id, cut, false);

		spoilt[id - t->first] |= !good;
		any |= !good;
	}

	const struct btf_verify_opts verify = {
		.version = opts->version,
		.addr_size = opts->addr_size,
		.cut = cut,
		.spoilt = spoilt,
	};

	c->sound = !any;
	if (any)
		verify_copy(c, &verify);
	else
		btf_verify(&c->view, &verify, &c->findings);
}

/* Then, over a base, everything is there twice; one message is enough. */
static bool looks_whole(const struct btf_view *v)
{
	return v->base && v->strings.len && !v->strings.ptr[0];
}

static bool is_of_other_base(struct btf_check *c)
{
	c->fit = base_fit_measure(&c->view);
	c->other_base = base_fit_is_wrong(&c->fit);
	return c->other_base;
}

static void check_types(struct btf_check *c, const struct btf_check_opts *opts, bool cut,
			bool *spoilt)
{
	check_records(c, opts, cut, spoilt);
	if (c->sound && !looks_whole(&c->view))
		check_twice(&c->view, opts->over_distilled, &c->findings);
	if (c->sound && opts->distilled)
		check_distilled(&c->view, &c->findings);
	btf_findings_sort(&c->findings);
}

void btf_check_run(struct bytes b, const struct btf_check_opts *options, struct btf_check *c)
{
	struct btf_check_opts own = *options, *opts = &own;
	const struct btf_view *base = opts->base;
	struct check_frame frame = { 0 };

	if (!opts->version)
		own.version = LINUX_DEFAULT;
	/* a .BTF.base in a file of its own */
	own.over_distilled |= base && check_is_distilled(base);
	if (!check_frame(c, b, opts, &frame))
		return;

	c->readable = true;
	c->view = (struct btf_view){
		.base = base,
		.strings = frame.strings,
		.layout = frame.layout,
		.str_base = base ? base->str_base + (uint32_t)base->strings.len : 0,
		.size = b.len,
		.swapped = frame.swap,
	};
	btf_types_init(&c->view.types, base ? &base->types : NULL);
	load_words(&frame, &c->view.types);
	c->cut = !split_records(c, &frame, &c->view.types);
	CLEANUP(mem_free) bool *spoilt = mem_zalloc(c->view.types.start.nr, sizeof(*spoilt));
	/* the first unknown kind has its finding; the others, and references to them, follow from it */
	btf_view_hide_unknown(&c->view, spoilt);
	if (!(base && !c->cut && is_of_other_base(c)))
		check_types(c, opts, c->cut, spoilt);
}
