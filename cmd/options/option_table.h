/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_table.h - all options: the parser, --help, the completions and the tests of the man page read it
 *
 * It contains all options of pahole 1.32. btfenc refuses those that it does not have by name, and so
 * accepts the same abbreviations as pahole.
 */
#ifndef BTFENC_CMD_OPTIONS_OPTION_TABLE_H
#define BTFENC_CMD_OPTIONS_OPTION_TABLE_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The action of the parser for an option. @field is the offset of a field of struct options. */
enum option_use {
	USE_NOTHING, /* accepted without effect */
	USE_REFUSED, /* an option of pahole that btfenc does not have */

	USE_SET,         /* @field, a bool, becomes true */
	USE_NUMBER,      /* @field, a uint32_t, becomes a number from @least to @most */
	USE_STRING,      /* @field is the argument */
	USE_FILE,        /* the same; it is not empty */
	USE_OUTPUT,      /* the same; "-" is standard output */
	USE_ACTION,      /* options.action becomes @number */
	USE_FORM,        /* options.show.form becomes @number */
	USE_FEATURES_ON, /* bits of enum btf_feature in @number */
	USE_FEATURES_OFF,

	/* each of these has a case in options.c */
	USE_FEATURE_LIST,
	USE_FEATURE_LIST_STRICT,
	USE_ALL_FEATURES,
	USE_BASE,
	USE_KABI_PREFIX,
	USE_CHECK,
	USE_DIFF,
	USE_EXPLAIN,
	USE_SITES,
	USE_FATAL,
	USE_REPORT_RULES,
	USE_FUNCTIONS,
	USE_FORMATS,
	USE_LANG,
	USE_LANG_EXCLUDE,
	USE_CU_EXCLUDE,
	USE_JOBS,
	USE_HOLE_SIZE,
	USE_SEPARATOR,
	USE_COMPAT,
	USE_COLOR,
	USE_HELP,
};

enum option_group {
	GROUP_OUTPUT,
	GROUP_FEATURES,
	GROUP_SWITCHES,
	GROUP_INPUT,
	GROUP_REPORTS,
	GROUP_PRINT,
	GROUP_OTHER,
	GROUP_NONE, /* not in --help */
};

enum option_arg { ARG_NONE, ARG_NEEDED, ARG_OPTIONAL };

struct option_def {
	const char *name; /* without the dashes */
	char key;         /* the short one, 0 if there is none */
	enum option_arg arg;
	enum option_use use;
	enum option_group group;
	const char *arg_name; /* in --help */
	const char *help;     /* one line of --help */
	size_t field;         /* see enum option_use */
	uint32_t number, least, most;
	uint32_t since; /* the first version of pahole that has it (struct compat); 0: each has */
	bool first; /* --help without a topic prints it: only the options that most users need */
	/* Not an option of pahole: it makes no abbreviation of an option of pahole ambiguous. */
	bool ours;
};

extern const struct option_def option_table[];
extern const size_t option_table_nr;

/* Is it the option that sets the bool at offset @field of struct options? */
static inline bool option_sets(const struct option_def *def, size_t field)
{
	return def->use == USE_SET && def->field == field;
}

#endif
