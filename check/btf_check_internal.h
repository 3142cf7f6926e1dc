/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_check_internal.h - the parts of btf_check_run() */
#ifndef BTFENC_CHECK_BTF_CHECK_INTERNAL_H
#define BTFENC_CHECK_BTF_CHECK_INTERNAL_H

#include "check/btf_check.h"

#include "base/vec.h"

/* A finding about the bytes at @offset of the BTF. */
static inline void check_found_at(struct btf_check *c, enum btf_rule_id rule, uint64_t offset,
				  uint64_t value)
{
	vec_push(&c->findings, ((struct btf_finding){ .rule = rule,
						      .element = UINT32_MAX,
						      .function = btf_rule(rule)->function,
						      .offset = offset,
						      .value = value }));
}

/* Where the sections are. */
struct check_frame {
	bool swap;
	struct bytes types, strings;
	struct bytes layout;   /* empty if there is none, or a malformed one */
	uint64_t types_offset; /* in the BTF */
};

/* Check header and sections. False: records or strings cannot be read. */
bool check_frame(struct btf_check *c, struct bytes b, const struct btf_check_opts *opts,
		 struct check_frame *ret);

/*
 * Find duplicate definitions and names. @v is sound. Over a .BTF.base it repeats typedefs of the real
 * base, which are not reported.
 */
void check_twice(const struct btf_view *v, bool over_distilled, struct btf_findings *ret);

/* Does @v, which is sound, have only what the encoder puts into a .BTF.base: names and sizes? */
bool check_is_distilled(const struct btf_view *v);
/* Check that @v, which is sound, has only what a .BTF.base may have. */
void check_distilled(const struct btf_view *v, struct btf_findings *ret);

#endif
