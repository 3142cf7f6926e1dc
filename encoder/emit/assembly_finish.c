/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly_finish.c - turn the contributions of all units into the bytes of BTF
 *
 * Records are appended in pahole's order, because the ids of the result depend on it
 * (docs/spec/encoding.md 1.2): for each unit its types, the index type if it is in this unit, its
 * tags and variables (finish_types.c, finish_vars.c); then the functions by name (finish_funcs.c);
 * then the sections. Deduplication gets a list that is hardly longer than its result.
 */
#include "encoder/emit/finish.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "btf/btf_serialize.h"
#include "check/result_check.h"
#include "dedup/base/base_cache.h"
#include "dedup/base/distill.h"
#include "dedup/dedup.h"
#include "encoder/emit/unit_blocks.h"
#include "encoder/unit/compat.h"

#include <stdlib.h>

static void finish_release(struct finish *f)
{
	btf_types_release(&f->out);
	FREE_ALL(f->placed.items, f->parts.items, f->final, f->proto.items);
	var_select_release(&f->vars);
	free(f->ids);
	btf_types_release(&f->apart);
	FREE_ALL(f->text, f->apart_text, f->section_names);
}

/* Do the facts of the only unit refer to the types of the result? */
static bool shares_types(const struct assembly *a)
{
	return a->units.nr == 1 && a->units.items[0].facts && !a->units.items[0].own_types;
}

static bool wants_ids(const struct assembly *a)
{
	return shares_types(a) || a->omissions || feature_on(a->opts, FEATURE_VARS_APART);
}

/* In a debug build deduplication runs in any case, and an assert checks nothing_to_merge(). */
#ifdef NDEBUG
static const bool always_dedup = false;
#else
static const bool always_dedup = true;
#endif

/*
 * Deduplication finds nothing in a single unit all of whose names have one meaning: the type pool
 * has each of its types once. This is so for nearly every object of a kernel. Tags of functions and
 * variables are not in the pool and may be there twice.
 */
static bool nothing_to_merge(const struct assembly *a)
{
	const struct assembly_unit *u = a->units.items;

	return a->units.nr == 1 && !a->base && !u->needs_exact && !u->btf.irregular &&
	       !u->btf.multiply_defined.nr && !u->btf.func_tags.nr && !u->btf.var_tags.nr &&
	       !(a->files.items[0].kfuncs && a->files.items[0].kfuncs->nr);
}

static struct err *dedup_all(struct finish *f, bool nothing)
{
	uint32_t end = btf_types_end(&f->out);

	if (wants_ids(f->a))
		f->ids = mem_alloc(end * sizeof(f->ids[0]));
	if (nothing && !always_dedup) {
		for (uint32_t id = 0; f->ids && id < end; id++)
			f->ids[id] = id;
		return NULL;
	}
	const struct dedup_opts opts = {
		.ids = f->ids,
		.base_typedefs = feature_on(f->a->opts, FEATURE_BASE_TYPEDEFS),
		.base = f->a->base && f->a->base->cache ? &f->a->base->cache->types : NULL,
	};

	struct err *e = dedup_run(&f->out, &opts);
	assert(e || !nothing || btf_types_end(&f->out) == end);
	return e;
}

/* A string that the base has is not added to the result. */
static void find_in_base(struct assembly *a)
{
	const struct btf_input *base = a->base;

	if (base->cache) {
		string_index_find(&base->cache->strings, &a->strings);
		return;
	}
	if (base->has_base)
		str_pool_find_in_base(&a->strings, (const char *)base->base_view.strings.ptr,
				      base->base_view.strings.len, 0);
	str_pool_find_in_base(&a->strings, (const char *)base->view.strings.ptr,
			      base->view.strings.len, base->view.str_base);
}

/* The part of the base that the result refers to, and the result over that part. */
static struct err *distilled_images(const struct finish *f, const struct btf_serialize_opts *opts,
				    struct encoded *ret)
{
	const struct btf_view split = finish_view(f);
	CLEANUP(distilled_release) struct distilled d = { 0 };

	TRY(err_at(distill(&split, &d), "'%s'", f->a->base->path));
	TRY(btf_serialize(&d.split, (struct bytes){ (uint8_t *)d.split_text, d.split_len }, opts,
			  &ret->btf, &ret->btf_len));
	return btf_serialize(&d.base, (struct bytes){ (uint8_t *)d.base_text, d.base_len }, opts,
			     &ret->base, &ret->base_len);
}

/*
 * Serialize the result, with padding up to the required size, and the variables in a split BTF over
 * it, whose strings begin where those of the result end.
 */
static struct err *make_images(struct finish *f, struct diagnostics *diags, struct encoded *ret)
{
	CLEANUP(encoded_release) struct encoded made = { 0 };
	const struct bytes strings = { (const uint8_t *)f->text, f->text_len };
	const struct assembly *a = f->a;
	struct btf_serialize_opts opts = {
		.swap = a->files.items[0].obj->swap,
		.long_header = compat_get(a->opts->compat)->long_header,
		.wide = encode_max_vlen(a->opts) == BTF_VLEN_MAX,
	};
	size_t len = f->text_len;

	if (!f->out.start.nr && !a->base)
		return NULL;
	/* without records there is nothing to distill */
	if (a->base && f->out.start.nr && feature_on(a->opts, FEATURE_DISTILLED_BASE)) {
		/* as in pahole, no layout table, and .BTF is split */
		TRY(distilled_images(f, &opts, &made));
	} else {
		opts.layout = feature_on(a->opts, FEATURE_LAYOUT);
		TRY(btf_serialize(&f->out, strings, &opts, &made.btf, &made.btf_len));
	}
	result_check_limits(&f->out, strings, finish_str_base(a), a->files.items[0].obj->path,
			    diags);
	if (made.btf_len < a->image_size) {
		len += a->image_size - made.btf_len;
		btf_serialize_pad(&made.btf, &made.btf_len, a->image_size);
	}
	if (feature_on(a->opts, FEATURE_VARS_APART)) {
		const struct bytes own = { (const uint8_t *)f->apart_text, f->apart_len };

		finish_apart_move(f, (uint32_t)(finish_str_base(a) + len - f->apart_names));
		TRY(btf_serialize(&f->apart, own, &opts, &made.vars, &made.vars_len));
	}
	*ret = TAKE(made);
	return NULL;
}

static struct err *make_facts(struct finish *f, struct encoded *ret)
{
	struct assembly *a = f->a;
	struct unit_ids to = { .func_start = 1, .strings_len = f->text_len };
	CLEANUP(mem_free) uint32_t *ids = NULL;

	if (shares_types(a)) {
		struct assembly_unit *u = &a->units.items[0];

		to.ids = ids = mem_zalloc(u->btf.types.nr + 1, sizeof(*ids));
		for (unit_tid t = 1; t < u->btf.types.nr; t++) {
			if (t != u->btf.index_place)
				ids[t] = f->ids[u->ids ? u->ids[t] :
							 f->final[u->btf.types.items[t]]];
		}
		for (uint32_t id = 1; id < f->funcs_from; id++) {
			if (f->ids[id] >= to.func_start)
				to.func_start = f->ids[id] + 1;
		}
		if (finish_makes_index(a, 0))
			to.index = f->ids[f->index];
	}
	return ret->btf ? unit_blocks_make(a, &to, ret) : NULL;
}

static struct err *lay_out_strings(struct finish *f)
{
	struct assembly *a = f->a;
	size_t len, apart;

	if (a->base)
		find_in_base(a);
	TRY(str_pool_layout(&a->strings, finish_str_base(a), &f->text, &len, &apart));
	f->text_len = apart;
	f->apart_names = finish_str_base(a) + (uint32_t)apart;
	f->apart_len = len - apart;
	if (f->apart_len)
		f->apart_text = mem_dup(f->text + apart, f->apart_len);
	return NULL;
}

/* The kernel must accept the BTF of a C program. An object's BTF is checked again when it is linked. */
static struct err *check_result(const struct finish *f, struct diagnostics *diags)
{
	const struct assembly *a = f->a;
	const struct object *obj = a->files.items[0].obj;
	const struct btf_view result = finish_view(f);

	if (!f->out.start.nr || (a->incomplete && a->opts->facts && obj->is_rel))
		return NULL;
	return result_check_rules(&result, obj->addr_size, !a->incomplete, obj->path, diags);
}

/* The two tasks that only read the result. */
struct last_tasks {
	struct finish *f;
	struct encoded *ret;
};

static struct err *check(void *ctx, struct diagnostics *diags)
{
	const struct last_tasks *l = ctx;

	return l->f->a->opts->unchecked ? NULL : check_result(l->f, diags);
}

static struct err *make(void *ctx, struct diagnostics *diags)
{
	const struct last_tasks *l = ctx;

	return make_images(l->f, diags, l->ret);
}

static struct err *check_and_make(struct finish *f, struct diagnostics *diags, struct encoded *ret)
{
	struct last_tasks l = { f, ret };
	const struct task tasks[] = { { check, &l }, { make, &l } };

	return run_tasks(tasks, ARRAY_SIZE(tasks), assembly_jobs(f->a, f->out.start.nr), diags);
}

/*
 * All records are appended, so free what they were made from before deduplication allocates memory.
 * Reports and facts ask for it later.
 */
static void drop_inputs(struct finish *f)
{
	struct assembly *a = f->a;

	if (wants_ids(a) || (a->opts->facts && a->files.items[0].obj->is_rel))
		return;
	for (size_t i = 0; i < a->units.nr; i++)
		assembly_unit_release(&a->units.items[i]);
	a->units.nr = 0;
	resolved_names_release(&a->resolved);
	type_pool_release(&a->types);
	FREE_ALL(f->placed.items, f->final);
	f->placed.items = NULL;
	f->final = NULL;
}

struct err *assembly_finish(struct assembly *a, struct diagnostics *diags, struct encoded *ret)
{
	CLEANUP(finish_release) struct finish f = {
		.a = a,
		.end_unit = a->as_one ? (uint32_t)(STR_PLACE_END >> 32) : (uint32_t)a->units.nr,
		.kfunc_tag = str_pool_add(&a->strings, KFUNC_TAG, strlen(KFUNC_TAG)),
		.fastcall_tag = str_pool_add(&a->strings, KFUNC_FASTCALL_TAG,
					     strlen(KFUNC_FASTCALL_TAG)),
		.arena_tag = str_pool_add(&a->strings, "address_space(1)", 16),
		.int_name = str_pool_add(&a->strings, "int", 3),
	};
	const struct omission_log log = assembly_log(a, diags);

	*ret = (struct encoded){ 0 };
	if (a->omissions)
		finish_decide_omissions(&f, a->omissions);
	assembly_unpack_lists(a);

	/* Select the variables, number the records and lay out their strings. */
	btf_types_init(&f.out, a->base ? &a->base->view.types : NULL);
	finish_choose_vars(&f, &log);
	TRY(finish_number(&f));
	finish_use_func_strings(&f);
	finish_name_sections(&f);
	TRY(lay_out_strings(&f));
	/* From here on each record has an id and each string an offset. */

	/* Append all records, then deduplicate them. */
	TRY(finish_units(&f));
	f.funcs_from = btf_types_end(&f.out);
	TRY(finish_funcs(&f));
	TRY(finish_sections(&f));
	bool nothing = nothing_to_merge(a) && !f.lengths;
	drop_inputs(&f);
	TRY(dedup_all(&f, nothing));
	/* From here on f.out is the result, and f.ids maps the ids before deduplication to it. */

	unresolved_ids_report(&f, &log);
	if (a->omissions)
		TRY(definitions_report(&f, &log));
	if (feature_on(a->opts, FEATURE_VARS_APART))
		TRY(finish_apart(&f));
	struct err *e = check_and_make(&f, diags, ret);
	if (!e)
		e = make_facts(&f, ret);
	if (e)
		encoded_release(ret);
	return e;
}
