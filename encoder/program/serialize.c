/* SPDX-License-Identifier: GPL-2.0-only */
/* serialize.c - lay out the strings, and turn the result into the bytes of sections */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "btf/btf_serialize.h"
#include "check/result_check.h"
#include "dedup/base/base_cache.h"
#include "dedup/base/base_strings.h"
#include "dedup/base/distill.h"
#include "encoder/program/unit_blocks.h"

#include <stdlib.h>

/* A string that the base has is not added to the result. Most were looked up when names were resolved. */
static void find_in_base(struct program *p)
{
	CLEANUP(string_index_release) struct string_index wanted = { 0 };
	const struct btf_input *base = p->request->base;

	if (!base->cache && !str_pool_uses_new(&p->strings))
		return;
	if (!base->cache)
		base_strings_index(&base->view, &p->strings, &wanted);
	string_index_find(base->cache ? &base->cache->strings : &wanted, &p->strings);
}

struct err *lay_out_strings(struct program *p)
{
	size_t len, apart;

	if (p->request->base)
		find_in_base(p);
	TRY(str_pool_layout(&p->strings, program_str_base(p), &p->text, &len, &apart));
	p->text_len = apart;
	p->apart_names = program_str_base(p) + (uint32_t)apart;
	p->apart_len = len - apart;
	if (p->apart_len)
		p->apart_text = mem_dup(p->text + apart, p->apart_len);
	return NULL;
}

/* The kernel must accept @v, a BTF of a C program. An object's BTF is checked again when it is linked. */
static struct err *check_view(const struct program *p, const struct btf_view *v,
			      struct diagnostics *diags)
{
	const struct object *obj = &p->inputs[0].obj;

	if (p->opts->unchecked || !v->types.start.nr ||
	    (p->incomplete && p->opts->facts && obj->is_rel))
		return NULL;
	return result_check_rules(v, obj->addr_size, !p->incomplete, obj->path, diags);
}

static struct err *check_result(void *ctx, struct diagnostics *diags)
{
	const struct program *p = ctx;
	const struct btf_view result = result_view(p);

	return check_view(p, &result, diags);
}

/* The part of the base that the result refers to, and the result over that part. */
static struct err *distilled_images(const struct program *p, const struct btf_serialize_opts *opts,
				    struct encode_result *ret)
{
	const struct btf_view split = result_view(p);
	CLEANUP(distilled_release) struct distilled d = { 0 };

	TRY(err_at(distill(&split, &d), "'%s'", p->request->base->path));
	TRY(btf_serialize(&d.split, (struct bytes){ (uint8_t *)d.split_text, d.split_len }, opts,
			  &ret->btf, &ret->btf_len));
	return btf_serialize(&d.base, (struct bytes){ (uint8_t *)d.base_text, d.base_len }, opts,
			     &ret->base, &ret->base_len);
}

/* The bytes of @split, a split BTF over the result, whose strings end @moved bytes later than they did. */
static struct err *split_image(const struct program *p, struct btf_types *split, uint32_t moved,
			       struct btf_serialize_opts opts, struct diagnostics *diags,
			       uint8_t **ret_ptr, size_t *ret_len)
{
	const struct bytes own = { (const uint8_t *)p->apart_text, p->apart_len };
	const struct btf_view result = result_view(p);

	move_apart(p, split, moved);
	const struct btf_view view = {
		.types = *split,
		.strings = own,
		.str_base = p->apart_names + moved,
		.base = &result,
	};
	TRY(check_view(p, &view, diags));
	return btf_serialize(split, own, &opts, ret_ptr, ret_len);
}

/*
 * Serialize the result, with padding up to the required size, and the variables in a split BTF over
 * it, whose strings begin where those of the result end.
 */
static struct err *make_images(void *ctx, struct diagnostics *diags)
{
	struct program *p = ctx;
	struct encode_result *ret = &p->result;
	const struct bytes strings = { (const uint8_t *)p->text, p->text_len };
	struct btf_serialize_opts opts = {
		.swap = p->inputs[0].obj.swap,
		.long_header = compat_get(p->opts->compat)->long_header,
		.wide = encode_max_vlen(p->opts) == BTF_VLEN_MAX,
	};
	size_t len = p->text_len;

	if (!p->out.start.nr && !p->request->base)
		return NULL;
	/* without records there is nothing to distill */
	if (p->request->base && p->out.start.nr && feature_on(p->opts, FEATURE_DISTILLED_BASE)) {
		/* as in pahole, no layout table, and .BTF is split */
		TRY(distilled_images(p, &opts, ret));
	} else {
		opts.layout = feature_on(p->opts, FEATURE_LAYOUT);
		TRY(btf_serialize(&p->out, strings, &opts, &ret->btf, &ret->btf_len));
	}
	result_check_limits(&p->out, strings, program_str_base(p), p->inputs[0].obj.path, diags);
	if (ret->btf_len < p->request->image_size) {
		len += p->request->image_size - ret->btf_len;
		btf_serialize_pad(&ret->btf, &ret->btf_len, p->request->image_size);
	}
	const uint32_t moved = (uint32_t)(program_str_base(p) + len - p->apart_names);
	if (feature_on(p->opts, FEATURE_VARS_APART))
		TRY(split_image(p, &p->apart, moved, opts, diags, &ret->vars, &ret->vars_len));
	opts.wide = true;
	if (feature_on(p->opts, FEATURE_INLINE_APART))
		TRY(split_image(p, &p->inlined, moved, opts, diags, &ret->sites, &ret->sites_len));
	return NULL;
}

struct err *check_and_serialize(struct program *p)
{
	/* both only read the result */
	const struct task tasks[] = { { check_result, p }, { make_images, p } };

	return run_tasks(tasks, ARRAY_SIZE(tasks), program_jobs(p, p->out.start.nr), p->diags);
}

/* --- facts ------------------------------------------------------------------------------ */

static struct err *facts_of_units(struct program *p)
{
	struct unit_ids to = { .func_start = 1, .strings_len = p->text_len };
	CLEANUP(mem_free) uint32_t *ids = NULL;

	if (program_shares_types(p)) {
		struct program_unit *u = &p->units.items[0];

		to.ids = ids = mem_zalloc(u->btf.types.nr, sizeof(*ids));
		for (unit_tid t = 1; t < u->btf.types.nr; t++) {
			if (t != u->btf.index_tid)
				ids[t] = p->ids[u->ids ? u->ids[t] :
							 p->final[u->btf.types.items[t]]];
		}
		for (uint32_t id = 1; id < p->funcs_from; id++) {
			if (p->ids[id] >= to.func_start)
				to.func_start = p->ids[id] + 1;
		}
		if (program_makes_index(p, 0))
			to.index = p->ids[p->index];
	}
	return unit_blocks_make(p, &to, &p->result);
}

struct err *make_facts(struct program *p)
{
	const struct input *in = &p->inputs[0];

	if (!p->result.btf || !program_wants_facts(p))
		return NULL;
	return in->from_btf ?
		       unit_blocks_copy(p, in->facts_section, in->members.items, &p->result) :
		       facts_of_units(p);
}

struct err *explain_empty(struct program *p)
{
	const struct input *in = &p->inputs[0];

	if (p->result.btf || in->from_btf)
		return NULL;
	if (in->dwarf.missing_sup)
		return err_new(ERR_IO, "'%s': nothing can be read without '%s'", in->path,
			       in->dwarf.missing_sup);
	diag_add(p->diags, in->obj.is_rel ? DIAG_VERBOSE : DIAG_WARNING,
		 "'%s': its units have no types or are excluded: nothing to encode", in->path);
	return NULL;
}
