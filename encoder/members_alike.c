/* SPDX-License-Identifier: GPL-2.0-only */
/* members_alike.c - see members_alike.h */
#include "encoder/members_alike.h"

#include "base/cleanup.h"
#include "encoder/features.h"
#include "encoder/member/member_note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members that have something in common. */
struct deviation {
	size_t nr, first;  /* @first: number of its unit */
	uint32_t features; /* those of all */
};

static void deviate(struct deviation *d, size_t unit, uint32_t features)
{
	if (!d->nr++)
		d->first = unit;
	d->features |= features;
}

/* What to check: the members of one file. */
struct check {
	const struct assembly *a;
	const struct input *in;
	size_t end; /* one past the number of its last unit */
	struct diagnostics *diags;
};

/* @i counts the units of all files. */
static const struct unit_btf *unit_btf_at(const struct check *c, size_t i)
{
	return &c->a->units.items[i].btf;
}

/* Neither left out nor empty. */
static bool has_types(const struct unit_btf *f)
{
	return f->types.nr;
}

static void PRINTF_LIKE(3, 4)
	report(const struct check *c, const struct deviation *d, const char *fmt, ...)
{
	const struct unit_btf *f = unit_btf_at(c, d->first);
	CLEANUP(mem_free_text) char *what = NULL, *others = NULL;
	va_list ap;

	if (!d->nr)
		return;
	va_start(ap, fmt);
	if (vasprintf(&what, fmt, ap) < 0)
		mem_die();
	va_end(ap);
	if (d->nr > 1)
		others = mem_printf(" and %zu other%s", d->nr - 1, d->nr > 2 ? "s" : "");
	const char *name = f->name ? str_pool_text(&c->a->strings, f->name) :
				     c->in->members.items[d->first - c->in->first_unit].where;
	const char *quote = f->name ? "'" : "";
	diag_add(c->diags, DIAG_WARNING, "'%s': %s: member %s%s%s%s", c->in->path, what, quote,
		 name, quote, others ? others : "");
}

static void check_makers(const struct check *c)
{
	size_t gcc = 0, others = 0;

	for (size_t i = c->in->first_unit; i < c->end; i++) {
		const struct unit_btf *f = unit_btf_at(c, i);

		if (f->producer == PRODUCER_GCC)
			gcc++;
		else if (has_types(f))
			others++;
	}
	if (gcc && others)
		diag_add(
			c->diags, DIAG_WARNING,
			"'%s': %zu members are made by gcc and %zu are not: many types will not merge",
			c->in->path, gcc, others);
}

/* The units with a function whose prototype depends on true_signature, by number. */
static bool *find_changed(const struct assembly *a)
{
	bool *changed = mem_zalloc(a->units.nr, sizeof(*changed));

	for (size_t i = 0; i < a->funcs.funcs.nr; i++) {
		const struct unit_func *f = &a->funcs.funcs.items[i];

		changed[f->unit] |= (f->flags & UNIT_FUNC_CHANGED) != 0;
	}
	return changed;
}

static void check_features(const struct check *c, const bool *changed)
{
	struct deviation lacking = { 0 }, beyond = { 0 };
	uint32_t asked = c->a->opts->features;

	if (asked & FEATURE_VARS_APART)
		asked |= FEATURE_GLOBAL_VAR;
	for (size_t i = c->in->first_unit; i < c->end; i++) {
		const struct unit_btf *f = unit_btf_at(c, i);
		uint32_t made = f->features, mask = MEMBER_FEATURES;

		if (!f->have_note)
			continue;
		/* variables of all sections are those of per-CPU sections, too */
		if (made & FEATURE_GLOBAL_VAR)
			made |= FEATURE_VAR;
		if (!changed[i])
			mask &= ~(uint32_t)FEATURE_TRUE_SIGNATURE;
		if (asked & ~made & mask)
			deviate(&lacking, i, asked & ~made & mask);
		/* variables that are not asked for are left where they are */
		mask &= ~(uint32_t)MEMBER_FEATURES_OF_VARS;
		if (made & ~asked & mask)
			deviate(&beyond, i, made & ~asked & mask);
	}

	CLEANUP(mem_free_text) char *without = features_names_of(lacking.features);
	CLEANUP(mem_free_text) char *with = features_names_of(beyond.features);
	report(c, &lacking, "encoded without --btf_features=%s, so BTF and DWARF may differ",
	       without);
	report(c, &beyond, "encoded with --btf_features=%s, so BTF and DWARF may differ", with);
}

/* Options that choose units ignore a member that does not tell its unit. */
static void check_selection(const struct check *c)
{
	struct deviation unknown = { 0 };
	const struct encode_opts *o = c->a->opts;

	for (size_t i = c->in->first_unit; i < c->end; i++) {
		if (has_types(unit_btf_at(c, i)) && !unit_btf_at(c, i)->have_lang)
			deviate(&unknown, i, 0);
	}
	if (o->nr_langs)
		report(c, &unknown, "of unknown language, so --lang and --lang_exclude ignore it");
	if (o->nr_exclude_units)
		report(c, &unknown, "of unknown source, so -X ignores it");
}

/* Then there is nothing to write, and the section stays what it is. */
static void check_rest(const struct check *c)
{
	size_t i = c->in->first_unit;

	while (i < c->end && !has_types(unit_btf_at(c, i)))
		i++;
	if (i == c->end && c->in->members.nr > 1)
		diag_add(c->diags, DIAG_WARNING,
			 "'%s': all %zu members are left out: .BTF is not written", c->in->path,
			 c->in->members.nr);
}

static void check_prefix(const struct check *c)
{
	const char *asked = c->a->opts->kabi_prefix;
	struct deviation other = { 0 };

	for (size_t i = c->in->first_unit; i < c->end; i++) {
		const struct unit_btf *f = unit_btf_at(c, i);

		if (f->kabi &&
		    (!asked || strcmp(asked, str_pool_text(&c->a->strings, f->kabi)) != 0))
			deviate(&other, i, 0);
	}
	if (other.nr)
		report(c, &other, "encoded with --kabi_prefix=%s, so names may be cut",
		       str_pool_text(&c->a->strings, unit_btf_at(c, other.first)->kabi));
}

/* The linker plugin of gcc copies .BTF, but neither code nor data. */
static void check_lto(const struct check *c)
{
	struct deviation lto = { 0 };

	for (size_t i = c->in->first_unit; i < c->end; i++) {
		if (unit_btf_at(c, i)->recompiled)
			deviate(&lto, i, 0);
	}
	report(c, &lto,
	       "compiled with -flto, so the linker may have changed functions and variables");
}

/* In a linked file only: without one, there is no DWARF to compare with, and no variable. */
static void check_notes(const struct check *c)
{
	struct deviation without = { 0 };

	if (!c->in->opened || c->in->members.nr < 2)
		return;
	for (size_t i = c->in->first_unit; i < c->end; i++) {
		if (has_types(unit_btf_at(c, i)) && !unit_btf_at(c, i)->have_note)
			deviate(&without, i, 0);
	}
	report(c, &without,
	       "without a btfenc note, so functions may be inconsistent and static variables missing");
}

void members_alike_check(const struct assembly *a, const struct sources *s, bool in_place,
			 struct diagnostics *diags)
{
	bool *changed = NULL;

	for (size_t i = 0; i < s->nr_inputs; i++) {
		const struct input *in = &s->inputs[i];
		const struct check c = { a, in, in->first_unit + input_nr_units(in), diags };

		if (!in->from_btf)
			continue;
		if (!changed)
			changed = find_changed(a);
		check_makers(&c);
		check_notes(&c);
		check_features(&c, changed);
		check_selection(&c);
		if (in_place)
			check_rest(&c);
		check_prefix(&c);
		check_lto(&c);
	}
	free(changed);
}
