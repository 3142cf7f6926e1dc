/* SPDX-License-Identifier: GPL-2.0-only */
/* note_from_cu.c - see note_from_cu.h */
#include "encoder/member/note_from_cu.h"

#include "base/cleanup.h"
#include "encoder/member/note_vars.h"
#include "encoder/unit/unit_encoder.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Is symbol @s at address @addr of debug information? */
static bool stands_at(const struct object *obj, const struct symbol *s, uint64_t addr)
{
	uint64_t base = 0;

	if (obj->is_rel) {
		if (s->section >= obj->nr_sections)
			return false;
		base = obj->sections[s->section].debug_addr;
	}
	return s->section != SHN_UNDEF && base + s->value == addr;
}

/* Find the symbol of @f. One with a suffix is preferred. */
static void find_symbol(const struct run *run, const struct cu_func *f, struct member_func *ret)
{
	uint32_t func = run_func(run, f->name);
	const struct func_entry *e = func ? &run->syms->funcs[func - 1] : NULL;

	ret->at = f->addr ? MEMBER_FUNC_ELSEWHERE : MEMBER_FUNC_NOWHERE;
	for (uint32_t i = 0; f->addr && e && i < e->nr; i++) {
		const char *name = run->syms->func_symbols[e->first + i].name;
		const struct symbol *s =
			&run->syms->all[run->syms->func_symbols[e->first + i].symbol];
		bool suffix = name[e->name_len];

		if (!stands_at(run->obj, s, f->addr) || ret->symbol)
			continue;
		if (suffix)
			ret->symbol = str_pool_add(run->strings, name, strlen(name));
		if (suffix || ret->at == MEMBER_FUNC_ELSEWHERE)
			ret->at = s->bind == STB_LOCAL ? MEMBER_FUNC_LOCAL :
				  s->bind == STB_WEAK  ? MEMBER_FUNC_WEAK :
							 MEMBER_FUNC_GLOBAL;
	}
}

static bool weak_here(const struct run *run, uint32_t name)
{
	uint32_t func = run_func(run, name);
	const struct func_entry *e = func ? &run->syms->funcs[func - 1] : NULL;

	for (uint32_t i = 0; e && i < e->nr; i++) {
		const struct func_symbol *sym = &run->syms->func_symbols[e->first + i];
		const struct symbol *s = &run->syms->all[sym->symbol];

		if (!sym->name[e->name_len] && s->bind == STB_WEAK && s->section != SHN_UNDEF)
			return true;
	}
	return false;
}

/* A weak symbol that no function with an address has belongs to a function in parts. */
static void find_parts(const struct run *run, struct member_note *n)
{
	for (size_t i = 0; i < n->funcs.nr; i++) {
		struct member_func *f = &n->funcs.items[i];
		bool other = false;

		if (f->at != MEMBER_FUNC_NOWHERE || !weak_here(run, f->name))
			continue;
		for (size_t k = 0; k < n->funcs.nr && !other; k++)
			other = n->funcs.items[k].name == f->name &&
				n->funcs.items[k].at == MEMBER_FUNC_WEAK;
		if (!other)
			f->at = MEMBER_FUNC_WEAK_PARTS;
	}
}

static void add_func(struct unit_encoder *m, const struct cu_func *f, struct record_words *words,
		     struct member_note *n)
{
	struct member_func mf = {
		.name = f->name,
		.proto = (uint32_t)words->nr,
		.tags = (uint32_t)n->tags.nr,
	};

	mf.flags = unit_func_judge(m, f, words, &n->tags);
	mf.nr_tags = (uint32_t)n->tags.nr - mf.tags;
	find_symbol(m->run, f, &mf);
	vec_push(&n->funcs, mf);
}

/* Add the raw records. They are in the order of the unit, so their numbers stay. */
static struct err *add_own(struct unit_encoder *m, const struct cu *cu, struct record_words *words,
			   struct member_note *n)
{
	CLEANUP(raw_unit_release) struct raw_unit e = { 0 };

	TRY(raw_unit_from_cu(m, cu, &e));
	for (size_t i = 0; i < e.start.nr; i++) {
		size_t nr = e.start.items[i] ? btf_rec_words(e.words.items + e.start.items[i]) : 0;

		vec_push(&n->own, nr ? (uint32_t)words->nr : 0);
		for (size_t w = 0; w < nr; w++)
			vec_push(words, e.words.items[e.start.items[i] + w]);
	}
	return NULL;
}

static bool has_lto_code(const struct object *obj)
{
	for (size_t i = 1; i < obj->nr_sections; i++) {
		if (!strncmp(obj->sections[i].name, ".gnu.lto_", 9))
			return true;
	}
	return false;
}

struct err *note_from_cu(struct unit_encoder *m, const struct cu *cu, const struct unit_btf *f,
			 struct member_note *ret)
{
	const char *kabi = m->run->opts->kabi_prefix;
	CLEANUP(member_note_release) struct member_note n = {
		.unit = cu->name,
		.lang = cu->lang + UINT32_C(1),
		.kabi = kabi ? str_pool_add(m->run->strings, kabi, strlen(kabi)) : 0,
		.features = m->run->opts->features & MEMBER_FEATURES,
		.incomplete = f->incomplete,
		.recompiled = has_lto_code(m->run->obj),
	};
	struct record_words words = { 0 };
	struct err *err = NULL;

	m->cu = cu;
	vec_push(&words, 0);
	unit_sort_tags(cu, CU_TAG_FUNC, &m->tags);
	for (size_t i = 0; i < cu->funcs.nr; i++) {
		const struct cu_func *func = &cu->funcs.items[i];

		if (unit_func_named(m, func))
			add_func(m, func, &words, &n);
	}
	find_parts(m->run, &n);
	if (f->irregular || f->multiply_defined.nr)
		err = add_own(m, cu, &words, &n);
	for (size_t i = 0; n.own.nr && i < f->vars.nr; i++)
		vec_push(&n.var_types, f->vars.items[i].type);
	note_vars(m->run, cu, f, &n);
	n.words.items = words.items;
	n.words.nr = words.nr;
	n.words.cap = words.cap;
	if (err)
		return err;
	*ret = TAKE(n);
	return NULL;
}
