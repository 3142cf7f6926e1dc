/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ambiguous.c - find names with several meanings, and the units that need exact dedup
 *
 * The problem. A record in the type pool refers to a struct, union or enum by its name. All units
 * that include a header share the records of its types, and libbpf's rules (docs/spec/dedup.md 3)
 * see each record once instead of once for each unit. This gives libbpf's result if each name has
 * one meaning in the program. Two drivers may break that:
 *
 *	net.c  struct port { int number; };      struct net_dev { struct port *p; };
 *	tty.c  struct port { char *name; };      struct tty_dev { struct port *p; };
 *	bus.c  struct port;                      struct bus { struct port *first; };
 *	all    struct list { struct list *next; };
 *
 * "PTR to &port" is one record in the pool, but it means a different struct in net.c than in tty.c.
 * In these units the shared record has the wrong meaning. They need exact dedup: they emit records
 * of their own, and libbpf's rules compare these with all others.
 *
 * The same holds for types that are equal and that libbpf may keep apart, because it compares two
 * copies of one unit only 16 levels deep (docs/spec/dedup.md 3.7). Which of these types it merges
 * depends on their order. So each unit must add its own records to the list that libbpf's rules
 * compare.
 *
 * The passes, in the order of ambiguous_resolve():
 *
 *  1. find_name_owners() finds the definitions of each name. A name is ambiguous if it has two
 *     definitions, or if one unit defines or declares it several times, or if the base defines it
 *     differently.
 *  2. taint_irregular() taints the types that libbpf does not merge by their contents alone.
 *  3. find_private_names() chooses a common definition for each ambiguous name, or none. All other
 *     definitions of the name are uncommon. The name is private if libbpf never compares a type
 *     that leads to an uncommon definition with a type of a unit that lacks that definition. The
 *     units with an uncommon definition then emit all their records themselves. In the example,
 *     all units except net.c and tty.c share "PTR to &port", in which &port means the declaration
 *     of bus.c.
 *  4. A name that is not private propagates: all types that lead to it are tainted, by ids or by
 *     names (propagate_taint()). A unit with a tainted type emits its own records of its tainted
 *     types, and shares the others.
 *  5. A unit with types that the pool cannot represent (resolve_unit.irregular) emits all its
 *     records itself.
 *  6. keep_exact_units_apart() makes the first unit that shares a type the one that emits the
 *     type's shared record.
 *  7. find_copies_that_matter() finds the types for which it matters how many copies a unit has.
 *
 * The hard case is pass 3. Most ambiguous names are private to two or three drivers. To prove it,
 * the pass must find the types that lead to the name separately for each unit: where one unit has
 * a definition, which leads to further types, another may have a declaration, which leads to none.
 * See private_names.c.
 *
 * Why it is right. A unit shares the record of a type only if the type is not tainted and the unit
 * emits no record of its own for it. All types that such a record leads to are shared, too, and
 * have one meaning. So libbpf finds the copies of the record in all units that share it equal to
 * each other, and would keep the first. The own records of the other units are in the list that
 * libbpf's rules compare, at the same position and in the same order as without a pool.
 * tests/unit/t_random_graphs.c compares the results with the plain rules on random graphs.
 */
#include "dedup/ambiguous/ambiguous.h"

#include "base/cleanup.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* --- types that lead to a type or a name ------------------------------------------------- */

static bool is_node(pool_ref r)
{
	return r && r != POOL_REF_INDEX;
}

void find_referrers(struct resolver *s)
{
	if (s->referrers_from)
		return;

	size_t nr = nr_nodes(s);
	uint32_t *from = mem_zalloc(nr + 2, sizeof(*from));
	pool_ref r;

	/* counting sort: count in from[node + 2], sum up, and from[node + 1] moves while filling */
	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (is_node(r))
				from[ref_node(s, r) + 2]++;
		}
	}
	for (size_t i = 2; i < nr + 2; i++)
		from[i] += from[i - 1];
	s->referrers = mem_alloc(from[nr + 1] * sizeof(s->referrers[0]));
	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (is_node(r))
				s->referrers[from[ref_node(s, r) + 1]++] = id;
		}
	}
	s->referrers_from = from;
}

struct nodes {
	size_t *items;
	size_t nr, cap;
};

static void reach(struct nodes *todo, bool *has, size_t node)
{
	if (has[node])
		return;
	has[node] = true;
	vec_push(todo, node);
}

/* Add to @has, by node, all nodes that lead to one in it. */
static void mark_referrers(struct resolver *s, bool *has)
{
	struct nodes todo = { 0 };

	find_referrers(s);
	for (size_t node = 1; node < nr_nodes(s); node++) {
		if (has[node])
			vec_push(&todo, node);
	}
	while (todo.nr) {
		size_t node = todo.items[--todo.nr];

		each_referrer(s, node, id)
		{
			reach(&todo, has, type_node(s, id));
		}
	}
	free(todo.items);
}

/* A type that leads to a tainted one, or to a name that propagates, is tainted. */
static void propagate_taint(struct resolver *s)
{
	bool *has = mem_zalloc(nr_nodes(s), sizeof(*has));

	for (size_t i = 0; i < s->ambiguous.nr; i++) {
		if (s->ambiguous.items[i].propagates)
			has[ref_node(s, s->ambiguous.items[i].name)] = true;
	}
	for (uint32_t id = 1; id < s->end; id++) {
		if (s->tainted[id])
			has[type_node(s, id)] = true;
	}
	mark_referrers(s, has);
	for (uint32_t id = 1; id < s->end; id++)
		s->tainted[id] |= has[type_node(s, id)];
	free(has);
}

/* --- types that libbpf does not merge by their contents alone ------------------------------ */

/* libbpf compares 16 levels. Types near the limit count as too deep. */
enum { MAX_LEVELS = 14 };

/* How many levels that libbpf counts are below a type? @levels: by pool id, of lower ids. */
static uint8_t levels_below(const uint32_t *rec, const uint8_t *levels)
{
	uint8_t most = 0;
	pool_ref r;

	each_ref(rec, r) most = ref_is_id(r) && levels[r] > most ? levels[r] : most;
	return most;
}

/* Is the record too deep, or a unique placeholder for what the pool cannot represent? Counts its own level. */
static bool irregular_by_itself(const uint32_t *rec, uint8_t *levels)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (btf_kind_is_struct(kind) || kind == BTF_FUNC_PROTO) {
		if (*levels >= MAX_LEVELS)
			return true;
		++*levels;
	}
	return kind == BTF_UNKN;
}

static bool is_anonymous_enum(const uint32_t *rec)
{
	return btf_kind_is_enum(btf_info_kind(rec[BTF_REC_INFO])) && !rec[BTF_REC_NAME];
}

static void taint_irregular(struct resolver *s)
{
	CLEANUP(mem_free) uint8_t *levels = mem_zalloc(s->end, sizeof(*levels));
	bool empty_enum = false;

	for (uint32_t id = 1; id < s->end; id++) {
		const uint32_t *rec = resolver_rec(s, id);

		levels[id] = levels_below(rec, levels);
		s->tainted[id] |= irregular_by_itself(rec, &levels[id]);
		empty_enum |= is_anonymous_enum(rec) && !btf_info_vlen(rec[BTF_REC_INFO]);
	}
	/* a declaration without a name is compatible with any enum without a name (docs/spec/dedup.md 3.2) */
	for (uint32_t id = 1; empty_enum && id < s->end; id++)
		s->tainted[id] |= is_anonymous_enum(resolver_rec(s, id));
}

/* --- passes ------------------------------------------------------------------------------ */

static bool has_tainted(const struct resolver *s, const struct resolve_unit *u)
{
	id_list_each(u->types, t)
	{
		if (s->tainted[t.id])
			return true;
	}
	return false;
}

static bool anything_tainted(const struct resolver *s)
{
	for (size_t i = 0; i < s->ambiguous.nr; i++) {
		if (s->ambiguous.items[i].propagates)
			return true;
	}
	return memchr(s->tainted, 1, s->end);
}

/* The first unit that shares a type emits its record for all others. */
static void move_first_uses(struct resolver *s)
{
	bool *lost = mem_zalloc(s->end, sizeof(*lost));

	for (size_t u = 0; u < s->nr_units; u++) {
		if (!s->ret->units[u].all_exact)
			continue;
		id_list_each(s->units[u].types, t)
		{
			if (!t.id)
				continue;
			pool_type_forget_first_use(type_pool_at(s->types, t.id), (uint32_t)u);
			lost[t.id] = !resolver_has_place(s, t.id);
		}
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		if (s->ret->units[u].all_exact)
			continue;
		id_list_each(s->units[u].types, t)
		{
			if (likely(!lost[t.id]))
				continue;
			pool_type_place_at(type_pool_at(s->types, t.id), (uint32_t)u,
					   (uint32_t)t.index);
			lost[t.id] = false;
		}
	}
	free(lost);
}

/*
 * Pass 6. A unit that emits all its records shares none, not even untainted ones. If a graph of
 * types mixed shared records and the unit's own records, two of its types could correspond to one
 * type of another unit or of the base, and libbpf does not merge such graphs.
 */
static void keep_exact_units_apart(struct resolver *s)
{
	bool any = false;

	for (size_t u = 0; u < s->nr_units; u++)
		any |= s->ret->units[u].all_exact;
	if (!any)
		return;
	move_first_uses(s);
	/*
	 * In shared records a name means a type that has a shared record. If only exact units have
	 * the definition, that is the declaration of the other units.
	 */
	for (uint32_t id = 1; id < s->end; id++) {
		pool_ref r = pool_ref_to(resolver_rec(s, id), id);

		if (!pool_ref_is_named(r) || !resolver_has_place(s, id))
			continue;
		uint32_t *meaning = name_meaning(s, r);
		if (!*meaning || !resolver_has_place(s, *meaning))
			*meaning = id;
	}
}

void ambiguous_resolve(const struct type_pool *types, const struct str_pool *strings,
		       const struct resolve_unit *units, size_t nr_units,
		       const struct pool_ref_list *base_conflicts, struct resolved_names *ret)
{
	struct resolver s = {
		.types = types,
		.units = units,
		.nr_units = nr_units,
		.base_conflicts = base_conflicts,
		.ret = ret,
		.end = atomic_load(&types->end),
		.nr_names = atomic_load(&strings->end),
	};

	*ret = (struct resolved_names){
		.units = mem_zalloc(nr_units, sizeof(ret->units[0])),
		.tainted = mem_zalloc(s.end, sizeof(ret->tainted[0])),
	};
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		ret->named[i] = mem_zalloc(s.nr_names, sizeof(ret->named[i][0]));
	s.tainted = ret->tainted;

	find_name_owners(&s);
	taint_irregular(&s);
	if (s.ambiguous.nr)
		find_private_names(&s);
	if (anything_tainted(&s)) {
		propagate_taint(&s);
		for (size_t u = 0; u < nr_units; u++)
			ret->units[u].needs_exact |= has_tainted(&s, &units[u]);
	}
	for (size_t u = 0; u < nr_units; u++) {
		ret->units[u].needs_exact |= units[u].irregular;
		ret->units[u].all_exact |= units[u].irregular;
		ret->nr_need_exact += ret->units[u].needs_exact;
	}
	keep_exact_units_apart(&s);
	if (ret->nr_need_exact)
		find_copies_that_matter(&s);
	FREE_ALL(s.def_of, s.referrers_from, s.referrers, s.ambiguous.items, s.defs.items);
}

void resolved_names_release(struct resolved_names *s)
{
	FREE_ALL(s->units, s->tainted, s->copies_matter);
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		free(s->named[i]);
	*s = (struct resolved_names){ 0 };
}
