/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_sites.c - append the copies of inlined functions, and the LOCSECs that list them (docs/spec/encoding.md 15)
 *
 * The sites come in the order of their addresses; of several at one address, in the order of the debug information. A
 * record is appended for the first site that needs it: the prototype of the function, the function, the places of its
 * parameters, the list of these.
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "dedup/dedup.h"

#include <stdlib.h>

/* Sites are visited in order. So the unit of one is mostly that of the one before. */
struct site_walk {
	const struct program *p;
	uint32_t unit;
};

struct site_at {
	struct program_unit *unit;
	const struct unit_site *site;
	uint32_t inlined; /* number of its function among those of all units */
};

static struct site_at site_of(struct site_walk *w, uint32_t number)
{
	const struct program *p = w->p;
	const uint32_t *before = p->sites_before.items;

	if (number < before[w->unit] || number >= before[w->unit + 1])
		w->unit = (uint32_t)LOWER_BOUND(0, p->units.nr, i, before[i + 1] <= number);

	struct program_unit *u = &p->units.items[w->unit];
	const struct unit_site *site = &u->btf.sites.items[number - before[w->unit]];
	return (struct site_at){ u, site, p->inlined_before.items[w->unit] + site->func };
}

static uint32_t func_of(const struct site_at *at)
{
	return at->unit->btf.inlined.items[at->site->func];
}

static uint64_t site_key(const struct unit_site *s)
{
	return (uint64_t)s->section << 32 | s->offset;
}

static uint32_t section_of(const struct program *p, size_t i)
{
	return (uint32_t)(p->sites.items[i].key >> 32);
}

/* --- strings --------------------------------------------------------------------------- */

static void sort_sites(struct program *p)
{
	uint32_t nr = 0, nr_inlined = 0;

	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *btf = &p->units.items[i].btf;

		vec_push(&p->sites_before, nr);
		vec_push(&p->inlined_before, nr_inlined);
		nr += (uint32_t)btf->sites.nr;
		nr_inlined += (uint32_t)btf->inlined.nr;
	}
	vec_push(&p->sites_before, nr);
	vec_push(&p->inlined_before, nr_inlined);
	vec_reserve(&p->sites, nr);
	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *btf = &p->units.items[i].btf;

		for (size_t k = 0; k < btf->sites.nr; k++, p->sites.nr++)
			p->sites.items[p->sites.nr] = (struct sort_key){
				site_key(&btf->sites.items[k]), (uint32_t)p->sites.nr
			};
	}
	sort_by_key(p->sites.items, p->sites.nr);
	p->inlined_ids = mem_zalloc(nr_inlined, sizeof(p->inlined_ids[0]));
}

static str_place next_place(struct program *p)
{
	bool apart = feature_on(p->opts, FEATURE_INLINE_APART);

	return program_next_place(p) | (apart ? STR_PLACE_APART : 0);
}

static void use_func(struct program *p, uint32_t id)
{
	uint32_t *func = type_pool_at(&p->types, id)->rec;

	btf_rec_each_name(type_pool_at(&p->types, func[BTF_REC_SIZE_TYPE])->rec, name)
		str_pool_use(&p->strings, *name, next_place(p));
	str_pool_use(&p->strings, func[BTF_REC_NAME], next_place(p));
}

static void name_site_sections(struct program *p)
{
	const struct object *obj = &p->inputs[0].obj;

	p->site_section_names = mem_zalloc(obj->nr_sections + 1, sizeof(p->site_section_names[0]));
	for (size_t i = 0; i < p->sites.nr; i++) {
		uint32_t section = section_of(p, i), *name = &p->site_section_names[section];

		if (*name)
			continue;
		CLEANUP(mem_free_text) char *text = mem_printf(BTF_LOCSEC_PREFIX "%s",
							       obj->sections[section].name);
		*name = str_pool_add_copy(&p->strings, text, strlen(text));
		str_pool_use(&p->strings, *name, next_place(p));
	}
}

void select_sites(struct program *p)
{
	CLEANUP(mem_free) bool *used = NULL;
	struct site_walk walk = { .p = p };

	if (!encode_wants_sites(p->opts))
		return;
	sort_sites(p);
	used = mem_zalloc(atomic_load(&p->types.end), sizeof(*used));
	for (size_t i = 0; i < p->sites.nr; i++) {
		struct site_at at = site_of(&walk, p->sites.items[i].id);
		uint32_t func = func_of(&at);

		if (!used[func])
			use_func(p, func);
		used[func] = true;
	}
	name_site_sections(p);
}

/* --- records --------------------------------------------------------------------------- */

/* The id in the list of records that sites are appended to, for an id that convert() gives. */
static uint32_t site_ref(const struct program *p, uint32_t id)
{
	return feature_on(p->opts, FEATURE_INLINE_APART) ? p->ids[id] : id;
}

static uint32_t append_proto(struct program *p, const struct site_at *at, struct btf_types *to)
{
	const uint32_t *func = type_pool_at(&p->types, func_of(at))->rec;
	uint32_t shared = at->unit->needs_exact ? 0 : p->final[func[BTF_REC_SIZE_TYPE]];

	/* deduplication would merge it with the one that is there */
	if (shared)
		return site_ref(p, shared);
	read_inlined_proto(p, at->unit, at->site->func, &p->proto);
	btf_rec_each_type(p->proto.items, ref) *ref = site_ref(p, *ref);
	return append_record(to, p->proto.items, p->proto.nr);
}

/* The id of the function of the site, once it is appended. */
static uint32_t *func_id(struct program *p, const struct site_at *at)
{
	return at->unit->needs_exact ? &p->inlined_ids[at->inlined] : &p->final[func_of(at)];
}

static void append_func(struct program *p, const struct site_at *at, struct btf_types *to)
{
	const uint32_t *func = type_pool_at(&p->types, func_of(at))->rec;
	uint32_t rec[] = { string_offset(p, func[BTF_REC_NAME]), func[BTF_REC_INFO], 0 };

	rec[BTF_REC_SIZE_TYPE] = append_proto(p, at, to);
	*func_id(p, at) = append_record(to, rec, ARRAY_SIZE(rec));
}

/* Append the list of places with pool id @id, and its places. */
static void append_places(struct program *p, uint32_t id, struct btf_types *to)
{
	const struct pool_type *list = type_pool_at(&p->types, id);

	btf_rec_each_type((uint32_t *)list->rec, ref)
	{
		const struct pool_type *place = type_pool_at(&p->types, *ref);

		if (*ref && !p->final[*ref])
			p->final[*ref] = append_record(to, place->rec, place->nr);
	}
	p->final[id] = append_record(to, list->rec, list->nr);
	btf_rec_each_type(btf_types_rec(to, p->final[id]), ref) *ref = *ref ? p->final[*ref] : 0;
}

/* Append the LOCSEC of the @nr sites from @first on. */
static struct err *append_section_of_sites(struct program *p, size_t first, size_t nr,
					   struct btf_types *to)
{
	struct site_walk walk = { .p = p };
	uint32_t name = p->site_section_names[section_of(p, first)];

	if (nr > BTF_VLEN_MAX)
		return err_new(ERR_LIMIT, "section '%s' has %zu sites; BTF has room for %u",
			       str_pool_text(&p->strings, name), nr, BTF_VLEN_MAX);

	uint32_t *rec = btf_types_add(to, BTF_REC_WORDS + nr * BTF_SITE_WORDS);
	rec[BTF_REC_NAME] = string_offset(p, name);
	rec[BTF_REC_INFO] = btf_info(BTF_LOCSEC, (uint32_t)nr, false);
	rec[BTF_REC_SIZE_TYPE] = 0;
	rec += BTF_REC_WORDS;
	for (size_t i = first; i < first + nr; i++, rec += BTF_SITE_WORDS) {
		struct site_at at = site_of(&walk, p->sites.items[i].id);

		rec[BTF_SITE_FUNC] = *func_id(p, &at);
		rec[BTF_SITE_PROTO] = p->final[at.site->proto];
		rec[BTF_SITE_OFFSET] = at.site->offset;
	}
	return NULL;
}

static struct err *append_all(struct program *p, struct btf_types *to)
{
	struct site_walk walk = { .p = p };

	for (size_t i = 0; i < p->sites.nr; i++) {
		struct site_at at = site_of(&walk, p->sites.items[i].id);

		if (!*func_id(p, &at))
			append_func(p, &at, to);
		if (!p->final[at.site->proto])
			append_places(p, at.site->proto, to);
	}
	for (size_t i = 0, next; i < p->sites.nr; i = next) {
		for (next = i + 1; next < p->sites.nr && section_of(p, next) == section_of(p, i);)
			next++;
		TRY(append_section_of_sites(p, i, next - i, to));
	}
	return NULL;
}

struct err *append_sites(struct program *p)
{
	return feature_on(p->opts, FEATURE_INLINE) ? append_all(p, &p->out) : NULL;
}

struct err *append_sites_apart(struct program *p)
{
	const struct dedup_opts opts = { .base_typedefs = true };

	if (!feature_on(p->opts, FEATURE_INLINE_APART))
		return NULL;
	btf_types_init(&p->inlined, &p->out);
	TRY(append_all(p, &p->inlined));
	/* functions and prototypes that @out has are not repeated */
	return dedup_run(&p->inlined, &opts);
}
