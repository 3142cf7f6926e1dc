/* SPDX-License-Identifier: GPL-2.0-only */
/* t_rule_list.c - lists of rules become sets */
#include "cmd/options/rule_list.h"

#include "encoder/report/omission.h"
#include "tests/lib/testlib.h"

/* A set, and those of its rules that were named. */
struct result {
	uint64_t rules, named;
};

static struct result read_list(const char *list)
{
	struct result r = { 0 };

	CHECK_OK(rule_list_read("--rules", list, &r.rules, &r.named));
	return r;
}

#define RULE(name) omission_rule_bit(OMIT_##name)

TEST(a_list_has_names_patterns_and_two_words)
{
	const uint64_t all = read_list("all").rules, loss = read_list("loss").rules;

	CHECK(read_list("func_no_symbol").rules == RULE(FUNC_NO_SYMBOL));
	CHECK(read_list("func_kfunc,kfunc_lost").rules == (RULE(FUNC_KFUNC) | RULE(KFUNC_LOST)));
	CHECK(read_list("func_no_sym*").rules == (RULE(FUNC_NO_SYMBOL) | RULE(FUNC_NO_SYMTAB)));
	CHECK(read_list("vars_not_linke[c-e]").rules == RULE(VARS_NOT_LINKED));
	CHECK(all ==
	      (NR_OMISSION_RULES == 64 ? UINT64_MAX : omission_rule_bit(NR_OMISSION_RULES) - 1));
	CHECK(loss == omission_rules_of_loss() && loss != all);
	CHECK(!(loss & RULE(FUNC_NO_SYMBOL)) && (loss & RULE(FUNC_NO_SYMTAB)));
}

TEST(a_minus_removes_rules_and_begins_with_those_of_loss)
{
	const uint64_t all = read_list("all").rules, loss = omission_rules_of_loss();

	CHECK(read_list("all,-func_no_symbol").rules == (all & ~RULE(FUNC_NO_SYMBOL)));
	CHECK(read_list("-kfunc_lost").rules == (loss & ~RULE(KFUNC_LOST)));
	CHECK(read_list("-all").rules == 0);
	CHECK(read_list("kfunc_lost,-all,btf_id_lost").rules == RULE(ID_LOST));
}

TEST(rules_are_named_by_their_own_names)
{
	CHECK(read_list("kfunc_lost,func_*,-func_kfunc").named == RULE(KFUNC_LOST));
	CHECK(read_list("all").named == 0);
}

TEST(lists_add_up)
{
	struct result r = read_list("kfunc_lost,btf_id_lost");

	CHECK_OK(rule_list_read("--rules", "-kfunc_lost,func_kfunc", &r.rules, &r.named));
	CHECK(r.rules == (RULE(ID_LOST) | RULE(FUNC_KFUNC)));
}

TEST(a_word_that_is_no_rule_is_an_error)
{
	struct result r = { 0 };

	CHECK_ERR(rule_list_read("--rules", "func_no_symbol,func_none", &r.rules, &r.named),
		  ERR_USAGE);
	CHECK_ERR(rule_list_read("--rules", "", &r.rules, &r.named), ERR_USAGE);
	CHECK_ERR(rule_list_read("--rules", "-", &r.rules, &r.named), ERR_USAGE);
	CHECK_ERR(rule_list_read("--rules", "kfunc_lost,", &r.rules, &r.named), ERR_USAGE);
	CHECK_ERR(rule_list_read("--rules", "*none", &r.rules, &r.named), ERR_USAGE);
}
