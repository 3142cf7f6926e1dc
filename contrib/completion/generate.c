/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * generate.c - what shells need to complete a btfenc command line
 *
 *	btfenc_completion bash|zsh|fish
 *
 * prints it, made from the option table and the list of features, so that an option is entered in one place
 * only. The build runs it; it is no part of btfenc.
 *
 * The frame of each script stands here as text. The variable part is a line or a word for each option of
 * --help. Options of pahole that btfenc only accepts or refuses are not offered.
 */
#include "base/cleanup.h"
#include "cmd/options/option_table.h"
#include "encoder/report/omission.h"
#include "encoder/unit/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sort of an argument. */
enum value {
	VALUE_NONE, /* there is none */
	VALUE_ANY,
	VALUE_FILE,
	VALUE_FEATURES, /* names with commas between */
	VALUE_FORMATS,
	VALUE_RULES,
	VALUE_COLORS, /* one word */
	NR_VALUES,
};

/* The words of each list, with commas between; NULL for what is no list. */
static const char *lists[NR_VALUES] = {
	[VALUE_FORMATS] = "dwarf,btf", [VALUE_COLORS] = "auto,always,never"
};

static enum value value_of(const struct option_def *def)
{
	if (def->arg == ARG_NONE)
		return VALUE_NONE;
	switch (def->use) {
	case USE_FILE:
	case USE_OUTPUT:
	case USE_BASE:
		return VALUE_FILE;
	case USE_FEATURE_LIST:
	case USE_FEATURE_LIST_STRICT:
		return VALUE_FEATURES;
	case USE_FORMATS:
		return VALUE_FORMATS;
	case USE_FATAL:
	case USE_REPORT_RULES:
		return VALUE_RULES;
	case USE_COLOR:
		return VALUE_COLORS;
	default:
		return VALUE_ANY;
	}
}

/* The list with spaces for its commas. */
static void put_words(enum value value)
{
	for (const char *list = lists[value]; *list; list++)
		putchar(*list == ',' ? ' ' : *list);
}

/* @text between single quotes, with a backslash before each of @special. */
static void put_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

/* The next option that is offered, from index *i on; NULL behind the last. */
static const struct option_def *next_option(size_t *i)
{
	while (*i < option_table_nr) {
		const struct option_def *def = &option_table[(*i)++];

		if (def->group != GROUP_NONE)
			return def;
	}
	return NULL;
}

/* --- bash ---------------------------------------------------------------------------------- */

/* "--btf_base|-C": the options whose argument, the next word, is of that sort. */
static void bash_options_with(enum value value)
{
	const struct option_def *def;
	const char *between = "";

	for (size_t i = 0; (def = next_option(&i));) {
		if (value_of(def) != value || def->arg == ARG_OPTIONAL)
			continue;
		printf("%s--%s", between, def->name);
		between = "|";
		if (def->key)
			printf("|-%c", def->key);
	}
}

static void bash_options(void)
{
	const struct option_def *def;

	for (size_t i = 0; (def = next_option(&i));) {
		printf(" --%s%s", def->name, def->arg == ARG_NEEDED ? "=" : "");
		if (def->key)
			printf(" -%c", def->key);
	}
}

static void bash_list(enum value value)
{
	printf("\t");
	bash_options_with(value);
	printf(")\n"
	       "\t\t[[ $cur == *,* ]] && head=${cur%%,*},\n"
	       "\t\tcompopt -o nospace\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -P \"$head\" -W '");
	put_words(value);
	printf("' -- \"${cur##*,}\")\n"
	       "\t\treturn\n"
	       "\t\t;;\n");
}

static void print_bash(void)
{
	printf("# bash completion for btfenc: made from its option table, do not edit\n"
	       "\n"
	       "_btfenc()\n"
	       "{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} head= i launch=\n"
	       "\n"
	       "\tCOMPREPLY=()\n"
	       "\t# behind --launch stands a command, with a completion of its own\n"
	       "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	       "\t\tcase ${COMP_WORDS[i]} in\n"
	       "\t\t--launch) launch=1 ;;\n"
	       "\t\t--) [[ $launch ]] && ((i++)) && break ;;\n"
	       "\t\t-*) ;;\n"
	       "\t\t*) [[ $launch && ${COMP_WORDS[i]} != = && ${COMP_WORDS[i - 1]} != = ]] && break ;;\n"
	       "\t\tesac\n"
	       "\tdone\n"
	       "\tif [[ $launch && ( $i -lt $COMP_CWORD || $cur != -* ) ]]; then\n"
	       "\t\tif declare -F _command_offset >/dev/null; then\n"
	       "\t\t\t_command_offset $i\n"
	       "\t\telse\n"
	       "\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
	       "\t\tfi\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\n"
	       "\t# --option=value are three words\n"
	       "\tif [[ $cur == = ]]; then\n"
	       "\t\tcur=\n"
	       "\telif [[ $prev == = ]]; then\n"
	       "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	       "\tfi\n"
	       "\tcase $prev in\n");
	for (enum value v = VALUE_NONE; v < NR_VALUES; v++) {
		if (lists[v])
			bash_list(v);
	}
	printf("\t");
	bash_options_with(VALUE_ANY);
	printf(")\n"
	       "\t\treturn\n"
	       "\t\t;;\n"
	       "\t");
	bash_options_with(VALUE_FILE);
	printf(") ;;\n"
	       "\t*)\n"
	       "\t\tif [[ $cur == -* ]]; then\n"
	       "\t\t\tmapfile -t COMPREPLY < <(compgen -W '");
	bash_options();
	printf("' -- \"$cur\")\n"
	       "\t\t\t[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	       "\t\t\treturn\n"
	       "\t\tfi\n"
	       "\t\t;;\n"
	       "\tesac\n"
	       "\tcompopt -o filenames\n"
	       "\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	       "}\n"
	       "complete -F _btfenc btfenc\n");
}

/* --- zsh ----------------------------------------------------------------------------------- */

static void zsh_value(const struct option_def *def)
{
	enum value value = value_of(def);

	if (value == VALUE_NONE)
		return;
	printf("%s%s:", def->arg == ARG_OPTIONAL ? "::" : ":", def->arg_name);
	if (value == VALUE_FILE)
		printf("_files");
	if (lists[value]) {
		printf("_values -s , %s ", def->arg_name);
		put_words(value);
	}
}

static void zsh_option(const char *spelling, const struct option_def *def)
{
	printf("\t'%s[", spelling);
	put_quoted(def->help, "[]:\\");
	printf("]");
	zsh_value(def);
	printf("' \\\n");
}

static void print_zsh(void)
{
	const struct option_def *def;
	char spelling[80];

	printf("#compdef btfenc\n"
	       "# zsh completion for btfenc: made from its option table, do not edit\n"
	       "\n"
	       "# behind --launch stands a command, with a completion of its own\n"
	       "local i=${words[(i)--launch]}\n"
	       "if (( i < CURRENT )); then\n"
	       "\t(( i++ ))\n"
	       "\twhile (( i < CURRENT )) && [[ $words[i] == -* && $words[i] != -- ]]; do\n"
	       "\t\t(( i++ ))\n"
	       "\tdone\n"
	       "\t[[ $words[i] == -- ]] && (( i < CURRENT )) && (( i++ ))\n"
	       "\tif (( i < CURRENT )) || [[ $words[i] != -* ]]; then\n"
	       "\t\tshift $(( i - 1 )) words\n"
	       "\t\t(( CURRENT -= i - 1 ))\n"
	       "\t\t_normal\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "fi\n"
	       "_arguments -s \\\n");
	for (size_t i = 0; (def = next_option(&i));) {
		const char *equals = def->arg == ARG_NONE     ? "" :
				     def->arg == ARG_OPTIONAL ? "=-" :
								"=";

		snprintf(spelling, sizeof(spelling), "*--%s%s", def->name, equals);
		zsh_option(spelling, def);
		if (!def->key)
			continue;
		snprintf(spelling, sizeof(spelling), "*-%c%s", def->key,
			 def->arg == ARG_NONE     ? "" :
			 def->arg == ARG_OPTIONAL ? "-" :
						    "+");
		zsh_option(spelling, def);
	}
	printf("\t'*:file:_files'\n");
}

/* --- fish ---------------------------------------------------------------------------------- */

/* All but the last of a list with commas is kept, the last is completed. */
static void fish_list(enum value value)
{
	printf(" -x -a '(__btfenc_list ");
	put_words(value);
	printf(")'");
}

static void print_fish(void)
{
	const struct option_def *def;

	printf("# fish completion for btfenc: made from its option table, do not edit\n"
	       "\n"
	       "function __btfenc_list --description 'A list with commas that goes on with one of these'\n"
	       "\tset -l value (string replace -r -- '^--[a-z_]+=' '' (commandline -ct))\n"
	       "\tset -l head (string match -r -- '^.*,' $value)\n"
	       "\tprintf '%%s\\n' \"$head\"$argv\n"
	       "end\n"
	       "\n"
	       "# behind --launch stands a command, with a completion of its own\n"
	       "complete -c btfenc -n '__fish_seen_argument -l launch' -x -a "
	       "'(__fish_complete_subcommand --fcs-skip=2)'\n");
	for (size_t i = 0; (def = next_option(&i));) {
		printf("complete -c btfenc -l %s", def->name);
		if (def->key)
			printf(" -s '%c'", def->key);
		enum value value = def->arg == ARG_OPTIONAL ? VALUE_NONE : value_of(def);
		if (lists[value])
			fish_list(value);
		else if (value == VALUE_FILE)
			printf(" -r -F");
		else if (value == VALUE_ANY)
			printf(" -x");
		printf(" -d '");
		put_quoted(def->help, "\\");
		printf("'\n");
	}
}

/* ------------------------------------------------------------------------------------------ */

/* The words of a list of rules, with commas between; the caller frees it. */
static char *rules_every_id(void)
{
	char *ret = NULL;
	size_t len;
	FILE *out = open_memstream(&ret, &len);

	if (!out)
		mem_die();
	fputs("all,loss", out);
	for (size_t i = 0; i < NR_OMISSION_RULES; i++)
		fprintf(out, ",%s", omission_rules[i].id);
	if (fclose(out))
		mem_die();
	return ret;
}

int main(int argc, char **argv)
{
	const char *shell = argc == 2 ? argv[1] : "";
	CLEANUP(mem_free_text) char *features = features_every_name();
	CLEANUP(mem_free_text) char *rules = rules_every_id();
	bool known = true;

	lists[VALUE_FEATURES] = features;
	lists[VALUE_RULES] = rules;
	if (!strcmp(shell, "bash"))
		print_bash();
	else if (!strcmp(shell, "zsh"))
		print_zsh();
	else if (!strcmp(shell, "fish"))
		print_fish();
	else
		known = false;
	if (!known)
		fputs("usage: btfenc_completion bash|zsh|fish\n", stderr);
	return known && !fflush(stdout) && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
