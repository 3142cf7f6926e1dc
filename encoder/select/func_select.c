/* SPDX-License-Identifier: GPL-2.0-only */
/* func_select.c - see func_select.h */
#include "encoder/select/func_select.h"

#include "base/cleanup.h"
#include "base/lower_bound.h"
#include "encoder/select/proto_match.h"
#include "encoder/select/proto_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void func_select_add(struct func_select *l, const struct unit_btf *f)
{
	vec_reserve(&l->funcs, f->funcs.nr);
	if (f->funcs.nr)
		memcpy(l->funcs.items + l->funcs.nr, f->funcs.items,
		       f->funcs.nr * sizeof(f->funcs.items[0]));
	l->funcs.nr += f->funcs.nr;
}

void func_select_release(struct func_select *l)
{
	free(l->funcs.items);
	*l = (struct func_select){ 0 };
}

/* What the symbols of an entry at one address say. */
struct place {
	uint64_t addr;
	uint32_t first;       /* of them, in the order of symbols */
	bool optimized;       /* is one a copy that the compiler made smaller? */
	const char *suffixed; /* the first whose name goes on behind the function's, or NULL */
};

struct places {
	struct place *items;
	size_t nr, cap;
};

/* One entry of a file's function table. */
struct group {
	const struct func_entry *entry;
	const struct symbols *syms;
	struct unit_func **funcs; /* what units say of it, in the order of the input */
	size_t nr;
	const struct places *places; /* of its symbols, by address */
};

static int by_name(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	uint32_t min = x->entry->name_len < y->entry->name_len ? x->entry->name_len :
								 y->entry->name_len;
	int diff = memcmp(x->entry->name, y->entry->name, min);

	if (diff)
		return diff;
	if (x->entry->name_len != y->entry->name_len)
		return x->entry->name_len < y->entry->name_len ? -1 : 1;
	/* the same name in two files: in the order of the files */
	return (x->funcs[0]->file > y->funcs[0]->file) - (x->funcs[0]->file < y->funcs[0]->file);
}

/* --- symbols --------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Where the symbols of @g are. A damaged file has many for one name, and functions as well. */
static void find_places(const struct group *g, struct places *ret)
{
	size_t nr = 0;

	ret->nr = 0;
	for (uint32_t i = 0; i < g->entry->nr; i++) {
		const struct func_symbol *s = &g->syms->func_symbols[g->entry->first + i];
		bool suffixed = s->name[g->entry->name_len];

		vec_push(ret,
			 ((struct place){ s->value, i, s->optimized, suffixed ? s->name : NULL }));
	}
	if (ret->nr > 1)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_address);
	for (size_t i = 0; i < ret->nr; i++) {
		struct place *p = &ret->items[i], *last = nr ? &ret->items[nr - 1] : NULL;

		if (!last || last->addr != p->addr) {
			ret->items[nr++] = *p;
			continue;
		}
		last->optimized |= p->optimized;
		if (!last->suffixed)
			last->suffixed = p->suffixed;
	}
	ret->nr = nr;
}

/* The place at @addr, NULL if no symbol is there. */
static const struct place *place_at(const struct group *g, uint64_t addr)
{
	const struct place *places = g->places->items;
	size_t i = LOWER_BOUND(0, g->places->nr, k, places[k].addr < addr);

	return i < g->places->nr && places[i].addr == addr ? &places[i] : NULL;
}

/* Is a symbol at the function's own address a copy that the compiler made smaller? */
static bool optimized_copy(const struct group *g, const struct unit_func *f)
{
	const struct place *p = f->addr ? place_at(g, f->addr) : NULL;

	return p && p->optimized;
}

/* --- choosing -------------------------------------------------------------------------- */

/* Does it no longer take what its source says, and nobody told what it does take? */
static bool shrunk(const struct group *g, const struct unit_func *f, const struct encode_opts *opts)
{
	if (f->flags & UNIT_FUNC_OLD_PROTO)
		return true;
	return (f->flags & UNIT_FUNC_OPTIMIZED) && !feature_on(opts, FEATURE_TRUE_SIGNATURE) &&
	       ((f->flags & UNIT_FUNC_CHANGED) || optimized_copy(g, f));
}

/* The one whose word is taken: at a symbol's address and not shrunk, if there is such a one. */
static const struct unit_func *canonical(const struct group *g, const struct encode_opts *opts)
{
	const struct unit_func *at_symbol = NULL;

	if (g->nr == 1)
		return g->funcs[0];
	for (size_t i = 0; i < g->nr; i++) {
		if (!place_at(g, g->funcs[i]->addr))
			continue;
		if (!shrunk(g, g->funcs[i], opts))
			return g->funcs[i];
		if (!at_symbol)
			at_symbol = g->funcs[i];
	}
	return at_symbol ? at_symbol : g->funcs[0];
}

static const char *param_name(const struct func_program *program, uint32_t proto, uint32_t param)
{
	const uint32_t *rec = type_pool_at(program->types, proto)->rec;

	return str_pool_text(program->strings, rec[BTF_REC_WORDS + param * 2]);
}

/* The first two that do not agree; @where.part is PROTO_SAME if all do. */
struct clash {
	const struct unit_func *a, *b;
	struct proto_diff where;
};

static uint32_t nr_params(const struct func_program *program, uint32_t proto)
{
	return btf_info_vlen(type_pool_at(program->types, proto)->rec[BTF_REC_INFO]);
}

/* In the words of pahole: its scripts look for them. */
static void note_clash(const struct group *g, const struct func_program *program,
		       const struct clash *c, struct diagnostics *diags)
{
	CLEANUP(mem_free_text) char *why = NULL;
	uint32_t a = c->a->proto, b = c->b->proto;

	switch (c->where.part) {
	case PROTO_NR_PARAMS:
		why = mem_printf("param count mismatch; %" PRIu32 " params != %" PRIu32 " params",
				 nr_params(program, a), nr_params(program, b));
		break;
	case PROTO_RETURN:
		why = mem_printf("return type mismatch");
		break;
	default:
		why = mem_printf("param type mismatch for param#%" PRIu32 " %s != %s",
				 c->where.param + 1, param_name(program, a, c->where.param),
				 param_name(program, b, c->where.param));
		break;
	}
	diag_add(diags, DIAG_VERBOSE, "%.*s : skipping BTF encoding of function due to %s",
		 (int)g->entry->name_len, g->entry->name, why);
}

/*
 * Flags of all, and whether all agree, are collected in the first. Each of the others gets
 * those of all before it. Returns the first difference.
 */
static struct clash compare_all(struct group *g, const struct func_program *program)
{
	const uint32_t shared = UNIT_FUNC_UNEXPECTED | UNIT_FUNC_INCONSISTENT |
				UNIT_FUNC_UNCERTAIN | UNIT_FUNC_REORDERED;
	const uint32_t settled = UNIT_FUNC_UNEXPECTED | UNIT_FUNC_INCONSISTENT |
				 UNIT_FUNC_REORDERED;
	struct unit_func *first = g->funcs[0];
	struct clash clash = { 0 };

	for (size_t i = 1; i < g->nr; i++) {
		struct unit_func *f = g->funcs[i];

		first->flags |= f->flags & shared;
		if (!(first->flags & settled)) {
			clash.where = proto_compare(program->types, program->enums,
						    (struct unit_proto){ first->proto,
									 first->unit },
						    (struct unit_proto){ f->proto, f->unit });
			if (clash.where.part != PROTO_SAME) {
				first->flags |= UNIT_FUNC_INCONSISTENT;
				clash.a = first;
				clash.b = f;
			}
		}
		f->flags |= first->flags & shared;
	}
	return clash;
}

/* The first symbol with a suffix that is at the function's address, NULL for none. */
static const char *suffixed_symbol(const struct group *g, const struct unit_func *f)
{
	const struct place *p = f->addr ? place_at(g, f->addr) : NULL;

	return p ? p->suffixed : NULL;
}

/* The first that can be described by the name of an optimized copy. */
static struct chosen_func true_signature(const struct group *g)
{
	for (size_t i = 0; i < g->nr; i++) {
		const struct unit_func *f = g->funcs[i];
		const char *symbol = suffixed_symbol(g, f);

		if (symbol && !(f->flags &
				(UNIT_FUNC_UNEXPECTED | UNIT_FUNC_UNCERTAIN | UNIT_FUNC_OLD_PROTO)))
			return (struct chosen_func){ f, symbol };
	}
	return (struct chosen_func){ 0 };
}

/* The rules by which the function may not be described, a bit each. The last one counts. */
static uint32_t refusals(const struct group *g, const struct unit_func *chosen,
			 const struct encode_opts *opts)
{
	uint32_t flags = g->funcs[0]->flags, rules = 0;

	if (flags & UNIT_FUNC_UNEXPECTED)
		rules |= 1u << RULE_FUNC_UNEXPECTED_REGISTER;
	if (feature_on(opts, FEATURE_CONSISTENT_FUNC) && (flags & UNIT_FUNC_INCONSISTENT))
		rules |= 1u << RULE_FUNC_INCONSISTENT_PROTOTYPE;
	if (flags & UNIT_FUNC_UNCERTAIN)
		rules |= 1u << RULE_FUNC_UNCERTAIN_LOCATION;
	if (flags & UNIT_FUNC_REORDERED)
		rules |= 1u << RULE_FUNC_REORDERED_PARAMETERS;
	if (shrunk(g, chosen, opts))
		rules |= 1u << RULE_FUNC_OPTIMIZED_PARAMETERS;
	if (g->entry->ambiguous)
		rules |= 1u << RULE_FUNC_AMBIGUOUS_ADDRESS;
	return rules;
}

/* --- what there is to tell ------------------------------------------------------------- */

/* What one unit says @f takes. The text is only in the report, so nothing uses the string. */
static struct omission_proto said(const struct func_program *program, const struct unit_func *f)
{
	CLEANUP(mem_free_text)
	char *text = proto_text(program->types, program->strings, f->proto);

	return (struct omission_proto){
		.text = str_pool_add_copy(program->strings, text, strlen(text)),
		.unit = program->units[f->unit]->name,
		.addr = f->addr == UNIT_FUNC_NO_SYMBOL ? 0 : f->addr,
	};
}

static size_t add_clash(const struct func_program *program, const struct clash *c,
			struct omissions *list)
{
	vec_push(&list->clashes,
		 ((struct omission_clash){
			 .a = said(program, c->a),
			 .b = said(program, c->b),
			 .where = c->where.part == PROTO_NR_PARAMS ? CLASH_NR_PARAMS :
				  c->where.part == PROTO_RETURN    ? CLASH_RESULT :
								     CLASH_PARAM,
			 .param = c->where.param + 1,
		 }));
	return list->clashes.nr;
}

/* How many units speak of it. */
static uint32_t nr_units(const struct group *g)
{
	uint32_t nr = 1;

	for (size_t i = 1; i < g->nr; i++)
		nr += g->funcs[i]->unit != g->funcs[i - 1]->unit;
	return nr;
}

/* @f is not described, or changed, by the last of @rules. */
static void report(const struct group *g, const struct func_program *program,
		   const struct unit_func *f, uint32_t rules, const struct clash *clash,
		   const char *symbol, const struct omission_log *log)
{
	struct omission o = {
		.rule = (enum omission_rule)(31 - __builtin_clz(rules)),
		.name = program->files[f->file].names[f->func],
		.unit_number = f->unit,
		.nr_units = nr_units(g),
	};

	if (omission_wanted(log, o.name)) {
		o.also = rules & ~(1u << o.rule);
		o.unit = program->units[f->unit]->name;
		o.number = f->addr == UNIT_FUNC_NO_SYMBOL ? 0 : f->addr;
		if (clash->where.part != PROTO_SAME)
			o.clash = add_clash(program, clash, log->list);
		if (symbol)
			o.part = str_pool_add(program->strings, symbol, strlen(symbol));
	}
	omission_report(log, o);
}

/* -------------------------------------------------------------------------------------- */

/*
 * Sort by file and function, what is equal in the order of the input. Both are small
 * numbers, so counting sorts.
 */
static struct unit_func **sort_funcs(struct func_select *l, const struct func_file *files,
				     size_t *ret_nr_entries, size_t **ret_start)
{
	size_t nr_files = 0, nr = 0;

	for (size_t i = 0; i < l->funcs.nr; i++) {
		if (l->funcs.items[i].file >= nr_files)
			nr_files = l->funcs.items[i].file + (size_t)1;
	}

	size_t *base = mem_alloc((nr_files + 1) * sizeof(*base));
	for (size_t f = 0; f < nr_files; f++) {
		base[f] = nr;
		nr += files[f].syms->nr_funcs;
	}

	size_t *start = mem_zalloc(nr + 2, sizeof(*start));
	struct unit_func **sorted = mem_alloc(l->funcs.nr * sizeof(*sorted));
	for (size_t i = 0; i < l->funcs.nr; i++)
		start[base[l->funcs.items[i].file] + l->funcs.items[i].func + 2]++;
	for (size_t i = 2; i < nr + 2; i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < l->funcs.nr; i++) {
		struct unit_func *f = &l->funcs.items[i];

		sorted[start[base[f->file] + f->func + 1]++] = f;
	}
	free(base);
	*ret_nr_entries = nr;
	*ret_start = start;
	return sorted;
}

static void choose_from(struct group *g, const struct encode_opts *opts,
			const struct func_program *program, const struct omission_log *log,
			struct func_choice *ret)
{
	const struct clash clash = compare_all(g, program);
	struct chosen_func chosen = { 0 };
	uint32_t rules = 0;

	/* without the feature none is left out for it, and pahole should not say so */
	if (clash.where.part != PROTO_SAME && log->diags->verbose &&
	    feature_on(opts, FEATURE_CONSISTENT_FUNC))
		note_clash(g, program, &clash, log->diags);
	if (feature_on(opts, FEATURE_TRUE_SIGNATURE))
		chosen = true_signature(g);
	if (!chosen.func) {
		chosen.func = canonical(g, opts);
		rules = refusals(g, chosen.func, opts);
		if (rules) {
			report(g, program, chosen.func, rules, &clash, NULL, log);
			return;
		}
	}
	vec_push(ret, chosen);
	if (clash.where.part != PROTO_SAME)
		rules |= 1u << RULE_FUNC_ONE_PROTOTYPE;
	if (chosen.symbol)
		rules |= 1u << RULE_FUNC_TRUE_SIGNATURE;
	if (unlikely(rules))
		report(g, program, chosen.func, rules, &clash, chosen.symbol, log);
}

void func_select_choose(struct func_select *l, const struct encode_opts *opts,
			const struct func_program *program, const struct omission_log *log,
			struct func_choice *ret)
{
	const struct func_file *files = program->files;
	struct {
		struct group *items;
		size_t nr, cap;
	} groups = { 0 };
	struct places places = { 0 };
	size_t nr_entries, *start;
	struct unit_func **sorted = sort_funcs(l, files, &nr_entries, &start);

	for (size_t e = 0; e < nr_entries; e++) {
		struct unit_func **first = sorted + start[e];
		size_t nr = start[e + 1] - start[e];

		if (!nr)
			continue;
		const struct symbols *syms = files[first[0]->file].syms;
		vec_push(&groups, ((struct group){ &syms->funcs[first[0]->func], syms, first, nr,
						   &places }));
	}
	/* the entries of one file are in this order already */
	if (groups.nr && groups.items[0].syms != groups.items[groups.nr - 1].syms)
		qsort(groups.items, groups.nr, sizeof(groups.items[0]), by_name);

	for (size_t i = 0; i < groups.nr; i++) {
		find_places(&groups.items[i], &places);
		choose_from(&groups.items[i], opts, program, log, ret);
	}
	free(groups.items);
	free(places.items);
	free(sorted);
	free(start);
}
