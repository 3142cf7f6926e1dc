/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_kind.h - the kinds of records, a row of a table for each
 *
 * A record is an array of native 32-bit words: the three of btf_wire.h, fixed words, then vlen elements.
 * All walks over records (copy, check of ids and strings, deduplication, difference, statistics, text) read
 * the row of a kind (btf_kind.c). A walk over types of C distinguishes btf_ctype(), which has fewer values
 * than there are kinds.
 */
#ifndef BTFENC_BTF_BTF_KIND_H
#define BTFENC_BTF_BTF_KIND_H

#include "base/bytes.h"
#include "btf/btf_wire.h"

#include <stddef.h>
#include <string.h>

/*
 * The type of C that a kind describes. A switch over it names all values and has no default, so that the
 * compiler reports a missing one.
 */
enum btf_ctype {
	BTF_C_NONE, /* no type of C: it describes a function, a variable, a section or a tag, say */
	BTF_C_VOID, /* BTF_UNKN, which void has as well */
	BTF_C_INT,
	BTF_C_FLOAT,
	BTF_C_POINTER,
	BTF_C_ARRAY,
	BTF_C_STRUCT, /* or union */
	BTF_C_ENUM,
	BTF_C_FORWARD, /* the declaration of a struct or union */
	BTF_C_TYPEDEF,
	BTF_C_QUALIFIER, /* or type tag */
	BTF_C_FUNCTION,  /* a prototype */
};

/*
 * The name space of a kind. Two types of one name in one name space are the same type, or one declares
 * the other, or they are different versions of one type. Differences are listed in this order.
 */
enum btf_space {
	BTF_SPACE_NONE, /* without a name, or the name is not its own: --btf_diff finds no changed record */
	BTF_SPACE_BASE,
	BTF_SPACE_ENUM,
	BTF_SPACE_CONSTANTS, /* no kind: an enum without a name, by its first enumerator */
	BTF_SPACE_STRUCT,
	BTF_SPACE_UNION,
	BTF_SPACE_TYPEDEF,
	BTF_SPACE_FUNC,
	BTF_SPACE_VAR,
	BTF_SPACE_SECTION,
	BTF_SPACE_SITES, /* sections as well: those of LOCSECs */
	BTF_NR_SPACES,
};

/* How deduplication finds the types that are equal to one of this kind (dedup/dedup.c). */
enum btf_dedup {
	BTF_DEDUP_NEVER, /* it keeps each */
	BTF_DEDUP_WORDS, /* words are equal: the kind refers to no type */
	BTF_DEDUP_ENUM,  /* the same, or a declaration */
	BTF_DEDUP_GRAPH, /* graphs are equal */
	BTF_DEDUP_REFS,  /* words are equal after what they refer to was deduplicated */
};

/* Which names the kernel accepts. */
enum btf_name_rule {
	BTF_NAME_ANY,
	BTF_NAME_NONE,
	BTF_NAME_OPTIONAL, /* none or an identifier */
	BTF_NAME_IDENTIFIER,
	BTF_NAME_SECTION,
	BTF_NAME_VALUE, /* any text but "" */
};

/* The row of a kind: 64 bytes, so that a shift finds it. */
struct btf_kind_layout {
	const char *name; /* as bpftool prints it: "INT", "TYPE_TAG", ...; NULL: no such kind */

	/* words of the record */
	uint8_t words;            /* of a record without elements; 0: no such kind */
	uint8_t fixed;            /* those after the three common ones, before the elements */
	uint8_t elem;             /* words per element */
	uint8_t first_type;       /* the word that is the first type id; 0: the kind has none */
	bool main_is_type;        /* BTF_REC_SIZE_TYPE is a type id (never so for FWD) */
	uint8_t fixed_types;      /* the first that many fixed words are type ids (ARRAY: 2) */
	int8_t elem_name;         /* index of the name in an element, -1 for none */
	int8_t elem_type;         /* index of the first type id in an element, -1 for none */
	uint8_t elem_types;       /* type ids of an element, one after the other */
	uint8_t step, then, turn; /* between type ids: see struct btf_refs */

	/* meaning */
	uint8_t ctype;     /* enum btf_ctype */
	uint8_t space;     /* enum btf_space; of a FWD that of a struct, see btf_rec_space() */
	uint8_t dedup;     /* enum btf_dedup */
	uint8_t name_rule; /* enum btf_name_rule */
	bool vlen_is_linkage;
	bool kflag;      /* may be set */
	bool has_size;   /* as the kernel computes it */
	bool is_no_type; /* a kind may refer to such kinds only if it has one of them in @targets */
	uint32_t
		targets; /* the kinds that correct BTF refers to from it, a bit for each; BTF_UNKN: void */

	/* text */
	const char *
		keyword; /* before its name: "struct "; a qualifier itself: "const "; "" for none */
	const char *element; /* what an element is: "member" */
	/* by index, the words of an element that are neither name nor type: "offset "; NULL: none to print */
	const char *const *elem_fields;
	const char *elem_unit; /* of these words: " bytes", or "" */
};

extern const struct btf_kind_layout btf_kind_layouts[128];

/* The layout of a kind of 7 bits; all zero if it does not exist. BTF_UNKN exists in memory only, see btf_view.h. */
static inline const struct btf_kind_layout *btf_kind_layout(uint32_t kind)
{
	return &btf_kind_layouts[kind & 0x7f];
}

static inline const struct btf_kind_layout *btf_rec_layout(const uint32_t *rec)
{
	return btf_kind_layout(btf_rec_kind(rec));
}

/* The number of type ids before the elements. */
static inline uint32_t btf_kind_types_before(const struct btf_kind_layout *l)
{
	return (uint32_t)l->main_is_type + l->fixed_types;
}

/* Is word @i of an element a type id? */
static inline bool btf_elem_is_type(const struct btf_kind_layout *l, uint32_t i)
{
	return (int)i >= l->elem_type && (int)i < l->elem_type + l->elem_types;
}

static inline enum btf_ctype btf_ctype(enum btf_kind kind)
{
	return btf_kind_layouts[kind].ctype;
}

/* The kinds that the kernel calls modifiers: they change how a value of another type may be used. */
static inline bool btf_kind_is_modifier(enum btf_kind kind)
{
	enum btf_ctype c = btf_ctype(kind);

	return c == BTF_C_TYPEDEF || c == BTF_C_QUALIFIER;
}

static inline bool btf_kind_is_struct(enum btf_kind kind)
{
	return btf_ctype(kind) == BTF_C_STRUCT;
}

static inline bool btf_kind_is_enum(enum btf_kind kind)
{
	return btf_ctype(kind) == BTF_C_ENUM;
}

/* Does @rec say only that there is a type: a FWD, or an enum without enumerators? */
static inline bool btf_rec_is_declaration(const uint32_t *rec)
{
	enum btf_ctype c = btf_ctype(btf_rec_kind(rec));

	return c == BTF_C_FORWARD || (c == BTF_C_ENUM && !btf_rec_vlen(rec));
}

/* The name space of @rec, whether it has a name or not. */
static inline enum btf_space btf_rec_space(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	enum btf_space space = l->space;

	if (space == BTF_SPACE_STRUCT && l->ctype == BTF_C_FORWARD && btf_rec_kflag(rec))
		space = BTF_SPACE_UNION;
	return space;
}

/* The section whose sites the LOCSEC called @name has. NULL: the name does not say. */
static inline const char *btf_locsec_section(const char *name)
{
	return starts_with(name, BTF_LOCSEC_PREFIX) ? name + strlen(BTF_LOCSEC_PREFIX) : NULL;
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
 * The type ids of a record that remain to be visited, in that order. The distances between them are @step, then
 * @then, and from there on in turn that and another one, which differs from it by the bits @turn.
 */
struct btf_refs {
	uint32_t *at;
	uint32_t left, step, then, turn; /* in words */
};

/* None for BTF_UNKN. */
static inline struct btf_refs btf_rec_refs(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	uint32_t elems = btf_rec_vlen(rec) * l->elem_types;

	return (struct btf_refs){ (uint32_t *)rec + l->first_type, btf_kind_types_before(l) + elems,
				  l->step, l->then, l->turn };
}

/* The next type id, NULL after the last. */
static inline uint32_t *btf_refs_next(struct btf_refs *r)
{
	uint32_t *ref = r->left ? r->at : NULL;

	if (ref && --r->left) {
		r->at += r->step;
		r->step = r->then;
		r->then ^= r->turn;
	}
	return ref;
}

/* The @i-th string reference of @rec in that order, NULL after the last. */
uint32_t *btf_rec_name(uint32_t *rec, size_t i);

#endif
