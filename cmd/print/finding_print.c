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
	const struct btf_kind_layout *l = btf_rec_layout(rec);

	text_printf(out, "type %u", id);
	put_name(out, v, rec[BTF_REC_NAME]);
	text_printf(out, " (%s", l->name);
	if (l->ctype == BTF_C_ARRAY)
		text_printf(out, ", %u of type %u by type %u", data[2], data[0], data[1]);
	else if (l->ctype == BTF_C_VOID)
		text_printf(out, " %u", btf_unknown_kind(rec));
	else if (l->ctype == BTF_C_FORWARD)
		text_printf(out, " of a %s", btf_rec_kflag(rec) ? "union" : "struct");
	else
		text_printf(out, ", %s %u", l->main_is_type ? "type" : "size",
			    rec[BTF_REC_SIZE_TYPE]);
	if (l->ctype == BTF_C_INT)
		text_printf(out, ", data %#x", data[0]);
	if (btf_rec_kind(rec) == BTF_DECL_TAG)
		text_printf(out, ", component %d", (int32_t)data[0]);
	text_str(out, "): ");
}

/* The name of the variable or function that an element of a section is about. */
static void put_symbol_name(struct text *out, const struct btf_view *v, uint32_t id)
{
	const uint32_t *rec;

	if (!id || id >= btf_types_end(&v->types))
		return;
	rec = btf_types_rec(&v->types, id);
	if (btf_rec_kind(rec) == BTF_VAR || btf_rec_kind(rec) == BTF_FUNC)
		put_name(out, v, rec[BTF_REC_NAME]);
}

/* Types and other words of element @e, but for its name. */
static void put_words(struct text *out, const struct btf_kind_layout *l, const uint32_t *e,
		      bool kflag)
{
	const char *before = " (";

	for (uint32_t i = 0; i < l->elem; i++) {
		if (btf_elem_is_type(l, i))
			text_printf(out, "%stype %u", before, e[i]);
		else if (l->ctype == BTF_C_STRUCT && i == 2)
			text_printf(out, "%sbit %u", before, kflag ? e[i] & 0xffffff : e[i]);
		else if (l->elem_fields && l->elem_fields[i])
			text_printf(out, "%s%s%u", before, l->elem_fields[i], e[i]);
		else
			continue;
		before = ", ";
	}
	if (l->ctype == BTF_C_STRUCT && kflag && e[2] >> 24)
		text_printf(out, ", %u bits", e[2] >> 24);
	text_str(out, *before == ',' ? "): " : ": ");
}

static void put_element(struct text *out, const struct btf_view *v, uint32_t id, uint32_t i)
{
	const uint32_t *rec = btf_types_rec(&v->types, id);
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	const uint32_t *e = rec + l->words + (size_t)i * l->elem;

	text_printf(out, "%s %u", l->element, i);
	if (l->elem_name >= 0)
		put_name(out, v, e[l->elem_name]);
	else if (l->elem_types)
		put_symbol_name(out, v, e[l->elem_type]);
	put_words(out, l, e, btf_rec_kflag(rec));
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
