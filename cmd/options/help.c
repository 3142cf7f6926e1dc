/* SPDX-License-Identifier: GPL-2.0-only */
/* help.c - --help, --version and the like */
#include "cmd/options/option_table.h"
#include "cmd/options/options.h"
#include "encoder/features.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The column of the descriptions, which end in column 80. */
enum { HELP_COLUMN = 35 };

static const char usage[] = "Usage: btfenc -J [OPTION]... FILE...\n"
			    "       btfenc --btf_encode_detached=OUT [OPTION]... FILE...\n"
			    "       btfenc --launch [OPTION]... [--] COMMAND...\n"
			    "       btfenc --btf_check [--btf_base=BASE] FILE...\n"
			    "       btfenc --btf_diff [--btf_base=BASE] FILE FILE\n"
			    "       btfenc --btf_stats [--btf_base=BASE] FILE...\n"
			    "       btfenc --explain[=NAME] [OPTION]... FILE...\n"
			    "       btfenc [-C TYPE] [OPTION]... FILE...\n"
			    "       btfenc TYPE[,TYPE]... [OPTION]... [FILE]...\n";

static const char examples[] =
	"Examples:\n"
	"  btfenc -J vmlinux                                  as the kernel's build does\n"
	"  btfenc -J --btf_features=default -j vmlinux        all a current kernel reads\n"
	"  btfenc --btf_encode_detached=a.btf a.o && bpftool btf dump file a.btf\n";

static const char *const group_titles[] = {
	[GROUP_ENCODE] = "Encode", [GROUP_FEATURES] = "Features", [GROUP_INPUT] = "Input",
	[GROUP_PRINT] = "Print",   [GROUP_OTHER] = "Other",
};

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
	printf("%s:\n", group_titles[group]);
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

static void print_help(void)
{
	printf("%s\n", usage);
	printf("Turn the DWARF of the FILEs into BTF, as pahole 1.32 does.\n\n");
	for (enum option_group g = GROUP_ENCODE; g < GROUP_NONE; g++)
		print_group(g);
	printf("%s\n", examples);
	print_own_version();
}

static void print_features(enum compat_level level)
{
	char *names = features_names(level);

	puts(names);
	free(names);
}

void help_print(const struct options *o)
{
	const struct compat *level = compat_get(o->encode.compat);

	if (o->action == ACTION_HELP)
		print_help();
	else if (o->action == ACTION_USAGE)
		fputs(usage, stdout);
	else if (o->action == ACTION_VERSION)
		printf("v%s\n", level->name); /* scripts of the kernel parse this line */
	else if (o->action == ACTION_DEVEL_VERSION)
		printf("v%s-btfenc-%s\n", level->name, BTFENC_VERSION);
	else if (o->action == ACTION_NUMERIC_VERSION)
		printf("%" PRIu32 "\n", level->version);
	else if (o->action == ACTION_SUPPORTED_FEATURES)
		print_features(o->encode.compat);
	if (o->action == ACTION_VERSION && o->encode.verbose)
		print_own_version();
}
