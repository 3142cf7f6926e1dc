/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_table.h - every option there is: the one list that the parser, --help and the
 * tests of the man page read
 *
 * It has all options of pahole 1.31, those included that btfenc does not have: they are
 * refused by name, and what a long option may be cut down to is the same as with pahole.
 */
#ifndef BTFENC_CMD_OPTIONS_OPTION_TABLE_H
#define BTFENC_CMD_OPTIONS_OPTION_TABLE_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the parser does with an option. */
enum option_use {
	/* features, no code of their own: switch option_def.features on or off */
	USE_FEATURES_ON,
	USE_FEATURES_OFF,
	USE_FEATURE_LIST,
	USE_FEATURE_LIST_STRICT,
	USE_ALL_FEATURES,

	USE_ENCODE,
	USE_DETACHED,
	USE_VARS_DETACHED,
	USE_BASE,
	USE_KABI_PREFIX,
	USE_STRIP_DWARF,
	USE_ARCHIVE,
	USE_DEDUP_BTF,
	USE_NO_MEMBER_NOTES,
	USE_UNCHECKED,
	USE_CHECK,
	USE_DIFF,
	USE_STATS,
	USE_JSON,
	USE_LAUNCH,
	USE_REPORT,
	USE_EXPLAIN,
	USE_QUIET,

	/* printing: options_show.c */
	USE_SHOW_NAMED,
	USE_SHOW_CONTAINERS,
	USE_SHOW_POINTERS,
	USE_SHOW_RECURSIVE,
	USE_SHOW_SKIP_MISSING,
	USE_SHOW_STRUCTS,
	USE_SHOW_UNIONS,
	USE_SHOW_PACKED,
	USE_SHOW_FLEXIBLE,
	USE_SHOW_EMBEDDED_FLEXIBLE,
	USE_SHOW_ANONYMOUS,
	USE_SHOW_NESTED_ANONYMOUS,
	USE_SHOW_EXCLUDE,
	USE_SHOW_PREFIX,
	USE_SHOW_HOLES,
	USE_SHOW_BIT_HOLES,
	USE_SHOW_HOLE_SIZE,
	USE_SHOW_PADDING,
	USE_SHOW_SIZES,
	USE_SHOW_NAME_LENGTHS,
	USE_SHOW_MEMBERS,
	USE_SHOW_TIMES,
	USE_SHOW_SEPARATOR,
	USE_SHOW_COMPILABLE,
	USE_SHOW_HEADER,
	USE_SHOW_EXPAND,
	USE_SHOW_HEX,
	USE_SHOW_RELATIVE,
	USE_SHOW_CACHELINE,
	USE_SHOW_NO_ALIGNED,
	USE_SHOW_NO_PACKED,

	USE_FORMATS,
	USE_LANG,
	USE_LANG_EXCLUDE,
	USE_CU_EXCLUDE,

	USE_JOBS,
	USE_VERBOSE,
	USE_HELP,
	USE_USAGE,
	USE_VERSION,
	USE_NUMERIC_VERSION,
	USE_SUPPORTED_FEATURES,

	USE_NOTHING, /* of no consequence for an encoder: accepted */
	USE_REFUSED, /* pahole's way to print or to inspect: refused by name */
};

enum option_group {
	GROUP_ENCODE,
	GROUP_FEATURES,
	GROUP_INPUT,
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
	uint32_t features;    /* bits of enum btf_feature */
	/* not one of pahole's: it makes no abbreviation of theirs ambiguous */
	bool ours;
};

extern const struct option_def option_table[];
extern const size_t option_table_nr;

#endif
