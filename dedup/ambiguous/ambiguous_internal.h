/* SPDX-License-Identifier: GPL-2.0-only */
/* ambiguous_internal.h - shared by the files of dedup/ambiguous/, and by no others */
#ifndef BTFENC_DEDUP_AMBIGUOUS_SETTLE_INTERNAL_H
#define BTFENC_DEDUP_AMBIGUOUS_SETTLE_INTERNAL_H

#include "base/vec.h"
#include "dedup/ambiguous/ambiguous.h"
#include "dedup/pool/pool_refs.h"

/* A name with several meanings. */
struct ambiguous_name {
	pool_ref name; /* POOL_STRUCT for unions, too */
	/*
	 * The definition that stays the meaning of the name outside of the units that have another;
	 * 0 if all units that have any are needs_exact.
	 */
	uint32_t common;
	bool multiply_defined; /* some unit has two of it */
	bool propagates;       /* what refers to it has to be needs_exact, too: no way around it */
};

/* One definition of a ambiguous name. */
struct definition {
	uint32_t id;   /* in the pool */
	uint32_t name; /* index in ambiguous names */
	uint32_t nr_units;
};

struct resolver {
	const struct type_pool *types;
	const struct str_pool *strings;
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
	uint32_t *def_of;  /* by pool id: index in @defs plus 1 */
	bool *tainted;     /* by pool id: the rule has to see what each unit says by it */
	uint64_t *relaxed; /* by pool id: equal for types that the rule may take for equal */
	/* by node, and one more: where in referrers those begin that refer to it */
	uint32_t *referrers_from;
	uint32_t *referrers; /* pool ids; one may come several times in a row */
};

static inline const uint32_t *resolver_rec(const struct resolver *s, uint32_t id)
{
	return type_pool_at(s->types, id)->rec;
}

static inline uint32_t resolver_kind(const struct resolver *s, uint32_t id)
{
	return btf_info_kind(resolver_rec(s, id)[BTF_REC_INFO]);
}

static inline bool kind_is_su(uint32_t kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION;
}

static inline bool kind_is_enum(uint32_t kind)
{
	return kind == BTF_ENUM || kind == BTF_ENUM64;
}

/* An enum without values, which becomes the first of its name that has some. */
static inline bool is_empty_enum(const struct resolver *s, uint32_t id)
{
	return kind_is_enum(resolver_kind(s, id)) &&
	       !btf_info_vlen(resolver_rec(s, id)[BTF_REC_INFO]);
}

/* Is it merged by its name and shape, so that libbpf compares graphs from here on? */
static inline bool kind_is_compared(uint32_t kind)
{
	return kind_is_su(kind) || kind == BTF_TYPEDEF;
}

/* What name reference @r means outside of needs_exact types, or 0. */
static inline uint32_t *name_meaning(const struct resolver *s, pool_ref r)
{
	return &s->ret->named[pool_ref_space(r)][pool_ref_name(r)];
}

/* The name that reference @r is said by, as ambiguous names have it: structs and unions alike. */
static inline pool_ref ref_name(pool_ref r)
{
	return pool_ref_named(pool_ref_space(r) == POOL_ENUM ? POOL_ENUM : POOL_STRUCT,
			      pool_ref_name(r));
}

/*
 * A node is what can be referred to: a type without a name, by its pool id, or a name, one node for
 * structs and unions of it and one for enums. A type that has such a name is its node.
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

/* That of type @id. */
static inline size_t type_node(const struct resolver *s, uint32_t id)
{
	return ref_node(s, pool_ref_to(resolver_rec(s, id), id));
}

#define each_referrer(s, node, id)                        \
	for (uint32_t i_ = (s)->referrers_from[node], id; \
	     i_ < (s)->referrers_from[(node) + 1] && ((id) = (s)->referrers[i_], 1); i_++)

/* What types look like one another to libbpf, which is by their relaxed hash. */
enum lookalike_scope {
	LOOK_SHAPES, /* of those that libbpf merges by their shape */
	LOOK_NAMES,  /* of the definitions of ambiguous names as well */
	LOOK_ALL,    /* of all, in no order */
};

/* Owns @items: groups of one hash, one behind the base_conflicts, and perhaps some that are alone. */
struct lookalikes {
	struct relaxed {
		uint64_t hash;
		uint32_t id;
	} * items;
	size_t nr;
};

struct pair {
	uint32_t a, b;
};

struct pairs {
	struct pair *items;
	size_t nr, cap;
};

/* Arrays in one place, and steps of a walk over two types side by side: more are not looked at. */
enum { MAX_PAIRS = 1024, MAX_STEPS = 16 * MAX_PAIRS };

/* name_owners.c: who owns each name; fills named[], ambiguous and defs. */
void find_name_owners(struct resolver *s);
/*
 * private_names.c: for which ambiguous names is it enough to judge the units that have an
 * uncommon definition? Marks these units; the other names get @propagates.
 */
void find_private_names(struct resolver *s);
/* propagate.c: fills referrers, unless they are there. */
void find_referrers(struct resolver *s);
/* propagate.c: add to @has, by node, all that leads to what is in it. */
void mark_referrers(struct resolver *s, bool *has);
/* propagate.c: what is tainted makes tainted all that refers to it. */
void propagate_taint(struct resolver *s);
/* array_lookalikes.c: types that libbpf may judge by something else than what they say. */
void taint_lookalikes(struct resolver *s);
/* array_lookalikes.c: behind taint_lookalikes(); release @ret. */
void find_lookalikes(const struct resolver *s, enum lookalike_scope look, struct lookalikes *ret);
void lookalikes_release(struct lookalikes *l);
/* own_records.c: fills own[] and names_look_alike, behind taint_lookalikes(). */
void find_own_records(struct resolver *s);

#endif
