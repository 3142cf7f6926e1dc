/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_solve.c - find the group of each unit; see place_match.h
 *
 * What is surest goes first, because what it has taken is no longer to be had for others, and
 * because the order of what is known bounds the rest (place_order.c):
 *
 *	globals   the unit's global variables lie beside the static ones of the group
 *	perfect   the group has all of the unit's static variables, and no other symbol
 *	unique    it has one whose name is nowhere else
 *	file      the two are of one file, and nothing else is
 *	in order  between two that are known there is one way only to have it in order
 *	counted   between two that are known there are as many groups as units
 *	best      no other group has as many of the unit's variables
 *
 * "One way only" is found by trying two: each that waits is put as far down as it can be, in
 * order, and then as far up. If both come to the same place, there is no other, and the cost is
 * that of a merge, even if ten thousand units have a "static int debug". Units that are alike in
 * all that can be seen, and not told apart by what is around them, stay unsolved: no
 * place is better than a wrong one.
 *
 * Not done: static functions would tell more of a group than its variables do. The kernels and
 * programs that were tried do not need it.
 */
#include "encoder/place/place_match.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_CANDIDATES = 64, /* groups that one unit is tried in at once */
	MAX_ROUNDS = 32,
};

struct groups {
	uint32_t items[MAX_CANDIDATES];
	size_t nr;
	bool more; /* than there is room for */
};

/* Is @group one object's that no unit has taken, and may @unit take it? */
static bool group_free(const struct place_match *m, uint32_t unit, uint32_t group)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	const struct place_group *g = &m->groups.items[group];

	return g->file && g->unit == PLACE_NONE && (!u->file || u->file == g->file);
}

/* Does the order of the others let @unit be @group? */
static bool group_in_order(const struct place_match *m, uint32_t unit, uint32_t group)
{
	const struct place_unit_state *u = &m->unit_states[unit];

	return group >= u->from && group < u->to;
}

/* Add the free groups with the rarest static variable of @home, if there is room for all. */
static bool add_candidates(const struct place_match *m, uint32_t unit, uint32_t home,
			   struct groups *ret)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	const struct place_home_state *hs = &m->home_states[home];

	if (hs->nr_rarest > MAX_CANDIDATES - ret->nr)
		return false;
	const struct unit_var *v = place_vars(m, &m->homes[home]) + hs->rarest;
	struct place_range r = place_range(m, u->file ? &m->in_file_group : &m->in_group, v->symbol,
					   u->file, PLACE_NONE);
	for (size_t i = 0; i < r.nr; i++) {
		uint32_t group = m->syms.items[r.items[i].sym].group;
		bool have = !group_free(m, unit, group);

		for (size_t k = 0; k < ret->nr && !have; k++)
			have = ret->items[k] == group;
		if (!have)
			ret->items[ret->nr++] = group;
	}
	return true;
}

/* The home of @unit whose rarest static variable has the fewest symbols, or PLACE_NONE. */
static uint32_t anchor_home(const struct place_match *m, uint32_t unit)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	uint32_t fewest = UINT32_MAX, anchor = PLACE_NONE;

	for (uint32_t i = 0; i < u->nr_homes; i++) {
		uint32_t home = m->by_unit[u->first_home + i];
		const struct place_home_state *hs = &m->home_states[home];

		if (hs->rarest == PLACE_NONE || hs->nr_rarest >= fewest)
			continue;
		fewest = hs->nr_rarest;
		anchor = home;
	}
	return anchor;
}

/*
 * The free groups that @unit may be: those of its rarest variable, and, as that may have been
 * discarded, of those of the other homes for which there is room.
 */
static void candidates(const struct place_match *m, uint32_t unit, struct groups *ret)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	uint32_t anchor = anchor_home(m, unit);

	ret->nr = 0;
	ret->more = anchor != PLACE_NONE && !add_candidates(m, unit, anchor, ret);
	for (uint32_t i = 0; i < u->nr_homes && !ret->more; i++) {
		uint32_t home = m->by_unit[u->first_home + i];

		if (home != anchor && m->home_states[home].rarest != PLACE_NONE)
			add_candidates(m, unit, home, ret);
	}
}

/* Has @home static variables? If @named, some whose name a symbol has? */
static bool has_statics(const struct place_match *m, uint32_t home, bool named)
{
	const struct unit_var *v = place_vars(m, &m->homes[home]);

	for (uint32_t i = 0; i < m->homes[home].nr; i++) {
		if (v[i].linkage != BTF_LINK_GLOBAL &&
		    (!named || place_range(m, &m->at_place, v[i].symbol, 0, 0).nr))
			return true;
	}
	return false;
}

static void take_group(struct place_match *m, uint32_t unit, uint32_t group)
{
	struct place_unit_state *u = &m->unit_states[unit];

	u->group = group;
	m->groups.items[group].unit = unit;
	for (uint32_t i = 0; i < u->nr_homes; i++) {
		uint32_t home = m->by_unit[u->first_home + i];
		struct place_home_state *hs = &m->home_states[home];

		hs->solved = place_home_in_group(m, home, group, &hs->start) == 1;
		if (hs->solved || has_statics(m, home, true))
			hs->known = false;
		m->lossy |= !hs->solved && !hs->known && !hs->merged && has_statics(m, home, false);
	}
}

static bool unit_open(const struct place_unit_state *u)
{
	return u->nr_statics && u->group == PLACE_NONE && !u->loose;
}

/* How sure it is that a group is a unit's. */
enum surety {
	SURE_NOT,
	SURE_BEST,    /* no other group has as many of its variables */
	SURE_FILE,    /* both have the same file, and nothing else has */
	SURE_UNIQUE,  /* there is one whose name is nowhere else */
	SURE_PERFECT, /* there are all of its variables, and nothing else */
	SURE_GLOBALS, /* its global variables are beside them */
};

static enum surety surety(const struct place_match *m, uint32_t unit, uint32_t group,
			  struct place_fit fit)
{
	if (!fit.statics)
		return SURE_NOT;
	if (fit.globals)
		return SURE_GLOBALS;
	if (!fit.others && fit.statics == m->unit_states[unit].nr_statics && fit.statics > 1)
		return SURE_PERFECT;
	if (fit.unique)
		return SURE_UNIQUE;
	/* but the linker may have left out the unit, and not an object that is none */
	if (m->unit_states[unit].namesake == group &&
	    (!m->scarce || (fit.statics > fit.others && !fit.longer)))
		return SURE_FILE;
	return SURE_BEST;
}

/* What the units think of a group. */
struct bid {
	int64_t score;
	uint32_t unit;
	enum surety sure;
	bool tied;
};

/*
 * Where variables may have been left out, symbols of another unit may look like those of one
 * that has none.
 */
static bool believable(const struct place_match *m, struct place_fit fit)
{
	return fit.statics && (!m->lossy || (fit.statics > fit.others && !fit.longer));
}

static int64_t score_of(struct place_fit fit)
{
	return fit.statics ? 4 * (int64_t)fit.statics - 2 * (int64_t)fit.others - fit.longer :
			     INT64_MIN;
}

/* The one group that does best for @unit, PLACE_NONE if there is none. */
static uint32_t best_group(struct place_match *m, uint32_t unit, struct bid *ret)
{
	struct groups c;
	uint32_t group = PLACE_NONE;

	*ret = (struct bid){ .score = INT64_MIN, .unit = unit };
	candidates(m, unit, &c);
	if (c.more)
		return PLACE_NONE;
	for (size_t i = 0; i < c.nr; i++) {
		struct place_fit fit = place_unit_fits(m, unit, c.items[i]);
		enum surety sure = surety(m, unit, c.items[i], fit);
		int64_t score = score_of(fit);

		if (sure == SURE_NOT || sure < ret->sure ||
		    (sure == SURE_BEST &&
		     !(group_in_order(m, unit, c.items[i]) && believable(m, fit))))
			continue;
		if (sure > ret->sure || score > ret->score) {
			ret->score = score;
			ret->sure = sure;
			group = c.items[i];
		} else if (score == ret->score) {
			group = PLACE_NONE;
		}
	}
	return group;
}

/*
 * Each unit bids for the one group that is best for it, if it is @sure enough; the highest bid
 * has it.
 */
static bool vote(struct place_match *m, enum surety sure)
{
	struct bid *bids = mem_zalloc(m->groups.nr, sizeof(bids[0]));
	bool progress = false;

	for (uint32_t i = 0; i < m->nr_units; i++) {
		struct bid bid;

		if (!unit_open(&m->unit_states[i]) || !m->budget)
			continue;
		uint32_t g = best_group(m, i, &bid);
		if (g == PLACE_NONE || bid.sure < sure || bid.sure < bids[g].sure)
			continue;
		if (bid.sure == bids[g].sure && bid.score <= bids[g].score) {
			bids[g].tied |= bid.score == bids[g].score;
			continue;
		}
		bids[g] = bid;
	}
	for (uint32_t g = 0; g < m->groups.nr; g++) {
		if (bids[g].sure == SURE_NOT || bids[g].tied)
			continue;
		take_group(m, bids[g].unit, g);
		progress = true;
	}
	free(bids);
	return progress;
}

/* ---- in order ---- */

/* An open unit or home, which waits between two that are solved. */
struct waiting {
	uint32_t unit, home;
	const struct unit_var *var; /* whose symbols are tried */
	uint32_t from, to;          /* positions that are in order: [@from, @to) */
	uint32_t left, right;       /* where it is if all are as far down or up as can be */
};

struct queue {
	struct waiting *items;
	size_t nr, cap;
};

static void queue_release(struct queue *q)
{
	free(q->items);
}

static bool fits_at(struct place_match *m, const struct waiting *w, uint32_t sym)
{
	const struct place_sym *s = &m->syms.items[sym];
	const struct place_at start = { s->section, s->value - w->var->offset };
	bool loose = m->unit_states[w->unit].loose;
	uint32_t group = loose ? PLACE_NONE : s->group;

	if (loose && m->groups.items[s->group].unit != PLACE_NONE)
		return false;
	if (group != PLACE_NONE &&
	    !(group_free(m, w->unit, group) && group_in_order(m, w->unit, group)))
		return false;
	return place_home_fits(m, w->home, group, start) &&
	       (group == PLACE_NONE || believable(m, place_unit_fits(m, w->unit, group)));
}

/* The order in which candidates come: groups, or places. */
struct axis {
	bool groups;
};

static uint32_t position(const struct place_match *m, const struct axis *a, uint32_t sym)
{
	return a->groups ? m->syms.items[sym].group : sym;
}

static const struct place_keys *axis_list(const struct place_match *m, const struct axis *a,
					  uint32_t file)
{
	if (a->groups)
		return file ? &m->in_file_group : &m->in_group;
	return file ? &m->in_file : &m->at_place;
}

static size_t axis_lower(const struct place_match *m, const struct place_keys *list,
			 const struct axis *a, uint32_t name, uint32_t file, uint32_t pos)
{
	return a->groups ? place_lower(m, list, name, file, pos, 0) :
			   place_lower(m, list, name, file, 0, pos);
}

static bool same_name(const struct place_keys *list, size_t i, uint32_t name, uint32_t file)
{
	return list->items[i].name == name && list->items[i].file == file;
}

/* Give each of @q the lowest place in [@from, @to) that is behind those of the units before. */
static void push_left(struct place_match *m, const struct axis *a, struct queue *q, uint32_t from,
		      uint32_t to)
{
	uint32_t behind = from;

	for (size_t i = 0; i < q->nr; i++) {
		struct waiting *w = &q->items[i];
		uint32_t file = m->unit_states[w->unit].file;
		const struct place_keys *list = axis_list(m, a, file);

		if (i && w[-1].unit != w->unit)
			from = behind;
		w->left = PLACE_NONE;
		for (size_t k = axis_lower(m, list, a, w->var->symbol, file,
					   from > w->from ? from : w->from);
		     k < m->syms.nr && same_name(list, k, w->var->symbol, file) && m->budget; k++) {
			uint32_t pos = position(m, a, list->items[k].sym);

			if (pos >= to || pos >= w->to)
				break;
			if (!fits_at(m, w, list->items[k].sym))
				continue;
			w->left = list->items[k].sym;
			if (behind <= pos)
				behind = pos + 1;
			break;
		}
	}
}

/* The same from behind. */
static void push_right(struct place_match *m, const struct axis *a, struct queue *q, uint32_t from,
		       uint32_t to)
{
	uint32_t before = to;

	for (size_t i = q->nr; i-- > 0;) {
		struct waiting *w = &q->items[i];
		uint32_t file = m->unit_states[w->unit].file;
		const struct place_keys *list = axis_list(m, a, file);

		if (i + 1 < q->nr && w[1].unit != w->unit)
			to = before;
		w->right = PLACE_NONE;
		for (size_t k =
			     axis_lower(m, list, a, w->var->symbol, file, to < w->to ? to : w->to);
		     k-- > 0 && same_name(list, k, w->var->symbol, file) && m->budget;) {
			uint32_t pos = position(m, a, list->items[k].sym);

			if (pos < from || pos < w->from)
				break;
			if (!fits_at(m, w, list->items[k].sym))
				continue;
			w->right = list->items[k].sym;
			if (before > pos)
				before = pos;
			break;
		}
	}
}

static void solve_home(struct place_home_state *hs, struct place_at start)
{
	hs->solved = true;
	hs->start = start;
}

/* Solve those of @q for which there is one place only, and empty it. */
static bool settle_queue(struct place_match *m, const struct axis *a, struct queue *q,
			 uint32_t from, uint32_t to)
{
	bool progress = false;

	push_left(m, a, q, from, to);
	push_right(m, a, q, from, to);
	for (size_t i = 0; i < q->nr; i++) {
		const struct waiting *w = &q->items[i];
		struct place_home_state *hs = &m->home_states[w->home];

		if (w->left == PLACE_NONE || w->left != w->right)
			continue;
		const struct place_sym *s = &m->syms.items[w->left];
		if (m->unit_states[w->unit].loose)
			solve_home(hs, (struct place_at){ s->section, s->value - w->var->offset });
		else if (unit_open(&m->unit_states[w->unit]) && group_free(m, w->unit, s->group))
			take_group(m, w->unit, s->group);
		else
			continue;
		progress = true;
	}
	q->nr = 0;
	return progress && m->budget;
}

/* As far as can be seen, may @unit be @group? */
static bool may_be(struct place_match *m, uint32_t unit, uint32_t group)
{
	return group_free(m, unit, group) && group_in_order(m, unit, group) &&
	       (!m->groups.items[group].nr_syms || !m->unit_states[unit].nr_statics ||
		place_unit_fits(m, unit, group).statics);
}

/*
 * Units [@first, @end) are between two that are solved, and groups from @from to @to - 1 between
 * theirs. As many groups as units: then it is clear which is whose.
 */
static bool count_off(struct place_match *m, uint32_t first, uint32_t end, uint32_t from,
		      uint32_t to)
{
	if (end == first || end - first != to - from)
		return false;
	for (uint32_t i = first; i < end; i++) {
		if (m->unit_states[i].loose || !may_be(m, i, from + i - first))
			return false;
	}
	for (uint32_t i = first; i < end; i++)
		take_group(m, i, from + i - first);
	return true;
}

static bool solve_by_counting(struct place_match *m)
{
	bool progress = false;
	uint32_t first = 0, from = 1;

	for (uint32_t i = 0; i < m->nr_units; i++) {
		uint32_t g = m->unit_states[i].group;

		if (g == PLACE_NONE)
			continue;
		progress |= count_off(m, first, i, from, g);
		first = i + 1;
		from = g + 1;
	}
	return count_off(m, first, (uint32_t)m->nr_units, from, (uint32_t)m->groups.nr) || progress;
}

static bool solve_by_groups(struct place_match *m)
{
	const struct axis a = { .groups = true };
	CLEANUP(queue_release) struct queue q = { 0 };
	bool progress = false;
	uint32_t from = 1;

	if (!place_groups_ascend(m))
		return false;
	if (solve_by_counting(m))
		return true;
	for (uint32_t i = 0; i < m->nr_units; i++) {
		const struct place_unit_state *u = &m->unit_states[i];
		struct waiting w = { .unit = i, .home = anchor_home(m, i), .to = PLACE_NONE };

		if (u->group != PLACE_NONE) {
			progress |= settle_queue(m, &a, &q, from, u->group);
			from = u->group + 1;
		} else if (unit_open(u) && w.home != PLACE_NONE) {
			w.var = place_vars(m, &m->homes[w.home]) + m->home_states[w.home].rarest;
			vec_push(&q, w);
		}
	}
	return settle_queue(m, &a, &q, from, (uint32_t)m->groups.nr) || progress;
}

static bool home_waits(const struct place_match *m, uint32_t home, struct waiting *ret)
{
	const struct place_home *h = &m->homes[home];
	const struct place_unit_state *u = &m->unit_states[h->unit];
	const struct place_home_state *hs = &m->home_states[home];

	*ret = (struct waiting){
		.unit = h->unit,
		.home = home,
		.from = place_lower_sym(m, hs->from),
		.to = place_lower_sym(m, hs->to),
	};
	if ((!u->loose && !unit_open(u)) || hs->merged || hs->rarest == PLACE_NONE)
		return false;
	ret->var = place_vars(m, h) + hs->rarest;
	return true;
}

/* Homes [@first, @end) of m->by_name have one name: they ascend in the order of the input. */
static bool solve_run(struct place_match *m, size_t first, size_t end)
{
	const struct axis a = { .groups = false };
	CLEANUP(queue_release) struct queue q = { 0 };
	bool progress = false;
	uint32_t from = 0;

	if (!place_order_run(m, first, end))
		return false;
	for (size_t i = first; i < end; i++) {
		uint32_t home = m->by_name[i];
		const struct place_home_state *hs = &m->home_states[home];
		struct waiting w;
		bool alone = (i == first || !place_same_unit(m, i - 1, i)) &&
			     (i + 1 == end || !place_same_unit(m, i, i + 1));

		if (hs->in_order && alone) {
			uint32_t pos = place_lower_sym(m, hs->start);

			progress |= settle_queue(m, &a, &q, from, pos);
			from = pos;
		}
		if (!hs->solved && home_waits(m, home, &w))
			vec_push(&q, w);
	}
	return settle_queue(m, &a, &q, from, (uint32_t)m->syms.nr) || progress;
}

static bool solve_by_places(struct place_match *m)
{
	bool progress = false;

	for (size_t i = 0, end; i < m->nr_homes; i = end) {
		end = place_end_of_run(m, i);
		progress |= solve_run(m, i, end);
	}
	return progress;
}

static bool solve_step(struct place_match *m)
{
	return vote(m, SURE_FILE) || solve_by_places(m) || solve_by_groups(m) || vote(m, SURE_BEST);
}

/* Does the symbol table name files? */
static bool has_groups(const struct place_match *m)
{
	for (size_t i = 0; i < m->groups.nr; i++) {
		if (m->groups.items[i].file)
			return true;
	}
	return false;
}

/*
 * The symbol table names no files, or a unit was made of several objects: then each of its homes
 * is looked for by itself. But not where it may be that it is simply not there.
 */
static bool loosen(struct place_match *m)
{
	bool any = false;

	if (m->lossy && has_groups(m))
		return false;

	for (uint32_t i = 0; i < m->nr_units; i++) {
		struct place_unit_state *u = &m->unit_states[i];
		struct groups c;
		bool fits = false;

		if (!unit_open(u) || u->file)
			continue;
		candidates(m, i, &c);
		for (size_t k = 0; k < c.nr && !fits; k++)
			fits = place_unit_fits(m, i, c.items[k]).statics;
		if (fits || c.more)
			continue;
		u->loose = true;
		u->file = 0;
		place_find_rarest(m, i);
		any = true;
	}
	return any;
}

void place_solve(struct place_match *m)
{
	bool progress = true;

	place_find_known(m);
	for (size_t i = 0; i < MAX_ROUNDS && progress; i++) {
		place_order_homes(m);
		place_order_groups(m);
		progress = solve_step(m);
	}
	progress = loosen(m);
	for (size_t i = 0; i < MAX_ROUNDS && progress; i++) {
		place_order_homes(m);
		progress = solve_by_places(m);
	}
}
