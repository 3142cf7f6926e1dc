/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_match.h - do two units mean the same prototype? */
#ifndef BTFENC_ENCODER_PROTO_MATCH_H
#define BTFENC_ENCODER_PROTO_MATCH_H

#include "dedup/type_pool.h"

/*
 * Compare the FUNC_PROTOs @a and @b of the pool as pahole compares prototypes: types with
 * names by these, others by what they are made of, and const does not count (spec
 * pahole-encoder 8.7).
 */
bool proto_match(const struct type_pool *types, uint32_t a, uint32_t b);

#endif
