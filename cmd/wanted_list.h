/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.h - the names of -C */
#ifndef BTFENC_CMD_WANTED_LIST_H
#define BTFENC_CMD_WANTED_LIST_H

#include "base/arena.h"
#include "base/err.h"
#include "show/listing.h"

/* Owns the array and the names. */
struct wanted_list {
	struct wanted *items;
	size_t nr, cap;
	struct arena names;
};

/*
 * The names in @arg: one, or, if @many, several with commas between them, of which file://PATH stands for those in the
 * file PATH, one on each line. ERR_IO; ERR_USAGE for a name that is empty, or asks for raw data to
 * be printed, as in "NAME(sizeof=MEMBER)". *ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *wanted_list_read(const char *arg, bool many, struct wanted_list *ret);
void wanted_list_release(struct wanted_list *l);

#endif
