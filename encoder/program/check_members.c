/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_members.c - warn of archives that may give another BTF than DWARF gives
 *
 * Combining cannot undo the encoding of an object: a float that became an int, a tag that is
 * missing, a name that --kabi_prefix has cut. Nor can it apply an option that depends on a fact
 * that the member lacks. These are warnings, because the BTF is valid, and because most programs
 * have nothing that they concern: the kernel's build excludes Rust in any case. A warning names the
 * first member and counts the others.
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "encoder/unit/features.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members that have something in common. */
struct deviation {
	size_t nr, first;  /* @first: number of its unit */
	uint32_t features; /* of all of them */
};

struct deviations {
	struct deviation no_facts, not_linked, lacking, beyond, level, no_lang, no_name,
		other_prefix, lto, unknown, no_sites;
	size_t gcc, others, with_types;
};

static void deviate(struct deviation *d, size_t unit, uint32_t features)
{
	if (!d->nr++)
		d->first = unit;
	d->features |= features;
}

/*
 * Compare features and level of the member of unit @i with those of this run. Facts have both forms of true_signature. A run
 * that does not want sites ignores those of the facts.
 */
static void compare_features(const struct program *p, size_t i, struct deviations *d)
{
	const uint32_t mask = FACTS_FEATURES & ~(uint32_t)(FEATURE_TRUE_SIGNATURE | FEATURE_INLINE);
	uint32_t asked = p->opts->features & mask,
		 made = p->units.items[i].btf.origin.head.features & mask;

	if (asked & ~made)
		deviate(&d->lacking, i, asked & ~made);
	if (made & ~asked)
		deviate(&d->beyond, i, made & ~asked);
	if (p->units.items[i].btf.origin.head.level != compat_get(p->opts->compat)->stored)
		deviate(&d->level, i, 0);
}

static bool lacks_sites(const struct unit_origin *o)
{
	return o->source != SOURCE_LINKED || !(o->head.features & FEATURE_INLINE);
}

static void find_deviations(const struct program *p, const struct input *in, struct deviations *d)
{
	const char *prefix = p->opts->kabi_prefix;
	size_t end = in->first_unit + input_nr_units(in);

	for (size_t i = in->first_unit; i < end; i++) {
		const struct unit_btf *f = &p->units.items[i].btf;
		bool has_types = f->types.nr; /* it is neither excluded nor empty */

		d->with_types += has_types;
		if (f->origin.producer == PRODUCER_GCC)
			d->gcc++;
		else
			d->others += has_types;
		if (has_types && !origin_has_facts(&f->origin))
			deviate(&d->no_facts, i, 0);
		else if (has_types && f->origin.source != SOURCE_LINKED)
			deviate(&d->not_linked, i, 0);
		if (has_types && !f->origin.head.lang)
			deviate(&d->no_lang, i, 0);
		if (has_types && (!f->origin.head.lang || !f->name))
			deviate(&d->no_name, i, 0);
		if (origin_has_facts(&f->origin))
			compare_features(p, i, d);
		if (f->origin.head.kabi &&
		    (!prefix ||
		     strcmp(prefix, str_pool_text(&p->strings, f->origin.head.kabi)) != 0))
			deviate(&d->other_prefix, i, 0);
		if (f->origin.head.recompiled)
			deviate(&d->lto, i, 0);
		if (f->origin.unknown_kind)
			deviate(&d->unknown, i, 0);
		if (has_types && encode_wants_sites(p->opts) && lacks_sites(&f->origin))
			deviate(&d->no_sites, i, 0);
	}
}

static void PRINTF_LIKE(4, 5) warn(const struct program *p, const struct input *in,
				   const struct deviation *d, const char *fmt, ...)
{
	CLEANUP(mem_free_text) char *others = NULL;
	CLEANUP(text_release) struct text what = { 0 };
	va_list ap;

	if (!d->nr)
		return;
	va_start(ap, fmt);
	text_vprintf(&what, fmt, ap);
	va_end(ap);
	if (d->nr > 1)
		others = mem_printf(" and %zu other%s", d->nr - 1, d->nr > 2 ? "s" : "");

	uint32_t name = p->units.items[d->first].btf.name;
	if (name)
		diag_add(p->diags, DIAG_WARNING, "'%s': member '%s'%s: %.*s", in->path,
			 str_pool_text(&p->strings, name), others ? others : "", (int)what.nr,
			 what.items);
	else
		diag_add(p->diags, DIAG_WARNING, "%s%s: %.*s",
			 in->members.items[d->first - in->first_unit].where, others ? others : "",
			 (int)what.nr, what.items);
}

static size_t count_vars(const struct member *m)
{
	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	struct err *e = btf_view_load(m->bytes, &v);
	size_t nr = 0;

	/* it was read before */
	err_free(e);
	for (uint32_t id = 1; !e && id < btf_types_end(&v.types); id++)
		nr += btf_rec_kind(btf_types_rec(&v.types, id)) == BTF_VAR;
	return nr;
}

/* A variable is located by its section and by the symbol table, and a file of BTF alone has neither. */
static void warn_no_sections(const struct program *p, const struct input *in)
{
	const struct encode_opts *o = p->opts;
	size_t nr = !in->opened && in->members.nr == 1 &&
				    feature_on(o, FEATURE_VAR | FEATURE_GLOBAL_VAR) ?
			    count_vars(&in->members.items[0]) :
			    0;

	if (nr)
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': variables left out: %zu, because a file of BTF alone has no sections; '-F btf' or '-F dwarf' of the ELF file keeps them",
			in->path, nr);
}

static void check_input(const struct program *p, const struct input *in)
{
	const struct encode_opts *o = p->opts;
	struct deviations d = { 0 };

	find_deviations(p, in, &d);

	CLEANUP(mem_free_text) char *without = features_names_of(d.lacking.features);
	CLEANUP(mem_free_text) char *with = features_names_of(d.beyond.features);

	if (d.gcc && d.others)
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': members with BTF of gcc: %zu, of other compilers: %zu; many types cannot be merged",
			in->path, d.gcc, d.others);
	if (d.unknown.nr)
		warn(p, in, &d.unknown,
		     "skipped types of kinds that btfenc does not know, the first of kind %u; references to them became void",
		     p->units.items[d.unknown.first].btf.origin.unknown_kind);
	warn_no_sections(p, in);
	/* Without a linked file there is neither DWARF to compare with nor any variable. */
	if (in->opened && in->members.nr > 1)
		warn(p, in, &d.no_facts,
		     "without .debug.btf, so functions may be inconsistent and static variables missing");
	if (in->opened)
		warn(p, in, &d.not_linked,
		     "without addresses for .debug.btf, so functions may be inconsistent and static variables missing");
	warn(p, in, &d.lacking,
	     "encoded without --btf_features=%s, so BTF and DWARF may differ; encode objects with the options of this run",
	     without);
	warn(p, in, &d.beyond,
	     "encoded with --btf_features=%s, so BTF and DWARF may differ; encode objects with the options of this run",
	     with);
	warn(p, in, &d.no_sites,
	     "without the sites of inlined functions, so the BTF lacks them; encode objects with --btf_features=inline and keep .debug.btf");
	if (d.level.nr)
		warn(p, in, &d.level,
		     "encoded with --compat=%s, so BTF and DWARF may differ; encode objects with the options of this run",
		     compat_stored_name(p->units.items[d.level.first].btf.origin.head.level));
	if (o->nr_langs)
		warn(p, in, &d.no_lang,
		     "of unknown language, so --lang and --lang_exclude ignore it");
	if (o->nr_exclude_units)
		warn(p, in, &d.no_name, "of unknown source, so -X ignores it");
	/* then there is nothing to write, and the section stays as it is */
	if (p->request->in_place && !d.with_types && in->members.nr > 1)
		diag_add(p->diags, DIAG_WARNING,
			 "'%s': all %zu members are left out: .BTF is not written", in->path,
			 in->members.nr);
	if (d.other_prefix.nr)
		warn(p, in, &d.other_prefix, "encoded with --kabi_prefix=%s, so names may be cut",
		     str_pool_text(&p->strings,
				   p->units.items[d.other_prefix.first].btf.origin.head.kabi));
	/* the linker plugin of gcc copies .BTF, but neither code nor data */
	warn(p, in, &d.lto,
	     "compiled with -flto, so the linker may have changed functions and variables");
}

void check_members(struct program *p)
{
	/* some members were not read, because no more types are wanted */
	if (p->reached)
		return;
	for (size_t i = 0; i < p->nr_inputs; i++) {
		if (p->inputs[i].from_btf)
			check_input(p, &p->inputs[i]);
	}
}
