/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_members.h - variables and static functions of an archive's members get their places in the
 * linked file
 */
#ifndef BTFENC_ENCODER_PLACE_PLACE_MEMBERS_H
#define BTFENC_ENCODER_PLACE_PLACE_MEMBERS_H

#include "encoder/emit/assembly.h"

/*
 * The first @nr_units of @a are members of what is linked into its first file. Place their
 * variables there (var_place.h) and bring them back into the order of their members. By section:
 * do variables in it count (@wanted), and do they stand apart (@apart; NULL: none do)?
 */
void assembly_place_vars(struct assembly *a, size_t nr_units, const bool *wanted, const bool *apart,
			 const struct omission_log *log);

/* Of static and weak functions that several members have, decide which one is in the linked file (member_locals.h). */
void assembly_place_funcs(struct assembly *a);

#endif
