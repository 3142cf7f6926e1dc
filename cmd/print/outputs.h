/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * outputs.h - what the jobs print
 *
 * Each function has a file of its name, the json_ functions json_outputs.c or json_types.c. They append to @out; names are
 * printable and on one line, whatever bytes they consist of.
 */
#ifndef BTFENC_CMD_PRINT_OUTPUTS_H
#define BTFENC_CMD_PRINT_OUTPUTS_H

#include "base/text.h"
#include "btf/compare/btf_compare.h"
#include "btf/compare/btf_stats.h"
#include "check/btf_check.h"
#include "cmd/options/file_list.h"
#include "cmd/options/options.h"
#include "encoder/encode_stats.h"
#include "encoder/program/encode_result.h"
#include "encoder/report/report.h"
#include "loader/btf/btf_input.h"
#include "show/listing.h"

/* --- -V -V --- */

/* Lines for all records of @made, over @base (NULL: none). ERR_FORMAT if @made is no BTF. */
MUST_CHECK struct err *records_print(struct text *out, const struct encode_result *made,
				     const struct btf_input *base);

/* --- --btf_check --- */

/* A line about @f, in BTF section @section of @path. @v: its records, NULL if they cannot be read. */
void finding_print(struct text *out, const char *path, const char *section,
		   const struct btf_view *v, const struct btf_finding *f);

/* --- --btf_diff --- */

/* What --btf_diff found in one pair of files, or in all of two trees. */
struct diff_totals {
	struct btf_kind_count kinds[BTF_NR_KINDS];
	uint64_t differences, through_a, through_b;
	/* pairs of files that are equal, that differ, and that were not compared; files that only one tree has */
	size_t equal, differ, failed, only_a, only_b;
	bool found; /* a difference of the kind that is asked for */
};

/* Add the types and differences of @c. */
void diff_totals_add(struct diff_totals *t, const struct btf_comparison *c);

/* The lines with the names of the files, or trees. */
void diff_print_names(struct text *out, const char *const names[2]);
/* A table by kind. */
void diff_print_kinds(struct text *out, const struct btf_kind_count *kinds);
/* The lines of each difference, and how many types follow from them. */
void diff_print(struct text *out, const struct btf_comparison *c);
/* The files of a tree that differ, and so on. */
void diff_print_totals(struct text *out, const struct diff_totals *t);

/* --- --btf_stats --- */

/* Lists end after this number, unless all items are asked for. */
enum { STATS_LISTED = 10 };

/* Tables of @s, which counts section @section of @path. @all: whole lists. */
void stats_print(struct text *out, const char *path, const char *section, const struct btf_stats *s,
		 bool all);

/* A file: the sums over its sections. */
struct stats_file {
	const char *path; /* borrowed */
	uint64_t bytes;
	uint32_t types;
};

/* Several files. Owns the array, which stats_sum_end() sorts by bytes, the most first. */
struct stats_sum {
	struct btf_stats all;
	VEC(struct stats_file) files;
	size_t nr_failed; /* more files, which cannot be read */
};

/* Add the file @path. @s: the sums over its sections. */
void stats_sum_add(struct stats_sum *to, const char *path, const struct btf_stats *s);
void stats_sum_end(struct stats_sum *s);
void stats_sum_release(struct stats_sum *s);
/* The sums, and the largest files. @all: all files. */
void stats_print_sum(struct text *out, const struct stats_sum *s, bool all);
/*
 * Print to standard output the time and memory of a run, the size of its input, and the tables of
 * stats_print() for @made, the output for @path over @base (NULL: none). ERR_FORMAT if @made is no BTF.
 */
MUST_CHECK struct err *run_print(const struct encode_stats *s, const char *path,
				 const struct encode_result *made, const struct btf_input *base,
				 bool all);

/* --- --explain --- */

/*
 * @made is the BTF of @files, over @base (NULL: none), and @found the report on it. Print all that is missing by
 * rule, with the first names of each, or with -V all names, if @opt->explain_all is set; then for each of
 * @opt->explain_names where it is, or why it is missing. @is_written: type ids of @made mean something, because it is
 * written. Set those of @found_names to true whose name exists. ERR_FORMAT if @made is no BTF.
 */
MUST_CHECK struct err *explain_print(struct text *out, const struct options *opt,
				     const struct file_refs *files, const struct btf_input *base,
				     const struct encode_result *made, const struct report *found,
				     bool is_written, bool *found_names);
/* With @opt->explain_all, after several files: the sums @c by rule. */
void explain_print_total(struct text *out, const struct report_counts *c);
/* The same for the BTF @btf of the file @path, which has no debug information. */
void explain_print_btf(struct text *out, const struct options *opt, const char *path,
		       const struct btf_view *btf, bool *found_names);

/* The first and the last line with --json. */
void explain_json_begin(struct text *out, const struct options *opt, const struct file_refs *files);
void explain_json_end(struct text *out);

/* --- --btf_header --- */

/*
 * Print @btf, over @base unless that is empty, to standard output as "bpftool btf dump ... format c"
 * does. @addr_size: of a pointer, 0 if unknown. ERR_FORMAT if the kernel's checker refuses the BTF, or
 * if its types nest too deep for libbpf, which recurses; ERR_UNSUPPORTED without libbpf.
 */
MUST_CHECK struct err *header_print(struct bytes btf, struct bytes base, uint8_t addr_size,
				    bool *ret_has_kfuncs);

/* --- --json: btfenc-report(5) describes the keys --- */

/* The first line. @files are the inputs. */
void json_first(struct text *out, const char *schema, const struct options *opt,
		const struct file_refs *files);

/* A line of --btf_check: a finding, the reason why nothing was checked, or a file that cannot be read. */
void json_finding(struct text *out, const char *path, const char *section, const struct btf_view *v,
		  const struct btf_finding *f);
void json_message(struct text *out, const char *path, const char *result, const char *message);

/* The numbers in the last line of --btf_check. */
struct check_counts {
	size_t errors, warnings, failed;
	bool older[NR_RULES]; /* the version that is checked lacks a feature (btf_rule.feature) */
};
void json_check_end(struct text *out, const struct check_counts *c);

/* --btf_diff: a line for each kind; for each difference; for a file that only one tree has; and the last. @file: in a tree, else NULL */
void json_diff_kinds(struct text *out, const struct btf_kind_count *kinds);
void json_diff(struct text *out, const struct btf_comparison *c, const char *file);
void json_diff_file(struct text *out, const char *file, bool second);
void json_diff_end(struct text *out, const struct diff_totals *t, bool trees);

/* A line of --btf_stats, and the last one. */
void json_stats(struct text *out, const char *path, const char *section, const struct btf_stats *s,
		bool all);
void json_stats_end(struct text *out, const struct stats_sum *s, bool all);

/* The last line of --inline_sites, which has printed @nr of them. sites.h has the others. */
void json_sites_end(struct text *out, size_t nr);

/* Types, functions and variables, a line each, and the last line for @nr of them. */
extern const struct listing_writer json_types;
void json_types_end(struct text *out, size_t nr);

/* --- --btf_report: man/btfenc-report.5 --- */

/* The BTF that a report is about. Borrows. */
struct report_frame {
	const struct file_refs *inputs;
	const char *base;   /* NULL: none */
	const char *output; /* NULL: nothing is written */
	const char *error;  /* of --fatal, or NULL */
	uint64_t rules;     /* whose omissions have a line, a bit each */
};

/* The first line, one for each omission by @f->rules, and the last, which counts all of @r. */
void report_json(struct text *out, const struct report_frame *f, const struct report *r);
/* One of them without its end of line, as an element of a list; the keys of a location, in an object. */
void report_json_omission(struct text *out, const struct report *r, const struct omission *o);
void report_json_location(struct text *out, const struct report_location *at);
/* The same for a run that failed with message @error. */
void report_json_failed(struct text *out, const struct report_frame *f, const char *error);
/* The last line after the reports on several files: the sums @c. */
void report_json_total(struct text *out, const struct report_counts *c);

#endif
