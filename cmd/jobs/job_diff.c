/* SPDX-License-Identifier: GPL-2.0-only */
/* job_diff.c - do two BTFs say the same? */
#include "base/cleanup.h"
#include "cmd/jobs/jobs.h"
#include "cmd/print/outputs.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_stack.h"

struct err *job_diff(const struct options *opt, struct diagnostics *diags, bool *ret_found)
{
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(btf_input_release) struct btf_input first_base = { 0 };
	CLEANUP(btf_stack_release) struct btf_stack a = { 0 };
	CLEANUP(btf_stack_release) struct btf_stack b = { 0 };
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };
	CLEANUP(text_release) struct text out = { .out = stdout };
	const char *const names[2] = { opt->files.items[0], opt->files.items[1] };
	struct file_ref files[2] = { file_ref_of(names[0]), file_ref_of(names[1]) };
	const struct btf_view *below_a = NULL, *below_b = NULL;

	if (opt->base) {
		TRY(btf_input_open(opt->base, diags, &base));
		below_a = below_b = &base.view;
	}
	if (opt->first_base) {
		TRY(btf_input_open(opt->first_base, diags, &first_base));
		below_a = &first_base.view;
	}
	TRY(btf_stack_open(&files[0], below_a, diags, &a));
	TRY(btf_stack_open(&files[1], below_b, diags, &b));
	TRY(btf_compare(&(struct btf_side){ a.top, a.first }, &(struct btf_side){ b.top, b.first },
			!opt->quiet, &c));
	*ret_found = !c.equal;
	if (opt->json) {
		json_first(&out, "diff", opt, &(struct file_refs){ .items = files, .nr = 2 });
		json_diff(&out, &c);
	} else if (!c.equal && !opt->quiet) {
		diff_print(&out, &c, names);
	}
	if (c.equal)
		diag_add(diags, DIAG_OUTPUT, "'%s' and '%s': the same %u types", names[0], names[1],
			 btf_types_end(&a.top->types) - a.first);
	return text_flush(&out, true);
}
