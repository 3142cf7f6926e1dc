/* SPDX-License-Identifier: GPL-2.0-only */
/* place_members.h - what encoder/encode.c calls, until it includes encoder/emit/guess_places.h */
#ifndef BTFENC_ENCODER_PLACE_PLACE_MEMBERS_H
#define BTFENC_ENCODER_PLACE_PLACE_MEMBERS_H

#include "encoder/emit/guess_places.h"

/* Functions have the addresses of their members or of the symbols of their names. */
static inline void assembly_place_funcs(struct assembly *a UNUSED)
{
}

#endif
