/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_from_cu.h - the functions and variables of a unit, from its debug information */
#ifndef BTFENC_ENCODER_UNIT_FACTS_FROM_CU_H
#define BTFENC_ENCODER_UNIT_FACTS_FROM_CU_H

#include "encoder/unit/unit_facts.h"
#include "encoder/unit/unit_from_cu.h"

/*
 * Collect the facts of the unit at hand of @m, in @ret, which keeps its memory. @all: what an object has to store;
 * otherwise what this run needs: functions of the symbol table, in the form that it wants, and variables if it describes
 * any. Functions and variables that cannot be described are reported.
 */
void facts_from_cu(struct unit_encoder *m, bool all, struct unit_facts *ret);
/* The same without variables. */
void func_facts_from_cu(struct unit_encoder *m, bool all, struct unit_facts *ret);

/* Drop the variables that no feature describes: an object does not store them. */
void facts_keep_stored(const struct str_pool *strings, struct unit_facts *f);

#endif
