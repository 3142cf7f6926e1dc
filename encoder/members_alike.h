/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members_alike.h - are the members of an archive made alike, and as is asked for?
 *
 * Of a float that became an int, or of a tag that was not written, nothing is left that combining
 * could make it of again; and what is there with one feature is not what another list gives. The
 * archive may not give what DWARF gives then, and somebody should say so. Likewise where some members
 * are gcc's own and others are not: two makers seldom agree on what a type looks like.
 */
#ifndef BTFENC_ENCODER_MEMBERS_ALIKE_H
#define BTFENC_ENCODER_MEMBERS_ALIKE_H

#include "base/note.h"
#include "encoder/assembly.h"

/* Warn of what the members of @a, the first of them in @path, have against one another and a->opts. */
void members_alike_check(const struct assembly *a, const char *path, struct notes *notes);

#endif
