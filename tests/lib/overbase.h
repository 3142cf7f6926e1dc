/* SPDX-License-Identifier: GPL-2.0-only */
/* overbase.h - a base, and what a unit says over it */
#ifndef BTFENC_TESTS_LIB_OVERBASE_H
#define BTFENC_TESTS_LIB_OVERBASE_H

#include "dedup/base/base_names.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

#include <stdlib.h>

/* A base, one unit over it, and the names that mean something else there. */
struct both {
	struct btf_view base;
	char text[256];
	struct str_pool strings;
	struct type_pool types;
	struct type_arena *arena;
	uint32_t nr; /* types of the unit */
	struct pool_ref_list other;
};

static inline void both_init(struct both *b)
{
	memset(b, 0, sizeof(*b));
	btf_types_init(&b->base.types, NULL);
	b->base.strings = (struct bytes){ (const uint8_t *)b->text, 1 };
	str_pool_init(&b->strings);
	type_pool_init(&b->types);
	b->arena = type_pool_arena(&b->types);
}

static inline void both_release(struct both *b)
{
	btf_types_release(&b->base.types);
	type_pool_release(&b->types);
	str_pool_release(&b->strings);
	free(b->other.items);
}

/* A name as the base has it, and as the pool has it. */
static inline uint32_t there(struct both *b, const char *s)
{
	size_t at = b->base.strings.len, len = strlen(s) + 1;

	CHECK(at + len <= sizeof(b->text));
	memcpy(b->text + at, s, len);
	b->base.strings.len += len;
	return (uint32_t)at;
}

static inline uint32_t here(struct both *b, const char *s)
{
	return str_pool_add(&b->strings, s, strlen(s));
}

#define BASE(b) (&(b)->base.types)

static inline uint32_t say(struct both *b, const uint32_t *rec, size_t nr)
{
	struct pool_type *t;
	uint32_t id = type_pool_add(&b->types, b->arena, rec, nr, &t);

	pool_type_place_at(t, 0, ++b->nr);
	return id;
}

#define SAY(b, ...)                               \
	say(b, (const uint32_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static inline uint32_t say_int(struct both *b)
{
	return SAY(b, here(b, "int"), btf_info(BTF_INT, 0, false), 4, 0x01000020);
}

static inline uint32_t say_fwd(struct both *b, const char *s)
{
	return SAY(b, here(b, s), btf_info(BTF_FWD, 0, false), 0);
}

/* struct @s { @type m; } of 8 bytes */
static inline uint32_t say_struct(struct both *b, const char *s, pool_ref type)
{
	return SAY(b, here(b, s), btf_info(BTF_STRUCT, 1, false), 8, here(b, "m"), type, 0);
}

static inline uint32_t say_ptr(struct both *b, pool_ref to)
{
	return SAY(b, 0, btf_info(BTF_PTR, 0, false), to);
}

#endif
