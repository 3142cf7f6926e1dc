/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_struct.c - STRUCT, UNION and TYPEDEF: equal if their graphs are
 *
 * A type is compared with each candidate of its outline (name, size, members' names and
 * offsets). The comparison walks both graphs in step, depth first. It stores for each type of
 * the candidate's graph the type that it is assumed to be equal to: the hypothesis. If it
 * reaches a pair again, that branch ends, so cycles do no harm. One difference refutes the
 * hypothesis.
 *
 * A confirmed hypothesis maps more than one type: declarations in either graph are mapped to the
 * structs that they were paired with. Structs inside the type's graph are mapped to those inside
 * the candidate's, and the pass skips them later.
 *
 * Typedefs are in this pass and not in that of the references, because a language with recursive
 * typedefs (Go) may have a cycle without a struct.
 */
#include "dedup/dedup_internal.h"

#include <inttypes.h>

bool dedup_shallow_struct(const uint32_t *a, const uint32_t *b)
{
	if (memcmp(a, b, BTF_REC_WORDS * sizeof(*a)) != 0)
		return false;

	uint32_t vlen = btf_info_vlen(a[BTF_REC_INFO]);
	a += BTF_REC_WORDS;
	b += BTF_REC_WORDS;
	for (uint32_t i = 0; i < vlen; i++, a += 3, b += 3) {
		if (a[0] != b[0] || a[2] != b[2])
			return false;
	}
	return true;
}

static bool shallow_proto(const uint32_t *a, const uint32_t *b)
{
	if (a[BTF_REC_NAME] != b[BTF_REC_NAME] || a[BTF_REC_INFO] != b[BTF_REC_INFO])
		return false;

	uint32_t vlen = btf_info_vlen(a[BTF_REC_INFO]);
	a += BTF_REC_WORDS;
	b += BTF_REC_WORDS;
	for (uint32_t i = 0; i < vlen; i++, a += 2, b += 2) {
		if (a[0] != b[0])
			return false;
	}
	return true;
}

static bool shallow_array(const uint32_t *a, const uint32_t *b)
{
	return !memcmp(a, b, BTF_REC_WORDS * sizeof(*a)) &&
	       a[BTF_REC_WORDS + 2] == b[BTF_REC_WORDS + 2];
}

static bool same_name_info(const uint32_t *a, const uint32_t *b)
{
	return a[BTF_REC_NAME] == b[BTF_REC_NAME] && a[BTF_REC_INFO] == b[BTF_REC_INFO];
}

bool dedup_shallow(enum btf_kind kind, const uint32_t *a, const uint32_t *b, struct pair_run *rest)
{
	const uint32_t *x = a + BTF_REC_WORDS, *y = b + BTF_REC_WORDS;

	if (dedup_only_refers(kind)) {
		*rest = (struct pair_run){ a + BTF_REC_SIZE_TYPE, b + BTF_REC_SIZE_TYPE, 0, 1 };
		return same_name_info(a, b);
	}
	switch (btf_ctype(kind)) {
	case BTF_C_STRUCT:
		*rest = (struct pair_run){ x + 1, y + 1, 3, btf_rec_vlen(a) };
		return dedup_shallow_struct(a, b);
	case BTF_C_ARRAY: /* the index type, then backwards to the elements' */
		*rest = (struct pair_run){ x + 1, y + 1, -1, 2 };
		return shallow_array(a, b);
	case BTF_C_FUNCTION: /* what it returns is two words before the first parameter's type */
		*rest = (struct pair_run){ a + BTF_REC_SIZE_TYPE, b + BTF_REC_SIZE_TYPE, 2,
					   1 + btf_rec_vlen(a) };
		return shallow_proto(a, b);
	case BTF_C_ENUM:
		return dedup_compat_enum(a, b);
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_FORWARD:
		return dedup_same_words(a, b);
	case BTF_C_POINTER:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_VOID:
	case BTF_C_NONE:
		break;
	}
	return false;
}

uint64_t dedup_hash_typedef(const uint32_t *rec)
{
	return hash_pair(rec[BTF_REC_NAME], rec[BTF_REC_INFO]);
}

/* How many references hash_target() follows, and for how many members. */
enum { TARGET_LINKS = 4, TARGET_MEMBERS = 8 };

/*
 * A hash that is equal for equal types. It may include only what is equal by every rule of the
 * comparison: name and kind of a struct, as a FWD has them; the name of an enum.
 */
static uint64_t hash_target(const struct btf_types *t, uint32_t id)
{
	uint64_t h = hash_begin(0);

	for (int depth = 0; id && depth < TARGET_LINKS; depth++) {
		const uint32_t *rec = btf_types_rec(t, id);
		enum btf_kind kind = btf_rec_kind(rec);
		uint64_t name = rec[BTF_REC_NAME];
		uint64_t name_info = name << 32 | rec[BTF_REC_INFO];

		switch (btf_ctype(kind)) {
		case BTF_C_STRUCT:
			return hash_mix(h, name << 32 | kind);
		case BTF_C_FORWARD:
			return hash_mix(h, name << 32 | dedup_fwd_kind(rec));
		case BTF_C_ENUM:
			return hash_mix(h, name << 32 | BTF_ENUM);
		case BTF_C_INT:
		case BTF_C_FLOAT:
			return hash_mix(h, dedup_hash_words(rec));
		case BTF_C_ARRAY:
			h = hash_mix(h, rec[BTF_REC_WORDS + 2]);
			id = rec[BTF_REC_WORDS];
			break;
		case BTF_C_FUNCTION:
			return hash_mix(h, name_info);
		case BTF_C_POINTER:
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
		case BTF_C_VOID:
		case BTF_C_NONE:
			if (!dedup_only_refers(kind))
				return h;
			h = hash_mix(h, name_info);
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		}
	}
	return h;
}

uint64_t dedup_hash_outline(const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = hash_words(rec, BTF_REC_WORDS);
	const uint32_t *m = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < vlen; i++, m += 3)
		h = hash_mix(h, (uint64_t)m[0] << 32 | m[2]);
	return h;
}

/*
 * The outline alone would be a correct key. But programs have thousands of unions without a name that
 * differ in the type of one member, and each would be compared with all before it.
 */
uint64_t dedup_hash_struct(const struct btf_types *t, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = dedup_hash_outline(rec);
	const uint32_t *m = rec + BTF_REC_WORDS;

	if (rec[BTF_REC_NAME])
		return h;
	for (uint32_t i = 0; i < vlen && i < TARGET_MEMBERS; i++, m += 3)
		h = hash_mix(h, hash_target(t, m[1]));
	return h;
}

static void clear_hypothesis(struct dedup *d)
{
	for (size_t i = 0; i < d->hypot_ids.nr; i++)
		d->hypot[d->hypot_ids.items[i]] = 0;
	d->hypot_ids.nr = 0;
	d->adjusts_base = false;
}

static void assume(struct dedup *d, uint32_t cand, uint32_t type)
{
	d->hypot[cand] = type;
	vec_push(&d->hypot_ids, cand);
}

/* The struct that @cand is mapped to, if it is a FWD; else @cand, also if it is mapped to another FWD. */
static uint32_t bound_struct(const struct dedup *d, uint32_t cand)
{
	if (cand == 0 || d->kind[cand] != BTF_FWD)
		return cand;

	uint32_t id = dedup_resolve(d, cand);
	return d->kind[id] == BTF_FWD ? cand : id;
}

/* Does that of @type and @cand which is a FWD declare the other? */
static bool fwd_declares(struct dedup *d, uint32_t type, uint32_t cand)
{
	bool new_declares = d->kind[type] == BTF_FWD;
	uint8_t declared = dedup_fwd_kind(dedup_rec(d, new_declares ? type : cand));
	uint8_t real = d->kind[new_declares ? cand : type];

	if (declared != real)
		return false;
	if (!new_declares && cand < d->first)
		d->adjusts_base = true;
	return true;
}

/* Two types of one kind. */
static bool may_be_equal(const struct dedup *d, uint32_t type, uint32_t cand)
{
	return !d->class_of || d->class_of[type] == d->class_of[cand];
}

/*
 * Compare the records of a pair without the types that they refer to. *rest is the pairs of these, in the order
 * in which libbpf compares them.
 */
static struct err *compare_records(struct dedup *d, uint32_t type, uint32_t cand,
				   struct pair_run *rest, bool *ret)
{
	const uint32_t *a = dedup_rec(d, type), *b = dedup_rec(d, cand);
	uint8_t kind = d->kind[type];

	*ret = false;
	if (a[BTF_REC_NAME] != b[BTF_REC_NAME])
		return NULL;
	if (kind != d->kind[cand]) {
		*ret = (kind == BTF_FWD || d->kind[cand] == BTF_FWD) && fwd_declares(d, type, cand);
		return NULL;
	}
	if (!may_be_equal(d, type, cand))
		return NULL;
	if (unlikely(kind == BTF_UNKN || btf_kind_layouts[kind].is_no_type))
		return err_new(ERR_FORMAT, "type %" PRIu32 ": a %s is used as a type", type,
			       btf_kind_layout(kind)->name);
	*ret = dedup_shallow(kind, a, b, rest);
	return NULL;
}

/* The next pair of ids to compare; false if none is left. */
static bool next_pair(struct pair_stack *s, uint32_t *type, uint32_t *cand)
{
	while (s->nr) {
		if (pair_run_next(&s->items[s->nr - 1], type, cand))
			return true;
		s->nr--;
	}
	return false;
}

/* Do the classes of one of these pairs differ? Then there is no need to compare the others. */
static bool any_differs(const struct dedup *d, struct pair_run run)
{
	uint32_t type, cand;

	while (pair_run_next(&run, &type, &cand)) {
		if (type == cand || dedup_resolve(d, type) == dedup_resolve(d, cand))
			continue;
		cand = bound_struct(d, cand);
		if (d->kind[type] == d->kind[cand] && !may_be_equal(d, type, cand))
			return true;
	}
	return false;
}

/* Is @type equal to candidate @cand? If so, the hypothesis has the pairs. The hot loop of deduplication. */
static struct err *equivalent(struct dedup *d, uint32_t type, uint32_t cand, bool *ret)
{
	d->pairs.nr = 0;
	do {
		struct pair_run rest = { 0 };
		bool same = true;

		TRY(dedup_count_pair(d));
		if (type == cand || dedup_resolve(d, type) == dedup_resolve(d, cand))
			continue;
		cand = bound_struct(d, cand);

		uint32_t met = d->hypot[cand];
		if (!met) {
			assume(d, cand, type);
			TRY(compare_records(d, type, cand, &rest, &same));
		} else if (met != type) {
			/* compilers write some types twice in one unit */
			TRY(dedup_identical(d, met, type, &same));
		}
		if (!same || (unlikely(d->class_of) && any_differs(d, rest))) {
			*ret = false;
			return NULL;
		}
		if (rest.left)
			vec_push(&d->pairs, rest);
	} while (next_pair(&d->pairs, &type, &cand));
	*ret = true;
	return NULL;
}

/* Map types by a confirmed hypothesis. Each step depends on the mappings of those before. */
static void merge_hypothesis(struct dedup *d)
{
	for (size_t i = 0; i < d->hypot_ids.nr; i++) {
		uint32_t cand = d->hypot_ids.items[i];
		uint32_t t = dedup_resolve(d, d->hypot[cand]);
		uint32_t c = dedup_resolve(d, cand);
		bool t_fwd = d->kind[t] == BTF_FWD, c_fwd = d->kind[c] == BTF_FWD;

		if (!t_fwd && c_fwd)
			d->map[c] = t; /* t may find its own canonical type later */
		if (d->adjusts_base)
			continue; /* the base cannot change; only FWDs may point out of it */
		if (t_fwd && !c_fwd)
			d->map[t] = c;
		if (!c_fwd && btf_kind_is_struct(d->kind[t]) && dedup_is_mapped(d, c) &&
		    !dedup_is_mapped(d, t))
			d->map[t] = c;
	}
}

/*
 * Are classes worth their time? They cost about as much as WASTED_PER_TYPE comparisons for each type. Programs waste
 * fewer.
 */
enum { WASTED_PER_TYPE = 16 };

static bool wants_classes(const struct dedup *d)
{
	return !d->class_of && (d->opts->classes_first || d->nr_wasted / WASTED_PER_TYPE > d->end);
}

/* The candidates for @id, and the hash with which cand_each() visits them. */
static const struct cand_table *candidates(struct dedup *d, uint32_t id, uint64_t *hash)
{
	const uint32_t *rec = dedup_rec(d, id);

	if (d->class_of) {
		*hash = dedup_hash_class(d, id);
		d->by_class.front = d->cands.front;
		return &d->by_class;
	}
	*hash = d->kind[id] == BTF_TYPEDEF ? dedup_hash_typedef(rec) : dedup_hash_struct(d->t, rec);
	return dedup_chain(d, *hash);
}

static void keep(struct dedup *d, uint32_t id, uint64_t hash)
{
	if (!d->class_of) {
		dedup_keep(d, hash, id);
		return;
	}
	d->map[id] = id;
	cand_table_count(&d->cands);
	d->by_class.front = d->cands.front;
	cand_table_alias(&d->by_class, hash, id);
}

static bool shallow_equal(const struct dedup *d, uint32_t id, uint32_t cand)
{
	const uint32_t *a = dedup_rec(d, id), *b = dedup_rec(d, cand);

	if (!may_be_equal(d, id, cand))
		return false;
	return d->kind[id] == BTF_TYPEDEF ? same_name_info(a, b) : dedup_shallow_struct(a, b);
}

/*
 * Compare @id with its candidates, which have @hash. *ret is the first equal one, or 0. *again: too many
 * comparisons were in vain, so the caller should find classes and start again.
 */
static struct err *find_equal(struct dedup *d, uint32_t id, const struct cand_table *t,
			      uint64_t hash, uint32_t *ret, bool *again)
{
	bool equal = false, merged = false;

	*ret = 0;
	*again = false;
	cand_each(t, hash, cand)
	{
		uint64_t before = d->nr_pairs;

		if (!shallow_equal(d, id, cand))
			continue;
		clear_hypothesis(d);
		TRY(equivalent(d, id, cand, &equal));
		if (equal) {
			merge_hypothesis(d);
			merged = true;
			if (d->adjusts_base)
				continue;
			*ret = cand;
			return NULL;
		}
		d->nr_wasted += d->nr_pairs - before;
		*again = !merged && wants_classes(d);
		if (*again)
			return NULL;
	}
	return NULL;
}

static struct err *do_type(struct dedup *d, uint32_t id)
{
	uint64_t hash;
	uint32_t found;
	bool again = wants_classes(d);

	do {
		if (again)
			dedup_classify(d);

		const struct cand_table *t = candidates(d, id, &hash);
		TRY(find_equal(d, id, t, hash, &found, &again));
	} while (again);
	if (found)
		d->map[id] = found;
	else
		keep(d, id, hash);
	return NULL;
}

struct err *dedup_struct(struct dedup *d)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		if (dedup_in_struct_pass(d->kind[id]) && !dedup_is_mapped(d, id))
			TRY(do_type(d, id));
	}
	clear_hypothesis(d);
	return NULL;
}
