/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_btf.c - see unit_btf.h */
#include "encoder/unit/unit_btf.h"

#include <stdlib.h>

void unit_btf_release(struct unit_btf *f)
{
	if (f->types.cap)
		free(f->types.items);
	FREE_ALL(f->funcs.items, f->func_tags.items, f->var_tags.items, f->vars.items,
		 f->unlocated.items, f->inlined.items, f->sites.items, f->multiply_defined.items,
		 f->enums.items);
	diag_release(&f->diags);
	omissions_release(&f->omissions);
	*f = (struct unit_btf){ 0 };
}

void raw_unit_release(struct raw_unit *raw)
{
	FREE_ALL(raw->words.items, raw->start.items, raw->protos.items, raw->inlined.items);
	*raw = (struct raw_unit){ 0 };
}
