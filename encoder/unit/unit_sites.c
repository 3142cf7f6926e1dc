/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_sites.c - the copies of inlined functions in sections of code (docs/spec/encoding.md 15)
 *
 * Functions, places and lists of places are records of the type pool, because most of them repeat in other units. Their
 * strings and their places in the result are those of the first site that needs them (encoder/program/emit_sites.c).
 */
#include "encoder/unit/unit_encoder.h"
#include "encoder/unit/var_name.h"

#include <elf.h>
#include <stdlib.h>

/*
 * The records that the worker met last, by hash, so that most lookups in the pool are not needed: a kernel has 400,000
 * sites with 1,000,000 places, but 40,000 distinct lists of places and 10,000 distinct places.
 */
enum { KNOWN_PLACES = 1024, KNOWN_LISTS = 8192, KNOWN_FUNCS = 4096, LIST_PLACES = 6 };

struct known_site_records {
	struct known_place {
		struct cu_place place;
		uint32_t id; /* of its LOC_PARAM in the pool; 0: none is known */
	} places[KNOWN_PLACES];
	struct known_list {
		uint32_t id; /* of the LOC_PROTO */
		uint32_t nr, places[LIST_PLACES];
	} lists[KNOWN_LISTS];
	const struct pool_type *funcs[KNOWN_FUNCS]; /* FUNCs, by name */
};

/* A section of code, from @start to @end; sites mostly follow one another in one. */
struct code {
	uint32_t section;
	uint64_t start, end;
};

/* Is @addr in a section of code? Then it is in @code. */
static bool find_code(const struct run *run, uint64_t addr, struct code *code)
{
	uint32_t section;

	if (likely(addr >= code->start && addr < code->end))
		return true;
	section = section_map_at(run->section_map, addr);
	if (!section || !(run->obj->sections[section].flags & SHF_EXECINSTR))
		return false;
	const struct object_section *s = &run->obj->sections[section];
	/* an offset has 32 bits */
	uint64_t size = s->size < UINT64_C(1) << 32 ? s->size : UINT64_C(1) << 32;
	*code = (struct code){ section, s->debug_addr, s->debug_addr + size };
	return addr < code->end;
}

static uint32_t enter(struct unit_encoder *m, const uint32_t *rec, size_t nr)
{
	struct pool_type *p;

	return type_pool_add(m->run->types, m->arena, rec, nr, &p);
}

/* The kernel refuses a FUNC with a parameter that has no name, but for "...". */
static bool are_named(const uint32_t *proto)
{
	const uint32_t *param = proto + BTF_REC_WORDS;

	for (uint32_t i = 0; i < btf_rec_vlen(proto); i++, param += 2) {
		if (!param[0] && (param[1] || i + 1 < btf_rec_vlen(proto)))
			return false;
	}
	return true;
}

/* The FUNC in the pool for inlined function @f; 0 if BTF does not accept its name or the lack of another. */
static uint32_t add_inlined(struct unit_encoder *m, const struct unit_facts *facts,
			    const struct inlined_facts *f)
{
	const struct pool_type **known = &m->known->funcs[f->name % KNOWN_FUNCS];
	const struct str_entry *name = str_pool_at(m->run->strings, f->name);
	bool met = *known && (*known)->rec[BTF_REC_NAME] == f->name;

	if ((!met && !var_name_valid(name->text, name->len)) ||
	    !are_named(facts->words.items + f->proto))
		return 0;

	size_t nr = unit_convert_proto(m, facts->words.items + f->proto);
	const struct pool_type *proto = met ? type_pool_at(m->run->types,
							   (*known)->rec[BTF_REC_SIZE_TYPE]) :
					      NULL;
	if (proto && proto->nr == nr && !memcmp(proto->rec, m->words.items, nr * sizeof(uint32_t)))
		return (*known)->id;

	const uint32_t rec[] = { f->name, btf_info(BTF_FUNC, BTF_LINK_STATIC, false),
				 enter(m, m->words.items, nr) };
	struct pool_type *func;
	type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &func);
	*known = func;
	return func->id;
}

/*
 * An address constant becomes relative to the start of the image. One below that is an offset in the section of per-CPU
 * variables, which begins at 0: it is the same wherever the kernel is. Of other addresses nothing is known.
 */
static struct cu_place relative_place(const struct run *run, struct cu_place place)
{
	uint64_t addr = cu_place_number(&place);
	const struct addr_base *base = &run->addr_base;

	if (!base->end || addr > base->end)
		return (struct cu_place){ 0 };
	if (addr >= base->start) {
		addr -= base->start;
	} else {
		if (!section_map_at(run->section_map, addr))
			return (struct cu_place){ 0 };
		place.flags &= (uint8_t)~BTF_LOC_ADDR;
	}
	place.values[0] = (uint32_t)addr;
	place.values[1] = place.nr > 1 ? (uint32_t)(addr >> 32) : 0;
	return place;
}

static uint64_t place_hash(const struct cu_place *p)
{
	uint64_t kind = (uint64_t)p->flags << 16 | (uint64_t)p->size << 8 | p->nr;

	return hash_end(hash_step(hash_pair(p->values[0], p->values[1]), kind));
}

static bool same_place(const struct cu_place *a, const struct cu_place *b)
{
	return a->flags == b->flags && a->size == b->size && a->nr == b->nr &&
	       a->values[0] == b->values[0] && a->values[1] == b->values[1];
}

/* The LOC_PARAM in the pool for @place; 0 if that is not known. */
static uint32_t add_place(struct unit_encoder *m, struct cu_place place)
{
	if (unlikely(place.flags & BTF_LOC_ADDR))
		place = relative_place(m->run, place);
	if (!place.flags)
		return 0;

	const uint32_t rec[] = { 0,
				 btf_info(BTF_LOC_PARAM, place.nr, false),
				 place.size,
				 place.flags,
				 place.values[0],
				 place.values[1] };
	struct known_place *known = &m->known->places[place_hash(&place) % KNOWN_PLACES];
	if (!known->id || !same_place(&known->place, &place))
		*known = (struct known_place){ place,
					       enter(m, rec, ARRAY_SIZE(rec) - 2 + place.nr) };
	return known->id;
}

/* The LOC_PROTO in the pool for the @nr ids that are in m->words, behind room for the head of the record. */
static uint32_t add_list(struct unit_encoder *m, uint32_t nr)
{
	uint32_t *rec = m->words.items, *places = rec + BTF_REC_WORDS;
	struct known_list *known = &m->known->lists[hash_words(places, nr) % KNOWN_LISTS];

	if (nr <= LIST_PLACES && known->id && known->nr == nr &&
	    !memcmp(known->places, places, nr * sizeof(*places)))
		return known->id;
	rec[BTF_REC_NAME] = 0;
	rec[BTF_REC_INFO] = btf_info(BTF_LOC_PROTO, nr, false);
	rec[BTF_REC_SIZE_TYPE] = 0;
	uint32_t id = enter(m, rec, BTF_REC_WORDS + (size_t)nr);
	if (nr <= LIST_PLACES) {
		*known = (struct known_list){ .id = id, .nr = nr };
		memcpy(known->places, places, nr * sizeof(*places));
	}
	return id;
}

/* The LOC_PROTO in the pool for site @s. */
static uint32_t add_places(struct unit_encoder *m, const struct unit_facts *facts,
			   const struct cu_site *s)
{
	const uint32_t *proto = facts->words.items + facts->inlined.items[s->func].proto;
	uint32_t nr = btf_rec_vlen(proto);

	m->words.nr = 0;
	vec_reserve(&m->words, BTF_REC_WORDS + (size_t)nr);
	for (uint32_t i = 0; i < nr; i++)
		m->words.items[BTF_REC_WORDS + i] =
			add_place(m, facts->places.items[s->first_place + i]);
	return add_list(m, nr);
}

/* The sites of a unit that are left out. */
struct left_out {
	size_t outside; /* in no section of code */
	uint32_t *
		of_invalid; /* by inlined function: with a name that BTF does not accept; NULL: none */
};

static void report_sites(struct unit_encoder *m, const struct unit_facts *facts,
			 const struct left_out *left)
{
	if (!m->log.list)
		return;
	if (left->outside)
		omission_report(&m->log, (struct omission){ OMIT_SITES_NO_SECTION,
							    .number = left->outside });
	for (size_t i = 0; left->of_invalid && i < facts->inlined.nr; i++) {
		if (left->of_invalid[i])
			omission_report(&m->log,
					(struct omission){ OMIT_SITES_INVALID_NAME,
							   .name = facts->inlined.items[i].name,
							   .number = left->of_invalid[i] });
	}
}

static struct err *add_site(struct unit_encoder *m, const struct unit_facts *facts,
			    const struct cu_site *s, struct code *code, struct left_out *left)
{
	const struct inlined_facts *f = &facts->inlined.items[s->func];
	uint32_t *func = &m->btf->inlined.items[s->func];

	if (!find_code(m->run, s->addr, code)) {
		left->outside++;
		return NULL;
	}
	if (!f->proto)
		return err_new(ERR_FORMAT,
			       "inlined function '%s' refers to a record that is not a type",
			       str_pool_text(m->run->strings, f->name));
	if (!*func)
		*func = add_inlined(m, facts, f);
	if (unlikely(!*func)) {
		if (!left->of_invalid)
			left->of_invalid = mem_zalloc(facts->inlined.nr,
						      sizeof(left->of_invalid[0]));
		left->of_invalid[s->func]++;
		return NULL;
	}
	vec_push(&m->btf->sites, ((struct unit_site){
					 .section = code->section,
					 .offset = (uint32_t)(s->addr - code->start),
					 .func = s->func,
					 .proto = add_places(m, facts, s),
				 }));
	return NULL;
}

struct err *unit_add_sites(struct unit_encoder *m, const struct unit_facts *facts)
{
	struct unit_btf *btf = m->btf;
	struct left_out left = { 0 };
	struct code code = { 0 };
	struct err *e = NULL;

	if (!m->run->sites || !facts->sites.nr)
		return NULL;
	if (!m->known)
		m->known = mem_zalloc(1, sizeof(*m->known));
	vec_reserve(&btf->inlined, facts->inlined.nr);
	btf->inlined.nr = facts->inlined.nr;
	memset(btf->inlined.items, 0, facts->inlined.nr * sizeof(btf->inlined.items[0]));
	vec_reserve(&btf->sites, facts->sites.nr);
	for (size_t i = 0; !e && i < facts->sites.nr; i++)
		e = add_site(m, facts, &facts->sites.items[i], &code, &left);
	report_sites(m, facts, &left);
	free(left.of_invalid);
	return e;
}
