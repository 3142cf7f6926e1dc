/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_reader.h - the inside of unit_from_btf.h, for encoder/member/member_*.c
 *
 * A member is read in three steps. First its strings are looked up, and the records that are types
 * of the unit and their tags are numbered from 1 (member_reader.c). Then these are added to the
 * pool, by the same code as those of DWARF (member_types.c). Then functions and variables are listed
 * (member_funcs.c, member_vars.c).
 */
#ifndef BTFENC_ENCODER_MEMBER_MEMBER_READER_H
#define BTFENC_ENCODER_MEMBER_MEMBER_READER_H

#include "btf/btf_view.h"
#include "encoder/member/facts_block.h"
#include "encoder/member/gcc_member.h"
#include "encoder/member/known_strings.h"
#include "encoder/member/unit_from_btf.h"
#include "encoder/unit/unit_btf.h"
#include "encoder/unit/unit_encoder.h"

struct member_reader {
	struct unit_encoder *encoder;
	/* of the member at hand */
	const struct member *member;
	struct btf_view view;
	struct facts_start start; /* of its block */
	struct unit_facts facts;  /* without a block, only of its functions */
	bool have_facts;
	enum producer producer;
	struct gcc_member gcc; /* of a member of gcc */
	struct bytes strings;
	struct bytes more_strings; /* of the facts; their offsets follow those of @strings */
	size_t strings_end;        /* one past the highest of these offsets */
	uint32_t source;           /* offset of the name of the unit, or 0 */
	/*
	 * String ids by offset, with @mark in the upper bits. An element with another mark is of an
	 * earlier member. Strings of the facts are looked up when they are used: most are names of
	 * functions that the object does not have.
	 */
	uint32_t *ids;
	size_t ids_cap, ids_used; /* those behind @ids_used are 0 */
	uint32_t mark;
	struct known_strings known;
	/* by id in the member: its number in the unit, 0 if it is no type of it */
	uint32_t *tid;
	size_t tid_cap;
	uint32_t end; /* of these ids */
	/* by number: the record, as the member has it; [0] and that of the index type are NULL */
	struct {
		uint32_t **items;
		size_t nr, cap;
	} recs;
	/* ids of the records that are no types: functions, variables, their tags, sections */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} others;
	unit_tid index_tid;
	bool lost;   /* a record refers to one that is no type */
	bool astray; /* a record refers to an id or string that does not exist */
};

/*
 * Forget the last member, and read @member and its facts. References of a member with facts are
 * checked later, when its records are read.
 */
MUST_CHECK struct err *member_open(struct member_reader *r, const struct member *member,
				   struct diagnostics *diags);
void member_forget(struct member_reader *r);
/* Number the records of the unit. ERR_FORMAT if functions, variables or tags are malformed. */
MUST_CHECK struct err *member_number(struct member_reader *r);
/* Append record @from, or a prototype of the facts, to @w: string ids for offsets, numbers for type ids. */
void member_convert(struct member_reader *r, const uint32_t *from, struct record_words *w);
/* ERR_FORMAT if a record has referred to one that is no type or does not exist. */
MUST_CHECK struct err *member_check_lost(const struct member_reader *r);

static inline uint32_t *member_rec(const struct member_reader *r, uint32_t id)
{
	const struct btf_types *t = &r->view.types; /* without a base */

	assert(id && id <= t->start.nr);
	return t->words.items + t->start.items[id - 1];
}

static inline uint32_t member_kind(const struct member_reader *r, uint32_t id)
{
	return btf_info_kind(member_rec(r, id)[BTF_REC_INFO]);
}

static inline const char *member_text(const struct member_reader *r, uint32_t off)
{
	const uint8_t *text = off < r->strings.len ? r->strings.ptr + off :
						     r->more_strings.ptr + (off - r->strings.len);

	return (const char *)text;
}

/* The same for a string of the facts, and for an offset in the middle of a string. */
uint32_t member_rest_of_string(struct member_reader *r, uint32_t off);

/* The pool's id of the string at @off, if that is known; else STR_POOL_MAX or more. */
ALWAYS_INLINE uint32_t member_known_string(const struct member_reader *r, uint32_t off)
{
	return likely(off < r->strings_end) ? r->ids[off] ^ r->mark : UINT32_MAX;
}

/* The pool's id of the string at @off. */
ALWAYS_INLINE uint32_t member_string(struct member_reader *r, uint32_t off)
{
	uint32_t id = member_known_string(r, off);

	return likely(id < STR_POOL_MAX) ? id : member_rest_of_string(r, off);
}

/* The same without --kabi_prefix, which does not apply to symbols and sections. */
uint32_t member_symbol(struct member_reader *r, uint32_t off);

/* The number in the unit of a record's reference @id. */
ALWAYS_INLINE uint32_t member_number_of(struct member_reader *r, uint32_t id)
{
	uint32_t t = likely(id < r->end) ? r->tid[id] : 0;

	if (unlikely(id >= r->end))
		r->astray = true;
	else if (unlikely(!t && id))
		r->lost = true;
	return t;
}

/* member_types.c: add all types of the unit to the pool. */
void member_add_types(struct member_reader *r);
/* Their records as they are. */
void member_raw_types(struct member_reader *r, struct raw_unit *ret);
/*
 * member_funcs.c: index in the symbol table's functions of the name at @off, plus 1; 0 for
 * none.
 */
uint32_t member_known_func(struct member_reader *r, uint32_t off);

/* A tag of a function or a variable; its value is an offset of a string. */
struct member_tag {
	uint32_t of, id;
	struct unit_tag tag;
};

/* Sorted by owner after member_tags_sort(). Owns its array. Zeroed is empty. */
struct member_tags {
	struct member_tag *items;
	size_t nr, cap;
	size_t at; /* of member_tags_next() */
};

/* Add record @id if it is a tag of a record of that kind. */
void member_tags_take(const struct member_reader *r, uint32_t id, uint32_t kind,
		      struct member_tags *to);
void member_tags_sort(struct member_tags *tags);
/* The next tag of record @of, or NULL. Calls have ascending @of. */
const struct member_tag *member_tags_next(struct member_tags *tags, uint32_t of);
/* Read the facts of its block, or list its functions as facts. Its types have numbers. */
void member_read_facts(struct member_reader *r);
/* member_vars.c: add its variables. Unless the member is linked, they have no address (unit_btf.unlocated). */
MUST_CHECK struct err *member_add_vars(struct member_reader *r);

#endif
