/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - the types of a BTF, and what has to be known of them before they are printed
 *
 * A view is checked for records and references, not for sense (btf_view.h): a struct may lie in
 * itself, a typedef may name itself, a member may have a function for its type. What is asked here
 * therefore may fail, at the bottom of many calls. The first failure is kept, what is
 * returned after it means nothing, and whoever began to print a type asks types_failed() at its end.
 */
#ifndef BTFENC_SHOW_TYPES_H
#define BTFENC_SHOW_TYPES_H

#include "base/err.h"
#include "btf/btf_view.h"

#include <stdbool.h>

/* No chain of typedefs, qualifiers and arrays is longer, nor do types nest deeper, ... */
enum { TYPES_CHAIN_MAX = 256 };
/* ... and nothing is larger. */
#define TYPES_SIZE_MAX (UINT64_C(1) << 48)

/* What is known of a struct or union. */
struct type_facts {
	uint32_t alignment; /* the largest natural one of any member; 0 without members */
	uint8_t search;     /* of types_facts(): not looked at, under way, done */
	bool embeds_flexible;
	/*
	 * Of a struct: is it taken for packed? That is guessed once (layout.h), in the order of
	 * printing. Of a union: has it been looked at for the structs in it?
	 */
	bool packed, guessed;
	/* for compile_order.h; @renamed: it has another name than in its record */
	bool defined, declared, renamed;
};

/* Borrows @view. Owns the rest. */
struct show_types {
	const struct btf_view *view;
	uint32_t end;      /* one past the last id */
	uint8_t addr_size; /* of a pointer */
	struct type_facts *facts;
	struct err *failure;
	struct {
		struct types_visit *items;
		size_t nr, cap;
	} visits; /* of types_facts() */
	struct {
		struct types_rename *items;
		size_t nr, cap;
	} renames;
};

/* @addr_size: of a pointer, 0 if nobody knows: then that of "long", or 8. */
void types_init(struct show_types *t, const struct btf_view *view, uint8_t addr_size);
void types_release(struct show_types *t);

/* Keep @e, unless there is one already. */
void types_fail(struct show_types *t, struct err *e);
/* Fail because types nest deeper than TYPES_CHAIN_MAX at @id, or because @id is a FUNC, say. */
void types_fail_nesting(struct show_types *t, uint32_t id);
void types_fail_kind(struct show_types *t, uint32_t id);
/* The failure, for the caller; NULL if there is none. */
MUST_CHECK struct err *types_failed(struct show_types *t);

static inline const uint32_t *types_rec(const struct show_types *t, uint32_t id)
{
	return btf_types_rec(&t->view->types, id);
}

/* BTF_UNKN for 0, which is void. */
static inline enum btf_kind types_kind(const struct show_types *t, uint32_t id)
{
	return id ? btf_info_kind(types_rec(t, id)[BTF_REC_INFO]) : BTF_UNKN;
}

/* The string at @off; NULL for the empty one. */
static inline const char *types_str(const struct show_types *t, uint32_t off)
{
	const char *s = off ? btf_view_str(t->view, t->view->base, off) : "";

	return *s ? s : NULL;
}

/* Call @id @name from now on, which is on the heap and belongs to @t then. */
void types_rename(struct show_types *t, uint32_t id, char *name);
const char *types_new_name(const struct show_types *t, uint32_t id);

/* Of @id, which is not 0. NULL if it has none. */
static inline const char *types_name(const struct show_types *t, uint32_t id)
{
	if (unlikely(t->facts[id].renamed))
		return types_new_name(t, id);
	return types_str(t, types_rec(t, id)[BTF_REC_NAME]);
}

/* A struct, or the forward declaration of one. */
bool types_is_struct(const struct show_types *t, uint32_t id);
bool types_is_union(const struct show_types *t, uint32_t id);
/* One of the two, or an enum: what can be without a name. */
bool types_is_tagged(const struct show_types *t, uint32_t id);

/* @id without the typedefs, qualifiers and type tags around it. */
uint32_t types_bare(struct show_types *t, uint32_t id);
/* The same for type tags alone. */
uint32_t types_untagged(struct show_types *t, uint32_t id);
/* Bytes; 0 for what has none, void among them. */
uint64_t types_size(struct show_types *t, uint32_t id);
/* The alignment that its members ask for: 1 at least. @id is bare. */
uint32_t types_alignment(struct show_types *t, uint32_t id);
/* What is known of @id, a struct or union. */
struct type_facts *types_facts(struct show_types *t, uint32_t id);
/* Is the last member of the struct @id an array without a length? */
bool types_ends_flexible(const struct show_types *t, uint32_t id);

/* The member @i of the record @rec of a struct or union. */
struct types_member {
	uint32_t name, type, bit_offset, bitfield_size;
};

static inline struct types_member types_member(const uint32_t *rec, uint32_t i)
{
	const uint32_t *m = rec + BTF_REC_WORDS + 3 * (size_t)i;
	bool packs = btf_info_kflag(rec[BTF_REC_INFO]);

	return (struct types_member){
		.name = m[0],
		.type = m[1],
		.bit_offset = packs ? m[2] & 0xffffff : m[2],
		.bitfield_size = packs ? m[2] >> 24 : 0,
	};
}

/* How many members, enumerators or parameters has @id? */
static inline uint32_t types_vlen(const struct show_types *t, uint32_t id)
{
	return btf_info_vlen(types_rec(t, id)[BTF_REC_INFO]);
}

#endif
