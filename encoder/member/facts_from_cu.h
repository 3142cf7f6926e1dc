/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_from_cu.h - collect the facts of a unit from its debug information */
#ifndef BTFENC_ENCODER_MEMBER_FACTS_FROM_CU_H
#define BTFENC_ENCODER_MEMBER_FACTS_FROM_CU_H

#include "encoder/member/unit_facts.h"
#include "encoder/unit/unit_from_cu.h"

/*
 * Collect the facts of @cu, from which unit_from_cu() has made @f. The caller sets those that follow from the
 * finished BTF: func_start and index.
 */
void facts_from_cu(struct unit_encoder *m, const struct cu *cu, const struct unit_btf *f,
		   struct unit_facts *ret);

#endif
