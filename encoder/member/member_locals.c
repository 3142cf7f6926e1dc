/* SPDX-License-Identifier: GPL-2.0-only */
/* member_locals.c - see member_locals.h */
#include "encoder/member/member_locals.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Does @f have the symbol of its name whatever others say? */
static bool has_symbol(const struct unit_func *f)
{
	return f->addr && f->addr != UNIT_FUNC_NO_SYMBOL &&
	       !(f->flags & (UNIT_FUNC_WEAK | UNIT_FUNC_LOCAL));
}

void member_weak_resolve(struct func_select *l, const struct symbols *syms)
{
	bool *strong = mem_zalloc(syms->nr_funcs + 1, sizeof(*strong));
	bool *used = mem_zalloc(syms->nr_funcs + 1, sizeof(*used));

	for (size_t i = 0; i < l->funcs.nr; i++)
		strong[l->funcs.items[i].func] |= has_symbol(&l->funcs.items[i]);
	for (size_t i = 0; i < l->funcs.nr; i++) {
		struct unit_func *f = &l->funcs.items[i];

		if (!(f->flags & UNIT_FUNC_WEAK))
			continue;
		f->flags &= ~(uint32_t)UNIT_FUNC_WEAK;
		if (used[f->func] || (strong[f->func] && f->addr))
			f->addr = UNIT_FUNC_NO_SYMBOL;
		used[f->func] = true;
	}
	free(used);
	free(strong);
}

/* How many units say that the symbol is theirs, and how many of these its file confirms. */
struct claim {
	uint32_t nr, nr_confirmed;
};

struct locals {
	const struct unit_btf *const *units;
	const struct symbols *syms;
	const struct str_pool *strings;
	struct claim *claims; /* by function */
	uint32_t *file_of;    /* by symbol: that of its file, plus 1; 0 if none is known */
};

/* A name with several symbols has an ambiguous address, whoever has which. */
static bool claims_symbol(const struct locals *l, const struct unit_func *f)
{
	return (f->flags & UNIT_FUNC_LOCAL) && !f->file && l->syms->funcs[f->func].nr == 1;
}

/* Local symbols stand behind the name of their file, and before all others. */
static void find_files(struct locals *l)
{
	uint32_t file = 0;

	l->file_of = mem_zalloc(l->syms->nr_all, sizeof(l->file_of[0]));
	for (size_t i = 0; i < l->syms->nr_all && l->syms->all[i].bind == STB_LOCAL; i++) {
		const struct symbol *s = &l->syms->all[i];

		/* what the linker adds is behind one without a name */
		if (s->type == STT_FILE)
			file = *s->name ? (uint32_t)i + 1 : 0;
		l->file_of[i] = file;
	}
}

static bool confirmed(const struct locals *l, const struct unit_func *f)
{
	const struct func_entry *e = &l->syms->funcs[f->func];
	uint32_t file = l->file_of[l->syms->func_symbols[e->first].symbol];
	const char *unit = str_pool_text(l->strings, l->units[f->unit]->name);
	const char *slash = strrchr(unit, '/');

	return file && !strcmp(l->syms->all[file - 1].name, slash ? slash + 1 : unit);
}

void member_locals_resolve(struct func_select *select, const struct unit_btf *const *units,
			   const struct symbols *syms, const struct str_pool *strings)
{
	struct locals l = { .units = units, .syms = syms, .strings = strings };
	size_t contested = 0;

	l.claims = mem_zalloc(syms->nr_funcs + 1, sizeof(l.claims[0]));
	for (size_t i = 0; i < select->funcs.nr; i++) {
		const struct unit_func *f = &select->funcs.items[i];

		if (claims_symbol(&l, f))
			contested += ++l.claims[f->func].nr > 1;
	}
	if (contested)
		find_files(&l);
	for (size_t i = 0; contested && i < select->funcs.nr; i++) {
		const struct unit_func *f = &select->funcs.items[i];

		if (claims_symbol(&l, f) && l.claims[f->func].nr > 1)
			l.claims[f->func].nr_confirmed += confirmed(&l, f);
	}
	for (size_t i = 0; contested && i < select->funcs.nr; i++) {
		struct unit_func *f = &select->funcs.items[i];

		if (claims_symbol(&l, f) && l.claims[f->func].nr_confirmed && !confirmed(&l, f))
			f->addr = 0;
	}
	free(l.claims);
	free(l.file_of);
}
