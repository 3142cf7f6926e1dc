/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check.h - find all errors of BTF
 *
 * btf_view_open() stops at the first error. btf_check_run() continues as far as possible and lists all
 * errors.
 */
#ifndef BTFENC_CHECK_BTF_CHECK_H
#define BTFENC_CHECK_BTF_CHECK_H

#include "base/bytes.h"
#include "btf/base_fit.h"
#include "btf/btf_view.h"
#include "check/btf_rule.h"

struct btf_check_opts {
	const struct btf_view *base; /* NULL: none */
	uint32_t version;            /* a linux_version(), 0: LINUX_DEFAULT */
	uint8_t addr_size;           /* of a pointer, 4 or 8; 0: unknown */
	bool distilled;              /* this is a .BTF.base */
	bool over_distilled;         /* @base is one */
	enum btf_check_order {
		CHECK_ANY_ORDER, /* or the base's */
		CHECK_HOST_ORDER,
		CHECK_OTHER_ORDER,
	} order;
};

/*
 * The findings, by id, and the records that could be read. Their references may be out of range: use
 * btf_check_str() for names. Borrows the bytes and the base.
 */
struct btf_check {
	struct btf_findings findings;
	struct btf_view view;
	bool readable;   /* there is a @view */
	bool cut;        /* a record cannot be read: @view ends before it */
	bool sound;      /* @view is as good as one of btf_view_open() */
	bool other_base; /* it belongs to another base, see @fit; nothing else was checked */
	struct base_fit fit;
};

/* Check @b, all of it, from header to strings. @ret must be zeroed; release it in any case. */
void btf_check_run(struct bytes b, const struct btf_check_opts *opts, struct btf_check *ret);
void btf_check_release(struct btf_check *c);

/* The string at @off of @v or its bases, NULL if there is none. */
const char *btf_check_str(const struct btf_view *v, uint32_t off);

/*
 * Check whether @split, whose base is distilled, can be relocated to @base, as the kernel does for a
 * module. Both must be sound. Obstacles are added to @of_split or @of_distilled, the one whose types
 * they concern.
 */
void btf_check_relocation(const struct btf_view *split, const struct btf_view *base,
			  struct btf_findings *of_split, struct btf_findings *of_distilled);

struct file_section {
	const char *name;
	uint64_t size;
	bool executable;
};

/* Check the sites of inlined functions in @c->view, if that is sound, against the @sections of its file. Sorts these. */
void btf_check_sites(struct btf_check *c, struct file_section *sections, size_t nr);

#endif
