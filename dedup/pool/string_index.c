/* SPDX-License-Identifier: GPL-2.0-only */
/* string_index.c - see string_index.h */
#include "dedup/pool/string_index.h"

#include <string.h>

static const char *text_at(const struct string_index *x, uint32_t offset)
{
	size_t i = x->nr_sections - 1;

	while (offset < x->sections[i].start)
		i--;
	return x->sections[i].text + (offset - x->sections[i].start);
}

/* The offset, plus one, of the string @s; 0 if there is none. */
static uint32_t find(const struct string_index *x, const char *s, uint64_t hash)
{
	return HASH_FIND(&x->by_text, hash, off, !strcmp(text_at(x, off - 1), s));
}

static size_t count_strings(const char *text, size_t len)
{
	size_t nr = 0;

	for (size_t pos = 0; pos < len; nr++)
		pos = (size_t)((const char *)memchr(text + pos, '\0', len - pos) - text) + 1;
	return nr;
}

static void add(struct string_index *x, const char *s, size_t len, uint32_t offset)
{
	uint64_t hash = hash_bytes(s, len);

	if (find(x, s, hash))
		x->repeats = true;
	else
		hash_table_add(&x->by_text, hash, offset + 1);
}

void string_index_wanted(const struct str_pool *p, struct bloom_filter *ret)
{
	uint32_t end = atomic_load(&p->end);

	bloom_filter_init(ret, end - p->looked_up);
	for (uint32_t id = p->looked_up; id < end; id++)
		bloom_filter_add(ret, str_pool_at(p, id)->text, str_pool_at(p, id)->len);
}

void string_index_add(struct string_index *x, const char *text, uint32_t len, uint32_t start,
		      const struct bloom_filter *wanted)
{
	const char *end = text + len;

	assert(x->nr_sections < STRING_INDEX_SECTIONS && (!len || !text[len - 1]));
	x->sections[x->nr_sections].text = text;
	x->sections[x->nr_sections].start = start;
	x->sections[x->nr_sections++].len = len;
	if (!wanted)
		hash_table_reserve(&x->by_text, count_strings(text, len));
	for (const char *s = text, *stop; s < end; s = stop + 1) {
		uint64_t w = load_start(s, (size_t)(end - s)), zeros = zero_bytes(w);
		bool enter = !wanted || bloom_filter_has(wanted, up_to_zero(w, zeros));

		/* a short string ends in @w; no string ends behind @end */
		for (stop = s; !zeros; zeros = zero_bytes(load_start(stop, (size_t)(end - stop))))
			stop += sizeof(w);
		stop += first_byte(zeros);
		if (unlikely(enter) && stop > s)
			add(x, s, (size_t)(stop - s), start + (uint32_t)(s - text));
	}
}

void string_index_release(struct string_index *x)
{
	hash_table_release(&x->by_text);
	*x = (struct string_index){ 0 };
}

uint32_t string_index_first(const struct string_index *x, uint32_t offset)
{
	const char *s = text_at(x, offset);
	uint32_t first = find(x, s, hash_bytes(s, strlen(s)));

	return first ? first - 1 : 0;
}

/* Strings are looked up in batches, so that their memory can be prefetched. */
struct wanted {
	struct str_entry *e;
	uint64_t hash;
};

enum { BATCH = 16 };

static void find_some(const struct string_index *x, const struct wanted *w, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t offset = (uint32_t)*hash_table_first_slot(&x->by_text, w[i].hash);

		if (offset)
			__builtin_prefetch(text_at(x, offset - 1));
	}
	for (size_t i = 0; i < nr; i++) {
		uint32_t offset = find(x, w[i].e->text, w[i].hash);

		if (offset)
			str_entry_set_in_base(w[i].e, offset - 1);
	}
}

void string_index_find(const struct string_index *x, struct str_pool *p)
{
	uint32_t end = atomic_load(&p->end);
	struct wanted some[BATCH];
	size_t nr = 0;

	if (!x->by_text.nr)
		return;
	for (; p->looked_up < end; p->looked_up++) {
		struct str_entry *e = str_pool_at(p, p->looked_up);

		some[nr] = (struct wanted){ e, hash_bytes(e->text, e->len) };
		__builtin_prefetch(hash_table_first_slot(&x->by_text, some[nr++].hash));
		if (nr == BATCH) {
			find_some(x, some, nr);
			nr = 0;
		}
	}
	find_some(x, some, nr);
}
