/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/random_units.h"

#include "tests/lib/btfbuild.h"

#include <string.h>

struct random_unit {
	struct random_program *p;
	struct btf_types *t;
	uint32_t ids[RANDOM_TYPES];
	bool declared[RANDOM_TYPES], version[RANDOM_TYPES];
};

const char *random_name(uint32_t name)
{
	static const char *const names[RANDOM_NAMES + 1] = { "",  "int", "a", "b", "c",
							     "d", "e",   "f", "g", "h" };

	return names[name];
}

static bool random_chance(struct rnd *r, uint32_t one_in)
{
	return one_in && rnd_one_in(r, one_in);
}

/* Whatever may be referred to by type @i: those before it, and any struct. */
static uint32_t random_target(struct random_program *p, uint32_t i)
{
	for (int tries = 0; tries < 8; tries++) {
		uint32_t to = rnd_below(&p->r, RANDOM_TYPES);

		if (to && p->types[to].kind == BTF_DECL_TAG)
			continue;
		if (to < i || btf_kind_is_struct(p->types[to].kind))
			return to;
	}
	return 1;
}

static void random_choose_refs(struct random_program *p, uint32_t i)
{
	struct random_type *t = &p->types[i];

	switch (t->kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		t->nr_refs = rnd_below(&p->r, RANDOM_REFS + 1);
		break;
	case BTF_FUNC_PROTO:
		t->nr_refs = 1 + rnd_below(&p->r, RANDOM_REFS);
		break;
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_TYPEDEF:
	case BTF_TYPE_TAG:
	case BTF_ARRAY:
	case BTF_DECL_TAG:
		t->nr_refs = 1;
		break;
	default:
		t->nr_refs = 0;
		break;
	}
	for (uint32_t m = 0; m < t->nr_refs; m++)
		t->refs[m] = random_target(p, i);
	if (t->nr_refs && rnd_one_in(&p->r, 2))
		t->other = random_target(p, i);
	/* pahole makes one array of as many dimensions as there are, and tags what has a name */
	if (t->kind == BTF_ARRAY && (!t->refs[0] || p->types[t->refs[0]].kind == BTF_ARRAY))
		t->refs[0] = 1;
	if (t->kind == BTF_ARRAY || t->kind == BTF_DECL_TAG)
		t->other = 0;
	if (t->kind == BTF_DECL_TAG && !btf_kind_is_struct(p->types[t->refs[0]].kind) &&
	    p->types[t->refs[0]].kind != BTF_TYPEDEF)
		t->kind = BTF_FLOAT, t->nr_refs = 0;
}

static uint32_t random_choose_name(struct random_program *p, uint32_t i)
{
	switch (p->types[i].kind) {
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_ENUM:
	case BTF_ENUM64:
		if (rnd_one_in(&p->r, 4))
			return 0;
		break;
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_ARRAY:
	case BTF_FUNC_PROTO:
		return 0;
	default:
		break;
	}
	return 2 + rnd_below(&p->r, RANDOM_NAMES - 1);
}

/* Most programs give a name to one thing. */
static bool random_name_taken(const struct random_program *p, uint32_t i)
{
	for (uint32_t k = 1; k < i && p->types[i].name; k++) {
		if (p->types[k].name == p->types[i].name && p->types[k].kind == p->types[i].kind)
			return true;
	}
	return false;
}

/* Let three types be a struct of two arrays of other elements, which are the same array in one version. */
static void random_two_arrays(struct random_program *p, uint32_t array)
{
	struct random_type *t = &p->types[array];

	t[0].refs[0] = 1;
	t[1].refs[0] = array - 1;
	t[0].extra = t[1].extra = 4;
	t[2].nr_refs = 2;
	t[2].refs[0] = t[2].refs[1] = array;
	t[2].other = array + 1;
	t[2].two_versions = true;
	if (rnd_one_in(&p->r, 2))
		t[2].name = 0;
}

void random_program(struct random_program *p, uint64_t seed)
{
	static const uint8_t kinds[] = { BTF_STRUCT, BTF_STRUCT, BTF_STRUCT,   BTF_STRUCT,
					 BTF_UNION,  BTF_ENUM,   BTF_ENUM64,   BTF_TYPEDEF,
					 BTF_PTR,    BTF_PTR,    BTF_PTR,      BTF_PTR,
					 BTF_CONST,  BTF_ARRAY,  BTF_VOLATILE, BTF_FUNC_PROTO,
					 BTF_INT,    BTF_FLOAT,  BTF_TYPE_TAG, BTF_DECL_TAG };
	static const uint32_t rates[] = { 0, 2, 4, 10, 30 };

	*p = (struct random_program){ .r = rnd_part(seed, 0) };
	p->rates.declared = RND_PICK(&p->r, rates);
	p->rates.twice = RND_PICK(&p->r, rates);
	p->rates.version = RND_PICK(&p->r, rates);
	p->rates.two_versions = RND_PICK(&p->r, rates);
	p->rates.name_taken = RND_PICK(&p->r, rates);
	p->inner_first = rnd_one_in(&p->r, 2);
	/* much of one kind, in most programs */
	enum btf_kind fashion = (enum btf_kind)RND_PICK(&p->r, kinds);
	for (uint32_t i = 1; i < RANDOM_TYPES; i++) {
		enum btf_kind kind = (enum btf_kind)RND_PICK(&p->r, kinds);

		p->types[i].kind = rnd_one_in(&p->r, 3) ? fashion : kind;
	}
	p->types[1].kind = BTF_INT;
	uint32_t two_arrays = rnd_one_in(&p->r, 4) ? 3 + rnd_below(&p->r, RANDOM_TYPES - 5) : 0;
	if (two_arrays) {
		p->types[two_arrays - 1].kind = BTF_FLOAT;
		p->types[two_arrays].kind = p->types[two_arrays + 1].kind = BTF_ARRAY;
		p->types[two_arrays + 2].kind = BTF_STRUCT;
	}
	for (uint32_t i = 1; i < RANDOM_TYPES; i++) {
		struct random_type *t = &p->types[i];

		t->extra = 4 + rnd_below(&p->r, 2);
		t->kflag = btf_kind_is_struct(t->kind) && rnd_one_in(&p->r, 4);
		t->two_versions = random_chance(&p->r, p->rates.two_versions);
		random_choose_refs(p, i);
		do
			t->name = i == 1 ? 1 : random_choose_name(p, i);
		while (random_name_taken(p, i) && !random_chance(&p->r, p->rates.name_taken) &&
		       !rnd_one_in(&p->r, 20));
	}
	if (two_arrays)
		random_two_arrays(p, two_arrays);
	p->types[1] = (struct random_type){ .kind = BTF_INT, .name = 1, .extra = 4 };
}

/* --- units ----------------------------------------------------------------------------- */

/* The @m-th target of type @i in this unit. */
static uint32_t random_ref(const struct random_unit *u, uint32_t i, uint32_t m)
{
	const struct random_type *t = &u->p->types[i];

	return u->version[i] && t->other && m == t->nr_refs - 1 ? t->other : t->refs[m];
}

/* The record of type @i, which refers to @refs. */
static uint32_t random_record(struct random_unit *u, uint32_t i, const uint32_t *refs)
{
	const struct random_type *t = &u->p->types[i];
	uint32_t extra = t->extra + (u->version[i] && !t->other ? 4 : 0),
		 rec[BTF_REC_WORDS + 3 * RANDOM_REFS];
	uint32_t nr = 0;

	switch (t->kind) {
	case BTF_INT:
		return ADD(u->t, t->name, btf_info(t->kind, 0, false), extra,
			   8 * extra | BTF_ENC_SIGNED << 24);
	case BTF_FLOAT:
		return ADD(u->t, t->name, btf_info(t->kind, 0, false), extra);
	case BTF_ENUM: /* without enumerators it is a declaration */
		if (u->declared[i])
			return ADD(u->t, t->name, btf_info(t->kind, 0, false), 4);
		return ADD(u->t, t->name, btf_info(t->kind, 1, false), 4, 2, extra);
	case BTF_ENUM64:
		return ADD(u->t, t->name, btf_info(t->kind, 1, false), 8, 3, extra, 1);
	case BTF_ARRAY:
		return ADD(u->t, 0, btf_info(t->kind, 0, false), 0, refs[0], u->ids[1], extra);
	case BTF_DECL_TAG:
		return ADD(u->t, t->name, btf_info(t->kind, 0, false), refs[0], UINT32_MAX);
	case BTF_FUNC_PROTO:
	case BTF_STRUCT:
	case BTF_UNION:
		break;
	default:
		return ADD(u->t, t->name, btf_info(t->kind, 0, false), refs[0]);
	}

	bool proto = t->kind == BTF_FUNC_PROTO;
	rec[nr++] = t->name;
	rec[nr++] = btf_info(t->kind, proto ? t->nr_refs - 1 : t->nr_refs, t->kflag);
	rec[nr++] = proto ? refs[0] : 8 * (t->nr_refs + extra);
	for (uint32_t m = proto; m < t->nr_refs; m++) {
		rec[nr++] = 2 + (i + m) % (RANDOM_NAMES - 1);
		rec[nr++] = refs[m];
		if (!proto)
			rec[nr++] = t->kind == BTF_UNION ? 0 : 64 * m;
	}
	return add_words(u->t, rec, nr);
}

static uint32_t random_say(struct random_unit *u, uint32_t i);

/* The record of type @i precedes those that it refers to, which may lead back to it. */
static uint32_t random_say_first(struct random_unit *u, uint32_t i)
{
	const uint32_t refs[RANDOM_REFS] = { 0 };
	uint32_t id = u->ids[i] = random_record(u, i, refs);

	for (uint32_t m = 0; m < u->p->types[i].nr_refs; m++) {
		uint32_t to = random_say(u, random_ref(u, i, m));

		*btf_rec_type(btf_types_rec(u->t, id), m) = to;
	}
	return id;
}

/* Returns the id that type @i has in the unit. */
static uint32_t random_say(struct random_unit *u, uint32_t i)
{
	const struct random_type *t = &u->p->types[i];
	uint32_t refs[RANDOM_REFS] = { 0 };
	bool is_struct = btf_kind_is_struct(t->kind);

	if (!i || (u->ids[i] && !random_chance(&u->p->r, u->p->rates.twice)) ||
	    (u->ids[i] && btf_types_end(u->t) > 60))
		return i ? u->ids[i] : 0;
	/* one int is enough, and a struct in itself never ends */
	if (u->ids[i] && (i == 1 || (is_struct && !rnd_one_in(&u->p->r, 4))))
		return u->ids[i];
	if (is_struct && u->declared[i] && t->name)
		return u->ids[i] = ADD(u->t, t->name, btf_info(BTF_FWD, 0, t->kind == BTF_UNION),
				       0);
	if (t->kind == BTF_ARRAY)
		random_say(u, 1);
	if (u->p->inner_first && !is_struct) {
		for (uint32_t m = 0; m < t->nr_refs; m++)
			refs[m] = random_say(u, random_ref(u, i, m));
		return u->ids[i] = random_record(u, i, refs);
	}
	return random_say_first(u, i);
}

void random_unit(struct random_program *p, struct btf_types *t)
{
	struct random_unit u = { .p = p, .t = t };
	uint32_t nr = 1 + rnd_below(&p->r, 6);

	for (uint32_t i = 1; i < RANDOM_TYPES; i++) {
		u.declared[i] = random_chance(&p->r, p->rates.declared);
		u.version[i] = p->types[i].two_versions && random_chance(&p->r, p->rates.version);
	}
	while (nr--)
		random_say(&u, 1 + rnd_below(&p->r, RANDOM_TYPES - 1));
}

/* --- sites ----------------------------------------------------------------------------- */

/* The ids of one unit's records of a kind, the first of them. */
struct random_ids {
	uint32_t items[4], nr;
};

/* One of them, or 0. */
static uint32_t random_id(struct rnd *r, const struct random_ids *ids)
{
	return ids->nr ? ids->items[rnd_below(r, ids->nr)] : 0;
}

static struct random_ids random_find(const struct btf_types *t, enum btf_kind kind)
{
	struct random_ids ids = { .nr = 0 };

	for (uint32_t id = t->first; id < btf_types_end(t) && ids.nr < 4; id++) {
		if (btf_rec_kind(btf_types_rec(t, id)) == kind)
			ids.items[ids.nr++] = id;
	}
	return ids;
}

static void random_place(struct rnd *r, struct btf_types *t)
{
	uint32_t vlen = 1 + rnd_below(r, 2);
	uint32_t rec[] = { 0,
			   btf_info(BTF_LOC_PARAM, vlen, false),
			   4,
			   vlen == 1 ? BTF_LOC_REG : BTF_LOC_REG | BTF_LOC_OFFSET,
			   rnd_below(r, 2),
			   8 };

	add_words(t, rec, BTF_REC_WORDS + 1 + vlen);
}

static void random_places(struct rnd *r, struct btf_types *t, const struct random_ids *places)
{
	uint32_t rec[BTF_REC_WORDS + 3], vlen = rnd_below(r, 4);

	rec[BTF_REC_NAME] = rec[BTF_REC_SIZE_TYPE] = 0;
	rec[BTF_REC_INFO] = btf_info(BTF_LOC_PROTO, vlen, false);
	for (uint32_t i = 0; i < vlen; i++)
		rec[BTF_REC_WORDS + i] = rnd_one_in(r, 3) ? 0 : random_id(r, places);
	add_words(t, rec, BTF_REC_WORDS + vlen);
}

static void random_section(struct rnd *r, struct btf_types *t, const struct random_ids *funcs,
			   const struct random_ids *protos)
{
	uint32_t rec[BTF_REC_WORDS + 3 * BTF_SITE_WORDS], vlen = rnd_below(r, 4), *site;

	rec[BTF_REC_NAME] = 2 + rnd_below(r, 2);
	rec[BTF_REC_INFO] = btf_info(BTF_LOCSEC, vlen, false);
	rec[BTF_REC_SIZE_TYPE] = 0;
	site = rec + BTF_REC_WORDS;
	for (uint32_t i = 0; i < vlen; i++, site += BTF_SITE_WORDS) {
		site[BTF_SITE_FUNC] = random_id(r, funcs);
		site[BTF_SITE_PROTO] = random_id(r, protos);
		site[BTF_SITE_OFFSET] = 4 * rnd_below(r, 3);
	}
	add_words(t, rec, BTF_REC_WORDS + vlen * BTF_SITE_WORDS);
}

void random_sites(struct rnd *r, struct btf_types *t)
{
	struct random_ids ids = random_find(t, BTF_FUNC_PROTO), protos;

	for (uint32_t i = 0; i < ids.nr; i++)
		ADD(t, 2 + rnd_below(r, 3), btf_info(BTF_FUNC, rnd_below(r, 2), false),
		    ids.items[i]);
	for (uint32_t i = rnd_below(r, 4); i; i--)
		random_place(r, t);
	ids = random_find(t, BTF_LOC_PARAM);
	for (uint32_t i = rnd_below(r, 4); i; i--)
		random_places(r, t, &ids);
	ids = random_find(t, BTF_FUNC);
	protos = random_find(t, BTF_LOC_PROTO);
	for (uint32_t i = rnd_below(r, 3); ids.nr && protos.nr && i; i--)
		random_section(r, t, &ids, &protos);
}
