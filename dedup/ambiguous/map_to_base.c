/* SPDX-License-Identifier: GPL-2.0-only */
/* map_to_base.c - see map_to_base.h */
#include "dedup/ambiguous/map_to_base.h"

struct mapped_to_base {
	const struct type_pool *types;
	const struct resolved_names *resolved;
	const uint32_t *same;
};

static bool leads_to_mapped(const struct mapped_to_base *t, pool_ref r)
{
	if (pool_ref_is_named(r))
		return t->same[t->resolved->named[pool_ref_space(r)][pool_ref_name(r)]];
	return !r || t->same[r];
}

static bool elements_are_mapped(const struct mapped_to_base *t, const uint32_t *rec)
{
	const uint32_t *param = rec + BTF_REC_WORDS;

	for (uint32_t i = btf_info_vlen(rec[BTF_REC_INFO]); i > 0; i--, param += 2) {
		if (!leads_to_mapped(t, param[1]))
			return false;
	}
	return true;
}

/* Will @rec be merged with the type of the base that has the same content? */
static bool is_mapped(const struct mapped_to_base *t, const uint32_t *rec)
{
	switch (btf_ctype(btf_rec_kind(rec))) {
	case BTF_C_INT:
	case BTF_C_FLOAT:
		return true;
	case BTF_C_STRUCT:
	case BTF_C_FORWARD:
	case BTF_C_ENUM:
		return rec[BTF_REC_NAME];
	case BTF_C_POINTER:
	case BTF_C_QUALIFIER:
		return btf_rec_kind(rec) != BTF_TYPE_TAG &&
		       leads_to_mapped(t, rec[BTF_REC_SIZE_TYPE]);
	case BTF_C_FUNCTION:
		return leads_to_mapped(t, rec[BTF_REC_SIZE_TYPE]) && elements_are_mapped(t, rec);
	case BTF_C_NONE:
	case BTF_C_VOID:
	case BTF_C_ARRAY:
	case BTF_C_TYPEDEF:
		break;
	}
	return false;
}

void map_to_base(const struct type_pool *types, const struct resolved_names *s, uint32_t *same)
{
	const struct mapped_to_base t = { types, s, same };
	uint32_t end = atomic_load(&types->end);

	/* a record without a name refers to lower ids, which are decided before it */
	for (uint32_t id = 1; id < end; id++) {
		if (same[id] && !is_mapped(&t, type_pool_at(types, id)->rec))
			same[id] = 0;
	}
}
