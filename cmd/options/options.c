/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - see options.h
 *
 * The grammar is that of GNU argp, which pahole uses and build scripts rely on:
 * options and files mix, "--" ends the options, long options may be abbreviated as long
 * as they stay unique, -j takes its number only if it is attached. getopt_long() is
 * not used because it prints its errors itself, because it would let an option of ours make
 * an abbreviation of pahole's ambiguous, and because its tables lack what ours have.
 *
 * Two passes. The first cuts argv into options and files and stops at an option like
 * --version, which acts when it is met. The second lets the options act in their order,
 * which matters to features. In between we know whether -V is among them.
 */
#include "cmd/options/options.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "base/os/processors.h"
#include "base/vec.h"
#include "check/btf_rule.h"
#include "cmd/options/option_table.h"
#include "cmd/options/options_show.h"
#include "encoder/features.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any machine has processors for. */
enum { JOBS_MAX = 1024 };

/* An option as it was given. @value is NULL if it has none. */
struct given {
	const struct option_def *def;
	const char *value;
};

struct args {
	int argc;
	char **argv;
	int next; /* index of the argument to read */

	struct {
		struct given *items;
		size_t nr, cap;
	} given;
	struct strings files;
};

static void args_release(struct args *a)
{
	free(a->given.items);
	free(a->files.items);
}

static const char *environment(const char *name)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
	return getenv(name);
}

/* First pass: argv -> options and files */

/* What the user wrote, for messages: '-j' or '--jobs'. */
struct spelling {
	char text[64];
};

static struct spelling spell(const struct option_def *def, bool as_key)
{
	struct spelling s;

	if (as_key || !def->name)
		snprintf(s.text, sizeof(s.text), "-%c", def->key);
	else
		snprintf(s.text, sizeof(s.text), "--%s", def->name);
	return s;
}

static struct err *take_option(struct args *a, const struct option_def *def, const char *value,
			       bool as_key)
{
	struct spelling s = spell(def, as_key);

	if (def->use == USE_REFUSED)
		return err_new(ERR_USAGE, "'%s' is an option of pahole's that btfenc does not have",
			       s.text);
	if (def->arg == ARG_NONE && value)
		return err_new(ERR_USAGE, "option '%s' takes no argument", s.text);
	if (def->use == USE_LAUNCH && a->files.nr)
		return err_new(ERR_USAGE, "'%s' stands before the command, not behind '%s'", s.text,
			       a->files.items[0]);
	if (def->arg == ARG_NEEDED && !value) {
		if (a->next >= a->argc)
			return err_new(ERR_USAGE, "option '%s' needs an argument", s.text);
		value = a->argv[a->next++];
	}
	vec_push(&a->given, ((struct given){ def, value }));
	return NULL;
}

static struct err *ambiguous(const char *prefix)
{
	CLEANUP(mem_free_text) char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		mem_die();
	for (size_t i = 0; i < option_table_nr; i++) {
		if (!strncmp(option_table[i].name, prefix, strlen(prefix)))
			fprintf(f, "%s'--%s'", ftell(f) ? ", " : "", option_table[i].name);
	}
	if (fclose(f))
		mem_die();
	return err_new(ERR_USAGE, "option '--%s' is ambiguous: %s", prefix, text);
}

/* @dashes and @shown are what the user wrote; @name is the long option that it may stand for. */
static struct err *unrecognized(const char *dashes, const char *shown, const char *name)
{
	struct nearest n = nearest_to(name);

	for (size_t i = 0; i < option_table_nr; i++) {
		if (option_table[i].group != GROUP_NONE)
			nearest_offer(&n, option_table[i].name);
	}
	if (n.name)
		return err_new(ERR_USAGE, "unrecognized option '%s%s'; did you mean '--%s'?",
			       dashes, shown, n.name);
	return err_new(ERR_USAGE, "unrecognized option '%s%s'", dashes, shown);
}

/*
 * The option called @name, or the only one that begins with it. An abbreviation that is unique among
 * pahole's options keeps its meaning whatever options are added here; else all options count.
 */
static struct err *find_long(const char *name, const struct option_def **ret)
{
	const struct option_def *theirs = NULL, *any = NULL;
	size_t len = strlen(name), nr_theirs = 0, nr = 0;

	for (size_t i = 0; i < option_table_nr; i++) {
		const struct option_def *def = &option_table[i];

		if (strncmp(def->name, name, len))
			continue;
		if (!def->name[len]) {
			*ret = def;
			return NULL;
		}
		any = def;
		nr++;
		if (def->ours)
			continue;
		theirs = def;
		nr_theirs++;
	}
	if (!nr)
		return unrecognized("--", name, name);
	if (nr_theirs > 1 || (!nr_theirs && nr > 1))
		return ambiguous(name);
	*ret = theirs ? theirs : any;
	return NULL;
}

static struct err *take_long(struct args *a, const char *arg)
{
	const char *name = arg + 2, *equals = strchr(name, '=');
	CLEANUP(mem_free_text) char *cut = equals ? mem_printf("%.*s", (int)(equals - name), name) :
						    mem_strdup(name);
	const struct option_def *def = NULL;

	TRY(find_long(cut, &def));
	assert(def);
	return take_option(a, def, equals ? equals + 1 : NULL, false);
}

/* argp's -? stays: scripts may know it. */
static const struct option_def *find_key(char key)
{
	if (key == '?')
		key = 'h';
	for (size_t i = 0; i < option_table_nr; i++) {
		if (option_table[i].key == key)
			return &option_table[i];
	}
	return NULL;
}

/* Does the option end the run where it stands? */
static bool acts_at_once(enum option_use use)
{
	return use == USE_HELP || use == USE_USAGE || use == USE_VERSION ||
	       use == USE_SUPPORTED_FEATURES;
}

/* -J, -j4, -Xprefix, -JVj4 */
static struct err *take_short(struct args *a, const char *arg)
{
	for (const char *p = arg + 1; *p;) {
		const struct option_def *def = find_key(*p);

		/* "-verbose" is a long option that lacks a dash, not -v -e -r ... */
		if (!def)
			return unrecognized("-", (char[]){ *p, '\0' }, p == arg + 1 ? p : "");
		p++;
		if (def->arg != ARG_NONE)
			return take_option(a, def, *p ? p : NULL, true);
		TRY(take_option(a, def, NULL, true));
		if (acts_at_once(def->use))
			return NULL;
	}
	return NULL;
}

static bool stop_here(const struct args *a)
{
	for (size_t i = 0; i < a->given.nr; i++) {
		if (acts_at_once(a->given.items[i].def->use))
			return true;
	}
	return false;
}

static bool was_given(const struct args *a, enum option_use use)
{
	for (size_t i = 0; i < a->given.nr; i++) {
		if (a->given.items[i].def->use == use)
			return true;
	}
	return false;
}

/* Behind the name of a command all is the command's. */
static struct err *read_args(struct args *a)
{
	bool options_ended = false, posix = environment("POSIXLY_CORRECT") != NULL;

	while (a->next < a->argc && !stop_here(a)) {
		const char *arg = a->argv[a->next++];

		if (options_ended || arg[0] != '-' || !arg[1]) {
			vec_push(&a->files, arg);
			options_ended |= posix || was_given(a, USE_LAUNCH);
		} else if (arg[1] != '-') {
			TRY(take_short(a, arg));
		} else if (arg[2]) {
			TRY(take_long(a, arg));
		} else {
			options_ended = true;
		}
	}
	return NULL;
}

/*
 * -V counts wherever it stands. Behind an option like --version nothing has been read,
 * so only a -V that stands alone is seen there.
 */
static bool is_verbose(const struct args *a)
{
	if (was_given(a, USE_VERBOSE))
		return true;
	for (int i = a->next; i < a->argc; i++) {
		if (!strcmp(a->argv[i], "-V") || !strcmp(a->argv[i], "--verbose"))
			return true;
	}
	return false;
}

/* Second pass: the options act */

/* What is being made, and what only the making needs. */
struct parse {
	struct options *o;
	struct diagnostics *diags;
	bool encode;          /* -J */
	bool have_features;   /* a list was met: it has switched off all that was on */
	bool asked_to_distil; /* a list has distilled_base itself, not only 'all' */
	bool have_exclude;    /* --lang_exclude was given, so the environment does not count */
	const char *prints;   /* the last option that only printing has, */
	const char *selects;  /* and the last but --btf_header */
};

static struct err *add_features(struct parse *p, const char *list, bool strict)
{
	uint32_t added = 0;

	TRY(features_add(list, strict, p->diags, &added));
	if (!p->have_features)
		p->o->encode.features = 0;
	p->have_features = true;
	p->o->encode.features |= added;
	p->asked_to_distil |= (features_named(list) & FEATURE_DISTILLED_BASE) != 0;
	return NULL;
}

/*
 * 'all' includes distilled_base only where that is possible. A list that names distilled_base is an error or
 * gives a warning where it is not.
 */
static void settle_features(struct parse *p)
{
	uint32_t *features = &p->o->encode.features;

	if (p->o->vars_detached)
		*features |= FEATURE_VARS_APART;

	bool apart = *features & FEATURE_VARS_APART;
	/* apart is apart, whoever asked for all variables */
	if (apart)
		*features &= ~(uint32_t)FEATURE_GLOBAL_VAR;
	if ((!p->o->base || p->o->detached || apart) && !p->asked_to_distil)
		*features &= ~(uint32_t)FEATURE_DISTILLED_BASE;
}

static struct err *set_jobs(struct parse *p, const char *value)
{
	unsigned int *jobs = &p->o->encode.jobs;
	char *end;

	if (!value) {
		*jobs = processors();
		return NULL;
	}
	errno = 0;
	long n = strtol(value, &end, 10);
	if (end == value || *end)
		return err_new(ERR_USAGE, "'%s' is not a number of jobs", value);
	*jobs = n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (unsigned int)n;
	return NULL;
}

/* A list of formats. To encode from both is to take BTF where it is an archive; CTF is ignored. */
static struct err *set_formats(struct parse *p, const char *list)
{
	bool dwarf = false, btf = false, ctf = false, btf_first = false;

	for (size_t len; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len == 5 && !memcmp(list, "dwarf", len))
			dwarf = true;
		else if (len == 3 && !memcmp(list, "btf", len))
			btf_first = !dwarf, btf = true;
		else if (len == 3 && !memcmp(list, "ctf", len))
			ctf = true;
		else
			return err_new(ERR_USAGE, "-F: unknown format '%.*s'", (int)len, list);
	}
	if (!dwarf && !btf && ctf)
		return err_new(ERR_UNSUPPORTED, "-F: btfenc does not encode from 'ctf'");
	if (!dwarf && !btf)
		return err_new(ERR_USAGE, "-F: no format given");
	p->o->from = !btf ? ENCODE_FROM_DWARF : !dwarf ? ENCODE_FROM_BTF : ENCODE_FROM_EITHER;
	p->o->btf_first = btf_first;
	return NULL;
}

/* The last list counts, as in pahole. */
static struct err *set_languages(struct languages *langs, const char *list)
{
	langs->nr = 0;
	return languages_add(list, langs);
}

static struct err *set_name(const char **name, const char *value, const char *option)
{
	if (!*value)
		return err_new(ERR_USAGE, "option '%s' needs a file name", option);
	*name = value;
	return NULL;
}

/* A name for the descriptor that is open already: what a redirection appends to keeps its bytes. */
static const char standard_output[] = "/dev/stdout";

static struct err *set_output(const char **name, const char *value, const char *option)
{
	return set_name(name, strcmp(value, "-") ? value : standard_output, option);
}

/* "6.15" -> a linux_version(); false if it is no such thing. */
static bool parse_version(const char *s, uint32_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	unsigned long major = strtoul(s, &end, 10);
	if (*end != '.' || end[1] < '0' || end[1] > '9')
		return false;
	unsigned long minor = strtoul(end + 1, &end, 10);
	if (*end || major > UINT16_MAX || minor > UINT16_MAX)
		return false;
	*ret = linux_version((uint32_t)major, (uint32_t)minor);
	return true;
}

/* The option for a job of its own, NULL for other actions. */
static const char *job_option(enum options_action action)
{
	switch (action) {
	case ACTION_CHECK:
		return "--btf_check";
	case ACTION_DIFF:
		return "--btf_diff";
	case ACTION_LAUNCH:
		return "--launch";
	default:
		return NULL;
	}
}

static struct err *set_job(struct options *o, enum options_action job)
{
	const char *other = job_option(o->action);

	if (other && o->action != job)
		return err_new(ERR_USAGE, "'%s' and '%s' cannot be combined", other,
			       job_option(job));
	o->action = job;
	return NULL;
}

/* The rules are those of 6.12, less what later versions have dropped. */
static struct err *set_check(struct options *o, const char *value)
{
	const uint32_t oldest = linux_version(6, 12);

	TRY(set_job(o, ACTION_CHECK));
	o->check_for = oldest;
	if (value && (!parse_version(value, &o->check_for) || o->check_for < oldest))
		return err_new(
			ERR_USAGE,
			"--btf_check: '%s' is no version of Linux from 6.12 on, such as 6.15",
			value);
	return NULL;
}

/* The last name counts. */
static void set_explain(struct options *o, const char *value)
{
	size_t len = strlen(value);

	free(o->explain_own);
	o->explain = true;
	o->explain_own = mem_strdup(value);
	o->explain_func = len > 2 && !strcmp(value + len - 2, "()");
	if (o->explain_func)
		o->explain_own[len - 2] = '\0';
	o->explain_as = wanted_read(o->explain_own);
	o->explain_name = *value ? o->explain_as.name : NULL;
}

static struct err *act(struct parse *p, const struct given *g)
{
	struct options *o = p->o;

	switch (g->def->use) {
	case USE_FEATURES_ON:
		o->encode.features |= g->def->features;
		return NULL;
	case USE_FEATURES_OFF:
		o->encode.features &= ~g->def->features;
		return NULL;
	case USE_FEATURE_LIST:
		return add_features(p, g->value, false);
	case USE_FEATURE_LIST_STRICT:
		return err_at(add_features(p, g->value, true), "--btf_features_strict");
	case USE_ALL_FEATURES:
		return add_features(p, "all", true);
	case USE_ENCODE:
		p->encode = true;
		return NULL;
	case USE_DETACHED:
		return set_output(&o->detached, g->value, "--btf_encode_detached");
	case USE_VARS_DETACHED:
		return set_output(&o->vars_detached, g->value, "--btf_vars_detached");
	case USE_BASE:
		o->first_base = o->base;
		return set_name(&o->base, g->value, "--btf_base");
	case USE_KABI_PREFIX:
		/* every name begins with nothing; pahole would rename them all to that (quirk Q47) */
		o->encode.kabi_prefix = *g->value ? g->value : NULL;
		return NULL;
	case USE_STRIP_DWARF:
		o->strip_dwarf = true;
		return NULL;
	case USE_DEDUP_BTF:
		o->gather = true;
		return NULL;
	case USE_ARCHIVE:
		return set_name(&o->archive, g->value, "--btf_archive");
	case USE_CHECK:
		return set_check(o, g->value);
	case USE_DIFF:
		return set_job(o, ACTION_DIFF);
	case USE_STATS:
		o->stats = true;
		return NULL;
	case USE_JSON:
		o->json = true;
		return NULL;
	case USE_LAUNCH:
		return set_job(o, ACTION_LAUNCH);
	case USE_REPORT:
		return set_name(&o->report, g->value, "--btf_report");
	case USE_EXPLAIN:
		set_explain(o, g->value ? g->value : "");
		return NULL;
	case USE_QUIET:
		o->quiet = true;
		return NULL;
	case USE_NO_MEMBER_NOTES:
		o->no_member_notes = true;
		return NULL;
	case USE_UNCHECKED:
		o->encode.unchecked = true;
		return NULL;
	case USE_FORMATS:
		return set_formats(p, g->value);
	case USE_LANG:
		o->have_lang = true;
		return err_at(set_languages(&o->langs, g->value), "--lang");
	case USE_LANG_EXCLUDE:
		p->have_exclude = true;
		return err_at(set_languages(&o->excluded_langs, g->value), "--lang_exclude");
	case USE_CU_EXCLUDE:
		vec_push(&o->excluded_units, g->value);
		return NULL;
	case USE_JOBS:
		return set_jobs(p, g->value);
	case USE_HELP:
		o->action = ACTION_HELP;
		return NULL;
	case USE_USAGE:
		o->action = ACTION_USAGE;
		return NULL;
	case USE_VERSION:
		o->action = ACTION_VERSION;
		return NULL;
	case USE_NUMERIC_VERSION:
		o->action = ACTION_NUMERIC_VERSION;
		return NULL;
	case USE_SUPPORTED_FEATURES:
		o->action = ACTION_SUPPORTED_FEATURES;
		return NULL;
	case USE_VERBOSE: /* what does not depend on the order, is_verbose() has set */
		o->verbose_before = true;
		return NULL;
	case USE_NOTHING:
	case USE_REFUSED: /* has not come here */
		return NULL;
	default:
		/* what may be missing is none of an encoder's business */
		if (g->def->use != USE_SHOW_SKIP_MISSING)
			p->prints = g->def->name;
		if (g->def->use != USE_SHOW_HEADER)
			p->selects = g->def->name;
		return options_show_act(o, g->def, g->value);
	}
}

/* The environment is asked only if the command line does not speak of languages. */
static struct err *languages_of_environment(struct parse *p)
{
	const char *list = environment("PAHOLE_LANG_EXCLUDE");

	if (!list || p->o->have_lang || p->have_exclude)
		return NULL;
	return err_at(languages_add(list, &p->o->excluded_langs), "PAHOLE_LANG_EXCLUDE");
}

/*
 * Both lists hold: a unit is kept if --lang names its language (or is not given) and
 * --lang_exclude does not. So the two can be said with one.
 */
static void settle_languages(struct options *o)
{
	struct languages *l = o->have_lang ? &o->langs : &o->excluded_langs;

	if (o->have_lang)
		languages_remove(&o->langs, &o->excluded_langs);
	o->encode.langs = l->items;
	o->encode.nr_langs = l->nr;
	o->encode.lang_only = o->have_lang;
}

/* Appending needs what is whole and by itself. */
static struct err *check_archive(const struct options *o)
{
	if (!options_append(o))
		return NULL;
	if (o->detached)
		return err_new(ERR_USAGE,
			       "'--btf_archive' and '--btf_encode_detached' are two outputs");
	if (o->base)
		return err_new(ERR_USAGE,
			       "'--btf_archive' takes whole BTF, '--btf_base' leaves a part of it");
	return NULL;
}

/* To look at BTF writes nothing. */
static struct err *check_nothing_made(const struct parse *p, const char *option)
{
	const struct options *o = p->o;
	const char *other = p->encode        ? "-J" :
			    o->detached      ? "--btf_encode_detached" :
			    o->vars_detached ? "--btf_vars_detached" :
			    o->archive       ? "--btf_archive" :
			    o->strip_dwarf   ? "--strip_dwarf" :
			    o->gather        ? "--dedup_btf" :
					       NULL;

	if (other)
		return err_new(ERR_USAGE, "'%s' makes nothing, and '%s' does", option, other);
	if (o->stats && o->action != ACTION_STATS)
		return err_new(ERR_USAGE, "'%s' and '--btf_stats' cannot be combined", option);
	if (o->from == ENCODE_FROM_DWARF)
		return err_new(ERR_USAGE, "'%s' reads BTF, '-F dwarf' does not", option);
	return NULL;
}

static struct err *check_diff(const struct parse *p)
{
	if (p->o->files.nr != 2)
		return err_new(ERR_USAGE, "'--btf_diff' takes two files, not %zu", p->o->files.nr);
	return check_nothing_made(p, "--btf_diff");
}

/* What stands apart has to have something to stand on that is there in the end. */
static struct err *check_apart(const struct options *o)
{
	const char *name = o->vars_detached ? "--btf_vars_detached" :
					      "--btf_features=global_var.extra";

	if (!(o->encode.features & FEATURE_VARS_APART))
		return NULL;
	if (o->detached && !o->vars_detached)
		return err_new(ERR_USAGE,
			       "'%s': '--btf_encode_detached' has no section for it: give "
			       "'--btf_vars_detached=VARS'",
			       name);
	if (options_append(o))
		return err_new(ERR_USAGE,
			       "'%s': members of an archive keep their variables; give it when "
			       "the archive is combined",
			       name);
	if (o->encode.features & FEATURE_DISTILLED_BASE && !o->detached)
		return err_new(ERR_USAGE, "'%s': nothing can stand on BTF with a distilled base",
			       name);
	return NULL;
}

/* Each object is whole and by itself, and stays where the compiler has put it. */
static struct err *check_launch(const struct options *o)
{
	const char *other = o->detached                ? "--btf_encode_detached" :
			    o->vars_detached           ? "--btf_vars_detached" :
			    o->base                    ? "--btf_base" :
			    o->gather                  ? "--dedup_btf" :
			    o->stats                   ? "--btf_stats" :
			    o->report                  ? "--btf_report" :
			    o->explain                 ? "--explain" :
			    o->from == ENCODE_FROM_BTF ? "-F btf" :
			    feature_on(&o->encode, FEATURE_DISTILLED_BASE) ? "distilled_base" :
									     NULL;

	if (other)
		return err_new(ERR_USAGE, "'%s' has no place beside '--launch'", other);
	return check_apart(o);
}

/* As in pahole, who does not ask for anything to be made wants to see. */
static void settle_action(struct parse *p)
{
	struct options *o = p->o;
	bool makes = p->encode || o->detached || o->archive || o->strip_dwarf || o->gather ||
		     o->vars_detached;

	if (o->action == ACTION_ENCODE && !makes && (o->report || o->explain))
		o->nothing_made = true;
	else if (o->action == ACTION_ENCODE && !makes)
		o->action = ACTION_SHOW;
}

/* A header is of one BTF, and of all that is in it. */
static struct err *check_header(const struct parse *p)
{
	const struct options *o = p->o;

	if (o->files.nr > 1)
		return err_new(ERR_USAGE, "'--btf_header' takes one file");
	if (o->show_name)
		return err_new(ERR_USAGE, "'--btf_header' prints all types");
	if (p->selects)
		return err_new(ERR_USAGE,
			       "'--btf_header' prints all types as C, '--%s' does not apply",
			       p->selects);
	return NULL;
}

/* What is encoded is told of, and in one place. */
static struct err *check_report(const struct parse *p)
{
	const struct options *o = p->o;
	const char *option = o->report ? "--btf_report" : "--explain";

	if (!o->report && !o->explain)
		return NULL;
	if (o->action == ACTION_CHECK || o->action == ACTION_DIFF || o->action == ACTION_STATS)
		return err_new(ERR_USAGE,
			       "'%s' tells what encoding leaves out, and '%s' does not encode",
			       option,
			       o->action == ACTION_CHECK ? "--btf_check" :
			       o->action == ACTION_DIFF  ? "--btf_diff" :
							   "--btf_stats");
	return NULL;
}

/* Only what looks at BTF has a form in JSON; a report has no other. */
static struct err *check_json(const struct options *o)
{
	if (!o->json)
		return NULL;
	if (o->action == ACTION_ENCODE || o->action == ACTION_SHOW || o->action == ACTION_LAUNCH)
		return err_new(ERR_USAGE,
			       "'--json' is for '--btf_check', '--btf_diff' and '--btf_stats' of "
			       "files that have BTF");
	if (o->quiet && o->action == ACTION_DIFF)
		return err_new(ERR_USAGE, "'--json' prints, and '-q' is for the exit status alone");
	return NULL;
}

static bool is_standard_output(const char *path)
{
	return path && !strcmp(path, standard_output);
}

/* BTF or a report on standard output is alone there, and a terminal is not for BTF. */
static struct err *check_standard_output(const struct options *o)
{
	const struct {
		bool is_used;
		const char *option;
	} users[] = {
		{ is_standard_output(o->detached), "--btf_encode_detached=-" },
		{ is_standard_output(o->vars_detached), "--btf_vars_detached=-" },
		{ o->report && !strcmp(o->report, "-"), "--btf_report=-" },
		{ o->explain, "--explain" },
		{ o->stats, "--btf_stats" },
		{ o->encode.verbose, "-V" },
	};
	enum { NR_BINARY = 2, NR_ALONE = 3 };
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

static struct err *check_complete(const struct parse *p)
{
	const struct options *o = p->o;

	TRY(check_report(p));
	TRY(check_standard_output(o));
	TRY(check_json(o));
	if (o->action == ACTION_SHOW && o->show_header)
		return check_header(p);
	if (o->action == ACTION_SHOW && o->show_name)
		return NULL;
	if (o->action != ACTION_ENCODE && o->action != ACTION_CHECK && o->action != ACTION_DIFF &&
	    o->action != ACTION_STATS && o->action != ACTION_SHOW && o->action != ACTION_LAUNCH)
		return NULL;
	if (!o->files.nr)
		return err_new(ERR_USAGE, o->action == ACTION_LAUNCH ?
						  "'--launch' needs a command" :
						  "no input file");
	if (o->action == ACTION_SHOW)
		return NULL;
	if (p->prints)
		return err_new(ERR_USAGE, "'--%s' is for printing, without '-J' and the like",
			       p->prints);
	if (o->action == ACTION_LAUNCH)
		return check_launch(o);
	if (o->action == ACTION_CHECK)
		return check_nothing_made(p, "--btf_check");
	if (o->action == ACTION_DIFF)
		return check_diff(p);
	if (o->action == ACTION_STATS)
		return check_nothing_made(p, "--btf_stats");
	if (!p->encode && !o->detached && !o->nothing_made)
		return err_new(ERR_USAGE,
			       "no output: give '-J' to put BTF into '%s', or "
			       "'--btf_encode_detached=OUT'",
			       o->files.items[0]);
	if (o->strip_dwarf && o->detached)
		return err_new(
			ERR_USAGE,
			"'--strip_dwarf' changes the file, '--btf_encode_detached' does not");
	TRY(check_apart(o));
	return check_archive(o);
}

struct err *options_parse(int argc, char **argv, struct diagnostics *diags, struct options *ret)
{
	CLEANUP(args_release) struct args args = { .argc = argc, .argv = argv, .next = 1 };
	CLEANUP(options_release) struct options o = {
		.encode = { .features = FEATURES_PLAIN, .jobs = 1 },
		.show = { .separator = '\t' },
		.btf_first = true,
		.kernel_btf = environment("PAHOLE_VMLINUX_BTF_FILENAME"),
	};
	struct parse p = { .o = &o, .diags = diags };

	if (!o.kernel_btf)
		o.kernel_btf = "/sys/kernel/btf/vmlinux";
	TRY(read_args(&args));
	o.encode.verbose = is_verbose(&args);
	diags->verbose = o.encode.verbose;
	for (size_t i = 0; i < args.given.nr; i++)
		TRY(act(&p, &args.given.items[i]));
	TRY(languages_of_environment(&p));
	/* with --json, -V makes the lists longer, and no lines of text */
	diags->verbose &= !o.json;

	o.files = TAKE(args.files);
	if (o.stats && o.action == ACTION_ENCODE && !p.encode && !o.detached)
		o.action = ACTION_STATS;
	settle_features(&p);
	settle_languages(&o);
	settle_action(&p);
	options_show_settle(&o);
	o.encode.exclude_units = o.excluded_units.items;
	o.encode.nr_exclude_units = o.excluded_units.nr;
	TRY(check_complete(&p));
	*ret = TAKE(o);
	return NULL;
}

void options_release(struct options *o)
{
	free(o->files.items);
	free(o->langs.items);
	free(o->excluded_langs.items);
	free(o->excluded_units.items);
	free(o->explain_own);
	*o = (struct options){ 0 };
}
