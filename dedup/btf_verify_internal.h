/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_verify_internal.h - what the two halves of the checker share */
#ifndef BTFENC_DEDUP_BTF_VERIFY_INTERNAL_H
#define BTFENC_DEDUP_BTF_VERIFY_INTERNAL_H

#include "dedup/btf_kind.h"
#include "dedup/btf_verify.h"

enum { NO_ELEMENT = UINT32_MAX };

struct verify {
	const struct btf_view *view, *base;
	struct {
		struct btf_finding *items;
		size_t nr, cap;
	} findings;
};

static inline void verify_found(struct verify *v, uint32_t id, uint32_t element, const char *rule)
{
	vec_push(&v->findings, ((struct btf_finding){ id, rule, element }));
}

/* BTF_UNKN for void. */
static inline uint32_t verify_kind(const struct verify *v, uint32_t id)
{
	return id ? btf_info_kind(btf_types_rec(&v->view->types, id)[BTF_REC_INFO]) : BTF_UNKN;
}

static inline bool verify_is_modifier(uint32_t kind)
{
	return kind == BTF_TYPEDEF || kind == BTF_VOLATILE || kind == BTF_CONST ||
	       kind == BTF_RESTRICT || kind == BTF_TYPE_TAG;
}

/* A member's offset word; the bit field's size is 0 for an ordinary member. */
static inline uint32_t verify_bit_offset(bool kflag, uint32_t word)
{
	return kflag ? word & 0xffffff : word;
}

static inline uint32_t verify_field_bits(bool kflag, uint32_t word)
{
	return kflag ? word >> 24 : 0;
}

/* The rules that need to know what a reference leads to in the end. */
void verify_resolution(struct verify *v);

#endif
