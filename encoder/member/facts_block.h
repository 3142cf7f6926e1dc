/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * facts_block.h - what the BTF of a whole program depends on and the BTF of one object does not have
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
 *			 8  u32  length of the .BTF that the block belongs to; 0: the block stands alone
 *			12  u64  checksum of that .BTF: facts_sum()
 *			20  u32  how many blocks, one behind the other, belong to that .BTF
 *			24  u32  number of slots
 *			28  u32  length of the BTF in this block
 *			32  u32  length of the strings in this block
 *			36  u32  CRC-32 of the header before this field and of all behind the slots
 *	slots		addresses of functions, variables, and sites of inlined functions. The object has
 *			the relocations of its debug information for them, so a linker fills in what it
 *			tells a debugger.
 *	BTF		the types of the unit, or nothing if they are those of .BTF. It is there if .BTF has
 *			the types of several units, or if their names do not tell them apart.
 *	strings		that the BTF lacks, each with a terminating zero
 *	body		numbers as unsigned LEB128: those of struct facts_start and struct unit_facts
 *
 * No alignment is required, since linkers concatenate the sections of their inputs. A reader skips
 * zeros between blocks.
 */
#ifndef BTFENC_ENCODER_MEMBER_FACTS_BLOCK_H
#define BTFENC_ENCODER_MEMBER_FACTS_BLOCK_H

#include "base/bytes.h"
#include "base/err.h"
#include "encoder/unit/unit_facts.h"

#define FACTS_SECTION ".debug.btf"

enum { FACTS_VERSION = 3, FACTS_HEADER_LEN = 40 };

/* The .BTF that a block belongs to. */
struct facts_key {
	uint32_t len; /* 0: it stands alone, because it has the BTF of its unit */
	uint32_t nr_blocks;
	uint64_t sum;
};

/* A block. Borrows. */
struct facts_block {
	struct bytes all;
	struct facts_key key;
	bool swap;
	uint8_t addr_size;
	uint32_t nr_slots, crc;
	struct bytes btf, strings, body;
};

/* Does it have the BTF of its unit, and belong to no .BTF? */
static inline bool facts_block_is_alone(const struct facts_block *b)
{
	return b->all.ptr && !b->key.len;
}

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
/* Check the CRC of @b. ERR_FORMAT. */
MUST_CHECK struct err *facts_block_check_sum(const struct facts_block *b);

/*
 * The fields that number the types of the unit, before its strings and types have ids. A string of a block is an
 * offset: in the strings of the BTF, and behind them in those of the block.
 */
struct facts_start {
	uint32_t name, lang; /* as in struct facts_head, but @name is an offset */
	uint32_t func_start; /* the records from this id on are about functions */
	uint32_t index;      /* id of the index type that was made up, 0 for none */
};

/*
 * Check the CRC of @b and its whole body. @len is the length of the strings of its BTF, @end_type is one past
 * the last id there. ERR_FORMAT if it is damaged.
 */
MUST_CHECK struct err *facts_block_check(const struct facts_block *b, size_t len, uint32_t end_type,
					 struct facts_start *ret);

/* Between the strings and types of a unit and those of a block, in one direction. Neither is asked for 0. */
struct facts_ids {
	void *ctx;
	uint32_t (*string)(void *ctx, uint32_t string);
	uint32_t (*type)(void *ctx, uint32_t type);
	/* When a block is read: are the facts of the function with the name at this offset wanted? */
	bool (*wanted)(void *ctx, uint32_t name, bool second_form);
	bool sites; /* and are the sites of inlined functions? */
};

/* facts_reader.c: the part of facts_block_check() for the body. */
MUST_CHECK struct err *facts_body_check(const struct facts_block *b, size_t len, uint32_t end_type,
					struct facts_start *ret);

/*
 * Read the body of @b, which has been checked, into @ret, which keeps its memory. A type that is 0 in the unit, although it is not
 * in the block, is none of the unit. Slots in debug information are CU_NO_SLOT.
 */
void facts_block_read(const struct facts_block *b, const struct facts_ids *ids,
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
/* Append the body of @f. @start has func_start and index of its BTF. */
void facts_body_append(const struct unit_facts *f, const struct facts_start *start,
		       const struct facts_ids *ids, struct byte_vec *out);

#endif
