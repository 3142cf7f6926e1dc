/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check.h - everything that is wrong with bytes that should be BTF
 *
 * Where btf_view_open() stops at the first damage, because nothing can be made of such BTF, this
 * goes on as far as it makes sense and lists what it finds.
 */
#ifndef BTFENC_CHECK_BTF_CHECK_H
#define BTFENC_CHECK_BTF_CHECK_H

#include "base/bytes.h"
#include "btf/base_fit.h"
#include "btf/btf_view.h"
#include "check/btf_rule.h"

struct btf_check_opts {
	const struct btf_view *base; /* NULL: it must stand alone */
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
 * The result: what was found, by id, and the records, as far as they could be read. References
 * of these may lead nowhere: ask btf_check_str() for names. Borrows the bytes and the base.
 */
struct btf_check {
	struct btf_findings findings;
	struct btf_view view;
	bool readable;   /* there is a @view */
	bool sound;      /* and it can be used as btf_view_open() would have given it */
	bool other_base; /* it was made over another base, as @fit shows; nothing else was checked */
	struct base_fit fit;
};

/* Check @b, all of it, from header to strings. @ret must be zeroed; release it in any case. */
void btf_check_run(struct bytes b, const struct btf_check_opts *opts, struct btf_check *ret);
void btf_check_release(struct btf_check *c);

/* The string at @off of @v or what it stands on, NULL if there is none. */
const char *btf_check_str(const struct btf_view *v, uint32_t off);

/*
 * Can @split, which stands on a distilled base, be moved over to @base, as the kernel does it
 * with a module? Both have to be sound. What stands against it is added to @of_split or
 * @of_distilled, after whose types it is.
 */
void btf_check_relocation(const struct btf_view *split, const struct btf_view *base,
			  struct btf_findings *of_split, struct btf_findings *of_distilled);

#endif
