/* SPDX-License-Identifier: GPL-2.0-only */
/* report.h - everything that was omitted from one BTF or changed (omission.h), and what it takes to print it */
#ifndef BTFENC_ENCODER_REPORT_REPORT_H
#define BTFENC_ENCODER_REPORT_REPORT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "encoder/report/omission.h"
#include "loader/elf/symbols.h"

/* A section that is loaded. */
struct report_section {
	const char *name;
	size_t index; /* in the file */
	uint64_t addr, size;
	uint64_t end; /* of it and all before it, in the order of addresses */
};

struct report_location {
	const char *
		section; /* "": @addr is an address; else it counts from the start of the section */
	uint64_t addr;
	bool known;
};

enum { REPORT_NAMES = 3 };

/* A symbol that has the name of report.asked. */
struct report_symbol {
	bool is_known;
	bool is_undefined; /* it is not known, and the file refers to it */
	bool is_code;      /* it is in a section of code */
	uint64_t addr;     /* as in DWARF */
	struct report_location at;
	/* the other functions and variables at its address: their number, and the first names */
	size_t nr_same;
	const char *same[REPORT_NAMES];
};

/* A symbol of a copy or part of the function report.asked, such as "foo.isra.0". */
struct report_copy {
	const char *name;
	struct report_location at;
};

/*
 * Owns everything. Zeroed is empty. The caller sets @all and @asked, and for more names @also. After report_end(), @omissions are
 * sorted by omission_subject, then by name, by rule, and in the order of the input, and no keyword is NULL.
 */
struct report {
	bool all;          /* report everything, not only what is called @asked */
	const char *asked; /* NULL: no name */
	/*
	 * Reports on more names, which need @all: @asked, and what is found about this name. The rest is only here,
	 * see report_on(). Borrowed.
	 */
	struct report *also;
	size_t nr_also;

	bool begun; /* the input has something to encode; else @omissions has the files that should have */
	struct report_symbol symbol;
	size_t nr_copies; /* of the function @asked; the first are in @copied */
	struct report_copy copied[REPORT_NAMES];
	/* "foo" if @asked is a symbol like "foo.isra.0", which DWARF calls foo; or NULL */
	const char *copy_of;
	struct omissions omissions;
	struct asked_names also_asked; /* of @also */

	/* The string pool and the input file do not live as long as the report. */
	struct arena copies;
	VEC(const char *) func_names; /* of the symbol table, if there is a name @asked */
	const char **texts;           /* by string id: a copy, NULL if no omission has it */
	bool has_addrs;               /* addresses mean something: there is one input file */
	bool in_sections; /* it is relocatable, so they mean an offset in one of @sections */
	VEC(struct report_section) sections;
};

/* Numbers of omissions in the reports on one file, or on several. Zeroed is none. */
struct report_counts {
	/* by rule; an omission that stands for several variables or sites (NUMBER_COUNT) counts as these */
	uint64_t nr[NR_OMISSION_RULES];
	uint64_t nr_listed; /* omissions by the rules that are listed */
	size_t nr_files;
	size_t nr_failed; /* of these: there is no BTF, or a rule of --fatal applies */
};

/* Add @r, which is about one file, to @to. @rules: those that are listed. */
void report_count(const struct report *r, uint64_t rules, struct report_counts *to);
void report_counts_add(struct report_counts *to, const struct report_counts *from);

/* The report on the name @i: 0 for @r->asked, then those of @r->also. Borrows from @r, so it is not released. */
struct report report_on(const struct report *r, size_t i);

/* The text of a string id of @r->omissions; "" for 0. */
static inline const char *report_text(const struct report *r, uint32_t id)
{
	return id ? r->texts[id] : "";
}

struct report_location report_location(const struct report *r, uint64_t addr);
/* The address of @o, if its number is one; else 0. */
static inline uint64_t omission_addr(const struct omission *o)
{
	return omission_rules[o->rule].number == NUMBER_ADDRESS ? o->number : 0;
}

/*
 * Start an encoding with an empty report. @obj and @syms are the only input, or NULL if there are several. Returns
 * the list to fill.
 */
struct omissions *report_begin(struct report *r, struct str_pool *strings, const struct object *obj,
			       const struct symbols *syms);
/*
 * Sort the omissions, and keep what printing needs. @obj is the only input, or NULL if there are several. The
 * string ids below @func_names_end are those of functions in the symbol table.
 */
void report_end(struct report *r, const struct str_pool *strings, uint32_t func_names_end,
		const struct object *obj);
/*
 * ERR_FORMAT if @r has omissions by one of @rules, a set. The message names the first of them and counts the
 * others. @path: the file that @r is about.
 */
MUST_CHECK struct err *report_check(const struct report *r, const char *path, uint64_t rules);
void report_release(struct report *r);

#endif
