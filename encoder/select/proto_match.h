/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_match.h - compare the prototypes that two units have for a function */
#ifndef BTFENC_ENCODER_SELECT_PROTO_MATCH_H
#define BTFENC_ENCODER_SELECT_PROTO_MATCH_H

#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"
#include "encoder/select/enum_kinds.h"

/* The pool id of a FUNC_PROTO, and the unit that has it. */
struct unit_proto {
	uint32_t proto, unit;
};

struct proto_diff {
	enum proto_part part;
	uint32_t param; /* PROTO_PARAM: its index */
};

/*
 * Compare two prototypes as pahole does: a type with a name by its name, other types by their
 * contents, and without regard to const (docs/spec/encoding.md 8.7).
 */
struct proto_diff proto_compare(const struct type_pool *types, const struct enum_kinds *enums,
				struct unit_proto a, struct unit_proto b);

/*
 * The FUNC_PROTO with pool id @proto as C: "int (const struct foo *f, int[4] *p, ...)". Types
 * without a name are "struct {...}" and the like. The caller frees it.
 */
char *proto_text(const struct type_pool *types, const struct str_pool *strings, uint32_t proto);

#endif
