/* SPDX-License-Identifier: GPL-2.0-only */
/* ambiguous_units.h - units that say types, to be resolved */
#ifndef BTFENC_TESTS_LIB_AMBIGUOUS_UNITS_H
#define BTFENC_TESTS_LIB_AMBIGUOUS_UNITS_H

#include "dedup/ambiguous/ambiguous.h"
#include "tests/lib/testlib.h"

enum { MAX_UNITS = 8, MAX_TYPES = 16 };

struct setting {
	struct str_pool strings;
	struct type_pool types;
	struct type_arena *arena;
	struct resolved_names resolved;
	uint32_t ids[MAX_UNITS][MAX_TYPES];
	struct resolve_unit units[MAX_UNITS];
	size_t nr;
};

static inline void setting_init(struct setting *s)
{
	memset(s, 0, sizeof(*s));
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->arena = type_pool_arena(&s->types);
}

static inline void setting_release(struct setting *s)
{
	resolved_names_release(&s->resolved);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

static inline uint32_t name(struct setting *s, const char *text)
{
	return str_pool_add(&s->strings, text, strlen(text));
}

static inline struct resolve_unit *add_unit(struct setting *s)
{
	s->units[s->nr] = (struct resolve_unit){ .types = s->ids[s->nr], .nr = 1 };
	return &s->units[s->nr++];
}

/* The newest unit has this record. */
static inline uint32_t say(struct setting *s, const uint32_t *rec, size_t nr)
{
	struct resolve_unit *u = &s->units[s->nr - 1];
	struct pool_type *t;
	uint32_t id = type_pool_add(&s->types, s->arena, rec, nr, &t);

	pool_type_place_at(t, (uint32_t)(s->nr - 1), (uint32_t)u->nr);
	s->ids[s->nr - 1][u->nr++] = id;
	return id;
}

#define SAY(s, ...)                               \
	say(s, (const uint32_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static inline uint32_t say_int(struct setting *s)
{
	return SAY(s, name(s, "int"), btf_info(BTF_INT, 0, false), 4, 0x01000020);
}

/* struct @text { int x; } of so many bytes */
static inline uint32_t say_struct(struct setting *s, const char *text, uint32_t size)
{
	return SAY(s, name(s, text), btf_info(BTF_STRUCT, 1, false), size, name(s, "x"), say_int(s),
		   0);
}

static inline uint32_t say_pointer_to(struct setting *s, const char *text)
{
	return SAY(s, 0, btf_info(BTF_PTR, 0, false), pool_ref_named(POOL_STRUCT, name(s, text)));
}

static inline uint32_t say_fwd(struct setting *s, const char *text)
{
	return SAY(s, name(s, text), btf_info(BTF_FWD, 0, false), 0);
}

static inline void run(struct setting *s)
{
	ambiguous_resolve(&s->types, &s->strings, s->units, s->nr, NULL, &s->resolved);
}

static inline uint32_t meaning(struct setting *s, enum pool_space space, const char *text)
{
	return s->resolved.named[space][name(s, text)];
}

/* Is type @id needs_exact as unit @u says it? */
static inline bool needs_exact(const struct setting *s, size_t u, uint32_t id)
{
	for (size_t i = 1; i < s->units[u].nr; i++) {
		if (s->ids[u][i] == id)
			return needs_exact_dedup(&s->resolved, u, id);
	}
	return false;
}

static inline uint32_t unit_of(const struct setting *s, uint32_t id)
{
	return pool_place_unit(pool_type_place(type_pool_at(&s->types, id)));
}

#endif
