/* SPDX-License-Identifier: GPL-2.0-only */
/* settle_internal.h - shared by the settle*.c files, and by no others */
#ifndef BTFENC_DEDUP_AMBIGUOUS_SETTLE_INTERNAL_H
#define BTFENC_DEDUP_AMBIGUOUS_SETTLE_INTERNAL_H

#include "base/vec.h"
#include "dedup/ambiguous/settle.h"
#include "dedup/pool/pool_refs.h"

/* A name with several meanings. */
struct doubtful {
	pool_ref name; /* POOL_STRUCT for unions, too */
	/*
	 * The definition that stays the meaning of the name outside of the units that have another;
	 * 0 if all units that have any are judged.
	 */
	uint32_t common;
	bool crowded; /* some unit has two of it */
	bool spreads; /* what refers to it has to be judged, too: no way around it */
};

/* One definition of a doubtful name. */
struct definition {
	uint32_t id;   /* in the pool */
	uint32_t name; /* index in doubtful names */
	uint32_t nr_units;
};

struct settling {
	const struct type_pool *types;
	const struct str_pool *strings;
	const struct settle_unit *units;
	size_t nr_units;
	const struct pool_ref_list *other; /* or NULL */
	struct settled *ret;
	uint32_t end;      /* one past the highest pool id */
	uint32_t nr_names; /* one past the highest string id */
	struct {
		struct doubtful *items;
		size_t nr, cap;
	} doubtful;
	struct {
		struct definition *items;
		size_t nr, cap;
	} defs;
	uint32_t *def_of; /* by pool id: index in @defs plus 1 */
	bool *unclear;    /* by pool id: the rule has to see what each unit says by it */
	uint64_t *loose;  /* by pool id: equal for types that the rule may take for equal */
	/* by node, and one more: where in referrers those begin that refer to it */
	uint32_t *referrers_from;
	uint32_t *referrers; /* pool ids; one may come several times in a row */
};

static inline const uint32_t *settle_rec(const struct settling *s, uint32_t id)
{
	return type_pool_at(s->types, id)->rec;
}

static inline uint32_t settle_kind(const struct settling *s, uint32_t id)
{
	return btf_info_kind(settle_rec(s, id)[BTF_REC_INFO]);
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
static inline bool settle_is_empty_enum(const struct settling *s, uint32_t id)
{
	return kind_is_enum(settle_kind(s, id)) && !btf_info_vlen(settle_rec(s, id)[BTF_REC_INFO]);
}

/* Is it merged by its name and shape, so that libbpf compares graphs from here on? */
static inline bool kind_is_compared(uint32_t kind)
{
	return kind_is_su(kind) || kind == BTF_TYPEDEF;
}

/* What name reference @r means outside of judged types, or 0. */
static inline uint32_t *settle_meaning(const struct settling *s, pool_ref r)
{
	return &s->ret->named[pool_ref_space(r)][pool_ref_name(r)];
}

/* The name that reference @r is said by, as doubtful names have it: structs and unions alike. */
static inline pool_ref settle_name(pool_ref r)
{
	return pool_ref_named(pool_ref_space(r) == POOL_ENUM ? POOL_ENUM : POOL_STRUCT,
			      pool_ref_name(r));
}

/*
 * A node is what can be referred to: a type without a name, by its pool id, or a name, one node for
 * structs and unions of it and one for enums. A type that has such a name is its node.
 */
static inline size_t settle_nr_nodes(const struct settling *s)
{
	return (size_t)s->end + 2 * (size_t)s->nr_names;
}

static inline size_t settle_node(const struct settling *s, pool_ref r)
{
	if (!pool_ref_is_named(r))
		return r;
	return s->end + 2 * (size_t)pool_ref_name(r) + (pool_ref_space(r) == POOL_ENUM);
}

/* That of type @id. */
static inline size_t settle_node_of(const struct settling *s, uint32_t id)
{
	return settle_node(s, pool_ref_to(settle_rec(s, id), id));
}

#define settle_each_referrer(s, node, id)                 \
	for (uint32_t i_ = (s)->referrers_from[node], id; \
	     i_ < (s)->referrers_from[(node) + 1] && ((id) = (s)->referrers[i_], 1); i_++)

/* What types look like one another to libbpf, which is by their loose hash. */
enum settle_look {
	LOOK_SHAPES, /* of those that libbpf merges by their shape */
	LOOK_NAMES,  /* of the definitions of doubtful names as well */
	LOOK_ALL,    /* of all, in no order */
};

/* Owns @items: groups of one hash, one behind the other, and perhaps some that are alone. */
struct lookalikes {
	struct loose {
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

/* settle_names.c: who owns each name; fills named[], doubtful and defs. */
void settle_find_owners(struct settling *s);
/*
 * settle_private.c: for which doubtful names is it enough to judge the units that have an
 * uncommon definition? Marks these units; the other names get @spreads.
 */
void settle_private_names(struct settling *s);
/* settle_reach.c: fills referrers, unless they are there. */
void settle_find_referrers(struct settling *s);
/* settle_reach.c: add to @has, by node, all that leads to what is in it. */
void settle_reach(struct settling *s, bool *has);
/* settle_reach.c: what is unclear makes unclear all that refers to it. */
void settle_spread(struct settling *s);
/* settle_odd.c: types that libbpf may judge by something else than what they say. */
void settle_mark_odd(struct settling *s);
/* settle_odd.c: behind settle_mark_odd(); release @ret. */
void settle_find_lookalikes(const struct settling *s, enum settle_look look,
			    struct lookalikes *ret);
void lookalikes_release(struct lookalikes *l);
/* settle_own.c: fills own[] and names_alike, behind settle_mark_odd(). */
void settle_find_own(struct settling *s);

#endif
