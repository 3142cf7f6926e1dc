/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_diff.c - do two BTFs, or two trees of files, describe the same types?
 *
 * Files of trees are compared one pair after the other, so memory is that of the largest pair. Thousands of modules
 * have one base, and lead to most of its types: of the base, each pair is compared only by the names. The same is done
 * if options select differences, because differences of the base do not count then.
 */
#include "base/cleanup.h"
#include "btf/compare/btf_brief.h"
#include "cmd/jobs/diff_choice.h"
#include "cmd/jobs/file_tree.h"
#include "cmd/jobs/jobs.h"
#include "cmd/print/outputs.h"
#include "cmd/print/print_line.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_stack.h"

#include <string.h>

struct diffing {
	const struct options *opt;
	struct diagnostics *diags;
	struct btf_input base, first_base;
	const struct btf_view *below_a, *below_b; /* NULL: none */
	struct diff_choice choice;
	bool trees;
	bool begun;    /* the first lines are printed */
	bool compared; /* the files were, or are in the totals as failed */
	struct text out;
	struct diff_totals totals;
};

static void diffing_release(struct diffing *s)
{
	diff_choice_release(&s->choice);
	btf_input_release(&s->base);
	btf_input_release(&s->first_base);
	text_release(&s->out);
}

static struct err *open_bases(struct diffing *s)
{
	if (s->opt->base) {
		TRY(btf_input_open(s->opt->base, s->diags, &s->base));
		s->below_a = s->below_b = &s->base.view;
	}
	if (s->opt->first_base) {
		TRY(btf_input_open(s->opt->first_base, s->diags, &s->first_base));
		s->below_a = &s->first_base.view;
	}
	return NULL;
}

/* Before the first difference. @kinds: of two files, unless only some differences are chosen. */
static void begin(struct diffing *s, const struct btf_kind_count *kinds)
{
	const char *const names[2] = { s->opt->files.items[0], s->opt->files.items[1] };

	if (s->begun || s->opt->json)
		return;
	s->begun = true;
	diff_print_names(&s->out, names);
	if (kinds && s->choice.all) {
		diff_print_kinds(&s->out, kinds);
		text_char(&s->out, '\n');
	}
}

/* @name: of the files in both trees, or NULL. */
static void print_comparison(struct diffing *s, const struct btf_comparison *c, const char *name)
{
	if (s->opt->json) {
		if (s->choice.all && !s->trees)
			json_diff_kinds(&s->out, c->kinds);
		json_diff(&s->out, c, name);
	} else if (!c->equal && !s->opt->quiet) {
		begin(s, name ? NULL : c->kinds);
		if (name)
			put_colored_line(&s->out, COLOR_HEAD, "== ", name);
		diff_print(&s->out, c);
	}
}

/* One of two files, and the types that are compared. */
struct diffed {
	const struct file_ref *file; /* NULL: there is none, and no type */
	struct btf_stack stack;
	struct btf_brief brief;
	struct btf_side side;
};

static void diffed_release(struct diffed *f)
{
	btf_brief_release(&f->brief);
	btf_stack_release(&f->stack);
}

static struct err *open_file(const struct diffing *s, const struct btf_view *base, struct diffed *f)
{
	if (f->file) {
		TRY(btf_stack_open(f->file, base, s->diags, &f->stack));
		f->side = (struct btf_side){ f->stack.top, f->stack.first };
	}
	if (f->file && !s->choice.brief)
		return NULL;
	btf_brief_make(&f->side, &f->brief);
	f->side = (struct btf_side){ &f->brief.view, f->brief.first };
	return NULL;
}

static void count_files(struct diff_totals *t, const struct diffed *a, const struct diffed *b,
			bool equal)
{
	t->found |= !equal;
	if (a->file && b->file)
		*(equal ? &t->equal : &t->differ) += 1;
	else
		*(a->file ? &t->only_a : &t->only_b) += 1;
}

/* One of the files may be NULL. @name: of the files in trees; NULL: these are the only files. */
static struct err *compare_files(struct diffing *s, const struct file_ref *first,
				 const struct file_ref *second, const char *name)
{
	CLEANUP(diffed_release) struct diffed a = { .file = first };
	CLEANUP(diffed_release) struct diffed b = { .file = second };
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };

	TRY(open_file(s, s->below_a, &a));
	TRY(open_file(s, s->below_b, &b));
	TRY(btf_compare(&a.side, &b.side, !s->opt->quiet || !s->choice.all, &c));
	diff_choice_apply(&s->choice, &c);
	diff_totals_add(&s->totals, &c);
	count_files(&s->totals, &a, &b, c.equal);
	print_comparison(s, &c, name);
	s->compared = true;
	if (first && second && c.equal && s->choice.all)
		diag_add(s->diags, DIAG_OUTPUT, "'%s' and '%s': the same %u types", first->name,
			 second->name, btf_types_end(&a.side.view->types) - a.side.first);
	return text_flush(&s->out, false);
}

/* --- trees ------------------------------------------------------------------------------- */

/* Name and count a file that one tree has. It is a difference, unless only types of both sides are compared. */
static void print_alone(struct diffing *s, const struct tree_file *f, bool second)
{
	CLEANUP(mem_free_text) char *prefix = mem_printf("only in %c: ", second ? 'B' : 'A');

	*(second ? &s->totals.only_b : &s->totals.only_a) += 1;
	if (s->opt->diff_what == DIFF_CHANGED || (s->opt->diff_what == DIFF_CORE && second))
		return;
	s->totals.found = true;
	if (s->opt->json) {
		json_diff_file(&s->out, f->name, second);
	} else if (!s->opt->quiet) {
		begin(s, NULL);
		put_colored_line(&s->out, second ? COLOR_NEW : COLOR_GONE, prefix, f->name);
	}
}

/* The files of one name; NULL: a tree has none. If types are selected, only these count in a file that one tree has. */
static struct err *compare_named(struct diffing *s, const struct tree_file *a,
				 const struct tree_file *b)
{
	const struct tree_file *either = a ? a : b;

	if (!either)
		return NULL;
	if ((a && b) || s->choice.selects)
		return compare_files(s, a ? &a->file : NULL, b ? &b->file : NULL, either->name);
	print_alone(s, either, !a);
	return NULL;
}

/* Files that were not compared, and why. */
struct not_compared {
	struct err *last; /* the error; those before it are printed */
	size_t of_another_base; /* if another base is given than all files were made over, one error is enough */
};

static void keep_error(struct diffing *s, struct err *e, struct not_compared *ret)
{
	if (!e)
		return;
	s->totals.failed++;
	if (err_kind(e) == ERR_BASE && ret->of_another_base++) {
		diag_add(s->diags, DIAG_VERBOSE, "%s", err_text(e));
		err_free(e);
		return;
	}
	diag_keep_last(s->diags, &ret->last, e);
}

static struct err *errors_end(struct diffing *s, struct not_compared *n)
{
	if (n->of_another_base > 1)
		diag_keep_last(
			s->diags, &n->last,
			err_new(ERR_BASE,
				"%zu files were made over another base than '--btf_base': give the vmlinux whose BTF they were made over",
				n->of_another_base));
	return n->last;
}

static void print_totals(struct diffing *s)
{
	if (s->opt->json || s->opt->quiet || (!s->begun && !s->totals.failed))
		return;
	begin(s, NULL);
	if (s->choice.all)
		diff_print_kinds(&s->out, s->totals.kinds);
	diff_print_totals(&s->out, &s->totals);
}

/* A pair that cannot be compared is an error, and the others are compared. */
static struct err *compare_trees(struct diffing *s, const struct file_tree *a,
				 const struct file_tree *b)
{
	struct not_compared failed = { 0 };

	for (size_t i = 0, k = 0; i < a->nr || k < b->nr;) {
		int order = i == a->nr ? 1 :
			    k == b->nr ? -1 :
					 strcmp(a->items[i].name, b->items[k].name);

		keep_error(s,
			   compare_named(s, order <= 0 ? &a->items[i] : NULL,
					 order >= 0 ? &b->items[k] : NULL),
			   &failed);
		i += order <= 0;
		k += order >= 0;
	}
	s->compared = true;
	print_totals(s);
	return errors_end(s, &failed);
}

static struct err *read_and_compare_trees(struct diffing *s)
{
	CLEANUP(file_tree_release) struct file_tree a = { 0 };
	CLEANUP(file_tree_release) struct file_tree b = { 0 };
	const char *const *args = s->opt->files.items;

	for (size_t i = 0; i < 2; i++) {
		if (!file_tree_is(args[i]))
			return err_new(ERR_FORMAT,
				       "'%s' is a file, and '%s' a directory or a list of files",
				       args[i], args[!i]);
	}
	TRY(file_tree_read(args[0], &a));
	TRY(file_tree_read(args[1], &b));
	return compare_trees(s, &a, &b);
}

static void print_end(struct diffing *s)
{
	if (s->choice.all && s->trees)
		json_diff_kinds(&s->out, s->totals.kinds);
	json_diff_end(&s->out, &s->totals, s->trees);
}

struct err *job_diff(const struct options *opt, struct diagnostics *diags, bool *ret_found)
{
	CLEANUP(diffing_release) struct diffing s = {
		.opt = opt, .diags = diags, .out = { .out = stdout, .colored = opt->colored }
	};
	const char *const *names = opt->files.items;
	struct file_ref files[2] = { file_ref_of(names[0]), file_ref_of(names[1]) };
	struct err *e;

	s.trees = file_tree_is(names[0]) || file_tree_is(names[1]);
	TRY(open_bases(&s));
	TRY(diff_choice_open(opt, &s.choice));
	if (s.trees || !s.choice.all)
		diff_choice_ignore_bases(&s.choice,
					 (const struct btf_view *const[]){ s.below_a, s.below_b });
	if (opt->json)
		json_first(&s.out, "diff", opt, &(struct file_refs){ .items = files, .nr = 2 });
	e = s.trees ? read_and_compare_trees(&s) : compare_files(&s, &files[0], &files[1], NULL);
	if (s.compared && !s.totals.failed)
		diag_keep_last(diags, &e, diff_choice_missing(&s.choice, diags));
	if (s.compared && opt->json)
		print_end(&s);
	*ret_found = s.totals.found;
	/* differences are printed before other errors */
	if (!s.compared)
		s.out.nr = 0;
	diag_keep_last(diags, &e, text_flush(&s.out, true));
	return e;
}
