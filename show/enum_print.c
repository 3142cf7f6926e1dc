/* SPDX-License-Identifier: GPL-2.0-only */
/* enum_print.c - an enum with its values in a column */
#include "show/print_internal.h"

static size_t longest_name(const struct show_types *t, uint32_t id, size_t words)
{
	const uint32_t *e = types_rec(t, id) + BTF_REC_WORDS;
	size_t longest = 0;

	for (uint32_t i = 0; i < types_vlen(t, id); i++, e += words) {
		const char *name = types_str(t, e[0]);
		size_t len = name ? strlen(name) : 0;

		longest = len > longest ? len : longest;
	}
	return longest;
}

static void put_enumerator(struct printer *p, const uint32_t *e, bool wide, bool is_signed)
{
	uint64_t value = wide      ? e[1] | (uint64_t)e[2] << 32 :
			 is_signed ? (uint64_t)(int32_t)e[1] :
				     e[1];

	text_str(p->text, " = ");
	if (!p->style->hex && is_signed && (int64_t)value < 0) {
		text_char(p->text, '-');
		value = -value;
	}
	text_number(p->text, value, 0, p->style->hex);
	text_str(p->text, ",\n");
}

void print_enum(struct printer *p, uint32_t id, const struct frame *f)
{
	const struct show_types *t = p->types;
	const uint32_t *rec = types_rec(t, id), *e = rec + BTF_REC_WORDS;
	bool wide = types_kind(t, id) == BTF_ENUM64, is_signed = btf_rec_kflag(rec);
	size_t words = wide ? 3 : 2, width = longest_name(t, id, words);

	print_head(p, "enum", id, f);
	/* declared before it is defined, which BTF has no kind for */
	if (!types_vlen(t, id))
		return;
	text_str(p->text, " {\n");
	for (uint32_t i = 0; i < types_vlen(t, id) && print_may_go_on(p, 0); i++, e += words) {
		const char *name = types_str(t, e[0]);
		uint64_t start;

		text_indent(p->text, f->indent);
		text_char(p->text, '\t');
		start = text_pos(p->text);
		text_str(p->text, name ? name : "");
		text_pad(p->text, start, (int)width);
		put_enumerator(p, e, wide, is_signed);
	}
	text_indent(p->text, f->indent);
	text_char(p->text, '}');
	if (rec[BTF_REC_SIZE_TYPE] && rec[BTF_REC_SIZE_TYPE] != sizeof(int))
		text_str(p->text, PRINT_PACKED);
	print_suffix(p, f);
}
