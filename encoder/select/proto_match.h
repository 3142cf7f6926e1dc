/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_match.h - do two units mean the same prototype? */
#ifndef BTFENC_ENCODER_SELECT_PROTO_MATCH_H
#define BTFENC_ENCODER_SELECT_PROTO_MATCH_H

#include "dedup/pool/type_pool.h"
#include "encoder/select/enum_kinds.h"

/* The pool id of a FUNC_PROTO, and the unit that means it. */
struct unit_proto {
	uint32_t proto, unit;
};

/* What two prototypes differ in, the first in this order. */
struct proto_diff {
	enum proto_part { PROTO_SAME, PROTO_NR_PARAMS, PROTO_RETURN, PROTO_PARAM } part;
	uint32_t param; /* PROTO_PARAM: which, from 0 */
};

/*
 * Compare the prototypes @a and @b as pahole compares prototypes: types with
 * names by these, others by what they are made of, and const does not count
 * (docs/spec/encoding.md 8.7).
 */
struct proto_diff proto_compare(const struct type_pool *types, const struct enum_kinds *enums,
				struct unit_proto a, struct unit_proto b);

#endif
