/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kfuncs.c - see kfuncs.h
 *
 * .BTF_ids is an array of words which the linker gathers and resolve_btfids fills in:
 *
 *	set:     | count | flags | id, flags | id, flags | ...
 *	symbols: __BTF_ID__set8__NAME over the whole, with its size,
 *	         __BTF_ID__func__NAME__COUNTER over each id
 *
 * Bit 0 of a set's flags says that it lists kfuncs. Only symbols tell where a set ends
 * and what is in it; ids are still zero here. They are compared by the addresses of the
 * file, which are not those that debug information sees.
 */
#include "encoder/select/kfuncs.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/lower_bound.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* include/linux/btf_ids.h: BTF_SET8_KFUNCS */
enum { SET_IS_KFUNCS = 1u << 0 };

static const char SET_PREFIX[] = "__BTF_ID__set8__";
static const char FUNC_PREFIX[] = "__BTF_ID__func__";

/* Where a kfunc set lies; no two overlap once they are merged. */
struct range {
	uint64_t start, end;
};

struct ranges {
	struct range *items;
	size_t nr, cap;
};

/* What the words of .BTF_ids are. */
struct id_section {
	const struct object *o;
	const struct object_section *s;
	uint32_t index;
};

static void release_ranges(struct ranges *v)
{
	free(v->items);
}

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The word behind the one that @sym is over: flags, of a set as well as of a member. */
static struct err *read_flags(const struct id_section *ids, const struct symbol *sym, uint32_t *ret)
{
	const struct object_section *s = ids->s;
	uint64_t offset = sym->value - s->addr; /* wraps if it lies before, and is refused */

	if (!bytes_have(s->data, offset, 2 * sizeof(uint32_t)))
		return err_new(ERR_FORMAT,
			       ".BTF_ids+%#jx: symbol '%s' lies outside of the %#zx bytes",
			       (uintmax_t)offset, sym->name, s->data.len);
	*ret = swap32(load32(s->data.ptr + offset + sizeof(uint32_t)), ids->o->swap);
	return NULL;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void merge_ranges(struct ranges *v)
{
	size_t nr = 0;

	if (v->nr > 1)
		qsort(v->items, v->nr, sizeof(v->items[0]), compare_ranges);
	for (size_t i = 0; i < v->nr; i++) {
		struct range r = v->items[i];

		if (nr && v->items[nr - 1].end >= r.start) {
			if (v->items[nr - 1].end < r.end)
				v->items[nr - 1].end = r.end;
		} else {
			v->items[nr++] = r;
		}
	}
	v->nr = nr;
}

static struct err *find_sets(const struct id_section *ids, const struct symbols *syms,
			     struct ranges *ret)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *sym = &syms->all[i];
		uint32_t flags = 0;

		if (sym->section != ids->index || !starts_with(sym->name, SET_PREFIX))
			continue;
		TRY(read_flags(ids, sym, &flags));
		if (!(flags & SET_IS_KFUNCS))
			continue;
		if (sym->size > UINT64_MAX - sym->value)
			return err_new(ERR_FORMAT, ".BTF_ids: set '%s' of %#jx bytes", sym->name,
				       (uintmax_t)sym->size);
		vec_push(ret, ((struct range){ sym->value, sym->value + sym->size }));
	}
	merge_ranges(ret);
	return NULL;
}

static bool in_a_set(const struct ranges *sets, uint64_t addr)
{
	size_t behind = LOWER_BOUND(0, sets->nr, i, sets->items[i].start <= addr);

	return behind > 0 && addr < sets->items[behind - 1].end;
}

/* What a symbol called @name asks for, e.g. "vfs_close" of "__BTF_ID__func__vfs_close__1". */
static bool read_name(const char *name, struct btf_id_symbol *ret)
{
	static const struct {
		const char *prefix;
		enum btf_kind kind;
	} sorts[] = { { FUNC_PREFIX, BTF_FUNC },
		      { "__BTF_ID__struct__", BTF_STRUCT },
		      { "__BTF_ID__union__", BTF_UNION },
		      { "__BTF_ID__typedef__", BTF_TYPEDEF } };
	size_t sort = 0;

	while (sort < ARRAY_SIZE(sorts) && !starts_with(name, sorts[sort].prefix))
		sort++;
	if (sort == ARRAY_SIZE(sorts))
		return false;
	name += strlen(sorts[sort].prefix);

	const char *last = strrchr(name, '_');
	if (!last || last == name || last[-1] != '_')
		return false;
	*ret = (struct btf_id_symbol){ name, (size_t)(last - 1 - name), sorts[sort].kind, false };
	return true;
}

static struct err *find_members(const struct id_section *ids, const struct symbols *syms,
				const struct ranges *sets, struct kfuncs *ret)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *sym = &syms->all[i];
		struct btf_id_symbol id;

		if (sym->section != ids->index || !read_name(sym->name, &id))
			continue;
		id.kfunc = id.kind == BTF_FUNC && in_a_set(sets, sym->value);
		vec_push(&ret->ids, id);
		if (!id.kfunc)
			continue;
		ptrdiff_t func = symbols_find_func(syms, id.name, id.len);
		if (func < 0)
			continue;

		struct kfunc k = { .func = (uint32_t)func };
		TRY(read_flags(ids, sym, &k.flags));
		vec_push(ret, k);
	}
	return NULL;
}

/* By function, and by place in the symbol table among equals: @tmp says which that is. */
struct placed {
	struct kfunc k;
	size_t place;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->k.func != y->k.func)
		return x->k.func < y->k.func ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static void free_placed(struct placed **p)
{
	free(*p);
}

/* Sort by function; of several in a row the last stays. */
static void sort_members(struct kfuncs *k)
{
	CLEANUP(free_placed) struct placed *tmp = mem_alloc(k->nr * sizeof(tmp[0]));
	size_t nr = k->nr;

	for (size_t i = 0; i < nr; i++)
		tmp[i] = (struct placed){ k->items[i], i };
	qsort(tmp, nr, sizeof(tmp[0]), compare_placed);
	k->nr = 0;
	for (size_t i = 0; i < nr; i++)
		if (i + 1 == nr || tmp[i + 1].k.func != tmp[i].k.func)
			k->items[k->nr++] = tmp[i].k;
}

static struct err *read_kfuncs(const struct id_section *ids, const struct symbols *syms,
			       struct kfuncs *ret)
{
	CLEANUP(release_ranges) struct ranges sets = { 0 };

	TRY(find_sets(ids, syms, &sets));
	TRY(find_members(ids, syms, &sets, ret));
	if (ret->nr)
		sort_members(ret);
	return NULL;
}

struct err *kfuncs_read(const struct object *o, const struct symbols *syms, struct kfuncs *ret)
{
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };
	const struct object_section *s = object_section(o, ".BTF_ids");

	/* without data: the debug file of a stripped kernel, whose words are elsewhere */
	if (s && s->data.len) {
		struct id_section ids = { .o = o, .s = s, .index = (uint32_t)(s - o->sections) };

		TRY(err_at(read_kfuncs(&ids, syms, &k), "'%s'", o->path));
	}
	*ret = TAKE(k);
	return NULL;
}

void kfuncs_release(struct kfuncs *k)
{
	free(k->items);
	free(k->ids.items);
	*k = (struct kfuncs){ 0 };
}

const struct kfunc *kfuncs_find(const struct kfuncs *k, uint32_t func)
{
	size_t at = LOWER_BOUND(0, k->nr, i, k->items[i].func < func);

	return at < k->nr && k->items[at].func == func ? &k->items[at] : NULL;
}
