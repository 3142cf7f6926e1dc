/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify_sites.c - the kernel's rules for the sites of inlined functions, and where parameters are there
 *
 * A LOC_PARAM is the place of a parameter, a LOC_PROTO has one for each parameter of a function, and a
 * LOCSEC lists the sites of a section. The kernel does not check the numbers of registers, nor the order
 * of sites: several functions may be inlined at one offset.
 */
#include "check/btf_verify_internal.h"

#include <string.h>

enum { PLACE_SIZE_MAX = 16, CONSTANT_SIZE_MAX = 8, WORD_SIZE = 4 };

/* The sets of flags that a place may have, and the numbers of its words. */
static const struct {
	uint8_t flags, least, most;
} places[] = {
	{ BTF_LOC_CONST, 1, 2 },
	{ BTF_LOC_CONST | BTF_LOC_SIGNED, 1, 2 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR, 1, 2 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR | BTF_LOC_SIGNED, 1, 2 },
	{ BTF_LOC_REG, 1, 2 },
	{ BTF_LOC_REG | BTF_LOC_DEREF, 1, 1 },
	{ BTF_LOC_REG | BTF_LOC_OFFSET, 2, 3 },
	{ BTF_LOC_REG | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2, 3 },
	{ BTF_LOC_REG | BTF_LOC_DEREF | BTF_LOC_OFFSET, 2, 3 },
	{ BTF_LOC_REG | BTF_LOC_DEREF | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2, 3 },
};

/* A constant of more than a word needs two; a smaller one may have two. */
static bool has_words(const uint32_t *rec, uint32_t least, uint32_t most)
{
	uint32_t nr = btf_rec_vlen(rec);

	if (rec[BTF_REC_WORDS] & BTF_LOC_CONST && rec[BTF_REC_SIZE_TYPE] > WORD_SIZE)
		least = 2;
	return nr >= least && nr <= most;
}

void verify_place(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t size = rec[BTF_REC_SIZE_TYPE], flags = rec[BTF_REC_WORDS];
	size_t i = 0;

	if (!size || size > PLACE_SIZE_MAX)
		verify_add_finding(v, id, NO_ELEMENT, RULE_PLACE_SIZE);
	while (i < ARRAY_SIZE(places) && places[i].flags != flags)
		i++;
	if (i == ARRAY_SIZE(places)) {
		verify_add_finding_in(v, id, NO_ELEMENT, RULE_PLACE_FLAGS, NULL, flags);
		return;
	}
	if (flags & BTF_LOC_CONST && size > CONSTANT_SIZE_MAX && size <= PLACE_SIZE_MAX)
		verify_add_finding(v, id, NO_ELEMENT, RULE_PLACE_CONSTANT);
	if (!has_words(rec, places[i].least, places[i].most))
		verify_add_finding_in(v, id, NO_ELEMENT, RULE_PLACE_WORDS, NULL, btf_rec_vlen(rec));
}

void verify_places(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (rec[BTF_REC_SIZE_TYPE])
		verify_add_finding(v, id, NO_ELEMENT, RULE_PLACES_TYPE_WORD);
}

void verify_sites(struct verify *v, uint32_t id, const uint32_t *rec)
{
	const uint32_t *site = rec + BTF_REC_WORDS;

	verify_places(v, id, rec);
	if (rec[BTF_REC_NAME] && !btf_locsec_section(verify_name(v, rec[BTF_REC_NAME])))
		verify_add_finding(v, id, NO_ELEMENT, RULE_SITES_PREFIX);
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS) {
		if (!site[BTF_SITE_FUNC] || !site[BTF_SITE_PROTO])
			verify_add_finding(v, id, i, RULE_SITE_VOID);
	}
}

void verify_places_refs(struct verify *v, uint32_t id, const uint32_t *rec)
{
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++) {
		uint32_t place = rec[BTF_REC_WORDS + i];

		if (place && verify_kind(v, place) != BTF_LOC_PARAM)
			verify_add_finding(v, id, i, RULE_PLACES_NO_PLACE);
	}
}

/* The number of parameters of function @func; false if it is none. One without a prototype has its own finding. */
static bool count_params(const struct verify *v, uint32_t func, uint32_t *ret)
{
	const struct btf_types *t = &v->view->types;
	uint32_t proto;

	if (verify_kind(v, func) != BTF_FUNC)
		return false;
	proto = btf_types_rec(t, func)[BTF_REC_SIZE_TYPE];
	if (verify_kind(v, proto) != BTF_FUNC_PROTO)
		return false;
	*ret = btf_rec_vlen(btf_types_rec(t, proto));
	return true;
}

static void check_site_refs(struct verify *v, uint32_t id, uint32_t i, const uint32_t *site)
{
	uint32_t nr = 0;
	bool has_params = count_params(v, site[BTF_SITE_FUNC], &nr);
	bool has_places = verify_kind(v, site[BTF_SITE_PROTO]) == BTF_LOC_PROTO;

	if (verify_kind(v, site[BTF_SITE_FUNC]) != BTF_FUNC)
		verify_add_finding(v, id, i, RULE_SITE_FUNC);
	if (!has_places)
		verify_add_finding(v, id, i, RULE_SITE_PLACES);
	if (has_params && has_places &&
	    btf_rec_vlen(btf_types_rec(&v->view->types, site[BTF_SITE_PROTO])) != nr)
		verify_add_finding_in(v, id, i, RULE_SITE_NUMBER, NULL, nr);
}

void verify_sites_refs(struct verify *v, uint32_t id, const uint32_t *rec)
{
	const uint32_t *site = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS) {
		/* void was reported before */
		if (site[BTF_SITE_FUNC] && site[BTF_SITE_PROTO])
			check_site_refs(v, id, i, site);
	}
}
