/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_opts.h - what to encode: one bit per feature of --btf_features */
#ifndef BTFENC_ENCODER_UNIT_ENCODE_OPTS_H
#define BTFENC_ENCODER_UNIT_ENCODE_OPTS_H

#include "base/name_list.h"
#include "btf/btf_wire.h"
#include "encoder/unit/compat.h"

#include <stddef.h>
#include <stdint.h>

/* Objects have these bits in .debug.btf (facts_block.h), so they stay what they are. */
enum btf_feature {
	FEATURE_ENCODE_FORCE = 1u << 0,
	FEATURE_VAR = 1u << 1,
	FEATURE_FLOAT = 1u << 2,
	FEATURE_DECL_TAG = 1u << 3,
	FEATURE_TYPE_TAG = 1u << 4,
	FEATURE_ENUM64 = 1u << 5,
	FEATURE_OPTIMIZED_FUNC = 1u << 6, /* no effect, as in pahole 1.31 */
	FEATURE_CONSISTENT_FUNC = 1u << 7,
	FEATURE_DECL_TAG_KFUNCS = 1u << 8,
	FEATURE_REPRODUCIBLE_BUILD = 1u << 9, /* always so */
	FEATURE_DISTILLED_BASE = 1u << 10,
	FEATURE_GLOBAL_VAR = 1u << 11,
	FEATURE_ATTRIBUTES = 1u << 12,
	FEATURE_TRUE_SIGNATURE = 1u << 13,
	FEATURE_LAYOUT = 1u << 14,
	FEATURE_BASE_TYPEDEFS = 1u << 15, /* not pahole's: what the base has as typedef is found */
	/* variables of sections that no other feature asks for, in a split BTF over the rest */
	FEATURE_VARS_APART = 1u << 16,
	FEATURE_FORCE_CU_MERGING = 1u << 17, /* all units are read as one */
	FEATURE_RUST_VARIANTS = 1u << 18,    /* not pahole's: enums with data have their variants */
	FEATURE_INLINE = 1u << 19,           /* the sites of inlined functions */
	FEATURE_INLINE_APART = 1u << 20, /* not pahole's: the same in a split BTF over the rest */
};

/* Filled by cmd/, const from then on. Borrows everything it points to. */
struct encode_opts {
	enum compat_level compat;
	uint32_t features; /* bits of enum btf_feature */
	unsigned int jobs; /* upper bound of threads besides the calling one; 0: none */
	bool verbose;
	bool facts;    /* make .debug.btf of a relocatable object (facts_block.h) */
	bool for_link; /* with @facts: its blocks have the BTF, and there is no .BTF */
	/* units of C are encoded even if the kernel refuses the result (result_check.h) */
	bool unchecked;
	/* no functions: the symbol table is not read */
	bool types_only;
	/*
	 * --btf_functions: only these functions are described, and with @kfuncs_too kfuncs; others count as if they were not
	 * linked. NULL: all
	 */
	const struct name_list *functions;
	bool kfuncs_too;
	/* for tests: ask libbpf's rule about every type, not only where names do not tell */
	bool dedup_by_rule;
	/* for tests: use @jobs threads, even for small inputs and on small machines */
	bool small_jobs;
	/* units in these languages (DW_LANG_*) are left out, or, if @lang_only, all others */
	const uint16_t *langs;
	size_t nr_langs;
	bool lang_only;
	/* units whose name starts with one of these are left out */
	const char *const *exclude_units;
	size_t nr_exclude_units;
	/* --kabi_prefix: a name that starts with it becomes it; NULL for none */
	const char *kabi_prefix;
};

static inline bool feature_on(const struct encode_opts *o, uint32_t feature)
{
	return (o->features & feature) != 0;
}

/* Is the function @name one of those that may be described? It may also be a kfunc. */
static inline bool encode_wants_func(const struct encode_opts *o, const char *name)
{
	return !o->functions || name_list_has(o->functions, name);
}

/* Are the sites of inlined functions wanted, wherever they go? */
static inline bool encode_wants_sites(const struct encode_opts *o)
{
	return feature_on(o, FEATURE_INLINE | FEATURE_INLINE_APART);
}

/* How many threads besides the calling one are worth their cost for @bytes of input: ordered_run(). */
unsigned int encode_jobs(const struct encode_opts *o, size_t bytes);

/*
 * The elements that one record may have. BTF with a layout is for Linux 7.1 and later, of which 7.2 and
 * later read more than 65,535; BTF with sites is for Linux 7.4 (docs/spec/kernel-rules.md).
 */
static inline uint32_t encode_max_vlen(const struct encode_opts *o)
{
	return feature_on(o, FEATURE_LAYOUT | FEATURE_INLINE) ? BTF_VLEN_MAX :
								KERNEL_MAX_VLEN_BEFORE_7_2;
}

#endif
