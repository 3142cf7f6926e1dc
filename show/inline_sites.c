/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline_sites.c - see inline_sites.h
 *
 * btf_view.h has checked that ids exist, but not what they refer to. All records that sites lead to are
 * checked first, so that the functions for a site need no errors.
 */
#include "show/inline_sites.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "btf/print/type_text.h"
#include "loader/elf/addr_symbols.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PLACE_SIZE_MAX = 16, CONSTANT_SIZE_MAX = 8, LINKS_MAX = 64 };

static const uint32_t *rec_of(const struct btf_view *v, uint32_t id)
{
	return btf_types_rec(&v->types, id);
}

static enum btf_kind kind_of(const struct btf_view *v, uint32_t id)
{
	return id ? btf_rec_kind(rec_of(v, id)) : BTF_UNKN;
}

/* --- checks ---------------------------------------------------------------------------- */

static struct err *refuse(uint32_t id, const char *what)
{
	return err_new(ERR_FORMAT, "type %u: %s (see '--btf_check')", id, what);
}

static bool place_is_valid(const uint32_t *rec)
{
	const uint32_t flags = rec[BTF_REC_WORDS], nr = btf_rec_vlen(rec);
	const uint32_t size = rec[BTF_REC_SIZE_TYPE];

	if (!size || size > PLACE_SIZE_MAX)
		return false;
	switch (flags & ~(uint32_t)BTF_LOC_SIGNED) {
	case BTF_LOC_CONST:
	case BTF_LOC_CONST | BTF_LOC_ADDR:
		return size <= CONSTANT_SIZE_MAX && nr >= 1 && nr <= 2;
	case BTF_LOC_REG:
		return !(flags & BTF_LOC_SIGNED) && nr >= 1 && nr <= 2;
	case BTF_LOC_REG | BTF_LOC_DEREF:
		return !(flags & BTF_LOC_SIGNED) && nr == 1;
	case BTF_LOC_REG | BTF_LOC_OFFSET:
	case BTF_LOC_REG | BTF_LOC_DEREF | BTF_LOC_OFFSET:
		return nr >= 2 && nr <= 3;
	default:
		return false;
	}
}

static struct err *check_places(const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec = rec_of(v, id);

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++) {
		uint32_t place = rec[BTF_REC_WORDS + i];

		if (place && kind_of(v, place) != BTF_LOC_PARAM)
			return refuse(id, "it refers to a type that is no LOC_PARAM");
		if (place && !place_is_valid(rec_of(v, place)))
			return refuse(place, "the flags or the number of words are invalid");
	}
	return NULL;
}

static struct err *check_site(const struct btf_view *v, uint32_t id, const uint32_t *site)
{
	const uint32_t func = site[BTF_SITE_FUNC], places = site[BTF_SITE_PROTO];
	uint32_t proto = kind_of(v, func) == BTF_FUNC ? rec_of(v, func)[BTF_REC_SIZE_TYPE] : 0;

	if (kind_of(v, proto) != BTF_FUNC_PROTO)
		return refuse(id, "a site refers to a type that is no FUNC");
	if (kind_of(v, places) != BTF_LOC_PROTO)
		return refuse(id, "a site refers to a type that is no LOC_PROTO");
	if (btf_rec_vlen(rec_of(v, proto)) != btf_rec_vlen(rec_of(v, places)))
		return refuse(id, "a site has not as many places as its function has parameters");
	return NULL;
}

/* --- sites ----------------------------------------------------------------------------- */

static struct err *add_sites(const struct btf_view *v, uint32_t id, const struct object *o,
			     struct inline_sites *ret)
{
	const uint32_t *rec = rec_of(v, id), *site = rec + BTF_REC_WORDS;
	const char *name = btf_locsec_section(inline_name(v, rec[BTF_REC_NAME]));
	uint32_t section = name && o ? code_section(o, name) : 0;

	/* a LOCSEC with another name has sites of a section that is not known */
	vec_reserve(ret, btf_rec_vlen(rec));
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS) {
		TRY(check_site(v, id, site));
		vec_push(ret,
			 ((struct inline_site){
				 .section = section,
				 .locsec = id,
				 .offset = site[BTF_SITE_OFFSET],
				 .func = site[BTF_SITE_FUNC],
				 .proto = site[BTF_SITE_PROTO],
				 .section_name = name ? name : inline_name(v, rec[BTF_REC_NAME]),
			 }));
	}
	return NULL;
}

static uint64_t key_of(const struct inline_site *s)
{
	uint64_t group = s->section ? (uint64_t)s->section << 32 | UINT64_C(1) << 63 :
				      (uint64_t)s->locsec << 32;

	return group | s->offset;
}

static void sort(struct inline_sites *s)
{
	CLEANUP(mem_free) struct sort_key *keys = mem_alloc(s->nr * sizeof(*keys));
	struct inline_site *sorted = mem_alloc(s->nr * sizeof(*sorted));

	for (size_t i = 0; i < s->nr; i++)
		keys[i] = (struct sort_key){ key_of(&s->items[i]), (uint32_t)i };
	sort_by_key(keys, s->nr);
	for (size_t i = 0; i < s->nr; i++)
		sorted[i] = s->items[keys[i].id];
	free(s->items);
	s->items = sorted;
	s->cap = s->nr;
}

struct err *inline_sites_read(const struct btf_view *v, uint32_t first, const struct object *o,
			      struct inline_sites *ret)
{
	/* sites may have the places of a base */
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		enum btf_kind kind = kind_of(v, id);

		if (kind == BTF_LOC_PROTO)
			TRY(check_places(v, id));
		else if (kind == BTF_LOCSEC && id >= first)
			TRY(add_sites(v, id, o, ret));
	}
	if (ret->nr)
		sort(ret);
	return NULL;
}

void inline_sites_release(struct inline_sites *s)
{
	free(s->items);
	*s = (struct inline_sites){ 0 };
}

/* --- parameters ------------------------------------------------------------------------ */

uint32_t inline_nr_params(const struct btf_view *v, const struct inline_site *s)
{
	return btf_rec_vlen(rec_of(v, s->proto));
}

struct inline_param inline_param(const struct btf_view *v, const struct inline_site *s, uint32_t i)
{
	const uint32_t *proto = rec_of(v, rec_of(v, s->func)[BTF_REC_SIZE_TYPE]);
	const uint32_t *param = proto + BTF_REC_WORDS + 2 * (size_t)i;
	uint32_t place = rec_of(v, s->proto)[BTF_REC_WORDS + i];

	return (struct inline_param){
		.name = inline_name(v, param[0]),
		.type = param[1],
		.place = place ? rec_of(v, place) : NULL,
	};
}

/* The @nr words at @w, one or two, as a number of @bytes bytes. */
static uint64_t number(const uint32_t *w, uint32_t nr, uint32_t bytes, bool is_signed)
{
	uint64_t value = w[0] | (nr > 1 ? (uint64_t)w[1] << 32 : 0);
	uint32_t unused = 64 - 8 * (bytes < 8 ? bytes : 8);

	return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) :
			   value << unused >> unused;
}

struct inline_place inline_place(const uint32_t *rec)
{
	const uint32_t *words = rec + BTF_REC_WORDS + 1;
	uint32_t nr = btf_rec_vlen(rec);
	struct inline_place p = { .flags = rec[BTF_REC_WORDS], .size = rec[BTF_REC_SIZE_TYPE] };
	bool is_signed = p.flags & BTF_LOC_SIGNED;

	if (p.flags & BTF_LOC_CONST) {
		p.value = number(words, nr, p.size, is_signed);
		return p;
	}
	p.regs[0] = words[0];
	p.nr_regs = 1;
	if (p.flags & BTF_LOC_OFFSET)
		p.offset = (int64_t)number(words + 1, nr - 1, 4 * (nr - 1), is_signed);
	else if (nr == 2)
		p.regs[p.nr_regs++] = words[1];
	return p;
}

/* --- types ----------------------------------------------------------------------------- */

static void describe(const void *types, uint32_t id, struct type_part *ret)
{
	const struct btf_view *v = types;
	const uint32_t *rec = id ? rec_of(v, id) : NULL;
	enum btf_kind kind = kind_of(v, id);

	*ret = (struct type_part){ .kind = kind, .name = "" };
	if (!rec)
		return;
	ret->name = inline_name(v, rec[BTF_REC_NAME]);
	ret->is_union = btf_ctype(kind) == BTF_C_FORWARD && btf_rec_kflag(rec);
	ret->nr = kind == BTF_ARRAY ? rec[BTF_REC_WORDS + 2] : btf_rec_vlen(rec);
	if (kind == BTF_ARRAY)
		ret->target = rec[BTF_REC_WORDS];
	else if (type_text_is_link(kind))
		ret->target = rec[BTF_REC_SIZE_TYPE];
	if (btf_kind_is_enum(kind) && !*ret->name && ret->nr)
		ret->enumerator = inline_name(v, rec[BTF_REC_WORDS]);
}

void inline_type_text(struct text *out, const struct btf_view *v, uint32_t id)
{
	const struct type_source source = { .types = v, .part = describe, .name_max = 128 };

	type_text(out, &source, id);
}

uint32_t inline_plain_type(const struct btf_view *v, uint32_t id)
{
	for (int i = 0; i < LINKS_MAX; i++) {
		if (!btf_kind_is_modifier(kind_of(v, id)))
			return id;
		id = rec_of(v, id)[BTF_REC_SIZE_TYPE];
	}
	return 0;
}
