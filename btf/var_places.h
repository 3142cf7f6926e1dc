/* SPDX-License-Identifier: GPL-2.0-only */
/* var_places.h - where the variables of a BTF lie */
#ifndef BTFENC_BTF_VAR_PLACES_H
#define BTFENC_BTF_VAR_PLACES_H

#include "base/vec.h"
#include "btf/btf_view.h"

struct var_place {
	uint32_t var, section; /* ids of a VAR and of its DATASEC */
	uint32_t offset, size;
};

/* By @var. Zeroed is empty. */
struct var_places {
	struct var_place *items;
	size_t nr, cap;
};

/* The variables of @v and of its base. */
void var_places_find(const struct btf_view *v, struct var_places *ret);
/* The first place of @var; NULL if no section has it. */
const struct var_place *var_places_of(const struct var_places *p, uint32_t var);
void var_places_release(struct var_places *p);

#endif
