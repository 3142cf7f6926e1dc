/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command_line.c - see command_line.h
 *
 * The grammar is that of GNU argp, which pahole uses and on which build scripts rely: options and files
 * mix, "--" ends the options, long options may be abbreviated while they are unique, and -j takes its
 * number only if it is attached. docs/design.md explains why argp itself is not used.
 */
#include "cmd/options/command_line.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "base/text.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>

void command_line_release(struct command_line *a)
{
	free(a->given.items);
	free(a->files.items);
}

static struct err *take_option(struct command_line *a, const struct option_def *def,
			       const char *value, bool as_key)
{
	struct given_option given = {
		.def = def,
		.next = a->next < a->argc ? a->argv[a->next] : NULL,
	};
	const char *shown = given.shown;

	if (as_key)
		snprintf(given.shown, sizeof(given.shown), "-%c", def->key);
	else
		snprintf(given.shown, sizeof(given.shown), "--%s", def->name);
	if (def->use == USE_REFUSED)
		return err_new(ERR_USAGE,
			       "'%s' is an option of pahole that btfenc does not have; "
			       "see \"Refused\" in btfenc-pahole(7)",
			       shown);
	if (def->arg == ARG_NONE && value)
		return err_new(ERR_USAGE, "option '%s' takes no argument", shown);
	if (option_sets(def, offsetof(struct options, launch)) && a->files.nr)
		return err_new(ERR_USAGE, "'%s' must stand before the command, not after '%s'",
			       shown, a->files.items[0]);
	if (def->arg == ARG_NEEDED && !value) {
		if (a->next >= a->argc)
			return err_new(ERR_USAGE, "option '%s' needs an argument", shown);
		value = a->argv[a->next++];
	}
	a->launch |= option_sets(def, offsetof(struct options, launch));
	a->verbose += def->key == 'V';
	/* as with argp, the rest of the line is not read */
	a->at_once |= def->use == USE_HELP ||
		      (def->use == USE_ACTION && def->number != ACTION_NUMERIC_VERSION);
	given.value = value;
	vec_push(&a->given, given);
	return NULL;
}

static struct err *ambiguous(const char *prefix)
{
	CLEANUP(text_release) struct text names = { 0 };

	for (size_t i = 0; i < option_table_nr; i++) {
		if (starts_with(option_table[i].name, prefix))
			text_printf(&names, "%s'--%s'", names.nr ? ", " : "", option_table[i].name);
	}
	return err_new(ERR_USAGE, "option '--%s' is ambiguous: %s", prefix, text_string(&names));
}

/* The shortest option that ends with "_" and @word, as "btf_check" does with "check"; NULL: none */
static const char *find_end(const char *word)
{
	const char *found = NULL;

	for (size_t i = 0; *word && i < option_table_nr; i++) {
		const char *name = option_table[i].name;
		size_t len = strlen(name), word_len = strlen(word);

		if (option_table[i].group == GROUP_NONE || len <= word_len ||
		    name[len - word_len - 1] != '_' || strcmp(name + len - word_len, word) != 0)
			continue;
		if (!found || len < strlen(found))
			found = name;
	}
	return found;
}

/*
 * @dashes and @shown are the text of the user; @arg is the long option that the user may have meant, maybe
 * with an argument.
 */
static struct err *unrecognized(const char *dashes, const char *shown, const char *arg)
{
	CLEANUP(mem_free_text) char *name = mem_printf("%.*s", (int)strcspn(arg, "="), arg);
	struct nearest n = nearest_to(name);

	for (size_t i = 0; i < option_table_nr; i++) {
		if (option_table[i].group != GROUP_NONE)
			nearest_offer(&n, option_table[i].name);
	}
	if (!n.name)
		n.name = find_end(name);
	if (n.name)
		return err_new(ERR_USAGE, "unrecognized option '%s%s'; did you mean '--%s'?",
			       dashes, shown, n.name);
	return err_new(ERR_USAGE, "unrecognized option '%s%s'", dashes, shown);
}

/*
 * Find the option @name, or the only one that begins with @name. An abbreviation that is unique among the
 * options of pahole keeps its meaning, whatever options btfenc adds.
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

static struct err *take_long(struct command_line *a, const char *arg)
{
	const char *name = arg + 2, *equals = strchr(name, '=');
	CLEANUP(mem_free_text) char *cut = equals ? mem_printf("%.*s", (int)(equals - name), name) :
						    mem_strdup(name);
	const struct option_def *def = NULL;

	TRY(find_long(cut, &def));
	assert(def);
	return take_option(a, def, equals ? equals + 1 : NULL, false);
}

/* argp knows -? as well. */
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

/* -J, -j4, -Xprefix, -JVj4 */
static struct err *take_short(struct command_line *a, const char *arg)
{
	for (const char *p = arg + 1; *p;) {
		const struct option_def *def = find_key(*p);

		/* "-verbose" is a long option that lacks a dash, not -v -e -r ... */
		if (!def)
			return unrecognized("-", (char[]){ *p, '\0' }, p == arg + 1 ? p : "");
		p++;
		if (def->arg != ARG_NONE && def->use != USE_HELP) /* "-help" is -h */
			return take_option(a, def, *p ? p : NULL, true);
		TRY(take_option(a, def, NULL, true));
		if (a->at_once)
			return NULL;
	}
	return NULL;
}

struct err *command_line_read(struct command_line *a)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
	bool options_ended = false, posix = getenv("POSIXLY_CORRECT") != NULL;

	while (a->next < a->argc && !a->at_once) {
		const char *arg = a->argv[a->next++];

		if (options_ended || arg[0] != '-' || !arg[1]) {
			vec_push(&a->files, arg);
			options_ended |= posix || a->launch;
		} else if (arg[1] != '-') {
			TRY(take_short(a, arg));
		} else if (arg[2]) {
			TRY(take_long(a, arg));
		} else {
			options_ended = true;
		}
	}
	/* These count wherever they stand. Behind --version a -V has to stand alone, and --compat needs its "=". */
	for (int i = a->next; i < a->argc; i++) {
		a->verbose += !strcmp(a->argv[i], "-V") || !strcmp(a->argv[i], "--verbose");
		if (starts_with(a->argv[i], "--compat="))
			TRY(take_long(a, a->argv[i]));
	}
	return NULL;
}
