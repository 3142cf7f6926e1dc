/* SPDX-License-Identifier: GPL-2.0-only */
/* t_options.c - the command line becomes struct options */
#include "cmd/options/options.h"

#include "base/cleanup.h"
#include "cmd/options/option_table.h"
#include "encoder/features.h"
#include "tests/lib/testlib.h"

#include <dwarf.h>

/* A command line, cut at its spaces, and what came of it. Filled by parse(). */
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

static uint32_t features_of(const char *line)
{
	CLEANUP(run_release) struct run r = { 0 };
	char whole[400];

	snprintf(whole, sizeof(whole), "-J a.o %s", line);
	CHECK_OK(parse(&r, whole));
	return r.o.encode.features;
}

static unsigned int jobs_of(const char *line)
{
	CLEANUP(run_release) struct run r = { 0 };
	char whole[400];

	snprintf(whole, sizeof(whole), "-J a.o %s", line);
	CHECK_OK(parse(&r, whole));
	CHECK_EQ(r.o.files.nr, 1);
	return r.o.encode.jobs;
}

TEST_WITH(a_plain_call_encodes_into_the_file, run, r)
{
	CHECK_OK(parse(r, "-J a.o"));
	CHECK_EQ(r->o.action, ACTION_ENCODE);
	CHECK_EQ(r->o.files.nr, 1);
	CHECK_STR(r->o.files.items[0], "a.o");
	CHECK_STR(r->o.detached, NULL);
	CHECK_STR(r->o.base, NULL);
	CHECK_STR(r->o.encode.kabi_prefix, NULL);
	CHECK_EQ(r->o.encode.features, FEATURES_PLAIN);
	CHECK_EQ(r->o.encode.jobs, 1);
	CHECK(!r->o.encode.verbose);
	CHECK_EQ(r->o.encode.nr_langs, 0);
	CHECK(!r->o.encode.lang_only);
	CHECK_EQ(r->o.encode.nr_exclude_units, 0);
}

TEST_WITH(options_and_files_mix_and_files_keep_their_order, run, r)
{
	CHECK_OK(parse(r, "c.o -J b.o --btf_encode_detached out a.o -V -"));
	CHECK_EQ(r->o.files.nr, 4);
	CHECK_STR(r->o.files.items[0], "c.o");
	CHECK_STR(r->o.files.items[1], "b.o");
	CHECK_STR(r->o.files.items[2], "a.o");
	CHECK_STR(r->o.files.items[3], "-");
	CHECK_STR(r->o.detached, "out");
	CHECK(r->o.encode.verbose);
}

TEST_WITH(two_dashes_end_the_options, run, r)
{
	CHECK_OK(parse(r, "-J -- -V --"));
	CHECK_EQ(r->o.files.nr, 2);
	CHECK_STR(r->o.files.items[0], "-V");
	CHECK_STR(r->o.files.items[1], "--");
	CHECK(!r->o.encode.verbose);
}

TEST_WITH(posixly_correct_ends_the_options_at_the_first_file, run, r)
{
	setenv("POSIXLY_CORRECT", "1", 1);
	struct err *e = parse(r, "-J a.o -V");
	unsetenv("POSIXLY_CORRECT");
	CHECK_OK(e);
	CHECK_EQ(r->o.files.nr, 2);
	CHECK(!r->o.encode.verbose);
}

TEST_WITH(short_options_can_be_joined_and_carry_their_value, run, r)
{
	CHECK_OK(parse(r, "-JVj7 a.o -Xdrivers/ -X lib/"));
	CHECK(r->o.encode.verbose);
	CHECK_EQ(r->o.encode.jobs, 7);
	CHECK_EQ(r->o.encode.nr_exclude_units, 2);
	CHECK_STR(r->o.encode.exclude_units[0], "drivers/");
	CHECK_STR(r->o.encode.exclude_units[1], "lib/");
}

TEST_WITH(a_value_may_follow_or_be_attached_and_may_begin_with_a_dash, run, r)
{
	CHECK_OK(parse(r, "-J a.o --btf_base=vmlinux --kabi_prefix __p"));
	CHECK_STR(r->o.base, "vmlinux");
	CHECK_STR(r->o.encode.kabi_prefix, "__p");
	CHECK_OK(parse(r, "-J a.o --btf_base --version"));
	CHECK_STR(r->o.base, "--version");
	CHECK_OK(parse(r, "-J a.o --btf_base=a=b"));
	CHECK_STR(r->o.base, "a=b");
}

TEST_WITH(the_last_output_and_base_count, run, r)
{
	CHECK_OK(parse(r, "a.o --btf_encode_detached=x --btf_encode_detached=y --btf_base=1 "
			  "--btf_base=2"));
	CHECK_STR(r->o.detached, "y");
	CHECK_STR(r->o.base, "2");
}

TEST_WITH(long_options_can_be_cut_short_while_unique, run, r)
{
	CHECK_OK(parse(r, "--btf_encode_d=x a.o --jo=3 --verb"));
	CHECK_STR(r->o.detached, "x");
	CHECK_EQ(r->o.encode.jobs, 3);
	CHECK(r->o.encode.verbose);
}

TEST_WITH(an_exact_name_is_not_ambiguous, run, r)
{
	/* --btf_encode begins three options, --lang and --btf_features two */
	CHECK_OK(parse(r, "--btf_encode --lang=c11 --btf_features=var a.o"));
	CHECK_EQ(r->o.encode.nr_langs, 1);
}

TEST_WITH(an_ambiguous_name_is_refused_with_what_it_could_be, run, r)
{
	CHECK_ERR_TEXT(parse(r, "-J a.o --btf_enc"), ERR_USAGE,
		       "option '--btf_enc' is ambiguous: '--btf_encode', "
		       "'--btf_encode_detached', '--btf_encode_force'");
	/* options that only pahole has count, so that scripts mean the same to both */
	CHECK_ERR_TEXT(parse(r, "-J a.o --si=3"), ERR_USAGE, "'--sizes', '--size_bytes'");
}

TEST_WITH(unknown_options_are_refused, run, r)
{
	CHECK_ERR_TEXT(parse(r, "-J a.o --bogus=3"), ERR_USAGE, "unrecognized option '--bogus'");
	CHECK_ERR_TEXT(parse(r, "-Jk a.o"), ERR_USAGE, "unrecognized option '-k'");
}

TEST_WITH(arguments_are_needed_or_not_wanted, run, r)
{
	CHECK_ERR_TEXT(parse(r, "a.o --btf_base"), ERR_USAGE, "'--btf_base' needs an argument");
	CHECK_ERR_TEXT(parse(r, "a.o -X"), ERR_USAGE, "option '-X' needs an argument");
	CHECK_ERR_TEXT(parse(r, "a.o --btf_encode=x"), ERR_USAGE,
		       "'--btf_encode' takes no argument");
	CHECK_ERR(parse(r, "a.o --btf_encode_detached="), ERR_USAGE);
	CHECK_ERR(parse(r, "-J a.o --btf_base="), ERR_USAGE);
}

TEST_WITH(a_file_and_an_output_are_needed, run, r)
{
	CHECK_ERR_TEXT(parse(r, ""), ERR_USAGE, "no input file");
	CHECK_ERR_TEXT(parse(r, "-J"), ERR_USAGE, "no input file");
	CHECK_ERR_TEXT(parse(r, "a.o --strip_dwarf"), ERR_USAGE, "give '-J' to put BTF into 'a.o'");
}

TEST(who_asks_for_no_output_wants_to_see)
{
	CLEANUP(run_release) struct run r = { 0 }, named = { 0 }, both = { 0 };

	CHECK_OK(parse(&r, "a.o --btf_features=default -E -z 8 -c 32"));
	CHECK_EQ(r.o.action, ACTION_SHOW);
	CHECK_EQ(r.o.show_what, SHOW_ALL);
	CHECK(r.o.show.style.expand);
	CHECK_EQ(r.o.show.style.cacheline, 32);
	CHECK_EQ(r.o.show.filter.hole_size, 8);
	CHECK_EQ(r.o.show.form, LISTING_NAMES);

	CHECK_OK(parse(&named, "-C list -C task -F btf,dwarf"));
	CHECK_EQ(named.o.action, ACTION_SHOW);
	CHECK_EQ(named.o.show_what, SHOW_NAMED);
	CHECK_STR(named.o.show_name, "task");
	CHECK(named.o.btf_first);
	CHECK(named.o.show.style.cacheline > 0);

	/* -q and --skip_missing are of no consequence for an encoder */
	CHECK_OK(parse(&both, "-J a.o -q --skip_missing"));
	CHECK_EQ(both.o.action, ACTION_ENCODE);
	CHECK_ERR_TEXT(parse(&both, "-J a.o -s"), ERR_USAGE,
		       "'--sizes' and '-J' cannot be combined");
	CHECK_ERR_TEXT(parse(&both, "--btf_check a.o -s"), ERR_USAGE,
		       "'--sizes' and '--btf_check' cannot be combined");
}

TEST_WITH(behind_launch_the_first_word_begins_a_command, run, r)
{
	CHECK_OK(parse(r, "--launch --strip_dwarf gcc -V --help -c a.c -- -o a.o"));
	CHECK_EQ(r->o.action, ACTION_LAUNCH);
	CHECK(r->o.strip_dwarf);
	CHECK(!r->o.encode.verbose);
	CHECK_EQ(r->o.files.nr, 8);
	CHECK_STR(r->o.files.items[1], "-V");
	CHECK_STR(r->o.files.items[5], "--");

	CHECK_OK(parse(r, "-V --launch -J -- --odd -c"));
	CHECK(r->o.encode.verbose);
	CHECK_EQ(r->o.files.nr, 2);
	CHECK_STR(r->o.files.items[0], "--odd");
	CHECK_ERR_TEXT(parse(r, "a.o --launch gcc"), ERR_USAGE, "must stand before the command");
	CHECK_OK(parse(r, "--laun gcc -c"));
	CHECK_EQ(r->o.action, ACTION_LAUNCH);
	CHECK_EQ(r->o.files.nr, 2);
}

TEST_WITH(jobs_take_a_number_only_if_it_is_attached, run, r)
{
	CHECK_EQ(jobs_of("-j4"), 4);
	CHECK_EQ(jobs_of("--jobs=5"), 5);
	CHECK_EQ(jobs_of("-j0"), 1);
	CHECK_EQ(jobs_of("-j-3"), 1);
	CHECK(jobs_of("-j") >= 1);
	CHECK(jobs_of("-j99999999999999999999") <= 1024);
	CHECK_ERR_TEXT(parse(r, "-J a.o -j4x"), ERR_USAGE, "'4x' is not a number");
	CHECK_ERR(parse(r, "-J a.o --jobs="), ERR_USAGE);

	CHECK_OK(parse(r, "-J -j 4"));
	CHECK_STR(r->o.files.items[0], "4");
}

/* The table of docs/spec/encoding.md 14.4. */
TEST(the_first_list_switches_all_off_and_what_follows_adds_up)
{
	enum { BOTH = FEATURE_VAR | FEATURE_FLOAT };

	CHECK_EQ(features_of("--skip_encoding_btf_vars --btf_features=default") & BOTH, BOTH);
	CHECK_EQ(features_of("--btf_features=default --skip_encoding_btf_vars") & BOTH,
		 FEATURE_FLOAT);
	CHECK_EQ(features_of("--btf_gen_floats --btf_features=var"), FEATURE_VAR);
	CHECK_EQ(features_of("--btf_features=var --btf_features=float"), BOTH);
	CHECK_EQ(features_of("--btf_features="), 0);
	CHECK_EQ(features_of("--btf_features=var --btf_features_strict=float"), BOTH);
	CHECK_EQ(features_of("--btf_features_strict=var --btf_gen_floats"), BOTH);
}

TEST(all_features_means_all_of_them)
{
	CHECK_EQ(features_of("--btf_gen_all --btf_base=vmlinux"), FEATURES_ALL);
	CHECK_EQ(features_of("--btf_features=all --btf_base=vmlinux"), FEATURES_ALL);
	CHECK_EQ(features_of("--btf_base=vmlinux --btf_gen_all --skip_encoding_btf_vars"),
		 FEATURES_ALL & ~(uint32_t)FEATURE_VAR);
}

TEST(all_features_do_not_ask_for_a_base)
{
	CHECK_EQ(features_of("--btf_gen_all"), FEATURES_ALL & ~(uint32_t)FEATURE_DISTILLED_BASE);
	CHECK_EQ(features_of("--btf_features=distilled_base"), FEATURE_DISTILLED_BASE);
	CHECK_EQ(features_of("--btf_features=all --btf_features=distilled_base"), FEATURES_ALL);
}

TEST(all_features_do_not_ask_a_file_for_a_second_section)
{
	CHECK_EQ(features_of("--btf_gen_all --btf_base=vmlinux --btf_encode_detached=out"),
		 FEATURES_ALL & ~(uint32_t)FEATURE_DISTILLED_BASE);
	CHECK_EQ(
		features_of(
			"--btf_features=distilled_base --btf_base=vmlinux --btf_encode_detached=out"),
		FEATURE_DISTILLED_BASE);
}

TEST(variables_apart_are_not_among_the_others)
{
	const uint32_t apart = FEATURE_VAR | FEATURE_VARS_APART;
	const uint32_t all = FEATURES_ALL &
			     ~(uint32_t)(FEATURE_GLOBAL_VAR | FEATURE_DISTILLED_BASE);

	CHECK_EQ(features_of("--btf_vars_detached=v --btf_features=var"), apart);
	CHECK_EQ(features_of("--btf_vars_detached=v --btf_features=var,global_var"), apart);
	CHECK_EQ(features_of("--btf_features=global_var.extra,var"), apart);
	CHECK_EQ(features_of("--btf_features=global_var.extra,var,global_var"), apart);
	CHECK_EQ(features_of("--btf_features=all --btf_base=b --btf_vars_detached=v"),
		 all | FEATURE_VARS_APART);
	CHECK_EQ(features_of("--btf_features=all --btf_base=b") & FEATURE_VARS_APART, 0);
}

TEST(each_switch_moves_its_feature)
{
	static const struct {
		const char *option;
		uint32_t features;
	} cases[] = {
		{ "--btf_gen_floats", FEATURES_PLAIN | FEATURE_FLOAT },
		{ "--btf_encode_force", FEATURES_PLAIN | FEATURE_ENCODE_FORCE },
		{ "--btf_attributes", FEATURES_PLAIN | FEATURE_ATTRIBUTES },
		{ "--btf_gen_optimized", FEATURES_PLAIN | FEATURE_OPTIMIZED_FUNC },
		{ "--reproducible_build", FEATURES_PLAIN | FEATURE_REPRODUCIBLE_BUILD },
		{ "--skip_encoding_btf_inconsistent_proto",
		  FEATURES_PLAIN | FEATURE_CONSISTENT_FUNC },
		{ "--skip_encoding_btf_vars", FEATURES_PLAIN & ~FEATURE_VAR },
		{ "--skip_encoding_btf_decl_tag", FEATURES_PLAIN & ~FEATURE_DECL_TAG },
		{ "--skip_encoding_btf_type_tag", FEATURES_PLAIN & ~FEATURE_TYPE_TAG },
		{ "--skip_encoding_btf_enum64", FEATURES_PLAIN & ~FEATURE_ENUM64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_EQ(features_of(cases[i].option), cases[i].features);
}

TEST_WITH(a_strict_list_with_an_unknown_name_fails, run, r)
{
	CHECK_ERR_TEXT(parse(r, "-J a.o --btf_features_strict=var,bogus"), ERR_UNSUPPORTED,
		       "--btf_features_strict: feature 'bogus'");
}

TEST_WITH(verbose_counts_wherever_it_stands, run, r)
{
	CHECK_OK(parse(r, "-J a.o -V"));
	CHECK(r->diags.verbose);
}

TEST_WITH(what_prints_and_exits_acts_when_it_is_met, run, r)
{
	CHECK_OK(parse(r, "--version --bogus"));
	CHECK_EQ(r->o.action, ACTION_VERSION);
	CHECK(!r->o.encode.verbose);
	CHECK_OK(parse(r, "--version -V"));
	CHECK(r->o.encode.verbose);
	CHECK_OK(parse(r, "-J --supported_btf_features --help"));
	CHECK_EQ(r->o.action, ACTION_SUPPORTED_FEATURES);
	CHECK_OK(parse(r, "-? -k"));
	CHECK_EQ(r->o.action, ACTION_HELP);
	CHECK_OK(parse(r, "--usage"));
	CHECK_EQ(r->o.action, ACTION_USAGE);
	CHECK_ERR(parse(r, "--bogus --version"), ERR_USAGE);
}

TEST_WITH(the_numeric_version_waits_for_the_end, run, r)
{
	CHECK_OK(parse(r, "--numeric_version a.o"));
	CHECK_EQ(r->o.action, ACTION_NUMERIC_VERSION);
	CHECK_ERR(parse(r, "--numeric_version --bogus"), ERR_USAGE);
}

TEST_WITH(languages_have_the_names_of_pahole, run, r)
{
	CHECK_OK(parse(r, "-J a.o --lang_exclude=rust,ASM,,C++14"));
	CHECK(!r->o.encode.lang_only);
	CHECK_EQ(r->o.encode.nr_langs, 3);
	CHECK_EQ(r->o.encode.langs[0], DW_LANG_Rust);
	CHECK_EQ(r->o.encode.langs[1], DW_LANG_Mips_Assembler);
	CHECK_EQ(r->o.encode.langs[2], DW_LANG_C_plus_plus_14);
	CHECK_OK(parse(r, "-J a.o --lang=c++17,c++20,c17"));
	for (uint16_t i = 0; i < 3; i++)
		CHECK_EQ(r->o.encode.langs[i], 0x2a + i); /* the numbers of DWARF 6 */
	CHECK_ERR_TEXT(parse(r, "-J a.o --lang=c11,klingon"), ERR_USAGE,
		       "--lang: unknown language 'klingon'");
}

TEST_WITH(there_may_be_any_number_of_languages, run, r)
{
	CHECK_OK(parse(r, "-J a.o --lang=c89,c,ada83,c++,cobol74,cobol85,fortran77,fortran90,"
			  "pascal83,modula2,java,c99,ada95,fortran95,pli,objc,objc++,upc,d"));
	CHECK_EQ(r->o.encode.nr_langs, 19);
	for (uint16_t i = 0; i < 19; i++)
		CHECK_EQ(r->o.encode.langs[i], i + 1);
}

TEST(both_lists_of_languages_hold_whatever_their_order)
{
	static const char *const lines[] = {
		"-J a.o --lang=c11,rust,c99 --lang_exclude=rust",
		"-J a.o --lang_exclude=rust --lang=c11,rust,c99",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		CLEANUP(run_release) struct run r = { 0 };

		CHECK_OK(parse(&r, lines[i]));
		CHECK(r.o.encode.lang_only);
		CHECK_EQ(r.o.encode.nr_langs, 2);
		CHECK_EQ(r.o.encode.langs[0], DW_LANG_C11);
		CHECK_EQ(r.o.encode.langs[1], DW_LANG_C99);
	}
}

TEST_WITH(the_last_list_of_a_kind_counts, run, r)
{
	CHECK_OK(parse(r, "-J a.o --lang_exclude=c11 --lang_exclude=rust"));
	CHECK_EQ(r->o.encode.nr_langs, 1);
	CHECK_EQ(r->o.encode.langs[0], DW_LANG_Rust);
}

TEST_WITH(an_empty_list_of_languages_keeps_no_unit, run, r)
{
	CHECK_OK(parse(r, "-J a.o --lang=rust --lang_exclude=rust"));
	CHECK(r->o.encode.lang_only);
	CHECK_EQ(r->o.encode.nr_langs, 0);
}

static void check_environment(const char *value, const char *line, size_t nr_langs, bool only)
{
	CLEANUP(run_release) struct run r = { 0 };

	setenv("PAHOLE_LANG_EXCLUDE", value, 1);
	struct err *e = parse(&r, line);
	unsetenv("PAHOLE_LANG_EXCLUDE");
	CHECK_OK(e);
	CHECK_EQ(r.o.encode.nr_langs, nr_langs);
	CHECK_EQ(r.o.encode.lang_only, only);
}

TEST_WITH(the_environment_excludes_languages_unless_the_line_speaks_of_them, run, r)
{
	check_environment("rust,go", "-J a.o", 2, false);
	check_environment("rust,go", "-J a.o --lang_exclude=c11", 1, false);
	check_environment("rust,go", "-J a.o --lang_exclude=", 0, false);
	check_environment("rust,go", "-J a.o --lang=rust", 1, true);
	check_environment("", "-J a.o", 0, false);

	setenv("PAHOLE_LANG_EXCLUDE", "klingon", 1);
	struct err *e = parse(r, "-J a.o");
	unsetenv("PAHOLE_LANG_EXCLUDE");
	CHECK_ERR_TEXT(e, ERR_USAGE, "PAHOLE_LANG_EXCLUDE: unknown language");
}

TEST_WITH(formats_say_what_is_read, run, r)
{
	CHECK_OK(parse(r, "-J a.o"));
	CHECK(r->o.from == ENCODE_FROM_EITHER);
	CHECK_OK(parse(r, "-J a.o -F dwarf"));
	CHECK(r->o.from == ENCODE_FROM_DWARF);
	CHECK_OK(parse(r, "-J a.o -F btf"));
	CHECK(r->o.from == ENCODE_FROM_BTF);
	CHECK_OK(parse(r, "-J a.o -F btf,dwarf"));
	CHECK(r->o.from == ENCODE_FROM_EITHER);
	CHECK_OK(parse(r, "-J a.o -F ctf,dwarf"));
	CHECK(r->o.from == ENCODE_FROM_DWARF);
	CHECK_ERR_TEXT(parse(r, "-J a.o --format_path=ctf"), ERR_UNSUPPORTED, "'ctf'");
	CHECK_ERR_TEXT(parse(r, "-J a.o -F dwarf,stabs"), ERR_USAGE, "unknown format 'stabs'");
	CHECK_ERR(parse(r, "-J a.o --format_path="), ERR_USAGE);
}

TEST_WITH(an_empty_kabi_prefix_is_none, run, r)
{
	CHECK_OK(parse(r, "-J a.o --kabi_prefix="));
	CHECK_STR(r->o.encode.kabi_prefix, NULL);
}

TEST_WITH(harmless_options_change_nothing, run, r)
{
	CHECK_OK(parse(r, "-J a.o -q --hashbits=15 --first_obj_only --fixup_silly_bitfields"));
	CHECK_EQ(r->o.encode.features, FEATURES_PLAIN);
	CHECK_EQ(r->o.files.nr, 1);
}

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
	CHECK(nr > 20);
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

/* What options_parse() takes @prefix for: an error names the option, however it was spelled. */
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
