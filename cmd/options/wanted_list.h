/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted_list.h - the names of types, functions and variables on the command line */
#ifndef BTFENC_CMD_OPTIONS_WANTED_LIST_H
#define BTFENC_CMD_OPTIONS_WANTED_LIST_H

#include "base/arena.h"
#include "base/err.h"
#include "base/name_list.h"
#include "show/listing.h"

/* Owns the array and the names. */
struct wanted_list {
	struct wanted *items;
	size_t nr, cap;
	struct name_list
		index; /* wanted.name of @items; an entry is the index of an item, plus 1 */
	struct arena names;
};

enum wanted_what {
	WANTED_TYPES,
	WANTED_SHOWN, /* also of functions, variables, and members as "TYPE.MEMBER" */
	WANTED_NAMES, /* also of functions, as "NAME()", and of variables */
};

/*
 * Add the names and patterns (name_list.h) in @arg, with commas between them; file://PATH stands for those in the file PATH, one
 * on each line. A comma between < and > is part of a name. ERR_IO; ERR_USAGE for a name that is empty, or that asks for raw data to be
 * printed, as in "NAME(sizeof=MEMBER)". A name that @ret has already is
 * not added to WANTED_NAMES. *ret must be zeroed before the first call; release it in any case.
 */
MUST_CHECK struct err *wanted_list_read(const char *arg, enum wanted_what what,
					struct wanted_list *ret);
/*
 * Does one of @l ask for a type, function or variable of @kind, with the kind_flag @kflag, that has the name @name? That of a
 * base type is as of wanted_base_name(). This takes the time of name_list.h.
 */
bool wanted_list_has(const struct wanted_list *l, const char *name, enum btf_kind kind, bool kflag);
/*
 * How a message names @w: in quotation marks, or by its location in a file. Messages do not print the content of the file,
 * because a user may name any file. The caller frees the result.
 */
char *wanted_list_name(const struct wanted *w);
void wanted_list_release(struct wanted_list *l);

#endif
