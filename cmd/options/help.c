/* SPDX-License-Identifier: GPL-2.0-only */
/* help.c - --help, --version and the like */
#include "base/cleanup.h"
#include "base/text.h"
#include "cmd/options/option_table.h"
#include "cmd/options/options.h"
#include "encoder/unit/features.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BTFENC_COMMIT
#define BTFENC_COMMIT "" /* it is built without git, and not from a release */
#endif

/* The column of the descriptions, which end in column 80. */
enum { HELP_COLUMN = 35 };

static const char usage[] =
	"Usage: btfenc -J [OPTION]... FILE...\n"
	"       btfenc --btf_encode_detached=OUT [OPTION]... FILE...\n"
	"       btfenc --launch [OPTION]... [--] COMMAND...\n"
	"       btfenc --explain[=NAME] [OPTION]... FILE...\n"
	"       btfenc {--btf_report=OUT | --fatal=RULES} [OPTION]... FILE...\n"
	"       btfenc {--btf_check | --btf_stats | --inline_sites} [OPTION]... FILE...\n"
	"       btfenc --btf_diff[=WHAT] [-C NAME] [--btf_base=BASE] FILE FILE\n"
	"       btfenc [OPTION]... [-C TYPE] [FILE]...\n";

static const struct {
	const char *topic, *title;
} groups[] = {
	[GROUP_OUTPUT] = { "output", "Output" },
	[GROUP_FEATURES] = { "features", "Features" },
	[GROUP_SWITCHES] = { "switches", "Switches of single features" },
	[GROUP_INPUT] = { "input", "Input" },
	[GROUP_REPORTS] = { "report", "Checks and reports" },
	[GROUP_PRINT] = { "print", "Printing types" },
	[GROUP_OTHER] = { "other", "Other" },
};

/* Before the options that --help prints without a topic. cli/help.sh runs the examples. */
static const char first_screen[] =
	"Usage: btfenc [OPTION]... FILE...\n"
	"       btfenc --launch [OPTION]... [--] COMMAND...\n"
	"Generate BTF from DWARF; print, check and compare BTF.\n"
	"\n"
	"Examples: print a struct, generate BTF, ask why a function has no BTF:\n"
	"  btfenc -C task_struct vmlinux\n"
	"  btfenc -J --btf_features=default vmlinux\n"
	"  btfenc --btf_features=default --explain=acpi_power_off vmlinux\n"
	"\n";

/* "output, features, ..., all" */
static void add_topics(struct text *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		text_printf(text, "%s, ", groups[i].topic);
	text_printf(text, "all");
}

struct err *help_groups(const char *topic, unsigned *ret)
{
	CLEANUP(text_release) struct text topics = { 0 };
	bool all = topic && !strcmp(topic, "all");

	*ret = 0;
	for (size_t i = 0; topic && i < ARRAY_SIZE(groups); i++)
		*ret |= (unsigned)(all || !strcmp(topic, groups[i].topic)) << i;
	if (!topic || *ret)
		return NULL;
	add_topics(&topics);
	return err_new(ERR_USAGE, "--help: unknown topic '%s'; the topics are %s", topic,
		       text_string(&topics));
}

/* "-j, --jobs[=N]"; returns its length. */
static int print_option(const struct option_def *def)
{
	int len = def->key ? printf("  -%c, ", def->key) : printf("      ");

	len += printf("--%s", def->name);
	if (def->arg == ARG_NEEDED)
		len += printf("=%s", def->arg_name);
	else if (def->arg == ARG_OPTIONAL)
		len += printf("[=%s]", def->arg_name);
	return len;
}

/* The options of @group, or only those of the @first screen; nothing if there are none. */
static void print_group(enum option_group group, bool first)
{
	const char *title = groups[group].title;

	for (size_t i = 0; i < option_table_nr; i++) {
		const struct option_def *def = &option_table[i];

		if (def->group != group || (first && !def->first))
			continue;
		if (title)
			printf("%s:\n", title);
		title = NULL;
		int len = print_option(def);
		printf("%*s%s\n", len < HELP_COLUMN ? HELP_COLUMN - len : 2, "", def->help);
	}
}

static void print_own_version(void)
{
	printf("btfenc %s\n", BTFENC_VERSION);
}

static void print_help(const struct options *o)
{
	CLEANUP(text_release) struct text topics = { 0 };
	bool first = !o->help_groups;

	if (first)
		fputs(first_screen, stdout);
	for (enum option_group g = GROUP_OUTPUT; g < GROUP_NONE; g++) {
		if (first || o->help_groups & 1u << g)
			print_group(g, first);
	}
	if (!first)
		return;
	add_topics(&topics);
	printf("\n--help=TOPIC prints all options of a topic:\n%s.\n", text_string(&topics));
	printf("Manuals: btfenc(1), btfenc-print(1), btfenc-check(1), btfenc-report(5).\n");
	print_own_version();
}

void help_print(const struct options *o)
{
	const struct compat *level = compat_get(o->encode.compat);
	CLEANUP(mem_free_text) char *features = features_names(o->encode.compat);

	if (o->action == ACTION_HELP)
		print_help(o);
	else if (o->action == ACTION_USAGE)
		fputs(usage, stdout);
	else if (o->action == ACTION_VERSION)
		printf("v%s\n", level->pahole); /* scripts of the kernel parse this line */
	else if (o->action == ACTION_DEVEL_VERSION)
		printf("v%s%s%.12s\n", level->pahole, *BTFENC_COMMIT ? "-btfenc-g" : "",
		       BTFENC_COMMIT); /* the form of pahole: v1.32-tarball-gfa725d687ce3 */
	else if (o->action == ACTION_NUMERIC_VERSION)
		printf("%u\n", level->version);
	else if (o->action == ACTION_SUPPORTED_FEATURES)
		puts(features);
	if (o->action == ACTION_VERSION && o->encode.verbose)
		print_own_version();
}
