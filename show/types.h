/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - sizes, alignments and names of the types of a BTF
 *
 * btf_view.h checks records and references, but not their meaning: a struct may contain itself, a typedef may
 * refer to itself, a member may have a function as its type. So these functions may fail, below many
 * others. They keep the first error; results after it are meaningless, and the function that
 * began to print a type calls types_failed() at its end.
 */
#ifndef BTFENC_SHOW_TYPES_H
#define BTFENC_SHOW_TYPES_H

#include "base/err.h"
#include "base/vec.h"
#include "btf/btf_view.h"
#include "show/decl_info.h"
#include "show/names.h"

#include <stdbool.h>

/* The limit for chains of typedefs, qualifiers and arrays, and for types in types. */
enum { TYPES_CHAIN_MAX = 256 };
/* The limit for the size of a type. */
#define TYPES_SIZE_MAX (UINT64_C(1) << 48)

/* Facts about a struct or union. */
struct type_facts {
	uint32_t alignment; /* the largest natural one of any member; 0 without members */
	uint8_t search;     /* of types_facts(): not looked at, under way, done */
	bool embeds_flexible;
	/*
	 * layout.h guesses once, in the order of printing, whether a struct is packed. Of a union,
	 * @guessed: its members were searched for packed structs.
	 */
	bool packed, guessed;
	/*
	 * for compile_order.h; @defined: a type of its name is, @put: it is itself
	 */
	bool defined, put, declared;
	bool expanding; /* decl.c prints it as the type that something points to */
	uint32_t
		rename; /* index of show_types.renames, plus 1: its name is not that of its record */
	uint32_t gaps;  /* index of show_types.gaps, plus 1; 0: layout_gaps() was not called */
	uint32_t first_alias; /* of an enum: the first of its typedefs that are @defined; 0: none */
};

/* Borrows @view. Owns the rest. */
struct show_types {
	const struct btf_view *view;
	uint32_t end;      /* one past the last id */
	uint8_t addr_size; /* of a pointer */
	const char *file;  /* the name of the file, for messages; borrowed */
	struct decl_source decls;
	struct type_facts *facts;
	struct names *names;
	struct err *failure;
	VEC(struct types_visit) visits; /* of types_facts() */
	VEC(struct layout_gaps) gaps;
	VEC(char *) renames;
};

/* @addr_size: of a pointer; 0 if unknown, then the one of btf/addr_size.h. Names are printed for people. */
void types_init(struct show_types *t, const struct btf_view *view, uint8_t addr_size);
void types_release(struct show_types *t);

/* Keep @e, unless there is an error already. */
void types_fail(struct show_types *t, struct err *e);
/* Fail because types nest deeper than TYPES_CHAIN_MAX at @id, or because @id is a FUNC, say. */
void types_fail_nesting(struct show_types *t, uint32_t id);
void types_fail_kind(struct show_types *t, uint32_t id);
/* Return the error, or NULL. The caller owns it. */
MUST_CHECK struct err *types_failed(struct show_types *t);

static inline const uint32_t *types_rec(const struct show_types *t, uint32_t id)
{
	return btf_types_rec(&t->view->types, id);
}

/* BTF_UNKN for 0, which is void. */
static inline enum btf_kind types_kind(const struct show_types *t, uint32_t id)
{
	return id ? btf_rec_kind(types_rec(t, id)) : BTF_UNKN;
}

static inline enum btf_ctype types_ctype(const struct show_types *t, uint32_t id)
{
	return btf_ctype(types_kind(t, id));
}

/* The string at @off, which is not to be printed; NULL for the empty one. */
static inline const char *types_raw_str(const struct show_types *t, uint32_t off)
{
	const char *s = off ? btf_view_str(t->view, t->view->base, off) : "";

	return *s ? s : NULL;
}

/* The same as it is printed (names.h). */
static inline const char *types_str(const struct show_types *t, uint32_t off)
{
	const char *s = types_raw_str(t, off);

	return s ? names_text(t->names, off, s, C_IDENTIFIER) : NULL;
}

/* Give @id the name @name, which is on the heap. @t takes it over. */
void types_rename(struct show_types *t, uint32_t id, char *name);

/* The name in the record of @id, which is not 0. Not to be printed. NULL if it has none. */
static inline const char *types_raw_name(const struct show_types *t, uint32_t id)
{
	return types_raw_str(t, types_rec(t, id)[BTF_REC_NAME]);
}

/* The name to print. */
static inline const char *types_name(const struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);
	const char *s;

	if (unlikely(t->facts[id].rename))
		return t->renames.items[t->facts[id].rename - 1];
	s = types_raw_str(t, rec[BTF_REC_NAME]);
	return s ? names_text(t->names, rec[BTF_REC_NAME], s,
			      btf_rec_space(rec) == BTF_SPACE_BASE ? C_BASE_TYPE : C_IDENTIFIER) :
		   NULL;
}

/* Where @id, a definition, is declared. Of BTF, the file is its unit, and nothing else is known. */
static inline struct decl_info types_decl(struct show_types *t, uint32_t id)
{
	return t->decls.find ? t->decls.find(t->decls.ctx, t, id) :
			       (struct decl_info){ .unit = t->file };
}

/* A struct, or the forward declaration of one. */
bool types_is_struct(const struct show_types *t, uint32_t id);
bool types_is_union(const struct show_types *t, uint32_t id);
/* A struct, union or enum: they may have no name. */
bool types_is_tagged(const struct show_types *t, uint32_t id);

/* @id without the typedefs, qualifiers and type tags around it. */
uint32_t types_bare(struct show_types *t, uint32_t id);
/* The same without type tags only. */
uint32_t types_untagged(struct show_types *t, uint32_t id);
/* Bytes; 0 for types without a size, such as void. */
uint64_t types_size(struct show_types *t, uint32_t id);
/* The natural alignment, at least 1. @id is bare. */
uint32_t types_alignment(struct show_types *t, uint32_t id);
/* The facts about @id, a struct or union. */
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
	bool packs = btf_rec_kflag(rec);

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
	return btf_rec_vlen(types_rec(t, id));
}

#endif
