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
	"       btfenc --btf_diff [--btf_base=BASE] FILE FILE\n"
	"       btfenc [OPTION]... [-C TYPE] [FILE]...\n";

static const struct {
	const char *topic, *title;
	bool by_default;
} groups[] = {
	[GROUP_OUTPUT] = { "output", "Output", true },
	[GROUP_FEATURES] = { "features", "Features", true },
	[GROUP_SWITCHES] = { "switches", "Switches of single features", false },
	[GROUP_INPUT] = { "input", "Input", true },
	[GROUP_REPORTS] = { "report", "Checks and reports", true },
	[GROUP_PRINT] = { "print", "Printing types", false },
	[GROUP_OTHER] = { "other", "Other", true },
};

struct err *help_groups(const char *topic, unsigned *ret)
{
	CLEANUP(text_release) struct text topics = { 0 };
	bool all = topic && !strcmp(topic, "all");
	unsigned chosen = 0;

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		bool wanted = topic ? !strcmp(topic, groups[i].topic) : groups[i].by_default;

		chosen |= (unsigned)(all || wanted) << i;
		text_printf(&topics, "%s, ", groups[i].topic);
	}
	if (!chosen)
		return err_new(ERR_USAGE, "--help: unknown topic '%s'; the topics are %sall", topic,
			       text_string(&topics));
	*ret = chosen;
	return NULL;
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

static void print_group(enum option_group group)
{
	printf("%s:\n", groups[group].title);
	for (size_t i = 0; i < option_table_nr; i++) {
		const struct option_def *def = &option_table[i];

		if (def->group != group)
			continue;
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
	printf("%s\nGenerate BTF from the DWARF of the FILEs, like pahole 1.32.\n\n", usage);
	for (enum option_group g = GROUP_OUTPUT; g < GROUP_NONE; g++) {
		if (o->help_groups & 1u << g)
			print_group(g);
	}
	printf("\n--help=all prints more. Manuals: btfenc(1), btfenc-report(5), btfenc-pahole(7).\n");
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
