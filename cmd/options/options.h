/* SPDX-License-Identifier: GPL-2.0-only */
/* options.h - what the command line asks for */
#ifndef BTFENC_CMD_OPTIONS_OPTIONS_H
#define BTFENC_CMD_OPTIONS_OPTIONS_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "cmd/options/languages.h"
#include "encoder/encode.h"
#include "show/listing.h"
#include "show/wanted.h"

#include <stdbool.h>
#include <stddef.h>

enum options_action {
	ACTION_ENCODE,
	ACTION_CHECK,
	ACTION_DIFF,
	ACTION_STATS,
	ACTION_SHOW,
	ACTION_LAUNCH,
	/* those that read no file: help.h */
	ACTION_HELP,
	ACTION_USAGE,
	ACTION_VERSION,
	ACTION_NUMERIC_VERSION,
	ACTION_SUPPORTED_FEATURES,
};

enum options_show {
	SHOW_ALL,
	SHOW_NAMED,
	SHOW_CONTAINERS,
	SHOW_POINTERS,
};

struct strings {
	const char **items;
	size_t nr, cap;
};

/*
 * Set once, const from then on. Owns its arrays and @explain_own; the other strings are those of argv. With
 * ACTION_ENCODE and ACTION_CHECK there is at least one file, with the first also an output; with
 * ACTION_DIFF there are two; with ACTION_SHOW there is one, or @show_name. With ACTION_LAUNCH they are the
 * words of a command, at least one.
 */
struct options {
	enum options_action action;
	/* Borrows the arrays below. */
	struct encode_opts encode;
	struct strings files; /* in order */
	bool btf_encode;      /* -J */
	bool check, diff, launch;
	/* NULL: into the first of @files */
	const char *detached;
	/*
	 * Where what FEATURE_VARS_APART asks for goes; NULL: into section .BTF.extra of the first of
	 * @files. The feature is on if this is given.
	 */
	const char *vars_detached;
	/* --btf_base, the last one, NULL for none; the one before that, which counts for ACTION_DIFF */
	const char *base, *first_base;
	/* -F: what to look at; of both, BTF before DWARF? */
	enum encode_from from;
	bool btf_first;
	/* --dedup_btf: the first of @files is the linked file, the others are its objects */
	bool gather;

	/* --strip_dwarf: no DWARF stays in the first of @files. Never with @detached. */
	bool strip_dwarf;

	/* --btf_archive: the BTF goes there, or with -F btf comes from there. NULL for none. */
	const char *archive;

	/* --btf_check=LINUX: the oldest that must take it, a linux_version() */
	uint32_t check_for;

	/* --btf_stats: of what is encoded, or with ACTION_STATS of @files, which are one at least */
	bool stats;

	/* --json: the form of ACTION_CHECK, ACTION_DIFF and ACTION_STATS */
	bool json;

	/*
	 * --btf_report: where to, "-" is standard output, NULL is none; --explain, and of which name,
	 * or NULL. If nothing else is asked for, @nothing_made: with ACTION_ENCODE no BTF is written.
	 */
	const char *report;
	bool explain;
	const char *explain_name;
	/* The same, with a keyword as in "struct NAME"; or a function, as in "NAME()". */
	struct wanted explain_as;
	bool explain_func;
	char *explain_own; /* NULL, or what @explain_name borrows */
	bool nothing_made;

	/* -q */
	bool quiet;
	/* While options act: -V stands before the one that acts now. */
	bool verbose_before;
	/* ACTION_SHOW: which types to print; unless SHOW_ALL, @show_name is one of the next three */
	enum options_show show_what;
	const char *show_name;
	const char *show_named, *show_containers, *show_pointers;
	/* The last option that only printing has, and the last but --btf_header; "" for none. */
	char prints[64], selects[64];
	struct listing_opts show;
	bool skip_missing;
	/* the BTF of the running kernel, which is read if no file is given */
	const char *kernel_btf;
	/* --btf_header: all types of the one file, by libbpf */
	bool show_header;

	/* --skip_encoding_btf_member_notes */
	bool no_member_notes;

	/* --lang was given, maybe with an empty list; encode.langs are these less those */
	bool have_lang;
	struct languages langs, excluded_langs;
	struct strings excluded_units;
};

/* Is what is made from the files appended to @archive? */
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

#endif
