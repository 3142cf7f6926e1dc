/* SPDX-License-Identifier: GPL-2.0-only */
/* known_strings.c - see known_strings.h */
#include "encoder/member/known_strings.h"

#include <stdlib.h>
#include <string.h>

void known_strings_release(struct known_strings *k)
{
	free(k->text.items);
	free(k->strings.items);
	hash_table_release(&k->by_text);
	*k = (struct known_strings){ 0 };
}

static void forget(struct known_strings *k)
{
	k->text.nr = 0;
	k->strings.nr = 0;
	hash_table_clear(&k->by_text);
}

/* The element behind the last says where the text ends. */
static size_t count(const struct known_strings *k)
{
	return k->strings.nr - 1;
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

/* --- finding one string ---------------------------------------------------------------- */

/* There is the text of @len bytes, which is string @id. Returns its number. */
static uint32_t remember(struct known_strings *k, uint32_t id, uint64_t hash, const char *text,
			 size_t len)
{
	uint32_t number = (uint32_t)count(k);

	hash_table_add(&k->by_text, hash, number);
	vec_reserve(&k->text, len + 1);
	memcpy(k->text.items + k->text.nr, text, len + 1);
	k->text.nr += len + 1;
	k->strings.items[number].id = id;
	vec_push(&k->strings, ((struct known_string){ .start = (uint32_t)k->text.nr }));
	return number;
}

static bool is_text(const struct known_strings *k, uint32_t number, const char *text, size_t len)
{
	const struct known_string *s = &k->strings.items[number];

	return s[1].start - s->start == len + 1 && !memcmp(k->text.items + s->start, text, len);
}

/* The number of the string at @text, which is not empty. */
static uint32_t ask(struct known_strings *k, struct str_pool *pool, const char *text)
{
	size_t len = strlen(text);
	uint64_t hash = hash_bytes(text, len);

	uint32_t number = HASH_FIND(&k->by_text, hash, n, is_text(k, n, text, len));

	return number ? number : remember(k, str_pool_add_copy(pool, text, len), hash, text, len);
}

/* --- following the text ---------------------------------------------------------------- */

/* How many bytes at @a and @b are the same, of @len. */
ALWAYS_INLINE size_t same_bytes(const char *a, const char *b, size_t len)
{
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		uint64_t differ = load64(a + i) ^ load64(b + i);

		if (differ)
			return i + first_byte(differ);
	}
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
		     uint32_t mark, uint32_t *ids, uint32_t *last)
{
	const struct known_string *s = &k->strings.items[number],
				  *end = k->strings.items + count(k);
	size_t start = s->start, room = k->text.nr - start, at = 0;
	size_t same = same_bytes(k->text.items + start, text, room < len ? room : len);

	for (; s < end; s++) {
		size_t next = s[1].start - start;

		if (next > same)
			break;
		ids[at] = s->id | mark;
		at = next;
	}
	if (at)
		*last = (uint32_t)(s - 1 - k->strings.items);
	return at;
}

void known_strings_look_up(struct known_strings *k, struct str_pool *pool, struct bytes section,
			   uint32_t mark, uint32_t *ret_ids)
{
	const char *text = (const char *)section.ptr;
	uint32_t last = 0;

	prepare(k, section.len);
	for (size_t off = 0; off < section.len;) {
		struct known_string *s = &k->strings.items[last];
		size_t len = section.len - off, got = 0;
		uint32_t *ids = ret_ids + off, before = last;

		if (!text[off]) {
			off++;
			continue;
		}
		if (s->next)
			got = follow(k, s->next, text + off, len, mark, ids, &last);
		if (!got) {
			uint32_t number = s->next_before;

			if (number)
				got = follow(k, number, text + off, len, mark, ids, &last);
			if (!got) {
				number = ask(k, pool, text + off);
				got = follow(k, number, text + off, len, mark, ids, &last);
			}
			s = &k->strings.items[before];
			s->next_before = s->next;
			s->next = number;
		}
		off += got;
	}
}
