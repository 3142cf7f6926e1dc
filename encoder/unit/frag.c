/* SPDX-License-Identifier: GPL-2.0-only */
/* frag.c - see frag.h */
#include "encoder/unit/frag.h"

#include <stdlib.h>

void frag_release(struct frag *f)
{
	if (f->types.cap)
		free(f->types.items);
	free(f->funcs.items);
	free(f->func_tags.items);
	free(f->var_tags.items);
	free(f->vars.items);
	free(f->homes.items);
	free(f->crowded.items);
	free(f->enums.items);
	notes_release(&f->notes);
	omissions_release(&f->omissions);
	*f = (struct frag){ 0 };
}

void exact_unit_release(struct exact_unit *e)
{
	free(e->words.items);
	free(e->start.items);
	free(e->protos.items);
	*e = (struct exact_unit){ 0 };
}

void exact_unit_add(struct exact_unit *e, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);

	vec_reserve(&e->words, nr);
	memcpy(e->words.items + e->words.nr, rec, nr * sizeof(*rec));
	e->words.nr += nr;
}
