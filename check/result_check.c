/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * result_check.c - see result_check.h
 *
 * Debug information may be whole, as far as its reader can tell, and say what no program has: a
 * member that is void, or behind the end of its struct. BTF can say so, too, but the kernel
 * refuses it all for one such record, and does so when it boots. Here it costs a few
 * milliseconds, and the message comes while there is still somebody to read it.
 */
#include "check/result_check.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "btf/btf_kind.h"
#include "check/btf_verify.h"

#include <stdlib.h>

/* Has C such names, as gcc and clang know it? */
static bool is_c_name(const char *name)
{
	const uint8_t *s = (const uint8_t *)name;

	if (!*s || (*s >= '0' && *s <= '9'))
		return false;
	while (*s) {
		bool plain = (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
			     (*s >= 'A' && *s <= 'Z') || *s == '_' || *s == '$' || *s == '.';
		size_t len = plain ? 1 : *s < 0x80 ? 0 : utf8_len(s);

		if (!len)
			return false;
		s += len;
	}
	return true;
}

static const char *name_of(const struct btf_view *v, const struct btf_finding *f)
{
	uint32_t *rec = btf_types_rec(&v->types, f->id);
	const uint32_t *name = btf_rec_name(rec, f->element == UINT32_MAX ? 0 : f->element + 1);

	return name ? btf_view_str(v, v->base, *name) : "";
}

static bool is_damage(const struct btf_view *v, const struct btf_finding *f)
{
	switch (f->rule) {
	case RULE_DEPTH: /* only BPF_BTF_LOAD minds, and it depends on the order of the types */
	case RULE_TYPES_MANY: /* a program can be so large: kernel_limits.h */
	case RULE_STRING_FAR:
	case RULE_ELEMENTS_MANY: /* BTF has no room for them: btf_image.h */
		return false;
	case RULE_NAME_IDENTIFIER:
	case RULE_MEMBER_NAME:
	case RULE_ENUMERATOR_NAME:
	case RULE_PARAM_NAME:
		return !is_c_name(name_of(v, f));
	default:
		/* what only later kernels take somebody has asked for */
		return !btf_rule(f->rule)->warning && !btf_rule(f->rule)->until;
	}
}

static struct err *report(const struct btf_view *v, const struct btf_finding *f)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);
	const uint32_t *rec = btf_types_rec(&v->types, f->id);
	struct err *e = err_new(ERR_FORMAT, "%s", text);

	if (f->id && f->element != UINT32_MAX)
		e = err_add_place(e, "element %u '%s'", f->element, name_of(v, f));
	if (f->id)
		e = err_add_place(e, "type %u '%s' (%s)", f->id,
				  btf_view_str(v, v->base, rec[BTF_REC_NAME]),
				  btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]))->name);
	return err_add_place(e, "what it says makes BTF that the kernel refuses");
}

struct err *result_check(const struct btf_view *v, uint8_t addr_size)
{
	CLEANUP(btf_findings_release) struct btf_findings found = { 0 };

	btf_verify(v, &(struct btf_verify_opts){ .addr_size = addr_size }, &found);
	for (size_t i = 0; i < found.nr; i++) {
		if (is_damage(v, &found.items[i]))
			return report(v, &found.items[i]);
	}
	return NULL;
}
