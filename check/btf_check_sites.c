/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_sites.c - check the sites of inlined functions against the sections of their file
 *
 * The kernel checks no offset of a site.
 */
#include "check/btf_check.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ELEMENT = UINT32_MAX };

/* By name; of several with one name, as an object has them in groups, the one that fits most sites comes first. */
static int compare_sections(const void *a, const void *b)
{
	const struct file_section *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	if (names)
		return names;
	if (x->executable != y->executable)
		return x->executable ? -1 : 1;
	return (x->size < y->size) - (x->size > y->size);
}

/* The first section of this name, NULL for none. */
static const struct file_section *find_section(const struct file_section *sections, size_t nr,
					       const char *name)
{
	size_t at = LOWER_BOUND(0, nr, i, strcmp(sections[i].name, name) < 0);

	return at < nr && !strcmp(sections[at].name, name) ? &sections[at] : NULL;
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

void btf_check_sites(struct btf_check *c, struct file_section *sections, size_t nr)
{
	const struct btf_types *t = &c->view.types;
	size_t before = c->findings.nr;

	if (!c->sound)
		return;
	if (nr)
		qsort(sections, nr, sizeof(*sections), compare_sections);
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		if (btf_rec_kind(btf_types_rec(t, id)) == BTF_LOCSEC)
			check_section(sections, nr, &c->view, id, &c->findings);
	}
	if (c->findings.nr > before)
		btf_findings_sort(&c->findings);
}
