/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_rule.h - the rules for BTF, and the findings where BTF breaks them
 *
 * The rules are those of kernel/bpf/btf.c of Linux 5.10 to 7.4, which stops at the first breach, and a few
 * additional ones about valid but useless content. docs/spec/kernel-rules.md has their history.
 */
#ifndef BTFENC_CHECK_BTF_RULE_H
#define BTFENC_CHECK_BTF_RULE_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum btf_rule_id {
	/* header and sections */
	RULE_HEADER_CUT,
	RULE_HEADER_LEN,
	RULE_HEADER_SHORT,
	RULE_HEADER_UNKNOWN,
	RULE_MAGIC,
	RULE_BYTE_ORDER,
	RULE_VERSION,
	RULE_FLAGS,
	RULE_NO_DATA,
	RULE_SECTION_OUTSIDE,
	RULE_SECTION_OVERLAP,
	RULE_SECTION_GAP,
	RULE_ARCHIVE,
	RULE_TYPES_ALIGNMENT,
	RULE_NO_TYPES,
	RULE_STRINGS_LAST,
	RULE_STRINGS_NONE,
	RULE_STRINGS_SIZE,
	RULE_STRINGS_END,
	RULE_STRINGS_FIRST,
	RULE_STRINGS_WHOLE,
	RULE_LAYOUT_ALIGNMENT,
	RULE_LAYOUT_SHORT,
	RULE_LAYOUT_SIZE,
	RULE_TOTAL_SIZE,

	/* records */
	RULE_RECORD_CUT,
	RULE_KIND,
	RULE_KIND_FLOAT,
	RULE_KIND_DECL_TAG,
	RULE_KIND_TYPE_TAG,
	RULE_KIND_ENUM64,
	RULE_KIND_LOC_PARAM,
	RULE_KIND_LOC_PROTO,
	RULE_KIND_LOCSEC,
	RULE_KIND_LAST = RULE_KIND_LOCSEC, /* a kind that kernels lack */
	RULE_ELEMENTS_MANY,
	RULE_TYPES_MANY,
	RULE_STRING_OUTSIDE,
	RULE_STRING_FAR,
	RULE_TYPE_MISSING,

	/* what a record says of itself */
	RULE_ELEMENTS,
	RULE_KIND_FLAG,
	RULE_KIND_FLAG_TAG,
	RULE_KIND_FLAG_ENUM,
	RULE_NAME_UNWANTED,
	RULE_NAME_MISSING,
	RULE_NAME_IDENTIFIER,
	RULE_NAME_SECTION,
	RULE_NAME_SECTION_IDENTIFIER,
	RULE_NAME_LONG,
	RULE_NAME_VALUE,
	RULE_INT_UNUSED,
	RULE_INT_BITS,
	RULE_INT_SIZE,
	RULE_INT_ENCODING,
	RULE_ARRAY_SIZE_WORD,
	RULE_ARRAY_VOID,
	RULE_ARRAY_INDEX_VOID,
	RULE_MEMBER_NAME,
	RULE_MEMBER_VOID,
	RULE_UNION_OFFSET,
	RULE_MEMBER_ORDER,
	RULE_MEMBER_START,
	RULE_ENUM_SIZE,
	RULE_ENUMERATOR_NAME,
	RULE_FLOAT_SIZE,
	RULE_FWD_TYPE_WORD,
	RULE_FUNC_LINKAGE,
	RULE_VAR_VOID,
	RULE_VAR_LINKAGE,
	RULE_SECTION_EMPTY,
	RULE_SECTION_NO_VARS,
	RULE_SECTION_VAR_VOID,
	RULE_SECTION_VAR_OVERLAP,
	RULE_SECTION_VAR_SIZE,
	RULE_SECTION_VAR_END,
	RULE_SECTION_VAR_WRAP,
	RULE_TAG_COMPONENT,
	RULE_TAG_ORDER,
	RULE_CHAIN,
	RULE_PLACE_SIZE,
	RULE_PLACE_FLAGS,
	RULE_PLACE_WORDS,
	RULE_PLACE_CONSTANT,
	RULE_PLACES_TYPE_WORD,
	RULE_SITES_PREFIX,
	RULE_SITE_VOID,

	/* where references lead */
	RULE_ADDR_SIZE,
	RULE_NO_TYPE,
	RULE_NO_TYPE_FUNC,
	RULE_VAR_SIZE,
	RULE_LOOP,
	RULE_DEPTH,
	RULE_ARRAY_INDEX,
	RULE_ARRAY_ELEMENT,
	RULE_ARRAY_BITS,
	RULE_ARRAY_HUGE,
	RULE_MEMBER_SIZE,
	RULE_MEMBER_END,
	RULE_MEMBER_BYTE,
	RULE_MEMBER_REACH,
	RULE_BITS_TYPE,
	RULE_BITS_WIDE,
	RULE_BITS_SPAN,
	RULE_FLOAT_ALIGNMENT,
	RULE_ENUM_PACKED,
	RULE_ENUM_END,
	RULE_SECTION_NO_VAR,
	RULE_SECTION_VAR_SMALL,
	RULE_SECTION_VAR_PASSED,
	RULE_SECTION_VAR_ORDER,
	RULE_TAG_TARGET,
	RULE_TAG_NO_COMPONENTS,
	RULE_TAG_COMPONENT_MISSING,
	RULE_FUNC_PROTO,
	RULE_FUNC_PARAM_NAME,
	RULE_PARAM_NAME,
	RULE_PARAM_SIZE,
	RULE_RETURN_SIZE,
	RULE_RETURN_VAR,
	RULE_DOTS_NAME,
	RULE_PLACES_NO_PLACE,
	RULE_SITE_FUNC,
	RULE_SITE_PLACES,
	RULE_SITE_NUMBER,

	/* definitions that are there twice */
	RULE_TWICE,
	RULE_TWICE_BASE,
	RULE_TWICE_FUNC,
	RULE_TWICE_SECTION,
	RULE_TWICE_VAR,
	RULE_TWICE_UNKNOWN,

	/* sites of inlined functions, and the sections of the file */
	RULE_SITES_NO_SECTION,
	RULE_SITES_NO_CODE,
	RULE_SITE_OUTSIDE,

	/* a distilled base, and the types over it */
	RULE_DISTILLED_UNKNOWN,
	RULE_DISTILLED_KIND,
	RULE_DISTILLED_NAME,
	RULE_DISTILLED_MISSING,
	RULE_DISTILLED_TWO,
	RULE_DISTILLED_STRING,

	NR_RULES,
};

struct btf_rule {
	const char *text; /* the violation; '#' is replaced by btf_finding.value */
	/* the kernel's function that checks the rule; NULL: it depends on the kind, see btf_rule_function() */
	const char *function;
	/*
	 * If not all known versions have it: the first version with the rule, 0 if Linux 5.10 has it, and the
	 * first without it, 0 if the last known version has it. docs/spec/kernel-rules.md names the commits.
	 */
	uint32_t since, before;
	/* the feature of btfenc-features(7) that adds what the kernel refuses, because it is older; or NULL */
	const char *feature;
	bool kernel;   /* the kernel refuses it, at least in BPF_BTF_LOAD */
	bool warning;  /* correct or harmless BTF may violate it */
	bool replaced; /* libbpf replaces it in the BTF of a program if the kernel refuses it */
};

/* A number that compares like the version of Linux. */
static inline uint32_t linux_version(uint32_t major, uint32_t minor)
{
	return major << 16 | minor;
}

/* The versions whose rules are known, and the one whose rules apply where none is given. */
enum { LINUX_OLDEST = 5 << 16 | 10, LINUX_DEFAULT = 6 << 16 | 12, LINUX_NEWEST = 7 << 16 | 4 };

/* Does Linux @version have the rule? 0: LINUX_DEFAULT. */
bool btf_rule_applies(enum btf_rule_id rule, uint32_t version);

/*
 * The kernel checks each kind in two passes. For a rule without `function`, the pass and the kind give the
 * function.
 */
enum btf_phase { PHASE_META, PHASE_RESOLVE };

struct btf_finding {
	enum btf_rule_id rule;
	uint32_t id;          /* the type; 0 for header, section, or the whole */
	uint32_t element;     /* member, parameter, ... of it; UINT32_MAX for none */
	const char *function; /* the kernel's function that checks the rule, or another subject */
	uint64_t offset;      /* in the BTF, if @id is 0 or its record cannot be read */
	uint64_t value;       /* replaces the '#' in the rule's text */
};

/* Owns @items. Zeroed is empty. */
struct btf_findings {
	struct btf_finding *items;
	size_t nr, cap;
};

/* The text of @f with its value, followed by its function. The caller frees it. */
MALLOC_LIKE char *btf_finding_text(const struct btf_finding *f);

void btf_findings_release(struct btf_findings *f);
/* Add a finding. @function: NULL for that of the rule. */
void btf_findings_add(struct btf_findings *f, uint32_t id, uint32_t element, enum btf_rule_id rule,
		      const char *function, uint64_t value);
/* Sort by id; findings of one type keep their order. */
void btf_findings_sort(struct btf_findings *f);

const struct btf_rule *btf_rule(enum btf_rule_id id);
/* The kernel's function for records of @kind in pass @phase. */
const char *btf_rule_function(uint32_t kind, enum btf_phase phase);

#endif
