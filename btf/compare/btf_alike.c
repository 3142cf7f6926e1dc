/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_alike.c - see btf_alike.h */
#include "btf/compare/btf_alike.h"

#include "btf/btf_kind.h"

#include <string.h>

enum btf_kind btf_defined_kind(const uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);
	enum btf_ctype c = btf_ctype(kind);

	if (!rec[BTF_REC_NAME])
		return BTF_UNKN;
	if (c == BTF_C_ENUM)
		return btf_rec_vlen(rec) ? BTF_ENUM : BTF_UNKN;
	return c == BTF_C_STRUCT || c == BTF_C_TYPEDEF ? kind : BTF_UNKN;
}

static const char *name_of(const struct btf_view *v, uint32_t id)
{
	return btf_view_str(v, v->base, btf_types_rec(&v->types, id)[BTF_REC_NAME]);
}

/* The limit of pairs to compare. Most comparisons need one. */
enum { PAIRS_MAX = 32 };

struct pairs {
	uint32_t ids[PAIRS_MAX][2];
	uint32_t nr;
};

/* Compare the records of @a and @b and add the pairs of types that they refer to. */
static bool add_references(const struct btf_view *v, uint32_t a, uint32_t b, struct pairs *p)
{
	uint32_t *x = btf_types_rec(&v->types, a), *y = btf_types_rec(&v->types, b);
	size_t nr = btf_rec_words(x), at = 0;

	if (btf_rec_words(y) != nr)
		return false;
	btf_rec_each_type(x, type)
	{
		size_t i = (size_t)(type - x);

		if (memcmp(x + at, y + at, (i - at) * sizeof(*x)) != 0 || p->nr == PAIRS_MAX)
			return false;
		p->ids[p->nr][0] = x[i];
		p->ids[p->nr++][1] = y[i];
		at = i + 1;
	}
	return !memcmp(x + at, y + at, (nr - at) * sizeof(*x));
}

bool btf_alike_at_sight(const struct btf_view *v, uint32_t a, uint32_t b)
{
	struct pairs p = { .nr = 0 };
	bool alike = add_references(v, a, b, &p);

	for (uint32_t i = 0; alike && i < p.nr; i++) {
		uint32_t kind;

		a = p.ids[i][0];
		b = p.ids[i][1];
		if (a == b)
			continue;
		if (!a || !b)
			return false;
		kind = btf_defined_kind(btf_types_rec(&v->types, a));
		if (kind == BTF_UNKN)
			alike = add_references(v, a, b, &p);
		else
			alike = btf_defined_kind(btf_types_rec(&v->types, b)) == kind &&
				!strcmp(name_of(v, a), name_of(v, b));
	}
	return alike;
}
