/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * omission.h - what was left out of the BTF, or changed, and by which rule
 *
 * Whoever leaves something out says so here, once. It becomes a note, for -V or as a warning, and
 * if a report is wanted (report.h) an entry of that. A rule has a name, which scripts know and
 * which does not change; btfenc-report(5) says of each what it means.
 *
 * What the features do not ask for is not left out: nobody expects it, but who asks for its name.
 */
#ifndef BTFENC_ENCODER_REPORT_OMISSION_H
#define BTFENC_ENCODER_REPORT_OMISSION_H

#include "base/diagnostics.h"
#include "base/hash_table.h"
#include "dedup/pool/str_pool.h"

enum omission_rule {
	/*
	 * functions: those of pahole, in the order in which the last counts
	 * (docs/spec/encoding.md 8.7)
	 */
	RULE_FUNC_UNEXPECTED_REGISTER,
	RULE_FUNC_INCONSISTENT_PROTOTYPE,
	RULE_FUNC_UNCERTAIN_LOCATION,
	RULE_FUNC_REORDERED_PARAMETERS,
	RULE_FUNC_OPTIMIZED_PARAMETERS,
	RULE_FUNC_AMBIGUOUS_ADDRESS,
	RULE_FUNC_NO_SYMBOL,         /* 8.6 */
	RULE_FUNC_NO_SYMTAB,         /* not in pahole's list: it compares with an empty table */
	RULE_FUNC_UNNAMED_PARAMETER, /* 8.6 */
	RULE_FUNC_NO_TYPE,
	RULE_FUNC_ONLY_COPIES,
	RULE_FUNC_ONE_PROTOTYPE,
	RULE_FUNC_TRUE_SIGNATURE, /* 8.9 */
	/* variables: 9.2 */
	RULE_VAR_NOT_ASKED,
	RULE_VAR_NO_SECTION,
	RULE_VAR_OF_MACRO,
	RULE_VAR_NO_SYMBOL,
	RULE_VAR_INVALID_NAME,
	RULE_VAR_NO_TYPE,
	RULE_VAR_NO_SIZE,
	RULE_VAR_BEYOND_4G,
	RULE_VAR_OVERLAPS,
	RULE_VAR_SEVERAL_SYMBOLS,
	RULE_VARS_DISCARDED,
	RULE_VARS_OF_MACRO,
	RULE_VARS_NOT_LINKED,
	/* types: 6.1, 6.5 */
	RULE_TYPE_FLOAT_SIZE,
	RULE_TYPE_INT_SIZE,
	RULE_TYPE_ENUM_VALUE,
	RULE_TYPE_SEVERAL_DEFINITIONS,
	RULE_TYPE_DIFFERS_FROM_BASE,
	RULE_TYPE_REPEATS_BASE,
	/* members: 6.4 */
	RULE_MEMBER_BEYOND_512M,
	RULE_MEMBER_BEYOND_2M,
	RULE_MEMBER_INSIDE_BYTE,
	RULE_MEMBER_OF_UNION,
	RULE_MEMBER_NO_TYPE,
	/* units: 3, 5.3 */
	RULE_UNIT_LANGUAGE,
	RULE_UNIT_EXCLUDED,
	RULE_UNIT_NO_DWO,
	RULE_UNIT_NO_BTF,
	RULE_UNIT_VOID_REFERENCES,
	RULE_UNIT_UNKNOWN_ENTRIES,
	/* what .BTF_ids asks for: 10 */
	RULE_KFUNC_LOST,
	RULE_ID_LOST,
	NR_OMISSION_RULES,
};

enum omission_subject {
	SUBJECT_FUNC,
	SUBJECT_VAR,
	SUBJECT_TYPE,
	SUBJECT_MEMBER,
	SUBJECT_UNIT,
	SUBJECT_ID,
};

enum omission_result {
	RESULT_LEFT_OUT,
	RESULT_CHANGED, /* it is in the BTF, but not as the input has it */
	RESULT_LOST,    /* .BTF_ids asks for it in vain */
	RESULT_SEVERAL, /* there is more than one of the name */
	NR_OMISSION_RESULTS,
};

/* What omission.number is, if anything. */
enum omission_number { NUMBER_NONE, NUMBER_ADDRESS, NUMBER_BIT, NUMBER_BYTES, NUMBER_COUNT };

struct omission_rule_def {
	const char *id;  /* for scripts */
	const char *why; /* for people: what follows "left out: " or "changed: " */
	enum omission_subject subject;
	enum omission_number number;
	enum omission_result result;
	/*
	 * The note: %n name, %p part, %u unit, %o other unit, %k keyword, %x number. NULL: none is
	 * made, there would be too many.
	 */
	const char *note;
	enum diag_level level;
};

extern const struct omission_rule_def omission_rules[NR_OMISSION_RULES];

/* Strings are ids of the pool, 0 for none. */
struct omission {
	enum omission_rule rule;
	uint32_t name;
	uint32_t part;        /* the member, the enumerator, the variable that is kept */
	uint32_t other_unit;  /* whose that variable is */
	const char *keyword;  /* of a type or the owner of a member: "struct", ...; a literal */
	uint32_t unit;        /* the name of the unit, the first of @nr_units */
	uint32_t unit_number; /* by which units are told apart: of the last of them */
	uint32_t nr_units;
	uint64_t number; /* see omission_number */
	size_t clash;    /* in omissions.clashes, plus 1; 0: none */
	/* in omissions.definitions: of a name that has several */
	size_t definitions, nr_definitions;
	uint32_t also; /* rules by which it would be left out as well, a bit each */
};

/* One of two prototypes that are not the same. */
struct omission_proto {
	uint32_t text, unit; /* string ids */
	uint64_t addr;       /* 0: not known */
};

/* The first part in which two prototypes differ, in this order. */
enum proto_part { PROTO_SAME, PROTO_NR_PARAMS, PROTO_RETURN, PROTO_PARAM };

struct omission_clash {
	struct omission_proto a, b;
	enum proto_part part;
	uint32_t param; /* PROTO_PARAM: from 1 on */
};

/* One of several definitions of a name. */
struct omission_definition {
	uint32_t unit, nr_units; /* string id of the first that says it */
	uint32_t difference;     /* string id: what it has that another one has not; 0: nothing */
	uint32_t bytes;
	bool in_base; /* no unit says it */
};

/* Owns its arrays. Zeroed is empty. */
struct omissions {
	struct omission *items;
	size_t nr, cap;
	struct {
		struct omission_clash *items;
		size_t nr, cap;
	} clashes;
	struct {
		struct omission_definition *items;
		size_t nr, cap;
	} definitions;
	bool all;                /* everything that was expected, else only what is called @asked */
	uint32_t asked;          /* string id of the name that somebody asks for; 0: none */
	struct hash_table index; /* for omissions_merge(): of items, plus 1 */
};

/* Who is to be told. Borrows. */
struct omission_log {
	struct diagnostics *diags;
	const struct str_pool *strings;
	struct omissions *list; /* NULL: no report is wanted */
	uint32_t unit, unit_number;
};

/* Tell @to of @o, which is of the unit of the log if it says none. */
void omission_report(const struct omission_log *to, struct omission o);

/* Is anybody interested in what is not told of by a note? Only then it need be looked for. */
static inline bool omission_wanted(const struct omission_log *to, uint32_t name)
{
	return unlikely(to->list) && (to->list->all || (name && to->list->asked == name));
}

/* An empty list that takes what @like takes. */
static inline struct omissions omissions_like(const struct omissions *like)
{
	return (struct omissions){ .all = like->all, .asked = like->asked };
}

/* Add what unit @from says to @to, where what several units say stands once. Empties @from. */
void omissions_merge(struct omissions *to, struct omissions *from);
void omissions_release(struct omissions *o);

#endif
