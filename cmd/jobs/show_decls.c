/* SPDX-License-Identifier: GPL-2.0-only */
/* show_decls.c - look up where a type of BTF is declared in the DWARF that it was encoded from */
#include "base/cleanup.h"
#include "cmd/jobs/show_file.h"

#include <stdlib.h>

/* The name of member or enumerator @i. */
static const char *member_name(const struct show_types *t, uint32_t id, uint32_t i)
{
	const uint32_t *rec = types_rec(t, id);

	return types_raw_str(t, rec[BTF_REC_WORDS + btf_rec_layout(rec)->elem * (size_t)i]);
}

static struct decl_info find(void *ctx, struct show_types *t, uint32_t id)
{
	uint32_t nr = btf_rec_layout(types_rec(t, id))->elem ? types_vlen(t, id) : 0;
	CLEANUP(mem_free) const char **members = mem_alloc(nr * sizeof(*members));
	const bool sized = types_ctype(t, id) != BTF_C_TYPEDEF;
	const struct dw_decl_query q = {
		.ctype = types_ctype(t, id),
		.is_union = types_kind(t, id) == BTF_UNION,
		.name = types_raw_name(t, id),
		.size = sized ? types_rec(t, id)[BTF_REC_SIZE_TYPE] : 0,
		.members = members,
		.nr = nr,
	};
	struct dw_decl d = { 0 };
	struct err *e;

	for (uint32_t i = 0; i < nr; i++)
		members[i] = member_name(t, id, i);
	e = dw_decls_find(ctx, &q, &d);
	if (e)
		types_fail(t, e);
	return (struct decl_info){ d.unit, d.file, d.line, d.offset };
}

struct err *show_decls_open(const struct show_source *from, struct show_file *f)
{
	const struct encode_opts *o = &from->opt->encode;
	const struct dw_read_opts opts = {
		.langs = o->langs,
		.nr_langs = o->nr_langs,
		.lang_only = o->lang_only,
		.exclude = o->exclude_units,
		.nr_exclude = o->nr_exclude_units,
	};

	TRY(dw_decls_open(from->file, o->kabi_prefix, &opts, &f->decls));
	if (f->decls)
		f->types.decls = (struct decl_source){ f->decls, find };
	return NULL;
}
