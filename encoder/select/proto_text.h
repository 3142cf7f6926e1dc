/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_text.h - a prototype as people write it */
#ifndef BTFENC_ENCODER_SELECT_PROTO_TEXT_H
#define BTFENC_ENCODER_SELECT_PROTO_TEXT_H

#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"

/*
 * The FUNC_PROTO with pool id @proto: "int (const struct foo *f, int[4] *p, ...)", where types
 * without a name are "struct {...}" and the like. free() it.
 */
char *proto_text(const struct type_pool *types, const struct str_pool *strings, uint32_t proto);

#endif
