/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kfuncs.c - read the sets of kfuncs in .BTF_ids
 *
 * .BTF_ids is an array of words. The linker concatenates it, and resolve_btfids later writes
 * the ids:
 *
 *	set:     | count | flags | id, flags | id, flags | ...
 *	symbols: __BTF_ID__set8__NAME for the set, with its size,
 *	         __BTF_ID__func__NAME__COUNTER for each id
 *
 * Bit 0 of a set's flags means that it lists kfuncs. Only the symbols tell where a set ends and
 * which functions it lists, because all ids are still zero. Addresses are compared as .symtab has
 * them. In a relocatable file they differ from those in the debug information.
 */
#include "encoder/select/kfuncs.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* include/linux/btf_ids.h: BTF_SET8_KFUNCS */
enum { SET_IS_KFUNCS = 1u << 0 };

static const char SET_PREFIX[] = "__BTF_ID__set8__";
static const char FUNC_PREFIX[] = "__BTF_ID__func__";

struct id_section {
	const struct object *o;
	const struct object_section *s;
	uint32_t index;
	/* by word of the section, and one element for all behind it: how many kfunc sets have it */
	uint32_t *nr_sets;
};

static void release_section(struct id_section *ids)
{
	free(ids->nr_sets);
}

/* Read the word behind the one at @sym. It has the flags, both of a set and of an id. */
static struct err *read_flags(const struct id_section *ids, const struct symbol *sym, uint32_t *ret)
{
	const struct object_section *s = ids->s;
	uint64_t offset = sym->value - s->addr; /* an address below wraps and is refused */

	if (!bytes_have(s->data, offset, 2 * sizeof(uint32_t)))
		return err_new(ERR_FORMAT,
			       ".BTF_ids+%#jx: symbol '%s' lies outside of the %#zx bytes",
			       (uintmax_t)offset, sym->name, s->data.len);
	*ret = swap32(load32(s->data.ptr + offset + sizeof(uint32_t)), ids->o->swap);
	return NULL;
}

/* The word of the section at @addr, or its number of words for all other addresses. */
static size_t word_at(const struct id_section *ids, uint64_t addr)
{
	uint64_t word = (addr - ids->s->addr) / sizeof(uint32_t);
	size_t nr = ids->s->data.len / sizeof(uint32_t);

	return word < nr ? (size_t)word : nr;
}

static struct err *find_sets(struct id_section *ids, const struct symbols *syms)
{
	size_t nr = ids->s->data.len / sizeof(uint32_t);

	/* first the difference to the word before, then the number */
	ids->nr_sets = mem_zalloc(nr + 2, sizeof(ids->nr_sets[0]));
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
		size_t first = word_at(ids, sym->value);
		uint64_t words = sym->size / sizeof(uint32_t);

		ids->nr_sets[first]++;
		ids->nr_sets[words <= nr - first ? first + (size_t)words : nr + 1]--;
	}
	for (size_t i = 1; i <= nr; i++)
		ids->nr_sets[i] += ids->nr_sets[i - 1];
	return NULL;
}

/*
 * The type or function that a symbol @name refers to: "vfs_close" of
 * "__BTF_ID__func__vfs_close__1". False if it is no such symbol.
 */
static bool read_name(const char *name, struct btf_id_symbol *ret)
{
	static const struct {
		const char *prefix;
		enum btf_kind kind;
	} prefixes[] = { { FUNC_PREFIX, BTF_FUNC },
			 { "__BTF_ID__struct__", BTF_STRUCT },
			 { "__BTF_ID__union__", BTF_UNION },
			 { "__BTF_ID__typedef__", BTF_TYPEDEF } };
	size_t i = 0;

	while (i < ARRAY_SIZE(prefixes) && !starts_with(name, prefixes[i].prefix))
		i++;
	if (i == ARRAY_SIZE(prefixes))
		return false;
	name += strlen(prefixes[i].prefix);

	const char *last = strrchr(name, '_');
	if (!last || last == name || last[-1] != '_')
		return false;
	*ret = (struct btf_id_symbol){ name, (size_t)(last - 1 - name), prefixes[i].kind, false };
	return true;
}

static struct err *find_ids(const struct id_section *ids, const struct symbols *syms,
			    struct kfuncs *ret)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *sym = &syms->all[i];
		struct btf_id_symbol id;

		if (sym->section != ids->index || !read_name(sym->name, &id))
			continue;
		id.kfunc = id.kind == BTF_FUNC && ids->nr_sets[word_at(ids, sym->value)];
		vec_push(&ret->ids, id);
		if (!id.kfunc)
			continue;
		ptrdiff_t func = symbols_find_func(syms, id.name, id.len);
		if (func < 0)
			continue;

		struct kfunc k = { .func = (uint32_t)func, .symbol = (uint32_t)i };
		TRY(read_flags(ids, sym, &k.flags));
		vec_push(ret, k);
	}
	return NULL;
}

static int by_func_and_symbol(const void *a, const void *b)
{
	const struct kfunc *x = a, *y = b;

	if (x->func != y->func)
		return x->func < y->func ? -1 : 1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/* Sort by function. Of several entries of one function the last stays. */
static void sort_kfuncs(struct kfuncs *k)
{
	size_t nr = 0;

	vec_sort(k, by_func_and_symbol);
	for (size_t i = 0; i < k->nr; i++) {
		if (i + 1 == k->nr || k->items[i + 1].func != k->items[i].func)
			k->items[nr++] = k->items[i];
	}
	k->nr = nr;
}

struct err *kfuncs_read(const struct object *o, const struct symbols *syms, struct kfuncs *ret)
{
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };
	const struct object_section *s = object_section(o, ".BTF_ids");

	/* In the debug file of a stripped kernel the section has no data. */
	if (s && s->data.len) {
		CLEANUP(release_section)
		struct id_section ids = { .o = o, .s = s, .index = (uint32_t)(s - o->sections) };

		TRY(err_at(find_sets(&ids, syms), "'%s'", o->path));
		TRY(err_at(find_ids(&ids, syms, &k), "'%s'", o->path));
		sort_kfuncs(&k);
	}
	if (k.nr)
		k.listed = mem_zalloc(syms->nr_funcs, sizeof(k.listed[0]));
	for (size_t i = 0; i < k.nr; i++)
		k.listed[k.items[i].func] = true;
	*ret = TAKE(k);
	return NULL;
}

void kfuncs_release(struct kfuncs *k)
{
	FREE_ALL(k->items, k->listed, k->ids.items);
	*k = (struct kfuncs){ 0 };
}

const struct kfunc *kfuncs_find(const struct kfuncs *k, uint32_t func)
{
	if (!k->listed || !k->listed[func])
		return NULL;

	size_t at = LOWER_BOUND(0, k->nr, i, k->items[i].func < func);

	return at < k->nr && k->items[at].func == func ? &k->items[at] : NULL;
}

/* KSYM_NAME_LEN: the kernel has no longer names. A damaged file may have many, which share their ends. */
enum { KERNEL_NAME_MAX = 512 };

bool kfuncs_add_to_symbols(const struct kfuncs *k, struct symbols *syms)
{
	CLEANUP(vec_release) VEC(struct func_entry) missing = { 0 };

	for (size_t i = 0; i < k->ids.nr; i++) {
		const struct btf_id_symbol *id = &k->ids.items[i];

		if (id->kfunc && id->len <= KERNEL_NAME_MAX &&
		    symbols_find_func(syms, id->name, id->len) < 0)
			vec_push(&missing, ((struct func_entry){ .name = id->name,
								 .name_len = (uint32_t)id->len }));
	}
	symbols_add_funcs(syms, missing.items, missing.nr);
	return missing.nr;
}
