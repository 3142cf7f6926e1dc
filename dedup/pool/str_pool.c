/* SPDX-License-Identifier: GPL-2.0-only */
/* str_pool.c - see str_pool.h */
#include "dedup/pool/str_pool.h"

#include "base/hash.h"
#include "base/id_set.h"
#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const struct str_pool *pool;
	const char *s;
	size_t len;
};

void str_pool_init(struct str_pool *p)
{
	memset(p, 0, sizeof(*p));
	id_set_init(&p->set);
	atomic_init(&p->end, 1);
	p->looked_up = 1;
	pthread_mutex_init(&p->copies_lock, NULL);
}

void str_pool_release(struct str_pool *p)
{
	id_set_release(&p->set);
	id_array_release(&p->entries);
	arena_release(&p->copies);
}

ALWAYS_INLINE bool same_text(void *ctx, uint32_t id)
{
	const struct text *t = ctx;
	const struct str_entry *e = str_pool_at(t->pool, id);

	return e->len == t->len && !memcmp(e->text, t->s, t->len);
}

uint32_t str_pool_find(struct str_pool *p, const char *s, size_t len)
{
	struct text t = { p, s, len };

	return len ? id_set_find(&p->set, hash_bytes(s, len), same_text, &t) : 0;
}

static const char *copy_text(struct str_pool *p, const char *s, size_t len)
{
	lock_take(&p->copies_lock);
	const char *copy = arena_strndup(&p->copies, s, len);
	lock_drop(&p->copies_lock);
	return copy;
}

/* Search again under the lock, because another thread may add the same string. */
static NOINLINE uint32_t add_new(struct str_pool *p, struct text *t, uint64_t hash, bool copy)
{
	struct id_set_shard *shard = id_set_shard(&p->set, hash);

	lock_take(&shard->lock);
	uint32_t id = id_set_find(&p->set, hash, same_text, t);
	if (!id) {
		id = atomic_fetch_add_explicit(&p->end, 1, memory_order_relaxed);
		if (id >= STR_POOL_MAX || t->len > UINT32_MAX)
			mem_die();

		struct str_entry *e = id_array_make(&p->entries, id, sizeof(*e));
		e->text = copy ? copy_text(p, t->s, t->len) : t->s;
		e->len = (uint32_t)t->len;
		id_set_reserve(shard);
		id_set_put(shard, hash, id);
	}
	lock_drop(&shard->lock);
	return id;
}

ALWAYS_INLINE uint32_t add(struct str_pool *p, const char *s, size_t len, bool copy)
{
	struct text t = { p, s, len };

	if (!len)
		return 0;

	uint64_t hash = hash_bytes(s, len);
	uint32_t id = id_set_find(&p->set, hash, same_text, &t);
	return likely(id) ? id : add_new(p, &t, hash, copy);
}

uint32_t str_pool_add(struct str_pool *p, const char *s, size_t len)
{
	return add(p, s, len, false);
}

uint32_t str_pool_add_copy(struct str_pool *p, const char *s, size_t len)
{
	return add(p, s, len, true);
}

bool str_pool_uses_new(const struct str_pool *p)
{
	uint32_t end = atomic_load(&p->end), id = p->looked_up;

	while (id < end && !str_entry_is_used(str_pool_at(p, id)))
		id++;
	return id < end;
}

/* So many bytes of strings are laid out without a question: all that the kernel would take. */
enum { STRINGS_FREE = 16 << 20, STRINGS_FACTOR = 4 };

static int by_end(const void *a, const void *b)
{
	const struct str_entry *x = *(const struct str_entry *const *)a;
	const struct str_entry *y = *(const struct str_entry *const *)b;
	uintptr_t end_x = (uintptr_t)x->text + x->len, end_y = (uintptr_t)y->text + y->len;

	if (end_x != end_y)
		return end_x < end_y ? -1 : 1;
	return (x->len > y->len) - (x->len < y->len);
}

/*
 * Where strings end alike a linker puts one into the other, which saves some percent. Thousands in
 * one another are a few bytes of the input, and would be gigabytes of the result.
 */
static struct err *check_ends(const struct str_pool *p, const struct sort_key *used, size_t nr,
			      uint64_t len)
{
	const struct str_entry **sorted;
	uint64_t room = 0;

	if (len <= STRINGS_FREE)
		return NULL;
	sorted = mem_alloc(nr * sizeof(*sorted));
	for (size_t i = 0; i < nr; i++)
		sorted[i] = str_pool_at(p, used[i].id);
	qsort(sorted, nr, sizeof(*sorted), by_end);
	for (size_t i = 0; i < nr; i++) {
		if (i + 1 == nr ||
		    sorted[i]->text + sorted[i]->len != sorted[i + 1]->text + sorted[i + 1]->len)
			room += (uint64_t)sorted[i]->len + 1;
	}
	free(sorted);
	if (len / STRINGS_FACTOR <= room)
		return NULL;
	return err_new(ERR_FORMAT, "%llu bytes of names are the ends of others, of %llu bytes",
		       (unsigned long long)len, (unsigned long long)room);
}

struct err *str_pool_layout(struct str_pool *p, uint32_t base, char **ret_text, size_t *ret_len,
			    size_t *ret_apart)
{
	uint32_t end = atomic_load(&p->end);
	struct sort_key *used = mem_alloc((size_t)end * sizeof(*used));
	size_t nr = 0;
	uint64_t len = base ? 0 : 1;

	for (uint32_t id = 1; id < end; id++) {
		const struct str_entry *e = str_pool_at(p, id);
		uint64_t inv_first_use = atomic_load_explicit(&e->inv_first_use,
							      memory_order_relaxed);

		if (!inv_first_use || e->in_base)
			continue;
		used[nr++] = (struct sort_key){ ~inv_first_use, id };
		len += (uint64_t)e->len + 1;
	}
	if (len + base > UINT32_MAX) {
		free(used);
		return err_new(ERR_LIMIT, "%llu bytes of strings: BTF has at most 4 GiB",
			       (unsigned long long)len);
	}
	struct err *e = check_ends(p, used, nr, len);
	if (e) {
		free(used);
		return e;
	}
	sort_by_key(used, nr);

	char *text = mem_alloc((size_t)len), *pos = text;
	if (!base)
		*pos++ = '\0';
	*ret_apart = (size_t)len;
	for (size_t i = nr; i-- > 0 && used[i].key & STR_PLACE_APART;)
		*ret_apart -= (size_t)str_pool_at(p, used[i].id)->len + 1;
	for (size_t i = 0; i < nr; i++) {
		struct str_entry *s = str_pool_at(p, used[i].id);

		s->offset = base + (uint32_t)(pos - text);
		memcpy(pos, s->text, (size_t)s->len + 1);
		pos += s->len + 1;
	}
	free(used);
	*ret_text = text;
	*ret_len = (size_t)len;
	return NULL;
}
