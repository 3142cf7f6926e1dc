/* SPDX-License-Identifier: GPL-2.0-only */
/* known_strings.c - see known_strings.h */
#include "encoder/known_strings.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void known_strings_release(struct known_strings *k)
{
	free(k->text.items);
	free(k->strings.items);
	free(k->by_id);
	*k = (struct known_strings){ 0 };
}

static void forget(struct known_strings *k)
{
	k->text.nr = 0;
	k->strings.nr = 0;
	if (k->by_id)
		memset(k->by_id, 0, k->by_id_cap * sizeof(k->by_id[0]));
}

/* The element behind the last says where the text ends. */
static size_t count(const struct known_strings *k)
{
	return k->strings.nr - 1;
}

/* There are @id and the text of it, @len bytes. Returns its number. */
static uint32_t remember(struct known_strings *k, uint32_t id, const char *text, size_t len)
{
	uint32_t number = (uint32_t)count(k);

	vec_reserve(&k->text, len + 1);
	memcpy(k->text.items + k->text.nr, text, len + 1);
	k->text.nr += len + 1;
	k->strings.items[number].id = id;
	vec_push(&k->strings, ((struct known_string){ .start = (uint32_t)k->text.nr }));
	if (id >= k->by_id_cap) {
		size_t cap = k->by_id_cap;

		k->by_id = mem_grow(k->by_id, &k->by_id_cap, id + (size_t)1, sizeof(k->by_id[0]));
		memset(k->by_id + cap, 0, (k->by_id_cap - cap) * sizeof(k->by_id[0]));
	}
	k->by_id[id] = number;
	return number;
}

/* Begin with a string 0 that is no string, and the end behind it. */
static void prepare(struct known_strings *k, size_t room)
{
	if (k->text.nr + room > UINT32_MAX)
		forget(k);
	if (!k->strings.nr) {
		vec_push(&k->strings, (struct known_string){ 0 });
		vec_push(&k->strings, (struct known_string){ 0 });
	}
}

/* The number of the string at @text, which is not empty. */
static uint32_t ask(struct known_strings *k, struct str_pool *pool, const char *text)
{
	size_t len = strlen(text);
	uint32_t id = str_pool_add_copy(pool, text, len);

	if (id < k->by_id_cap && k->by_id[id])
		return k->by_id[id];
	return remember(k, id, text, len);
}

/* How many bytes at @a and @b are the same, of @len. */
ALWAYS_INLINE size_t same_bytes(const char *a, const char *b, size_t len)
{
	size_t i = 0;

	while (i + 8 <= len && load64(a + i) == load64(b + i))
		i += 8;
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/*
 * See how long the text from string @number on goes on as @text does, which has @len bytes, and
 * tell the ids of what are whole strings. Returns the bytes that they take, 0 for none; then *last
 * is the last of them.
 */
static size_t follow(const struct known_strings *k, uint32_t number, const char *text, size_t len,
		     uint32_t *ids, uint32_t *last)
{
	const struct known_string *s = &k->strings.items[number],
				  *end = k->strings.items + count(k);
	size_t start = s->start, room = k->text.nr - start;
	size_t same = same_bytes(k->text.items + start, text, room < len ? room : len);

	for (; s < end && s[1].start - start <= same; s++)
		ids[s->start - start] = s->id;
	if (s->start > start)
		*last = (uint32_t)(s - 1 - k->strings.items);
	return s->start - start;
}

void known_strings_look_up(struct known_strings *k, struct str_pool *pool, struct bytes section,
			   uint32_t *ret_ids)
{
	const char *text = (const char *)section.ptr;
	uint32_t last = 0;

	prepare(k, section.len);
	for (size_t off = 0; off < section.len;) {
		struct known_string *s = &k->strings.items[last];
		size_t len = section.len - off, got = 0;

		if (!text[off]) {
			off++;
			continue;
		}
		if (s->next)
			got = follow(k, s->next, text + off, len, ret_ids + off, &last);
		if (!got) {
			uint32_t before = last, number = s->next_before;

			if (number)
				got = follow(k, number, text + off, len, ret_ids + off, &last);
			if (!got) {
				number = ask(k, pool, text + off);
				got = follow(k, number, text + off, len, ret_ids + off, &last);
			}
			s = &k->strings.items[before];
			s->next_before = s->next;
			s->next = number;
		}
		off += got;
	}
}
