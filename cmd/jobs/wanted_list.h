/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.h - the names of types on the command line */
#ifndef BTFENC_CMD_JOBS_WANTED_LIST_H
#define BTFENC_CMD_JOBS_WANTED_LIST_H

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
 * Read the names in @arg, with commas between them; file://PATH stands for those in the file PATH, one
 * on each line. A comma between < and > is part of a name. ERR_IO; ERR_USAGE for a name that is empty, or that asks for raw data to be
 * printed, as in "NAME(sizeof=MEMBER)". *ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *wanted_list_read(const char *arg, struct wanted_list *ret);
void wanted_list_release(struct wanted_list *l);

#endif
