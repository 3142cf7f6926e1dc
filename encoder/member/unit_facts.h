/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_facts.h - what the BTF of a whole program depends on and the BTF of one object does not have
 *
 * btfenc decides for the whole program whether it describes a function: all units must agree on its
 * prototype, also those that only inline it and whose objects have no symbol for it. A variable is
 * described by its section and address after the link. So an object that may be linked further has, beside
 * .BTF, a section .debug.btf with the facts of its units. docs/archive-metadata.md has the format, how
 * linkers treat the section, and which option needs which fact.
 *
 * The section consists of blocks, one for each unit. A block consists of
 *
 *	header		FACTS_HEADER_LEN bytes, numbers in the byte order of the file:
 *			 0  u16  magic 0xdb7f
 *			 2  u8   version, FACTS_VERSION
 *			 3  u8   bytes of a slot: the size of an address, 4 or 8
 *			 4  u32  length of the block
 *			 8  u32  length of the .BTF that the block belongs to
 *			12  u64  checksum of that .BTF: facts_sum()
 *			20  u32  how many blocks, one behind the other, belong to that .BTF
 *			24  u32  number of slots
 *			28  u32  length of the BTF in this block
 *			32  u32  length of the strings in this block
 *			36  u32  CRC-32 of the header before this field and of all behind the slots
 *	slots		addresses of functions and variables. The object has the relocations of its
 *			debug information for them, so a linker fills in what it tells a debugger.
 *	BTF		the types of the unit, or nothing if they are those of .BTF. It is there if .BTF has
 *			the types of several units, or if their names do not tell them apart.
 *	strings		that the BTF lacks, each with a terminating zero
 *	body		numbers as unsigned LEB128, in the order of struct unit_facts
 *
 * No alignment is required, since linkers concatenate the sections of their inputs. A reader skips
 * zeros between blocks.
 */
#ifndef BTFENC_ENCODER_MEMBER_UNIT_FACTS_H
#define BTFENC_ENCODER_MEMBER_UNIT_FACTS_H

#include "base/bytes.h"
#include "base/err.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/unit_btf.h"

#define FACTS_SECTION ".debug.btf"

enum { FACTS_VERSION = 2, FACTS_HEADER_LEN = 40 };

/* The features (enum btf_feature) that change records; all others are asked of the whole program. */
enum {
	FACTS_FEATURES = FEATURE_FLOAT | FEATURE_DECL_TAG | FEATURE_TYPE_TAG | FEATURE_ENUM64 |
			 FEATURE_TRUE_SIGNATURE | FEATURE_RUST_VARIANTS,
};

/* A function in the debug information of the unit. */
struct func_facts {
	uint32_t name;
	uint32_t flags; /* enum unit_func_flags */
	/*
	 * This is the function before it, as it is if true_signature is not as in @features of the unit.
	 * Only functions whose signature the compiler changed have such a second form.
	 */
	bool second_form;
	uint32_t slot;  /* number of the slot of its address, from 1 on; 0: it has no address */
	uint32_t proto; /* where its FUNC_PROTO starts in unit_facts.words */
	uint32_t tags, nr_tags;
};

/* A variable at the top level of the unit that has an address. */
struct var_facts {
	uint32_t name, type;
	/*
	 * Bytes of its type as DWARF has them, or of its symbol if that is an array without a length; 0 if it
	 * has no size. The type in BTF may have another size.
	 */
	uint32_t size;
	bool external;
	uint32_t added; /* its address is the slot's plus this */
	uint32_t slot;  /* as of a function; never 0 */
	uint32_t tags, nr_tags;
};

/* An address, as the debug information has it. */
struct addr_slot {
	uint64_t value;
	cu_addr_place place;
};

/*
 * Strings are ids of the pool while the facts are collected. In a block they are offsets: in the strings of the
 * BTF, and behind them in those of the block. Types are unit_tids while they are collected, and ids in
 * a block.
 */
struct unit_facts {
	uint32_t name;     /* of the unit */
	uint32_t lang;     /* its DW_LANG_*, plus 1; 0: of several units, read as one */
	uint32_t kabi;     /* the --kabi_prefix that was applied, 0 for none */
	uint32_t features; /* of FACTS_FEATURES, those that were on */
	uint32_t level;    /* struct compat.stored */
	bool incomplete;   /* as in struct unit_btf */
	bool recompiled;   /* the object has code that the linker compiles again (gcc -flto) */
	uint8_t addr_size; /* while they are collected: bytes of an address in the debug information */
	uint32_t func_start; /* the records from this id on are about functions */
	uint32_t index;      /* id of the index type that was made up, 0 for none */
	struct {
		struct func_facts *items;
		size_t nr, cap;
	} funcs;
	struct {
		struct var_facts *items;
		size_t nr, cap;
	} vars;
	struct unit_tags tags;
	/* prototypes; the first word is unused */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} words;
	/* while they are collected */
	struct {
		struct addr_slot *items;
		size_t nr, cap;
	} slots;
};

void unit_facts_release(struct unit_facts *f);

/* The .BTF that a block belongs to. */
struct facts_key {
	uint32_t len;
	uint32_t nr_blocks;
	uint64_t sum;
};

/* A block. Borrows. */
struct facts_block {
	struct bytes all;
	struct facts_key key;
	bool swap;
	uint8_t addr_size;
	uint32_t nr_slots;
	struct bytes btf, strings, body;
};

/*
 * The checksum of @btf: the sum of its 32-bit words, little-endian, and in the upper 32 bits the sum of these sums,
 * modulo 2^32. Zeros fill the last word.
 */
uint64_t facts_sum(struct bytes btf);

/*
 * Open the block at @at of @section, behind zeros, and advance @at beyond it. At the end of the section ret->all.ptr
 * is NULL. Its lengths are checked, its contents are not. ERR_FORMAT, ERR_UNSUPPORTED for another version;
 * the messages have the offset.
 */
MUST_CHECK struct err *facts_block_open(struct bytes section, size_t *at, bool swap,
					struct facts_block *ret);
/*
 * Check the CRC of @b and read its body. @len is the length of the strings of its BTF, @end_type is one past
 * the last id there. ERR_FORMAT if it is damaged.
 */
MUST_CHECK struct err *facts_block_read(const struct facts_block *b, size_t len, uint32_t end_type,
					struct unit_facts *ret);
/* The address in slot @slot, counted from 1 on; 0 for slot 0. */
uint64_t facts_block_addr(const struct facts_block *b, uint32_t slot);

struct byte_vec {
	uint8_t *items;
	size_t nr, cap;
};

/* The parts of a block to be written. The fields of struct facts_block that follow from these are ignored. */
struct facts_parts {
	struct facts_key key;
	bool swap;
	uint8_t addr_size;
	uint32_t nr_slots;
	struct bytes slots, btf, strings, body;
};

/* Append a block of @p to @out; without @p->slots they are zeros. ERR_LIMIT over 4 GiB. */
MUST_CHECK struct err *facts_block_append(const struct facts_parts *p, struct byte_vec *out);
/* Append the body of @f. */
void facts_body_append(const struct unit_facts *f, struct byte_vec *out);

#endif
