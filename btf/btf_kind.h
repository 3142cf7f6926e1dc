/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_kind.h - the layout of each kind of record, in one table
 *
 * Generic code finds ids and string references by this table. A record is an array of native
 * 32-bit words: the three of btf_wire.h, fixed words, then vlen elements.
 */
#ifndef BTFENC_BTF_BTF_KIND_H
#define BTFENC_BTF_BTF_KIND_H

#include "btf/btf_wire.h"

#include <stddef.h>

struct btf_kind_layout {
	const char *name;    /* as bpftool prints it: "INT", "TYPE_TAG", ... */
	uint8_t fixed;       /* words after the three common ones, before the elements */
	uint8_t elem;        /* words per element */
	bool main_is_type;   /* BTF_REC_SIZE_TYPE is a type id (never so for FWD) */
	uint8_t fixed_types; /* the first that many fixed words are type ids (ARRAY: 2) */
	int8_t elem_name;    /* index of the name in an element, -1 for none */
	int8_t elem_type;    /* index of the type id in an element, -1 for none */
};

/* NULL for a kind that does not exist. */
const struct btf_kind_layout *btf_kind_layout(uint32_t kind);

/* The lengths of records only, by any kind of 7 bits: a small table for hot code. */
struct btf_kind_size {
	uint8_t words; /* without elements; 0 for a kind that does not exist */
	uint8_t elem;
};

extern const struct btf_kind_size btf_kind_sizes[128];

/* Words of the whole record, 0 if the kind is unknown. @rec: at least BTF_REC_WORDS words. */
static inline size_t btf_rec_words(const uint32_t *rec)
{
	const struct btf_kind_size *s = &btf_kind_sizes[btf_info_kind(rec[BTF_REC_INFO])];

	return s->words + (size_t)s->elem * btf_info_vlen(rec[BTF_REC_INFO]);
}

/*
 * If the INT @rec with the name @name is C's "long", in any order of words: its size, 4 or 8, which is
 * the size of a pointer as well. Else 0.
 */
uint8_t btf_long_size(const uint32_t *rec, const char *name);

/*
 * Call @fn with a pointer to each type id of @rec, in the order in which libbpf
 * walks them: the main one; ARRAY element, then index; members, parameters,
 * secinfos in turn. Likewise for string references: the name, then each element's.
 * The record must be whole and of a known kind.
 */
#define btf_rec_each_type(rec, p) BTF_REC_EACH(rec, p, btf_rec_type)
#define btf_rec_each_name(rec, p) BTF_REC_EACH(rec, p, btf_rec_name)
#define BTF_REC_EACH(rec, p, get)                                         \
	for (size_t each_i_ = 0; each_i_ != SIZE_MAX; each_i_ = SIZE_MAX) \
		for (uint32_t * p; (p = get((rec), each_i_)) != NULL; each_i_++)

/* The @i-th type id or string reference of @rec in that order, NULL behind the last. */
uint32_t *btf_rec_type(uint32_t *rec, size_t i);
uint32_t *btf_rec_name(uint32_t *rec, size_t i);

#endif
