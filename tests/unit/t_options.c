/* SPDX-License-Identifier: GPL-2.0-only */
/* t_options.c - the command line becomes struct options */
#include "cmd/options/options.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "cmd/options/option_table.h"
#include "encoder/unit/features.h"
#include "tests/lib/testlib.h"

/* A command line, cut at its spaces, and its result. Filled by parse(). */
struct run {
	char line[512];
	char *argv[64];
	int argc;
	struct diagnostics diags;
	struct options o;
};

static void run_release(struct run *r)
{
	options_release(&r->o);
	diag_release(&r->diags);
}

static struct err *parse(struct run *r, const char *line)
{
	char *state = NULL;

	run_release(r);
	*r = (struct run){ .argv = { (char *)"btfenc" }, .argc = 1 };
	snprintf(r->line, sizeof(r->line), "%s", line);
	for (char *arg = strtok_r(r->line, " ", &state); arg; arg = strtok_r(NULL, " ", &state))
		r->argv[r->argc++] = arg;
	return options_parse(r->argc, r->argv, &r->diags, &r->o);
}

static void text_option(struct text *t, const char *name, const char *value)
{
	if (value)
		text_printf(t, " %s=%s", name, value);
}

static void text_value(struct text *t, const char *name, uint64_t value, uint64_t otherwise)
{
	if (value != otherwise)
		text_printf(t, " %s=%llu", name, (unsigned long long)value);
}

static void text_switch(struct text *t, const char *name, bool on)
{
	if (on)
		text_printf(t, " %s", name);
}

/* What @o asks for, and all in which it differs from "-J": the action, the files, and settings. */
static void text_options(struct text *t, const struct options *o)
{
	static const char *const actions[] = {
		[ACTION_ENCODE] = "encode",
		[ACTION_CHECK] = "check",
		[ACTION_DIFF] = "diff",
		[ACTION_STATS] = "stats",
		[ACTION_SHOW] = "show",
		[ACTION_LAUNCH] = "launch",
		[ACTION_HELP] = "help",
		[ACTION_USAGE] = "usage",
		[ACTION_VERSION] = "version",
		[ACTION_NUMERIC_VERSION] = "numeric_version",
		[ACTION_SUPPORTED_FEATURES] = "supported_features",
	};
	static const char *const sources[] = { [ENCODE_FROM_EITHER] = NULL,
					       [ENCODE_FROM_DWARF] = "dwarf",
					       [ENCODE_FROM_BTF] = "btf" };

	text_str(t, actions[o->action]);
	for (size_t i = 0; i < o->files.nr; i++)
		text_printf(t, " %s", o->files.items[i]);
	text_option(t, "detached", o->detached);
	text_option(t, "base", o->base);
	text_option(t, "from", sources[o->from]);
	text_option(t, "kabi_prefix", o->encode.kabi_prefix);
	text_value(t, "jobs", o->encode.jobs, 0);
	text_switch(t, "strip_dwarf", o->strip_dwarf);
	text_switch(t, "verbose", o->encode.verbose);
	text_switch(t, "other-features", o->encode.features != FEATURES_PLAIN);
	text_switch(t, "lang_only", o->encode.lang_only);
	for (size_t i = 0; i < o->encode.nr_langs; i++)
		text_printf(t, " lang=%#x", o->encode.langs[i]);
	for (size_t i = 0; i < o->encode.nr_exclude_units; i++)
		text_option(t, "exclude", o->encode.exclude_units[i]);
	if (o->action != ACTION_SHOW)
		return;
	text_switch(t, "all", o->show_what == SHOW_ALL);
	text_option(t, "named", o->show_what == SHOW_NAMED ? o->show_name : NULL);
	text_switch(t, "btf_first", o->btf_first);
	text_switch(t, "expand", o->show.style.expand);
	text_switch(t, "names", o->show.form == LISTING_NAMES);
	text_value(t, "hole_size", o->show.filter.hole_size, 0);
}

static void check_options(const char *line, const char *want)
{
	CLEANUP(run_release) struct run r = { 0 };
	CLEANUP(text_release) struct text text = { 0 };

	CHECK_OK(parse(&r, line));
	text_options(&text, &r.o);
	CHECK_STR(text_string(&text), want);
}

static const struct {
	const char *name, *options; /* the command line, as text_options() prints it */
} lines[] = {
	{ "-J a.o", "encode a.o" },

	/* options and files mix, and files keep their order */
	{ "c.o -J b.o --btf_encode_detached out a.o -V -",
	  "encode c.o b.o a.o /dev/stdin detached=out verbose" },
	{ "-J -- -V --", "encode -V --" },

	/* short options can be joined and carry their value */
	{ "-JVj7 a.o -Xdrivers/ -X lib/",
	  "encode a.o jobs=7 verbose exclude=drivers/ exclude=lib/" },

	/* a value follows or is attached, and may begin with a dash */
	{ "-J a.o --btf_base=vmlinux --kabi_prefix __p",
	  "encode a.o base=vmlinux kabi_prefix=__p" },
	{ "-J a.o --btf_base --version", "encode a.o base=--version" },
	{ "-J a.o --btf_base=a=b", "encode a.o base=a=b" },
	{ "-J a.o --kabi_prefix=", "encode a.o" },

	/* the last output and base count */
	{ "a.o --btf_encode_detached=x --btf_encode_detached=y --btf_base=1 --btf_base=2",
	  "encode a.o detached=y base=2" },

	/* long options can be cut short while they are unique */
	{ "--btf_encode_d=x a.o --jo=3 --verb", "encode a.o detached=x jobs=3 verbose" },

	/* an exact name is not ambiguous: --btf_encode begins three options, the others begin two */
	{ "--btf_encode --lang=c11 --btf_features=var a.o",
	  "encode a.o other-features lang_only lang=0x1d" },

	/* without an output, types are printed */
	{ "a.o --btf_features=default -E -z 8 -c 32",
	  "show a.o other-features all btf_first expand names hole_size=8" },
	{ "-C list -C task -F btf,dwarf", "show named=task btf_first" },

	/* -q, --skip_missing and others have no effect on an encoder */
	{ "-J a.o -q --skip_missing", "encode a.o" },
	{ "-J a.o -q --hashbits=15 --first_obj_only --fixup_silly_bitfields", "encode a.o" },

	/* behind --launch, the first word begins a command */
	{ "--launch --strip_dwarf gcc -V --help -c a.c -- -o a.o",
	  "launch gcc -V --help -c a.c -- -o a.o strip_dwarf" },
	{ "-V --launch -J -- --odd -c", "launch --odd -c verbose" },
	{ "--laun gcc -c", "launch gcc -c" },

	/* 0 jobs, as without the option: no thread beside the first */
	{ "-J a.o -j4", "encode a.o jobs=4" },
	{ "-J a.o --jobs=5", "encode a.o jobs=5" },
	{ "-J a.o -j0", "encode a.o" },
	{ "-J a.o -j-3", "encode a.o" },

	/* options that print and exit act when they are met, but --numeric_version at the end */
	{ "--version --bogus", "version" },
	{ "--version -V", "version verbose" },
	{ "-J --supported_btf_features --help", "supported_features" },
	{ "-? -k", "help" },
	{ "--usage", "usage" },
	{ "--numeric_version a.o", "numeric_version a.o" },

	/* formats determine what is read */
	{ "-J a.o -F dwarf", "encode a.o from=dwarf" },
	{ "-J a.o -F btf", "encode a.o from=btf" },
	{ "-J a.o -F btf,dwarf", "encode a.o" },
	{ "-J a.o -F ctf,dwarf", "encode a.o from=dwarf" },

	/* languages: pahole's names; the last three have numbers of DWARF 6 */
	{ "-J a.o --lang_exclude=rust,ASM,,C++14", "encode a.o lang=0x1c lang=0x8001 lang=0x21" },
	{ "-J a.o --lang=c++17,c++20,c17", "encode a.o lang_only lang=0x2a lang=0x2b lang=0x2c" },
	{ "-J a.o --lang=c11,rust,c99 --lang_exclude=rust",
	  "encode a.o lang_only lang=0x1d lang=0xc" },
	{ "-J a.o --lang_exclude=rust --lang=c11,rust,c99",
	  "encode a.o lang_only lang=0x1d lang=0xc" },
	{ "-J a.o --lang_exclude=c11 --lang_exclude=rust", "encode a.o lang=0x1c" },
	{ "-J a.o --lang=rust --lang_exclude=rust", "encode a.o lang_only" },
};

TEST_EACH(command_lines_become_options, lines, c)
{
	check_options(c->name, c->options);
}

static const struct {
	const char *name; /* the command line */
	enum err_kind kind;
	const char *problem;
} bad_lines[] = {
	{ "-J a.o --btf_enc", ERR_USAGE,
	  "option '--btf_enc' is ambiguous: '--btf_encode', '--btf_encode_detached', "
	  "'--btf_encode_force'" },
	/* options that only pahole has count, so that scripts mean the same to both */
	{ "-J a.o --si=3", ERR_USAGE, "'--sizes', '--size_bytes'" },
	{ "-J a.o --bogus=3", ERR_USAGE, "unrecognized option '--bogus'" },
	{ "-Jk a.o", ERR_USAGE, "unrecognized option '-k'" },
	{ "a.o --btf_base", ERR_USAGE, "'--btf_base' needs an argument" },
	{ "a.o -X", ERR_USAGE, "option '-X' needs an argument" },
	{ "a.o --btf_encode=x", ERR_USAGE, "'--btf_encode' takes no argument" },
	{ "a.o --btf_encode_detached=", ERR_USAGE, "" },
	{ "-J a.o --btf_base=", ERR_USAGE, "" },
	{ "", ERR_USAGE, "no input file" },
	{ "-J", ERR_USAGE, "no input file" },
	{ "a.o --strip_dwarf", ERR_USAGE, "give '-J' to put BTF into 'a.o'" },
	{ "-J a.o -s", ERR_USAGE, "'-s' and '-J' cannot be combined" },
	{ "--btf_check a.o -s", ERR_USAGE, "'-s' and '--btf_check' cannot be combined" },
	{ "a.o --launch gcc", ERR_USAGE, "must stand before the command" },
	{ "-J a.o -j4x", ERR_USAGE, "'4x' is not a number" },
	{ "-J a.o --jobs=", ERR_USAGE, "" },
	{ "-J a.o --btf_features_strict=var,bogus", ERR_UNSUPPORTED,
	  "--btf_features_strict: feature 'bogus'" },
	{ "--bogus --version", ERR_USAGE, "" },
	{ "--numeric_version --bogus", ERR_USAGE, "" },
	{ "-J a.o --lang=c11,klingon", ERR_USAGE, "--lang: unknown language 'klingon'" },
	{ "-J a.o --format_path=ctf", ERR_UNSUPPORTED, "'ctf'" },
	{ "-J a.o -F dwarf,stabs", ERR_USAGE, "unknown format 'stabs'" },
	{ "-J a.o --format_path=", ERR_USAGE, "" },
};

TEST_EACH(mistakes_in_command_lines_are_named, bad_lines, c)
{
	CLEANUP(run_release) struct run r = { 0 };

	CHECK_ERR_TEXT(parse(&r, c->name), c->kind, c->problem);
}

static const struct {
	const char *name, *variable, *value, *line, *options;
} environments[] = {
	{ "files end the options", "POSIXLY_CORRECT", "1", "-J a.o -V", "encode a.o -V" },
	{ "languages", "PAHOLE_LANG_EXCLUDE", "rust,go", "-J a.o",
	  "encode a.o lang=0x1c lang=0x16" },
	{ "another list", "PAHOLE_LANG_EXCLUDE", "rust,go", "-J a.o --lang_exclude=c11",
	  "encode a.o lang=0x1d" },
	{ "an empty list", "PAHOLE_LANG_EXCLUDE", "rust,go",
	  "-J a.o --lang_exclude=", "encode a.o" },
	{ "a list of the other kind", "PAHOLE_LANG_EXCLUDE", "rust,go", "-J a.o --lang=rust",
	  "encode a.o lang_only lang=0x1c" },
	{ "no languages", "PAHOLE_LANG_EXCLUDE", "", "-J a.o", "encode a.o" },
};

TEST_EACH(the_environment_counts_unless_the_line_speaks_of_it, environments, c)
{
	CLEANUP(run_release) struct run r = { 0 };
	CLEANUP(text_release) struct text text = { 0 };

	setenv(c->variable, c->value, 1);
	struct err *e = parse(&r, c->line);
	unsetenv(c->variable);
	CHECK_OK(e);
	text_options(&text, &r.o);
	CHECK_STR(text_string(&text), c->options);
}

TEST_WITH(an_unknown_language_in_the_environment_is_refused, run, r)
{
	setenv("PAHOLE_LANG_EXCLUDE", "klingon", 1);
	struct err *e = parse(r, "-J a.o");
	unsetenv("PAHOLE_LANG_EXCLUDE");
	CHECK_ERR_TEXT(e, ERR_USAGE, "PAHOLE_LANG_EXCLUDE: unknown language");
}

TEST_WITH(the_number_of_jobs_is_limited, run, r)
{
	CHECK_OK(parse(r, "-J a.o -j"));
	CHECK(r->o.encode.jobs >= 1); /* one for each processor */
	CHECK_EQ(r->o.files.nr, 1);
	CHECK_OK(parse(r, "-J a.o -j99999999999999999999"));
	CHECK(r->o.encode.jobs <= 1024);
	CHECK_OK(parse(r, "-J -j 4")); /* "4" is a file */
	CHECK_STR(r->o.files.items[0], "4");
}

TEST_WITH(the_environment_may_name_the_btf_of_the_kernel, run, r)
{
	CHECK_OK(parse(r, "-J a.o"));
	CHECK_STR(r->o.kernel_btf, "/sys/kernel/btf/vmlinux");
	setenv("PAHOLE_VMLINUX_BTF_FILENAME", "other", 1);
	struct err *e = parse(r, "-J a.o");
	bool named = !e && !strcmp(r->o.kernel_btf, "other");
	unsetenv("PAHOLE_VMLINUX_BTF_FILENAME");
	CHECK_OK(e);
	CHECK(named);
}

TEST_WITH(verbose_counts_wherever_it_stands, run, r)
{
	CHECK_OK(parse(r, "-J a.o -V"));
	CHECK(r->diags.verbose);
}

TEST_WITH(cache_lines_are_those_of_the_machine_or_given, run, r)
{
	CHECK_OK(parse(r, "a.o -E -c 32"));
	CHECK_EQ(r->o.show.style.cacheline, 32);
	CHECK_OK(parse(r, "-C task a.o"));
	CHECK(r->o.show.style.cacheline > 0);
}

TEST_WITH(there_may_be_any_number_of_languages, run, r)
{
	CHECK_OK(parse(r, "-J a.o --lang=c89,c,ada83,c++,cobol74,cobol85,fortran77,fortran90,"
			  "pascal83,modula2,java,c99,ada95,fortran95,pli,objc,objc++,upc,d"));
	CHECK_EQ(r->o.encode.nr_langs, 19);
	for (uint16_t i = 0; i < 19; i++)
		CHECK_EQ(r->o.encode.langs[i], i + 1);
}

/* --- features ------------------------------------------------------------------------------- */

enum {
	BOTH = FEATURE_VAR | FEATURE_FLOAT,
	APART = FEATURE_VAR | FEATURE_VARS_APART,
	ALL_BUT_BASE = FEATURES_ALL & ~FEATURE_DISTILLED_BASE,
};

static const struct {
	const char *name; /* the command line behind "-J a.o" */
	uint32_t features;
} features[] = {
	/* the table of docs/spec/encoding.md 14.4: the first list switches all off, the rest adds up */
	{ "--skip_encoding_btf_vars --btf_features=default", FEATURES_DEFAULT },
	{ "--btf_features=default --skip_encoding_btf_vars", FEATURES_DEFAULT & ~FEATURE_VAR },
	{ "--btf_gen_floats --btf_features=var", FEATURE_VAR },
	{ "--btf_features=var --btf_features=float", BOTH },
	{ "--btf_features=", 0 },
	{ "--btf_features=var --btf_features_strict=float", BOTH },
	{ "--btf_features_strict=var --btf_gen_floats", BOTH },

	/* all features are all of them, but do not ask for a base */
	{ "--btf_gen_all --btf_base=vmlinux", FEATURES_ALL },
	{ "--btf_features=all --btf_base=vmlinux", FEATURES_ALL },
	{ "--btf_base=vmlinux --btf_gen_all --skip_encoding_btf_vars",
	  FEATURES_ALL & ~FEATURE_VAR },
	{ "--btf_gen_all", ALL_BUT_BASE },
	{ "--btf_features=distilled_base", FEATURE_DISTILLED_BASE },
	{ "--btf_features=all --btf_features=distilled_base", FEATURES_ALL },

	/* nor for a second section in a file of BTF alone */
	{ "--btf_gen_all --btf_base=vmlinux --btf_encode_detached=out", ALL_BUT_BASE },
	{ "--btf_features=distilled_base --btf_base=vmlinux --btf_encode_detached=out",
	  FEATURE_DISTILLED_BASE },

	/* variables apart are not among the others */
	{ "--btf_vars_detached=v --btf_features=var", APART },
	{ "--btf_vars_detached=v --btf_features=var,global_var", APART },
	{ "--btf_features=global_var.extra,var", APART },
	{ "--btf_features=global_var.extra,var,global_var", APART },
	{ "--btf_features=all --btf_base=b --btf_vars_detached=v",
	  (ALL_BUT_BASE & ~FEATURE_GLOBAL_VAR) | FEATURE_VARS_APART },

	/* one switch, one feature */
	{ "--btf_gen_floats", FEATURES_PLAIN | FEATURE_FLOAT },
	{ "--btf_encode_force", FEATURES_PLAIN | FEATURE_ENCODE_FORCE },
	{ "--btf_attributes", FEATURES_PLAIN | FEATURE_ATTRIBUTES },
	{ "--btf_gen_optimized", FEATURES_PLAIN | FEATURE_OPTIMIZED_FUNC },
	{ "--reproducible_build", FEATURES_PLAIN | FEATURE_REPRODUCIBLE_BUILD },
	{ "--skip_encoding_btf_inconsistent_proto", FEATURES_PLAIN | FEATURE_CONSISTENT_FUNC },
	{ "--skip_encoding_btf_vars", FEATURES_PLAIN & ~FEATURE_VAR },
	{ "--skip_encoding_btf_decl_tag", FEATURES_PLAIN & ~FEATURE_DECL_TAG },
	{ "--skip_encoding_btf_type_tag", FEATURES_PLAIN & ~FEATURE_TYPE_TAG },
	{ "--skip_encoding_btf_enum64", FEATURES_PLAIN & ~FEATURE_ENUM64 },
};

TEST_EACH(options_determine_the_features, features, c)
{
	CLEANUP(run_release) struct run r = { 0 };
	char line[400];

	snprintf(line, sizeof(line), "-J a.o %s", c->name);
	CHECK_OK(parse(&r, line));
	CHECK_EQ(r.o.encode.features, c->features);
}

/* --- the table of options -------------------------------------------------------------------- */

TEST(each_option_that_prints_or_inspects_is_refused_by_name)
{
	int nr = 0;

	for (size_t i = 0; i < option_table_nr; i++) {
		CLEANUP(run_release) struct run r = { 0 };
		const struct option_def *def = &option_table[i];
		char line[200], part[200];

		if (def->use != USE_REFUSED)
			continue;
		snprintf(line, sizeof(line), "-J a.o --%s", def->name);
		snprintf(part, sizeof(part), "'--%s' is an option of pahole that", def->name);
		CHECK_ERR_TEXT(parse(&r, line), ERR_USAGE, part);
		if (def->key) {
			snprintf(line, sizeof(line), "-J a.o -%c 1", def->key);
			snprintf(part, sizeof(part), "'-%c' is an option", def->key);
			CHECK_ERR_TEXT(parse(&r, line), ERR_USAGE, part);
		}
		nr++;
	}
	CHECK(nr > 5);
}

TEST(names_and_keys_of_the_table_are_unique)
{
	for (size_t i = 0; i < option_table_nr; i++) {
		for (size_t k = i + 1; k < option_table_nr; k++) {
			const struct option_def *a = &option_table[i], *b = &option_table[k];

			CHECK(strcmp(a->name, b->name));
			CHECK(!a->key || a->key != b->key);
		}
		CHECK(strlen(option_table[i].name) < 60); /* room in a message */
		CHECK(option_table[i].group == GROUP_NONE || option_table[i].help);
	}
}

/* The options that begin with @prefix, or the one of that name; pahole's alone or all. *ret: the last one. */
static size_t count_options(const char *prefix, bool ours_too, const struct option_def **ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < option_table_nr; i++) {
		const struct option_def *def = &option_table[i];

		if ((def->ours && !ours_too) || strncmp(def->name, prefix, strlen(prefix)) != 0)
			continue;
		*ret = def;
		nr++;
		if (!strcmp(def->name, prefix))
			return 1;
	}
	return nr;
}

/* Check which option @prefix means to options_parse(): an error names the option, however it was spelled. */
static void check_meaning(const char *prefix, const struct option_def *def)
{
	CLEANUP(run_release) struct run r = { 0 };
	char line[100], expected[100];

	snprintf(line, sizeof(line), "--%s%s", prefix,
		 def->arg == ARG_NONE     ? "=" :
		 def->arg == ARG_OPTIONAL ? "=?" :
					    "");
	if (def->arg == ARG_OPTIONAL)
		snprintf(expected, sizeof(expected), "%s",
			 !strcmp(def->name, "jobs") ? "number of jobs" : "no input file");
	else
		snprintf(expected, sizeof(expected), "'--%s'", def->name);
	if (!strcmp(def->name, "btf_check"))
		snprintf(expected, sizeof(expected), "--btf_check: '?'");
	if (!strcmp(def->name, "btf_diff"))
		snprintf(expected, sizeof(expected), "--btf_diff: '?'");
	if (def->use == USE_HELP)
		snprintf(expected, sizeof(expected), "--help: unknown topic '?'");
	CHECK_ERR_TEXT(parse(&r, line), ERR_USAGE, expected);
}

TEST(options_of_ours_change_no_abbreviation_of_pahole)
{
	for (size_t i = 0; i < option_table_nr; i++) {
		for (size_t len = 1; len <= strlen(option_table[i].name); len++) {
			CLEANUP(run_release) struct run r = { 0 };
			const struct option_def *def = NULL;
			char prefix[64], line[100];

			snprintf(prefix, sizeof(prefix), "%.*s", (int)len, option_table[i].name);
			size_t nr = count_options(prefix, false, &def);
			if (!nr)
				nr = count_options(prefix, true, &def);
			/* the whole name of an option of ours */
			if (option_table[i].ours && !option_table[i].name[len]) {
				CHECK_EQ(count_options(prefix, false, &def), 0);
				def = &option_table[i];
				nr = 1;
			}
			if (nr == 1) {
				check_meaning(prefix, def);
				continue;
			}
			snprintf(line, sizeof(line), "--%s", prefix);
			CHECK_ERR_TEXT(parse(&r, line), ERR_USAGE, "is ambiguous");
		}
	}
}
