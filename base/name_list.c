/* SPDX-License-Identifier: GPL-2.0-only */
/* name_list.c - see name_list.h */
#include "base/name_list.h"

#include <fnmatch.h>
#include <string.h>

bool name_is_pattern(const char *text)
{
	return text[strcspn(text, "*?[")] != '\0';
}

static uint32_t find_name(const struct name_list *l, const char *name, uint64_t hash)
{
	return HASH_FIND(&l->by_text, hash, i, !strcmp(l->entries.items[i - 1].text, name));
}

void name_list_add(struct name_list *l, const char *text)
{
	uint32_t i = (uint32_t)l->entries.nr + 1, before;
	uint64_t hash = hash_string(text);
	bool is_pattern = name_is_pattern(text);

	vec_push(&l->entries, ((struct name_list_entry){ .text = text, .is_pattern = is_pattern }));
	if (is_pattern) {
		if (l->last_pattern)
			l->entries.items[l->last_pattern - 1].next = i;
		else
			l->first_pattern = i;
		l->last_pattern = i;
		return;
	}
	before = find_name(l, text, hash);
	if (!before) {
		hash_table_add(&l->by_text, hash, i);
		return;
	}
	l->entries.items[i - 1].next = l->entries.items[before - 1].next;
	l->entries.items[before - 1].next = i;
}

/* Entry @i, which is a pattern, or the first pattern after it that matches @name. */
static uint32_t matching(const struct name_list *l, const char *name, uint32_t i)
{
	while (i) {
		const struct name_list_entry *e = &l->entries.items[i - 1];

		/* "Box<[u8]>" is a pattern, and the name of a type of Rust */
		if (!fnmatch(e->text, name, 0) || !strcmp(e->text, name))
			return i;
		i = e->next;
	}
	return 0;
}

uint32_t name_list_first(const struct name_list *l, const char *name)
{
	uint32_t i = l->by_text.nr ? find_name(l, name, hash_string(name)) : 0;

	return i ? i : matching(l, name, l->first_pattern);
}

uint32_t name_list_next(const struct name_list *l, const char *name, uint32_t i)
{
	const struct name_list_entry *e = &l->entries.items[i - 1];

	if (e->is_pattern)
		return matching(l, name, e->next);
	return e->next ? e->next : matching(l, name, l->first_pattern);
}

void name_list_release(struct name_list *l)
{
	free(l->entries.items);
	hash_table_release(&l->by_text);
	*l = (struct name_list){ 0 };
}
