/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_text.c - see proto_text.h */
#include "encoder/select/proto_text.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pointers, arrays and qualifiers that are told; inside of more, "..." is. */
enum { LINKS_MAX = 16 };

static const uint32_t *record(const struct type_pool *types, pool_ref r)
{
	return type_pool_at(types, r)->rec;
}

static uint32_t kind_of(const struct type_pool *types, pool_ref r)
{
	return r && !pool_ref_is_named(r) ? btf_info_kind(record(types, r)[BTF_REC_INFO]) :
					    BTF_UNKN;
}

static const char *qualifier(uint32_t kind)
{
	return kind == BTF_CONST ? "const" : kind == BTF_VOLATILE ? "volatile" : "restrict";
}

static bool is_qualifier(uint32_t kind)
{
	return kind == BTF_CONST || kind == BTF_VOLATILE || kind == BTF_RESTRICT;
}

static bool is_link(uint32_t kind)
{
	return is_qualifier(kind) || kind == BTF_PTR || kind == BTF_ARRAY || kind == BTF_TYPE_TAG;
}

static pool_ref target(const struct type_pool *types, pool_ref r)
{
	const uint32_t *rec = record(types, r);

	return btf_info_kind(rec[BTF_REC_INFO]) == BTF_ARRAY ? rec[BTF_REC_WORDS] :
							       rec[BTF_REC_SIZE_TYPE];
}

/* What is no pointer, array or qualifier. */
static void put_base(FILE *out, const struct type_pool *types, const struct str_pool *strings,
		     pool_ref r)
{
	static const char *const spaces[] = {
		[POOL_STRUCT] = "struct", [POOL_UNION] = "union", [POOL_ENUM] = "enum"
	};
	uint32_t kind = kind_of(types, r);

	if (!r) {
		fputs("void", out);
	} else if (pool_ref_is_named(r)) {
		fprintf(out, "%s %s", spaces[pool_ref_space(r)],
			str_pool_text(strings, pool_ref_name(r)));
	} else if (record(types, r)[BTF_REC_NAME] && kind != BTF_UNKN) {
		fputs(str_pool_text(strings, record(types, r)[BTF_REC_NAME]), out);
	} else {
		fputs(kind == BTF_FUNC_PROTO                 ? "function" :
		      kind == BTF_UNION                      ? "union {...}" :
		      kind == BTF_ENUM || kind == BTF_ENUM64 ? "enum {...}" :
		      kind == BTF_STRUCT                     ? "struct {...}" :
							       "...",
		      out);
	}
}

/* Returns whether it ends in a star. */
static bool put_type(FILE *out, const struct type_pool *types, const struct str_pool *strings,
		     pool_ref r)
{
	pool_ref links[LINKS_MAX];
	size_t nr = 0;
	bool star = false;

	for (; is_link(kind_of(types, r)) && nr < LINKS_MAX; r = target(types, r))
		links[nr++] = r;
	/* qualifiers of what is innermost go before it */
	for (; nr && is_qualifier(kind_of(types, links[nr - 1])); nr--)
		fprintf(out, "%s ", qualifier(kind_of(types, links[nr - 1])));
	if (is_link(kind_of(types, r)))
		fputs("...", out);
	else
		put_base(out, types, strings, r);
	while (nr--) {
		const uint32_t *rec = record(types, links[nr]);
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

		if (kind == BTF_PTR)
			fputs(star ? "*" : " *", out);
		else if (kind == BTF_ARRAY)
			fprintf(out, "[%" PRIu32 "]", rec[BTF_REC_WORDS + 2]);
		else if (kind == BTF_TYPE_TAG)
			fprintf(out, " type_tag(%s)", str_pool_text(strings, rec[BTF_REC_NAME]));
		else
			fprintf(out, "%s%s", star ? "" : " ", qualifier(kind));
		star = kind == BTF_PTR;
	}
	return star;
}

char *proto_text(const struct type_pool *types, const struct str_pool *strings, uint32_t proto)
{
	const uint32_t *rec = type_pool_at(types, proto)->rec;
	uint32_t nr = btf_info_vlen(rec[BTF_REC_INFO]);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		mem_die();
	put_type(out, types, strings, rec[BTF_REC_SIZE_TYPE]);
	fputs(" (", out);
	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t *param = rec + BTF_REC_WORDS + (size_t)i * 2;

		fputs(i ? ", " : "", out);
		if (!param[0] && !param[1] && i + 1 == nr) {
			fputs("...", out);
			continue;
		}
		bool star = put_type(out, types, strings, param[1]);
		if (param[0])
			fprintf(out, "%s%s", star ? "" : " ", str_pool_text(strings, param[0]));
	}
	fputs(nr ? ")" : "void)", out);
	if (fclose(out))
		mem_die();
	return text;
}
