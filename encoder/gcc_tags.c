/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc_tags.c - see gcc_tags.h */
#include "encoder/gcc_tags.h"

#include "base/hash.h"
#include "dedup/btf_kind.h"

#include <stdlib.h>

enum { TAG_ENUM = 1 << 0, TAG_STRUCT = 1 << 1 };

struct gcc_tag {
	const char *name; /* NULL: empty */
	uint64_t hash;
	uint8_t kinds;
};

/* The slot of @name, or the empty one where it belongs. There is always an empty one. */
static struct gcc_tag *find_tag(const struct gcc_tags *t, const char *name, uint64_t hash)
{
	size_t i = hash & (t->cap - 1);

	while (t->slots[i].name && (t->slots[i].hash != hash || strcmp(t->slots[i].name, name)))
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static void grow_tags(struct gcc_tags *t)
{
	struct gcc_tags old = *t;

	t->cap = old.cap ? old.cap * 2 : 1024;
	t->slots = mem_zalloc(t->cap, sizeof(*t->slots));
	for (size_t i = 0; i < old.cap; i++) {
		const struct gcc_tag *s = &old.slots[i];

		if (s->name)
			*find_tag(t, s->name, s->hash) = *s;
	}
	free(old.slots);
}

void gcc_tags_add(struct gcc_tags *t, const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
		bool is_enum = kind == BTF_ENUM || kind == BTF_ENUM64;

		if (!rec[BTF_REC_NAME] || (!is_enum && kind != BTF_STRUCT))
			continue;
		if (t->nr >= t->cap / 2)
			grow_tags(t);

		const char *name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);
		uint64_t hash = hash_bytes(name, strlen(name));
		struct gcc_tag *slot = find_tag(t, name, hash);
		t->nr += !slot->name;
		slot->name = name;
		slot->hash = hash;
		slot->kinds |= is_enum ? TAG_ENUM : TAG_STRUCT;
	}
}

void gcc_tags_release(struct gcc_tags *t)
{
	free(t->slots);
	*t = (struct gcc_tags){ 0 };
}

bool gcc_tags_say_enum(const struct gcc_tags *t, const char *name)
{
	return t->nr && find_tag(t, name, hash_bytes(name, strlen(name)))->kinds == TAG_ENUM;
}
