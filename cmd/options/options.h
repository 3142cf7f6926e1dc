/* SPDX-License-Identifier: GPL-2.0-only */
/* options.h - what the command line asks for */
#ifndef BTFENC_CMD_OPTIONS_OPTIONS_H
#define BTFENC_CMD_OPTIONS_OPTIONS_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "cmd/options/languages.h"
#include "cmd/options/wanted_list.h"
#include "encoder/encode.h"
#include "show/listing.h"

#include <stdbool.h>
#include <stddef.h>

struct option_def;

/* --color */
enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

enum options_action {
	ACTION_ENCODE,
	ACTION_CHECK,
	ACTION_DIFF,
	ACTION_STATS,
	ACTION_SITES,
	ACTION_SHOW,
	ACTION_LAUNCH,
	/* those that read no file: help_print() */
	ACTION_HELP,
	ACTION_USAGE,
	ACTION_VERSION,
	ACTION_NUMERIC_VERSION,
	ACTION_DEVEL_VERSION,
	ACTION_SUPPORTED_FEATURES,
};

/* --btf_diff: all differences, only types that both files have, or only what breaks BPF programs (btf_core.h). */
enum diff_what { DIFF_ALL, DIFF_CHANGED, DIFF_CORE };

struct strings {
	const char **items;
	size_t nr, cap;
};

/* An option of the command line. Borrows from argv. */
struct given_option {
	const struct option_def *def;
	const char *value; /* NULL: no argument */
	const char *next;  /* the word after the option, which may be @value; NULL: the line ends */
	char shown[48];    /* as written, but complete and without its argument: "-j", "--jobs" */
};

struct given_options {
	struct given_option *items;
	size_t nr, cap;
};

/*
 * Const once options_parse() has filled it. Owns its arrays, @functions and @explain_names; the other strings are those of
 * argv. ACTION_ENCODE and ACTION_CHECK have at least one file; ACTION_DIFF has two; ACTION_SHOW has one, or
 * @show_name. With ACTION_LAUNCH, @files are the words of a command, at least one.
 */
struct options {
	enum options_action action;
	/* Borrows the arrays below. */
	struct encode_opts encode;
	struct strings files; /* in order */
	struct given_options given;
	bool btf_encode;          /* -J */
	bool check, diff, launch; /* see @action */
	enum diff_what diff_what;
	const char *detached; /* --btf_encode_detached; NULL: into the first of @files */
	/*
	 * --btf_vars_detached: the output for FEATURE_VARS_APART, which is then on. NULL: into section
	 * .BTF.extra of the first of @files.
	 */
	const char *vars_detached;
	const char *
		inline_detached; /* --btf_inline_detached: the same for FEATURE_INLINE_APART and .BTF.inline */
	/* the last --btf_base, or NULL; the one before it, for the first file of ACTION_DIFF */
	const char *base, *first_base;
	enum encode_from from; /* -F */
	bool btf_first;        /* with ENCODE_FROM_EITHER: does BTF come before DWARF? */
	bool gather;           /* --dedup_btf: the first of @files is linked from the others */
	bool strip_dwarf;      /* --strip_dwarf, never with @detached */
	bool for_link;         /* --btf_for_link */
	/* --btf_archive: the BTF is appended to it, or with -F btf read from it; NULL: none */
	const char *archive;
	uint32_t check_for; /* --btf_check=LINUX: a linux_version() */
	bool stats;         /* --btf_stats */
	bool json;          /* --json */

	bool sites;           /* --inline_sites */
	const char *sites_of; /* its function; NULL: all */
	bool bpftrace;        /* --bpftrace */

	const char *report; /* --btf_report: the output, "-" for standard output; NULL: none */
	/* the rules whose omissions are listed: --btf_report_rules, else those of loss and @fatal */
	uint64_t report_rules;
	bool have_report_rules;       /* --btf_report_rules */
	bool have_functions;          /* --btf_functions */
	struct wanted_list functions; /* the names that it has */

	bool explain;                     /* --explain */
	struct wanted_list explain_names; /* those that --explain names */
	bool explain_all;                 /* --explain without a name: print what was omitted */
	uint64_t fatal; /* --fatal: the rules that are errors, a bit of enum omission_rule each */
	uint64_t fatal_named; /* of these, those by their own name, not by a pattern */
	bool nothing_made;    /* ACTION_ENCODE only for a report or --fatal: write no BTF */

	unsigned help_groups; /* ACTION_HELP: bits of enum option_group; 0: the first screen */

	enum color_when color;
	bool colored;        /* text for people has colours: @color, and what standard output is */
	bool quiet;          /* -q */
	bool records;        /* -V twice: print each record that is encoded */
	bool verbose_before; /* while options act: -V precedes the current one */
	/* ACTION_SHOW: which types to print; unless SHOW_ALL, @show_name is one of the next three */
	enum listing_what show_what;
	const char *show_name;
	const char *show_named, *show_containers, *show_pointers;
	/*
	 * The last option of printing; the last but --btf_header; the last that does not select differences, too. NULL
	 * for none.
	 */
	const char *prints, *selects, *prints_only;
	const char *of_all; /* an option that is only for SHOW_ALL; NULL: none */
	struct listing_opts show;
	bool skip_missing;      /* --skip_missing */
	bool show_header;       /* --btf_header */
	const char *kernel_btf; /* the BTF of the running kernel, for ACTION_SHOW without files */

	/* --lang was given, maybe with an empty list; encode.langs are @langs without @excluded_langs */
	bool have_lang;
	struct languages langs, excluded_langs;
	struct strings excluded_units;
};

/* Does BTF or a report go to standard output, where nothing else may be then? */
bool options_use_stdout(const struct options *o);

/* Is the BTF of the files appended to @archive? */
static inline bool options_append(const struct options *o)
{
	return o->archive && o->from != ENCODE_FROM_BTF && !o->gather;
}

/*
 * Read the command line, and from the environment PAHOLE_LANG_EXCLUDE, PAHOLE_VMLINUX_BTF_FILENAME and
 * POSIXLY_CORRECT. ERR_USAGE, or ERR_UNSUPPORTED for a feature that was asked for strictly.
 * Sets the verbosity of @diags. On error *ret is untouched.
 */
MUST_CHECK struct err *options_parse(int argc, char **argv, struct diagnostics *diags,
				     struct options *ret);
void options_release(struct options *o);

/* The groups of options that --help=@topic prints; 0 without a topic (NULL). ERR_USAGE. */
MUST_CHECK struct err *help_groups(const char *topic, unsigned *ret);

/* Print to standard output what @o->action asks for: ACTION_HELP or a later one. */
void help_print(const struct options *o);

#endif
