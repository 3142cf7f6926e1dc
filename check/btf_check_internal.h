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
	uint64_t types_offset; /* in the BTF */
};

/* Header and sections. False: records or strings cannot be read, or would make no sense. */
bool check_frame(struct btf_check *c, struct bytes b, const struct btf_check_opts *opts,
		 struct check_frame *ret);

/*
 * Definitions that are there twice, and what looks like it. @v is sound; if it is over a .BTF.base,
 * it has copies of typedefs that stood in the real one.
 */
void check_twice(const struct btf_view *v, bool over_distilled, struct btf_findings *ret);

/* Is it what a .BTF.base may have? @v is sound. */
void check_distilled(const struct btf_view *v, struct btf_findings *ret);

#endif
