/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/slow_dedup.h"

#include "base/arena.h"
#include "base/vec.h"
#include "tests/lib/btfbuild.h"

#include <stdlib.h>
#include <string.h>

struct slow_dedup {
	struct btf_types *t;
	uint32_t first, end;
	bool base_typedefs;
	uint64_t budget; /* steps that are left */
	enum slow_end how;
	uint32_t *map;
	/* those that stay, in the order in which others are compared with them */
	uint32_t *cands;
	uint32_t nr_cands;
	/* canonical types and who stands for each, in the order in which that was assumed */
	struct slow_pair {
		uint32_t canon, cand;
	} * pairs;
	uint32_t nr_pairs;
	struct {
		struct slow_pair *items;
		size_t nr, cap;
	} exact; /* pairs below arrays that were compared, or are */
	bool *in_progress;
	bool veto;
};

enum { SLOW_UNSET = UINT32_MAX };

/* levels below which types are compared */
enum { SLOW_DEPTH = 16, SLOW_NO_LIMIT = INT32_MAX };

static uint32_t *slow_rec(const struct slow_dedup *d, uint32_t id)
{
	static uint32_t nothing[BTF_REC_WORDS];

	return id ? btf_types_rec(d->t, id) : nothing;
}

static uint32_t slow_kind(const struct slow_dedup *d, uint32_t id)
{
	return btf_info_kind(slow_rec(d, id)[BTF_REC_INFO]);
}

static bool slow_is_struct(const struct slow_dedup *d, uint32_t id)
{
	return slow_kind(d, id) == BTF_STRUCT || slow_kind(d, id) == BTF_UNION;
}

static bool slow_is_enum(const struct slow_dedup *d, uint32_t id)
{
	return slow_kind(d, id) == BTF_ENUM || slow_kind(d, id) == BTF_ENUM64;
}

static bool slow_is_fwd(const struct slow_dedup *d, uint32_t id)
{
	return slow_kind(d, id) == BTF_FWD;
}

static uint32_t slow_vlen(const struct slow_dedup *d, uint32_t id)
{
	return btf_info_vlen(slow_rec(d, id)[BTF_REC_INFO]);
}

static uint32_t slow_resolve(const struct slow_dedup *d, uint32_t id)
{
	while (d->map[id] != SLOW_UNSET && d->map[id] != id)
		id = d->map[id];
	return id;
}

/* The table has 4 slots at first, and grows by doubling when it is full to three quarters. */
static bool slow_grows_before(uint32_t nth)
{
	if (nth == 1)
		return true;
	for (uint32_t n = 4; n <= nth; n = (n - 1) * 2 + 1) {
		if (n == nth)
			return true;
	}
	return false;
}

/* In front of the others; growing turns the order of those around. */
static void slow_keep(struct slow_dedup *d, uint32_t id)
{
	uint32_t nr = d->nr_cands++;

	if (slow_grows_before(nr + 1)) {
		for (uint32_t i = 0; i < nr / 2; i++) {
			uint32_t last = d->cands[nr - 1 - i];

			d->cands[nr - 1 - i] = d->cands[i];
			d->cands[i] = last;
		}
	}
	memmove(d->cands + 1, d->cands, nr * sizeof(d->cands[0]));
	d->cands[0] = id;
	d->map[id] = id;
}

/* --- what equal means --------------------------------------------------------------------- */

static bool slow_same_words(const struct slow_dedup *d, uint32_t a, uint32_t b)
{
	const uint32_t *x = slow_rec(d, a), *y = slow_rec(d, b);

	return x[BTF_REC_INFO] == y[BTF_REC_INFO] && !memcmp(x, y, btf_rec_words(x) * sizeof(*x));
}

/* The same record but for the types it refers to; typedefs, arrays, structs, prototypes, ... */
static bool slow_same_outline(const struct slow_dedup *d, uint32_t a, uint32_t b)
{
	uint32_t x[BTF_REC_WORDS + 3 * 16], y[BTF_REC_WORDS + 3 * 16];
	size_t nr = btf_rec_words(slow_rec(d, a));

	if (slow_rec(d, a)[BTF_REC_INFO] != slow_rec(d, b)[BTF_REC_INFO])
		return false;
	assert(nr <= ARRAY_SIZE(x));
	memcpy(x, slow_rec(d, a), nr * sizeof(*x));
	memcpy(y, slow_rec(d, b), nr * sizeof(*y));
	btf_rec_each_type(x, p) *p = 0;
	btf_rec_each_type(y, p) *p = 0;
	return !memcmp(x, y, nr * sizeof(*x));
}

static bool slow_enums_agree(const struct slow_dedup *d, uint32_t a, uint32_t b)
{
	if (!slow_is_enum(d, a) || !slow_is_enum(d, b))
		return false;
	if (slow_vlen(d, a) && slow_vlen(d, b))
		return slow_same_words(d, a, b);
	return slow_rec(d, a)[BTF_REC_NAME] == slow_rec(d, b)[BTF_REC_NAME];
}

static bool slow_step(struct slow_dedup *d)
{
	if (!d->budget)
		d->how = SLOW_GAVE_UP;
	else
		d->budget--;
	return d->how == SLOW_DONE;
}

/* Below an array: is the pair compared already? It is from now on. */
static bool slow_seen(struct slow_dedup *d, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < d->exact.nr; i++) {
		if (d->exact.items[i].canon == a && d->exact.items[i].cand == b)
			return true;
	}
	vec_push(&d->exact, ((struct slow_pair){ a, b }));
	return false;
}

/*
 * One canonical type was met with two new ones: are these the same by themselves? libbpf is blind to what is in
 * arrays. That must be the same, too, without a limit of levels.
 */
static bool slow_identical(struct slow_dedup *d, uint32_t a, uint32_t b, int depth)
{
	uint32_t kind = slow_kind(d, a), *ref;
	int below = kind == BTF_ARRAY || depth == SLOW_NO_LIMIT ? SLOW_NO_LIMIT : depth - 1;

	if (!slow_step(d) || depth <= 0 || kind != slow_kind(d, b))
		return false;
	if (depth == SLOW_NO_LIMIT && slow_seen(d, a, b))
		return true;
	switch (kind) {
	case BTF_UNKN:
		return true;
	case BTF_INT:
	case BTF_FWD:
	case BTF_FLOAT:
		return slow_same_words(d, a, b);
	case BTF_ENUM:
	case BTF_ENUM64:
		return slow_enums_agree(d, a, b);
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_PTR:
	case BTF_TYPEDEF:
	case BTF_FUNC:
	case BTF_TYPE_TAG:
		return slow_same_outline(d, a, b) &&
		       slow_identical(d, slow_rec(d, a)[BTF_REC_SIZE_TYPE],
				      slow_rec(d, b)[BTF_REC_SIZE_TYPE], depth);
	case BTF_ARRAY:
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_FUNC_PROTO:
		if (!slow_same_outline(d, a, b))
			return false;
		for (size_t i = 0; (ref = btf_rec_type(slow_rec(d, a), i)); i++) {
			uint32_t other = *btf_rec_type(slow_rec(d, b), i);

			if (*ref != other && !slow_identical(d, *ref, other, below))
				return false;
		}
		return true;
	default:
		return false;
	}
}

/* Is one of the two a FWD that declares the other? */
static bool slow_declares(struct slow_dedup *d, uint32_t cand, uint32_t canon)
{
	uint32_t fwd = slow_is_fwd(d, cand) ? cand : canon, other = fwd == cand ? canon : cand;
	bool is_union = btf_info_kflag(slow_rec(d, fwd)[BTF_REC_INFO]);

	if (slow_kind(d, other) != (is_union ? BTF_UNION : BTF_STRUCT))
		return false;
	if (fwd == canon && canon < d->first)
		d->veto = true;
	return true;
}

/* Can @cand stand for @canon? Notes who would stand for whom. */
static bool slow_equiv(struct slow_dedup *d, uint32_t cand, uint32_t canon)
{
	uint32_t *ref, kind = slow_kind(d, cand);

	if (!slow_step(d))
		return false;
	if (slow_resolve(d, cand) == slow_resolve(d, canon))
		return true;
	if (slow_is_fwd(d, canon) && !slow_is_fwd(d, slow_resolve(d, canon)))
		canon = slow_resolve(d, canon);
	for (uint32_t i = 0; i < d->nr_pairs; i++) {
		if (d->pairs[i].canon != canon)
			continue;
		d->exact.nr = 0;
		return d->pairs[i].cand == cand ||
		       slow_identical(d, d->pairs[i].cand, cand, SLOW_DEPTH);
	}
	d->pairs[d->nr_pairs++] = (struct slow_pair){ canon, cand };

	if (slow_rec(d, cand)[BTF_REC_NAME] != slow_rec(d, canon)[BTF_REC_NAME])
		return false;
	if (slow_is_fwd(d, cand) != slow_is_fwd(d, canon))
		return slow_declares(d, cand, canon);
	if (kind != slow_kind(d, canon))
		return false;
	if (slow_is_enum(d, cand))
		return slow_enums_agree(d, cand, canon);
	if (kind == BTF_VAR || kind == BTF_DATASEC || kind == BTF_DECL_TAG ||
	    kind >= BTF_LOC_PARAM) {
		d->how = SLOW_REFUSED;
		return false;
	}
	if (!slow_same_outline(d, cand, canon))
		return false;
	if (kind == BTF_ARRAY) /* the index first */
		return slow_equiv(d, slow_rec(d, cand)[BTF_REC_WORDS + 1],
				  slow_rec(d, canon)[BTF_REC_WORDS + 1]) &&
		       slow_equiv(d, slow_rec(d, cand)[BTF_REC_WORDS],
				  slow_rec(d, canon)[BTF_REC_WORDS]);
	for (size_t i = 0; (ref = btf_rec_type(slow_rec(d, cand), i)); i++) {
		if (!slow_equiv(d, *ref, *btf_rec_type(slow_rec(d, canon), i)))
			return false;
	}
	return true;
}

static void slow_merge(struct slow_dedup *d)
{
	for (uint32_t i = 0; i < d->nr_pairs; i++) {
		uint32_t canon = slow_resolve(d, d->pairs[i].canon);
		uint32_t cand = slow_resolve(d, d->pairs[i].cand);

		if (!slow_is_fwd(d, cand) && slow_is_fwd(d, canon))
			d->map[canon] = cand;
		else if (d->veto)
			continue;
		else if (slow_is_fwd(d, cand) && !slow_is_fwd(d, canon))
			d->map[cand] = canon;
		else if (slow_is_struct(d, cand) && !slow_is_fwd(d, canon) &&
			 d->map[canon] != SLOW_UNSET && d->map[cand] == SLOW_UNSET)
			d->map[cand] = canon;
	}
}

/* --- the passes --------------------------------------------------------------------------- */

static void slow_do_plain(struct slow_dedup *d, uint32_t id)
{
	for (uint32_t i = 0; i < d->nr_cands; i++) {
		if (slow_same_words(d, id, d->cands[i])) {
			d->map[id] = d->cands[i];
			return;
		}
	}
	slow_keep(d, id);
}

static void slow_do_enum(struct slow_dedup *d, uint32_t id)
{
	for (uint32_t i = 0; i < d->nr_cands; i++) {
		uint32_t cand = d->cands[i];

		if (slow_is_enum(d, cand) && slow_same_words(d, id, cand)) {
			d->map[id] = cand;
			return;
		}
		if (!slow_enums_agree(d, id, cand))
			continue;
		if (!slow_vlen(d, id)) {
			d->map[id] = cand;
			return;
		}
		d->map[cand] = id; /* and there may be an equal one behind it */
	}
	slow_keep(d, id);
}

static bool slow_may_equal(const struct slow_dedup *d, uint32_t id, uint32_t cand)
{
	/* pahole 1.31's libbpf enters those under a key that is never looked up */
	if (slow_kind(d, cand) == BTF_TYPEDEF && cand < d->first && !d->base_typedefs)
		return false;
	return slow_same_outline(d, id, cand);
}

static void slow_do_struct(struct slow_dedup *d, uint32_t id)
{
	for (uint32_t i = 0; i < d->nr_cands; i++) {
		if (!slow_may_equal(d, id, d->cands[i]))
			continue;
		d->nr_pairs = 0;
		d->veto = false;
		bool equal = slow_equiv(d, id, d->cands[i]);
		if (d->how != SLOW_DONE)
			return;
		if (!equal)
			continue;
		slow_merge(d);
		if (!d->veto) {
			d->map[id] = d->cands[i];
			return;
		}
	}
	slow_keep(d, id);
}

/* The one struct or union of that name, if it is what @fwd says. */
static void slow_do_fwd(struct slow_dedup *d, uint32_t fwd)
{
	uint32_t found = 0, nr = 0;

	for (uint32_t id = 1; id < d->end; id++) {
		if (slow_is_struct(d, id) && d->map[id] == id &&
		    slow_rec(d, id)[BTF_REC_NAME] == slow_rec(d, fwd)[BTF_REC_NAME]) {
			found = id;
			nr++;
		}
	}
	if (nr == 1 &&
	    (slow_kind(d, found) == BTF_UNION) == btf_info_kflag(slow_rec(d, fwd)[BTF_REC_INFO]))
		d->map[fwd] = found;
}

/* Depth first: what a reference leads to is canonical before it is compared itself. */
static uint32_t slow_do_ref(struct slow_dedup *d, uint32_t id)
{
	if (d->in_progress[id])
		d->how = SLOW_REFUSED;
	if (d->how != SLOW_DONE)
		return 0;
	if (d->map[id] != SLOW_UNSET)
		return slow_resolve(d, id);
	d->in_progress[id] = true;
	btf_rec_each_type(slow_rec(d, id), ref) *ref = slow_do_ref(d, *ref);
	d->in_progress[id] = false;
	slow_do_plain(d, id);
	return d->map[id];
}

/* The result in place of @d->t's own records. */
static void slow_compact(struct slow_dedup *d)
{
	struct btf_types out;
	uint32_t *new_id = mem_zalloc(d->end, sizeof(*new_id));
	uint32_t next = d->first;

	btf_types_init(&out, d->t->base);
	for (uint32_t id = 0; id < d->end; id++)
		new_id[id] = id < d->first ? id : d->map[id] == id ? next++ : 0;
	for (uint32_t id = d->first; id < d->end; id++) {
		uint32_t *rec = slow_rec(d, id);
		size_t nr = btf_rec_words(rec);

		if (d->map[id] != id)
			continue;
		btf_rec_each_type(rec, ref) *ref = new_id[slow_resolve(d, *ref)];
		memcpy(btf_types_add(&out, nr), rec, nr * sizeof(*rec));
	}
	free(new_id);
	btf_types_release(d->t);
	*d->t = out;
}

/* Each of these stays. */
static bool slow_is_kept(uint32_t kind)
{
	return kind == BTF_VAR || kind == BTF_DATASEC || kind == BTF_LOCSEC;
}

static void slow_passes(struct slow_dedup *d)
{
	for (uint32_t id = 0; id < d->end; id++) {
		uint32_t kind = slow_kind(d, id);

		d->map[id] = id < d->first || slow_is_kept(kind) ? id : SLOW_UNSET;
	}
	for (uint32_t id = 1; id < d->first; id++) {
		if (!slow_is_kept(slow_kind(d, id)))
			slow_keep(d, id);
	}
	for (uint32_t id = d->first; id < d->end; id++) {
		uint32_t kind = slow_kind(d, id);

		if (slow_is_enum(d, id))
			slow_do_enum(d, id);
		else if (kind == BTF_INT || kind == BTF_FLOAT || kind == BTF_FWD ||
			 kind == BTF_LOC_PARAM)
			slow_do_plain(d, id);
	}
	for (uint32_t id = d->first; id < d->end && d->how == SLOW_DONE; id++) {
		if (d->map[id] == SLOW_UNSET &&
		    (slow_is_struct(d, id) || slow_kind(d, id) == BTF_TYPEDEF))
			slow_do_struct(d, id);
	}
	for (uint32_t id = d->first; id < d->end && d->how == SLOW_DONE; id++) {
		if (slow_is_fwd(d, id) && d->map[id] == id)
			slow_do_fwd(d, id);
	}
	for (uint32_t id = d->first; id < d->end && d->how == SLOW_DONE; id++)
		slow_do_ref(d, id);
	if (d->how == SLOW_DONE)
		slow_compact(d);
}

enum slow_end slow_dedup(struct btf_types *t, bool base_typedefs, uint64_t budget)
{
	uint32_t end = btf_types_end(t);
	struct slow_dedup d = {
		.t = t,
		.first = t->first,
		.end = end,
		.base_typedefs = base_typedefs,
		.budget = budget,
		.map = mem_zalloc(end, sizeof(*d.map)),
		.cands = mem_zalloc(end, sizeof(*d.cands)),
		.pairs = mem_zalloc(end, sizeof(*d.pairs)),
		.in_progress = mem_zalloc(end, sizeof(*d.in_progress)),
	};

	slow_passes(&d);
	free(d.map);
	free(d.cands);
	free(d.pairs);
	free(d.exact.items);
	free(d.in_progress);
	return d.how;
}
