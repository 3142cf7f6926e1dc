/* SPDX-License-Identifier: GPL-2.0-only */
/* func_ledger.c - see func_ledger.h */
#include "encoder/func_ledger.h"

#include "base/cleanup.h"
#include "encoder/proto_match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void func_ledger_add(struct func_ledger *l, const struct frag *f)
{
	vec_reserve(&l->funcs, f->funcs.nr);
	if (f->funcs.nr)
		memcpy(l->funcs.items + l->funcs.nr, f->funcs.items,
		       f->funcs.nr * sizeof(f->funcs.items[0]));
	l->funcs.nr += f->funcs.nr;
}

void func_ledger_release(struct func_ledger *l)
{
	free(l->funcs.items);
	*l = (struct func_ledger){ 0 };
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
	struct frag_func **funcs; /* what units say of it, in the order of the input */
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
	size_t low = 0, high = g->places->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->places->items[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < g->places->nr && g->places->items[low].addr == addr ? &g->places->items[low] :
									   NULL;
}

/* Is a symbol at the function's own address a copy that the compiler made smaller? */
static bool optimized_copy(const struct group *g, const struct frag_func *f)
{
	const struct place *p = f->addr ? place_at(g, f->addr) : NULL;

	return p && p->optimized;
}

/* --- choosing -------------------------------------------------------------------------- */

/* Does it no longer take what its source says, and nobody told what it does take? */
static bool shrunk(const struct group *g, const struct frag_func *f, const struct encode_opts *opts)
{
	return (f->flags & FRAG_FUNC_OPTIMIZED) && !feature_on(opts, FEATURE_TRUE_SIGNATURE) &&
	       ((f->flags & FRAG_FUNC_CHANGED) || optimized_copy(g, f));
}

/* The one whose word is taken: at a symbol's address and not shrunk, if there is such a one. */
static const struct frag_func *canonical(const struct group *g, const struct encode_opts *opts)
{
	const struct frag_func *at_symbol = NULL;

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

/* All that is said has the words of pahole, spelling included: its scripts look for them. */
static void tell(const struct group *g, struct notes *notes, const char *why)
{
	notes_add(notes, NOTE_VERBOSE, "%.*s : skipping BTF encoding of function due to %s",
		  (int)g->entry->name_len, g->entry->name, why);
}

static const char *param_name(const struct func_program *program, uint32_t proto, uint32_t param)
{
	const uint32_t *rec = type_pool_at(program->types, proto)->rec;

	return str_pool_text(program->strings, rec[BTF_REC_WORDS + param * 2]);
}

/* Say what the prototypes @a and @b differ in. */
static void tell_diff(const struct group *g, const struct func_program *program,
		      struct proto_diff diff, uint32_t a, uint32_t b, struct notes *notes)
{
	CLEANUP(mem_free_text) char *why = NULL;

	switch (diff.part) {
	case PROTO_NR_PARAMS:
		why = mem_printf("param count mismatch; %" PRIu32 " params != %" PRIu32 " params",
				 btf_info_vlen(type_pool_at(program->types, a)->rec[BTF_REC_INFO]),
				 btf_info_vlen(type_pool_at(program->types, b)->rec[BTF_REC_INFO]));
		break;
	case PROTO_RETURN:
		why = mem_printf("return type mismatch");
		break;
	default:
		why = mem_printf("param type mismatch for param#%" PRIu32 " %s != %s",
				 diff.param + 1, param_name(program, a, diff.param),
				 param_name(program, b, diff.param));
		break;
	}
	tell(g, notes, why);
}

/*
 * Flags of all, and whether all agree, are collected in the first. Each of the others gets
 * those of all before it. If it counts that they do not agree, @notes get the first difference.
 */
static void compare_all(struct group *g, const struct func_program *program, struct notes *notes)
{
	const uint32_t shared = FRAG_FUNC_UNEXPECTED | FRAG_FUNC_INCONSISTENT |
				FRAG_FUNC_UNCERTAIN | FRAG_FUNC_REORDERED;
	const uint32_t settled = FRAG_FUNC_UNEXPECTED | FRAG_FUNC_INCONSISTENT |
				 FRAG_FUNC_REORDERED;
	struct frag_func *first = g->funcs[0];

	for (size_t i = 1; i < g->nr; i++) {
		struct frag_func *f = g->funcs[i];
		struct proto_diff diff = { 0 };

		first->flags |= f->flags & shared;
		if (!(first->flags & settled))
			diff = proto_compare(program->types, program->enums,
					     (struct unit_proto){ first->proto, first->unit },
					     (struct unit_proto){ f->proto, f->unit });
		if (diff.part != PROTO_SAME) {
			first->flags |= FRAG_FUNC_INCONSISTENT;
			if (notes)
				tell_diff(g, program, diff, first->proto, f->proto, notes);
		}
		f->flags |= first->flags & shared;
	}
}

/* The first symbol with a suffix that is at the function's address, NULL for none. */
static const char *suffixed_symbol(const struct group *g, const struct frag_func *f)
{
	const struct place *p = f->addr ? place_at(g, f->addr) : NULL;

	return p ? p->suffixed : NULL;
}

/* The first that can be described by the name of an optimized copy. */
static struct chosen_func true_signature(const struct group *g)
{
	for (size_t i = 0; i < g->nr; i++) {
		const struct frag_func *f = g->funcs[i];
		const char *symbol = suffixed_symbol(g, f);

		if (symbol && !(f->flags & (FRAG_FUNC_UNEXPECTED | FRAG_FUNC_UNCERTAIN)))
			return (struct chosen_func){ f, symbol };
	}
	return (struct chosen_func){ 0 };
}

/* Why the function may not be described, NULL if it may. The last reason counts. */
static const char *refusal(const struct group *g, const struct frag_func *chosen,
			   const struct encode_opts *opts)
{
	uint32_t flags = g->funcs[0]->flags;
	const char *why = NULL;

	if (flags & FRAG_FUNC_UNEXPECTED)
		why = "unexpected register usage for parameter";
	if (feature_on(opts, FEATURE_CONSISTENT_FUNC) && (flags & FRAG_FUNC_INCONSISTENT))
		why = "inconsistet prototype";
	if (flags & FRAG_FUNC_UNCERTAIN)
		why = "uncertain parameter location";
	if (flags & FRAG_FUNC_REORDERED)
		why = "reordered parameters";
	if (shrunk(g, chosen, opts))
		why = "optimized parameters";
	if (g->entry->ambiguous)
		why = "ambiguous address";
	return why;
}

/*
 * Sort by file and function, what is equal in the order of the input. Both are small
 * numbers, so counting sorts.
 */
static struct frag_func **sort_funcs(struct func_ledger *l, const struct func_file *files,
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
	struct frag_func **sorted = mem_alloc(l->funcs.nr * sizeof(*sorted));
	for (size_t i = 0; i < l->funcs.nr; i++)
		start[base[l->funcs.items[i].file] + l->funcs.items[i].func + 2]++;
	for (size_t i = 2; i < nr + 2; i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < l->funcs.nr; i++) {
		struct frag_func *f = &l->funcs.items[i];

		sorted[start[base[f->file] + f->func + 1]++] = f;
	}
	free(base);
	*ret_nr_entries = nr;
	*ret_start = start;
	return sorted;
}

static void choose_from(const struct group *g, const struct encode_opts *opts, struct notes *notes,
			struct func_choice *ret)
{
	struct chosen_func chosen = { 0 };

	if (feature_on(opts, FEATURE_TRUE_SIGNATURE))
		chosen = true_signature(g);
	if (!chosen.func) {
		chosen.func = canonical(g, opts);

		const char *why = refusal(g, chosen.func, opts);
		if (why) {
			tell(g, notes, why);
			return;
		}
	}
	vec_push(ret, chosen);
}

void func_ledger_choose(struct func_ledger *l, const struct encode_opts *opts,
			const struct func_program *program, struct notes *notes,
			struct func_choice *ret)
{
	const struct func_file *files = program->files;
	/* without the feature none is left out for it, and pahole should not say so */
	struct notes *told = feature_on(opts, FEATURE_CONSISTENT_FUNC) ? notes : NULL;
	struct {
		struct group *items;
		size_t nr, cap;
	} groups = { 0 };
	struct places places = { 0 };
	size_t nr_entries, *start;
	struct frag_func **sorted = sort_funcs(l, files, &nr_entries, &start);

	for (size_t e = 0; e < nr_entries; e++) {
		struct frag_func **first = sorted + start[e];
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
		struct group *g = &groups.items[i];

		find_places(g, &places);
		compare_all(g, program, told);
		choose_from(g, opts, notes, ret);
	}
	free(groups.items);
	free(places.items);
	free(sorted);
	free(start);
}
