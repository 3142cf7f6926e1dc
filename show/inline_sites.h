/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline_sites.h - where functions are inlined, and where their parameters are there
 *
 * Code of an inlined function is a site, an element of a LOCSEC (docs/spec/encoding.md 15).
 */
#ifndef BTFENC_SHOW_INLINE_SITES_H
#define BTFENC_SHOW_INLINE_SITES_H

#include "base/err.h"
#include "base/text.h"
#include "btf/btf_view.h"
#include "loader/elf/object.h"

struct inline_site {
	uint32_t section; /* index in the file; 0: unknown */
	uint32_t offset;  /* in the section */
	uint32_t locsec;  /* the record that it is in */
	uint32_t func;    /* FUNC */
	uint32_t proto;   /* LOC_PROTO, which has as many places as the function has parameters */
	const char *section_name;
};

/*
 * Sorted by section, first those in unknown ones, by LOCSEC; then by offset, and in the order of the BTF. Zeroed is empty.
 * Borrows names.
 */
struct inline_sites {
	struct inline_site *items;
	size_t nr, cap;
};

/*
 * Find the sites in the types of @v and its bases from @first on. Sections are those of @o, or unknown if that is NULL, if
 * it has no section of the name, or several that have code. ERR_FORMAT if a record is not as the kernel requires.
 */
MUST_CHECK struct err *inline_sites_read(const struct btf_view *v, uint32_t first,
					 const struct object *o, struct inline_sites *ret);
void inline_sites_release(struct inline_sites *s);

/* A string of @v. */
static inline const char *inline_name(const struct btf_view *v, uint32_t off)
{
	return btf_view_str(v, v->base, off);
}

/* A parameter at a site. */
struct inline_param {
	const char *name;      /* "" if it has none */
	uint32_t type;         /* 0: the "..." of a variadic function */
	const uint32_t *place; /* LOC_PARAM; NULL: not known */
};

uint32_t inline_nr_params(const struct btf_view *v, const struct inline_site *s);
struct inline_param inline_param(const struct btf_view *v, const struct inline_site *s, uint32_t i);

/* The words of a LOC_PARAM. */
struct inline_place {
	uint32_t flags; /* BTF_LOC_* */
	uint32_t size;  /* of the parameter */
	uint64_t value; /* of a constant */
	int64_t offset;
	uint32_t regs[2];
	uint32_t nr_regs;
};

struct inline_place inline_place(const uint32_t *rec);

/* Append the type @id, as in "const char *". */
void inline_type_text(struct text *out, const struct btf_view *v, uint32_t id);
/* The type @id behind typedefs and qualifiers. 0: void, or there are too many of them. */
uint32_t inline_plain_type(const struct btf_view *v, uint32_t id);

#endif
