/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * producer.c - recognise the program that produced the BTF of an object
 *
 * BTF does not name its producer, but each producer has properties of its own
 * (docs/spec/dedup.md 8.1). The type "char" identifies gcc up to version 13. Later versions
 * are identified by arrays whose index type is not "int".
 */
#include "encoder/unit/unit_btf.h"

#include "btf/btf_kind.h"

/* pahole's index is "int", clang's has a name of its own. */
static enum producer producer_by_index(const struct btf_view *v, uint32_t index)
{
	if (!index)
		return PRODUCER_GCC; /* extern int x[] */

	/* the references may not be checked yet */
	uint32_t off = index < btf_types_end(&v->types) ?
			       btf_types_rec(&v->types, index)[BTF_REC_NAME] :
			       UINT32_MAX;
	if (off >= v->str_base + v->strings.len)
		return PRODUCER_PAHOLE_LIKE;
	const char *name = btf_view_str(v, v->base, off);
	if (!strcmp(name, "__ARRAY_SIZE_TYPE__"))
		return PRODUCER_CLANG;
	return strcmp(name, "int") ? PRODUCER_GCC : PRODUCER_PAHOLE_LIKE;
}

/* gcc marks the characters of C; other INTs with this encoding are foreign (docs/spec/dedup.md 8.1). */
bool producer_is_gcc_char(const struct btf_view *v, const uint32_t *rec)
{
	uint32_t encoding = rec[BTF_REC_WORDS] >> 24, off = rec[BTF_REC_NAME];

	if (!(encoding & BTF_ENC_CHAR))
		return false;
	/* the kernel accepts one encoding, and the references may not be checked yet */
	if (encoding != BTF_ENC_CHAR || off >= v->str_base + v->strings.len)
		return true;
	const char *name = btf_view_str(v, v->base, off);
	return !strcmp(name, "char") || !strcmp(name, "unsigned char") ||
	       !strcmp(name, "signed char");
}

static enum producer producer_by_record(const struct btf_view *v, const uint32_t *rec)
{
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_INT:
		return producer_is_gcc_char(v, rec) ? PRODUCER_GCC : PRODUCER_PAHOLE_LIKE;
	case BTF_FWD:
		return rec[BTF_REC_SIZE_TYPE] ? PRODUCER_GCC : PRODUCER_PAHOLE_LIKE;
	case BTF_ENUM:
		return rec[BTF_REC_SIZE_TYPE] ? PRODUCER_PAHOLE_LIKE : PRODUCER_GCC;
	case BTF_FUNC:
		return rec[BTF_REC_NAME] && btf_info_vlen(rec[BTF_REC_INFO]) <= BTF_LINK_GLOBAL ?
			       PRODUCER_PAHOLE_LIKE :
			       PRODUCER_GCC;
	case BTF_ARRAY:
		return producer_by_index(v, rec[BTF_REC_WORDS + 1]);
	case BTF_VAR:
		return rec[BTF_REC_WORDS] > BTF_LINK_GLOBAL ? PRODUCER_GCC : PRODUCER_PAHOLE_LIKE;
	case BTF_DATASEC:
		/* only the loader of a BPF program computes its size */
		return rec[BTF_REC_SIZE_TYPE] ? PRODUCER_PAHOLE_LIKE : PRODUCER_GCC;
	default:
		return PRODUCER_PAHOLE_LIKE;
	}
}

enum producer producer_of(const struct btf_view *v)
{
	enum producer producer = PRODUCER_PAHOLE_LIKE;

	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		enum producer m = producer_by_record(v, btf_types_rec(&v->types, id));

		if (m == PRODUCER_CLANG)
			return m;
		if (m == PRODUCER_GCC)
			producer = m;
	}
	return producer;
}
