/* SPDX-License-Identifier: GPL-2.0-only */
/* report.h - everything that was omitted from one BTF or changed, with texts (omission.h) */
#ifndef BTFENC_ENCODER_REPORT_REPORT_H
#define BTFENC_ENCODER_REPORT_REPORT_H

#include "base/arena.h"
#include "base/edit_distance.h"
#include "base/err.h"
#include "base/vec.h"
#include "encoder/report/omission.h"
#include "loader/elf/object.h"

/* The location of something. A text is "" if it is unknown. */
struct report_place {
	const char *unit;
	const char *section; /* of a relocatable file: @addr counts from its start */
	uint64_t addr;
	bool has_addr;
};

/* The prototype of one unit. */
struct report_proto {
	const char *text;
	struct report_place at;
};

struct report_clash {
	struct report_proto a, b;
	const struct omission_clash *how;
};

/* One of several definitions of a name. */
struct report_definition {
	const char *unit; /* the first of @nr_units; "" if no unit has it */
	uint32_t nr_units;
	bool in_base;
	uint32_t bytes;         /* 0: it has no size */
	const char *difference; /* "" for the first, or if there is none */
};

struct report_entry {
	enum omission_rule rule;
	const char *name;    /* "" if it has none */
	const char *part;    /* the field, the enumerator, the variable that is kept; or "" */
	const char *keyword; /* "struct", ...; or "" */
	const char *other_unit;
	struct report_place at; /* in the first of @nr_units */
	uint32_t nr_units;      /* 0: it is of no unit */
	uint64_t number;
	uint32_t also; /* functions: other rules by which it would be omitted, a bit each */
	const struct report_clash *clash; /* NULL: none */
	const struct report_definition *definitions;
	size_t nr_definitions; /* mostly 0 */
};

/*
 * Owns everything. Zeroed is empty. The caller sets @all and @asked. Entries are sorted by
 * omission_subject, then by name, by rule, and in the order of the input.
 */
struct report {
	bool all;          /* report everything, not only what is called @asked */
	const char *asked; /* NULL: no name */

	bool begun; /* the input has something to encode */
	/* of the functions in the symbol table the one whose name is most similar to @asked */
	struct nearest similar;

	VEC(struct report_entry) entries;
	struct omissions found;
	struct arena texts;
};

/* Start an encoding with an empty report. Returns the list to fill. */
struct omissions *report_begin(struct report *r, struct str_pool *strings);
/*
 * Make the entries. @obj is the only input, or NULL if there are several. The string ids below
 * @func_names_end are those of functions in the symbol table.
 */
void report_end(struct report *r, const struct str_pool *strings, uint32_t func_names_end,
		const struct object *obj);
/*
 * ERR_FORMAT if @r has entries by one of @rules, a set. The message names the first of them and counts the
 * others. @path: the file that @r is about.
 */
MUST_CHECK struct err *report_check(const struct report *r, const char *path, uint64_t rules);
void report_release(struct report *r);

#endif
