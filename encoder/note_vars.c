/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * note_vars.c - see note_vars.h
 *
 * What clang takes apart is in the debug information where its first part is. That has a symbol
 * of its own, NAME.0 or so; which number it is depends on which parts are left.
 */
#include "encoder/note_vars.h"

#include "base/lower_bound.h"
#include "encoder/var_name.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* A symbol of data. */
struct data_symbol {
	uint32_t section;
	uint64_t value;
	const struct symbol *symbol;
};

struct data_symbols {
	struct data_symbol *items;
	size_t nr, cap;
};

static int compare_data(const void *a, const void *b)
{
	const struct data_symbol *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static void list_data(const struct symbols *syms, struct data_symbols *ret)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (s->type == STT_OBJECT)
			vec_push(ret, ((struct data_symbol){ s->section, s->value, s }));
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), compare_data);
}

/* Is @symbol a part of a variable @name? */
static bool names_part(const char *symbol, const char *name, size_t len)
{
	return strncmp(symbol, name, len) == 0 && symbol[len] == '.' && symbol[len + 1] >= '0' &&
	       symbol[len + 1] <= '9';
}

/* The symbol that is variable @name there, or its first part; or NULL. */
static const struct symbol *symbol_of(const struct data_symbols *data, const char *name,
				      uint32_t section, uint64_t offset, bool *ret_part)
{
	const struct symbol *part = NULL;
	const struct data_symbol *at = data->items;
	size_t len = strlen(name);
	size_t i = LOWER_BOUND(0, data->nr, k,
			       at[k].section < section ||
				       (at[k].section == section && at[k].value < offset));

	for (; i < data->nr; i++) {
		const struct data_symbol *d = &data->items[i];

		if (d->section != section || d->value != offset)
			break;
		*ret_part = false;
		if (strcmp(d->symbol->name, name) == 0)
			return d->symbol;
		if (!part && names_part(d->symbol->name, name, len))
			part = d->symbol;
	}
	*ret_part = part;
	return part;
}

/* Variable @i of the unit's, which has a VAR. */
static void add_listed(const struct run *run, const struct data_symbols *data, const struct frag *f,
		       size_t i, struct member_note *n)
{
	const struct frag_var *v = &f->vars.items[i];
	struct member_size size = { .var = (uint32_t)i };
	bool part = false;

	if (v->linkage == BTF_LINK_GLOBAL)
		return;

	const struct symbol *s = symbol_of(data, str_pool_text(run->strings, v->name), v->section,
					   v->offset, &part);
	if (!s || !s->size || s->size > UINT32_MAX || (!part && s->size == v->size))
		return;
	size.size = (uint32_t)s->size;
	if (part)
		size.symbol = str_pool_add(run->strings, s->name, strlen(s->name));
	vec_push(&n->sizes, size);
}

/* The section that begins at @addr and whose variables are wanted, in the same BTF; 0 for none. */
static uint32_t section_at(const struct run *run, uint64_t addr)
{
	const struct object *obj = run->obj;

	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if ((s->type == SHT_PROGBITS || s->type == SHT_NOBITS) && (s->flags & SHF_ALLOC) &&
		    s->size && s->debug_addr == addr)
			return run->var_sections[i] &&
					       !(run->apart_sections && run->apart_sections[i]) ?
				       i :
				       0;
	}
	return 0;
}

/* A variable that has no VAR; @next is the number of the one behind it. */
static void add_unlisted(const struct run *run, const struct data_symbols *data,
			 const struct cu_var *v, uint32_t next, struct member_note *n)
{
	const char *name = str_pool_text(run->strings, v->name);
	uint32_t section = v->flags & CU_VAR_EXTERNAL ? 0 : section_at(run, v->addr);
	bool part = false;

	if (!section || !v->type || !var_name_valid(name, strlen(name)) || var_name_of_macro(name))
		return;

	const struct symbol *s = symbol_of(data, name, section, 0, &part);
	if (!s || !part || !s->size || s->size > UINT32_MAX)
		return;
	const char *home = run->obj->sections[section].name;
	vec_push(&n->sizes, ((struct member_size){
				    .var = next,
				    .size = (uint32_t)s->size,
				    .symbol = str_pool_add(run->strings, s->name, strlen(s->name)),
				    .name = v->name,
				    .type = v->type,
				    .home = str_pool_add(run->strings, home, strlen(home)),
			    }));
}

/* Is it @v that has become @f? The latter are a part of the former, in the same order. */
static bool is_listed_as(const struct run *run, const struct cu_var *v, const struct frag_var *f)
{
	return f->name == v->name && f->type == v->type &&
	       run->obj->sections[f->section].debug_addr + f->offset == v->addr;
}

void note_vars(const struct run *run, const struct cu *cu, const struct frag *f,
	       struct member_note *n)
{
	struct data_symbols data = { 0 };
	size_t listed = 0;

	if (!run->var_sections || !cu->vars.nr)
		return;
	list_data(run->syms, &data);
	for (size_t i = 0; i < cu->vars.nr; i++) {
		const struct cu_var *v = &cu->vars.items[i];

		if (listed < f->vars.nr && is_listed_as(run, v, &f->vars.items[listed]))
			add_listed(run, &data, f, listed++, n);
		else if (v->name)
			add_unlisted(run, &data, v, (uint32_t)listed, n);
	}
	free(data.items);
}
