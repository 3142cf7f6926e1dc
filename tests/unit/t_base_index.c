/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A split finds in its base what libbpf's rule finds there, whether the base was indexed for
 * this split alone or for any.
 *
 * The rule is written down here once more, as plainly as it can be said: one list of all
 * candidates, those of the base in front of the first look at the split, walked from one end
 * to the other for every type, and recursion. Random programs are given to both.
 */
#include "dedup/base_index.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "btf/btf_kind.h"
#include "dedup/dedup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

#include <inttypes.h>

enum { MAX_NODES = 14, MAX_ELEMS = 3, MAX_IDS = 256, UNSET = -1 };

/* --- the rule ------------------------------------------------------------------------- */

struct rule {
	struct btf_types *t;
	bool typedefs;
	uint32_t first, end;
	int64_t map[MAX_IDS], hypot[MAX_IDS];
	uint32_t assumed[MAX_IDS], nr_assumed;
	uint32_t cands[MAX_IDS], nr_cands, counted, room; /* the front is cands[0] */
	bool veto;
};

static const uint32_t *rec_of(const struct rule *r, uint32_t id)
{
	static const uint32_t none[BTF_REC_WORDS];

	return id ? btf_types_rec(r->t, id) : none;
}

static uint32_t kind_of(const struct rule *r, uint32_t id)
{
	return btf_info_kind(rec_of(r, id)[BTF_REC_INFO]);
}

static bool is_su(uint32_t kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION;
}

static bool is_enum(uint32_t kind)
{
	return kind == BTF_ENUM || kind == BTF_ENUM64;
}

static uint32_t resolve(const struct rule *r, uint32_t id)
{
	while (r->map[id] != UNSET && r->map[id] != id)
		id = (uint32_t)r->map[id];
	return id;
}

static bool same_words(const uint32_t *a, const uint32_t *b)
{
	return a[BTF_REC_INFO] == b[BTF_REC_INFO] && !memcmp(a, b, btf_rec_words(a) * 4);
}

static bool same_enum(const uint32_t *a, const uint32_t *b)
{
	bool declared = !btf_info_vlen(a[BTF_REC_INFO]) || !btf_info_vlen(b[BTF_REC_INFO]);

	if (!declared)
		return same_words(a, b);
	return a[BTF_REC_NAME] == b[BTF_REC_NAME] && is_enum(btf_info_kind(a[BTF_REC_INFO])) &&
	       is_enum(btf_info_kind(b[BTF_REC_INFO]));
}

static bool same_outline(const uint32_t *a, const uint32_t *b)
{
	if (memcmp(a, b, BTF_REC_WORDS * 4) != 0)
		return false;
	for (uint32_t i = 0; i < btf_info_vlen(a[BTF_REC_INFO]); i++) {
		if (a[3 + 3 * i] != b[3 + 3 * i] || a[5 + 3 * i] != b[5 + 3 * i])
			return false;
	}
	return true;
}

static bool same_proto(const uint32_t *a, const uint32_t *b)
{
	if (a[BTF_REC_NAME] != b[BTF_REC_NAME] || a[BTF_REC_INFO] != b[BTF_REC_INFO])
		return false;
	for (uint32_t i = 0; i < btf_info_vlen(a[BTF_REC_INFO]); i++) {
		if (a[3 + 2 * i] != b[3 + 2 * i])
			return false;
	}
	return true;
}

static void count(struct rule *r)
{
	if (!r->room || (r->counted + 1) * 4 / 3 > r->room) {
		r->room = r->room ? 2 * r->room : 4;
		for (uint32_t i = 0; i < r->nr_cands / 2; i++) {
			uint32_t *a = &r->cands[i], *b = &r->cands[r->nr_cands - 1 - i], x = *a;

			*a = *b;
			*b = x;
		}
	}
	r->counted++;
}

static void keep(struct rule *r, uint32_t id)
{
	count(r);
	memmove(r->cands + 1, r->cands, r->nr_cands * sizeof(r->cands[0]));
	r->cands[0] = id;
	r->nr_cands++;
	r->map[id] = id;
}

static bool identical(const struct rule *r, uint32_t a, uint32_t b, int depth)
{
	const uint32_t *x = rec_of(r, a), *y = rec_of(r, b);
	uint32_t kind = kind_of(r, a), vlen = btf_info_vlen(x[BTF_REC_INFO]);

	if (depth <= 0 || kind != kind_of(r, b))
		return false;
	switch (kind) {
	case BTF_UNKN:
		return true;
	case BTF_INT:
	case BTF_FLOAT:
	case BTF_FWD:
		return same_words(x, y);
	case BTF_ENUM:
	case BTF_ENUM64:
		return same_enum(x, y);
	case BTF_ARRAY:
		return x[5] == y[5];
	case BTF_STRUCT:
	case BTF_UNION:
		if (!same_outline(x, y))
			return false;
		for (uint32_t i = 0; i < vlen; i++) {
			if (x[4 + 3 * i] != y[4 + 3 * i] &&
			    !identical(r, x[4 + 3 * i], y[4 + 3 * i], depth - 1))
				return false;
		}
		return true;
	case BTF_FUNC_PROTO:
		if (!same_proto(x, y) || (x[2] != y[2] && !identical(r, x[2], y[2], depth - 1)))
			return false;
		for (uint32_t i = 0; i < vlen; i++) {
			if (x[4 + 2 * i] != y[4 + 2 * i] &&
			    !identical(r, x[4 + 2 * i], y[4 + 2 * i], depth - 1))
				return false;
		}
		return true;
	default:
		return x[BTF_REC_INFO] == y[BTF_REC_INFO] && x[BTF_REC_NAME] == y[BTF_REC_NAME] &&
		       identical(r, x[2], y[2], depth);
	}
}

static bool equivalent(struct rule *r, uint32_t cand, uint32_t canon)
{
	if (resolve(r, cand) == resolve(r, canon))
		return true;
	if (kind_of(r, canon) == BTF_FWD && kind_of(r, resolve(r, canon)) != BTF_FWD)
		canon = resolve(r, canon);
	if (r->hypot[canon] != UNSET)
		return r->hypot[canon] == cand || identical(r, (uint32_t)r->hypot[canon], cand, 16);
	r->hypot[canon] = cand;
	r->assumed[r->nr_assumed++] = canon;

	const uint32_t *x = rec_of(r, cand), *y = rec_of(r, canon);
	uint32_t kind = kind_of(r, cand), other = kind_of(r, canon);
	uint32_t vlen = btf_info_vlen(x[BTF_REC_INFO]);
	if (x[BTF_REC_NAME] != y[BTF_REC_NAME])
		return false;
	if ((kind == BTF_FWD) != (other == BTF_FWD)) {
		const uint32_t *fwd = kind == BTF_FWD ? x : y;
		bool is_union = btf_info_kflag(fwd[BTF_REC_INFO]);

		if ((kind == BTF_FWD ? other : kind) != (is_union ? BTF_UNION : BTF_STRUCT))
			return false;
		r->veto |= kind != BTF_FWD && canon < r->first;
		return true;
	}
	if (kind != other)
		return false;
	switch (kind) {
	case BTF_INT:
	case BTF_FLOAT:
	case BTF_FWD:
		return same_words(x, y);
	case BTF_ENUM:
	case BTF_ENUM64:
		return same_enum(x, y);
	case BTF_ARRAY:
		return x[5] == y[5] && equivalent(r, x[4], y[4]) && equivalent(r, x[3], y[3]);
	case BTF_STRUCT:
	case BTF_UNION:
		if (!same_outline(x, y))
			return false;
		for (uint32_t i = 0; i < vlen; i++) {
			if (!equivalent(r, x[4 + 3 * i], y[4 + 3 * i]))
				return false;
		}
		return true;
	case BTF_FUNC_PROTO:
		if (!same_proto(x, y) || !equivalent(r, x[2], y[2]))
			return false;
		for (uint32_t i = 0; i < vlen; i++) {
			if (!equivalent(r, x[4 + 2 * i], y[4 + 2 * i]))
				return false;
		}
		return true;
	default:
		return x[BTF_REC_INFO] == y[BTF_REC_INFO] && equivalent(r, x[2], y[2]);
	}
}

static void merge(struct rule *r)
{
	for (uint32_t i = 0; i < r->nr_assumed; i++) {
		uint32_t t = resolve(r, (uint32_t)r->hypot[r->assumed[i]]);
		uint32_t c = resolve(r, r->assumed[i]);
		bool t_fwd = kind_of(r, t) == BTF_FWD, c_fwd = kind_of(r, c) == BTF_FWD;

		if (!t_fwd && c_fwd)
			r->map[c] = t;
		if (r->veto)
			continue;
		if (t_fwd && !c_fwd)
			r->map[t] = c;
		if (is_su(kind_of(r, t)) && !c_fwd && r->map[c] != UNSET && r->map[t] == UNSET)
			r->map[t] = c;
	}
}

static void do_prim(struct rule *r, uint32_t id)
{
	const uint32_t *rec = rec_of(r, id);
	bool full = btf_info_vlen(rec[BTF_REC_INFO]) != 0;

	for (uint32_t i = 0; i < r->nr_cands; i++) {
		uint32_t c = r->cands[i];
		const uint32_t *cand = rec_of(r, c);

		if (same_words(rec, cand)) {
			r->map[id] = c;
			return;
		}
		if (!is_enum(kind_of(r, id)) || !is_enum(kind_of(r, c)) || !same_enum(rec, cand))
			continue;
		if (!full) {
			r->map[id] = c;
			return;
		}
		r->map[c] = id;
	}
	keep(r, id);
}

static void do_struct(struct rule *r, uint32_t id)
{
	const uint32_t *rec = rec_of(r, id);
	bool is_typedef = kind_of(r, id) == BTF_TYPEDEF;

	for (uint32_t i = 0; i < r->nr_cands; i++) {
		uint32_t c = r->cands[i];
		const uint32_t *cand = rec_of(r, c);

		if (is_typedef ? rec[0] != cand[0] || rec[1] != cand[1] : !same_outline(rec, cand))
			continue;
		memset(r->hypot, 0xff, sizeof(r->hypot));
		r->nr_assumed = 0;
		r->veto = false;
		if (!equivalent(r, id, c))
			continue;
		merge(r);
		if (r->veto)
			continue;
		r->map[id] = c;
		return;
	}
	keep(r, id);
}

static void do_fwd(struct rule *r, uint32_t id)
{
	const uint32_t *rec = rec_of(r, id);
	uint32_t owner = 0, nr = 0;

	for (uint32_t i = 1; i < r->end; i++) {
		if (is_su(kind_of(r, i)) && rec_of(r, i)[0] == rec[0] && r->map[i] == i) {
			owner = i;
			nr++;
		}
	}
	if (nr == 1 &&
	    kind_of(r, owner) == (btf_info_kflag(rec[BTF_REC_INFO]) ? BTF_UNION : BTF_STRUCT))
		r->map[id] = owner;
}

static uint32_t do_ref(struct rule *r, uint32_t id)
{
	if (r->map[id] != UNSET)
		return resolve(r, id);

	uint32_t *rec = btf_types_rec(r->t, id);
	btf_rec_each_type(rec, p) *p = do_ref(r, *p);
	for (uint32_t i = 0; i < r->nr_cands; i++) {
		if (same_words(rec, rec_of(r, r->cands[i]))) {
			r->map[id] = r->cands[i];
			return r->cands[i];
		}
	}
	keep(r, id);
	return id;
}

static bool is_prim(uint32_t kind)
{
	return kind == BTF_INT || kind == BTF_FLOAT || kind == BTF_FWD || is_enum(kind);
}

/* Apply the rule to @t, and put what is left into @out. */
static void apply_rule(struct btf_types *t, bool typedefs, struct btf_types *out)
{
	struct rule r = {
		.t = t, .typedefs = typedefs, .first = t->first, .end = btf_types_end(t)
	};
	uint32_t new_id[MAX_IDS] = { 0 }, next = r.first;

	CHECK(r.end <= MAX_IDS);
	memset(r.map, 0xff, sizeof(r.map));
	for (uint32_t id = 0; id < r.first; id++) {
		r.map[id] = id;
		if (kind_of(&r, id) == BTF_TYPEDEF && !typedefs)
			count(&r);
		else if (id && kind_of(&r, id) != BTF_VAR)
			keep(&r, id);
	}
	for (uint32_t id = r.first; id < r.end; id++) {
		if (kind_of(&r, id) == BTF_VAR)
			r.map[id] = id;
	}
	for (uint32_t id = r.first; id < r.end; id++) {
		if (is_prim(kind_of(&r, id)))
			do_prim(&r, id);
	}
	for (uint32_t id = r.first; id < r.end; id++) {
		if (r.map[id] == UNSET &&
		    (is_su(kind_of(&r, id)) || kind_of(&r, id) == BTF_TYPEDEF))
			do_struct(&r, id);
	}
	for (uint32_t id = r.first; id < r.end; id++) {
		if (kind_of(&r, id) == BTF_FWD && r.map[id] == id)
			do_fwd(&r, id);
	}
	for (uint32_t id = r.first; id < r.end; id++)
		do_ref(&r, id);
	for (uint32_t id = 0; id < r.end; id++) {
		if (id < r.first || r.map[id] == id)
			new_id[id] = id < r.first ? id : next++;
	}
	btf_types_init(out, t->base);
	for (uint32_t id = r.first; id < r.end; id++) {
		if (r.map[id] != id)
			continue;
		uint32_t to = add_words(out, rec_of(&r, id), btf_rec_words(rec_of(&r, id)));
		btf_rec_each_type(btf_types_rec(out, to), p) *p = new_id[resolve(&r, *p)];
	}
}

/* --- random programs -------------------------------------------------------------------- */

struct random {
	uint64_t state;
};

static uint32_t draw(struct random *r, uint32_t below)
{
	r->state = hash_mix(r->state, below);
	return (uint32_t)(r->state >> 20) % below;
}

/* A type of a program; targets are nodes, 0 is void. */
struct node {
	enum btf_kind kind;
	uint32_t name, vlen, value;
	uint32_t elem_name[MAX_ELEMS], target[MAX_ELEMS + 1];
};

struct program {
	struct node nodes[MAX_NODES + 1]; /* 0 is not used */
	uint32_t nr;                      /* with that */
};

static enum btf_kind draw_kind(struct random *r)
{
	static const enum btf_kind kinds[] = {
		BTF_INT,   BTF_PTR,     BTF_PTR,   BTF_STRUCT,   BTF_STRUCT,     BTF_STRUCT,
		BTF_UNION, BTF_TYPEDEF, BTF_CONST, BTF_ARRAY,    BTF_ENUM,       BTF_ENUM64,
		BTF_FWD,   BTF_FLOAT,   BTF_FUNC,  BTF_TYPE_TAG, BTF_FUNC_PROTO,
	};

	return kinds[draw(r, ARRAY_SIZE(kinds))];
}

/* What @n refers to: a struct, or something before it, so that each loop has a struct in it. */
static uint32_t draw_target(struct random *r, const struct program *p, uint32_t n)
{
	uint32_t to = draw(r, p->nr);

	return is_su(p->nodes[to].kind) || to < n || is_su(p->nodes[n].kind) ? to : draw(r, n);
}

static void draw_program(struct random *r, struct program *p)
{
	p->nr = 3 + draw(r, MAX_NODES - 2);
	for (uint32_t n = 1; n < p->nr; n++) {
		bool nameless = draw(r, 4) == 0;

		p->nodes[n] = (struct node){ .kind = draw_kind(r),
					     .name = nameless ? 0 : 1 + draw(r, 3),
					     .vlen = draw(r, MAX_ELEMS + 1),
					     .value = draw(r, 2) };
	}
	for (uint32_t n = 1; n < p->nr; n++) {
		for (uint32_t i = 0; i < MAX_ELEMS; i++)
			p->nodes[n].elem_name[i] = 4 + draw(r, 3);
		for (uint32_t i = 0; i <= MAX_ELEMS; i++)
			p->nodes[n].target[i] = draw_target(r, p, n);
	}
}

static void add_node(struct btf_types *t, const struct node *n, const uint32_t *ids)
{
	const struct btf_kind_layout *l = btf_kind_layout(n->kind);
	uint32_t vlen = l->elem ? n->vlen : 0;
	size_t nr = BTF_REC_WORDS + l->fixed + (size_t)l->elem * vlen;
	uint32_t *rec = btf_types_add(t, nr), i = 0;
	bool may_have_name = n->kind != BTF_PTR && n->kind != BTF_CONST && n->kind != BTF_ARRAY &&
			     n->kind != BTF_FUNC_PROTO;

	memset(rec, 0, nr * sizeof(*rec));
	rec[BTF_REC_NAME] = may_have_name ? n->name : 0;
	rec[BTF_REC_INFO] = btf_info(n->kind, vlen, n->kind == BTF_FWD && n->value);
	if (!l->main_is_type && n->kind != BTF_ARRAY && n->kind != BTF_FWD)
		rec[BTF_REC_SIZE_TYPE] = 4 + 4 * n->value * (n->kind == BTF_INT);
	btf_rec_each_type(rec, p) *p = ids[n->target[i++]];
	for (uint32_t e = 0; e < vlen; e++)
		rec[BTF_REC_WORDS + l->fixed + e * l->elem] = n->elem_name[e];
	if (n->kind == BTF_ENUM && vlen)
		rec[BTF_REC_WORDS + 1] = n->value;
}

/* Append @p in another order, with some of it declared only, said twice, or changed. */
static void add_unit(struct random *r, struct btf_types *t, const struct program *p)
{
	struct program own = *p;
	uint32_t ids[MAX_NODES + 1] = { 0 }, order[MAX_NODES + 1], nr = own.nr - 1;

	for (uint32_t n = 1; n < own.nr; n++) {
		struct node *node = &own.nodes[n];

		if (is_su(node->kind) && draw(r, 6) == 0) {
			node->value = node->kind == BTF_UNION;
			node->kind = BTF_FWD;
		} else if (is_enum(node->kind) && draw(r, 4) == 0) {
			node->vlen = 0;
		} else if (draw(r, 12) == 0) {
			node->target[draw(r, MAX_ELEMS + 1)] = draw(r, n);
		} else if (draw(r, 16) == 0) {
			node->name = 1 + draw(r, 3);
		}
	}
	for (uint32_t n = 1; n < own.nr; n++)
		order[n - 1] = n;
	for (uint32_t i = nr; i > 1; i--) {
		uint32_t k = draw(r, i), x = order[i - 1];

		order[i - 1] = order[k];
		order[k] = x;
	}
	for (uint32_t i = 0; i < nr; i++)
		ids[order[i]] = btf_types_end(t) + i;
	/* some of what it refers to is the base's from the start */
	for (uint32_t n = 1; t->base && n < own.nr; n++) {
		if (draw(r, 24) == 0)
			ids[n] = draw(r, t->first);
	}
	for (uint32_t i = 0; i < nr; i++)
		add_node(t, &own.nodes[order[i]], ids);
}

static void copy_types(const struct btf_types *from, struct btf_types *to)
{
	btf_types_init(to, from->base);
	for (uint32_t id = from->first; id < btf_types_end(from); id++)
		add_words(to, btf_types_rec(from, id), btf_rec_words(btf_types_rec(from, id)));
}

static bool same_types(const struct btf_types *a, const struct btf_types *b)
{
	return a->words.nr == b->words.nr && a->start.nr == b->start.nr &&
	       (!a->words.nr || !memcmp(a->words.items, b->words.items, a->words.nr * 4));
}

static void add_vars(struct btf_types *t)
{
	uint32_t end = btf_types_end(t);

	/* so that it shows where each type went */
	for (uint32_t id = t->first; id < end; id++)
		add_var(t, 9, id);
}

static void check_program(uint64_t seed)
{
	struct random r = { seed };
	bool typedefs = draw(&r, 2);
	const struct dedup_opts opts = { .base_typedefs = typedefs };
	struct program p, other;

	CLEANUP(btf_types_release) struct btf_types base = { 0 };
	CLEANUP(btf_types_release) struct btf_types t = { 0 };
	CLEANUP(btf_types_release) struct btf_types judged = { 0 };
	CLEANUP(btf_types_release) struct btf_types expected = { 0 };
	CLEANUP(btf_types_release) struct btf_types shared = { 0 };
	CLEANUP(base_index_release) struct base_index index = { 0 };

	draw_program(&r, &p);
	draw_program(&r, &other);
	btf_types_init(&base, NULL);
	for (uint32_t n = 1 + draw(&r, 2); n-- > 0;)
		add_unit(&r, &base, &p);
	add_unit(&r, &base, &other);
	if (draw(&r, 4))
		CHECK_OK(dedup_run(&base, &opts));
	btf_types_init(&t, &base);
	for (uint32_t n = 1 + draw(&r, 3); n-- > 0;)
		add_unit(&r, &t, &p);
	add_vars(&t);
	copy_types(&t, &judged);
	copy_types(&t, &shared);

	apply_rule(&judged, typedefs, &expected);
	CHECK_OK(dedup_run(&t, &opts));
	if (!same_types(&t, &expected)) {
		printf("# seed %" PRIu64 ": not what the rule gives\n", seed);
		CHECK(false);
	}
	CHECK_OK(base_index_all(&base, typedefs, &index));
	const struct dedup_opts with_index = { .base_typedefs = typedefs, .base = &index };
	CHECK_OK(dedup_run(&shared, &with_index));
	CHECK(same_types(&shared, &expected));
}

TEST(random_splits_become_what_the_rule_makes_of_them)
{
	for (uint64_t seed = 1; seed <= 20000; seed++)
		check_program(seed);
}

TEST(a_type_of_the_base_counts_whether_it_is_asked_for_or_not)
{
	/* which of two structs a third one becomes depends on how often the table has grown */
	for (uint32_t nr_others = 0; nr_others < 30; nr_others++) {
		const struct dedup_opts opts = { 0 };
		CLEANUP(btf_types_release) struct btf_types base = { 0 };
		CLEANUP(btf_types_release) struct btf_types t = { 0 };
		CLEANUP(btf_types_release) struct btf_types judged = { 0 };
		CLEANUP(btf_types_release) struct btf_types expected = { 0 };

		btf_types_init(&base, NULL);
		uint32_t one = add_struct1(&base, 1, 2, add_int(&base, 3));
		uint32_t two = add_struct1(&base, 1, 2, add_int(&base, 4));
		add_struct1(&base, 5, 6, add_ptr(&base, one));
		add_struct1(&base, 5, 6, add_ptr(&base, two));
		for (uint32_t i = 0; i < nr_others; i++)
			add_struct0(&base, 100 + i);
		btf_types_init(&t, &base);
		add_struct1(&t, 5, 6, add_ptr(&t, add_fwd(&t, 1, false)));
		add_vars(&t);
		copy_types(&t, &judged);
		apply_rule(&judged, false, &expected);
		CHECK_OK(dedup_run(&t, &opts));
		CHECK(same_types(&t, &expected));
	}
}
