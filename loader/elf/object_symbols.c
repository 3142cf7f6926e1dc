/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * object_symbols.c - see object_symbols.h
 *
 * A file may have any number of variables at the start of one section, and each is looked up, so no lookup
 * walks over the symbols of a section or of an address.
 */
#include "loader/elf/object_symbols.h"

#include "base/cleanup.h"
#include "base/sort.h"

#include <elf.h>
#include <stdlib.h>

/* Symbols at one address of a section whose names are the same up to their end or to a '.'. */
struct object_size {
	const char *name;
	uint32_t len, section;
	uint64_t value, size;
	bool differ; /* they have several sizes */
};

/* No variable with a longer name is described (encoder/unit/var_name.h), so no size is needed. */
enum { MAX_NAME = 128 };

/*
 * Names may end alike, and share their ends. Reading a table of names some times is enough for what
 * compilers write.
 */
enum { NAMES_FACTOR = 64, NAMES_FREE = 1 << 20 };

static uint64_t hash_in(uint32_t section, uint64_t value, const char *name, size_t len)
{
	return hash_mix(hash_mix(section, value), hash_bytes(name, len));
}

static bool is_wanted(const struct object *o, const struct symbol *s, const bool *wanted)
{
	return s->type == STT_OBJECT && s->section < o->nr_sections &&
	       (!wanted || wanted[s->section]);
}

/* Put the symbols of each section together. */
static void group(const struct object *o, const struct symbol *all, size_t nr, const bool *wanted,
		  struct object_symbols *s)
{
	uint32_t *start = mem_zalloc(o->nr_sections + 2, sizeof(start[0]));

	for (size_t i = 0; i < nr; i++)
		if (is_wanted(o, &all[i], wanted))
			start[all[i].section + 2]++;
	for (size_t i = 2; i < o->nr_sections + 2; i++)
		start[i] += start[i - 1];

	/* start[n + 1] is now the first of section n, and moves to its end */
	s->items = mem_alloc(start[o->nr_sections + 1] * sizeof(s->items[0]));
	for (size_t i = 0; i < nr; i++)
		if (is_wanted(o, &all[i], wanted))
			s->items[start[all[i].section + 1]++] = all[i];
	s->start = start;
	s->nr_sections = o->nr_sections;
}

static void index_name(struct object_symbols *s, uint32_t i, size_t len)
{
	const struct symbol *sym = &s->items[i];
	uint64_t hash = hash_in(sym->section, 0, sym->name, len);

	if (!HASH_FIND(&s->by_name, hash, k,
		       s->items[k - 1].section == sym->section &&
			       !strcmp(s->items[k - 1].name, sym->name)))
		hash_table_add(&s->by_name, hash, i + 1);
}

static const struct object_size *find_size(const struct object_symbols *s, const char *name,
					   size_t len, uint32_t section, uint64_t value,
					   uint64_t hash)
{
	uint32_t at = HASH_FIND(&s->by_address, hash, k,
				s->sizes.items[k - 1].section == section &&
					s->sizes.items[k - 1].value == value &&
					s->sizes.items[k - 1].len == len &&
					!memcmp(s->sizes.items[k - 1].name, name, len));

	return at ? &s->sizes.items[at - 1] : NULL;
}

/* The first @len bytes of the name of @sym stand for its size. */
static void add_size(struct object_symbols *s, const struct symbol *sym, size_t len)
{
	uint64_t hash = hash_in(sym->section, sym->value, sym->name, len);
	const struct object_size *known = find_size(s, sym->name, len, sym->section, sym->value,
						    hash);

	if (known) {
		struct object_size *x = &s->sizes.items[known - s->sizes.items];

		x->differ |= x->size && x->size != sym->size;
		x->size = sym->size;
		return;
	}
	vec_push(&s->sizes, ((struct object_size){ sym->name, (uint32_t)len, sym->section,
						   sym->value, sym->size, false }));
	hash_table_add(&s->by_address, hash, (uint32_t)s->sizes.nr);
}

static void index_size(struct object_symbols *s, const struct symbol *sym, size_t len)
{
	for (size_t i = 0; i < len && i <= MAX_NAME; i++)
		if (sym->name[i] == '.')
			add_size(s, sym, i);
	if (len <= MAX_NAME)
		add_size(s, sym, len);
}

/* By the bytes from the end of the name on. */
static int compare_ends(const char *x, size_t x_len, const char *y, size_t y_len)
{
	while (x_len && y_len) {
		unsigned char a = (unsigned char)x[--x_len], b = (unsigned char)y[--y_len];

		if (a != b)
			return a < b ? -1 : 1;
	}
	return (x_len > 0) - (y_len > 0);
}

static int compare_start(const struct symbol *s, size_t s_len, const char *name, size_t len,
			 uint32_t section, uint64_t size)
{
	if (s->section != section)
		return s->section < section ? -1 : 1;
	if (s->size != size)
		return s->size < size ? -1 : 1;
	return compare_ends(s->name, s_len, name, len);
}

static int by_end(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;

	return compare_start(x, strlen(x->name), y->name, strlen(y->name), y->section, y->size);
}

/* Sort @starts, and keep one of equal ones. */
static void sort_starts(struct object_symbols *s)
{
	size_t nr = 0;

	vec_sort(&s->starts, by_end);
	for (size_t i = 0; i < s->starts.nr; i++) {
		if (!nr || by_end(&s->starts.items[nr - 1], &s->starts.items[i]))
			s->starts.items[nr++] = s->starts.items[i];
	}
	s->starts.nr = nr;
}

struct err *object_symbols_make(const struct object *o, const struct symbol *all, size_t nr,
				size_t names_len, const bool *wanted, struct object_symbols *ret)
{
	CLEANUP(object_symbols_release) struct object_symbols s = { 0 };
	uint64_t sum = 0, most = (uint64_t)names_len * NAMES_FACTOR + NAMES_FREE;

	group(o, all, nr, wanted, &s);
	uint32_t end = s.start[s.nr_sections];
	hash_table_reserve(&s.by_name, end);
	hash_table_reserve(&s.by_address, end);
	for (uint32_t i = 0; i < end; i++) {
		const struct symbol *sym = &s.items[i];
		size_t len = strlen(sym->name);

		sum += len;
		if (sum > most)
			return err_new(ERR_LIMIT,
				       "symbol '%.64s': name of %zu bytes, of %zu in all",
				       sym->name, len, names_len);
		index_name(&s, i, len);
		index_size(&s, sym, len);
		if (sym->value == (o->is_rel ? 0 : o->sections[sym->section].addr))
			vec_push(&s.starts, sym);
	}
	sort_starts(&s);
	*ret = TAKE(s);
	return NULL;
}

void object_symbols_release(struct object_symbols *s)
{
	FREE_ALL(s->items, s->start, s->sizes.items, (void *)s->starts.items);
	hash_table_release(&s->by_name);
	hash_table_release(&s->by_address);
	*s = (struct object_symbols){ 0 };
}

bool object_symbols_have(const struct object_symbols *s, const char *name, size_t len,
			 uint32_t section)
{
	return HASH_FIND(&s->by_name, hash_in(section, 0, name, len), k,
			 s->items[k - 1].section == section &&
				 !strncmp(s->items[k - 1].name, name, len) &&
				 !s->items[k - 1].name[len]);
}

uint64_t object_symbols_size(const struct object_symbols *s, const char *name, size_t len,
			     uint32_t section, uint64_t value)
{
	const struct object_size *found = find_size(s, name, len, section, value,
						    hash_in(section, value, name, len));

	return found && !found->differ ? found->size : 0;
}

bool object_symbols_have_prefixed(const struct object_symbols *s, const char *name, size_t len,
				  uint32_t section, uint64_t size)
{
	size_t at = LOWER_BOUND(0, s->starts.nr, i,
				compare_start(s->starts.items[i], strlen(s->starts.items[i]->name),
					      name, len, section, size) <= 0);
	if (at == s->starts.nr)
		return false;
	const struct symbol *found = s->starts.items[at];
	size_t have = strlen(found->name);

	return have > len && found->section == section && found->size == size &&
	       !memcmp(found->name + have - len, name, len);
}
