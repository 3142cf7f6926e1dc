/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * result_check.c - see result_check.h
 *
 * Damaged debug information may be readable and still describe types that no program has: a void
 * member, or one behind the end of its struct. BTF can represent these, but for one such record
 * the kernel refuses the whole BTF when it boots. This check takes a few milliseconds and reports the
 * record at build time.
 */
#include "check/result_check.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "btf/btf_kind.h"
#include "check/btf_verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_name_rule(enum btf_rule_id rule)
{
	return rule == RULE_NAME_IDENTIFIER || rule == RULE_MEMBER_NAME ||
	       rule == RULE_ENUMERATOR_NAME || rule == RULE_PARAM_NAME;
}

/* Does every kernel refuse the BTF because of @f? Not so if result_check_limits() warns of it. */
static bool is_refused(const struct btf_view *v, const struct btf_finding *f)
{
	if (is_name_rule(f->rule) && strlen(name_of(v, f)) > KERNEL_MAX_NAME)
		return false;
	if (f->rule ==
	    RULE_DEPTH) /* only BPF_BTF_LOAD minds, and it depends on the order of the types */
		return false;
	if (f->rule == RULE_TYPES_MANY) /* a program can be so large: result_check_limits() */
		return false;
	/* these need an option: BTF that only later kernels accept */
	if (f->rule == RULE_STRING_FAR || f->rule == RULE_ELEMENTS_MANY ||
	    f->rule == RULE_KIND_FLAG_TAG || f->rule == RULE_KIND_LOC_PARAM ||
	    f->rule == RULE_KIND_LOC_PROTO || f->rule == RULE_KIND_LOCSEC)
		return false;
	return !btf_rule(f->rule)->warning;
}

/* Can @f not come from the source of a C program? */
static bool is_damage(const struct btf_view *v, const struct btf_finding *f)
{
	return is_name_rule(f->rule) ? !is_c_name(name_of(v, f)) : is_refused(v, f);
}

static struct err *report(const struct btf_view *v, const struct btf_finding *f)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);
	const uint32_t *rec = btf_types_rec(&v->types, f->id);
	struct err *e = err_new(ERR_FORMAT, "%s", text);

	if (f->id && f->element != UINT32_MAX)
		e = err_add_context(e, "element %u '%s'", f->element, name_of(v, f));
	if (f->id)
		e = err_add_context(e, "type %u '%s' (%s)", f->id,
				    btf_view_str(v, v->base, rec[BTF_REC_NAME]),
				    btf_rec_layout(rec)->name);
	return err_add_context(e, "the kernel would refuse its BTF");
}

enum { NAME_PRINTED = 40 };

/* Warn of @nr findings, of which @f is the first. */
static void warn(const struct btf_view *v, const struct btf_finding *f, size_t nr, bool all_c,
		 const char *path, struct diagnostics *diags)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);
	bool by_language = !all_c && is_name_rule(f->rule);

	diag_add(
		diags, DIAG_WARNING,
		"'%s': the kernel will not load this BTF: %zu error%s, the first in type %u '%.*s': %s; btfenc --btf_check lists them%s",
		path, nr, nr == 1 ? "" : "s", f->id, NAME_PRINTED, name_of(v, f), text,
		by_language ? ", and --lang_exclude leaves out units of other languages than C" :
			      "");
}

struct err *result_check_rules(const struct btf_view *v, uint8_t addr_size, bool all_c,
			       const char *path, struct diagnostics *diags)
{
	CLEANUP(btf_findings_release) struct btf_findings found = { 0 };
	const struct btf_finding *first = NULL;
	size_t nr = 0;

	btf_verify(v, &(struct btf_verify_opts){ .addr_size = addr_size }, &found);
	for (size_t i = 0; i < found.nr; i++) {
		const struct btf_finding *f = &found.items[i];

		if (all_c && is_damage(v, f))
			return report(v, f);
		if (!is_refused(v, f))
			continue;
		if (!first || f->id < first->id)
			first = f;
		nr++;
	}
	if (first)
		warn(v, first, nr, all_c, path, diags);
	return NULL;
}

/* Is one of the strings too long for a name? Reads one byte in 500 or so. */
static bool any_is_long(struct bytes strings)
{
	size_t pos = 0;

	while (strings.len - pos > KERNEL_MAX_NAME) {
		const uint8_t *end = memrchr(strings.ptr + pos, '\0', KERNEL_MAX_NAME + 1);

		if (!end)
			return true;
		pos = (size_t)(end - strings.ptr) + 1;
	}
	return false;
}

/* The string of a tag may have any length. */
static bool has_names(const uint32_t *rec)
{
	return btf_rec_kind(rec) != BTF_DECL_TAG && btf_rec_kind(rec) != BTF_TYPE_TAG;
}

static void report_long_names(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			      const char *path, struct diagnostics *diags)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		uint32_t *rec = btf_types_rec(t, id);

		if (!has_names(rec))
			continue;
		btf_rec_each_name(rec, name)
		{
			/* the others are strings of the base */
			if (*name < str_base || *name - str_base >= strings.len)
				continue;

			const char *text = (const char *)strings.ptr + (*name - str_base);
			size_t len = strlen(text);
			if (len <= KERNEL_MAX_NAME)
				continue;
			diag_add(
				diags, DIAG_WARNING,
				"'%s': type %u: the name '%.*s...' has %zu bytes; the kernel refuses more than %d",
				path, id, NAME_PRINTED, text, len, KERNEL_MAX_NAME);
			return;
		}
	}
}

static void report_wide_type(const struct btf_types *t, const char *path, struct diagnostics *diags)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id);
		uint32_t vlen = btf_rec_vlen(rec);

		/* a kernel that knows LOCSEC accepts any number of sites */
		if (likely(vlen <= KERNEL_MAX_VLEN_BEFORE_7_2) || btf_rec_kind(rec) == BTF_LOCSEC)
			continue;
		diag_add(diags, DIAG_WARNING,
			 "'%s': type %u has %u elements; Linux before 7.2 refuses more than %d",
			 path, id, vlen, KERNEL_MAX_VLEN_BEFORE_7_2);
		return;
	}
}

void result_check_limits(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			 const char *path, struct diagnostics *diags)
{
	if (btf_types_end(t) > KERNEL_MAX_TYPES)
		diag_add(diags, DIAG_WARNING,
			 "'%s': %u types; the kernel drops those after the first %d", path,
			 btf_types_end(t) - 1, KERNEL_MAX_TYPES - 1);
	if (strings.len > (size_t)KERNEL_MAX_STRING + 1)
		diag_add(diags, DIAG_WARNING,
			 "'%s': %zu bytes of strings; the kernel refuses more than %d", path,
			 strings.len, KERNEL_MAX_STRING + 1);
	report_wide_type(t, path, diags);
	if (any_is_long(strings))
		report_long_names(t, strings, str_base, path, diags);
}
