/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * records_print.c - a line for each record of BTF, and for each member, in the words of "pahole -V"
 *
 *	[3] STRUCT point size=8
 *		x type_id=1 bits_offset=0
 *	[4] FUNC_PROTO (anon) return=1 args=(3 p, vararg)
 */
#include "base/escape.h"
#include "btf/btf_kind.h"
#include "cmd/print/outputs.h"

#include <inttypes.h>

static void put_name(struct text *out, const struct btf_view *v, uint32_t off)
{
	const char *name = off ? btf_view_str(v, v->base, off) : "";

	text_escape(out, *name ? name : "(anon)");
}

static const char *int_encoding(uint32_t encoding)
{
	return !encoding                  ? "(none)" :
	       encoding == BTF_ENC_SIGNED ? "SIGNED" :
	       encoding == BTF_ENC_CHAR   ? "CHAR" :
	       encoding == BTF_ENC_BOOL   ? "BOOL" :
					    "UNKN";
}

static void put_member(struct text *out, const uint32_t *rec, const uint32_t *m)
{
	bool packs = btf_rec_kflag(rec);

	text_printf(out, " type_id=%u", m[1]);
	if (packs && m[2] >> 24)
		text_printf(out, " bitfield_size=%u", m[2] >> 24);
	text_printf(out, " bits_offset=%u", packs ? m[2] & 0xffffff : m[2]);
}

static void put_value(struct text *out, const uint32_t *rec, const uint32_t *e)
{
	uint64_t value = e[1];

	if (btf_rec_kind(rec) == BTF_ENUM64)
		value |= (uint64_t)e[2] << 32;
	else if (btf_rec_kflag(rec))
		value = (uint64_t)(int32_t)e[1];
	if (btf_rec_kflag(rec))
		text_printf(out, " val=%" PRId64, (int64_t)value);
	else
		text_printf(out, " val=%" PRIu64, value);
}

/* The lines of the elements of @rec, which are at @e. */
static void put_elements(struct text *out, const struct btf_view *v, const uint32_t *rec,
			 const uint32_t *e)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, e += l->elem) {
		text_char(out, '\t');
		if (l->elem_name >= 0)
			put_name(out, v, e[l->elem_name]);
		if (l->ctype == BTF_C_STRUCT)
			put_member(out, rec, e);
		else if (l->ctype == BTF_C_ENUM)
			put_value(out, rec, e);
		else
			text_printf(out, "type=%u offset=%u size=%u", e[0], e[1], e[2]);
		text_char(out, '\n');
	}
}

/* "args=(3 p, 4 q)" */
static void put_params(struct text *out, const struct btf_view *v, const uint32_t *rec)
{
	const uint32_t *param = rec + BTF_REC_WORDS;
	uint32_t nr = btf_rec_vlen(rec);

	text_printf(out, " return=%u args=(", rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < nr; i++, param += 2) {
		text_str(out, i ? ", " : "");
		if (!param[1] && i + 1 == nr) {
			text_str(out, "vararg");
			continue;
		}
		text_printf(out, "%u ", param[1]);
		put_name(out, v, param[0]);
	}
	text_str(out, nr ? ")" : "void)");
}

static void put_record(struct text *out, const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec = btf_types_rec(&v->types, id), *own = rec + BTF_REC_WORDS;
	const uint32_t word = rec[BTF_REC_SIZE_TYPE];

	text_printf(out, "[%u] %s ", id, btf_rec_layout(rec)->name);
	put_name(out, v, rec[BTF_REC_NAME]);
	switch (btf_rec_kind(rec)) {
	case BTF_INT:
		text_printf(out, " size=%u nr_bits=%u encoding=%s", word, own[0] & 0xff,
			    int_encoding(own[0] >> 24));
		break;
	case BTF_FLOAT:
		text_printf(out, " size=%u nr_bits=%u", word, word * 8);
		break;
	case BTF_FWD:
		text_str(out, btf_rec_kflag(rec) ? " union" : " struct");
		break;
	case BTF_ARRAY:
		text_printf(out, " type_id=%u index_type_id=%u nr_elems=%u", own[0], own[1],
			    own[2]);
		break;
	case BTF_FUNC_PROTO:
		put_params(out, v, rec);
		break;
	case BTF_VAR:
		text_printf(out, " type=%u linkage=%u", word, own[0]);
		break;
	case BTF_DATASEC:
		text_printf(out, " size=%u vlen=%u", word, btf_rec_vlen(rec));
		break;
	case BTF_DECL_TAG:
		text_printf(out, " type_id=%u component_idx=%d", word, (int32_t)own[0]);
		break;
	case BTF_LOC_PARAM:
	case BTF_LOC_PROTO:
	case BTF_LOCSEC:
		text_printf(out, " vlen=%u", btf_rec_vlen(rec));
		break;
	default:
		text_printf(out, btf_rec_layout(rec)->main_is_type ? " type_id=%u" : " size=%u",
			    word);
		break;
	}
	text_char(out, '\n');
	if (btf_kind_in(btf_rec_kind(rec), 1 << BTF_STRUCT | 1 << BTF_UNION | 1 << BTF_ENUM |
						   1 << BTF_ENUM64 | 1 << BTF_DATASEC))
		put_elements(out, v, rec, own);
}

static void put_records(struct text *out, const struct btf_view *v)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++)
		put_record(out, v, id);
}

struct err *records_print(struct text *out, const struct encode_result *made,
			  const struct btf_input *base)
{
	const struct bytes parts[] = {
		{ made->base, made->base_len },
		{ made->btf, made->btf_len },
		{ made->vars, made->vars_len },
		{ made->sites, made->sites_len },
	};
	enum { BASE, BTF };
	struct btf_view views[ARRAY_SIZE(parts)] = { 0 };
	const struct btf_view *below = base ? &base->view : NULL;
	struct err *e = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && !e; i++) {
		const struct btf_view *over = i == BASE ? NULL : i == BTF ? below : &views[BTF];

		if (!parts[i].ptr)
			continue;
		e = btf_view_open(parts[i], over, &views[i]);
		if (e)
			break;
		put_records(out, &views[i]);
		if (i == BASE)
			below = &views[BASE];
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		btf_view_release(&views[i]);
	return e;
}
