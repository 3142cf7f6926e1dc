/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_names.h - the names that --explain answers: a pattern stands for all names that match it */
#ifndef BTFENC_CMD_PRINT_EXPLAIN_NAMES_H
#define BTFENC_CMD_PRINT_EXPLAIN_NAMES_H

#include "base/arena.h"
#include "btf/btf_view.h"
#include "cmd/options/wanted_list.h"
#include "encoder/report/report.h"

struct explained_name {
	struct wanted as;
	size_t number; /* of the name or pattern in the list of the command line */
};

struct explained_names {
	VEC(struct explained_name) items;
	struct arena texts;
	struct name_ids known; /* of the pattern at hand */
};

/* Does @o answer for a name with the keyword or the parentheses of @as? */
bool explain_is_asked(const struct wanted *as, const struct omission *o);
/*
 * Replace the patterns in @names by the names of types, functions and variables in the @nr @views, in their order, and then
 * by those that @found omits (NULL: no report). A pattern that nothing matches stays.
 */
void explained_names_find(const struct wanted_list *names, const struct btf_view *const *views,
			  size_t nr, const struct report *found, struct explained_names *ret);
void explained_names_release(struct explained_names *n);

#endif
