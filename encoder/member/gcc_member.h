/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gcc_member.h - rewrite BTF that gcc wrote (-gbtf) as pahole writes it for the same source
 *
 * GCC makes BTF from its own representation of types, before it knows what the program uses, and
 * gcc 12 makes mistakes (docs/spec/dedup.md 8). gcc_member_normalise() applies the rules that the
 * other members, libbpf and the kernel rely on.
 *
 * Two facts are not in the member:
 *
 *   - The offsets of variables. A DATASEC of gcc lists variables without offsets, and also those
 *     that the unit only declares. A normalised member has no DATASECs, and a VAR for each variable
 *     that the unit may define, or, with gcc 12, may only declare. The symbol table of the linked
 *     file has their addresses, by name and linkage; the type has the size.
 *   - With gcc 12, which functions the unit defines. There is a FUNC for each function that may be
 *     described. The symbol table has those that are defined.
 */
#ifndef BTFENC_ENCODER_MEMBER_GCC_MEMBER_H
#define BTFENC_ENCODER_MEMBER_GCC_MEMBER_H

#include "base/err.h"
#include "btf/btf_view.h"
#include "encoder/member/gcc_tags.h"
#include "encoder/report/omission.h"
#include "encoder/unit/encode_opts.h"

/* How many records were changed or dropped. */
struct gcc_member_counts {
	uint32_t arrays;    /* of arrays: became one of all dimensions */
	uint32_t ints;      /* lost the bit for characters */
	uint32_t enums;     /* got the sign or the size that their values need */
	uint32_t enum_fwds; /* declarations of enums that were those of structs */
	uint32_t fwds;      /* lost the garbage in their type word */
	uint32_t floats;    /* of a size that BTF lacks, or without the feature */
	uint32_t fields;    /* of structs, dropped: no type */
	uint32_t protos;    /* dropped: a parameter without a type, mostly a vector */
	uint32_t funcs;     /* dropped: no name, or certainly only declared */
	uint32_t vars;      /* dropped: only declared, of no size, or not in memory */
	uint32_t sections;  /* DATASECs, dropped */
	uint32_t tags;      /* dropped with their targets */
};

/* Something that the source has and gcc's BTF lacks. Names are offsets of strings, 0 for none. */
struct gcc_member_loss {
	enum omission_rule rule;
	uint32_t name;
	uint32_t part;       /* the field */
	const char *keyword; /* of its owner; a literal */
};

/* The result of normalising. Owns its arrays. Zeroed is empty. */
struct gcc_member {
	struct gcc_member_counts n;
	struct {
		struct gcc_member_loss *items;
		size_t nr, cap;
	} losses; /* functions that are only declared are among them */
};

/*
 * Rewrite the records of @v, a member of gcc without a base. Ids change, because records are
 * dropped; a reference to a dropped record becomes void. @opts decides about FLOAT,
 * ENUM64 and arrays of several dimensions. @tags has the tags of all members; NULL: declarations of enums stay those of
 * structs. ERR_FORMAT for an array that contains itself; @v and *ret are unchanged then.
 */
MUST_CHECK struct err *gcc_member_normalise(struct btf_view *v, const struct encode_opts *opts,
					    const struct gcc_tags *tags, struct gcc_member *ret);
void gcc_member_release(struct gcc_member *m);

/*
 * The name of the source file of @v, a member of gcc, or NULL. gcc 12 writes it as the last of the
 * strings of types, without a record that refers to it; gcc 16 does not write it. Borrows.
 */
const char *gcc_member_source(const struct btf_view *v);

#endif
