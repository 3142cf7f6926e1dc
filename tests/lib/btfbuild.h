/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfbuild.h - BTF records written down in tests
 *
 * Each function appends one record and returns its id. Names are plain numbers, or
 * offsets where a test has strings.
 */
#ifndef BTFENC_TESTS_BTFBUILD_H
#define BTFENC_TESTS_BTFBUILD_H

#include "base/bytes.h"
#include "btf/btf_kind.h"
#include "btf/btf_types.h"

/* The words that follow the list, as they are. */
#define ADD(t, ...)                                     \
	add_words(t, (const uint32_t[]){ __VA_ARGS__ }, \
		  sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static inline uint32_t add_words(struct btf_types *t, const uint32_t *w, size_t nr)
{
	uint32_t id = btf_types_end(t);

	memcpy(btf_types_add(t, nr), w, nr * sizeof(*w));
	return id;
}

static inline uint32_t add_int(struct btf_types *t, uint32_t name)
{
	return ADD(t, name, btf_info(BTF_INT, 0, false), 4, 0x01000020);
}

/* PTR, CONST, VOLATILE, RESTRICT; with a name: TYPEDEF, TYPE_TAG, FUNC. */
static inline uint32_t add_ref(struct btf_types *t, enum btf_kind kind, uint32_t name, uint32_t to)
{
	return ADD(t, name, btf_info(kind, 0, false), to);
}

static inline uint32_t add_ptr(struct btf_types *t, uint32_t to)
{
	return add_ref(t, BTF_PTR, 0, to);
}

static inline uint32_t add_fwd(struct btf_types *t, uint32_t name, bool is_union)
{
	return ADD(t, name, btf_info(BTF_FWD, 0, is_union), 0);
}

static inline uint32_t add_var(struct btf_types *t, uint32_t name, uint32_t type)
{
	return ADD(t, name, btf_info(BTF_VAR, 0, false), type, BTF_LINK_GLOBAL);
}

/* A struct of 8 bytes per member. */
static inline uint32_t add_struct1(struct btf_types *t, uint32_t name, uint32_t m, uint32_t type)
{
	return ADD(t, name, btf_info(BTF_STRUCT, 1, false), 8, m, type, 0);
}

static inline uint32_t add_struct2(struct btf_types *t, uint32_t name, uint32_t m1, uint32_t type1,
				   uint32_t m2, uint32_t type2)
{
	return ADD(t, name, btf_info(BTF_STRUCT, 2, false), 16, m1, type1, 0, m2, type2, 64);
}

/* The @i-th reference of @rec; NULL if it has less. */
static inline uint32_t *btf_rec_type(uint32_t *rec, size_t i)
{
	struct btf_refs refs = btf_rec_refs(rec);

	while (i--)
		btf_refs_next(&refs);
	return btf_refs_next(&refs);
}

/* Append type @id of @from to @to, as it is. */
static inline uint32_t *copy_type(struct btf_types *to, const struct btf_types *from, uint32_t id)
{
	const uint32_t *rec = btf_types_rec(from, id);
	size_t nr = btf_rec_words(rec);

	return memcpy(btf_types_add(to, nr), rec, nr * sizeof(*rec));
}

/* *to becomes a copy of @from, over the same base. */
static inline void copy_types(struct btf_types *to, const struct btf_types *from)
{
	btf_types_init(to, from->base);
	for (uint32_t id = from->first; id < btf_types_end(from); id++)
		copy_type(to, from, id);
}

/* Append the types of @from, which has no base. */
static inline void append_types(struct btf_types *to, const struct btf_types *from)
{
	uint32_t shift = btf_types_end(to) - 1;

	for (uint32_t id = 1; id < btf_types_end(from); id++) {
		uint32_t *copy = copy_type(to, from, id);

		btf_rec_each_type(copy, ref) *ref += *ref ? shift : 0;
	}
}

static inline bool same_types(const struct btf_types *a, const struct btf_types *b)
{
	size_t nr = a->words.nr;

	return nr == b->words.nr && a->start.nr == b->start.nr &&
	       (!nr || !memcmp(a->words.items, b->words.items, nr * sizeof(a->words.items[0])));
}

/* Are the own records of @t those words? */
static inline bool has_words(const struct btf_types *t, const uint32_t *w, size_t nr)
{
	return t->words.nr == nr && !memcmp(t->words.items, w, nr * sizeof(*w));
}

#define HAS_WORDS(t, ...)                               \
	has_words(t, (const uint32_t[]){ __VA_ARGS__ }, \
		  sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

#endif
