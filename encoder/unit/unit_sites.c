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
enum { KNOWN_PLACES = 1024, KNOWN_LISTS = 8192, KNOWN_FUNCS = 16384, LIST_PLACES = 6 };

/* The memory that the record of a site or function needs is fetched so many of them before. */
enum { AHEAD = 16 };

struct known_site_records {
	struct known_place {
		struct cu_place place;
		uint32_t id; /* of its LOC_PARAM in the pool; 0: none is known */
	} places[KNOWN_PLACES];
	struct known_list {
		uint32_t id; /* of the LOC_PROTO */
		uint32_t nr, places[LIST_PLACES];
	} lists[KNOWN_LISTS];
	struct known_func {
		uint32_t name, id; /* of the FUNC; id 0: none is known */
		const struct pool_type *proto;
	} funcs[KNOWN_FUNCS];
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

static struct known_func *known_func(const struct unit_encoder *m, uint32_t name)
{
	return &m->known->funcs[name % KNOWN_FUNCS];
}

/* The FUNC in the pool for inlined function @f; 0 if BTF does not accept its name or the lack of another. */
static uint32_t add_inlined(struct unit_encoder *m, const struct unit_facts *facts,
			    const struct inlined_facts *f)
{
	struct known_func *known = known_func(m, f->name);
	const struct str_entry *name = str_pool_at(m->run->strings, f->name);
	bool met = known->id && known->name == f->name;

	if (!f->proto || (!met && !var_name_valid(name->text, name->len)) ||
	    !are_named(facts->words.items + f->proto))
		return 0;

	size_t nr = unit_convert_proto(m, facts->words.items + f->proto);
	if (met && known->proto->nr == nr &&
	    !memcmp(known->proto->rec, m->words.items, nr * sizeof(uint32_t)))
		return known->id;

	struct pool_type *proto, *func;
	type_pool_add(m->run->types, m->arena, m->words.items, nr, &proto);
	const uint32_t rec[] = { f->name, btf_info(BTF_FUNC, BTF_LINK_STATIC, false), proto->id };
	type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &func);
	*known = (struct known_func){ f->name, func->id, proto };
	return func->id;
}

static void add_funcs(struct unit_encoder *m, const struct unit_facts *facts)
{
	const struct inlined_facts *f = facts->inlined.items;
	size_t nr = facts->inlined.nr;

	vec_reserve(&m->btf->inlined, nr);
	for (size_t i = 0; i < nr; i++) {
		if (i + AHEAD < nr)
			__builtin_prefetch(known_func(m, f[i + AHEAD].name)->proto);
		m->btf->inlined.items[i] = add_inlined(m, facts, &f[i]);
	}
	m->btf->inlined.nr = nr;
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

/* Make the LOC_PROTOs of the sites, one behind the other. */
static void make_lists(struct unit_encoder *m, const struct unit_facts *facts)
{
	m->list_words.nr = m->lists.nr = 0;
	vec_reserve(&m->list_words, facts->places.nr + BTF_REC_WORDS * facts->sites.nr);
	vec_reserve(&m->lists, facts->sites.nr);
	for (size_t i = 0; i < facts->sites.nr; i++) {
		const struct cu_site *s = &facts->sites.items[i];
		uint32_t proto = facts->inlined.items[s->func].proto;
		uint32_t nr = proto ? btf_rec_vlen(facts->words.items + proto) : 0;
		uint32_t *rec = m->list_words.items + m->list_words.nr;

		rec[BTF_REC_NAME] = 0;
		rec[BTF_REC_INFO] = btf_info(BTF_LOC_PROTO, nr, false);
		rec[BTF_REC_SIZE_TYPE] = 0;
		for (uint32_t k = 0; k < nr; k++)
			rec[BTF_REC_WORDS + k] = add_place(m,
							   facts->places.items[s->first_place + k]);
		m->lists.items[m->lists.nr++].rec = rec;
		m->list_words.nr += BTF_REC_WORDS + nr;
	}
}

static struct known_list *known_list(const struct unit_encoder *m, const struct site_list *l)
{
	return &m->known->lists[l->hash % KNOWN_LISTS];
}

static void fetch_known(const struct unit_encoder *m, struct site_list *l)
{
	l->hash = hash_words(l->rec, BTF_REC_WORDS + btf_rec_vlen(l->rec));
	__builtin_prefetch(known_list(m, l));
}

static bool is_known(const struct known_list *known, const struct site_list *l)
{
	uint32_t nr = btf_rec_vlen(l->rec);

	return known->id && known->nr == nr && nr <= LIST_PLACES &&
	       !memcmp(known->places, l->rec + BTF_REC_WORDS, nr * sizeof(known->places[0]));
}

static void fetch_pooled(const struct unit_encoder *m, const struct site_list *l)
{
	if (!is_known(known_list(m, l), l))
		type_pool_prefetch(m->run->types, l->hash);
}

/* The LOC_PROTO @l in the pool. */
static uint32_t add_list(struct unit_encoder *m, const struct site_list *l)
{
	struct known_list *known = known_list(m, l);
	uint32_t nr = btf_rec_vlen(l->rec);

	if (is_known(known, l))
		return known->id;
	uint32_t id = enter(m, l->rec, BTF_REC_WORDS + (size_t)nr);
	if (nr <= LIST_PLACES) {
		*known = (struct known_list){ .id = id, .nr = nr };
		memcpy(known->places, l->rec + BTF_REC_WORDS, nr * sizeof(known->places[0]));
	}
	return id;
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

static struct err *add_site(struct unit_encoder *m, const struct unit_facts *facts, size_t i,
			    struct code *code, struct left_out *left)
{
	const struct cu_site *s = &facts->sites.items[i];
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
					 .proto = add_list(m, &m->lists.items[i]),
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
	vec_reserve(&btf->sites, facts->sites.nr);
	add_funcs(m, facts);
	make_lists(m, facts);
	for (size_t i = 0; !e && i < facts->sites.nr + AHEAD; i++) {
		if (i < facts->sites.nr)
			fetch_known(m, &m->lists.items[i]);
		if (i >= AHEAD / 2 && i - AHEAD / 2 < facts->sites.nr)
			fetch_pooled(m, &m->lists.items[i - AHEAD / 2]);
		if (i >= AHEAD)
			e = add_site(m, facts, i - AHEAD, &code, &left);
	}
	report_sites(m, facts, &left);
	free(left.of_invalid);
	return e;
}
