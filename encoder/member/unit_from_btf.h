/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_from_btf.h - the contribution of a member of an archive
 *
 * The counterpart of unit_from_cu.h: takes the BTF of one object, by btfenc, pahole or a compiler,
 * apart into the types, functions and variables of its unit. With the facts of facts_block.h the
 * contribution is the one that DWARF gives; without, it has what BTF has kept.
 */
#ifndef BTFENC_ENCODER_MEMBER_UNIT_FROM_BTF_H
#define BTFENC_ENCODER_MEMBER_UNIT_FROM_BTF_H

#include "base/bytes.h"
#include "encoder/member/facts_block.h"
#include "encoder/unit/run.h"
#include "encoder/unit/unit_btf.h"

/* One member of an archive, or the BTF of an object. Borrows. */
struct member {
	struct bytes bytes;
	bool mapped;       /* the bytes are mapped from a file, so their pages can be given back */
	const char *where; /* for messages: "'vmlinux': .BTF+0x1234 (member 7)" */
	bool maybe_gcc;    /* its producer may be gcc (gcc_tags.h) */
	size_t before;     /* if @mapped: this many bytes before it are mapped, too */
	/* The facts of its unit; @block.all.ptr is NULL if there are none. */
	struct facts_block block;
	size_t block_at;    /* offset of the block in .debug.btf of the linked file, if @linked */
	bool linked;        /* the slots have the addresses in the linked file */
	bool sum_unchecked; /* @block belongs to BTF of this length; facts_sum() must agree, too */
};

/* The memory of one worker, kept from one member to the next. */
struct member_reader;

struct member_reader *member_reader_new(const struct run *run);
void member_reader_free(struct member_reader *r);

/*
 * Add @member to the pools, and list its types, functions and variables in *ret, the contribution of
 * unit number @unit. Unless @member is linked, its variables have no addresses yet (unit_btf.unlocated). A
 * damaged block is ignored with a warning. ERR_FORMAT if the BTF is malformed. On error *ret is unchanged.
 */
MUST_CHECK struct err *unit_from_btf(struct member_reader *r, const struct member *member,
				     uint32_t unit, struct unit_btf *ret);

/* The raw records of @member, with the numbers of its contribution. */
MUST_CHECK struct err *raw_unit_from_btf(struct member_reader *r, const struct member *member,
					 struct raw_unit *ret);

#endif
