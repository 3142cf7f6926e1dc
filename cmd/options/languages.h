/* SPDX-License-Identifier: GPL-2.0-only */
/* languages.h - the names of --lang and --lang_exclude and their DW_LANG_* numbers */
#ifndef BTFENC_CMD_OPTIONS_LANGUAGES_H
#define BTFENC_CMD_OPTIONS_LANGUAGES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DW_LANG_* numbers. Zeroed is empty; free(items) releases it. */
struct languages {
	uint16_t *items;
	size_t nr, cap;
};

/*
 * Put the languages that @list names, with commas between, behind those of @langs.
 * Case does not matter, empty items are skipped, there may be any number of them.
 * ERR_USAGE if one is unknown.
 */
MUST_CHECK struct err *languages_add(const char *list, struct languages *langs);

/* Take out of @langs what is in @others. */
void languages_remove(struct languages *langs, const struct languages *others);

#endif
