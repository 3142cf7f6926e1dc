/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify.c - the rules of the kernel's BTF checker, record by record
 *
 * The kernel stops at the first breach; this reports all of them, because it is for
 * those who write BTF. What only follows from where references lead in the end is in
 * btf_verify_resolve.c.
 *
 * The kernel applies these rules to vmlinux when BPF first needs its types, and to a
 * module when it is loaded; a breach makes BPF useless or refuses the module. The
 * rules about resolution are applied only to BTF that a program loads itself, but
 * BTF of a compiled program has no reason to break them either.
 *
 * Tags with the kind flag (attributes) are refused by 6.12 and accepted by 6.18; they
 * are written on request only, so they pass here.
 */
#include "dedup/btf_verify_internal.h"

#include "base/cleanup.h"

#include <stdlib.h>

/* BTF_MAX_TYPE, BTF_MAX_NAME_OFFSET, KSYM_NAME_LEN, and the reach of the tag check */
enum { MAX_ID = 0xfffff, MAX_NAME = 0xffffff, MAX_NAME_LEN = 512, MAX_CHAIN = 32 };

enum name_rule { NAME_ANY, NAME_NONE, NAME_OPTIONAL, NAME_IDENTIFIER, NAME_SECTION, NAME_VALUE };

struct kind_rule {
	enum name_rule name;
	bool vlen; /* has elements, or a linkage in their place */
	bool kflag;
};

static const struct kind_rule kind_rules[BTF_NR_KINDS] = {
	[BTF_INT] = { .name = NAME_ANY },
	[BTF_PTR] = { .name = NAME_NONE },
	[BTF_ARRAY] = { .name = NAME_NONE },
	[BTF_STRUCT] = { .name = NAME_OPTIONAL, .vlen = true, .kflag = true },
	[BTF_UNION] = { .name = NAME_OPTIONAL, .vlen = true, .kflag = true },
	[BTF_ENUM] = { .name = NAME_OPTIONAL, .vlen = true, .kflag = true },
	[BTF_FWD] = { .name = NAME_IDENTIFIER, .kflag = true },
	[BTF_TYPEDEF] = { .name = NAME_IDENTIFIER },
	[BTF_VOLATILE] = { .name = NAME_NONE },
	[BTF_CONST] = { .name = NAME_NONE },
	[BTF_RESTRICT] = { .name = NAME_NONE },
	[BTF_FUNC] = { .name = NAME_IDENTIFIER, .vlen = true },
	[BTF_FUNC_PROTO] = { .name = NAME_NONE, .vlen = true },
	[BTF_VAR] = { .name = NAME_IDENTIFIER },
	[BTF_DATASEC] = { .name = NAME_SECTION, .vlen = true },
	[BTF_FLOAT] = { .name = NAME_ANY },
	[BTF_DECL_TAG] = { .name = NAME_VALUE, .kflag = true },
	[BTF_TYPE_TAG] = { .name = NAME_VALUE, .kflag = true },
	[BTF_ENUM64] = { .name = NAME_OPTIONAL, .vlen = true, .kflag = true },
};

/* The kernel's ctype knows the letters of Latin-1, whatever the name is written in. */
static bool is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= 0xc0 && c != 0xd7 && c != 0xf7);
}

static bool is_printable(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || c >= 0xa0;
}

static bool is_identifier(const char *s)
{
	size_t len = 0;

	for (; s[len] && len <= MAX_NAME_LEN; len++) {
		unsigned char c = (unsigned char)s[len];
		bool digit = c >= '0' && c <= '9';

		if (!is_letter(c) && c != '_' && c != '.' && !(digit && len))
			return false;
	}
	return len > 0 && len <= MAX_NAME_LEN;
}

static bool is_section_name(const char *s)
{
	size_t len = 0;

	for (; s[len] && len <= MAX_NAME_LEN; len++) {
		if (!is_printable((unsigned char)s[len]))
			return false;
	}
	return len > 0 && len <= MAX_NAME_LEN;
}

static const char *name_of(const struct verify *v, uint32_t off)
{
	return btf_view_str(v->view, v->base, off);
}

static void check_name(struct verify *v, uint32_t id, uint32_t off, enum name_rule rule)
{
	switch (rule) {
	case NAME_ANY:
		return;
	case NAME_NONE:
		if (off)
			verify_found(v, id, NO_ELEMENT, "this kind has no name");
		return;
	case NAME_OPTIONAL:
		if (off && !is_identifier(name_of(v, off)))
			verify_found(v, id, NO_ELEMENT, "a name is an identifier");
		return;
	case NAME_IDENTIFIER:
		if (!off || !is_identifier(name_of(v, off)))
			verify_found(v, id, NO_ELEMENT,
				     "this kind has a name, which is an identifier");
		return;
	case NAME_SECTION:
		if (!off || !is_section_name(name_of(v, off)))
			verify_found(v, id, NO_ELEMENT, "a section has a printable name");
		return;
	case NAME_VALUE:
		if (!*name_of(v, off))
			verify_found(v, id, NO_ELEMENT, "a tag has a value");
		return;
	}
}

static void check_common(struct verify *v, uint32_t id, uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO];
	const struct kind_rule *rule = &kind_rules[btf_info_kind(info)];
	uint32_t i = 0;

	if (btf_info_vlen(info) > BTF_MAX_VLEN)
		verify_found(v, id, NO_ELEMENT, "a type has at most 65535 elements");
	if (!rule->vlen && btf_info_vlen(info))
		verify_found(v, id, NO_ELEMENT, "this kind has no elements");
	if (!rule->kflag && btf_info_kflag(info))
		verify_found(v, id, NO_ELEMENT, "this kind has no kind flag");
	check_name(v, id, rec[BTF_REC_NAME], rule->name);
	btf_rec_each_name(rec, name)
	{
		if (*name > MAX_NAME)
			verify_found(v, id, i ? i - 1 : NO_ELEMENT, "a string offset has 24 bits");
		i++;
	}
}

static void check_int(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t data = rec[BTF_REC_WORDS];
	uint32_t encoding = data >> 24 & 0xf, end = (data & 0xff) + (data >> 16 & 0xff);

	if (data & 0xf0000000)
		verify_found(v, id, NO_ELEMENT, "unused bits of an integer are zero");
	if (end > 128)
		verify_found(v, id, NO_ELEMENT, "an integer has at most 128 bits");
	if ((end + 7) / 8 > rec[BTF_REC_SIZE_TYPE])
		verify_found(v, id, NO_ELEMENT, "an integer's bits fit its size");
	if (encoding & (encoding - 1) || encoding > BTF_ENC_BOOL)
		verify_found(v, id, NO_ELEMENT, "an integer is one of signed, char and bool");
}

static void check_array(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (rec[BTF_REC_SIZE_TYPE])
		verify_found(v, id, NO_ELEMENT, "an array has no size word");
	if (!rec[BTF_REC_WORDS])
		verify_found(v, id, NO_ELEMENT, "an array's element is not void");
	if (!rec[BTF_REC_WORDS + 1])
		verify_found(v, id, NO_ELEMENT, "an array's index is not void");
}

static void check_members(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], last = 0;
	bool is_union = btf_info_kind(info) == BTF_UNION;
	const uint32_t *m = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < btf_info_vlen(info); i++, m += 3) {
		uint32_t off = verify_bit_offset(btf_info_kflag(info), m[2]);

		if (m[0] && !is_identifier(name_of(v, m[0])))
			verify_found(v, id, i, "a member's name is an identifier");
		if (!m[1])
			verify_found(v, id, i, "a member is not void");
		if (is_union && off)
			verify_found(v, id, i, "a union's members are at offset 0");
		if (off < last)
			verify_found(v, id, i, "members are in order of their offsets");
		if (((uint64_t)off + 7) / 8 > rec[BTF_REC_SIZE_TYPE])
			verify_found(v, id, i, "a member starts inside its struct");
		last = off;
	}
}

static void check_enum(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t size = rec[BTF_REC_SIZE_TYPE];
	uint32_t step = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]))->elem;

	if (size > 8 || !size || size & (size - 1))
		verify_found(v, id, NO_ELEMENT, "an enum's size is 1, 2, 4 or 8");
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++) {
		uint32_t name = rec[BTF_REC_WORDS + i * step];

		if (!name || !is_identifier(name_of(v, name)))
			verify_found(v, id, i, "an enumerator has a name, which is an identifier");
	}
}

static void check_float(struct verify *v, uint32_t id, const uint32_t *rec)
{
	switch (rec[BTF_REC_SIZE_TYPE]) {
	case 2:
	case 4:
	case 8:
	case 12:
	case 16:
		return;
	default:
		verify_found(v, id, NO_ELEMENT, "a float's size is 2, 4, 8, 12 or 16");
	}
}

static void check_var(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (!rec[BTF_REC_SIZE_TYPE])
		verify_found(v, id, NO_ELEMENT, "a variable is not void");
	if (rec[BTF_REC_WORDS] > BTF_LINK_GLOBAL)
		verify_found(v, id, NO_ELEMENT, "a variable is static or global");
}

static void check_datasec(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint64_t size = rec[BTF_REC_SIZE_TYPE], end = 0;
	const uint32_t *var = rec + BTF_REC_WORDS;

	if (!size)
		verify_found(v, id, NO_ELEMENT, "a section is not empty");
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, var += 3) {
		if (!var[0])
			verify_found(v, id, i, "a section's variable is not void");
		if (var[1] < end)
			verify_found(v, id, i, "a section's variables are in order, side by side");
		if (!var[2])
			verify_found(v, id, i, "a section's variable has a size");
		end = (uint64_t)var[1] + var[2];
		if (end > size)
			verify_found(v, id, i, "a section's variable is inside it");
	}
}

static void check_func(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (btf_info_vlen(rec[BTF_REC_INFO]) > BTF_LINK_GLOBAL)
		verify_found(v, id, NO_ELEMENT, "a function is static or global");
}

static void check_by_kind(struct verify *v, uint32_t id, const uint32_t *rec)
{
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_INT:
		return check_int(v, id, rec);
	case BTF_ARRAY:
		return check_array(v, id, rec);
	case BTF_STRUCT:
	case BTF_UNION:
		return check_members(v, id, rec);
	case BTF_ENUM:
	case BTF_ENUM64:
		return check_enum(v, id, rec);
	case BTF_FWD:
		if (rec[BTF_REC_SIZE_TYPE])
			verify_found(v, id, NO_ELEMENT, "a declaration's type word is zero");
		return;
	case BTF_FUNC:
		return check_func(v, id, rec);
	case BTF_VAR:
		return check_var(v, id, rec);
	case BTF_DATASEC:
		return check_datasec(v, id, rec);
	case BTF_FLOAT:
		return check_float(v, id, rec);
	case BTF_DECL_TAG:
		if ((int32_t)rec[BTF_REC_WORDS] < -1)
			verify_found(v, id, NO_ELEMENT, "a tag's component is -1 or an index");
		return;
	default:
		return;
	}
}

/*
 * Type tags come before all modifiers: tag -> tag -> const -> int. A chain that reaches a
 * type already checked is cut there, as the kernel does.
 */
static void check_tag_order(struct verify *v, uint32_t id)
{
	bool in_tags = verify_kind(v, id) == BTF_TYPE_TAG;
	uint32_t cur = id;

	for (int links = 0;; links++) {
		uint32_t kind = verify_kind(v, cur);

		if (!verify_is_modifier(kind))
			return;
		if (links == MAX_CHAIN) {
			verify_found(v, id, NO_ELEMENT, "at most 32 modifiers follow each other");
			return;
		}
		if (kind == BTF_TYPE_TAG && !in_tags) {
			verify_found(v, id, NO_ELEMENT, "type tags come before modifiers");
			return;
		}
		in_tags = kind == BTF_TYPE_TAG;
		if (cur < id)
			return;
		cur = btf_types_rec(&v->view->types, cur)[BTF_REC_SIZE_TYPE];
	}
}

static void check_limits(struct verify *v)
{
	const struct btf_view *view = v->view;

	if (!v->base && view->types.start.nr == 0)
		verify_found(v, 0, NO_ELEMENT, "there is at least one type");
	if (btf_types_end(&view->types) - 1 > MAX_ID)
		verify_found(v, 0, NO_ELEMENT, "there are at most 1048575 types");
	if (view->strings.len > (size_t)MAX_NAME + 1)
		verify_found(v, 0, NO_ELEMENT, "strings take at most 16 MiB");
}

/* By id; findings on one type stay in the order in which they were made. */
static int by_id(const void *a, const void *b)
{
	const struct btf_finding *const *x = a, *const *y = b;

	if ((*x)->id != (*y)->id)
		return (*x)->id < (*y)->id ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static void report(const struct verify *v, void (*found)(void *ctx, const struct btf_finding *f),
		   void *ctx)
{
	size_t nr = v->findings.nr;
	const struct btf_finding **sorted = mem_zalloc(nr, sizeof(*sorted));

	for (size_t i = 0; i < nr; i++)
		sorted[i] = &v->findings.items[i];
	qsort(sorted, nr, sizeof(*sorted), by_id);
	for (size_t i = 0; i < nr; i++)
		found(ctx, sorted[i]);
	free(sorted);
}

static void verify_release(struct verify *v)
{
	free(v->findings.items);
}

size_t btf_verify(const struct btf_view *view, const struct btf_view *base,
		  void (*found)(void *ctx, const struct btf_finding *f), void *ctx)
{
	CLEANUP(verify_release) struct verify v = { .view = view, .base = base };

	check_limits(&v);
	for (uint32_t id = view->types.first; id < btf_types_end(&view->types); id++) {
		uint32_t *rec = btf_types_rec(&view->types, id);

		check_common(&v, id, rec);
		check_by_kind(&v, id, rec);
		check_tag_order(&v, id);
	}
	verify_resolution(&v);
	report(&v, found, ctx);
	return v.findings.nr;
}
