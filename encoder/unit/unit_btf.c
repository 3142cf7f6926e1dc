/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_btf.c - see unit_btf.h */
#include "encoder/unit/unit_btf.h"

#include <stdlib.h>

void unit_btf_release(struct unit_btf *f)
{
	if (f->types.cap)
		free(f->types.items);
	free(f->funcs.items);
	free(f->func_tags.items);
	free(f->var_tags.items);
	free(f->vars.items);
	free(f->homes.items);
	free(f->multiply_defined.items);
	free(f->enums.items);
	diag_release(&f->diags);
	omissions_release(&f->omissions);
	*f = (struct unit_btf){ 0 };
}

void raw_unit_release(struct raw_unit *e)
{
	free(e->words.items);
	free(e->start.items);
	free(e->protos.items);
	*e = (struct raw_unit){ 0 };
}

void raw_unit_add(struct raw_unit *e, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);

	vec_reserve(&e->words, nr);
	memcpy(e->words.items + e->words.nr, rec, nr * sizeof(*rec));
	e->words.nr += nr;
}
