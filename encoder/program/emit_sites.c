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

static uint64_t site_key(const struct unit_site *s)
{
	return (uint64_t)s->section << 32 | s->offset;
}

/* --- order and strings ----------------------------------------------------------------- */

/* The keys of all sites, sorted; sort_key.id is the number among those of all units. */
static struct sort_key *sorted_keys(const struct program *p, size_t nr)
{
	struct sort_key *keys = mem_alloc(nr * sizeof(*keys));
	uint32_t n = 0;

	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *btf = &p->units.items[i].btf;

		for (size_t k = 0; k < btf->sites.nr; k++, n++)
			keys[n] = (struct sort_key){ site_key(&btf->sites.items[k]), n };
	}
	sort_by_key(keys, nr);
	return keys;
}

/* Fill p->sites, in order, and free those of the units. */
static void sort_sites(struct program *p)
{
	CLEANUP(mem_free) uint32_t *before = mem_alloc((p->units.nr + 1) * sizeof(*before));
	uint32_t nr = 0, unit = 0;

	for (size_t i = 0; i < p->units.nr; i++) {
		before[i] = nr;
		nr += (uint32_t)p->units.items[i].btf.sites.nr;
	}
	before[p->units.nr] = nr;
	CLEANUP(mem_free) struct sort_key *keys = sorted_keys(p, nr);
	vec_reserve(&p->sites, nr);
	for (; p->sites.nr < nr; p->sites.nr++) {
		uint32_t number = keys[p->sites.nr].id;

		/* mostly the unit of the site before */
		if (number < before[unit] || number >= before[unit + 1])
			unit = (uint32_t)LOWER_BOUND(0, p->units.nr, i, before[i + 1] <= number);
		p->sites.items[p->sites.nr] = (struct program_site){
			.site = p->units.items[unit].btf.sites.items[number - before[unit]],
			.unit = unit,
		};
	}
	for (size_t i = 0; i < p->units.nr; i++) {
		struct unit_btf *btf = &p->units.items[i].btf;

		free(btf->sites.items);
		btf->sites.items = NULL;
		btf->sites.nr = btf->sites.cap = 0;
	}
}

static uint32_t func_of(const struct program *p, const struct program_site *s)
{
	return p->units.items[s->unit].btf.inlined.items[s->site.func];
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

	p->site_section_names = mem_zalloc(obj->nr_sections, sizeof(p->site_section_names[0]));
	for (size_t i = 0; i < p->sites.nr; i++) {
		uint32_t section = p->sites.items[i].site.section;
		uint32_t *name = &p->site_section_names[section];

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

	if (!encode_wants_sites(p->opts))
		return;
	sort_sites(p);
	used = mem_zalloc(atomic_load(&p->types.end), sizeof(*used));
	for (size_t i = 0; i < p->sites.nr; i++) {
		uint32_t func = func_of(p, &p->sites.items[i]);

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

/* The id of the prototype of function @i that @u inlines. */
static uint32_t append_proto(struct program *p, const struct program_unit *u, uint32_t i,
			     struct btf_types *to)
{
	const uint32_t *func = type_pool_at(&p->types, u->btf.inlined.items[i])->rec;
	uint32_t *shared = u->needs_exact ? NULL : &p->final[func[BTF_REC_SIZE_TYPE]];

	/* deduplication would merge it with the one that is there */
	if (shared && *shared)
		return site_ref(p, *shared);
	read_inlined_proto(p, u, i, &p->proto);
	btf_rec_each_type(p->proto.items, ref) *ref = site_ref(p, *ref);
	uint32_t id = append_record(to, p->proto.items, p->proto.nr);
	if (shared && to == &p->out)
		*shared = id;
	return id;
}

/* The id of function @i that @u inlines. The records of a unit with records of its own are its own. */
static uint32_t append_func(struct program *p, struct program_unit *u, uint32_t i,
			    struct btf_types *to)
{
	uint32_t pooled = u->btf.inlined.items[i];

	if (u->needs_exact && !u->inlined_ids)
		u->inlined_ids = mem_zalloc(u->btf.inlined.nr, sizeof(u->inlined_ids[0]));
	uint32_t *id = u->needs_exact ? &u->inlined_ids[i] : &p->final[pooled];
	if (*id)
		return *id; /* cppcheck-suppress identicalInnerCondition ; an id, no condition */

	const uint32_t *func = type_pool_at(&p->types, pooled)->rec;
	const uint32_t rec[] = { string_offset(p, func[BTF_REC_NAME]), func[BTF_REC_INFO],
				 append_proto(p, u, i, to) };
	*id = append_record(to, rec, ARRAY_SIZE(rec));
	return *id;
}

/* The number in p->places of the list of places with pool id @id. */
static uint32_t place_list(struct program *p, uint32_t id)
{
	if (p->final[id])
		return p->final[id];

	const struct pool_type *list = type_pool_at(&p->types, id);
	btf_rec_each_type((uint32_t *)list->rec, ref)
	{
		if (!*ref || p->final[*ref])
			continue;
		const struct pool_type *place = type_pool_at(&p->types, *ref);
		p->final[*ref] = append_record(&p->places, place->rec, place->nr);
	}
	p->final[id] = append_record(&p->places, list->rec, list->nr);
	btf_rec_each_type(btf_types_rec(&p->places, p->final[id]),
			  ref) *ref = *ref ? p->final[*ref] : 0;
	return p->final[id];
}

/* Append the functions of the sites to @to. From here on, functions and places of sites are ids of @to and p->places. */
static void append_site_funcs(struct program *p, struct btf_types *to)
{
	btf_types_init(&p->places, NULL);
	for (size_t i = 0; i < p->sites.nr; i++) {
		struct program_site *site = &p->sites.items[i];
		struct unit_site *s = &site->site;

		s->func = append_func(p, &p->units.items[site->unit], s->func, to);
		s->proto = place_list(p, s->proto);
	}
}

/* Append p->places to @to. Returns what is added to their numbers. */
static uint32_t append_place_records(struct program *p, struct btf_types *to)
{
	uint32_t by = btf_types_end(to) - p->places.first;

	for (uint32_t i = p->places.first; i < btf_types_end(&p->places); i++) {
		btf_rec_each_type(btf_types_rec(&p->places, i), ref) *ref += *ref ? by : 0;
	}
	p->places.first += by;
	btf_types_append(to, &p->places);
	btf_types_release(&p->places);
	return by;
}

/* Append the LOCSEC of the @nr sites at @sites, whose records are appended. */
static struct err *append_section_of_sites(const struct program *p,
					   const struct program_site *sites, size_t nr,
					   struct btf_types *to)
{
	uint32_t name = p->site_section_names[sites->site.section];

	if (nr > BTF_VLEN_MAX)
		return err_new(ERR_LIMIT, "section '%s' has %zu sites; BTF has room for %u",
			       str_pool_text(&p->strings, name), nr, BTF_VLEN_MAX);

	uint32_t *rec = btf_types_add(to, BTF_REC_WORDS + nr * BTF_SITE_WORDS);
	rec[BTF_REC_NAME] = string_offset(p, name);
	rec[BTF_REC_INFO] = btf_info(BTF_LOCSEC, (uint32_t)nr, false);
	rec[BTF_REC_SIZE_TYPE] = 0;
	rec += BTF_REC_WORDS;
	for (size_t i = 0; i < nr; i++, rec += BTF_SITE_WORDS) {
		rec[BTF_SITE_FUNC] = sites[i].site.func;
		rec[BTF_SITE_PROTO] = sites[i].site.proto;
		rec[BTF_SITE_OFFSET] = sites[i].site.offset;
	}
	return NULL;
}

/* Append the places and the LOCSECs to @to. @ids has the ids of the functions in it. */
static struct err *append_lists(struct program *p, const uint32_t *ids, struct btf_types *to)
{
	struct program_site *sites = p->sites.items;
	size_t nr = p->sites.nr;
	uint32_t by = append_place_records(p, to);

	for (size_t i = 0; i < nr; i++) {
		sites[i].site.func = ids[sites[i].site.func];
		sites[i].site.proto += by;
	}
	for (size_t i = 0, next; i < nr; i = next) {
		for (next = i + 1; next < nr && sites[next].site.section == sites[i].site.section;)
			next++;
		TRY(append_section_of_sites(p, &sites[i], next - i, to));
	}
	free(sites);
	p->sites.items = NULL;
	p->sites.nr = p->sites.cap = 0;
	return NULL;
}

void append_funcs_of_sites(struct program *p)
{
	if (feature_on(p->opts, FEATURE_INLINE))
		append_site_funcs(p, &p->out);
}

struct err *append_sites(struct program *p)
{
	return feature_on(p->opts, FEATURE_INLINE) ? append_lists(p, p->ids, &p->out) : NULL;
}

struct err *append_sites_apart(struct program *p)
{
	CLEANUP(mem_free) uint32_t *ids = NULL;
	struct dedup_opts opts = { 0 };

	if (!feature_on(p->opts, FEATURE_INLINE_APART))
		return NULL;
	btf_types_init(&p->inlined, &p->out);
	append_site_funcs(p, &p->inlined);
	/* functions and prototypes that @out has are not repeated */
	ids = opts.ids = mem_alloc(btf_types_end(&p->inlined) * sizeof(*ids));
	TRY(dedup_run(&p->inlined, &opts));
	return append_lists(p, ids, &p->inlined);
}
