/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_note.h - what an object's unit knows and its BTF cannot say
 *
 * Whether a function may be described is decided for the whole program: all units must agree
 * on it, those too that only inline it and in whose object it has no symbol. BTF lists
 * the functions of one object, chosen by what that object knows. So an object's BTF, which is
 * to become a member of an archive, carries the rest in a note:
 *
 *   - every function that the unit describes, its prototype, what the compiler did to it
 *     (enum unit_func_flags), and by which symbol it goes;
 *   - where BTF's list of records begins to be about functions, and which record is the
 *     index type that was made up because the unit has no "int";
 *   - the records as the unit has them, where deduplication within the object has chosen
 *     between two of one name, which is the whole program's to choose;
 *   - sizes of static variables that are not those of their types: of an int that only ever is one of
 *     two values clang keeps a byte, and an array without a length is as long as what is in it.
 *     In the linked file, a symbol of that size is the variable;
 *   - static variables that clang has taken apart, as it does with arrays and structs that are never
 *     used as a whole. The first part, NAME.0 or so, stands for it. And variables whose symbols have
 *     other names: of C++, or by asm("..."). One that begins its section has no VAR: with no
 *     symbol of its name it is for pahole 1.31 one that was discarded. In the linked file it
 *     may not begin the section, and is described;
 *   - whether the unit is C as a whole: what others may say is not checked (result_check.h);
 *   - the name and the language of the unit, by which -X, --lang and --lang_exclude choose;
 *   - the features and the --kabi_prefix that the object was encoded with: a record does not tell
 *     what it would be with others.
 *
 * The note is the end of the string section: no record refers to it, so that bpftool, libbpf
 * and the kernel do not see it. Everything before it is what there would be without it.
 *
 *	its own strings, each with a zero behind
 *	body		numbers as unsigned LEB128, in the order of struct member_note
 *	trailer		length of the whole, length of the own strings, CRC-32 of strings and
 *			body (each 32 bits, little-endian), "btfnote", the version in one byte,
 *			and a zero, for that is how a string section ends
 */
#ifndef BTFENC_ENCODER_MEMBER_MEMBER_NOTE_H
#define BTFENC_ENCODER_MEMBER_MEMBER_NOTE_H

#include "base/bytes.h"
#include "base/err.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/unit_btf.h"

/* The features (enum btf_feature) that a member shows; all others are asked of the whole. */
enum {
	MEMBER_FEATURES_OF_VARS = FEATURE_VAR | FEATURE_GLOBAL_VAR,
	MEMBER_FEATURES = MEMBER_FEATURES_OF_VARS | FEATURE_FLOAT | FEATURE_DECL_TAG |
			  FEATURE_TYPE_TAG | FEATURE_ENUM64 | FEATURE_TRUE_SIGNATURE,
};

/* The symbol of a function in the object whose debug information describes it. */
enum member_func_at {
	MEMBER_FUNC_NOWHERE,   /* it has no address: inlined everywhere, or in several parts */
	MEMBER_FUNC_ELSEWHERE, /* it has an address, but the object has no symbol of its name */
	MEMBER_FUNC_LOCAL,     /* the binding of the symbol of its name */
	MEMBER_FUNC_GLOBAL,
	MEMBER_FUNC_WEAK,
	MEMBER_FUNC_WEAK_PARTS, /* weak, and in several parts, so it has no address */
};

struct member_func {
	uint32_t name;
	uint32_t flags;  /* enum unit_func_flags */
	uint32_t at;     /* enum member_func_at */
	uint32_t symbol; /* the whole name of the symbol if it has a suffix, else 0 */
	uint32_t proto;  /* where its FUNC_PROTO starts in @words */
	uint32_t tags, nr_tags;
};

/* A VAR whose symbol is not as long as its type, or a variable without a symbol of its name. */
struct member_size {
	uint32_t var; /* its number among those of the unit, then among those of the member */
	uint32_t size;
	uint32_t
		symbol; /* of a variable in parts: the first of them; of another name: that; else 0 */
	/* of one that is no VAR: it begins @home, and comes before @var; else 0 */
	uint32_t name, type, home, linkage;
};

/*
 * Strings are ids of the pool while the note is made, and offsets in the string section when
 * it is written and read. Types are unit_tids of the unit while it is made; then ids
 * of the member, or, where it has records of its own, their numbers.
 */
struct member_note {
	uint32_t unit;     /* name of the unit */
	uint32_t lang;     /* its DW_LANG_*, plus 1; 0: of several units, read as one */
	uint32_t features; /* of MEMBER_FEATURES, those by which it was made */
	uint32_t kabi;     /* the --kabi_prefix by which it was made, 0 for none */
	bool incomplete;   /* as in struct unit_btf */
	bool recompiled;   /* the object has code from which the linker compiles anew (gcc -flto) */
	uint32_t func_start; /* the member's records from this id on are about functions */
	uint32_t index;      /* id of the index type that was made up, 0 for none */
	struct {
		struct member_func *items;
		size_t nr, cap;
	} funcs;
	struct unit_tags tags;
	/* prototypes and own records; the first word is unused */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} words;
	/* own records: where each starts in @words, from number 1 on, 0 for the index place; or empty */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} own;
	/* with own records: which of them each VAR of the member has for its type */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} var_types;
	/* by number; no size is 0 */
	struct {
		struct member_size *items;
		size_t nr, cap;
	} sizes;
};

void member_note_release(struct member_note *n);

/* The note ends with that many bytes, of which some are "btfnote". */
enum { MEMBER_NOTE_TAIL = 21 };

struct member_note_bytes {
	uint8_t *items;
	size_t nr, cap;
};

/*
 * Append the note to @out, with @own_strings, which begin at offset @start of the string
 * section as the note's do.
 */
void member_note_pack(const struct member_note *n, struct bytes own_strings,
		      struct member_note_bytes *out);

/*
 * Find the note at the end of the string section @strings. *ret_len is the length of the part before the
 * note, or of all of @strings if there is none. ERR_FORMAT if the note is damaged, ERR_UNSUPPORTED if its
 * version is unknown. In both cases *ret_len is set as above, or to the length of all of @strings if the
 * start of the note cannot be found.
 */
MUST_CHECK struct err *member_note_find(struct bytes strings, size_t *ret_len,
					struct bytes *ret_body);
/*
 * Read the body of a note. References are checked against @end_type (one past the member's last id) and
 * @strings. ERR_FORMAT if it is damaged.
 */
MUST_CHECK struct err *member_note_read(struct bytes body, struct bytes strings, uint32_t end_type,
					struct member_note *ret);

#endif
