/* SPDX-License-Identifier: GPL-2.0-only */
/* rule_list.h - sets of the rules of reports, by name */
#ifndef BTFENC_CMD_OPTIONS_RULE_LIST_H
#define BTFENC_CMD_OPTIONS_RULE_LIST_H

#include "base/err.h"

#include <stdint.h>

/*
 * Change *rules, a set with a bit of enum omission_rule each, by @list, a list of words with commas between: the name of a
 * rule, a shell pattern of names, "all", or "loss" for the rules by which something is lost. A word adds its rules; with "-"
 * before it, it removes them, and if it is the first of all, it removes them from "loss". Several lists add up. Add to
 * *named the rules whose own name is in the list. ERR_USAGE, naming @option, for a word that is no rule.
 */
MUST_CHECK struct err *rule_list_read(const char *option, const char *list, uint64_t *rules,
				      uint64_t *named);

#endif
