/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_verify_internal.h - shared by btf_verify.c and btf_verify_resolve.c */
#ifndef BTFENC_CHECK_BTF_VERIFY_INTERNAL_H
#define BTFENC_CHECK_BTF_VERIFY_INTERNAL_H

#include "base/compiler.h"
#include "btf/btf_kind.h"
#include "check/btf_verify.h"

enum { NO_ELEMENT = UINT32_MAX };

struct verify {
	const struct btf_view *view;
	const struct btf_verify_opts *opts;
	uint8_t *kinds; /* of own types, in their order: most rules ask for them */
	enum btf_phase phase;
	bool tags_first;    /* type tags come before other modifiers */
	bool short_names;   /* of KERNEL_MAX_NAME_BEFORE_6_1 bytes */
	uint32_t new_kinds; /* met so far, of those that some version lacks: a bit each */
	struct btf_findings *findings;
};

/* BTF_UNKN for void. */
static inline enum btf_kind verify_kind(const struct verify *v, uint32_t id)
{
	const struct btf_types *t = &v->view->types;

	if (likely(id >= t->first))
		return (enum btf_kind)v->kinds[id - t->first];
	return id ? btf_rec_kind(btf_types_rec(t, id)) : BTF_UNKN;
}

/* Breaches of the base are not reported. */
static inline void verify_add_finding_in(struct verify *v, uint32_t id, uint32_t element,
					 enum btf_rule_id rule, const char *function,
					 uint64_t value)
{
	if ((id && id < v->view->types.first) || !btf_rule_applies(rule, v->opts->version))
		return;
	if (!function)
		function = btf_rule(rule)->function;
	if (!function)
		function = btf_rule_function(verify_kind(v, id), v->phase);
	btf_findings_add(v->findings, id, element, rule, function, value);
}

static inline void verify_add_finding(struct verify *v, uint32_t id, uint32_t element,
				      enum btf_rule_id rule)
{
	verify_add_finding_in(v, id, element, rule, NULL, 0);
}

static inline bool verify_is_spoilt(const struct verify *v, uint32_t id)
{
	return v->opts->spoilt && id >= v->view->types.first &&
	       v->opts->spoilt[id - v->view->types.first];
}

static inline const char *verify_name(const struct verify *v, uint32_t off)
{
	return btf_view_str(v->view, v->view->base, off);
}

/* Report @rule if the name at @name is no identifier, or that it is too long for older kernels. */
void verify_check_identifier(struct verify *v, uint32_t id, uint32_t element, uint32_t name,
			     enum btf_rule_id rule);

/* A member's offset word; the bit field's size is 0 for an ordinary member. */
static inline uint32_t verify_bit_offset(bool kflag, uint32_t word)
{
	return kflag ? word & 0xffffff : word;
}

static inline uint32_t verify_field_bits(bool kflag, uint32_t word)
{
	return kflag ? word >> 24 : 0;
}

/* The rules of LOC_PARAM, LOC_PROTO and LOCSEC about one record, and those about what it refers to. */
void verify_place(struct verify *v, uint32_t id, const uint32_t *rec);
void verify_places(struct verify *v, uint32_t id, const uint32_t *rec);
void verify_sites(struct verify *v, uint32_t id, const uint32_t *rec);
void verify_places_refs(struct verify *v, uint32_t id, const uint32_t *rec);
void verify_sites_refs(struct verify *v, uint32_t id, const uint32_t *rec);

/* Check the rules that depend on what a reference resolves to. */
void verify_resolution(struct verify *v);

#endif
