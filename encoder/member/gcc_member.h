/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gcc_member.h - BTF that gcc wrote (-gbtf) becomes what pahole says of the same source
 *
 * GCC makes BTF from its own idea of types, before it knows what the program uses, and
 * gcc 12 gets a good part of it wrong (docs/spec/dedup.md 8). Whoever combines members puts
 * those of gcc through gcc_member_normalise() first; what comes out follows the rules that
 * the rest of the program, libbpf and the kernel rely on.
 *
 * Two things cannot be had from the member:
 *
 *   - Where a variable is. gcc lists the variables of a section in a DATASEC, without their
 *     offsets and with those that the unit only declares. There are no DATASECs in a normalised
 *     member, and it has a VAR for each variable that the unit may define or, with gcc 12, only
 *     declares. The symbol table of the linked file has the places, by name and linkage; a size
 *     comes from the type.
 *   - Which function the unit defines, with gcc 12. There is a FUNC for each one that may be
 *     described; those that are declarations are told by the symbol table, too.
 */
#ifndef BTFENC_ENCODER_MEMBER_GCC_MEMBER_H
#define BTFENC_ENCODER_MEMBER_GCC_MEMBER_H

#include "base/err.h"
#include "btf/btf_view.h"
#include "encoder/member/gcc_tags.h"
#include "encoder/report/omission.h"
#include "encoder/unit/encode_opts.h"

/* What was done to a member. */
struct gcc_member_counts {
	uint32_t arrays;    /* of arrays: became one of all dimensions */
	uint32_t ints;      /* lost the bit that says it is a character */
	uint32_t enums;     /* got the sign or the size that its values need */
	uint32_t enum_fwds; /* declarations of enums that looked like those of structs */
	uint32_t fwds;      /* lost the garbage in their type word */
	uint32_t floats;    /* BTF has none of that size, or they are off */
	uint32_t members;   /* of structs, with no type: left out */
	uint32_t protos;    /* left out, with a parameter that has no type: mostly vectors */
	uint32_t funcs;     /* left out: no name, or certainly only declared */
	uint32_t vars;      /* left out: only declared, of no size, or not in memory */
	uint32_t sections;  /* DATASECs: left out */
	uint32_t tags;      /* left out with what they were about */
};

/*
 * What the source has and the BTF of gcc cannot tell of. Names are offsets of strings, 0 for none.
 */
struct gcc_member_loss {
	enum omission_rule rule;
	uint32_t name;
	uint32_t part;       /* the member */
	const char *keyword; /* of its owner; a literal */
};

/* Owns its array. Zeroed is empty. Of functions, those that are only declared are among them. */
struct gcc_member_losses {
	struct gcc_member_loss *items;
	size_t nr, cap;
};

/* By id of a VAR that stays: the name of the section that lists it, 0 for none. Owns the array. */
struct gcc_member_sections {
	uint32_t *names;
};

/*
 * Rewrite the records of @v, a member of gcc without a base. Ids change, for records are left
 * out, and all references with them; what refers to a record that is left out refers to void.
 * @features (enum btf_feature) says what the kinds FLOAT and ENUM64 are good for. @tags has
 * been given all members; NULL if declarations of enums may stay those of structs.
 *
 * ERR_FORMAT for an array without end; @v is untouched then. *ret is added to, and *losses, unless
 * that is NULL. Sets *sections unless that is NULL.
 */
MUST_CHECK struct err *gcc_member_normalise(struct btf_view *v, uint32_t features,
					    const struct gcc_tags *tags,
					    struct gcc_member_counts *ret,
					    struct gcc_member_losses *losses,
					    struct gcc_member_sections *sections);

/*
 * The source file that @v, a member of gcc, was made from, or NULL. No record says so, but with
 * gcc 12 it is the last of the strings of types; gcc 16 leaves it out. Borrows.
 */
const char *gcc_member_source(const struct btf_view *v);

#endif
