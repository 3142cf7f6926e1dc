/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_reader.h - the inside of unit_from_btf.h, for encoder/member/member_*.c only
 *
 * A member is read in three steps. Its strings are looked up, and the records that are the
 * unit's types and their tags get numbers, from 1 on (member_reader.c). Then these go into the
 * pool as those of unit_types.c do (member_types.c). Then functions and variables are held back
 * (member_funcs.c, member_vars.c).
 *
 * The strings of types stand in the string section in the order in which the unit came to
 * them, so their offsets are their steps (str_pool.h); those of functions and variables
 * come behind.
 */
#ifndef BTFENC_ENCODER_MEMBER_MEMBER_READER_H
#define BTFENC_ENCODER_MEMBER_MEMBER_READER_H

#include "btf/btf_view.h"
#include "encoder/member/gcc_member.h"
#include "encoder/member/known_strings.h"
#include "encoder/member/member_note.h"
#include "encoder/member/unit_from_btf.h"
#include "encoder/unit/producer.h"
#include "encoder/unit/unit_encoder.h"

struct member_reader {
	struct unit_encoder *encoder;
	/* of the member at hand */
	const struct member *member;
	struct btf_view view;
	struct member_note note;
	bool have_note;
	enum producer producer;
	struct gcc_member_losses losses;
	struct gcc_member_sections sections; /* of members of gcc */
	struct bytes strings;
	size_t note_start;  /* all behind that, if there is anything, is the note */
	size_t strings_end; /* what is behind is no text */
	uint32_t source;    /* offset of what the unit calls itself, or 0 */
	/*
	 * String ids by offset, with @mark in the bits above; other marks are left from members
	 * before. All that was not asked for yet has another one.
	 */
	uint32_t *ids;
	size_t ids_cap, ids_used; /* those behind @ids_used are 0 */
	uint32_t mark;
	struct known_strings known;
	/*
	 * By id in the member: its number in the unit, 0 if it is none of its types. The unit's own
	 * records in a note go by these numbers themselves.
	 */
	uint32_t *tid;
	size_t tid_cap;
	uint32_t end;       /* of these ids */
	uint32_t index_end; /* and of what an array may have for its index type */
	/* by such an id: what other records say to refer to it; 0 for what is not in the pool yet */
	pool_ref *refs;
	size_t refs_cap;
	/* by number: the record, as the member has it; [0] and the index place are NULL */
	struct {
		uint32_t **items;
		size_t nr, cap;
	} recs;
	/* ids of the records that are none of its types: functions, variables, their tags, sections */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} others;
	/* by number: where it is in the pool; NULL for what is not there yet */
	struct pool_type **entries;
	size_t entries_cap;
	unsigned int depth; /* of a comparison that goes from record to record */
	unit_tid index_place;
	bool lost;                     /* something refers to a record that is no type */
	bool astray;                   /* ... or to what is not there */
	struct pool_type before_funcs; /* see type_pool_next() */
};

/*
 * Forget the member before, and read @member and its note. Where the records of a member with a
 * note refer to is checked as they are read, for that is done once for each reference anyway.
 */
MUST_CHECK struct err *member_open(struct member_reader *r, const struct member *member,
				   struct diagnostics *diags);
void member_forget(struct member_reader *r);
/* Number the records of the unit. ERR_FORMAT if others than types do not make sense. */
MUST_CHECK struct err *member_number(struct member_reader *r);
/* Rewrite them in place: strings become ids of the pool, types numbers. */
void member_rewrite(struct member_reader *r);
/* The same for one record of theirs, or for a prototype in the note. */
void member_rewrite_record(struct member_reader *r, uint32_t *rec);
/* ERR_FORMAT if something has referred to a record that is no type, or that is not there. */
MUST_CHECK struct err *member_check_lost(const struct member_reader *r);

/* Does the note have the records of the unit? */
static inline bool member_has_own(const struct member_reader *r)
{
	return r->have_note && r->note.own.nr;
}

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
	return (const char *)r->strings.ptr + off;
}

/* A reference may point into the middle of a string, whose rest is one of its own. */
uint32_t member_rest_of_string(struct member_reader *r, uint32_t off);

/* The pool's id of the string at @off, if that is known; else STR_POOL_MAX or more. */
ALWAYS_INLINE uint32_t member_known_string(const struct member_reader *r, uint32_t off)
{
	return likely(off < r->strings.len) ? r->ids[off] ^ r->mark : UINT32_MAX;
}

/* The pool's id of the string at @off. */
ALWAYS_INLINE uint32_t member_string(struct member_reader *r, uint32_t off)
{
	uint32_t id = member_known_string(r, off);

	return likely(id < STR_POOL_MAX) ? id : member_rest_of_string(r, off);
}

/* The same without --kabi_prefix, which renames no symbols and sections. */
uint32_t member_symbol(struct member_reader *r, uint32_t off);

/* The number of the unit that a record means by @id. */
ALWAYS_INLINE uint32_t member_number_of(struct member_reader *r, uint32_t id)
{
	uint32_t t = likely(id < r->end) ? r->tid[id] : 0;

	if (unlikely(id >= r->end))
		r->astray = true;
	else if (unlikely(!t && id))
		r->lost = true;
	return t;
}

/* member_types.c: all types of the unit go into the pool. */
void member_add_types(struct member_reader *r);
/* member_losses.c: tell of what gcc's BTF does not have. */
void member_report_losses(struct member_reader *r);
/*
 * member_funcs.c: index in the symbol table's functions of the name at @off, plus 1; 0 for
 * none.
 */
uint32_t member_known_func(struct member_reader *r, uint32_t off);
/* A tag of a function or a variable; its value is an offset of the strings. */
struct member_tag {
	uint32_t of, id;
	struct unit_tag tag;
};

/* In the order of their owners once they are sorted. Owns its array. Zeroed is empty. */
struct member_tags {
	struct member_tag *items;
	size_t nr, cap;
	size_t at; /* of member_tags_next() */
};

/* member_tags.c: add record @id, if it is a tag of one of that kind. */
void member_tags_take(const struct member_reader *r, uint32_t id, uint32_t kind,
		      struct member_tags *to);
void member_tags_sort(struct member_tags *tags);
/* The next tag of record @of, which is not before the one that was last asked for; or NULL. */
const struct member_tag *member_tags_next(struct member_tags *tags, uint32_t of);
/* member_funcs.c: without a note, list what functions there are as if it had one. */
void member_list_funcs(struct member_reader *r, const struct omission_log *log);
/* The functions of the linked file that the unit speaks of. */
MUST_CHECK struct err *member_add_funcs(struct member_reader *r);
/* Append the prototypes of those to @e as they are, by ordinal. */
void member_add_exact_protos(struct member_reader *r, struct raw_unit *e);
/* member_vars.c: its variables, in the sections that they are from. */
MUST_CHECK struct err *member_add_vars(struct member_reader *r);

#endif
