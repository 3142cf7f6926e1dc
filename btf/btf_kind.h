/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_kind.h - the layout of each kind of record, in one table
 *
 * Generic code finds ids and string references by this table. A record is an array of native
 * 32-bit words: the three of btf_wire.h, fixed words, then vlen elements.
 */
#ifndef BTFENC_BTF_BTF_KIND_H
#define BTFENC_BTF_BTF_KIND_H

#include "base/bytes.h"
#include "btf/btf_wire.h"

#include <stddef.h>

struct btf_kind_layout {
	const char *name;    /* as bpftool prints it: "INT", "TYPE_TAG", ...; NULL: no such kind */
	uint8_t words;       /* of a record without elements; 0: no such kind */
	uint8_t fixed;       /* those after the three common ones, before the elements */
	uint8_t elem;        /* words per element */
	uint8_t first_type;  /* the word that is the first type id, if there is one */
	bool main_is_type;   /* BTF_REC_SIZE_TYPE is a type id (never so for FWD) */
	uint8_t fixed_types; /* the first that many fixed words are type ids (ARRAY: 2) */
	int8_t elem_name;    /* index of the name in an element, -1 for none */
	int8_t elem_type;    /* index of the type id in an element, -1 for none */
};

extern const struct btf_kind_layout btf_kind_layouts[128];

/* The layout of any kind of 7 bits; all zero if it does not exist. */
static inline const struct btf_kind_layout *btf_rec_layout(const uint32_t *rec)
{
	return &btf_kind_layouts[btf_rec_kind(rec)];
}

/* NULL for a kind that does not exist. BTF_UNKN exists in memory only, see btf_view.h. */
static inline const struct btf_kind_layout *btf_kind_layout(uint32_t kind)
{
	return kind < BTF_NR_KINDS ? &btf_kind_layouts[kind] : NULL;
}

/* Words of the whole record, 0 if the kind is unknown. @rec: at least BTF_REC_WORDS words. */
static inline size_t btf_rec_words(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);

	return l->words + (size_t)l->elem * btf_rec_vlen(rec);
}

/*
 * The same for a record of a file, whose kind may be one that btfenc does not know: @layout, the layout
 * section, has the sizes of its parts. 0 if it does not.
 */
size_t btf_file_rec_words(const uint32_t *rec, struct bytes layout);

/*
 * Call @fn with a pointer to each type id of @rec, in the order in which libbpf
 * walks them: the main one; ARRAY element, then index; members, parameters,
 * secinfos in turn. Likewise for string references: the name, then each element's.
 * The record must be whole and of a known kind.
 */
#define btf_rec_each_type(rec, p)                                                  \
	for (struct btf_refs refs_ = btf_rec_refs(rec); refs_.at; refs_.at = NULL) \
		for (uint32_t * p; (p = btf_refs_next(&refs_)) != NULL;)
#define btf_rec_each_name(rec, p)                                         \
	for (size_t each_i_ = 0; each_i_ != SIZE_MAX; each_i_ = SIZE_MAX) \
		for (uint32_t * p; (p = btf_rec_name((rec), each_i_)) != NULL; each_i_++)

/*
 * The type ids of a record that remain to be visited, in that order. In a record of each kind they are
 * equally far apart, the main one included.
 */
struct btf_refs {
	uint32_t *at;
	uint32_t left, step; /* in words */
};

/* None for BTF_UNKN. */
static inline struct btf_refs btf_rec_refs(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	uint32_t before = (uint32_t)l->main_is_type + l->fixed_types;
	uint32_t elems = l->elem_type < 0 ? 0 : btf_rec_vlen(rec);

	return (struct btf_refs){ (uint32_t *)rec + l->first_type, before + elems,
				  l->elem ? l->elem : 1 };
}

/* The next type id, NULL after the last. */
static inline uint32_t *btf_refs_next(struct btf_refs *r)
{
	uint32_t *ref = r->left ? r->at : NULL;

	if (ref && --r->left)
		r->at += r->step;
	return ref;
}

/* The @i-th string reference of @rec in that order, NULL after the last. */
uint32_t *btf_rec_name(uint32_t *rec, size_t i);

#endif
