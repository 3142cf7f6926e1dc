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
	*code = (struct code){ section, s->debug_addr, s->debug_addr + s->size };
	return addr - code->start <= UINT32_MAX;
}

/* The FUNC in the pool for inlined function @f. */
static uint32_t add_inlined(struct unit_encoder *m, const struct unit_facts *facts,
			    const struct inlined_facts *f)
{
	struct pool_type *p;
	const uint32_t proto = unit_add_proto(m, facts->words.items + f->proto, NULL);
	const uint32_t rec[] = { f->name, btf_info(BTF_FUNC, BTF_LINK_STATIC, false), proto };

	return type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &p);
}

/*
 * An address constant becomes relative to the start of the image. One below that is an offset in the section of per-CPU
 * variables, which begins at 0: it is the same wherever the kernel is. Of other addresses nothing is known.
 */
static struct cu_place relative_place(const struct run *run, struct cu_place place)
{
	uint64_t addr = place.values[0] | (uint64_t)(place.nr > 1 ? place.values[1] : 0) << 32;
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

static bool same_place(const struct cu_place *a, const struct cu_place *b)
{
	return a->flags == b->flags && a->size == b->size && a->nr == b->nr &&
	       a->values[0] == b->values[0] && a->values[1] == b->values[1];
}

/* The LOC_PARAM in the pool for @place; 0 if that is not known. */
static uint32_t add_place(struct unit_encoder *m, struct cu_place place)
{
	struct pool_type *p;

	if (unlikely(place.flags & BTF_LOC_ADDR))
		place = relative_place(m->run, place);
	if (!place.flags)
		return 0;

	uint64_t hash = hash_step(hash_word((uint64_t)place.values[0] << 32 | place.values[1]),
				  (uint64_t)place.flags << 16 | (uint64_t)place.size << 8 |
					  place.nr);
	struct known_place *known = &m->known_places[hash % KNOWN_PLACES];
	if (likely(known->id && same_place(&known->place, &place)))
		return known->id;

	const uint32_t rec[] = { 0,
				 btf_info(BTF_LOC_PARAM, place.nr, false),
				 place.size,
				 place.flags,
				 place.values[0],
				 place.values[1] };
	const size_t nr = ARRAY_SIZE(rec) - 2 + place.nr;
	*known = (struct known_place){ place, type_pool_add(m->run->types, m->arena, rec, nr, &p) };
	return known->id;
}

/* The LOC_PROTO in the pool for site @s. */
static uint32_t add_places(struct unit_encoder *m, const struct unit_facts *facts,
			   const struct cu_site *s)
{
	const uint32_t *proto = facts->words.items + facts->inlined.items[s->func].proto;
	uint32_t nr = btf_rec_vlen(proto);
	struct pool_type *p;

	m->words.nr = 0;
	vec_reserve(&m->words, BTF_REC_WORDS + (size_t)nr);
	uint32_t *rec = m->words.items;
	rec[BTF_REC_NAME] = 0;
	rec[BTF_REC_INFO] = btf_info(BTF_LOC_PROTO, nr, false);
	rec[BTF_REC_SIZE_TYPE] = 0;
	for (uint32_t i = 0; i < nr; i++)
		rec[BTF_REC_WORDS + i] = add_place(m, facts->places.items[s->first_place + i]);
	return type_pool_add(m->run->types, m->arena, rec, BTF_REC_WORDS + (size_t)nr, &p);
}

static void report_sites(struct unit_encoder *m, enum omission_rule rule, uint32_t name,
			 uint64_t nr)
{
	if (nr && m->log.list)
		omission_report(&m->log, (struct omission){ rule, .name = name, .number = nr });
}

void unit_add_sites(struct unit_encoder *m, const struct unit_facts *facts)
{
	const struct run *run = m->run;
	struct unit_btf *btf = m->btf;
	struct code code = { 0 };
	size_t nr_outside = 0;

	if (!run->sites || !facts->sites.nr)
		return;
	if (!m->known_places)
		m->known_places = mem_zalloc(KNOWN_PLACES, sizeof(m->known_places[0]));
	vec_reserve(&btf->inlined, facts->inlined.nr);
	btf->inlined.nr = facts->inlined.nr;
	memset(btf->inlined.items, 0, facts->inlined.nr * sizeof(btf->inlined.items[0]));
	vec_reserve(&btf->sites, facts->sites.nr);
	for (size_t i = 0; i < facts->sites.nr; i++) {
		const struct cu_site *s = &facts->sites.items[i];
		const struct inlined_facts *f = &facts->inlined.items[s->func];
		const struct str_entry *name = str_pool_at(run->strings, f->name);
		uint32_t *func = &btf->inlined.items[s->func];

		if (!find_code(run, s->addr, &code)) {
			nr_outside++;
			continue;
		}
		if (!*func && !var_name_valid(name->text, name->len)) {
			report_sites(m, OMIT_SITES_INVALID_NAME, f->name, 1);
			continue;
		}
		if (!*func)
			*func = add_inlined(m, facts, f);
		vec_push(&btf->sites, ((struct unit_site){
					      .section = code.section,
					      .offset = (uint32_t)(s->addr - code.start),
					      .func = s->func,
					      .proto = add_places(m, facts, s),
				      }));
	}
	report_sites(m, OMIT_SITES_NO_SECTION, 0, nr_outside);
}
