/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.c - see symbols.h
 *
 * The order of functions in BTF is the order of their keys, so the keys are sorted here,
 * once. A kernel has 100,000 functions, half of whose names start with "__pfx_"; a plain
 * sort would compare these beginnings again and again. Ours takes eight bytes of
 * each name at a time as one number, sorts by it, and looks at the next eight only
 * among those which are still equal.
 */
#include "loader/elf/symbols.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/sort.h"
#include "base/vec.h"
#include "loader/elf/header_tables.h"
#include "loader/elf/image.h"

#include <stdlib.h>

/* A function symbol on its way into the table. */
struct item {
	const char *name;
	uint32_t symbol;
	uint32_t key_len;
};

struct items {
	struct item *items;
	size_t nr, cap;
};

/* Items [@first, @end) have the same first @depth bytes and wait to be sorted. */
struct span {
	size_t first, end, depth;
};

/* *ret stays as it is for a symbol without a name. */
static struct err *read_name(struct bytes strings, size_t last, bool any, uint32_t offset,
			     const char **ret)
{
	if (offset == 0)
		return NULL;
	if (!any || offset > last)
		return err_new(ERR_FORMAT, "name at %#x of %#zx bytes of names", offset,
			       strings.len);
	*ret = (const char *)strings.ptr + offset;
	return NULL;
}

static struct err *read_table(const struct object *o, size_t index, struct symbols *s)
{
	const struct object_section *sec = &o->sections[index];
	size_t size = image_symbol_size(o), last = 0;
	struct image_symtab tab = { 0 };

	TRY(image_symtab(o, index, &tab));
	if (sec->link >= o->nr_sections)
		return err_new(ERR_FORMAT, "names in section %u of %zu", sec->link, o->nr_sections);
	if (tab.nr > UINT32_MAX / 2)
		return err_new(ERR_LIMIT, "%zu symbols", tab.nr);

	struct bytes strings = o->sections[sec->link].data;
	bool any = last_string_in(strings, &last);
	s->nr_all = tab.nr ? tab.nr - 1 : 0;
	s->all = mem_alloc(s->nr_all * sizeof(s->all[0]));
	for (size_t i = 1; i < tab.nr; i++) {
		struct image_symbol in = image_symbol_at(o, tab.data.ptr + i * size);
		struct symbol *sym = &s->all[i - 1];

		*sym = (struct symbol){
			.name = "",
			.value = in.value,
			.size = in.size,
			.section = in.shndx,
			.type = ELF64_ST_TYPE(in.info),
			.bind = ELF64_ST_BIND(in.info),
			.visibility = ELF64_ST_VISIBILITY(in.other),
		};
		if (in.shndx == SHN_XINDEX && tab.shndx.len)
			sym->section = image_symbol_section(o, &tab, i, in.shndx);
		else if (in.shndx >= SHN_LORESERVE)
			sym->section = SYMBOL_RESERVED + in.shndx;
		TRY(err_at(read_name(strings, last, any, in.name, &sym->name), "symbol %zu", i));
	}
	return NULL;
}

/* As far as the key of @name goes. */
static size_t key_length(const char *name)
{
	return (size_t)(strchrnul(name, '.') - name);
}

/*
 * gcc's names for parts of a function: "foo.cold" is its unlikely half, "foo.part.0"
 * its outlined one. pahole leaves both out; their address is not that of foo.
 */
static bool is_fragment(const char *suffix)
{
	return strstr(suffix, ".cold") || strstr(suffix, ".part");
}

static bool is_optimized(const char *suffix)
{
	return strstr(suffix, ".isra") || strstr(suffix, ".constprop");
}

/*
 * Compilers add these to the name of a function that is not a copy: clang ".llvm.N" and ".__uniq.N", gcc
 * ".lto_priv.N", and ".N" to nested functions.
 */
static bool is_own(const char *suffix)
{
	static const char *const words[] = { "llvm", "__uniq", "lto_priv" };

	while (*suffix == '.') {
		size_t len = strcspn(++suffix, "."), i = 0;
		bool number = len && strspn(suffix, "0123456789") >= len;

		while (i < ARRAY_SIZE(words) &&
		       (strlen(words[i]) != len || memcmp(suffix, words[i], len) != 0))
			i++;
		if (!number && i == ARRAY_SIZE(words))
			return false;
		suffix += len;
	}
	return true;
}

/*
 * Names may end alike, and share their ends. Reading a table of names some times is enough for what
 * compilers write.
 */
enum { NAMES_FACTOR = 64, NAMES_FREE = 1 << 20 };

static struct err *collect_functions(const struct symbols *s, size_t nr_bytes, struct items *ret)
{
	uint64_t sum = 0, most = (uint64_t)nr_bytes * NAMES_FACTOR + NAMES_FREE;

	for (size_t i = 0; i < s->nr_all; i++) {
		const struct symbol *sym = &s->all[i];

		if (sym->type != STT_FUNC)
			continue;
		size_t len = key_length(sym->name);
		if (sym->name[len] && is_fragment(sym->name + len))
			continue;
		sum += len;
		if (len > UINT32_MAX || sum > most)
			return err_new(ERR_LIMIT, "symbol %zu: name of %zu bytes, of %zu in all",
				       i + 1, len, nr_bytes);
		vec_push(ret, ((struct item){
				      .name = sym->name,
				      .symbol = (uint32_t)i,
				      .key_len = (uint32_t)len,
			      }));
	}
	return NULL;
}

/* Bytes [@depth, @depth + 8) of the key of @it, zeros behind its end. */
static uint64_t key_word(const struct item *it, size_t depth)
{
	const uint8_t *p = (const uint8_t *)it->name + depth;
	size_t len = it->key_len > depth ? it->key_len - depth : 0;
	uint64_t word = 0;

	if (likely(len >= 8))
		return swap64(load64(p), __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	for (size_t i = 0; i < len; i++)
		word |= (uint64_t)p[i] << (56 - 8 * i);
	return word;
}

/*
 * The indexes of @funcs in the order of their keys, and of equal keys in that of the symbol table: all
 * sorts are stable. Keys contain no zero byte, so a word whose last byte is zero ends its key.
 */
static struct sort_key *sort_functions(const struct items *funcs)
{
	struct sort_key *order = mem_alloc(funcs->nr * sizeof(order[0]));
	CLEANUP(vec_release) VEC(struct span) todo = { 0 };

	for (size_t i = 0; i < funcs->nr; i++)
		order[i].id = (uint32_t)i;
	if (funcs->nr > 1)
		vec_push(&todo, ((struct span){ .end = funcs->nr }));
	while (todo.nr) {
		struct span sp = todo.items[--todo.nr];

		for (size_t i = sp.first; i < sp.end; i++)
			order[i].key = key_word(&funcs->items[order[i].id], sp.depth);
		sort_by_key(order + sp.first, sp.end - sp.first);
		for (size_t i = sp.first, end; i < sp.end; i = end) {
			for (end = i + 1; end < sp.end && order[end].key == order[i].key;)
				end++;
			if (end - i > 1 && (order[i].key & 0xff))
				vec_push(&todo, ((struct span){ i, end, sp.depth + 8 }));
		}
	}
	return order;
}

static bool same_key(const struct item *a, const struct item *b)
{
	return a->key_len == b->key_len && memcmp(a->name, b->name, a->key_len) == 0;
}

/*
 * pahole's test: an address that follows another one, not 0, and differs from it. With
 * a 0 among them, as in relocatable files, it depends on the order.
 */
static bool is_ambiguous(const struct func_symbol *syms, size_t nr)
{
	uint64_t addr = 0;

	for (size_t i = 0; i < nr; i++) {
		if (addr != 0 && syms[i].value != addr)
			return true;
		addr = syms[i].value;
	}
	return false;
}

static struct func_symbol func_symbol_of(const struct object *o, const struct item *it,
					 const struct symbols *s)
{
	const struct symbol *sym = &s->all[it->symbol];
	const char *suffix = it->name + it->key_len;
	bool moved = o->is_rel && sym->section < o->nr_sections;

	return (struct func_symbol){
		.value = sym->value,
		.debug_addr = sym->value + (moved ? o->sections[sym->section].debug_addr : 0),
		.name = it->name,
		.symbol = it->symbol,
		.optimized = *suffix && is_optimized(suffix),
		.own = is_own(suffix),
		.defined = sym->section != SHN_UNDEF,
	};
}

/* The order of the names is not that of the symbol table. */
enum { PREFETCH_ITEM = 16, PREFETCH_SYMBOL = 8 };

ALWAYS_INLINE void prefetch_symbol(const struct items *funcs, const struct sort_key *order,
				   size_t i, const struct symbols *s)
{
	if (i + PREFETCH_ITEM >= funcs->nr)
		return;
	__builtin_prefetch(&funcs->items[order[i + PREFETCH_ITEM].id]);

	const struct item *it = &funcs->items[order[i + PREFETCH_SYMBOL].id];
	__builtin_prefetch(&s->all[it->symbol]);
	__builtin_prefetch(it->name + it->key_len);
}

static void group_functions(const struct object *o, const struct items *funcs, struct symbols *s)
{
	CLEANUP(mem_free) struct sort_key *order = sort_functions(funcs);

	assert(s->all);
	s->func_symbols = mem_alloc(funcs->nr * sizeof(s->func_symbols[0]));
	s->nr_func_symbols = funcs->nr;
	s->funcs = mem_alloc(funcs->nr * sizeof(s->funcs[0]));
	for (size_t i = 0; i < funcs->nr; i++) {
		const struct item *it = &funcs->items[order[i].id];

		prefetch_symbol(funcs, order, i, s);
		s->func_symbols[i] = func_symbol_of(o, it, s);
		if (i == 0 || !same_key(it, &funcs->items[order[i - 1].id]))
			s->funcs[s->nr_funcs++] = (struct func_entry){
				.name = it->name,
				.name_len = it->key_len,
				.first = (uint32_t)i,
			};
		s->funcs[s->nr_funcs - 1].nr++;
	}

	/* the last key is never tested: pahole's loop ends before it, and bytes follow from it */
	for (size_t i = 0; i + 1 < s->nr_funcs; i++) {
		struct func_entry *f = &s->funcs[i];

		f->ambiguous = is_ambiguous(s->func_symbols + f->first, f->nr);
	}
}

/* --- the symbol table of a debug file ------------------------------------------------- */

/* By address, then by size: .tbss has the address of the section behind it. */
static int compare_sections(const struct object_section *x, const struct object_section *y)
{
	if (x->debug_addr != y->debug_addr)
		return x->debug_addr < y->debug_addr ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static int by_address(const void *a, const void *b)
{
	const struct object_section *x = *(const struct object_section *const *)a;
	const struct object_section *y = *(const struct object_section *const *)b;
	int diff = compare_sections(x, y);

	return diff ? diff : (x > y) - (x < y);
}

/*
 * By section of @debug, the number of the same section of @o, 0 if there is none. strip and patchelf
 * renumber sections, but a loaded one keeps its address and its size.
 */
static uint32_t *match_sections(const struct object *o, const struct object *debug)
{
	CLEANUP(mem_free) const struct object_section **loaded = mem_alloc(
		o->nr_sections * sizeof(const struct object_section *));
	uint32_t *ret = mem_zalloc(debug->nr_sections, sizeof(ret[0]));
	size_t nr = 0;

	for (size_t i = 1; i < o->nr_sections; i++)
		if (o->sections[i].flags & SHF_ALLOC)
			loaded[nr++] = &o->sections[i];
	if (nr)
		qsort(loaded, nr, sizeof(loaded[0]), by_address);
	for (size_t i = 1; i < debug->nr_sections; i++) {
		const struct object_section *s = &debug->sections[i];
		size_t at = LOWER_BOUND(0, nr, k, compare_sections(loaded[k], s) < 0);

		if ((s->flags & SHF_ALLOC) && at < nr && !compare_sections(loaded[at], s))
			ret[i] = (uint32_t)(loaded[at] - o->sections);
	}
	return ret;
}

/* @s has the symbols of @debug: make their sections those of @o. */
static void move_symbols(const struct object *o, const struct object *debug, struct symbols *s)
{
	uint32_t *sections = match_sections(o, debug);

	for (size_t i = 0; i < s->nr_all; i++) {
		struct symbol *sym = &s->all[i];

		if (sym->section < debug->nr_sections)
			sym->section = sections[sym->section];
	}
	free(sections);
}

/* -------------------------------------------------------------------------------------- */

static const struct object_section *find_table(const struct object *o)
{
	const struct object_section *s = object_section(o, ".symtab");

	return s && s->type == SHT_SYMTAB && s->data.len ? s : NULL;
}

/* Read table @sec of @from, which is @o or its debug file. */
static struct err *read_symbols(const struct object *o, const struct object *from,
				const struct object_section *sec, struct symbols *s)
{
	CLEANUP(vec_release) struct items funcs = { 0 };
	size_t index = (size_t)(sec - from->sections);

	TRY(err_at(read_table(from, index, s), "section %zu ('%s')", index, sec->name));
	object_forget_section(from, sec);
	s->have_symtab = true;
	if (from != o)
		move_symbols(o, from, s);
	TRY(collect_functions(s, from->sections[sec->link].data.len, &funcs));
	group_functions(o, &funcs, s);
	s->names_len = from->sections[sec->link].data.len;
	return NULL;
}

struct err *symbols_read(const struct object *o, struct symbols *ret)
{
	CLEANUP(symbols_release) struct symbols s = { 0 };
	const struct object *from = o->impl && o->impl->debug_file ? o->impl->debug_file : o;
	const struct object_section *table = find_table(from);

	if (!table && from != o) {
		from = o;
		table = find_table(from);
	}
	if (table)
		TRY(err_at(read_symbols(o, from, table, &s), "'%s'", from->path));
	*ret = TAKE(s);
	return NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void symbols_from_names(const struct name_ids *names, struct symbols *ret)
{
	size_t nr = names->names.nr;
	CLEANUP(mem_free) const char **sorted = mem_dup(names->names.items, nr * sizeof(*sorted));
	struct symbols s = {
		.funcs = mem_zalloc(nr, sizeof(s.funcs[0])),
		.nr_funcs = nr,
		.have_symtab = true, /* it is complete */
	};

	if (nr)
		qsort(sorted, nr, sizeof(*sorted), by_text);
	for (size_t i = 0; i < nr; i++)
		s.funcs[i] = (struct func_entry){
			.name = sorted[i],
			.name_len = (uint32_t)strlen(sorted[i]),
		};
	*ret = s;
}

/* As strcmp() has it, of key @f and @name. */
static int compare_key(const struct func_entry *f, const char *name, size_t len)
{
	int diff = memcmp(f->name, name, f->name_len < len ? f->name_len : len);

	return diff ? diff : (f->name_len > len) - (f->name_len < len);
}

static int by_key(const void *a, const void *b)
{
	const struct func_entry *x = a, *y = b;

	return compare_key(x, y->name, y->name_len);
}

void symbols_add_funcs(struct symbols *s, const struct func_entry *funcs, size_t nr)
{
	CLEANUP(vec_release) VEC(struct func_entry) all = { 0 };
	size_t kept = 0;

	if (!nr)
		return;
	for (size_t i = 0; i < s->nr_funcs; i++)
		vec_push(&all, s->funcs[i]);
	for (size_t i = 0; i < nr; i++)
		vec_push(&all, funcs[i]);
	vec_sort(&all, by_key);
	for (size_t i = 0; i < all.nr; i++) {
		if (!kept || by_key(&all.items[kept - 1], &all.items[i]))
			all.items[kept++] = all.items[i];
	}
	free(s->funcs);
	s->funcs = all.items;
	s->nr_funcs = kept;
	all.items = NULL;
}

struct err *symbols_index_objects(const struct object *o, const bool *wanted, struct symbols *s)
{
	return err_at(object_symbols_make(o, s->all, s->nr_all, s->names_len, wanted, &s->objects),
		      "'%s'", o->path);
}

void symbols_drop_all(struct symbols *s)
{
	free(s->all);
	s->all = NULL;
	s->nr_all = 0;
}

void symbols_keep_funcs(struct symbols *s, struct arena *names)
{
	symbols_drop_all(s);
	object_symbols_release(&s->objects);
	for (size_t i = 0; i < s->nr_func_symbols; i++) {
		const char **name = &s->func_symbols[i].name;

		*name = arena_strndup(names, *name, strlen(*name));
	}
	for (size_t i = 0; i < s->nr_funcs; i++) {
		struct func_entry *f = &s->funcs[i];

		f->name = f->nr ? s->func_symbols[f->first].name :
				  arena_strndup(names, f->name, f->name_len);
	}
}

void symbols_release(struct symbols *s)
{
	FREE_ALL(s->all, s->funcs, s->func_symbols);
	object_symbols_release(&s->objects);
	*s = (struct symbols){ 0 };
}

ptrdiff_t symbols_find_func(const struct symbols *s, const char *name, size_t len)
{
	size_t at = LOWER_BOUND(0, s->nr_funcs, i, compare_key(&s->funcs[i], name, len) < 0);
	bool found = at < s->nr_funcs && compare_key(&s->funcs[at], name, len) == 0;

	return found ? (ptrdiff_t)at : -1;
}
