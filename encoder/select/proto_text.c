/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_text.c - prototypes of the type pool as C */
#include "encoder/select/proto_match.h"

#include "base/text.h"
#include "btf/print/type_text.h"

struct pools {
	const struct type_pool *types;
	const struct str_pool *strings;
};

static void describe(const void *types, uint32_t r, struct type_part *ret)
{
	static const uint8_t kinds[] = {
		[POOL_STRUCT] = BTF_STRUCT, [POOL_UNION] = BTF_UNION, [POOL_ENUM] = BTF_ENUM
	};
	const struct pools *p = types;
	const uint32_t *rec;

	*ret = (struct type_part){ .kind = BTF_UNKN, .name = "" };
	if (!r)
		return;
	if (pool_ref_is_named(r)) {
		ret->kind = kinds[pool_ref_space(r)];
		ret->name = str_pool_text(p->strings, pool_ref_name(r));
		return;
	}
	rec = type_pool_at(p->types, r)->rec;
	ret->kind = btf_rec_kind(rec);
	ret->name = str_pool_text(p->strings, rec[BTF_REC_NAME]);
	ret->target = rec[ret->kind == BTF_ARRAY ? BTF_REC_WORDS : BTF_REC_SIZE_TYPE];
	if (ret->kind == BTF_ARRAY)
		ret->nr = rec[BTF_REC_WORDS + 2];
}

char *proto_text(const struct type_pool *types, const struct str_pool *strings, uint32_t proto)
{
	const struct pools pools = { types, strings };
	const struct type_source source = { .types = &pools, .part = describe };
	const uint32_t *rec = type_pool_at(types, proto)->rec, *param = rec + BTF_REC_WORDS;
	uint32_t nr = btf_rec_vlen(rec);
	struct text out = { 0 };

	type_text(&out, &source, rec[BTF_REC_SIZE_TYPE]);
	text_str(&out, " (");
	for (uint32_t i = 0; i < nr; i++, param += 2) {
		text_str(&out, i ? ", " : "");
		if (!param[0] && !param[1] && i + 1 == nr) {
			text_str(&out, "...");
			continue;
		}
		type_text(&out, &source, param[1]);
		if (param[0]) {
			text_str(&out, out.items[out.nr - 1] == '*' ? "" : " ");
			text_str(&out, str_pool_text(strings, param[0]));
		}
	}
	text_str(&out, nr ? ")" : "void)");
	return text_take(&out);
}
