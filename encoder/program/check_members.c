/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_members.c - report archives that may give another BTF than DWARF gives
 *
 * Combining cannot undo the encoding of an object: a float that became an int, a tag that is
 * missing, a name that --kabi_prefix has cut. Nor can it apply an option that depends on a fact
 * that the member lacks. These are warnings, because the BTF is valid, and because most programs
 * have nothing that they concern: the kernel's build excludes Rust in any case. A warning names the
 * first member and counts the others; the report has each (the rules archive_...), and --fatal makes them errors.
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
	size_t *items; /* the numbers of their units */
	size_t nr, cap;
	uint32_t features; /* of all of them */
};

struct deviations {
	struct deviation no_facts, not_linked, lacking, beyond, level, no_lang, no_name,
		other_prefix, lto, unknown, no_sites, damaged, gcc;
	size_t others, with_types;
};

static void deviations_release(struct deviations *d)
{
	FREE_ALL(d->no_facts.items, d->not_linked.items, d->lacking.items, d->beyond.items,
		 d->level.items, d->no_lang.items, d->no_name.items, d->other_prefix.items,
		 d->lto.items, d->unknown.items, d->no_sites.items, d->damaged.items, d->gcc.items);
}

static void deviate(struct deviation *d, size_t unit, uint32_t features)
{
	vec_push(d, unit);
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
			deviate(&d->gcc, i, 0);
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
		if (f->origin.damaged)
			deviate(&d->damaged, i, 0);
		if (f->origin.unknown_kind)
			deviate(&d->unknown, i, 0);
		if (has_types && encode_wants_sites(p->opts) && lacks_sites(&f->origin))
			deviate(&d->no_sites, i, 0);
	}
}

/* The name of the source of unit @i, or else the place of the member. */
static const char *member_name(const struct program *p, const struct input *in, size_t i)
{
	uint32_t name = p->units.items[i].btf.name;

	return name ? str_pool_text(&p->strings, name) :
		      in->members.items[i - in->first_unit].where;
}

/* Members of one name, and several reasons of one rule, are one entry. */
static void report(struct program *p, const struct input *in, enum omission_rule rule,
		   const struct deviation *d)
{
	const struct omission_log log = program_log(p, p->diags);

	for (size_t i = 0; log.list && i < d->nr; i++) {
		const char *name = member_name(p, in, d->items[i]);
		uint32_t id = str_pool_add_copy(&p->strings, name, strlen(name));
		struct omissions one = omissions_like(log.list);

		vec_push(&one, ((struct omission){ rule, .name = id, .nr_units = 1,
						   .unit_number = (uint32_t)d->items[i] }));
		omissions_merge(log.list, &one);
	}
}

static void PRINTF_LIKE(5, 6)
	warn(struct program *p, const struct input *in, enum omission_rule rule,
	     const struct deviation *d, const char *fmt, ...)
{
	CLEANUP(mem_free_text) char *others = NULL;
	CLEANUP(text_release) struct text what = { 0 };
	va_list ap;

	if (!d->nr)
		return;
	report(p, in, rule, d);
	va_start(ap, fmt);
	text_vprintf(&what, fmt, ap);
	va_end(ap);
	if (d->nr > 1)
		others = mem_printf(" and %zu other%s", d->nr - 1, d->nr > 2 ? "s" : "");

	const char *name = member_name(p, in, d->items[0]);
	if (p->units.items[d->items[0]].btf.name)
		diag_add(p->diags, DIAG_WARNING, "'%s': member '%s'%s: %.*s", in->path, name,
			 others ? others : "", (int)what.nr, what.items);
	else
		diag_add(p->diags, DIAG_WARNING, "%s%s: %.*s", name, others ? others : "",
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

/* A run of the link with other options than those of the objects. */
static void check_options(struct program *p, const struct input *in, const struct deviations *d)
{
	CLEANUP(mem_free_text) char *without = features_names_of(d->lacking.features);
	CLEANUP(mem_free_text) char *with = features_names_of(d->beyond.features);
	const enum omission_rule rule = OMIT_ARCHIVE_OTHER_OPTIONS;

	warn(p, in, rule, &d->lacking,
	     "encoded without --btf_features=%s, so BTF and DWARF may differ; encode objects with the options of this run",
	     without);
	warn(p, in, rule, &d->beyond,
	     "encoded with --btf_features=%s, so BTF and DWARF may differ; encode objects with the options of this run",
	     with);
	if (d->level.nr)
		warn(p, in, rule, &d->level,
		     "encoded with --compat=%s, so BTF and DWARF may differ; encode objects with the options of this run",
		     compat_stored_name(p->units.items[d->level.items[0]].btf.origin.head.level));
	if (d->other_prefix.nr)
		warn(p, in, rule, &d->other_prefix,
		     "encoded with --kabi_prefix=%s, so names may be cut",
		     str_pool_text(&p->strings,
				   p->units.items[d->other_prefix.items[0]].btf.origin.head.kabi));
}

/* Members that lack something that options of this run, or the selection of functions, depend on. */
static void check_facts(struct program *p, const struct input *in, const struct deviations *d)
{
	const enum omission_rule rule = OMIT_ARCHIVE_NO_FACTS;

	/* Without a linked file there is neither DWARF to compare with nor any variable. */
	if (in->opened && in->members.nr > 1)
		warn(p, in, rule, &d->no_facts,
		     "without .debug.btf, so functions may be inconsistent and static variables missing");
	if (in->opened)
		warn(p, in, rule, &d->not_linked,
		     "without addresses for .debug.btf, so functions may be inconsistent and static variables missing");
	warn(p, in, rule, &d->no_sites,
	     "without the sites of inlined functions, so the BTF lacks them; encode objects with --btf_features=inline and keep .debug.btf");
	if (p->opts->nr_langs)
		warn(p, in, rule, &d->no_lang,
		     "of unknown language, so --lang and --lang_exclude ignore it");
	if (p->opts->nr_exclude_units)
		warn(p, in, rule, &d->no_name, "of unknown source, so -X ignores it");
}

static void check_input(struct program *p, const struct input *in)
{
	CLEANUP(deviations_release) struct deviations d = { 0 };

	find_deviations(p, in, &d);
	/* a worker has printed a warning for each */
	report(p, in, OMIT_ARCHIVE_DAMAGED, &d.damaged);
	if (d.gcc.nr && d.others) {
		report(p, in, OMIT_ARCHIVE_MIXED, &d.gcc);
		diag_add(
			p->diags, DIAG_WARNING,
			"'%s': members with BTF of gcc: %zu, of other compilers: %zu; many types cannot be merged",
			in->path, d.gcc.nr, d.others);
	}
	if (d.unknown.nr)
		warn(p, in, OMIT_ARCHIVE_DAMAGED, &d.unknown,
		     "skipped types of kinds that btfenc does not know, the first of kind %u; references to them became void",
		     p->units.items[d.unknown.items[0]].btf.origin.unknown_kind);
	warn_no_sections(p, in);
	check_facts(p, in, &d);
	check_options(p, in, &d);
	/* then there is nothing to write, and the section stays as it is */
	if (p->request->in_place && !d.with_types && in->members.nr > 1)
		diag_add(p->diags, DIAG_WARNING,
			 "'%s': all %zu members are left out: .BTF is not written", in->path,
			 in->members.nr);
	/* the linker plugin of gcc copies .BTF, but neither code nor data */
	warn(p, in, OMIT_ARCHIVE_LTO, &d.lto,
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
