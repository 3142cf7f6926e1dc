/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_sites.c - check the sites of inlined functions against the sections of their file
 *
 * The kernel cannot: it does not keep the names of its sections.
 */
#include "check/btf_check.h"

#include <string.h>

enum { NO_ELEMENT = UINT32_MAX };

/* The best section of this name, NULL for none. An object has several, for example in groups. */
static const struct file_section *find_section(const struct file_section *sections, size_t nr,
					       const char *name)
{
	const struct file_section *best = NULL;

	for (size_t i = 0; i < nr; i++) {
		const struct file_section *s = &sections[i];

		if (strcmp(s->name, name) != 0)
			continue;
		if (!best || s->executable > best->executable ||
		    (s->executable == best->executable && s->size > best->size))
			best = s;
	}
	return best;
}

static void check_section(const struct file_section *sections, size_t nr, const struct btf_view *v,
			  uint32_t id, struct btf_findings *ret)
{
	const uint32_t *rec = btf_types_rec(&v->types, id), *site = rec + BTF_REC_WORDS;
	const char *name = btf_locsec_section(btf_view_str(v, v->base, rec[BTF_REC_NAME]));
	const struct file_section *section;

	if (!name)
		return; /* no other name tells which section it is */
	section = find_section(sections, nr, name);
	if (!section || !section->executable) {
		btf_findings_add(ret, id, NO_ELEMENT,
				 section ? RULE_SITES_NO_CODE : RULE_SITES_NO_SECTION, NULL, 0);
		return;
	}
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS) {
		if (site[BTF_SITE_OFFSET] >= section->size)
			btf_findings_add(ret, id, i, RULE_SITE_OUTSIDE, NULL, section->size);
	}
}

void btf_check_sites(struct btf_check *c, const struct file_section *sections, size_t nr)
{
	const struct btf_types *t = &c->view.types;
	size_t before = c->findings.nr;

	if (!c->sound)
		return;
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		if (btf_rec_kind(btf_types_rec(t, id)) == BTF_LOCSEC)
			check_section(sections, nr, &c->view, id, &c->findings);
	}
	if (c->findings.nr > before)
		btf_findings_sort(&c->findings);
}
