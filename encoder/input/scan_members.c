/* SPDX-License-Identifier: GPL-2.0-only */
/* scan_members.c - collect what must be known of all members before the first is read */
#include "encoder/input/input.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "encoder/unit/unit_btf.h"

#include <stdlib.h>

struct scan {
	struct input *in;
	struct name_ids *names; /* NULL: they are not wanted */
	struct btf_view *views; /* by worker */
	struct pages_kept kept;
};

/* The names and the view of one member, from a thread. */
struct found {
	VEC(const char *) funcs; /* the names of its functions; they are in the member */
	struct btf_view view;    /* of a member of gcc; else zero */
};

static void drop_found(void *ctx UNUSED, void *made)
{
	struct found *f = made;

	free(f->funcs.items);
	btf_view_release(&f->view);
	free(f);
}

static void find_funcs(const struct btf_view *v, struct found *f)
{
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		/* references are checked when the member is read */
		if (btf_rec_kind(rec) == BTF_FUNC && rec[BTF_REC_NAME] < v->strings.len)
			vec_push(&f->funcs, btf_view_str(v, NULL, rec[BTF_REC_NAME]));
	}
}

static uint32_t same_number(void *ctx UNUSED, uint32_t number)
{
	return number;
}

static bool all_wanted(void *ctx UNUSED, uint32_t name UNUSED, bool second_form UNUSED)
{
	return true;
}

/* BTF in a block has no functions, but its facts have. Damage is reported when the member is read. */
static void find_funcs_of_block(const struct btf_view *v, const struct facts_block *b,
				struct found *f)
{
	static const struct facts_ids ids = { .string = same_number,
					      .type = same_number,
					      .wanted = all_wanted };
	CLEANUP(unit_facts_release) struct unit_facts facts = { 0 };
	struct facts_start start;
	struct err *e = facts_block_check(b, v->strings.len, btf_types_end(&v->types), &start);

	if (!e)
		facts_block_read(b, &ids, &facts);
	err_free(e);
	for (size_t i = 0; i < facts.funcs.nr; i++) {
		uint32_t name = facts.funcs.items[i].name;

		if (facts.funcs.items[i].has_addr)
			vec_push(&f->funcs,
				 name < v->strings.len ?
					 btf_view_str(v, NULL, name) :
					 (const char *)b->strings.ptr + (name - v->strings.len));
	}
}

static struct err *scan_member(void *ctx, unsigned int worker, size_t i, void **ret)
{
	const struct scan *s = ctx;
	const struct member *m = &s->in->members.items[i];
	struct btf_view *v = &s->views[worker];

	if (!m->maybe_gcc && !s->names)
		return NULL;
	TRY(err_at(btf_view_load(m->bytes, v), "%s", m->where));

	bool by_gcc = m->maybe_gcc && producer_of(v) == PRODUCER_GCC;
	if (by_gcc)
		TRY(err_at(btf_view_check_refs(m->bytes, v), "%s", m->where));

	struct found *f = mem_zalloc(1, sizeof(*f));
	if (s->names && m->block.btf.len && m->block.body.len)
		find_funcs_of_block(v, &m->block, f);
	else if (s->names)
		find_funcs(v, f);
	if (by_gcc)
		f->view = TAKE(*v);
	*ret = f;
	return NULL;
}

/* The pages of members are given back, so the names are copied. */
static struct err *add_found(void *ctx, size_t i, void *made)
{
	struct scan *s = ctx;
	struct found *f = made;

	if (!f)
		return NULL;
	for (size_t k = 0; k < f->funcs.nr; k++) {
		const char *name = f->funcs.items[k];

		if (!name_ids_find(s->names, name))
			(void)name_ids_add(s->names,
					   arena_strndup(&s->in->names, name, strlen(name)));
	}
	if (f->view.types.start.nr)
		gcc_tags_add(&s->in->gcc_tags, &f->view);
	input_give_back(s->in, &s->kept, i);
	drop_found(s, f);
	return NULL;
}

struct err *input_scan_members(struct input *in, const struct encode_opts *opts,
			       struct name_ids *names)
{
	static const struct ordered_ops ops = { scan_member, add_found, drop_found };
	unsigned int jobs = in->from_btf ? encode_jobs(opts, input_size(in)) : 0;
	struct scan s = { .in = in, .names = names };

	unsigned int workers = ordered_workers(jobs);

	s.views = mem_zalloc(workers, sizeof(s.views[0]));
	struct err *err = ordered_run(in->members.nr, jobs, &ops, &s);
	if (in->from_btf)
		input_give_back_rest(in, &s.kept);
	for (unsigned int i = 0; i < workers; i++)
		btf_view_release(&s.views[i]);
	free(s.views);
	return err;
}
