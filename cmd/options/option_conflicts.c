/* SPDX-License-Identifier: GPL-2.0-only */
/* option_conflicts.c - see option_conflicts.h */
#include "cmd/options/option_conflicts.h"

#include "base/cleanup.h"
#include "cmd/options/option_table.h"
#include "encoder/unit/features.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The outputs and actions that options select, a bit each. */
enum {
	ASKED_CHECK,
	ASKED_DIFF,
	ASKED_INLINE_SITES,
	ASKED_STATS_ALONE, /* --btf_stats of BTF that exists */
	ASKED_LAUNCH,
	ASKED_HEADER,
	ASKED_STRIP_DWARF,
	ASKED_FOR_LINK,
	ASKED_ARCHIVE, /* to append to it */
	ASKED_VARS,    /* in a section */
	ASKED_SITES,   /* likewise */
	ASKED_PRINT,
	ASKED_PRINT_ONLY, /* not to select differences */
	ASKED_SELECT,     /* print only some types, or in another form than --btf_header */
	ASKED_NAMED,
	ASKED_CONTAINERS,
	ASKED_POINTERS,
	ASKED_ENUMERATOR,
	ASKED_TIMES,
	ASKED_METHODS,
	ASKED_OF_ALL, /* an option that is for all structs */
	ASKED_SORT,
	ASKED_ANONYMOUS,
	ASKED_EXPAND,
	ASKED_EXPAND_POINTERS,
	ASKED_COMPILE,
	ASKED_ENCODE,
	ASKED_DETACHED,
	ASKED_VARS_DETACHED,
	ASKED_SITES_DETACHED,
	ASKED_ANY_ARCHIVE,
	ASKED_DEDUP,
	ASKED_STATS,
	ASKED_REPORT,
	ASKED_EXPLAIN,
	ASKED_FATAL,
	ASKED_BASE,
	ASKED_FROM_DWARF,
	ASKED_FROM_BTF,
	ASKED_DISTILLED,
	NR_ASKED,
};

_Static_assert(NR_ASKED <= 64, "a set has a bit for each");

#define BIT(name) (UINT64_C(1) << ASKED_##name)
#define WRITES                                                                    \
	(BIT(ENCODE) | BIT(DETACHED) | BIT(VARS_DETACHED) | BIT(SITES_DETACHED) | \
	 BIT(ANY_ARCHIVE) | BIT(DEDUP) | BIT(STRIP_DWARF) | BIT(FOR_LINK))
#define TELLS (BIT(REPORT) | BIT(EXPLAIN))
#define BY_NAME (BIT(NAMED) | BIT(CONTAINERS) | BIT(POINTERS) | BIT(ENUMERATOR))
#define ENCODES (WRITES | TELLS | BIT(FATAL))

/* Each option of @one excludes each of @others. */
static const struct conflict {
	uint64_t one, others;
	const char *hint;
} conflicts[] = {
	{ BIT(CHECK), BIT(DIFF) | BIT(INLINE_SITES) | BIT(LAUNCH), "" },
	{ BIT(DIFF), BIT(INLINE_SITES) | BIT(LAUNCH), "" },
	{ BIT(INLINE_SITES), BIT(LAUNCH), "" },
	{ BIT(CHECK) | BIT(DIFF) | BIT(INLINE_SITES), ENCODES | BIT(STATS) | BIT(FROM_DWARF), "" },
	{ BIT(STATS_ALONE), ENCODES | BIT(FROM_DWARF), "" },
	{ BIT(LAUNCH),
	  BIT(DETACHED) | BIT(VARS_DETACHED) | BIT(SITES_DETACHED) | BIT(DEDUP) | BIT(STATS) |
		  TELLS | BIT(BASE) | BIT(FROM_BTF) | BIT(DISTILLED),
	  "" },
	{ BIT(PRINT), ENCODES | BIT(CHECK) | BIT(INLINE_SITES) | BIT(STATS) | BIT(LAUNCH), "" },
	{ BIT(DIFF), BIT(PRINT_ONLY), "" },
	{ BIT(HEADER), BIT(SELECT), "" },
	{ BIT(NAMED), BIT(CONTAINERS) | BIT(POINTERS) | BIT(ENUMERATOR), "" },
	{ BIT(CONTAINERS), BIT(POINTERS) | BIT(ENUMERATOR), "" },
	{ BIT(POINTERS), BIT(ENUMERATOR), "" },
	{ BIT(TIMES) | BIT(METHODS) | BIT(OF_ALL), BY_NAME, "" },
	{ BIT(SORT), BIT(TIMES) | BIT(METHODS) | BIT(ANONYMOUS), "" },
	{ BIT(EXPAND) | BIT(COMPILE), BIT(EXPAND_POINTERS), "" },
	{ BIT(STRIP_DWARF), BIT(DETACHED), "" },
	{ BIT(FOR_LINK),
	  BIT(DETACHED) | BIT(VARS_DETACHED) | BIT(SITES_DETACHED) | BIT(ANY_ARCHIVE) | BIT(DEDUP),
	  "" },
	{ BIT(FOR_LINK), BIT(BASE) | BIT(DISTILLED), ": no later link adds to a file with a base" },
	{ BIT(ARCHIVE), BIT(DETACHED), "" },
	{ BIT(ARCHIVE), BIT(BASE), ": an archive holds BTF without a base" },
	{ BIT(VARS), BIT(DETACHED), ": give '--btf_vars_detached=VARS'" },
	{ BIT(SITES), BIT(DETACHED), ": give '--btf_inline_detached=SITES'" },
	{ BIT(SITES) | BIT(SITES_DETACHED), BIT(ARCHIVE),
	  ": separate the sites when the archive is combined" },
	{ BIT(VARS) | BIT(VARS_DETACHED), BIT(ARCHIVE),
	  ": separate the variables when the archive is combined" },
	{ BIT(VARS) | BIT(VARS_DETACHED) | BIT(SITES) | BIT(SITES_DETACHED), BIT(DISTILLED),
	  ": split BTF cannot have a base that has a distilled base" },
};

/* The option that @bit stands for, if it was given; else NULL. */
static const char *asked(const struct options *o, int bit)
{
	const bool encodes = o->action == ACTION_ENCODE || o->action == ACTION_LAUNCH;
	const bool sites = encodes && feature_on(&o->encode, FEATURE_INLINE_APART);
	const bool vars = encodes && feature_on(&o->encode, FEATURE_VARS_APART);
	const struct {
		bool is;
		const char *option;
	} options[NR_ASKED] = {
		[ASKED_CHECK] = { o->check, "--btf_check" },
		[ASKED_DIFF] = { o->diff, "--btf_diff" },
		[ASKED_INLINE_SITES] = { o->sites, "--inline_sites" },
		[ASKED_STATS_ALONE] = { o->action == ACTION_STATS, "--btf_stats" },
		[ASKED_LAUNCH] = { o->launch, "--launch" },
		[ASKED_HEADER] = { o->show_header, "--btf_header" },
		[ASKED_STRIP_DWARF] = { o->strip_dwarf, "--strip_dwarf" },
		[ASKED_FOR_LINK] = { o->for_link, "--btf_for_link" },
		[ASKED_ARCHIVE] = { options_append(o), "--btf_archive" },
		[ASKED_VARS] = { vars && !o->vars_detached, "--btf_features=global_var.extra" },
		[ASKED_SITES] = { sites && !o->inline_detached, "--btf_features=inline.extra" },
		[ASKED_PRINT] = { o->prints, o->prints },
		[ASKED_PRINT_ONLY] = { o->prints_only, o->prints_only },
		[ASKED_SELECT] = { o->selects, o->selects },
		[ASKED_NAMED] = { o->show_named, "--class_name" },
		[ASKED_CONTAINERS] = { o->show_containers, "--contains" },
		[ASKED_POINTERS] = { o->show_pointers, "--find_pointers_to" },
		[ASKED_TIMES] = { o->show.form == LISTING_TIMES, "--nr_definitions" },
		[ASKED_METHODS] = { o->show.form == LISTING_METHODS, "--nr_methods" },
		[ASKED_ENUMERATOR] = { o->show.enumerator, "--contains_enumerator" },
		[ASKED_OF_ALL] = { o->of_all, o->of_all },
		[ASKED_SORT] = { o->show.sort, "--sort" },
		[ASKED_ANONYMOUS] = { o->show.filter.anonymous, "--anon_include" },
		[ASKED_EXPAND] = { o->show.style.expand, "--expand_types" },
		[ASKED_EXPAND_POINTERS] = { o->show.style.expand_pointers, "--expand_pointers" },
		[ASKED_COMPILE] = { o->show.compilable, "--compile" },
		[ASKED_ENCODE] = { o->btf_encode, "--btf_encode" },
		[ASKED_DETACHED] = { o->detached, "--btf_encode_detached" },
		[ASKED_VARS_DETACHED] = { o->vars_detached, "--btf_vars_detached" },
		[ASKED_SITES_DETACHED] = { o->inline_detached, "--btf_inline_detached" },
		[ASKED_ANY_ARCHIVE] = { o->archive, "--btf_archive" },
		[ASKED_DEDUP] = { o->gather, "--dedup_btf" },
		[ASKED_STATS] = { o->stats, "--btf_stats" },
		[ASKED_REPORT] = { o->report, "--btf_report" },
		[ASKED_EXPLAIN] = { o->explain, "--explain" },
		[ASKED_FATAL] = { o->fatal != 0, "--fatal" },
		[ASKED_BASE] = { o->base, "--btf_base" },
		[ASKED_FROM_DWARF] = { o->from == ENCODE_FROM_DWARF, "-F dwarf" },
		[ASKED_FROM_BTF] = { o->from == ENCODE_FROM_BTF, "-F btf" },
		[ASKED_DISTILLED] = { encodes && !o->detached &&
					      feature_on(&o->encode, FEATURE_DISTILLED_BASE),
				      "--btf_features=distilled_base" },
	};

	return options[bit].is ? options[bit].option : NULL;
}

/* The first option in the set @bits that was given; NULL if there is none. */
static const char *first_asked(const struct options *o, uint64_t bits)
{
	const char *found = NULL;

	for (int i = 0; i < NR_ASKED && !found; i++)
		found = bits >> i & 1 ? asked(o, i) : NULL;
	return found;
}

/* The long @option as the user wrote it: "-J" for "--btf_encode". */
static const char *as_written(const struct options *o, const char *option)
{
	for (size_t i = 0; i < o->given.nr; i++) {
		if (!strncmp(option, "--", 2) && !strcmp(o->given.items[i].def->name, option + 2))
			return o->given.items[i].shown;
	}
	return option;
}

static struct err *check_conflicts(const struct options *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(conflicts); i++) {
		const char *one = first_asked(o, conflicts[i].one);
		const char *other = one ? first_asked(o, conflicts[i].others) : NULL;

		if (other)
			return err_new(ERR_USAGE, "'%s' and '%s' cannot be combined%s",
				       as_written(o, one), as_written(o, other), conflicts[i].hint);
	}
	return NULL;
}

static bool is_standard_output(const char *path)
{
	return path && !strcmp(path, STANDARD_OUTPUT);
}

bool options_use_stdout(const struct options *o)
{
	return is_standard_output(o->detached) || is_standard_output(o->vars_detached) ||
	       is_standard_output(o->inline_detached) || (o->report && !strcmp(o->report, "-"));
}

/* BTF or a report on standard output is alone there, and BTF does not go to a terminal. */
static struct err *check_standard_output(const struct options *o)
{
	const struct {
		bool is_used;
		const char *option;
	} users[] = {
		{ is_standard_output(o->detached), "--btf_encode_detached=-" },
		{ is_standard_output(o->vars_detached), "--btf_vars_detached=-" },
		{ is_standard_output(o->inline_detached), "--btf_inline_detached=-" },
		{ o->report && !strcmp(o->report, "-"), "--btf_report=-" },
		{ o->explain, "--explain" },
		{ o->stats, "--btf_stats" },
	};
	enum { NR_BINARY = 3, NR_ALONE = 4 };
	size_t first = 0;

	while (first < NR_ALONE && !users[first].is_used)
		first++;
	for (size_t i = first + 1; first < NR_ALONE && i < ARRAY_SIZE(users); i++) {
		if (users[i].is_used)
			return err_new(ERR_USAGE, "'%s': '%s' prints to standard output, too",
				       users[first].option, users[i].option);
	}
	if (first < NR_BINARY && isatty(STDOUT_FILENO))
		return err_new(ERR_USAGE, "'%s': BTF is not written to a terminal",
			       users[first].option);
	return NULL;
}

/* Numbers and types of JSON have one form. */
static struct err *check_json_types(const struct options *o)
{
	const struct {
		bool is;
		const char *option;
	} forms[] = {
		{ o->show_header, "--btf_header" },
		{ o->show_containers, "--contains" },
		{ o->show_pointers, "--find_pointers_to" },
		{ o->show.form == LISTING_SIZES, "--sizes" },
		{ o->show.form == LISTING_NAMES, "--hole_size_ge" },
		{ o->show.form == LISTING_NAME_LENGTHS, "--class_name_len" },
		{ o->show.form == LISTING_MEMBERS, "--nr_members" },
		{ o->show.form == LISTING_TIMES, "--nr_definitions" },
		{ o->show.form == LISTING_METHODS, "--nr_methods" },
		{ o->show.form == LISTING_SAVINGS, "--packable" },
		{ o->show.enumerator, "--contains_enumerator" },
		{ o->show.defined_in, "--defined_in" },
		{ o->show.style.decl_info, "--show_decl_info" },
		{ o->show.style.flat_arrays, "--flat_arrays" },
		{ o->show.style.biggest, "--show_first_biggest_size_base_type_member" },
		{ o->show.reorganize, "--reorganize" },
		{ o->show.compilable, "--compile" },
		{ o->show.style.expand, "--expand_types" },
		{ o->show.style.expand_pointers, "--expand_pointers" },
		{ o->show.style.hex, "--hex" },
		{ o->show.style.relative, "--rel_offset" },
		{ o->show.style.no_aligned, "--suppress_aligned_attribute" },
		{ o->show.style.no_packed, "--suppress_packed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (forms[i].is)
			return err_new(ERR_USAGE, "'--json' and '%s' cannot be combined",
				       as_written(o, forms[i].option));
	}
	return NULL;
}

/* A report is always JSON. */
static struct err *check_json(const struct options *o)
{
	if (!o->json)
		return NULL;
	if (o->action == ACTION_SHOW)
		return check_json_types(o);
	if (o->explain_all)
		return err_new(
			ERR_USAGE,
			"'--json' needs '--explain=NAME': '--btf_report' writes what was omitted as JSON");
	if (o->action != ACTION_CHECK && o->action != ACTION_DIFF && o->action != ACTION_STATS &&
	    o->action != ACTION_SITES && !(o->explain && o->nothing_made))
		return err_new(ERR_USAGE,
			       "'--json' is for types, '--btf_check', '--btf_diff', '--explain', "
			       "'--inline_sites' and '--btf_stats' of files that have BTF");
	if (o->bpftrace)
		return err_new(ERR_USAGE, "'--json' and '--bpftrace' cannot be combined");
	if (o->quiet && o->action == ACTION_DIFF)
		return err_new(ERR_USAGE, "'--json' and '-q' cannot be combined");
	return NULL;
}

/* Objects keep facts of all functions, so that the link can choose. */
static struct err *check_functions(const struct options *o)
{
	if (!o->have_functions || (o->action == ACTION_ENCODE && !options_append(o)))
		return NULL;
	if (o->action == ACTION_LAUNCH || o->action == ACTION_ENCODE)
		return err_new(ERR_USAGE,
			       "'--btf_functions' and '%s' cannot be combined: give it when the "
			       "objects are combined",
			       o->action == ACTION_LAUNCH ? "--launch" : "--btf_archive");
	return err_new(ERR_USAGE, "'--btf_functions' needs an option that encodes, such as '-J'");
}

/* A program is about one function of one file. */
static struct err *check_bpftrace(const struct options *o)
{
	if (!o->bpftrace)
		return NULL;
	if (!o->sites_of)
		return err_new(ERR_USAGE, "'--bpftrace' needs '--inline_sites=FUNCTION'");
	if (o->files.nr > 1)
		return err_new(ERR_USAGE, "'--bpftrace' takes one file");
	return NULL;
}

/* Whether a list of structs is given depends on the files: job_show.c asks for one. */
static struct err *check_reorganize(const struct options *o)
{
	const char *reorganize = as_written(o, "--reorganize");

	if (o->show.reorg_steps && !o->show.reorganize)
		return err_new(ERR_USAGE, "'%s' needs '-R'", as_written(o, "--show_reorg_steps"));
	if (!o->show.reorganize)
		return NULL;
	if (o->show.compilable)
		return err_new(ERR_USAGE, "'%s' and '--compile' cannot be combined", reorganize);
	if (o->show.form != LISTING_TEXT)
		return err_new(ERR_USAGE,
			       "'%s' prints whole structs: '-s', '-n', '-N', '-T' and '-z' print "
			       "another form",
			       reorganize);
	return NULL;
}

/* Without its feature, a rule never applies, and --fatal would never fail. */
static struct err *check_fatal(const struct options *o)
{
	/* a level that keeps kfuncs reads .BTF_ids in any case */
	const uint32_t kfuncs = compat_get(o->encode.compat)->keep_kfuncs ? 0 :
									    FEATURE_DECL_TAG_KFUNCS;
	const struct {
		enum omission_rule rule;
		uint32_t feature;
	} needs[] = {
		{ OMIT_KFUNC_LOST, kfuncs },
		{ OMIT_ID_LOST, kfuncs },
		{ OMIT_FUNC_INCONSISTENT_PROTOTYPE, FEATURE_CONSISTENT_FUNC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!(o->fatal_named & omission_rule_bit(needs[i].rule)) || !needs[i].feature ||
		    feature_on(&o->encode, needs[i].feature))
			continue;
		CLEANUP(mem_free_text) char *feature = features_names_of(needs[i].feature);
		return err_new(ERR_USAGE, "'--fatal=%s' needs the feature %s",
			       omission_rules[needs[i].rule].id, feature);
	}
	return NULL;
}

/* They select lines, and --explain=NAME prints all about a name. */
static struct err *check_report_rules(const struct options *o)
{
	if (o->have_report_rules && !o->report && !o->explain_all)
		return err_new(
			ERR_USAGE,
			"'--btf_report_rules' needs '--btf_report' or '--explain' without a name");
	return NULL;
}

/*
 * An optional argument has to be attached, so "--explain NAME FILE" has two files. Only --explain and
 * --inline_sites take an argument that is no number.
 */
static struct err *check_separate_arguments(const struct options *o)
{
	for (size_t i = 0; i < o->given.nr && o->files.nr > 1; i++) {
		const struct given_option *g = &o->given.items[i];
		bool is_name = g->def->use == USE_EXPLAIN || g->def->use == USE_SITES;

		if (g->def->arg != ARG_OPTIONAL || g->value || !g->next || strchr("-@", g->next[0]))
			continue;
		if ((is_name || isdigit((unsigned char)g->next[0])) && access(g->next, F_OK) != 0)
			return err_new(ERR_USAGE, "'%s': no such file; did you mean '%s%s%s'?",
				       g->next, g->shown, g->shown[1] == '-' ? "=" : "", g->next);
	}
	return NULL;
}

/* The error if there is no file. An option before the only file may have taken it as its argument. */
static struct err *no_file(const struct options *o)
{
	if (o->action == ACTION_LAUNCH)
		return err_new(ERR_USAGE, "'--launch' needs a command");
	for (size_t i = o->given.nr; i-- > 0;) {
		const struct given_option *g = &o->given.items[i];

		if (g->value && g->value == g->next)
			return err_new(ERR_USAGE, "no input file: '%s' is the argument of '%s'",
				       g->value, g->shown);
	}
	return err_new(ERR_USAGE, "no input file");
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static struct err *check_files(const struct options *o)
{
	size_t nr = o->files.nr;

	if (o->action == ACTION_SHOW && o->show_header)
		return nr > 1 ? err_new(ERR_USAGE, "'--btf_header' takes one file") : NULL;
	if (!nr && !(o->action == ACTION_SHOW && (o->show_name || o->show.enumerator)))
		return no_file(o);
	if (o->action == ACTION_DIFF && nr != 2)
		return err_new(ERR_USAGE, "'--btf_diff' takes two files, not %zu", nr);
	if (o->action == ACTION_ENCODE && !o->btf_encode && !o->detached && !o->nothing_made)
		return err_new(ERR_USAGE, "no output: give '-J' to put BTF into '%s'%s",
			       o->files.items[0],
			       o->strip_dwarf || o->for_link || options_append(o) ?
				       "" :
				       ", or '--btf_encode_detached=OUT'");
	if (nr == 1 && o->action != ACTION_LAUNCH && o->action != ACTION_STATS &&
	    o->action != ACTION_CHECK && is_directory(o->files.items[0]))
		return err_new(ERR_IO,
			       "'%s' is a directory: list its files with "
			       "\"find %s/ -name '*.ko*' >LIST\", and give @LIST",
			       o->files.items[0], o->files.items[0]);
	return NULL;
}

struct err *options_check(const struct options *o)
{
	if (o->action >= ACTION_HELP)
		return NULL;
	TRY(check_conflicts(o));
	TRY(check_standard_output(o));
	TRY(check_json(o));
	TRY(check_bpftrace(o));
	TRY(check_reorganize(o));
	TRY(check_functions(o));
	TRY(check_fatal(o));
	TRY(check_report_rules(o));
	if (o->action != ACTION_LAUNCH)
		TRY(check_separate_arguments(o));
	return check_files(o);
}
