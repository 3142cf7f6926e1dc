/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - see options.h
 *
 * The options act in the order of the command line, which matters to features. Only -V and --compat have an
 * effect on options before them.
 */
#include "cmd/options/options.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "base/text.h"
#include "base/vec.h"
#include "check/btf_rule.h"
#include "cmd/options/command_line.h"
#include "cmd/options/option_conflicts.h"
#include "cmd/options/rule_list.h"
#include "encoder/unit/features.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	JOBS_MAX = 1024,      /* more than any machine has processors */
	CACHELINE_USUAL = 64, /* where the system does not know it */
};

static const char *environment(const char *name)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
	return getenv(name);
}

/* State that only the parser needs. */
struct parse {
	struct options *o;
	struct diagnostics *diags;
	bool have_features;   /* a list was met: it has switched off all that was on */
	bool asked_to_distil; /* a list has distilled_base itself, not only 'all' */
	bool have_exclude;    /* --lang_exclude was given, so the environment does not count */
};

static struct err *add_features(struct parse *p, const char *list, bool strict)
{
	uint32_t added = 0;

	TRY(features_add(list, p->o->encode.compat, strict, p->diags, &added));
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

	if (p->o->inline_detached)
		*features |= FEATURE_INLINE_APART;
	if (*features & FEATURE_INLINE_APART)
		*features &= ~(uint32_t)FEATURE_INLINE;

	bool apart = *features & (FEATURE_VARS_APART | FEATURE_INLINE_APART);
	/* the variables that global_var adds go to a section of their own */
	if (*features & FEATURE_VARS_APART)
		*features &= ~(uint32_t)FEATURE_GLOBAL_VAR;
	if ((!p->o->base || p->o->detached || apart) && !p->asked_to_distil)
		*features &= ~(uint32_t)FEATURE_DISTILLED_BASE;
}

/* The last level counts, also for the options before it. */
static struct err *set_level(const struct command_line *line, struct options *o)
{
	for (size_t i = 0; i < line->given.nr; i++) {
		const char *name = line->given.items[i].value;

		if (line->given.items[i].def->use != USE_COMPAT)
			continue;
		if (!compat_find(name, &o->encode.compat))
			return err_new(ERR_USAGE, "--compat: '%s' is no level; known are %s", name,
				       compat_names);
	}
	return NULL;
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
	*jobs = n < 0 ? 0 : n > JOBS_MAX ? JOBS_MAX : (unsigned int)n;
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
			return err_new(
				ERR_USAGE,
				"-F: unknown format '%.*s': the formats are 'dwarf' and 'btf'",
				(int)len, list);
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

/* "6.15", also as in "6.15.3-amd64" -> a linux_version(); false if it is no such thing. */
static bool parse_version(const char *s, uint32_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	unsigned long major = strtoul(s, &end, 10);
	if (*end != '.' || end[1] < '0' || end[1] > '9')
		return false;
	unsigned long minor = strtoul(end + 1, &end, 10);
	bool goes_on = *end == '-' || *end == '+' ||
		       (*end == '.' && end[1] >= '0' && end[1] <= '9');
	if ((*end && !goes_on) || major > UINT16_MAX || minor > UINT16_MAX)
		return false;
	*ret = linux_version((uint32_t)major, (uint32_t)minor);
	return true;
}

static struct err *set_check(struct options *o, const char *value)
{
	o->check = true;
	o->check_for = LINUX_DEFAULT;
	if (value && (!parse_version(value, &o->check_for) || o->check_for < LINUX_OLDEST))
		return err_new(
			ERR_USAGE,
			"--btf_check: '%s' is no version of Linux from 5.10 on, such as 6.15 or 6.12.117-amd64",
			value);
	return NULL;
}

static struct err *set_diff(struct options *o, const char *value)
{
	static const char *const names[] = {
		[DIFF_ALL] = "all", [DIFF_CHANGED] = "changed", [DIFF_CORE] = "core"
	};
	size_t i = 0;

	while (value && i < ARRAY_SIZE(names) && strcmp(names[i], value) != 0)
		i++;
	if (i == ARRAY_SIZE(names))
		return err_new(ERR_USAGE, "--btf_diff: '%s' is not one of all, changed, core",
			       value);
	o->diff = true;
	o->diff_what = (enum diff_what)i;
	return NULL;
}

/* Several lists add up. */
static struct err *set_explain(struct options *o, const char *list)
{
	o->explain = true;
	if (list && *list)
		return err_at(wanted_list_read(list, WANTED_NAMES, &o->explain_names), "--explain");
	o->explain_all = true;
	return NULL;
}

/* Several lists add up. */
static struct err *set_functions(struct options *o, const char *list)
{
	o->have_functions = true;
	if (!strcmp(list, "none"))
		return NULL;
	TRY(err_at(wanted_list_read(list, WANTED_NAMES, &o->functions), "--btf_functions"));
	for (size_t i = 0; i < o->functions.nr; i++) {
		const struct wanted *w = &o->functions.items[i];
		CLEANUP(mem_free_text) char *shown = wanted_list_name(w);

		if (w->sort != WANTED_ANY)
			return err_new(ERR_USAGE, "--btf_functions: %s is a type", shown);
		o->encode.kfuncs_too |= !w->is_func && !strcmp(w->name, "kfuncs");
	}
	return NULL;
}

static struct err *set_sites(struct options *o, const char *func)
{
	if (func && !*func)
		return err_new(ERR_USAGE, "--inline_sites: the name of the function is empty");
	o->sites = true;
	o->sites_of = func;
	return NULL;
}

static struct err *set_fatal(struct options *o, const char *list)
{
	TRY(rule_list_read("--fatal", list, &o->fatal, &o->fatal_named));
	return o->fatal ? NULL : err_new(ERR_USAGE, "--fatal: '%s' leaves no rule", list);
}

static struct err *set_color(struct options *o, const char *when)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], when) != 0)
			continue;
		o->color = (enum color_when)i;
		return NULL;
	}
	return err_new(ERR_USAGE, "--color: '%s' is neither auto, always nor never", when);
}

static struct err *set_number(const struct option_def *def, const char *value, uint32_t *ret)
{
	char *end;

	errno = 0;
	unsigned long n = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || n < def->least || n > def->most)
		return err_new(ERR_USAGE, "--%s: '%s' is not a number from %u to %u", def->name,
			       value, def->least, def->most);
	*ret = (uint32_t)n;
	return NULL;
}

static struct err *set_file(const struct option_def *def, const char *value, const char **ret)
{
	if (!*value)
		return err_new(ERR_USAGE, "option '--%s' needs a file name", def->name);
	*ret = value;
	return NULL;
}

/* Options that have a field of struct options. */
static struct err *set_field(struct options *o, const struct option_def *def, const char *value)
{
	void *field = (char *)o + def->field;

	switch (def->use) {
	case USE_SET:
		*(bool *)field = true;
		return NULL;
	case USE_HOLE_SIZE:
		/* in pahole, -V has an effect on this only if it stands before it */
		if (!o->verbose_before)
			o->show.form = LISTING_NAMES;
		return set_number(def, value, field);
	case USE_NUMBER:
		return set_number(def, value, field);
	case USE_STRING:
		*(const char **)field = value;
		return NULL;
	case USE_FILE:
		return set_file(def, value, field);
	case USE_OUTPUT:
		/* the open descriptor: a file that the shell appends to keeps its bytes */
		return set_file(def, strcmp(value, "-") ? value : STANDARD_OUTPUT, field);
	case USE_ACTION:
		o->action = (enum options_action)def->number;
		return NULL;
	case USE_FORM:
		o->show.form = (enum listing_form)def->number;
		return NULL;
	default: /* USE_NOTHING; command_line.c has refused USE_REFUSED */
		return NULL;
	}
}

/* Options of printing that also select differences. */
static bool selects_differences(const struct option_def *def)
{
	static const size_t fields[] = {
		offsetof(struct options, show_named),
		offsetof(struct options, skip_missing),
		offsetof(struct options, show.filter.structs),
		offsetof(struct options, show.filter.unions),
		offsetof(struct options, show.filter.include),
		offsetof(struct options, show.filter.exclude),
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (def->field == fields[i] && (def->use == USE_SET || def->use == USE_STRING))
			return true;
	}
	return false;
}

static struct err *act(struct parse *p, const struct given_option *given)
{
	const struct option_def *def = given->def;
	const char *value = given->value;
	struct options *o = p->o;
	const struct compat *level = compat_get(o->encode.compat);

	if (def->since > level->version)
		return err_new(ERR_USAGE, "--compat=%s: pahole %s has no option '--%s'",
			       level->name, level->pahole, def->name);
	/* an encoder ignores --skip_missing, as it does all that may be missing */
	if (def->group == GROUP_PRINT && !option_sets(def, offsetof(struct options, skip_missing)))
		o->prints = given->shown;
	if (def->group == GROUP_PRINT && !option_sets(def, offsetof(struct options, show_header)))
		o->selects = given->shown;
	if (def->group == GROUP_PRINT && !selects_differences(def))
		o->prints_only = given->shown;
	switch (def->use) {
	case USE_FEATURES_ON:
		o->encode.features |= def->number;
		return NULL;
	case USE_FEATURES_OFF:
		o->encode.features &= ~def->number;
		return NULL;
	case USE_FEATURE_LIST:
		return add_features(p, value, false);
	case USE_FEATURE_LIST_STRICT:
		return err_at(add_features(p, value, true), "--btf_features_strict");
	case USE_ALL_FEATURES:
		return add_features(p, "all", true);
	case USE_BASE:
		o->first_base = o->base;
		return set_file(def, value, &o->base);
	case USE_KABI_PREFIX:
		/* pahole would rename all names to the empty prefix */
		o->encode.kabi_prefix = *value ? value : NULL;
		return NULL;
	case USE_CHECK:
		return set_check(o, value);
	case USE_DIFF:
		return set_diff(o, value);
	case USE_EXPLAIN:
		return set_explain(o, value);
	case USE_SITES:
		return set_sites(o, value);
	case USE_FUNCTIONS:
		return set_functions(o, value);
	case USE_FATAL:
		return set_fatal(o, value);
	case USE_REPORT_RULES:
		o->have_report_rules = true;
		return rule_list_read("--btf_report_rules", value, &o->report_rules,
				      &(uint64_t){ 0 });
	case USE_FORMATS:
		return set_formats(p, value);
	case USE_LANG:
		o->have_lang = true;
		return err_at(set_languages(&o->langs, value), "--lang");
	case USE_LANG_EXCLUDE:
		p->have_exclude = true;
		return err_at(set_languages(&o->excluded_langs, value), "--lang_exclude");
	case USE_CU_EXCLUDE:
		vec_push(&o->excluded_units, value);
		return NULL;
	case USE_COLOR:
		return set_color(o, value);
	case USE_JOBS:
		return set_jobs(p, value);
	case USE_HELP:
		o->action = ACTION_HELP;
		return help_groups(value, &o->help_groups);
	case USE_SEPARATOR:
		o->show.separator = value[0];
		return NULL;
	default:
		return set_field(o, def, value);
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
 * Both lists apply: a unit is kept if --lang names its language, or is absent, and --lang_exclude does
 * not name it. One list has the same effect.
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

/* As in pahole, a command line that asks for no output prints types. */
static void settle_action(struct options *o)
{
	bool writes = o->btf_encode || o->detached || o->archive || o->strip_dwarf || o->gather ||
		      o->vars_detached || o->inline_detached || o->for_link;

	if (o->action != ACTION_ENCODE) /* --help and the like */
		return;
	if (o->launch)
		o->action = ACTION_LAUNCH;
	else if (o->check)
		o->action = ACTION_CHECK;
	else if (o->diff)
		o->action = ACTION_DIFF;
	else if (o->sites)
		o->action = ACTION_SITES;
	else if (o->stats && !o->btf_encode && !o->detached)
		o->action = ACTION_STATS;
	else if (!writes && (o->report || o->explain || o->fatal))
		o->nothing_made = true;
	else if (!writes)
		o->action = ACTION_SHOW;
}

/* By default, a terminal that has colours gets them, unless the user wants none of any program (no-color.org). */
static void settle_color(struct options *o)
{
	const char *none = environment("NO_COLOR"), *terminal = environment("TERM");
	bool possible = terminal && *terminal && strcmp(terminal, "dumb") != 0;

	if (o->color == COLOR_AUTO)
		o->colored = possible && !(none && *none) && isatty(STDOUT_FILENO);
	else
		o->colored = o->color == COLOR_ALWAYS;
}

static void settle_show(struct options *o)
{
	struct print_style *s = &o->show.style;
	struct filter *f = &o->show.filter;
	long size;

	o->show_what = o->show.enumerator ? SHOW_ENUMS :
		       o->show_named      ? SHOW_NAMED :
		       o->show_containers ? SHOW_CONTAINERS :
		       o->show_pointers   ? SHOW_POINTERS :
					    SHOW_ALL;
	o->show_name = o->show_named      ? o->show_named :
		       o->show_containers ? o->show_containers :
					    o->show_pointers;
	o->of_all = o->show.sort  ? "--sort" :
		    o->show.skip  ? "--skip" :
		    o->show.count ? "--count" :
				    NULL;
	f->structs |= f->packed || f->embeds_flexible;
	/* the savings, in which pahole ignores the other forms, or with -V the whole structs or these */
	if (f->packable && !o->encode.verbose && o->show_what == SHOW_ALL)
		o->show.form = LISTING_SAVINGS;
	o->show.counts = o->encode.verbose;
	s->quiet = o->quiet;
	if (s->cacheline)
		return;
	size = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	s->cacheline = size > 0 && size <= UINT16_MAX ? (uint32_t)size : CACHELINE_USUAL;
}

struct err *options_parse(int argc, char **argv, struct diagnostics *diags, struct options *ret)
{
	CLEANUP(command_line_release)
	struct command_line line = { .argc = argc, .argv = argv, .next = 1 };
	CLEANUP(options_release) struct options o = {
		.encode = { .features = FEATURES_PLAIN },
		.show = { .separator = '\t' },
		.btf_first = true,
		.kernel_btf = environment("PAHOLE_VMLINUX_BTF_FILENAME"),
	};
	struct parse p = { .o = &o, .diags = diags };

	if (!o.kernel_btf)
		o.kernel_btf = "/sys/kernel/btf/vmlinux";
	TRY(command_line_read(&line));
	TRY(set_level(&line, &o));
	o.encode.verbose = diags->verbose = line.verbose;
	o.records = line.verbose > 1;
	for (size_t i = 0; i < line.given.nr; i++)
		TRY(act(&p, &line.given.items[i]));
	TRY(languages_of_environment(&p));
	/* with --json, -V makes the lists longer, and prints no lines of text */
	diags->verbose &= !o.json;

	o.files = TAKE(line.files);
	for (size_t i = 0; i < o.files.nr && !o.launch; i++) {
		if (!strcmp(o.files.items[i], "-"))
			o.files.items[i] = "/dev/stdin";
	}
	o.given = TAKE(line.given);
	settle_features(&p);
	settle_languages(&o);
	settle_action(&o);
	settle_show(&o);
	settle_color(&o);
	/* who asks for an error wants to see all that causes it */
	if (!o.have_report_rules)
		o.report_rules = omission_rules_of_loss() | o.fatal;
	o.encode.exclude_units = o.excluded_units.items;
	o.encode.nr_exclude_units = o.excluded_units.nr;
	TRY(options_check(&o));
	*ret = TAKE(o);
	if (ret->have_functions)
		ret->encode.functions = &ret->functions.index;
	return NULL;
}

void options_release(struct options *o)
{
	FREE_ALL(o->files.items, o->given.items, o->langs.items, o->excluded_langs.items,
		 o->excluded_units.items);
	wanted_list_release(&o->functions);
	wanted_list_release(&o->explain_names);
	*o = (struct options){ 0 };
}
