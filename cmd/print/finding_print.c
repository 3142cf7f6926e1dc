/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * finding_print.c - the lines of --btf_check
 *
 *	FILE: error: type 5 'foo' (STRUCT, size 16): member 1 'bar' (type 2, bit 96): it ends after its struct [btf_int_check_member]
 *	FILE: error: .BTF+0x3: the flags are 1, not 0 [btf_parse_hdr]
 *	FILE: warning: type 9 'baz' (FUNC, type 7): type 8 is a function of this name, too [duplicate]
 */
#include "cmd/print/outputs.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "cmd/print/print_line.h"

#include <inttypes.h>
#include <string.h>

enum { NO_ELEMENT = UINT32_MAX };

static void put_name(struct text *out, const struct btf_view *v, uint32_t off)
{
	const char *s = btf_check_str(v, off);

	if (!s) {
		text_printf(out, " with a name at %u", off);
		return;
	}
	if (!*s)
		return;
	text_str(out, " '");
	text_escape_name(out, s);
	text_str(out, "'");
}

static void put_type(struct text *out, const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec = btf_types_rec(&v->types, id), *data = rec + BTF_REC_WORDS;
	const struct btf_kind_layout *l = btf_kind_layout(btf_rec_kind(rec));

	text_printf(out, "type %u", id);
	put_name(out, v, rec[BTF_REC_NAME]);
	text_printf(out, " (%s", l->name);
	switch (btf_rec_kind(rec)) {
	case BTF_INT:
		text_printf(out, ", size %u, data %#x", rec[BTF_REC_SIZE_TYPE], data[0]);
		break;
	case BTF_ARRAY:
		text_printf(out, ", %u of type %u by type %u", data[2], data[0], data[1]);
		break;
	case BTF_DECL_TAG:
		text_printf(out, ", type %u, component %d", rec[BTF_REC_SIZE_TYPE],
			    (int32_t)data[0]);
		break;
	case BTF_UNKN:
		text_printf(out, " %u", btf_unknown_kind(rec));
		break;
	case BTF_FWD:
		text_printf(out, " of a %s", btf_rec_kflag(rec) ? "union" : "struct");
		break;
	default:
		text_printf(out, ", %s %u", l->main_is_type ? "type" : "size",
			    rec[BTF_REC_SIZE_TYPE]);
	}
	text_str(out, "): ");
}

/* The name of the variable that an element of a DATASEC is about. */
static void put_variable_name(struct text *out, const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec;

	if (!id || id >= btf_types_end(&v->types))
		return;
	rec = btf_types_rec(&v->types, id);
	if (btf_rec_kind(rec) == BTF_VAR)
		put_name(out, v, rec[BTF_REC_NAME]);
}

static void put_element(struct text *out, const struct btf_view *v, uint32_t id, uint32_t i)
{
	const uint32_t *rec = btf_types_rec(&v->types, id);
	uint32_t kind = btf_rec_kind(rec);
	bool kflag = btf_rec_kflag(rec);
	const uint32_t *e = rec + BTF_REC_WORDS + (size_t)i * btf_kind_layout(kind)->elem;

	switch (kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		text_printf(out, "member %u", i);
		put_name(out, v, e[0]);
		text_printf(out, " (type %u, bit %u", e[1], kflag ? e[2] & 0xffffff : e[2]);
		if (kflag && e[2] >> 24)
			text_printf(out, ", %u bits", e[2] >> 24);
		text_str(out, "): ");
		break;
	case BTF_FUNC_PROTO:
		text_printf(out, "parameter %u", i);
		put_name(out, v, e[0]);
		text_printf(out, " (type %u): ", e[1]);
		break;
	case BTF_DATASEC:
		text_printf(out, "variable %u", i);
		put_variable_name(out, v, e[0]);
		text_printf(out, " (type %u, offset %u, size %u): ", e[0], e[1], e[2]);
		break;
	default:
		text_printf(out, "enumerator %u", i);
		put_name(out, v, e[0]);
		text_str(out, ": ");
	}
}

void finding_print(struct text *out, const char *path, const char *section,
		   const struct btf_view *v, const struct btf_finding *f)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);

	text_escape(out, path);
	text_printf(out, ": %s", btf_rule(f->rule)->warning ? "warning: " : "error: ");
	if (!f->id) {
		text_printf(out, "%s+0x%" PRIx64 ": ", section, f->offset);
	} else if (!v || f->id >= btf_types_end(&v->types)) {
		text_printf(out, "%s+0x%" PRIx64 ": type %u: ", section, f->offset, f->id);
	} else {
		if (starts_with(section, ".BTF."))
			text_printf(out, "%s: ", section);
		put_type(out, v, f->id);
		if (f->element != NO_ELEMENT)
			put_element(out, v, f->id, f->element);
	}
	text_printf(out, "%s\n", text);
}
