/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify.c - the rules of the kernel's BTF checker, record by record
 *
 * The kernel stops at the first violation. This reports all of them, for authors of programs that
 * generate BTF. btf_verify_resolve.c has the rules that need the targets of references resolved.
 *
 * The kernel applies these rules to the BTF of vmlinux when BPF first needs its types, and to that of
 * a module when the module is loaded. After a violation, BPF cannot use the types of vmlinux, or the
 * module is refused. The kernel applies the rules about resolution, and those about the names of
 * parameters, only to BTF that a program loads with BPF_BTF_LOAD. But it relies on them for vmlinux
 * and modules as well.
 *
 * Not checked: requirements of BPF for the types of map values (bpf_spin_lock, kptr), because they
 * depend on the running kernel.
 */
#include "check/btf_verify_internal.h"

#include "base/cleanup.h"
#include "base/compiler.h"

#include <string.h>

enum {
	MAX_CHAIN = 32
}; /* the number of types behind a modifier that the check of type tags visits */

/* Kernels lack the kinds from FLOAT on. The rules about that have the order of the kinds. */
_Static_assert(RULE_KIND_FLOAT + (BTF_NR_KINDS - 1 - BTF_FLOAT) == RULE_KIND_LAST,
	       "each kind from FLOAT on has a rule");

/*
 * The positions in an identifier at which each byte is valid. A table, because all names of the result
 * are checked. The kernel's isalpha() counts the letters of Latin-1 as letters, also in a UTF-8 name.
 */
enum { NOT_FIRST = 1, ANYWHERE = 2 };

static const uint8_t in_identifier[256] = {
	['0' ... '9'] = NOT_FIRST,  ['a' ... 'z'] = ANYWHERE,   ['A' ... 'Z'] = ANYWHERE,
	['_'] = ANYWHERE,           ['.'] = ANYWHERE,           [0xc0 ... 0xd6] = ANYWHERE,
	[0xd8 ... 0xf6] = ANYWHERE, [0xf8 ... 0xff] = ANYWHERE,
};

static bool is_printable(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || c >= 0xa0;
}

/* As in the kernel, since 6.1: at most 512 letters, digits, '_' and '.', no digit first. */
static bool is_identifier(const char *name)
{
	const uint8_t *s = (const uint8_t *)name;
	size_t len = 1;

	if (in_identifier[s[0]] != ANYWHERE)
		return false;
	while (len <= KERNEL_MAX_NAME && in_identifier[s[len]])
		len++;
	return len <= KERNEL_MAX_NAME && !s[len];
}

void verify_check_identifier(struct verify *v, uint32_t id, uint32_t element, uint32_t name,
			     enum btf_rule_id rule)
{
	const char *text = verify_name(v, name);

	if (!is_identifier(text))
		verify_add_finding(v, id, element, rule);
	else if (unlikely(v->short_names) && strlen(text) > KERNEL_MAX_NAME_BEFORE_6_1)
		verify_add_finding(v, id, element, RULE_NAME_LONG);
}

static bool is_section_name(const char *s)
{
	size_t len = 0;

	for (; len <= KERNEL_MAX_NAME && s[len]; len++) {
		if (!is_printable((unsigned char)s[len]))
			return false;
	}
	return len > 0 && len <= KERNEL_MAX_NAME;
}

static void check_name(struct verify *v, uint32_t id, uint32_t off, enum btf_name_rule rule)
{
	switch (rule) {
	case BTF_NAME_ANY:
		return;
	case BTF_NAME_NONE:
		if (off)
			verify_add_finding(v, id, NO_ELEMENT, RULE_NAME_UNWANTED);
		return;
	case BTF_NAME_OPTIONAL:
		if (off)
			verify_check_identifier(v, id, NO_ELEMENT, off, RULE_NAME_IDENTIFIER);
		return;
	case BTF_NAME_IDENTIFIER:
		if (!off)
			verify_add_finding(v, id, NO_ELEMENT, RULE_NAME_MISSING);
		else
			verify_check_identifier(v, id, NO_ELEMENT, off, RULE_NAME_IDENTIFIER);
		return;
	case BTF_NAME_SECTION:
		if (!off)
			verify_add_finding(v, id, NO_ELEMENT, RULE_NAME_MISSING);
		else if (!is_section_name(verify_name(v, off)))
			verify_add_finding(v, id, NO_ELEMENT, RULE_NAME_SECTION);
		else
			verify_check_identifier(v, id, NO_ELEMENT, off,
						RULE_NAME_SECTION_IDENTIFIER);
		return;
	case BTF_NAME_VALUE:
		if (!*verify_name(v, off))
			verify_add_finding(v, id, NO_ELEMENT, RULE_NAME_VALUE);
		return;
	}
}

/* The kernel limits the offset of a name, even if the string section is longer. */
static void check_name_reach(struct verify *v, uint32_t id, uint32_t *rec)
{
	const struct btf_view *view = v->view;
	uint32_t i = 0;

	if (view->str_base + view->strings.len <= KERNEL_MAX_STRING)
		return;
	btf_rec_each_name(rec, name)
	{
		if (*name > KERNEL_MAX_STRING)
			verify_add_finding_in(v, id, i ? i - 1 : NO_ELEMENT, RULE_STRING_FAR,
					      i ? NULL : "btf_check_meta", *name);
		i++;
	}
}

static void check_common(struct verify *v, uint32_t id, uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	uint32_t vlen = btf_rec_vlen(rec);

	/* a kernel may have 60,000 of such a kind */
	if (kind >= BTF_FLOAT && !btf_kind_in(kind, v->new_kinds)) {
		v->new_kinds |= 1u << kind;
		verify_add_finding(v, id, NO_ELEMENT, RULE_KIND_FLOAT + (kind - BTF_FLOAT));
	}
	if (vlen > KERNEL_MAX_VLEN_BEFORE_7_2)
		verify_add_finding_in(v, id, NO_ELEMENT, RULE_ELEMENTS_MANY, NULL, vlen);
	if (vlen && !l->elem && !l->vlen_is_linkage)
		verify_add_finding(v, id, NO_ELEMENT, RULE_ELEMENTS);
	if (!l->kflag && btf_rec_kflag(rec))
		verify_add_finding(v, id, NO_ELEMENT,
				   kind == BTF_TYPE_TAG || kind == BTF_DECL_TAG ?
					   RULE_KIND_FLAG_TAG :
				   kind == BTF_ENUM ? RULE_KIND_FLAG_ENUM :
						      RULE_KIND_FLAG);
	check_name(v, id, rec[BTF_REC_NAME], l->name_rule);
	check_name_reach(v, id, rec);
}

static void check_int(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t data = rec[BTF_REC_WORDS];
	uint32_t encoding = data >> 24 & 0xf, end = (data & 0xff) + (data >> 16 & 0xff);

	if (data & 0xf0000000)
		verify_add_finding(v, id, NO_ELEMENT, RULE_INT_UNUSED);
	if (end > 128)
		verify_add_finding_in(v, id, NO_ELEMENT, RULE_INT_BITS, NULL, end);
	if ((end + 7) / 8 > rec[BTF_REC_SIZE_TYPE])
		verify_add_finding_in(v, id, NO_ELEMENT, RULE_INT_SIZE, NULL, end);
	if (encoding & (encoding - 1) || encoding > BTF_ENC_BOOL)
		verify_add_finding(v, id, NO_ELEMENT, RULE_INT_ENCODING);
}

static void check_array(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (rec[BTF_REC_SIZE_TYPE])
		verify_add_finding(v, id, NO_ELEMENT, RULE_ARRAY_SIZE_WORD);
	if (!rec[BTF_REC_WORDS])
		verify_add_finding(v, id, NO_ELEMENT, RULE_ARRAY_VOID);
	if (!rec[BTF_REC_WORDS + 1])
		verify_add_finding(v, id, NO_ELEMENT, RULE_ARRAY_INDEX_VOID);
}

static void check_members(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], last = 0;
	bool is_union = btf_info_kind(info) == BTF_UNION;
	const uint32_t *m = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < btf_info_vlen(info); i++, m += 3) {
		uint32_t off = verify_bit_offset(btf_info_kflag(info), m[2]);

		if (m[0])
			verify_check_identifier(v, id, i, m[0], RULE_MEMBER_NAME);
		if (!m[1])
			verify_add_finding(v, id, i, RULE_MEMBER_VOID);
		if (is_union && off)
			verify_add_finding(v, id, i, RULE_UNION_OFFSET);
		if (off < last)
			verify_add_finding(v, id, i, RULE_MEMBER_ORDER);
		if (((uint64_t)off + 7) / 8 > rec[BTF_REC_SIZE_TYPE])
			verify_add_finding(v, id, i, RULE_MEMBER_START);
		last = off;
	}
}

static void check_enum(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint32_t size = rec[BTF_REC_SIZE_TYPE];
	uint32_t step = btf_rec_layout(rec)->elem;

	if (size > 8 || !size || size & (size - 1))
		verify_add_finding(v, id, NO_ELEMENT, RULE_ENUM_SIZE);
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++) {
		uint32_t name = rec[BTF_REC_WORDS + i * step];

		if (name)
			verify_check_identifier(v, id, i, name, RULE_ENUMERATOR_NAME);
		else
			verify_add_finding(v, id, i, RULE_ENUMERATOR_NAME);
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
		verify_add_finding(v, id, NO_ELEMENT, RULE_FLOAT_SIZE);
	}
}

static void check_var(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (!rec[BTF_REC_SIZE_TYPE])
		verify_add_finding(v, id, NO_ELEMENT, RULE_VAR_VOID);
	if (rec[BTF_REC_WORDS] > BTF_LINK_GLOBAL)
		verify_add_finding(v, id, NO_ELEMENT, RULE_VAR_LINKAGE);
}

static void check_datasec(struct verify *v, uint32_t id, const uint32_t *rec)
{
	uint64_t size = rec[BTF_REC_SIZE_TYPE], end = 0;
	const uint32_t *var = rec + BTF_REC_WORDS;

	if (!size)
		verify_add_finding(v, id, NO_ELEMENT, RULE_SECTION_EMPTY);
	if (!btf_rec_vlen(rec))
		verify_add_finding(v, id, NO_ELEMENT, RULE_SECTION_NO_VARS);
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3) {
		if (!var[0])
			verify_add_finding(v, id, i, RULE_SECTION_VAR_VOID);
		if (var[1] < end)
			verify_add_finding(v, id, i, RULE_SECTION_VAR_OVERLAP);
		if (!var[2])
			verify_add_finding(v, id, i, RULE_SECTION_VAR_SIZE);
		end = (uint64_t)var[1] + var[2];
		if (end > UINT32_MAX && var[1] < size && var[2] <= size)
			verify_add_finding(v, id, i, RULE_SECTION_VAR_WRAP);
		else if (end > size)
			verify_add_finding(v, id, i, RULE_SECTION_VAR_END);
		end = (uint32_t)end;
	}
}

static void check_func(struct verify *v, uint32_t id, const uint32_t *rec)
{
	if (btf_rec_vlen(rec) > BTF_LINK_GLOBAL)
		verify_add_finding(v, id, NO_ELEMENT, RULE_FUNC_LINKAGE);
}

/* The rules of single kinds. Each kind is listed, so that the compiler reports a new one. */
static void check_by_kind(struct verify *v, uint32_t id, const uint32_t *rec)
{
	switch (btf_rec_kind(rec)) {
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
			verify_add_finding(v, id, NO_ELEMENT, RULE_FWD_TYPE_WORD);
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
			verify_add_finding(v, id, NO_ELEMENT, RULE_TAG_COMPONENT);
		return;
	case BTF_LOC_PARAM:
		return verify_place(v, id, rec);
	case BTF_LOC_PROTO:
		return verify_places(v, id, rec);
	case BTF_LOCSEC:
		return verify_sites(v, id, rec);
	case BTF_UNKN:
	case BTF_PTR:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_FUNC_PROTO:
	case BTF_TYPE_TAG:
		return;
	}
}

/*
 * A chain of modifiers has at most 32 links. Before Linux 7.2, its type tags come first: tag -> tag ->
 * const -> int. A chain that reaches a type already checked is cut there, as the kernel does.
 */
static void check_chain(struct verify *v, uint32_t id)
{
	const char *function = v->tags_first ? NULL : "btf_check_modifier_chain_length";
	bool in_tags = verify_kind(v, id) == BTF_TYPE_TAG;
	uint32_t cur = id;

	for (int links = 0;; links++) {
		enum btf_kind kind = verify_kind(v, cur);

		if (!btf_kind_is_modifier(kind))
			return;
		if (links == MAX_CHAIN) {
			verify_add_finding_in(v, id, NO_ELEMENT, RULE_CHAIN, function, 0);
			return;
		}
		if (kind == BTF_TYPE_TAG && !in_tags && !function) {
			verify_add_finding(v, id, NO_ELEMENT, RULE_TAG_ORDER);
			return;
		}
		in_tags = kind == BTF_TYPE_TAG;
		if (cur < id || verify_is_spoilt(v, cur))
			return;
		cur = btf_types_rec(&v->view->types, cur)[BTF_REC_SIZE_TYPE];
	}
}

static void check_limits(struct verify *v)
{
	const struct btf_view *view = v->view;
	uint32_t end = btf_types_end(&view->types);

	if (!view->base && view->types.start.nr == 0)
		verify_add_finding(v, 0, NO_ELEMENT, RULE_NO_TYPES);
	if (end > KERNEL_MAX_TYPES)
		verify_add_finding_in(v, 0, NO_ELEMENT, RULE_TYPES_MANY, NULL, end - 1);
}

static uint8_t *list_kinds(const struct btf_types *t)
{
	uint8_t *kinds = mem_alloc(t->start.nr);

	for (size_t i = 0; i < t->start.nr; i++)
		kinds[i] = (uint8_t)btf_rec_kind(t->words.items + t->start.items[i]);
	return kinds;
}

void btf_verify(const struct btf_view *view, const struct btf_verify_opts *opts,
		struct btf_findings *ret)
{
	CLEANUP(mem_free) uint8_t *kinds = list_kinds(&view->types);
	struct verify v = {
		.view = view,
		.opts = opts,
		.kinds = kinds,
		.findings = ret,
		.short_names = btf_rule_applies(RULE_NAME_LONG, opts->version),
		.tags_first = btf_rule_applies(RULE_TAG_ORDER, opts->version),
	};
	bool chains = !opts->cut && btf_rule_applies(RULE_CHAIN, opts->version);

	check_limits(&v);
	for (uint32_t id = view->types.first; id < btf_types_end(&view->types); id++) {
		uint32_t *rec = btf_types_rec(&view->types, id);

		if (verify_is_spoilt(&v, id))
			continue;
		check_common(&v, id, rec);
		check_by_kind(&v, id, rec);
		if (chains)
			check_chain(&v, id);
	}
	if (opts->cut)
		return;
	v.phase = PHASE_RESOLVE;
	verify_resolution(&v);
}
