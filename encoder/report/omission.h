/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * omission.h - omissions: what the BTF lacks or has in another form, and by which rule
 *
 * Code that omits something calls omission_report(). This adds a diagnostic, for -V or as a warning.
 * If the user asked for a report (report.h), it also adds an entry to that. Scripts use the names of
 * the rules, so these never change. btfenc-report(5) describes each rule.
 *
 * Something that no requested feature covers is not an omission. The report has it only if the user
 * asked for its name.
 */
#ifndef BTFENC_ENCODER_REPORT_OMISSION_H
#define BTFENC_ENCODER_REPORT_OMISSION_H

#include "base/diagnostics.h"
#include "base/hash_table.h"
#include "base/vec.h"
#include "dedup/pool/str_pool.h"

enum omission_rule {
	/*
	 * functions: if several rules of pahole apply, the last of them in this order is
	 * reported (docs/spec/encoding.md 8.7)
	 */
	OMIT_FUNC_UNEXPECTED_REGISTER,
	OMIT_FUNC_INCONSISTENT_PROTOTYPE,
	OMIT_FUNC_UNCERTAIN_LOCATION,
	OMIT_FUNC_REORDERED_PARAMETERS,
	OMIT_FUNC_OPTIMIZED_PARAMETERS,
	OMIT_FUNC_AMBIGUOUS_ADDRESS,
	OMIT_FUNC_NO_SYMBOL,         /* 8.6 */
	OMIT_FUNC_NO_SYMTAB,         /* not in pahole's list: it compares with an empty table */
	OMIT_FUNC_UNNAMED_PARAMETER, /* 8.6 */
	OMIT_FUNC_NO_TYPE,
	OMIT_FUNC_NOT_ASKED,
	OMIT_FUNC_ONLY_COPIES,
	OMIT_FUNC_ONE_PROTOTYPE,
	OMIT_FUNC_TRUE_SIGNATURE, /* 8.9 */
	OMIT_FUNC_KFUNC,          /* 10.4 */
	OMIT_FUNC_KFUNC_NO_SYMBOL,
	/* variables: 9.2 */
	OMIT_VAR_NOT_ASKED,
	OMIT_VAR_NO_SECTION,
	OMIT_VAR_IN_FUNCTION,
	OMIT_VAR_OF_MACRO,
	OMIT_VAR_NO_SYMBOL,
	OMIT_VAR_INVALID_NAME,
	OMIT_VAR_NO_TYPE,
	OMIT_VAR_NO_SIZE,
	OMIT_VAR_BEYOND_4G,
	OMIT_VAR_OVERLAPS,
	OMIT_VAR_SEVERAL_DEFINITIONS,
	OMIT_VAR_SEVERAL_SYMBOLS,
	OMIT_VARS_DISCARDED,
	OMIT_VARS_OF_MACRO,
	OMIT_VARS_NOT_LINKED,
	/* copies of inlined functions: 15 */
	OMIT_SITES_NO_ADDRESS,
	OMIT_SITES_NO_SECTION,
	OMIT_SITES_INVALID_NAME,
	/* types: 6.1, 6.5 */
	OMIT_TYPE_FLOAT_SIZE,
	OMIT_TYPE_INT_SIZE,
	OMIT_TYPE_ONLY_SIZE,
	OMIT_TYPE_ENUM_VALUE,
	OMIT_TYPE_SEVERAL_DEFINITIONS,
	OMIT_TYPE_DIFFERS_FROM_BASE,
	OMIT_TYPE_REPEATS_BASE,
	/* members: 6.4 */
	OMIT_MEMBER_BEYOND_512M,
	OMIT_MEMBER_BEYOND_2M,
	OMIT_MEMBER_INSIDE_BYTE,
	OMIT_MEMBER_OF_UNION,
	OMIT_MEMBER_BITS,
	OMIT_MEMBER_OUTSIDE,
	OMIT_MEMBER_NO_PLACE,
	OMIT_MEMBER_ELSEWHERE,
	OMIT_MEMBER_NO_TYPE,
	/* units: 3, 5.3 */
	OMIT_UNIT_LANGUAGE,
	OMIT_UNIT_EXCLUDED,
	OMIT_UNIT_NO_DWO,
	OMIT_UNIT_NO_BTF,
	OMIT_UNIT_VOID_REFERENCES,
	OMIT_UNIT_UNKNOWN_ENTRIES,
	/* archives: check_members.c */
	OMIT_ARCHIVE_DAMAGED,
	OMIT_ARCHIVE_NO_FACTS,
	OMIT_ARCHIVE_NO_SYMTAB,
	OMIT_ARCHIVE_OTHER_OPTIONS,
	OMIT_ARCHIVE_MIXED,
	OMIT_ARCHIVE_LTO,
	/* .BTF_ids: 10 */
	OMIT_KFUNC_LOST,
	OMIT_ID_LOST,
	NR_OMISSION_RULES,
};

_Static_assert(OMIT_FUNC_KFUNC_NO_SYMBOL < 32, "a word has a bit for each rule of functions");
_Static_assert(NR_OMISSION_RULES <= 64, "a set of rules has a bit for each");

enum omission_subject {
	SUBJECT_FUNC,
	SUBJECT_VAR,
	SUBJECT_SITE, /* a copy of an inlined function */
	SUBJECT_TYPE,
	SUBJECT_MEMBER,
	SUBJECT_UNIT,
	SUBJECT_ARCHIVE, /* a member of it, or its file if omission.keyword is set */
	SUBJECT_ID,
};

enum omission_result {
	RESULT_LEFT_OUT,
	RESULT_CHANGED, /* the BTF differs from the input */
	RESULT_LOST,    /* .BTF_ids refers to it */
	RESULT_SEVERAL, /* the name has several definitions */
	NR_OMISSION_RESULTS,
};

/* The meaning of omission.number. */
enum omission_number { NUMBER_NONE, NUMBER_ADDRESS, NUMBER_BIT, NUMBER_BYTES, NUMBER_COUNT };

struct omission_rule_def {
	const char *id;  /* for scripts */
	const char *why; /* printed after "left out: " or "changed: " */
	enum omission_subject subject;
	enum omission_number number;
	enum omission_result result;
	/*
	 * Nothing that BTF could describe is missing, or the options ask for it. There can be many of these, so reports count
	 * them and do not list them by default.
	 */
	bool no_loss;
	/*
	 * The diagnostic: %n name, %p part, %u unit, %k keyword, %x number; %o the words " of unit" and the other
	 * unit. Without a unit, "unit '%u': " at the start is left out. NULL: there is none, because there would
	 * be too many.
	 */
	const char *note;
	enum diag_level level;
};

extern const struct omission_rule_def omission_rules[NR_OMISSION_RULES];

/* A set of rules. */
static inline uint64_t omission_rule_bit(enum omission_rule rule)
{
	return (uint64_t)1 << rule;
}

/* The rules by which something is lost: all without no_loss. */
uint64_t omission_rules_of_loss(void);

/* Strings are ids of the pool, 0 for none. */
struct omission {
	enum omission_rule rule;
	uint32_t name;
	uint32_t part; /* the member, the enumerator, the variable that is kept, or the function */
	uint32_t other_unit;  /* the unit of that variable */
	const char *keyword;  /* of a type or the owner of a field: "struct", ...; a literal */
	uint32_t unit;        /* the name of the unit, the first of @nr_units */
	uint32_t unit_number; /* of the last of them */
	uint32_t nr_units;
	uint64_t number; /* see omission_number */
	uint32_t proto;  /* of a function whose units agree on it: its prototype */
	size_t clash;    /* in omissions.clashes, plus 1; 0: none */
	/* in omissions.definitions */
	size_t definitions, nr_definitions;
	uint32_t also; /* other rules that apply to a function, a bit each */
};

/* One of two prototypes that differ. */
struct omission_proto {
	uint32_t text, unit; /* string ids */
	uint64_t addr;       /* 0: unknown */
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
	uint32_t unit, nr_units; /* string id of the first unit that has it */
	uint32_t difference;     /* string id: where it differs from another one; 0: nowhere */
	uint32_t bytes;
	bool in_base; /* no unit has it */
};

/* Names that the user asked for. Threads may share it. */
struct asked_names {
	struct hash_table names; /* of string ids, by hash_key32() */
	struct hash_table addrs; /* of indexes of @addr, plus 1 */
	VEC(uint64_t) addr;      /* of the symbols of these names that are known */
};

/* @addr: 0 if none is known. */
void asked_names_add(struct asked_names *a, uint32_t name, uint64_t addr);
void asked_names_release(struct asked_names *a);

static inline bool asked_names_have(const struct asked_names *a, uint32_t name, uint64_t addr)
{
	return (name && HASH_FIND(&a->names, hash_key32(name), i, true)) ||
	       (addr && HASH_FIND(&a->addrs, hash_key32((uint32_t)(addr ^ addr >> 32)), i,
				  a->addr.items[i - 1] == addr));
}

/* Owns its arrays. Zeroed is empty. */
struct omissions {
	struct omission *items;
	size_t nr, cap;
	VEC(struct omission_clash) clashes;
	VEC(struct omission_definition) definitions;
	bool all;                       /* report everything, not only items with the name @asked */
	uint32_t asked;                 /* string id of a name, 0 for none */
	uint64_t asked_addr;            /* of a symbol with this name, 0: none */
	const struct asked_names *also; /* more names; borrowed, NULL: none */
	struct hash_table index;        /* for omissions_merge(): indexes of @items, plus 1 */
};

/* Where omissions are reported. Borrows. */
struct omission_log {
	struct diagnostics *diags;
	const struct str_pool *strings;
	struct omissions *list; /* NULL: no report was requested */
	uint32_t unit, unit_number;
};

/* Report @o. If it has no unit, it gets the unit of the log. */
void omission_report(const struct omission_log *to, struct omission o);

/* Did the user ask for @name, or for a symbol at @addr, unless that is 0, which may have another name than DWARF has? */
static inline bool omissions_asked(const struct omissions *o, uint32_t name, uint64_t addr)
{
	return (name && o->asked == name) || (addr && o->asked_addr == addr) ||
	       (o->also && asked_names_have(o->also, name, addr));
}

/* Does the report include omissions of @name at @addr (0: anywhere) that have no diagnostic? */
static inline bool omission_wanted_at(const struct omission_log *to, uint32_t name, uint64_t addr)
{
	return unlikely(to->list) && (to->list->all || omissions_asked(to->list, name, addr));
}

static inline bool omission_wanted(const struct omission_log *to, uint32_t name)
{
	return omission_wanted_at(to, name, 0);
}

/* An empty list for the same names as @like. */
static inline struct omissions omissions_like(const struct omissions *like)
{
	return (struct omissions){ .all = like->all,
				   .asked = like->asked,
				   .asked_addr = like->asked_addr,
				   .also = like->also };
}

/*
 * Add the list @from of one unit to @to, and empty it. If several units report the same omission, @to has it
 * once.
 */
void omissions_merge(struct omissions *to, struct omissions *from);
void omissions_release(struct omissions *o);

#endif
