/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * note_vars.c - see note_vars.h
 *
 * What clang takes apart is in the debug information where its first part is. That has a symbol
 * of its own, NAME.0 or so; which number it is depends on which parts are left. What C++ or asm("...")
 * has given another name is where a symbol is that has it. A common symbol (-fcommon) has no place
 * before the link, and its value, which debug information takes for an address, is its alignment.
 */
#include "encoder/member/note_vars.h"

#include "base/sort.h"
#include "encoder/unit/var_name.h"

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

/* A variable that a symbol is looked for. */
struct wanted {
	const char *name;
	bool global;
	uint64_t size; /* of its type, 0 if nobody asks */
	uint32_t section;
	uint64_t offset;
};

/* Can @s, which has another name, be the variable at its place? */
static bool fits(const struct wanted *w, const struct symbol *s)
{
	return (s->bind != STB_LOCAL) == w->global && s->size >= w->size;
}

/* The symbol that is variable @w, its first part, or has another name; or NULL. */
static const struct symbol *symbol_of(const struct data_symbols *data, const struct wanted *w,
				      bool *ret_named)
{
	const struct symbol *part = NULL, *other = NULL;
	const struct data_symbol *at = data->items;
	size_t len = strlen(w->name);
	size_t i = LOWER_BOUND(0, data->nr, k,
			       at[k].section < w->section ||
				       (at[k].section == w->section && at[k].value < w->offset));

	for (; i < data->nr && at[i].section == w->section && at[i].value == w->offset; i++) {
		const struct symbol *s = at[i].symbol;

		*ret_named = strcmp(s->name, w->name) == 0;
		if (*ret_named)
			return s;
		if (!part && !w->global && names_part(s->name, w->name, len))
			part = s;
		if (fits(w, s) && (!other || (other->size != w->size && s->size == w->size)))
			other = s;
	}
	*ret_named = false;
	return part ? part : other;
}

/* Variable @i of the unit's, which has a VAR. */
static void add_listed(const struct run *run, const struct data_symbols *data,
		       const struct unit_btf *f, size_t i, struct member_note *n)
{
	const struct unit_var *v = &f->vars.items[i];
	const struct wanted w = {
		.name = str_pool_text(run->strings, v->name),
		.global = v->linkage == BTF_LINK_GLOBAL,
		.size = v->size,
		.section = v->section,
		.offset = v->offset,
	};
	struct member_size size = { .var = (uint32_t)i };
	bool named = false;

	const struct symbol *s = symbol_of(data, &w, &named);
	if (!s || !s->size || s->size > UINT32_MAX || (named && (w.global || s->size == v->size)))
		return;
	size.size = (uint32_t)s->size;
	if (!named)
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

static int compare_names(const void *a, const void *b)
{
	const struct data_symbol *x = a, *y = b;

	return strcmp(x->symbol->name, y->symbol->name);
}

/* Take the common symbols of @all, sorted by name. */
static void list_commons(const struct data_symbols *all, struct data_symbols *ret)
{
	for (size_t i = 0; i < all->nr; i++) {
		if (all->items[i].section == SYMBOL_RESERVED + SHN_COMMON)
			vec_push(ret, all->items[i]);
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), compare_names);
}

static const struct symbol *find_common(const struct data_symbols *commons, const char *name)
{
	const struct data_symbol *at = commons->items;
	size_t i = LOWER_BOUND(0, commons->nr, k, strcmp(at[k].symbol->name, name) < 0);

	return i < commons->nr && !strcmp(at[i].symbol->name, name) ? at[i].symbol : NULL;
}

/* A variable that has no VAR; @next is the number of the one behind it. */
static void add_unlisted(const struct run *run, const struct data_symbols *data,
			 const struct data_symbols *commons, const struct cu_var *v, uint32_t next,
			 struct member_note *n)
{
	const struct wanted w = {
		.name = str_pool_text(run->strings, v->name),
		.global = v->flags & CU_VAR_EXTERNAL,
		.section = section_at(run, v->addr),
	};
	bool named = false;

	if (!v->type || !var_name_valid(w.name, strlen(w.name)) || var_name_of_macro(w.name))
		return;

	const struct symbol *s = w.global ? find_common(commons, w.name) : NULL;
	const char *home = "COMMON"; /* as linker scripts call it */
	if (!s) {
		if (!w.section)
			return;
		s = symbol_of(data, &w, &named);
		home = run->obj->sections[w.section].name;
	}
	if (!s || named || !s->size || s->size > UINT32_MAX)
		return;
	vec_push(&n->sizes, ((struct member_size){
				    .var = next,
				    .size = (uint32_t)s->size,
				    .symbol = str_pool_add(run->strings, s->name, strlen(s->name)),
				    .name = v->name,
				    .type = v->type,
				    .home = str_pool_add(run->strings, home, strlen(home)),
				    .linkage = w.global ? BTF_LINK_GLOBAL : BTF_LINK_STATIC,
			    }));
}

/* Is it @v that has become @f? The latter are a part of the former, in the same order. */
static bool is_listed_as(const struct run *run, const struct cu_var *v, const struct unit_var *f)
{
	return f->name == v->name && f->type == v->type &&
	       run->obj->sections[f->section].debug_addr + f->offset == v->addr;
}

void note_vars(const struct run *run, const struct cu *cu, const struct unit_btf *f,
	       struct member_note *n)
{
	struct data_symbols data = { 0 }, commons = { 0 };
	size_t listed = 0;

	if (!run->var_sections || !cu->vars.nr)
		return;
	list_data(run->syms, &data);
	if (feature_on(run->opts, FEATURE_GLOBAL_VAR))
		list_commons(&data, &commons);
	for (size_t i = 0; i < cu->vars.nr; i++) {
		const struct cu_var *v = &cu->vars.items[i];

		if (listed < f->vars.nr && is_listed_as(run, v, &f->vars.items[listed]))
			add_listed(run, &data, f, listed++, n);
		else if (v->name)
			add_unlisted(run, &data, &commons, v, (uint32_t)listed, n);
	}
	free(data.items);
	free(commons.items);
}
