/* SPDX-License-Identifier: GPL-2.0-only */
/* rule_list.c - see rule_list.h */
#include "cmd/options/rule_list.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "base/text.h"
#include "encoder/report/omission.h"

#include <fnmatch.h>
#include <string.h>

/* An unknown rule, and those that the user may have meant, or else all. */
static struct err *unknown_rule(const char *option, const char *word)
{
	CLEANUP(text_release) struct text similar = { 0 };
	CLEANUP(text_release) struct text all = { 0 };
	enum { EDITS_MAX = 3 };

	for (size_t i = 0; i < NR_OMISSION_RULES; i++) {
		const char *id = omission_rules[i].id;

		if ((*word && strstr(id, word)) || edit_distance(id, word, EDITS_MAX) <= EDITS_MAX)
			text_printf(&similar, "%s%s", similar.nr ? ", " : "", id);
		text_printf(&all, "%s%s", i ? ", " : "", id);
	}
	return err_new(ERR_USAGE, "%s: unknown rule '%s'; %s: %s", option, word,
		       similar.nr ? "did you mean" : "the rules are",
		       text_string(similar.nr ? &similar : &all));
}

/* The rules of one word; none if it is unknown. *named: is it the name of one? */
static uint64_t rules_of(const char *word, bool *named)
{
	uint64_t set = 0;

	*named = false;

	if (!strcmp(word, "loss"))
		return omission_rules_of_loss();
	for (int i = 0; i < NR_OMISSION_RULES; i++) {
		const char *id = omission_rules[i].id;

		if (!strcmp(word, "all") || !fnmatch(word, id, 0))
			set |= omission_rule_bit((enum omission_rule)i);
		*named |= !strcmp(word, id);
	}
	return set;
}

struct err *rule_list_read(const char *option, const char *list, uint64_t *rules, uint64_t *named)
{
	if (*list == '-' && !*rules)
		*rules = omission_rules_of_loss();
	for (size_t len;; list += len + 1) {
		bool removes = *list == '-', is_name;

		len = strcspn(list, ",");
		CLEANUP(mem_free_text)
		char *word = mem_printf("%.*s", (int)(len - removes), list + removes);
		uint64_t set = rules_of(word, &is_name);

		if (!set)
			return unknown_rule(option, word);
		*rules = removes ? *rules & ~set : *rules | set;
		if (is_name && !removes)
			*named |= set;
		if (!list[len])
			return NULL;
	}
}
