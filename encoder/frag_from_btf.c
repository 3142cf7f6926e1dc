/* SPDX-License-Identifier: GPL-2.0-only */
/* frag_from_btf.c - see frag_from_btf.h */
#include "encoder/frag_from_btf.h"

#include "base/cleanup.h"
#include "encoder/member_reader.h"

#include <sys/mman.h>
#include <unistd.h>

static struct err *make_frag(struct member_reader *r, uint32_t unit, struct frag *f)
{
	if (!r->have_note)
		member_list_funcs(r, &f->notes);
	TRY(member_take_apart(r, unit));
	r->frag->step = (uint32_t)r->strings.len;
	f->name = r->source ? member_string(r, r->source) : 0;
	member_add_types(r);
	TRY(member_add_funcs(r));
	return member_add_vars(r);
}

/*
 * The pools keep copies of what they need, so what has been read is given back: keep what is resident
 * the size of the output, not of the archive.
 */
static void give_back(const struct member *member)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)member->bytes.ptr;
	uintptr_t end = (start + member->bytes.len) / page * page;

	start = start / page * page; /* the member before is read, or will be read again */
	if (member->mapped && start < end)
		(void)madvise((void *)start, end - start, MADV_DONTNEED);
}

struct err *frag_from_btf(struct member_reader *r, const struct member *member, uint32_t unit,
			  struct frag *ret)
{
	CLEANUP(frag_release) struct frag f = { .unit = unit };

	f.notes.verbose = r->frag->run->opts->verbose;
	r->frag->frag = &f;
	TRY(member_open(r, member, unit, &f.notes));
	TRY(make_frag(r, unit, &f));
	f.maker = r->maker;
	give_back(member);
	member_forget(r);
	*ret = TAKE(f);
	return NULL;
}

struct err *exact_from_btf(struct member_reader *r, const struct member *member, uint32_t unit,
			   struct exact_unit *ret)
{
	CLEANUP(exact_unit_release) struct exact_unit e = { 0 };
	CLEANUP(notes_release) struct notes notes = { 0 }; /* all of them said before */

	TRY(member_open(r, member, unit, &notes));
	if (!r->have_note)
		member_list_funcs(r, &notes);
	TRY(member_take_apart(r, unit));
	vec_push(&e.start, 0);
	vec_push(&e.words, 0); /* so that no record starts at 0 */
	for (size_t t = 1; t < r->recs.nr; t++) {
		vec_push(&e.start, r->recs.items[t] ? (uint32_t)e.words.nr : 0);
		if (r->recs.items[t])
			exact_unit_add(&e, r->recs.items[t]);
	}
	member_add_exact_protos(r, &e);
	member_forget(r);
	*ret = TAKE(e);
	return NULL;
}
