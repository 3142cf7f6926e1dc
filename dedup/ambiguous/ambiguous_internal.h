/* SPDX-License-Identifier: GPL-2.0-only */
/* ambiguous_internal.h - the state that the passes of ambiguous.c share */
#ifndef BTFENC_DEDUP_AMBIGUOUS_AMBIGUOUS_INTERNAL_H
#define BTFENC_DEDUP_AMBIGUOUS_AMBIGUOUS_INTERNAL_H

#include "base/vec.h"
#include "dedup/ambiguous/ambiguous.h"
#include "dedup/pool/pool_refs.h"

/* A name with several meanings. */
struct ambiguous_name {
	pool_ref name;         /* POOL_STRUCT for unions, too */
	uint32_t common;       /* the common definition; 0 if all definitions are uncommon */
	bool multiply_defined; /* a unit has several definitions or declarations of it */
	bool propagates;       /* it is not private: types that lead to it are tainted */
};

/* One definition of an ambiguous name. */
struct definition {
	uint32_t id;   /* in the pool */
	uint32_t name; /* index in ambiguous names */
	uint32_t nr_units;
};

struct resolver {
	const struct type_pool *types;
	const struct resolve_unit *units;
	size_t nr_units;
	const struct pool_ref_list *base_conflicts; /* or NULL */
	struct resolved_names *ret;
	uint32_t end;      /* one past the highest pool id */
	uint32_t nr_names; /* one past the highest string id */
	struct {
		struct ambiguous_name *items;
		size_t nr, cap;
	} ambiguous;
	struct {
		struct definition *items;
		size_t nr, cap;
	} defs;
	uint32_t *def_of; /* by pool id: index in @defs plus 1 */
	bool *tainted;    /* resolved_names.tainted */
	/* by node, and one more: the start of the node's referrers in @referrers */
	uint32_t *referrers_from;
	uint32_t *referrers; /* pool ids; a type may occur several times in a row */
};

static inline const uint32_t *resolver_rec(const struct resolver *s, uint32_t id)
{
	return type_pool_at(s->types, id)->rec;
}

static inline uint32_t resolver_kind(const struct resolver *s, uint32_t id)
{
	return btf_info_kind(resolver_rec(s, id)[BTF_REC_INFO]);
}

/* Is there a unit that emits the shared record of type @id? */
static inline bool resolver_has_place(const struct resolver *s, uint32_t id)
{
	return pool_type_place(type_pool_at(s->types, id)) != UINT64_MAX;
}

/* An enum declaration, which libbpf maps to a definition (docs/spec/dedup.md 3.4). */
static inline bool is_empty_enum(const struct resolver *s, uint32_t id)
{
	return btf_kind_is_enum(resolver_kind(s, id)) &&
	       !btf_info_vlen(resolver_rec(s, id)[BTF_REC_INFO]);
}

/* Does libbpf compare graphs from a type of this kind on (docs/spec/dedup.md 3.6)? */
static inline bool kind_is_compared(uint32_t kind)
{
	return btf_kind_is_struct(kind) || kind == BTF_TYPEDEF;
}

/* The meaning of name reference @r in shared records, or 0. */
static inline uint32_t *name_meaning(const struct resolver *s, pool_ref r)
{
	return &s->ret->named[pool_ref_space(r)][pool_ref_name(r)];
}

/* The name of reference @r as in struct ambiguous_name, where unions count as structs. */
static inline pool_ref ref_name(pool_ref r)
{
	return pool_ref_named(pool_ref_space(r) == POOL_ENUM ? POOL_ENUM : POOL_STRUCT,
			      pool_ref_name(r));
}

/*
 * The graph of references has a node for each type without a name, which is its pool id, and two
 * for each name: one for structs and unions, one for enums. All definitions of a name share its node.
 */
static inline size_t nr_nodes(const struct resolver *s)
{
	return (size_t)s->end + 2 * (size_t)s->nr_names;
}

static inline size_t ref_node(const struct resolver *s, pool_ref r)
{
	if (!pool_ref_is_named(r))
		return r;
	return s->end + 2 * (size_t)pool_ref_name(r) + (pool_ref_space(r) == POOL_ENUM);
}

static inline size_t type_node(const struct resolver *s, uint32_t id)
{
	return ref_node(s, pool_ref_to(resolver_rec(s, id), id));
}

#define each_referrer(s, node, id)                        \
	for (uint32_t i_ = (s)->referrers_from[node], id; \
	     i_ < (s)->referrers_from[(node) + 1] && ((id) = (s)->referrers[i_], 1); i_++)

/* name_owners.c: fill @named, @ambiguous and @defs. */
void find_name_owners(struct resolver *s);

/* private_names.c: mark the units of private names; the other names propagate. */
void find_private_names(struct resolver *s);

/* pool_copies.c: fill copies_matter. */
void find_copies_that_matter(struct resolver *s);

/* ambiguous.c: fill @referrers if that was not done before. */
void find_referrers(struct resolver *s);

#endif
