/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_note.h - information about an object's unit that BTF cannot express
 *
 * btfenc decides for the whole program whether it encodes a function: all units must agree on its
 * prototype, also those that only inline it and whose objects have no symbol for it. The BTF of an object
 * lists only the functions that can be selected with the information in that object. So the BTF of an
 * object that may become a member of an archive has the rest in a note:
 *
 *   - every function in the debug information of the unit, with its prototype, its symbol, and the
 *     changes by the compiler (enum unit_func_flags);
 *   - the first record that belongs to functions, and the index type that was added because the unit
 *     has no "int";
 *   - the unit's own records, if deduplication within the object chose between two types of one name: that
 *     choice depends on the whole program;
 *   - sizes of static variables that differ from those of their types. clang stores an int that has only
 *     two values in a byte, and an array without a length has the size of its initializer. In the linked
 *     file, the variable is found by a symbol of that size;
 *   - static variables that clang has split, such as arrays and structs that are never used as a whole. The
 *     first part (NAME.0, for example) stands for the variable. Also variables whose symbols have other
 *     names, by C++ or asm("..."). Such a variable has no VAR if it is at the start of its section,
 *     because pahole 1.31 takes a variable without a symbol of its name for a discarded one. In the linked
 *     file it may be elsewhere in the section, and is then encoded;
 *   - whether the whole unit is C: units of other languages are not checked (result_check.h);
 *   - the name and the language of the unit, for -X, --lang and --lang_exclude;
 *   - the features and the --kabi_prefix with which the object was encoded, because the records do not show
 *     how they would be with others.
 *
 * The note is at the end of the string section. No record refers to it, so bpftool, libbpf and the kernel
 * ignore it. Everything before it is as it would be without a note.
 *
 *	strings		own strings of the note, each with a terminating zero
 *	body		numbers as unsigned LEB128, in the order of struct member_note
 *	trailer		length of the note, length of its strings, CRC-32 of strings and
 *			body (each 32 bits, little-endian), "btfnote", the version in one byte,
 *			and a zero, because a string section ends with a zero
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
