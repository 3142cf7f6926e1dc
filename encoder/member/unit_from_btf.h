/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_from_btf.h - a member of an archive becomes a unit contribution
 *
 * The other way into the assembly, beside unit_from_cu.h: what a run of ours has made of one
 * object, or pahole, or a compiler, is taken apart again into what the unit said. With the
 * note of member_note.h that is all it said, so that the program's BTF is the one that
 * its DWARF gives; without, it is what BTF has kept.
 */
#ifndef BTFENC_ENCODER_MEMBER_UNIT_FROM_BTF_H
#define BTFENC_ENCODER_MEMBER_UNIT_FROM_BTF_H

#include "base/bytes.h"
#include "encoder/unit/run.h"
#include "encoder/unit/unit_btf.h"

/* One member of an archive, or the BTF of an object. Borrows. */
struct member {
	struct bytes bytes;
	bool mapped;       /* from a file: their pages can be given back, and come again */
	const char *where; /* for messages: "'vmlinux': .BTF+0x1234 (member 7)" */
	bool maybe_gcc;    /* worth a look before all are read (gcc_tags.h) */
	size_t before;     /* if @mapped: at least so many bytes before them are so, too */
};

/* What one worker needs for it, kept from one member to the next. */
struct member_reader;

struct member_reader *member_reader_new(const struct run *run);
void member_reader_free(struct member_reader *r);

/*
 * Put what @member says into the pools and list it in *ret, as unit number @unit. Its variables
 * are not placed yet (unit_btf.homes). A damaged note is passed over with a warning. ERR_FORMAT
 * with @member->where if the BTF is broken. On error *ret is released.
 */
MUST_CHECK struct err *unit_from_btf(struct member_reader *r, const struct member *member,
				     uint32_t unit, struct unit_btf *ret);

/* The records of @member as they are, with the same numbers as in its contribution. */
MUST_CHECK struct err *raw_unit_from_btf(struct member_reader *r, const struct member *member,
					 struct raw_unit *ret);

#endif
