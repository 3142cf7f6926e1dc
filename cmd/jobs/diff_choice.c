/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_choice.c - see diff_choice.h */
#include "cmd/jobs/diff_choice.h"

#include "base/cleanup.h"

#include <string.h>

struct err *diff_choice_open(const struct options *opt, struct diff_choice *ret)
{
	const struct filter *f = &opt->show.filter;

	ret->opt = opt;
	if (opt->show_named)
		TRY(wanted_list_read(opt->show_named, WANTED_NAMES, &ret->names));
	ret->selects = opt->show_named || f->structs || f->unions || f->include || f->exclude;
	ret->all = !ret->selects && opt->diff_what == DIFF_ALL;
	return NULL;
}

void diff_choice_ignore_bases(struct diff_choice *ch, const struct btf_view *const bases[2])
{
	ch->brief = true;
	for (size_t i = 0; i < 2; i++) {
		if (bases[i])
			btf_defined_find(bases[i], &ch->bases[i]);
	}
}

void diff_choice_release(struct diff_choice *ch)
{
	btf_defined_release(&ch->bases[0]);
	btf_defined_release(&ch->bases[1]);
	wanted_list_release(&ch->names);
}

/* The name by which a type is selected; NULL if it has none. */
static const char *name_of(const struct type_graph *g, uint32_t n)
{
	const char *name = type_graph_name(g, n);

	return *name && btf_rec_space(type_graph_words(g, n)) != BTF_SPACE_NONE ? name : NULL;
}

/* Note that the names of -C exist. */
static void find_names(struct diff_choice *ch, const struct type_graph *g)
{
	for (uint32_t n = 1; n < g->nr; n++) {
		const char *name = name_of(g, n);
		bool kflag = btf_rec_kflag(type_graph_words(g, n));

		if (!name)
			continue;
		for (uint32_t i = name_list_first(&ch->names.index, name); i;
		     i = name_list_next(&ch->names.index, name, i)) {
			struct wanted *w = &ch->names.items[i - 1];

			w->found |= wanted_takes(w, type_graph_kind(g, n), kflag);
		}
	}
}

/* Do the options select the type @n? */
static bool is_selected(const struct diff_choice *ch, const struct type_graph *g, uint32_t n)
{
	const struct filter *f = &ch->opt->show.filter;
	const char *name = name_of(g, n);
	enum btf_space space;

	if (!ch->selects)
		return true;
	if (!name)
		return false;
	space = btf_rec_space(type_graph_words(g, n));
	return (!ch->names.nr || wanted_list_has(&ch->names, name, type_graph_kind(g, n),
						 btf_rec_kflag(type_graph_words(g, n)))) &&
	       (!f->include || starts_with(name, f->include)) &&
	       (!f->exclude || !starts_with(name, f->exclude)) &&
	       ((!f->structs && !f->unions) || (f->structs && space == BTF_SPACE_STRUCT) ||
		(f->unions && space == BTF_SPACE_UNION));
}

/* Keep the changes of @d that break programs. */
static void keep_breaks(const struct btf_core *core, struct btf_comparison *c,
			struct btf_difference *d)
{
	struct btf_change *changes = c->changes.items + d->change;
	size_t nr = 0;

	for (size_t i = 0; i < d->nr_changes; i++) {
		if (btf_core_change_breaks(core, d, &changes[i]))
			changes[nr++] = changes[i];
	}
	d->nr_changes = nr;
}

/* Is it a typedef that each side which has it repeats from its base? */
static bool is_of_bases(const struct diff_choice *ch, const struct type_graph *g,
			const struct btf_difference *d)
{
	uint32_t n = d->a ? d->a : d->b;

	return type_graph_kind(g, n) == BTF_TYPEDEF &&
	       (!d->a || btf_defined_has(&ch->bases[0], g, d->a)) &&
	       (!d->b || btf_defined_has(&ch->bases[1], g, d->b));
}

static bool is_chosen(const struct diff_choice *ch, const struct btf_core *core,
		      struct btf_comparison *c, struct btf_difference *d)
{
	if (!is_selected(ch, &c->graph, d->a ? d->a : d->b) || is_of_bases(ch, &c->graph, d))
		return false;
	/* it is in the base, or a pointer to what is only there */
	if (ch->brief && ((!d->nr_a && !d->nr_b) || !name_of(&c->graph, d->a ? d->a : d->b)))
		return false;
	if (ch->opt->diff_what == DIFF_ALL)
		return true;
	if (d->sort == DIFFERENCE_NUMBER)
		return ch->opt->diff_what == DIFF_CORE && btf_core_number_breaks(core, d);
	if (ch->opt->diff_what == DIFF_CORE)
		keep_breaks(core, c, d);
	return d->nr_changes != 0;
}

/* Count the causes that are left. The number of types that follow from them is not known. */
static void count_again(struct btf_comparison *c)
{
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++)
		c->kinds[kind].only_a = c->kinds[kind].only_b = c->kinds[kind].changed = 0;
	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];
		bool more_a = d->nr_a > d->nr_b;
		enum btf_kind kind = type_graph_kind(&c->graph, more_a || !d->b ? d->a : d->b);

		if (d->sort != DIFFERENCE_NUMBER)
			c->kinds[kind].changed += more_a ? d->nr_a : d->nr_b;
		else if (more_a)
			c->kinds[kind].only_a += d->nr_a - d->nr_b;
		else
			c->kinds[kind].only_b += d->nr_b - d->nr_a;
	}
	c->through_a = c->through_b = 0;
	c->equal = !c->differences.nr;
}

void diff_choice_apply(struct diff_choice *ch, struct btf_comparison *c)
{
	CLEANUP(btf_core_release) struct btf_core core = { 0 };
	size_t nr = 0;

	find_names(ch, &c->graph);
	if (c->equal || (ch->all && !ch->brief))
		return;
	if (ch->opt->diff_what == DIFF_CORE)
		btf_core_open(c, &ch->bases[1], &core);
	for (size_t i = 0; i < c->differences.nr; i++) {
		struct btf_difference *d = &c->differences.items[i];

		if (is_chosen(ch, &core, c, d))
			c->differences.items[nr++] = *d;
	}
	c->differences.nr = nr;
	count_again(c);
}

struct err *diff_choice_missing(const struct diff_choice *ch, struct diagnostics *diags)
{
	struct err *last = NULL;

	for (size_t i = 0; i < ch->names.nr && !ch->opt->skip_missing; i++) {
		const struct wanted *w = &ch->names.items[i];
		CLEANUP(mem_free_text) char *name = wanted_list_name(w);

		if (!w->found)
			diag_keep_last(diags, &last,
				       err_new(ERR_FORMAT,
					       "no file has a type, function or variable %s",
					       name));
	}
	return last;
}
